//! Board sizes and points.
//!
//! Points live on one padded 32 x 32 grid whatever the board size: five wall cells around the largest board (22)
//! make every eleven-cell line window addressable without bounds checks, and a row is one 32-bit word.

use std::fmt;
use std::num::NonZeroU16;

/// Cells in one row of the padded grid.
pub const STRIDE: usize = 32;
/// Wall cells on each side of the board; also how far a line window reaches from its centre.
pub const MARGIN: usize = 5;
/// Cells of the padded grid.
pub const GRID: usize = STRIDE * STRIDE;

/// The side length of a square board, 5 to 22.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Size(u8);

impl Size {
    /// The smallest board.
    pub const MIN: Size = Size(5);
    /// The usual board.
    pub const STANDARD: Size = Size(15);
    /// The largest board.
    pub const MAX: Size = Size(22);

    /// A size from 5 to 22, or nothing.
    pub fn new(side: usize) -> Option<Size> {
        (Self::MIN.side()..=Self::MAX.side()).contains(&side).then_some(Size(side as u8))
    }

    /// Cells along one side.
    pub const fn side(self) -> usize {
        self.0 as usize
    }

    /// Cells of the whole board.
    pub const fn cells(self) -> usize {
        self.side() * self.side()
    }

    /// The central point; on an even board the one right of and below the middle, as opening files count it.
    pub fn centre(self) -> Point {
        Point::at(self.side() / 2, self.side() / 2)
    }

    /// Every point, row by row from the top left.
    pub fn points(self) -> impl DoubleEndedIterator<Item = Point> + Clone {
        (0..self.cells()).map(move |cell| Point::from_dense(cell, self))
    }

    /// How many steps outside the centre a point is: 0 in the centre, 1 on the ring around it. Defined by the larger distance.
    pub fn ring(self, point: Point) -> usize {
        let centre = self.centre();
        point.x().abs_diff(centre.x()).max(point.y().abs_diff(centre.y()))
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

/// A point of some board: column from the left and row from the top, both from 0.
///
/// A point does not know its board's size; whoever makes one from outside data goes through [`Point::new`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point(NonZeroU16);

impl Point {
    /// The point in column `x` and row `y` (from the top left, from 0), if it is on a board of this size.
    pub fn new(x: usize, y: usize, size: Size) -> Option<Point> {
        (x < size.side() && y < size.side()).then(|| Point::at(x, y))
    }

    /// The point's index on the padded grid.
    pub const fn index(self) -> usize {
        self.0.get() as usize
    }

    /// The column from the left, from 0.
    pub const fn x(self) -> usize {
        self.index() % STRIDE - MARGIN
    }

    /// The row from the top, from 0.
    pub const fn y(self) -> usize {
        self.index() / STRIDE - MARGIN
    }

    /// The point's number when the board's cells are counted row by row from the top left.
    pub const fn dense(self, size: Size) -> usize {
        self.y() * size.side() + self.x()
    }

    /// The inverse of [`Point::dense`]. Panics outside the board.
    pub fn from_dense(cell: usize, size: Size) -> Point {
        assert!(cell < size.cells(), "cell {cell} is outside a board of side {size}");
        Point::at(cell % size.side(), cell / size.side())
    }

    /// The point `dx` to the right and `dy` down, if it is on the board.
    pub fn offset(self, dx: isize, dy: isize, size: Size) -> Option<Point> {
        let x = self.x().checked_add_signed(dx)?;
        let y = self.y().checked_add_signed(dy)?;
        Point::new(x, y, size)
    }

    /// The larger of the horizontal and vertical distances.
    pub fn distance(self, other: Point) -> usize {
        self.x().abs_diff(other.x()).max(self.y().abs_diff(other.y()))
    }

    pub(crate) fn at(x: usize, y: usize) -> Point {
        Point::from_index((y + MARGIN) * STRIDE + x + MARGIN)
    }

    /// The inverse of [`Point::index`], for an index that came from a point.
    #[inline]
    pub fn from_index(index: usize) -> Point {
        debug_assert!(index < GRID);
        Point(NonZeroU16::new(index as u16).expect("grid index 0 is a wall"))
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({},{})", self.x(), self.y())
    }
}
