//! The table rows along whole lines, remembered by what stands on them: a search meets the same lines again and again, and looking up
//! their cells one by one takes as long as everything after it.

use crate::kernels::CellRows;
use crate::lines::{LineRows, line_number};
use crate::net::SideNet;
use fivestone_game::lines::{LineWords, line_place, line_window};
use fivestone_game::{Board, Color, Direction, GRID, MARGIN, Point, STRIDE, Size};

/// Cells of the longest line.
const LONGEST: usize = STRIDE - 2 * MARGIN;
/// Lines remembered of each kind.
const REMEMBERED: usize = 1 << 10;
/// Room for the rows of all lines: a power of two, so that no place in it needs to be checked.
const ROOM: usize = (4 * 2 * STRIDE * LONGEST).next_power_of_two();
/// A line outside the board.
const ALL_WALL: u64 = u64::MAX;

/// The row of every cell of a line.
type RowsOfLine = [u16; LONGEST];

/// A line and its rows, in one line of the cache.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Remembered {
    word: u64,
    rows: RowsOfLine,
}

/// What is remembered for one side to move.
#[derive(Clone)]
struct SideLines {
    /// The lines of the position that was read last, and their rows.
    words: [LineWords; 4],
    rows: [u16; ROOM],
    /// Lines of earlier positions, along the board's sides and diagonal.
    earlier: [Vec<Remembered>; 2],
}

/// The lines of positions, for one net.
#[derive(Clone)]
pub struct LineMemory {
    sides: [Box<SideLines>; 2],
    to_move: Color,
    /// By grid index: where the rows of a point's four lines are.
    places: Box<[[u16; 4]; GRID]>,
}

impl Default for LineMemory {
    fn default() -> LineMemory {
        let earlier = vec![Remembered { word: ALL_WALL, rows: [0; LONGEST] }; REMEMBERED];
        let side = Box::new(SideLines {
            words: [[ALL_WALL; 2 * STRIDE]; 4],
            rows: [0; ROOM],
            earlier: [earlier.clone(), earlier],
        });
        let mut places = Box::new([[0; 4]; GRID]);
        let cells = (0..LONGEST).flat_map(|y| (0..LONGEST).map(move |x| (x, y)));
        for point in cells.filter_map(|(x, y)| Point::new(x, y, Size::MAX)) {
            places[point.index()] = Direction::ALL.map(|direction| {
                let (number, at) = line_place(point, direction);
                ((direction.index() * 2 * STRIDE + number) * LONGEST + at - MARGIN) as u16
            });
        }
        LineMemory { sides: [side.clone(), side], to_move: Color::Black, places }
    }
}

impl LineMemory {
    /// Reads the lines of a position as its side to move sees them. The net's weights for that side must always be the same.
    pub fn read(&mut self, board: &Board, net: &SideNet) {
        self.to_move = board.to_move();
        let SideLines { words, rows, earlier } = &mut *self.sides[self.to_move.index()];
        for direction in Direction::ALL {
            let (at, kind) = (direction.index(), direction.index() / 2);
            let rows = rows[at * 2 * STRIDE * LONGEST..].as_chunks_mut::<LONGEST>().0;
            let lines = board.line_words(direction).iter().zip(&mut words[at]).zip(rows);
            for ((&word, read), rows) in lines {
                if word != *read {
                    *read = word;
                    let remembered = &mut earlier[kind][slot(word)];
                    if remembered.word != word {
                        let rows = rows_of_line(word, self.to_move, &net.tables[kind].index);
                        *remembered = Remembered { word, rows };
                    }
                    *rows = remembered.rows;
                }
            }
        }
    }

    /// The rows of the four lines through a point, in the position that was read.
    #[inline(always)]
    pub fn rows(&self, point: Point) -> CellRows {
        let rows = &self.sides[self.to_move.index()].rows;
        self.places[point.index() % GRID].map(|place| rows[usize::from(place) % ROOM])
    }
}

/// Where a line is remembered.
#[inline(always)]
fn slot(word: u64) -> usize {
    (word.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize % REMEMBERED
}

fn rows_of_line(word: u64, side: Color, index: &LineRows) -> RowsOfLine {
    const WALL: usize = 3;
    std::array::from_fn(|cell| {
        let at = cell + MARGIN;
        let stone = (word >> (2 * at)) as usize & 3;
        let centre = if side == Color::White && stone != 0 { 3 - stone } else { stone };
        if stone == WALL { 0 } else { index.row(line_number(line_window(word, at), side, centre)) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::features::Features;
    use crate::net::Net;
    use fivestone_game::Rule;

    /// Positions of one game after the other, each with stones near the others, by a fixed generator.
    fn positions(rule: Rule, size: Size) -> Vec<Board> {
        let mut state = 7_u64;
        let mut positions = Vec::new();
        for _game in 0..4 {
            let mut board = Board::new(size, rule);
            for _ply in 0..30 {
                let near: Vec<Point> = board.near(2).iter().collect();
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                board.play_unchecked(near[(state >> 33) as usize % near.len()]);
                positions.push(board.clone());
            }
        }
        positions
    }

    #[test]
    fn remembered_rows_are_those_of_the_lines_whatever_was_read_before() {
        let freestyle = Net::from_bytes(fivestone_shipped::FREESTYLE).unwrap();
        let renju = Net::from_bytes(fivestone_shipped::RENJU).unwrap();
        for (net, side) in [(&freestyle, 15), (&renju, 15), (&freestyle, 20)] {
            let rule = net.rule;
            let mut memory = LineMemory::default();
            let mut features = Features::default();
            let boards = positions(rule, Size::new(side).unwrap());
            // Steps of 37 jump between the games and between both sides to move.
            for at in 0..2 * boards.len() {
                let board = &boards[at * 37 % boards.len()];
                let set = net.set(board.to_move());
                let mut expected = Vec::new();
                features.read(board, |lines| {
                    let row = |direction: usize| set.tables[direction / 2].index.row(lines[direction]);
                    expected.push([row(0), row(1), row(2), row(3)]);
                });
                memory.read(board, set);
                let read: Vec<CellRows> = features.points.iter().map(|&point| memory.rows(point)).collect();
                assert_eq!(read, expected, "{rule:?} {side}x{side}, step {at}");
            }
        }
    }
}
