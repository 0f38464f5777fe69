//! Gomoku and renju: board, rules, line patterns, forbidden points, openings, symmetry, hashing and notation.
//!
//! No input or output and no dependencies. The centre is [`Board`]: stones, history and, for every empty point and
//! both sides, what a stone there would make.
#![forbid(unsafe_code)]

mod bits;
mod board;
mod cell;
mod color;
pub mod drawing;
mod forbidden;
pub mod lines;
pub mod notation;
pub mod opening;
mod outcome;
mod point;
mod rule;
mod symmetry;
mod zobrist;

pub use bits::PointSet;
pub use board::Board;
pub use color::Color;
pub use lines::{Class, Direction, Pattern};
pub use opening::{Opening, OpeningState};
pub use outcome::{Forbidden, GameEnd, IllegalMove, IllegalSequence, Played};
pub use point::{GRID, MARGIN, Point, STRIDE, Size};
pub use rule::{Rule, UnknownRule, Winning};
pub use symmetry::Symmetry;
