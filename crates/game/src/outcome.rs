//! What is played, how games end, and why moves cannot be played.

use crate::{Color, Point};
use std::fmt;

/// What a side did with its turn.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Played {
    /// It put a stone.
    Stone(Point),
    /// It put none.
    Pass,
}

/// Why a black move is forbidden in renju.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Forbidden {
    /// Six or more in a row.
    Overline,
    /// Two fours at once.
    DoubleFour,
    /// Two real open threes at once.
    DoubleThree,
}

impl fmt::Display for Forbidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Forbidden::Overline => "overline",
            Forbidden::DoubleFour => "double four",
            Forbidden::DoubleThree => "double three",
        })
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum GameEnd {
    /// This side made a winning row.
    Five(Color),
    /// Black played a forbidden point, so White wins.
    Forbidden(Forbidden),
    /// The board is full.
    Draw,
}

impl GameEnd {
    /// Who won, if anybody.
    pub const fn winner(self) -> Option<Color> {
        match self {
            GameEnd::Five(color) => Some(color),
            GameEnd::Forbidden(_) => Some(Color::White),
            GameEnd::Draw => None,
        }
    }
}

impl fmt::Display for GameEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameEnd::Five(color) => write!(f, "{color} wins with five in a row"),
            GameEnd::Forbidden(kind) => write!(f, "White wins: Black played a forbidden point ({kind})"),
            GameEnd::Draw => f.write_str("a draw: the board is full"),
        }
    }
}

/// Why a move cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IllegalMove {
    /// The point is not on this board.
    OffBoard,
    /// A stone stands there.
    Occupied,
    /// The game is over.
    GameOver,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            IllegalMove::OffBoard => "the point is off the board",
            IllegalMove::Occupied => "the point is occupied",
            IllegalMove::GameOver => "the game is already over",
        })
    }
}

impl std::error::Error for IllegalMove {}

/// Why a sequence of moves cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct IllegalSequence {
    /// How many moves come before the one that cannot be played.
    pub ply: usize,
    /// Where that one was to go.
    pub point: Point,
    /// Why it cannot be played.
    pub reason: IllegalMove,
}

impl fmt::Display for IllegalSequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "move {}: {}", self.ply + 1, self.reason)
    }
}

impl std::error::Error for IllegalSequence {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.reason)
    }
}
