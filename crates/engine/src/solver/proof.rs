//! A proof of a forced win: what the attacker plays in each position that matters.

use fivestone_game::{Board, Point};
use std::collections::HashMap;

/// The attacker's moves by position. Positions where the attacker can win by fours alone may be missing: there the
/// fours are the answer.
#[derive(Clone, Default, Debug)]
pub struct Proof {
    moves: HashMap<u64, Point>,
}

impl Proof {
    /// The attacker's move in a position, if the proof names one.
    pub fn answer(&self, board: &Board) -> Option<Point> {
        self.moves.get(&board.hash()).copied()
    }

    /// How many positions are answered.
    pub fn len(&self) -> usize {
        self.moves.len()
    }

    /// Whether the proof names no move at all.
    pub fn is_empty(&self) -> bool {
        self.moves.is_empty()
    }

    pub(super) fn insert(&mut self, board: &Board, point: Point) {
        self.moves.insert(board.hash(), point);
    }
}
