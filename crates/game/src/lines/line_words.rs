//! The board's lines as words: two bits a cell, so that the window around any cell is a shift away.

use super::Direction;
use crate::point::{MARGIN, STRIDE};
use crate::{Point, Size};

/// Every row, column and diagonal of the padded grid as one word: 0 empty, 1 black, 2 white, 3 wall.
#[derive(Clone)]
pub(crate) struct Lines {
    words: [LineWords; 4],
}

/// The lines of a direction by their numbers, as [`line_place`] gives them; lines outside the board are all wall.
pub type LineWords = [u64; 2 * STRIDE];

impl Lines {
    /// The lines of an empty board.
    pub fn new(size: Size) -> Lines {
        let mut lines = Lines { words: [[u64::MAX; 2 * STRIDE]; 4] };
        for point in size.points() {
            lines.toggle(point, 3);
        }
        lines
    }

    /// Flips the bits of a cell in its four lines.
    #[inline(always)]
    pub fn toggle(&mut self, point: Point, bits: u64) {
        for direction in Direction::ALL {
            let (number, at) = line_place(point, direction);
            self.words[direction.index()][number] ^= bits << (2 * at);
        }
    }

    /// The line through a point and the point's position on it.
    #[inline(always)]
    pub fn line(&self, point: Point, direction: Direction) -> (u64, usize) {
        let (number, at) = line_place(point, direction);
        (self.words[direction.index()][number], at)
    }

    /// The ten cells around a point.
    pub fn code(&self, point: Point, direction: Direction) -> u32 {
        let (line, at) = self.line(point, direction);
        line_window(line, at)
    }

    /// All lines of a direction.
    pub fn words(&self, direction: Direction) -> &LineWords {
        &self.words[direction.index()]
    }
}

/// The number of the line through a point, and where on it the point is.
#[inline(always)]
pub fn line_place(point: Point, direction: Direction) -> (usize, usize) {
    let (column, row) = (point.index() % STRIDE, point.index() / STRIDE);
    match direction {
        Direction::Horizontal => (row, column),
        Direction::Vertical => (column, row),
        Direction::Falling => (STRIDE - 1 + row - column, column),
        Direction::Rising => (row + column, column),
    }
}

/// The ten cells around a position of a line, the position itself left out.
#[inline(always)]
pub fn line_window(line: u64, position: usize) -> u32 {
    const HALF: u32 = (1 << (2 * MARGIN)) - 1;
    let cells = (line >> (2 * (position - MARGIN))) as u32;
    cells & HALF | cells >> 2 & HALF << (2 * MARGIN)
}
