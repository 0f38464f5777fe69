//! A board with room around it, so that a convolution needs no edges.

use crate::kernels::convolution::BoardFrame;
use fivestone_game::{Point, Size};

/// How far a kernel may reach beyond the board.
const MARGIN: usize = 2;

/// A board in a list of cells: rows with two empty cells between them, and two empty rows above and below.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Frame {
    size: Size,
}

impl Frame {
    /// The frame of a board.
    pub fn new(size: Size) -> Frame {
        Frame { size }
    }

    /// The board's size.
    pub fn size(self) -> Size {
        self.size
    }

    /// From a cell to the one below it.
    pub fn stride(self) -> usize {
        self.size.side() + MARGIN
    }

    /// Cells in all.
    pub fn cells(self) -> usize {
        (self.size.side() + 2 * MARGIN) * self.stride() + MARGIN
    }

    /// The cell of a point.
    #[inline]
    pub fn cell(self, point: Point) -> u32 {
        ((point.y() + MARGIN) * self.stride() + point.x() + MARGIN) as u32
    }

    /// The point of a cell that is on the board.
    #[inline]
    pub fn point(self, cell: u32) -> Point {
        let at = cell as usize - MARGIN;
        let (x, y) = (at % self.stride(), at / self.stride() - MARGIN);
        Point::new(x, y, self.size).expect("a cell of the board")
    }

    /// Where the board lies in the frame, for convolutions of whole boards.
    pub fn board(self) -> BoardFrame {
        let first = MARGIN * self.stride() + MARGIN;
        BoardFrame { side: self.size.side(), stride: self.stride(), first }
    }

    /// How far the cells of a square kernel lie from its middle, row by row.
    pub fn taps(self, side: usize) -> Vec<i32> {
        let reach = (side / 2) as i32;
        let row = move |dy: i32| (-reach..=reach).map(move |dx| dy * self.stride() as i32 + dx);
        (-reach..=reach).flat_map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_see_the_board_or_empty_cells_and_nothing_else() {
        for side in [5, 15, 22] {
            let size = Size::new(side).unwrap();
            let frame = Frame::new(size);
            let board: Vec<u32> = size.points().map(|point| frame.cell(point)).collect();
            for point in size.points() {
                assert_eq!(frame.point(frame.cell(point)), point);
                let mut taps = frame.taps(5).into_iter();
                for dy in -2..=2 {
                    for dx in -2..=2 {
                        let seen = frame.cell(point) as i32 + taps.next().unwrap();
                        assert!(seen >= 0 && (seen as usize) < frame.cells());
                        let neighbour = point.offset(dx, dy, size).map(|point| frame.cell(point));
                        let on_board = board.binary_search(&(seen as u32)).ok().map(|i| board[i]);
                        assert_eq!(on_board, neighbour);
                    }
                }
            }
        }
    }
}
