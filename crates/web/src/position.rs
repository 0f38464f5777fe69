//! What can be said of a position at once: whose turn, what is asked, the end, forbidden points, and why.

use crate::game::Game;
use fivestone_engine::evaluation::{Evaluator, UNITS, win_probability};
use fivestone_game::opening::{Player, Task};
use fivestone_game::{Board, Color, Direction, GameEnd, Opening, Pattern, Point};
use fivestone_host::views::{color_word, names, round};
use serde::Serialize;

/// A position explained.
#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
pub struct Position {
    moves: Vec<String>,
    to_move: &'static str,
    turn: &'static str,
    colors: [Option<&'static str>; 2],
    task: TaskView,
    end: Option<End>,
    /// What the opening is called.
    named: Option<NamedView>,
    forbidden: Vec<ForbiddenPoint>,
    #[serde(skip_serializing_if = "Option::is_none")]
    layers: Option<Layers>,
}

#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase", tag = "kind")]
enum TaskView {
    Place { color: &'static str, allowed: Vec<String> },
    ChooseColor,
    Swap2,
    Declare { most: usize },
    Offer { remaining: usize, allowed: Vec<String>, offers: Vec<String> },
    Pick { offers: Vec<String> },
    Play,
}

#[derive(Serialize, Debug)]
struct NamedView {
    number: &'static str,
    name: &'static str,
}

#[derive(Serialize, Debug)]
struct End {
    kind: &'static str,
    winner: Option<&'static str>,
    why: Option<&'static str>,
    row: Vec<String>,
}

#[derive(Serialize, Debug)]
struct ForbiddenPoint {
    point: String,
    why: &'static str,
}

/// What the line patterns say about the empty points near the stones.
#[derive(Serialize, Debug)]
struct Layers {
    /// Win probability of the side to move by the patterns alone.
    judged: f64,
    cells: Vec<Cell>,
}

#[derive(Serialize, Debug)]
struct Cell {
    point: String,
    /// Probability that the side to move plays here, by the patterns.
    policy: f64,
    /// What the point adds to the value of the position for the side to move, in natural-logarithm units of the odds.
    value: f64,
    black: Shape,
    white: Shape,
}

#[derive(Serialize, Debug)]
struct Shape {
    class: &'static str,
    /// Across, down, falling, rising: what a stone here would make.
    lines: [&'static str; 4],
}

impl Position {
    /// Explains a position.
    pub fn of(game: &Game, with_layers: bool) -> Position {
        let (board, opening) = (&game.board, &game.opening);
        let size = board.size();
        let turn =
            if opening.is_over() { opening.tentative_player(board.to_move()) } else { opening.decider() };
        let task = match opening.task() {
            Task::PlaceStone { color, allowed } => {
                TaskView::Place { color: color_word(color), allowed: names(allowed.iter(), size) }
            }
            Task::ChooseColor => TaskView::ChooseColor,
            Task::Swap2Choice => TaskView::Swap2,
            Task::DeclareFifths { most } => TaskView::Declare { most },
            Task::OfferFifth { remaining, allowed } => TaskView::Offer {
                remaining,
                allowed: names(allowed.iter(), size),
                offers: names(opening.offers().iter().copied(), size),
            },
            Task::PickFifth { offers } => TaskView::Pick { offers: names(offers.iter(), size) },
            Task::Play => TaskView::Play,
        };
        Position {
            moves: names(board.moves().iter().copied().flatten(), size),
            to_move: color_word(board.to_move()),
            turn: if turn == Player::First { "first" } else { "second" },
            colors: Player::BOTH.map(|player| opening.color_of(player).map(color_word)),
            task,
            end: board.end().map(|end| describe_end(board, end)),
            named: Opening::named(board).map(|named| NamedView { number: named.number, name: named.name }),
            forbidden: forbidden(board),
            layers: (with_layers && board.end().is_none()).then(|| layers(board)),
        }
    }
}

fn describe_end(board: &Board, end: GameEnd) -> End {
    let winner = end.winner().map(color_word);
    let (kind, why) = match end {
        GameEnd::Five(_) => ("five", None),
        GameEnd::Forbidden(why) => ("forbidden", Some(forbidden_word(why))),
        GameEnd::Draw => ("draw", None),
    };
    let row = if let GameEnd::Five(color) = end { winning_row(board, color) } else { Vec::new() };
    End { kind, winner, why, row: names(row, board.size()) }
}

const fn forbidden_word(why: fivestone_game::Forbidden) -> &'static str {
    match why {
        fivestone_game::Forbidden::Overline => "overline",
        fivestone_game::Forbidden::DoubleFour => "double-four",
        fivestone_game::Forbidden::DoubleThree => "double-three",
    }
}

/// The longest row through the last stone.
fn winning_row(board: &Board, color: Color) -> Vec<Point> {
    let Some(last) = board.last_move() else { return Vec::new() };
    let run = |direction: Direction| {
        let (dx, dy) = direction.delta();
        let along = |sign: isize| {
            (1..)
                .map_while(move |step: isize| last.offset(sign * step * dx, sign * step * dy, board.size()))
                .take_while(|&point| board.stone(point) == Some(color))
        };
        let mut row: Vec<Point> = along(-1).chain([last]).chain(along(1)).collect();
        row.sort_unstable();
        row
    };
    // Where exactly five win, a longer row beside the winning one is not it.
    let rows = Direction::ALL.map(run);
    let exact = rows.iter().find(|row| row.len() == 5).cloned();
    exact.unwrap_or_else(|| rows.into_iter().max_by_key(Vec::len).unwrap_or_default())
}

fn forbidden(board: &Board) -> Vec<ForbiddenPoint> {
    if !board.rule().restricts(Color::Black) || board.end().is_some() {
        return Vec::new();
    }
    let points = board.forbidden_points();
    let explain = |point: Point| {
        board
            .forbidden(point)
            .map(|why| ForbiddenPoint { point: point.name(board.size()), why: forbidden_word(why) })
    };
    points.iter().filter_map(explain).collect()
}

fn layers(board: &Board) -> Layers {
    let mover = board.to_move();
    let evaluator = Evaluator::new(board, mover);
    let points: Vec<Point> = board.near(2).iter().collect();
    let logit = |point: &Point| f64::from(evaluator.prior(board, *point)) / UNITS;
    let highest = points.iter().map(logit).fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = points.iter().map(|point| (logit(point) - highest).exp()).collect();
    let sum: f64 = weights.iter().sum();
    let shape = |color: Color, point: Point| Shape {
        class: board.class(color, point).name(),
        lines: Direction::ALL.map(|direction| Pattern::name(board.pattern(color, point, direction))),
    };
    let cell = |(&point, weight): (&Point, f64)| Cell {
        point: point.name(board.size()),
        policy: round(weight / sum),
        value: round(f64::from(evaluator.point_value(board, point)) / UNITS),
        black: shape(Color::Black, point),
        white: shape(Color::White, point),
    };
    Layers {
        judged: round(win_probability(evaluator.value(board))),
        cells: points.iter().zip(weights).map(cell).collect(),
    }
}
