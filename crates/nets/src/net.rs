//! A net in memory.

use crate::architecture::{CELL, CHANNELS, CONVOLVED, HIDDEN, HIDDEN_LIMIT, STORED};
use crate::heads::Heads;
use crate::lines::LineRows;
use fivestone_game::{Color, Rule};

/// What one line adds to its cell.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(C, align(64))]
pub struct Row(pub [i16; CHANNELS]);

/// What is kept of a cell: its channels, then the convolved ones.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(C, align(64))]
pub struct Cell(pub [i16; STORED]);

impl Cell {
    /// A cell nobody looks at.
    pub const ZERO: Cell = Cell([0; STORED]);

    /// What moves and value are made of.
    #[inline(always)]
    pub fn output(&self) -> &[i16; CELL] {
        self.0.last_chunk().expect("the output is a part of the cell")
    }
}

/// The rows of the lines of two directions: along the board's sides, or diagonal.
#[derive(Clone, PartialEq, Debug)]
pub struct LineTable {
    /// Where a line finds its row.
    pub index: LineRows,
    /// The rows.
    pub rows: Vec<Row>,
}

/// A 3x3 convolution of each channel by itself, the same under all eight symmetries.
#[derive(Clone, PartialEq, Debug)]
#[repr(C, align(32))]
pub struct Convolution {
    /// Weight of the cell itself.
    pub centre: [i16; CONVOLVED],
    /// Weight of the four cells beside it.
    pub edge: [i16; CONVOLVED],
    /// Weight of the four cells at its corners.
    pub corner: [i16; CONVOLVED],
    /// What is added.
    pub bias: [i16; CONVOLVED],
}

/// The hidden layer of the candidate moves, input pairs outermost: a pair's weights to one output are neighbours,
/// as multiply-and-add-pairs instructions want them.
#[derive(Clone, PartialEq, Debug)]
#[repr(C, align(64))]
pub struct PolicyLayer {
    /// Weights by input pair, output, and input of the pair.
    pub weights: [[[i16; 2]; HIDDEN]; CELL / 2],
    /// What is added, in units of weight times activation.
    pub bias: [i32; HIDDEN],
}

/// The weights for one side to move.
#[derive(Clone, PartialEq, Debug)]
pub struct SideNet {
    /// Lines along the board's sides, and diagonals.
    pub tables: [LineTable; 2],
    /// The convolution.
    pub convolution: Convolution,
    /// The hidden layer of the moves.
    pub policy: Box<PolicyLayer>,
    /// What turns sums into a value and hidden numbers into logits.
    pub heads: Heads,
}

/// A net: its weights and what they are for.
#[derive(Clone, PartialEq, Debug)]
pub struct Net {
    /// The rule it was trained for.
    pub rule: Rule,
    /// The smallest and the largest board it was trained on.
    pub sides: (u8, u8),
    /// Where it came from, in words.
    pub description: String,
    /// One set of weights for either side to move, or one for Black and one for White.
    pub sets: Vec<SideNet>,
}

impl Net {
    /// How many sets of weights a rule asks for: two where it binds only one side.
    pub fn sets_of(rule: Rule) -> usize {
        1 + usize::from(rule.restricts(Color::Black) != rule.restricts(Color::White))
    }

    /// Which set of weights serves a side to move under a rule.
    pub fn set_index(rule: Rule, mover: Color) -> usize {
        mover.index() % Net::sets_of(rule)
    }

    /// The weights for a side to move.
    #[inline]
    pub fn set(&self, mover: Color) -> &SideNet {
        &self.sets[mover.index() % self.sets.len()]
    }
}

impl PolicyLayer {
    /// Whether no sum can leave its 32 bits.
    pub(crate) fn in_range(&self) -> bool {
        let weights = self.weights.as_flattened().as_flattened();
        let limit = HIDDEN_LIMIT;
        weights.iter().all(|weight| (-limit..=limit).contains(weight))
            && self.bias.iter().all(|bias| bias.unsigned_abs() <= 1 << 26)
    }
}
