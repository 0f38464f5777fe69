//! What stands on a cell.

use crate::Color;

/// What stands on a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(crate) enum Occupant {
    Nothing = 0,
    Black = 1,
    White = 2,
    Wall = 3,
}

impl Occupant {
    pub const fn stone(color: Color) -> Occupant {
        match color {
            Color::Black => Occupant::Black,
            Color::White => Occupant::White,
        }
    }
}
