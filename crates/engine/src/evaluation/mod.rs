//! What a position and its moves are worth by the line patterns, with weights fitted to games.
//!
//! A cell's four patterns, in no particular order, are its *shape*. The value of a position is the sum over the empty
//! cells of what their shapes are worth to the mover and to the other side; the prior of a move is the same sum for its
//! one cell, with the distance to the last two moves. Both are logits. `train::patterns` fits the weights.

mod judge;
mod shape;
mod weights;

pub use judge::{Judge, NetJudge, PatternJudge};
pub use shape::{SHAPES, shape};
pub use weights::{DISTANCES, SetName, Sets, WeightSet, Weights, WeightsError, weights};

use fivestone_game::{Board, Class, Color, Point};

/// Logit units: this many are one unit of the natural logarithm of the odds.
pub const UNITS: f64 = 256.0;

/// The tables for one side to move under one rule.
#[derive(Clone, Copy)]
pub struct Evaluator {
    set: &'static WeightSet,
}

impl Evaluator {
    /// The evaluator for a side to move.
    pub fn new(board: &Board, mover: Color) -> Evaluator {
        Evaluator { set: weights().set(SetName::of(board.rule(), mover)) }
    }

    /// The value of the position for the side to move, in logit units.
    pub fn value(&self, board: &Board) -> i32 {
        self.set.bias() + board.empty().iter().map(|point| self.point_value(board, point)).sum::<i32>()
    }

    /// What an empty point adds to the value of the position.
    #[inline]
    pub fn point_value(&self, board: &Board, point: Point) -> i32 {
        let ([own, other], [own_class, other_class]) = seen_by_mover(board, point);
        self.set.cell_value(own, other) + self.set.joint_value(own_class, other_class)
    }

    /// The prior of a move for the side to move, in logit units.
    pub fn prior(&self, board: &Board, point: Point) -> i32 {
        let ([own, other], [own_class, other_class]) = seen_by_mover(board, point);
        self.set.cell_prior(own, other)
            + self.set.joint_prior(own_class, other_class)
            + self.set.distance_prior(distances(board, point))
    }
}

/// The pattern keys and the classes of an empty point, those of the side to move first.
#[inline]
fn seen_by_mover(board: &Board, point: Point) -> ([u16; 2], [Class; 2]) {
    let mut keys = board.pattern_keys(point);
    let mut classes = board.classes_of(keys);
    if board.to_move() == Color::White {
        keys.reverse();
        classes.reverse();
    }
    (keys, classes)
}

/// The distances of a point from the last two moves, as numbers of the distance tables.
pub fn distances(board: &Board, point: Point) -> [usize; 2] {
    let moves = board.moves();
    [1, 2].map(|back| {
        let last = moves.len().checked_sub(back).and_then(|ply| moves[ply]);
        last.map_or(DISTANCES - 1, |last| (last.distance(point) - 1).min(DISTANCES - 2))
    })
}

/// Win probability of a value in logit units.
pub fn win_probability(units: i32) -> f64 {
    1.0 / (1.0 + (-f64::from(units) / UNITS).exp())
}
