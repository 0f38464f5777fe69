//! Counting drawn shapes along the lines of a board.
//!
//! A shape is drawn from one player's view: `x` an own stone, `.` an empty point, `#` an enemy stone or the edge. What a
//! new stone does to the counts depends on the five cells to each side of it alone, so all of it is looked up.

use fivestone_game::{Board, Color, Direction, Point};

/// The longest shape: a longer one would not fit between a stone and the end of what is looked up.
const LONGEST: usize = 6;
/// Cells looked up around a point.
const SEEN: usize = 10;
/// Ways to fill them: empty, own, blocked.
const CODES: usize = 3usize.pow(SEEN as u32);

const EMPTY: u8 = 0;
const OWN: u8 = 1;
const BLOCKED: u8 = 2;

/// Shapes to be counted and what single stones do to their counts.
pub struct Shapes {
    /// Per length and base-three code the shapes drawn so.
    named: Vec<Vec<Vec<u8>>>,
    /// Where the changes of `2 * code + (0 own stone, 1 enemy stone)` begin.
    starts: Vec<u32>,
    changes: Vec<(u8, i8)>,
    /// From ten bits of a board's line code to base three, per colour.
    halves: [Vec<u16>; 2],
}

impl Shapes {
    /// Shapes by number, each with all its drawings.
    pub fn new(drawings: &[&[&str]]) -> Shapes {
        let mut named: Vec<Vec<Vec<u8>>> =
            (0..=LONGEST as u32).map(|n| vec![Vec::new(); 3usize.pow(n)]).collect();
        for (number, drawings) in drawings.iter().enumerate() {
            for drawing in *drawings {
                let cells: Vec<u8> = drawing.bytes().map(cell_of_mark).collect();
                named[cells.len()][code(&cells)].push(number as u8);
            }
        }
        let halves = Color::BOTH.map(|color| (0..1024).map(|bits| half_code(bits, color)).collect());
        let mut shapes = Shapes { named, starts: vec![0], changes: Vec::new(), halves };
        for code in 0..CODES {
            for mark in [OWN, BLOCKED] {
                shapes.add_changes(code, mark, drawings.len());
            }
        }
        shapes
    }

    fn add_changes(&mut self, code: usize, mark: u8, count: usize) {
        let mut window = [EMPTY; SEEN + 1];
        let mut rest = code;
        for place in (0..=SEEN).filter(|&place| place != SEEN / 2) {
            window[place] = (rest % 3) as u8;
            rest /= 3;
        }
        let mut change = vec![0i8; count];
        self.for_each_through_centre(&window, |shape| change[usize::from(shape)] -= 1);
        window[SEEN / 2] = mark;
        self.for_each_through_centre(&window, |shape| change[usize::from(shape)] += 1);
        let changed = change.iter().enumerate().filter(|&(_, &change)| change != 0);
        self.changes.extend(changed.map(|(shape, &change)| (shape as u8, change)));
        self.starts.push(self.changes.len() as u32);
    }

    fn for_each_through_centre(&self, window: &[u8; SEEN + 1], mut found: impl FnMut(u8)) {
        for length in 1..=LONGEST {
            for first in SEEN / 2 + 1 - length..=SEEN / 2 {
                let cells = &window[first..first + length];
                self.named[length][code(cells)].iter().for_each(|&shape| found(shape));
            }
        }
    }

    /// What lies around a point on a line, as `color` sees it: the key for [`Shapes::changes`] and tables like it.
    #[inline]
    pub fn around(&self, board: &Board, point: Point, direction: Direction, color: Color) -> usize {
        let bits = board.line_code(point, direction) as usize;
        let halves = &self.halves[color.index()];
        usize::from(halves[bits & 1023]) + 243 * usize::from(halves[bits >> 10 & 1023])
    }

    /// How the counts change by an own or an enemy stone on the empty point in the middle of a line.
    #[inline]
    pub fn changes(&self, around: usize, own: bool) -> &[(u8, i8)] {
        let key = 2 * around + usize::from(!own);
        &self.changes[self.starts[key] as usize..self.starts[key + 1] as usize]
    }

    /// The change of a weighted sum of the counts, for every key and for an own (`[0]`) or an enemy stone (`[1]`).
    pub fn weighted(&self, weights: &[f32]) -> Vec<[f32; 2]> {
        let sum = |around, own| -> f32 {
            let changes = self.changes(around, own).iter();
            changes.map(|&(shape, change)| weights[usize::from(shape)] * f32::from(change)).sum()
        };
        (0..CODES).map(|around| [sum(around, true), sum(around, false)]).collect()
    }

    /// Counts every shape of a side on the whole board.
    pub fn count(&self, board: &Board, color: Color, counts: &mut [i16]) {
        counts.fill(0);
        let size = board.size();
        for direction in Direction::ALL {
            let (dx, dy) = direction.delta();
            for start in size.points().filter(|point| point.offset(-dx, -dy, size).is_none()) {
                let mut line = vec![BLOCKED];
                let mut at = Some(start);
                while let Some(point) = at {
                    line.push(match board.stone(point) {
                        None => EMPTY,
                        Some(stone) if stone == color => OWN,
                        Some(_) => BLOCKED,
                    });
                    at = point.offset(dx, dy, size);
                }
                line.push(BLOCKED);
                for length in 1..=LONGEST {
                    for cells in line.windows(length) {
                        for &shape in &self.named[length][code(cells)] {
                            counts[usize::from(shape)] += 1;
                        }
                    }
                }
            }
        }
    }
}

fn cell_of_mark(mark: u8) -> u8 {
    match mark {
        b'x' => OWN,
        b'.' => EMPTY,
        b'#' => BLOCKED,
        _ => panic!("a shape is drawn with x . and #"),
    }
}

/// Cells as a number in base three, the first cell the lowest digit.
fn code(cells: &[u8]) -> usize {
    cells.iter().rev().fold(0, |code, &cell| 3 * code + usize::from(cell))
}

fn half_code(bits: usize, color: Color) -> u16 {
    let own = color.index() + 1;
    let cells: [u8; SEEN / 2] = std::array::from_fn(|place| match bits >> (2 * place) & 3 {
        0 => EMPTY,
        cell if cell == own => OWN,
        _ => BLOCKED,
    });
    code(&cells) as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;
    use fivestone_game::{Rule, Size};

    #[test]
    fn changes_add_up_to_the_counts_of_the_whole_board() {
        let drawings: [&[&str]; 6] =
            [&["xxxxx"], &[".xxxx."], &["#xx.x.", ".x.xx#"], &["x.x.x"], &[".x."], &["#x.", ".x#"]];
        let shapes = Shapes::new(&drawings);
        let mut rng = Rng::new(3);
        for side in [5, 9, 22] {
            let size = Size::new(side).unwrap();
            let mut board = Board::new(size, Rule::Freestyle);
            let mut counts = [[0i16; 6]; 2];
            let mut free: Vec<Point> = size.points().collect();
            while !free.is_empty() {
                let point = free.swap_remove(rng.below(free.len()));
                let mover = board.to_move();
                for color in Color::BOTH {
                    for direction in Direction::ALL {
                        let around = shapes.around(&board, point, direction, color);
                        for &(shape, change) in shapes.changes(around, color == mover) {
                            counts[color.index()][usize::from(shape)] += i16::from(change);
                        }
                    }
                }
                board.play_unchecked(point);
                for color in Color::BOTH {
                    let mut all = [0; 6];
                    shapes.count(&board, color, &mut all);
                    assert_eq!(counts[color.index()], all, "{board:?}");
                }
            }
        }
    }
}
