//! What the net sees of a position. Training and play both come through here.

use crate::architecture::{REACH, REGIONS};
use crate::lines::line_number;
use fivestone_game::{Board, Color, Direction, GRID, Point, STRIDE, Size};

/// How a move lies to an earlier one: the two axis distances in no order up to five, farther, or no such move.
pub const HISTORY: usize = 23;
const FAR: u8 = HISTORY as u8 - 2;
const NO_MOVE: u8 = HISTORY as u8 - 1;

/// What a search for a forced win found for one side.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Known {
    /// A win.
    Win,
    /// That there is none.
    None,
    /// Nothing: it did not look, or not far enough.
    #[default]
    NotKnown,
}

/// What the solver says of both sides, for the net to see: nothing unless told.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Threats {
    /// Of the side to move.
    pub own: Known,
    /// Of the other side, were it to move.
    pub other: Known,
}

/// Verdicts on both sides: as many numbers as a table over them has rows.
pub const THREATS: usize = 6;

impl Threats {
    /// The solver was not asked.
    pub const NOT_KNOWN: Threats = Threats { own: Known::NotKnown, other: Known::NotKnown };

    /// The two verdicts' numbers below [`THREATS`]: that on the side to move, that on the other.
    #[inline(always)]
    pub fn rows(self) -> [usize; 2] {
        [self.own as usize, THREATS / 2 + self.other as usize]
    }
}

/// Consecutive cells of one region: at most eight.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// The region.
    pub region: u8,
    /// How many cells.
    pub length: u8,
}

/// The cells of a position that the net looks at, in reading order, numbered from 1: number 0 is any other cell.
#[derive(Clone, Debug)]
pub struct Features {
    /// Where each cell is.
    pub points: Vec<Point>,
    /// The regions of the cells.
    pub runs: Vec<Run>,
    /// The cell's number at each grid index.
    pub numbers: Box<[u16; GRID]>,
}

impl Default for Features {
    fn default() -> Features {
        Features { points: Vec::new(), runs: Vec::new(), numbers: Box::new([0; GRID]) }
    }
}

impl Features {
    /// Reads the cells near stones and hands the numbers of the four lines of each, in the order of
    /// [`Direction::ALL`] and as the side to move sees them, to `lines`.
    pub fn read(&mut self, board: &Board, mut lines: impl FnMut([usize; 4])) {
        self.read_cells(board);
        let mover = board.to_move();
        for &point in &self.points {
            let centre = board.stone(point).map_or(0, |color| 1 + usize::from(color != mover));
            lines(line_numbers(board, point, mover, centre));
        }
    }

    /// Reads the cells near stones.
    #[inline(always)]
    pub fn read_cells(&mut self, board: &Board) {
        let stones = board.stones(Color::Black).union(board.stones(Color::White));
        let near = stones.grown(REACH).intersection(&stones.union(board.empty()));
        self.numbers.fill(0);
        self.points.clear();
        near.iter().for_each(|point| {
            self.points.push(point);
            self.numbers[point.index() % GRID] = self.points.len() as u16;
        });
        self.runs.clear();
        let side = board.size().side();
        let table = region_table(board.size());
        let mut thirds = [0_u32; 3];
        for (x, &third) in table[..side].iter().enumerate() {
            thirds[usize::from(third)] |= 1 << x;
        }
        for (y, &band) in table[..side].iter().enumerate() {
            let row = near.row(y);
            if row != 0 {
                for (third, columns) in thirds.iter().enumerate() {
                    let length = (row & columns).count_ones() as u8;
                    self.runs.push(Run { region: 3 * band + third as u8, length });
                }
            }
        }
    }

    /// The region of each cell.
    pub fn regions(&self) -> impl Iterator<Item = u8> + '_ {
        self.runs.iter().flat_map(|run| std::iter::repeat_n(run.region, run.length.into()))
    }

    /// The number of a point's cell.
    #[inline(always)]
    pub fn number(&self, point: Point) -> u16 {
        self.numbers[point.index() % GRID]
    }
}

#[inline(always)]
fn line_numbers(board: &Board, point: Point, mover: Color, centre: usize) -> [usize; 4] {
    Direction::ALL.map(|direction| line_number(board.line_code(point, direction), mover, centre))
}

