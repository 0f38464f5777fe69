//! What a stone would make on each line through a cell, kept up to date stone by stone.
//!
//! A line code holds the ten cells around a cell in one direction, two bits each. A table per rule, built once,
//! maps the code to a [`Pattern`] per side: what that side gets on this line by putting a stone in the middle.
//! The four directions of a cell combine to its [`Class`].

mod class;
mod line_words;
mod pattern;
mod table;

pub use class::Class;
pub(crate) use line_words::Lines;
pub use line_words::{LineWords, line_place, line_window};
pub use pattern::Pattern;
pub(crate) use table::{CODES, Tables, tables};

use crate::point::STRIDE;

/// A line direction through a point.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Direction {
    /// Left to right.
    Horizontal = 0,
    /// Top to bottom.
    Vertical = 1,
    /// Top left to bottom right.
    Falling = 2,
    /// Bottom left to top right.
    Rising = 3,
}

impl Direction {
    /// All four.
    pub const ALL: [Direction; 4] =
        [Direction::Horizontal, Direction::Vertical, Direction::Falling, Direction::Rising];

    /// 0 to 3.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// One step along the direction: columns to the right, rows down.
    pub const fn delta(self) -> (isize, isize) {
        match self {
            Direction::Horizontal => (1, 0),
            Direction::Vertical => (0, 1),
            Direction::Falling => (1, 1),
            Direction::Rising => (1, -1),
        }
    }

    /// One step along the direction on the padded grid.
    pub(crate) const fn step(self) -> isize {
        let (dx, dy) = self.delta();
        dy * STRIDE as isize + dx
    }
}
