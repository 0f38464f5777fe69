//! Everything the board knows of one cell, in one word.

use crate::Color;
use crate::lines::{Class, Direction};
use crate::point::GRID;

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

/// A cell's patterns, classes, occupant and place on the grid.
///
/// Patterns are in the low half: a byte a direction, Black's pattern in its low bits and White's in the high. Above
/// them stand Black's and White's class, a byte each (0 on stones and walls; out of date unless it is a threat), then the
/// occupant and the cell's index. One word, because a stone changes many cells and taking it away puts the old words
/// back.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(crate) struct Cell(u64);

const CLASSES: u32 = 32;
const OCCUPANT: u32 = 48;
const INDEX: u32 = 50;

impl Cell {
    /// A wall, from which the board cuts its empty cells.
    pub const fn wall(index: usize) -> Cell {
        Cell((Occupant::Wall as u64) << OCCUPANT | (index as u64) << INDEX)
    }

    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 >> INDEX) as usize % GRID
    }

    #[inline(always)]
    pub const fn occupant(self) -> Occupant {
        match self.0 >> OCCUPANT & 3 {
            0 => Occupant::Nothing,
            1 => Occupant::Black,
            2 => Occupant::White,
            _ => Occupant::Wall,
        }
    }

    #[inline(always)]
    pub const fn is_empty(self) -> bool {
        self.0 & 3 << OCCUPANT == 0
    }

    /// The same cell with another occupant.
    #[inline(always)]
    pub const fn occupied_by(self, occupant: Occupant) -> Cell {
        Cell(self.0 & !(3 << OCCUPANT) | (occupant as u64) << OCCUPANT)
    }

    /// A side's four patterns, direction 0 lowest.
    #[inline(always)]
    pub const fn pattern_key(self, color: Color) -> u16 {
        let nibbles = self.0 as u32 >> (4 * color.index()) & 0x0f0f_0f0f;
        let bytes = (nibbles | nibbles >> 4) & 0x00ff_00ff;
        (bytes | bytes >> 8) as u16
    }

    /// One direction as a table entry: Black's pattern low, White's high.
    #[inline(always)]
    pub const fn pattern_pair(self, direction: Direction) -> u8 {
        (self.0 >> (8 * direction.index())) as u8
    }

    /// The same cell with the patterns of one direction replaced by a table entry.
    #[inline(always)]
    pub const fn with_pattern_pair(self, direction: Direction, pair: u8) -> Cell {
        let shift = 8 * direction.index();
        Cell(self.0 & !(0xff << shift) | (pair as u64) << shift)
    }

    /// The class numbers of both sides; those below a threat may be out of date.
    #[inline(always)]
    pub const fn classes(self) -> [u8; 2] {
        ((self.0 >> CLASSES) as u16).to_le_bytes()
    }

    /// The same cell with other classes.
    #[inline(always)]
    pub const fn with_classes(self, classes: [u8; 2]) -> Cell {
        Cell(self.0 & !(0xffff << CLASSES) | (u16::from_le_bytes(classes) as u64) << CLASSES)
    }

    /// Whether a threat of either side differs between two states of a cell, or may.
    #[inline(always)]
    pub const fn threats_differ(self, other: Cell) -> bool {
        // Sixteen minus the first threat carries a threatening class into bit four, in both bytes of both cells.
        const CARRY: u64 = (0x0101 * Class::THREATS as u64) << CLASSES;
        const FOUR: u64 = 0x1010 << CLASSES;
        let threatens = ((self.0 & 0x0f0f << CLASSES) + CARRY) | ((other.0 & 0x0f0f << CLASSES) + CARRY);
        threatens & FOUR != 0 && (self.0 ^ other.0) & 0xffff << CLASSES != 0
    }
}
