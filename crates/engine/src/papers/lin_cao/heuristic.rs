//! The heuristic of a move: what it gives to one's own patterns and what it keeps from the opponent's.

use super::patterns::{PATTERNS, SHAPES};
use fivestone_game::{Board, Color, Direction, Point};
use std::sync::LazyLock;

/// The descending factor of formula (4).
pub const FACTOR: f64 = 0.90;

/// Which formula values the patterns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Heuristic {
    /// Formula (4), the paper's.
    Exponential,
    /// Formula (3), of Kang & Kim.
    KangKim,
}

static TABLES: LazyLock<[Vec<[f32; 2]>; 2]> = LazyLock::new(|| {
    [Heuristic::Exponential, Heuristic::KangKim].map(|heuristic| {
        let weights: Vec<f32> = PATTERNS.iter().map(|pattern| heuristic.value(pattern) as f32).collect();
        SHAPES.weighted(&weights)
    })
});

impl Heuristic {
    fn value(self, pattern: &super::patterns::Pattern) -> f64 {
        match self {
            Heuristic::Exponential => pattern.exponential(FACTOR),
            Heuristic::KangKim => pattern.kang_kim(),
        }
    }

    /// How much the value of a side's patterns grows by its stone on an empty point.
    #[inline]
    pub fn offence(self, board: &Board, color: Color, point: Point) -> f32 {
        let table = &TABLES[self as usize];
        Direction::ALL.iter().map(|&line| table[SHAPES.around(board, point, line, color)][0]).sum()
    }

    /// The reward of a move of `color`: its offence and, as its defence, what the opponent would gain there.
    #[inline]
    pub fn of(self, board: &Board, color: Color, point: Point) -> f32 {
        // A stone may also close an own pattern; a move is never worth less than nothing.
        (self.offence(board, color, point) + self.offence(board, !color, point)).max(0.0)
    }
}
