//! The patterns of both sides on every line through every cell, kept twice. A stone changes its neighbours on four
//! lines: stored along the lines, those are looked up, compared, noted and put back as two words a line. Stored cell
//! by cell they are quickly read; a search that asks for nothing but threats does without.

use super::{Direction, Pattern, line_words::place};
use crate::point::{GRID, MARGIN, STRIDE};
use crate::{Color, Point};

/// Bytes of one direction: every line of the padded grid, the diagonals being the most.
const DIRECTION_BYTES: usize = 2 * GRID;
const WORD: usize = size_of::<u64>();
/// So that whole words can be read at the last cell.
const SLACK: usize = 2 * WORD;
/// The farthest neighbour's distance on the grid.
const FARTHEST: usize = MARGIN * (STRIDE + 1);

/// A byte a cell and direction: the code of Black's pattern in its low half, of White's in the high.
#[derive(Clone)]
pub(crate) struct LinePatterns {
    lines: [u8; 4 * DIRECTION_BYTES + SLACK],
    cells: [[u8; 4]; GRID],
}

impl LinePatterns {
    /// Nothing anywhere.
    pub const DEAD: LinePatterns =
        LinePatterns { lines: [0; 4 * DIRECTION_BYTES + SLACK], cells: [[0; 4]; GRID] };

    /// The bytes of the cells around a point on one line, from five before it to ten after.
    #[inline(always)]
    pub fn around(&self, point: Point, direction: Direction) -> NeighbourBytes {
        let start = place_of(point, direction) - MARGIN;
        let word =
            |at: usize| u64::from_le_bytes(self.lines[at..at + WORD].try_into().expect("that many bytes"));
        [word(start), word(start + WORD)]
    }

    /// Sets the bytes of the cells around a point on one line, as stored along the lines.
    #[inline(always)]
    pub fn set_line(&mut self, point: Point, direction: Direction, bytes: NeighbourBytes) {
        let start = place_of(point, direction) - MARGIN;
        self.lines[start..start + WORD].copy_from_slice(&bytes[0].to_le_bytes());
        self.lines[start + WORD..start + 2 * WORD].copy_from_slice(&bytes[1].to_le_bytes());
    }

    /// The same, as stored cell by cell.
    #[inline(always)]
    pub fn set_cells(&mut self, point: Point, direction: Direction, bytes: NeighbourBytes) {
        // Cells that did not change are written too: that takes no branches.
        let cells: &mut [[u8; 4]; 2 * FARTHEST + 1] = (&mut self.cells
            [point.index() - FARTHEST..=point.index() + FARTHEST])
            .try_into()
            .expect("the range is as long as the array");
        for neighbour in (0..=2 * MARGIN).filter(|&neighbour| neighbour != MARGIN) {
            let distance = neighbour as isize - MARGIN as isize;
            let cell = (FARTHEST as isize + distance * direction.step()) as usize;
            cells[cell][direction.index()] = (bytes[neighbour / WORD] >> (8 * (neighbour % WORD))) as u8;
        }
    }

    /// Sets the byte of one cell.
    pub fn set(&mut self, point: Point, direction: Direction, byte: u8) {
        self.lines[place_of(point, direction)] = byte;
        self.cells[point.index()][direction.index()] = byte;
    }

    /// Both sides' packed patterns of a cell: four codes of four bits, direction 0 lowest.
    #[inline(always)]
    pub fn keys(&self, point: Point) -> [u16; 2] {
        keys(u32::from_le_bytes(self.cells[point.index()]))
    }

    /// The same, read along the lines: for cells that are kept there alone, and for those set just now, because a word
    /// is slow to read from bytes that are still on their way to memory.
    #[inline(always)]
    pub fn keys_along_lines(&self, point: Point) -> [u16; 2] {
        let byte = |direction| u32::from(self.lines[place_of(point, direction)]);
        keys(
            byte(Direction::Horizontal)
                | byte(Direction::Vertical) << 8
                | byte(Direction::Falling) << 16
                | byte(Direction::Rising) << 24,
        )
    }

    /// A side's pattern of one line of a cell.
    pub fn pattern(&self, color: Color, point: Point, direction: Direction) -> Pattern {
        let code = self.lines[place_of(point, direction)] >> (4 * color.index()) & 15;
        Pattern::from_code(code).expect("the bytes are made of codes")
    }
}

/// Where a cell's byte stands among the lines.
#[inline(always)]
fn place_of(point: Point, direction: Direction) -> usize {
    let (number, at) = place(point, direction);
    DIRECTION_BYTES * direction.index() + STRIDE * number + at
}

#[inline(always)]
const fn keys(bytes: u32) -> [u16; 2] {
    [packed(bytes & 0x0f0f_0f0f), packed(bytes >> 4 & 0x0f0f_0f0f)]
}

/// The low halves of four bytes side by side.
#[inline(always)]
const fn packed(nibbles: u32) -> u16 {
    let pairs = (nibbles | nibbles >> 4) & 0x00ff_00ff;
    (pairs | pairs >> 8) as u16
}

/// A byte for each of sixteen neighbours on a line, the sixth of which is the cell they are counted around. Two words
/// rather than one of twice the size, because words that are written and read alike pass quickly from the one to the
/// other.
pub(crate) type NeighbourBytes = [u64; 2];

/// Of the bits that change, those of patterns from which a threat or a forbidden point can come, before or after.
#[inline(always)]
pub(crate) const fn strong_changes(before: u64, change: u64) -> u64 {
    let highest = strong(before) | strong(before ^ change);
    change & (highest | (highest - (highest >> 3)))
}

/// The highest bit of the half-bytes that are strong patterns: their codes begin at six, and adding two carries them
/// there.
#[inline(always)]
const fn strong(bytes: u64) -> u64 {
    const {
        assert!(Pattern::OpenTwo.code() < 6 && Pattern::Three.code() >= 6 && Pattern::Overline.code() >= 6);
    };
    (bytes + 0x2222_2222_2222_2222) & 0x8888_8888_8888_8888
}

/// Eight bits that say which bytes are not zero.
#[inline(always)]
pub(crate) const fn nonzero_bytes(bytes: u64) -> u64 {
    const LOW_SEVEN: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    // Moves bit 8k to bit 56 + k; no other product of two bits falls there.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let highest = (((bytes & LOW_SEVEN) + LOW_SEVEN) | bytes) & !LOW_SEVEN;
    (highest >> 7).wrapping_mul(GATHER) >> 56
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_zero_are_found() {
        for wanted in 0..256u64 {
            for value in [0x01, 0x80, 0x7f, 0xff, 0x10] {
                let bytes = (0..8).filter(|k| wanted >> k & 1 == 1).map(|k| value << (8 * k)).sum();
                assert_eq!(nonzero_bytes(bytes), wanted);
            }
        }
    }

    #[test]
    fn only_changes_to_or_from_strong_patterns_are_strong() {
        let codes = || (0..16).filter(|&code| Pattern::from_code(code).is_some()).map(u64::from);
        let is_strong = |code: u64| {
            let pattern = Pattern::from_code(code as u8).expect("codes are those of patterns");
            pattern >= Pattern::Three || pattern == Pattern::Overline
        };
        for before in codes() {
            for after in codes() {
                for shift in [0, 4, 36] {
                    let change = (before ^ after) << shift;
                    let expected = if is_strong(before) || is_strong(after) { change } else { 0 };
                    assert_eq!(strong_changes(before << shift, change), expected);
                }
            }
        }
    }
}
