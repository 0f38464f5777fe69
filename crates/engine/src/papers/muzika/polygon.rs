//! The neighbourhood polygon: where rollouts and expansion look for moves.
//!
//! The paper shows a polygon drawn around all stones and gives no formula. Here it is the smallest octagon (sides
//! along rows, columns and both diagonals) that holds the square of a given radius around every stone.

use super::rollout::{MAX_SIDE, Position};
use fivestone_game::Size;

/// The octagon, as the least and the greatest value on four axes: x, y, x + y and x - y.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Polygon {
    least: [i32; 4],
    greatest: [i32; 4],
}

impl Polygon {
    /// Around no stones at all.
    pub const EMPTY: Polygon = Polygon { least: [i32::MAX / 2; 4], greatest: [i32::MIN / 2; 4] };

    /// The whole board.
    pub const WHOLE: Polygon = Polygon { least: [i32::MIN / 2; 4], greatest: [i32::MAX / 2; 4] };

    /// Makes room for a stone; says whether the polygon grew.
    #[inline]
    pub fn include(&mut self, x: usize, y: usize, radius: i32) -> bool {
        let (x, y) = (x as i32, y as i32);
        let old = *self;
        for (axis, value) in [x, y, x + y, x - y].into_iter().enumerate() {
            let reach = if axis < 2 { radius } else { 2 * radius };
            self.least[axis] = self.least[axis].min(value - reach);
            self.greatest[axis] = self.greatest[axis].max(value + reach);
        }
        *self != old
    }

    /// The columns of row `y` inside the polygon, as bits.
    #[inline]
    fn row(&self, y: usize, size: Size) -> u32 {
        let y = y as i32;
        let low = self.least[0].max(self.least[2] - y).max(self.least[3] + y).max(0);
        let high =
            self.greatest[0].min(self.greatest[2] - y).min(self.greatest[3] + y).min(size.side() as i32 - 1);
        if low > high { 0 } else { (2u32 << high) - (1u32 << low) }
    }

    /// The rows that the polygon reaches, each with its empty columns as bits.
    #[inline]
    fn empty_rows(&self, position: &Position, size: Size) -> impl Iterator<Item = (usize, u32)> {
        let top = self.least[1].max(0) as usize;
        let bottom = self.greatest[1].clamp(-1, size.side() as i32 - 1);
        (top..(bottom + 1) as usize).map(move |y| (y, self.row(y, size) & !position.occupied(y)))
    }

    /// How many empty cells are inside the polygon.
    #[inline]
    pub fn count(&self, position: &Position, size: Size) -> usize {
        self.empty_rows(position, size).map(|(_, columns)| columns.count_ones() as usize).sum()
    }

    /// The empty cell inside the polygon with this number, row by row.
    #[inline]
    pub fn nth(&self, position: &Position, size: Size, number: usize) -> Option<Cell> {
        let mut rest = number as u32;
        for (y, mut columns) in self.empty_rows(position, size) {
            let here = columns.count_ones();
            if rest < here {
                for _ in 0..rest {
                    columns &= columns - 1;
                }
                return Some(Cell::new(columns.trailing_zeros() as usize, y));
            }
            rest -= here;
        }
        None
    }

    /// Lists the empty cells inside the polygon, row by row.
    #[inline]
    pub fn cells(&self, position: &Position, size: Size, list: &mut CellList) {
        list.len = 0;
        for (y, mut columns) in self.empty_rows(position, size) {
            while columns != 0 {
                list.push(Cell::new(columns.trailing_zeros() as usize, y));
                columns &= columns - 1;
            }
        }
    }
}

/// A cell as column and row in one number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Cell(u16);

impl Cell {
    /// The cell of a column and a row.
    #[inline]
    pub fn new(x: usize, y: usize) -> Cell {
        Cell((y << 5 | x) as u16)
    }

    /// The column.
    #[inline]
    pub fn x(self) -> usize {
        (self.0 & 31) as usize
    }

    /// The row.
    #[inline]
    pub fn y(self) -> usize {
        (self.0 >> 5 & 31) as usize
    }

    /// Column and row in one number below 1024.
    #[inline]
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// The most cells of any board, rounded up so that an index can be masked instead of checked.
const CAPACITY: usize = 512;
const _: () = assert!(MAX_SIDE * MAX_SIDE <= CAPACITY);

/// A list of cells that never allocates.
#[derive(Clone, Debug)]
pub struct CellList {
    cells: [Cell; CAPACITY],
    len: usize,
}

impl CellList {
    /// No cells.
    pub fn new() -> CellList {
        CellList { cells: [Cell::default(); CAPACITY], len: 0 }
    }

    /// Adds a cell.
    #[inline]
    pub fn push(&mut self, cell: Cell) {
        self.cells[self.len % CAPACITY] = cell;
        self.len += 1;
    }

    /// The cells.
    #[inline]
    pub fn as_slice(&self) -> &[Cell] {
        &self.cells[..self.len]
    }

    /// How many there are.
    #[inline]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Takes the cell at an index out; the last one takes its place.
    #[inline]
    pub fn swap_remove(&mut self, index: usize) -> Cell {
        let cell = self.cells[index % CAPACITY];
        self.len -= 1;
        self.cells[index % CAPACITY] = self.cells[self.len % CAPACITY];
        cell
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;
    use fivestone_game::{Board, PointSet, Rule};

    #[test]
    fn the_polygon_holds_the_squares_around_all_stones() {
        let mut rng = Rng::new(5);
        for side in [5, 15, 22] {
            let size = Size::new(side).unwrap();
            for stones in 0..12 {
                let mut board = Board::new(size, Rule::Freestyle);
                for _ in 0..stones {
                    let empty: Vec<_> = board.empty().iter().collect();
                    board.play_unchecked(empty[rng.below(empty.len())]);
                }
                let position = Position::new(&board, 2);
                let mut list = CellList::new();
                position.polygon.cells(&position, size, &mut list);
                let points =
                    list.as_slice().iter().map(|c| fivestone_game::Point::new(c.x(), c.y(), size).unwrap());
                let inside: PointSet = points.collect();
                assert_eq!(inside.len(), list.len());
                assert_eq!(position.polygon.count(&position, size), list.len());
                let nth = |number| position.polygon.nth(&position, size, number);
                assert!(list.as_slice().iter().enumerate().all(|(number, &cell)| nth(number) == Some(cell)));
                assert_eq!(nth(list.len()), None);
                assert!(inside.difference(board.empty()).is_empty());
                assert!(board.near(2).difference(&inside).is_empty());
            }
        }
    }

    #[test]
    fn the_polygon_cuts_the_corners_off() {
        let mut polygon = Polygon::EMPTY;
        for (x, y) in [(3, 7), (7, 3), (11, 7), (7, 11)] {
            polygon.include(x, y, 1);
        }
        assert_eq!(polygon.row(1, Size::STANDARD), 0b1 << 7);
        assert_eq!(polygon.row(2, Size::STANDARD), 0b111 << 6);
        assert_eq!(polygon.row(7, Size::STANDARD), 0b111_1111_1111 << 2);
    }
}
