//! The eight symmetries of the square.

use crate::{Board, Color, Point, Size, zobrist};

/// One of the eight ways to turn and mirror the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Symmetry(u8);

impl Symmetry {
    /// Leaves everything where it is.
    pub const IDENTITY: Symmetry = Symmetry(0);
    /// All eight, the identity first.
    pub const ALL: [Symmetry; 8] = [
        Symmetry(0),
        Symmetry(1),
        Symmetry(2),
        Symmetry(3),
        Symmetry(4),
        Symmetry(5),
        Symmetry(6),
        Symmetry(7),
    ];

    /// 0 to 7.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The symmetry of an index below eight.
    pub fn new(index: usize) -> Option<Symmetry> {
        Symmetry::ALL.get(index).copied()
    }

    /// Where a point goes. Bit 2 swaps columns and rows first, then bit 0 mirrors columns and bit 1 mirrors rows.
    pub fn apply(self, point: Point, size: Size) -> Point {
        let last = size.side() - 1;
        let (x, y) = if self.0 & 4 != 0 { (point.y(), point.x()) } else { (point.x(), point.y()) };
        let x = if self.0 & 1 != 0 { last - x } else { x };
        let y = if self.0 & 2 != 0 { last - y } else { y };
        Point::at(x, y)
    }

    /// The symmetry that undoes this one.
    pub fn inverse(self) -> Symmetry {
        match self.0 {
            5 => Symmetry(6),
            6 => Symmetry(5),
            _ => self,
        }
    }
}

impl Board {
    /// A hash that is the same for positions that are turned or mirrored images of each other, and the symmetry that
    /// leads from this position to the image which the hash belongs to.
    pub fn canonical_hash(&self) -> (u64, Symmetry) {
        let turn = self.hash() ^ self.stones_hash(Symmetry::IDENTITY);
        Symmetry::ALL
            .into_iter()
            .map(|symmetry| (self.stones_hash(symmetry) ^ turn, symmetry))
            .min()
            .expect("there are eight symmetries")
    }

    fn stones_hash(&self, symmetry: Symmetry) -> u64 {
        let image = |color: Color| {
            self.stones(color)
                .iter()
                .map(move |point| zobrist::stone(color, symmetry.apply(point, self.size())))
                .fold(0, |hash, key| hash ^ key)
        };
        image(Color::Black) ^ image(Color::White)
    }
}
