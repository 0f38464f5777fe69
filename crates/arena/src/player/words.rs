//! The protocol's words: what is told to a program and how its answers are read.

use crate::fault::{Fault, FaultKind};
use crate::player::{OpeningAnswer, Setup};
use crate::spec::EngineSpec;
use fivestone_game::opening::{Decision, Opening, OpeningState};
use fivestone_game::{Board, Color, Point, Rule, Size};
use std::time::Duration;

/// The number that the protocol knows a rule by.
pub fn rule_code(rule: Rule) -> u32 {
    match rule {
        Rule::Freestyle => 0,
        Rule::Standard => 1,
        Rule::Renju => 4,
        Rule::CaroOverline => 8,
        Rule::Caro => 9,
    }
}

pub fn info_lines(spec: &EngineSpec, setup: &Setup) -> Vec<String> {
    let control = setup.clock.control();
    // A turn of 0 would mean to play at once, so a missing limit is a very long one.
    let turn = control.turn.or(control.game);
    let mut pairs = vec![
        ("timeout_match", milliseconds(control.game, 0)),
        ("timeout_turn", milliseconds(turn, 2_000_000)),
        ("max_memory", spec.memory.into()),
        ("game_type", 1),
        ("rule", rule_code(setup.rule).into()),
        ("thread_num", spec.threads as u128),
    ];
    if !control.increment.is_zero() {
        pairs.push(("time_increment", control.increment.as_millis()));
    }
    pairs.extend(spec.visits.map(|visits| ("max_node", visits.into())));
    pairs.extend(spec.depth.map(|depth| ("max_depth", depth.into())));
    let fixed = pairs.into_iter().map(|(key, value)| format!("INFO {key} {value}"));
    fixed.chain(spec.options.iter().map(|(key, value)| format!("INFO {key} {value}"))).collect()
}

pub fn milliseconds(time: Option<Duration>, unlimited: u128) -> u128 {
    time.map_or(unlimited, |time| time.as_millis().max(1))
}

/// The position for a player whose turn it is, in the order of the moves.
pub fn board_lines(board: &Board) -> Vec<String> {
    let own = board.to_move();
    let mut color = Color::Black;
    let mut lines = vec!["BOARD".to_owned()];
    for &played in board.moves() {
        if let Some(point) = played {
            lines.push(format!("{},{},{}", point.x(), point.y(), if color == own { 1 } else { 2 }));
        }
        color = !color;
    }
    lines.push("DONE".to_owned());
    lines
}

/// Reads `x,y`, whatever the numbers are.
pub fn coordinates(text: &str) -> Option<(i64, i64)> {
    let (x, y) = text.split_once(',')?;
    Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
}

pub fn on_board(text: &str, board: &Board) -> Result<Point, Fault> {
    let point = coordinates(text).and_then(|(x, y)| point_at(x, y, board.size()));
    let point = point
        .ok_or_else(|| Fault::new(FaultKind::IllegalMove, format!("{} is off the board", quoted(text))))?;
    if board.is_empty(point) {
        return Ok(point);
    }
    Err(Fault::new(FaultKind::Occupied, format!("{} is occupied", point.name(board.size()))))
}

fn point_at(x: i64, y: i64, size: Size) -> Option<Point> {
    Point::new(usize::try_from(x).ok()?, usize::try_from(y).ok()?, size)
}

/// A line as quoted in a report: short and printable.
pub fn quoted(line: &str) -> String {
    let short: String = line.chars().map(|c| if c.is_control() { '?' } else { c }).take(60).collect();
    let dots = if line.chars().nth(60).is_some() { "..." } else { "" };
    format!("\"{short}{dots}\"")
}

/// The question of swap2 about the stones so far.
pub fn swap2_lines(board: &Board) -> Vec<String> {
    let mut lines = vec!["SWAP2BOARD".to_owned()];
    lines.extend(board.moves().iter().flatten().map(|point| format!("{},{}", point.x(), point.y())));
    lines.push("DONE".to_owned());
    lines
}

/// Whether a line answers a question of swap2: `SWAP` or one to three moves.
pub fn is_swap2_answer(line: &str) -> bool {
    line.eq_ignore_ascii_case("SWAP") || matches!(points_of(line), Some(points) if points.len() <= 3)
}

fn points_of(line: &str) -> Option<Vec<(i64, i64)>> {
    let points: Option<Vec<_>> = line.split_ascii_whitespace().map(coordinates).collect();
    points.filter(|points| !points.is_empty())
}

/// The decisions that an answer of swap2 or swap means.
///
/// Whoever is asked has White to move before him: a move keeps White, `SWAP` takes Black, and two moves leave the choice
/// to the other side.
pub fn read_swap2(line: &str, state: &OpeningState, elapsed: Duration) -> Result<OpeningAnswer, Fault> {
    let board = state.board();
    let wrong = || {
        let detail = format!("{} is no answer to {} stones", quoted(line), board.stone_count());
        Fault::new(FaultKind::BadFormat, detail)
    };
    let answer = |decisions, first_move| Ok(OpeningAnswer { decisions, first_move, elapsed });
    if line.eq_ignore_ascii_case("SWAP") {
        return if board.stone_count() > 0 {
            answer(vec![Decision::Take(Color::Black)], None)
        } else {
            Err(wrong())
        };
    }
    let points = points_of(line).ok_or_else(wrong)?;
    let points = points
        .into_iter()
        .map(|(x, y)| point_at(x, y, board.size()))
        .collect::<Option<Vec<Point>>>()
        .ok_or_else(|| Fault::new(FaultKind::IllegalMove, format!("{} is off the board", quoted(line))))?;
    match (board.stone_count(), &points[..]) {
        (0, [_, _, _]) => answer(points.into_iter().map(Decision::Place).collect(), None),
        (3 | 5, &[point]) => answer(vec![Decision::Take(Color::White)], Some(point)),
        (3, &[white, black]) if state.opening() == Opening::Swap2 => {
            answer(vec![Decision::AddTwo, Decision::Place(white), Decision::Place(black)], None)
        }
        // Swap has no stones to add. Whoever would add some thinks the position even, so the side he has will do.
        (3, [_, _]) => answer(vec![Decision::Take(Color::White)], None),
        _ => Err(wrong()),
    }
}
