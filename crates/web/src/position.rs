//! What can be said of a position at once: whose turn, what is asked, the end, forbidden points, and why.

use crate::game::Game;
use crate::wire::{
    Cell, End, EndKind, ForbiddenPoint, Layers, NamedOpening, Position, Shape, TaskView, Word,
};
use fivestone_engine::evaluation::{Evaluator, UNITS, win_probability};
use fivestone_game::opening::{OpeningState, Player, Task};
use fivestone_game::{Board, Color, Direction, GameEnd, Opening, Point, Size};
use fivestone_host::views::{names, round};

/// How much is said of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Detail {
    /// What is needed to play.
    Game,
    /// What the patterns say as well.
    Layers,
}

/// Explains a position.
pub fn position(game: &Game, detail: Detail) -> Position {
    let (board, opening) = (&game.board, &game.opening);
    let turn = if opening.is_over() { opening.tentative_player(board.to_move()) } else { opening.decider() };
    let has_layers = detail == Detail::Layers && board.end().is_none();
    Position {
        moves: names(board.moves().iter().copied().flatten(), board.size()),
        to_move: Word(board.to_move()),
        turn: Word(turn),
        colors: Player::BOTH.map(|player| opening.color_of(player).map(Word)),
        task: task(opening, board.size()),
        end: board.end().map(|end| describe_end(board, end)),
        named: Opening::named(board).map(|named| NamedOpening { number: named.number, name: named.name }),
        forbidden: forbidden(board),
        layers: has_layers.then(|| layers(board)),
    }
}

fn task(opening: &OpeningState, size: Size) -> TaskView {
    match opening.task() {
        Task::PlaceStone { color, allowed } => {
            TaskView::Place { color: Word(color), allowed: names(allowed.iter(), size) }
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
    }
}

fn describe_end(board: &Board, end: GameEnd) -> End {
    let (kind, why, row) = match end {
        GameEnd::Five(color) => (EndKind::Five, None, winning_row(board, color)),
        GameEnd::Forbidden(why) => (EndKind::Forbidden, Some(Word(why)), Vec::new()),
        GameEnd::Draw => (EndKind::Draw, None, Vec::new()),
    };
    End { kind, winner: end.winner().map(Word), why, row: names(row, board.size()) }
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
        board.forbidden(point).map(|why| ForbiddenPoint { point: point.name(board.size()), why: Word(why) })
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
        class: Word(board.class(color, point)),
        lines: Direction::ALL.map(|direction| Word(board.pattern(color, point, direction))),
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
