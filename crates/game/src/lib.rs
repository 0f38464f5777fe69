//! Gomoku and renju: board, rules, line patterns, forbidden points, openings, symmetry, hashing and
//! notation.
//!
//! No input or output and no dependencies; with the feature `serde` the types can be stored. The
//! centre is [`Board`]: stones, history and, for every empty point and both sides, what a stone
//! there would make.
//!
//! A game, from its moves as text:
//!
//! ```
//! use fivestone_game::{Board, Color, GameEnd, Rule, Size, notation};
//!
//! let moves = notation::parse_moves("h8 a1 h9 a2 h10 a3 h11 a4 h12", Size::STANDARD)?;
//! let board = Board::from_moves(Size::STANDARD, Rule::Freestyle, &moves)?;
//! assert_eq!(board.end(), Some(GameEnd::Five(Color::Black)));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A position, from a drawing, and what it has in store:
//!
//! ```
//! use fivestone_game::{Board, Class, Color, Forbidden, Point, Rule};
//!
//! let drawing = "
//!     . . . . . . . . .
//!     . . . . . . . . .
//!     . . . . x . . . .
//!     . . . . x . . . .
//!     . . x x . . . . .
//!     . . . . . . . . .
//!     . . o o o . . . .
//!     . . . . . . . . .
//!     . . . . . . . . .";
//! let board = Board::parse_drawing(drawing, Rule::Renju, Color::Black)?;
//! let corner = Point::parse("e5", board.size())?;
//! assert_eq!(board.forbidden(corner), Some(Forbidden::DoubleThree));
//! // White threatens an open four on either side.
//! let fours = board.cells(Color::White, Class::OpenFour);
//! assert!(fours.contains(Point::parse("b3", board.size())?));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An opening says who decides what next:
//!
//! ```
//! use fivestone_game::opening::{Opening, OpeningState, Player, Task};
//! use fivestone_game::{Color, Rule, Size};
//!
//! let state = OpeningState::new(Opening::Swap2, Size::STANDARD, Rule::Freestyle);
//! assert_eq!(state.decider(), Player::First);
//! assert!(matches!(state.task(), Task::PlaceStone { color: Color::Black, .. }));
//! ```
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
#[cfg(feature = "serde")]
mod serial;
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
