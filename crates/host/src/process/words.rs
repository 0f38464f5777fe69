//! The protocol's words: what is told to a program and how its answers are read.

use crate::fault::{Fault, FaultKind};
use crate::spec::EngineSpec;
use crate::{OpeningAnswer, Setup};
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

/// What is told to a program: lines, each ended as the protocol wants it.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Lines(String);

impl Lines {
    /// One line.
    pub fn of(line: &str) -> Lines {
        let mut said = Lines::default();
        said.words(line).end();
        said
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn words(&mut self, text: &str) -> &mut Lines {
        self.0.push_str(text);
        self
    }

    pub fn number(&mut self, number: u64) -> &mut Lines {
        self.words(itoa::Buffer::new().format(number))
    }

    /// A point as `x,y`.
    pub fn point(&mut self, point: Point) -> &mut Lines {
        self.number(point.x() as u64).words(",").number(point.y() as u64)
    }

    pub fn end(&mut self) {
        self.0.push_str("\r\n");
    }

    pub fn as_bytes(&self) -> &[u8] {
        self.0.as_bytes()
    }
}

/// What a program is told before a game.
pub fn info_lines(spec: &EngineSpec, setup: &Setup) -> Lines {
    let control = setup.clock.control();
    // A turn of 0 would mean to play at once, so a missing limit is a very long one.
    let turn = control.turn.or(control.game);
    let mut pairs = vec![
        ("timeout_match", milliseconds(control.game, 0)),
        ("timeout_turn", milliseconds(turn, 2_000_000)),
        ("max_memory", spec.memory),
        ("game_type", 1),
        ("rule", rule_code(setup.rule).into()),
        ("thread_num", spec.threads as u64),
    ];
    if !control.increment.is_zero() {
        pairs.push(("time_increment", control.increment.as_millis() as u64));
    }
    pairs.extend(spec.visits.map(|visits| ("max_node", visits)));
    pairs.extend(spec.depth.map(|depth| ("max_depth", depth.into())));
    let mut lines = Lines::default();
    for (key, value) in pairs {
        lines.words("INFO ").words(key).words(" ").number(value).end();
    }
    for (key, value) in &spec.options {
        lines.words("INFO ").words(key).words(" ").words(value).end();
    }
    lines
}

/// A time as the protocol counts it, never 0: that would mean to play at once.
pub fn milliseconds(time: Option<Duration>, unlimited: u64) -> u64 {
    time.map_or(unlimited, |time| (time.as_millis() as u64).max(1))
}

/// Asks for a move in a position, told in the order of the moves.
pub fn ask_about_board(board: &Board, lines: &mut Lines) {
    let own = board.to_move();
    let mut color = Color::Black;
    lines.words("BOARD").end();
    for &played in board.moves() {
        if let Some(point) = played {
            lines.point(point).words(if color == own { ",1" } else { ",2" }).end();
        }
        color = !color;
    }
    lines.words("DONE").end();
}

/// Reads `x,y`, whatever the numbers are.
fn coordinates(text: &str) -> Option<(i64, i64)> {
    let (x, y) = text.split_once(',')?;
    Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
}

/// The move of a line, if it is one at all.
pub fn read_move(line: &str, board: &Board) -> Option<Result<Point, Fault>> {
    let (x, y) = coordinates(line)?;
    Some(match point_at(x, y, board.size()) {
        Some(point) if board.is_empty(point) => Ok(point),
        Some(point) => {
            Err(Fault::new(FaultKind::Occupied, format!("{} is occupied", point.name(board.size()))))
        }
        None => Err(Fault::new(FaultKind::IllegalMove, format!("{} is off the board", quoted(line)))),
    })
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
pub fn ask_about_swap2(board: &Board, lines: &mut Lines) {
    lines.words("SWAP2BOARD").end();
    for &point in board.moves().iter().flatten() {
        lines.point(point).end();
    }
    lines.words("DONE").end();
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