/// By column (or row): which third of the board it is in. The outer thirds are equal.
fn region_table(size: Size) -> [u8; 22] {
    let side = size.side();
    let third = (side + 1) / 3;
    std::array::from_fn(|at| u8::from(at >= third) + u8::from(at + third >= side))
}

/// Kinds of regions: corner 0, edge 1, centre 2.
pub const REGION_KINDS: [usize; REGIONS] = [0, 1, 0, 1, 2, 1, 0, 1, 0];

/// By the difference of two grid indices, from the lowest: how two points lie to each other. Points
/// that are near each other have differences of their own, the board being narrower than the grid.
static PLACES: [u8; 2 * GRID] = {
    let mut places = [FAR; 2 * GRID];
    let mut high = 0;
    while high <= 5 {
        let mut low = 0;
        while low <= high {
            let place = (high * (high + 1) / 2 + low) as u8;
            let (ways, mut way) = ([(low, high), (high, low)], 0);
            while way < 2 {
                let (x, y) = ways[way];
                places[GRID + y * STRIDE + x] = place;
                places[GRID + y * STRIDE - x] = place;
                places[GRID - y * STRIDE + x] = place;
                places[GRID - y * STRIDE - x] = place;
                way += 1;
            }
            low += 1;
        }
        high += 1;
    }
    places
};

/// How a move lies to the last move and to the one before.
#[inline(always)]
pub fn history(board: &Board, point: Point) -> [u8; 2] {
    let moves = board.moves();
    let place = |back: usize| {
        let earlier = moves.len().checked_sub(back).and_then(|ply| moves[ply]);
        earlier.map_or(NO_MOVE, |earlier| {
            PLACES[(GRID + point.index()).wrapping_sub(earlier.index()) % PLACES.len()]
        })
    };
    [place(1), place(2)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use fivestone_game::Rule;

    #[test]
    fn regions_are_symmetric_on_every_size() {
        for side in 5..=22 {
            let size = Size::new(side).unwrap();
            let table = region_table(size);
            for at in 0..side {
                assert_eq!(table[at], 2 - table[side - 1 - at], "column {at} of {side}");
            }
            let outer = table[..side].partition_point(|&third| third == 0);
            assert!(outer <= 8 && side - 2 * outer <= 8, "thirds of {side}");
        }
    }

    #[test]
    fn moves_lie_to_each_other_by_their_distances() {
        let size = Size::new(22).unwrap();
        let mut board = Board::new(size, Rule::Freestyle);
        board.play_unchecked(Point::new(3, 17, size).unwrap());
        for point in Board::new(size, Rule::Freestyle).empty().iter() {
            let (dx, dy) = (point.x().abs_diff(3), point.y().abs_diff(17));
            let (low, high) = (dx.min(dy), dx.max(dy));
            let place = if high > 5 { FAR } else { (high * (high + 1) / 2 + low) as u8 };
            assert_eq!(history(&board, point), [place, NO_MOVE], "{point:?}");
        }
    }

    #[test]
    fn runs_are_the_regions_of_the_cells() {
        for side in [15, 20, 22] {
            let size = Size::new(side).unwrap();
            let mut board = Board::new(size, Rule::Freestyle);
            for (x, y) in [(2, 3), (11, 12), (5, 0), (14, 7), (9, 9)] {
                board.play_unchecked(Point::new(x, y, size).unwrap());
            }
            let mut features = Features::default();
            features.read_cells(&board);
            let table = region_table(size);
            let regions = features.points.iter().map(|point| 3 * table[point.y()] + table[point.x()]);
            assert!(features.regions().eq(regions), "{side}x{side}");
        }
    }

    #[test]
    fn only_cells_near_stones_are_read_and_the_next_read_forgets_them() {
        let size = Size::STANDARD;
        let mut features = Features::default();
        let mut count = 0;
        let at = |x, y| Point::new(x, y, size).unwrap();
        let board = Board::from_moves(size, Rule::Freestyle, &[at(0, 0)]).unwrap();
        features.read(&board, |_| count += 1);
        assert_eq!((count, features.points.len()), (16, 16));
        assert_eq!(features.number(at(0, 0)), 1);
        assert_eq!(features.number(at(4, 0)), 0);
        features.read(&Board::new(size, Rule::Freestyle), |_| ());
        assert_eq!(features.number(at(0, 0)), 0);
    }
}
