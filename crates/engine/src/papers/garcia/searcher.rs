//! What versions 2 and 3 share: the primary search under limits, and its report.

use super::Cell;
use super::primary::{Forbids, Numbers, Position, Primary};
use crate::pace::{Next, Pace};
use crate::parameters::{Parameter, number};
use crate::random::playable;
use crate::report::{Line, Proof};
use crate::{Budget, Event, Limits, Report, Rng, Stop};
use fivestone_game::{Board, Point, Rule};

/// How many moves a node considers: the thesis says a handful.
pub const WIDTH: Parameter = number(10.0, 1.0..=484.0, "moves that a node considers");
/// The weight of the exploration term.
pub const CPUCT: Parameter = number(1.0, 0.0..=100.0, "exploration constant of PUCT");
/// How many rollouts explore first.
pub const WARM_UP: Parameter = number(50.0, 0.0..=1e9, "rollouts at the low temperature");
/// The temperature of the first rollouts.
pub const LOW: Parameter =
    number(0.01, 0.0001..=1000.0, "temperature of the first rollouts: the exploration term is divided by it");
/// The temperature of the others.
pub const HIGH: Parameter = number(4.0, 0.0001..=1000.0, "temperature of the other rollouts");

/// How often the clock and the stop flag are asked, in rollouts: about a millisecond.
const CLOCK_STEP: u64 = 16;

/// The root's moves: the handful less what may not be played, or whatever may.
fn root_moves<P: Position>(position: &P, board: &Board, limits: &Limits, width: usize) -> Vec<Cell> {
    let allowed: Vec<Cell> = playable(board, limits).iter().map(|point| point.dense(board.size())).collect();
    let mut moves = position.handful(width);
    moves.retain(|cell| allowed.contains(cell));
    if moves.is_empty() { allowed.into_iter().take(width).collect() } else { moves }
}

/// What is searched, and how far.
pub struct Task<'a> {
    /// The position.
    pub board: &'a Board,
    /// The limits of the move.
    pub limits: &'a Limits,
    /// Their share for this move.
    pub budget: &'a Budget,
    /// Visits that are gone already.
    pub used: u64,
    /// Ends the search early.
    pub stop: &'a Stop,
}

/// Runs the primary search until the limits are spent.
pub fn search<P: Position>(
    root: P,
    task: &Task<'_>,
    numbers: Numbers,
    rng: Rng,
    events: &mut dyn FnMut(Event),
) -> Report {
    let Task { board, limits, budget, used, stop } = *task;
    let moves = root_moves(&root, board, limits, numbers.width);
    let mut primary = Primary::new(root, &moves, numbers, limits.memory / 2, rng);
    let mut replay = board.clone();
    let mut filter = |path: &[Cell], cells: &mut Vec<Cell>| drop_forbidden(&mut replay, path, cells);
    let mut forbids: Option<&mut Forbids<'_>> =
        if board.rule() == Rule::Renju { Some(&mut filter) } else { None };
    let mut pace = Pace::new(budget, stop, CLOCK_STEP);
    loop {
        primary.roll_out(&mut forbids);
        match pace.after(used + primary.rollouts) {
            Next::Step => {}
            Next::Report => events(Event::Report(report(&primary, task))),
            Next::End => return report(&primary, task),
        }
    }
}

fn drop_forbidden(board: &mut Board, path: &[Cell], cells: &mut Vec<Cell>) {
    let size = board.size();
    for &cell in path {
        board.play_unchecked(Point::from_dense(cell, size));
    }
    cells.retain(|&cell| board.is_legal(Point::from_dense(cell, size)));
    for _ in path {
        board.undo();
    }
}

/// A mean over fewer than this share of the favourite's rollouts is not trusted.
const TRUSTED_SHARE: u32 = 10;

fn report<P: Position>(primary: &Primary<P>, task: &Task<'_>) -> Report {
    let Task { board, limits, budget, used, .. } = *task;
    let size = board.size();
    let children = primary.children(0);
    let most = children.iter().map(|node| node.visits).max().unwrap_or(0);
    let mut order: Vec<usize> = (0..children.len()).collect();
    order.sort_by(|&a, &b| {
        let key = |number: usize| {
            let node = &children[number];
            (node.visits > 0 && node.visits * TRUSTED_SHARE >= most, node.mean(), node.visits)
        };
        let ((trusted_a, mean_a, visits_a), (trusted_b, mean_b, visits_b)) = (key(a), key(b));
        let by_mean = trusted_b.cmp(&trusted_a).then(mean_b.total_cmp(&mean_a));
        by_mean.then(visits_b.cmp(&visits_a)).then(a.cmp(&b))
    });
    let lines = order.into_iter().take(limits.lines.max(1)).map(|number| {
        let node = &children[number];
        let pv: Vec<Point> =
            primary.line(number).into_iter().map(|cell| Point::from_dense(cell, size)).collect();
        Line {
            point: pv[0],
            winrate: f64::midpoint(f64::from(node.mean()), 1.0),
            visits: node.visits.into(),
            pv,
            proof: node.ending.map(|ending| match ending {
                1 => Proof::Win(1),
                0 => Proof::Draw,
                _ => Proof::Loss(1),
            }),
            prior: None,
        }
    });
    Report {
        lines: lines.collect(),
        visits: used + primary.rollouts,
        depth: primary.depth as u32,
        elapsed: budget.started.elapsed(),
    }
}
