//! The rollout: random moves inside the polygon to the end of the game, on a board of bit lines.

use super::polygon::{Cell, CellList, Polygon};
use crate::Rng;
use fivestone_game::{Board, Color, Rule, Size};

/// Cells along the side of the largest board.
pub const MAX_SIDE: usize = 22;

const VERTICAL: usize = MAX_SIDE;
const FALLING: usize = VERTICAL + MAX_SIDE;
const RISING: usize = FALLING + 2 * MAX_SIDE - 1;
const LINES: usize = RISING + 2 * MAX_SIDE - 1;

/// What a stone did to the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// The game goes on.
    Open,
    /// The side that put the stone wins.
    Win,
    /// The side that put the stone loses: Black made an overline in renju.
    Loss,
}

/// The stones as one word of bits per row, column and diagonal, so that a five is five neighbouring bits.
#[derive(Clone, Debug)]
pub struct Position {
    lines: [[u32; LINES]; 2],
    /// The side to move.
    pub to_move: Color,
    /// The polygon around the stones.
    pub polygon: Polygon,
    empty: usize,
}

impl Position {
    /// The stones and the turn of a board.
    pub fn new(board: &Board, radius: i32) -> Position {
        let mut position = Position {
            lines: [[0; LINES]; 2],
            to_move: board.to_move(),
            polygon: Polygon::EMPTY,
            empty: board.size().cells() - board.stone_count(),
        };
        for color in Color::BOTH {
            for point in board.stones(color).iter() {
                let (x, y) = (point.x(), point.y());
                for (line, bit) in lines_of(x, y) {
                    position.lines[color.index()][line] |= 1 << bit;
                }
                position.polygon.include(x, y, radius);
            }
        }
        if board.stone_count() == 0 {
            let centre = board.size().centre();
            position.polygon.include(centre.x(), centre.y(), radius);
        }
        position
    }

    /// The occupied columns of a row, as bits.
    #[inline]
    pub fn occupied(&self, y: usize) -> u32 {
        self.lines[0][y] | self.lines[1][y]
    }

    /// Whether no empty cell is left.
    pub fn is_full(&self) -> bool {
        self.empty == 0
    }

    /// Puts a stone of the side to move, without growing the polygon.
    #[inline]
    pub fn play(&mut self, cell: Cell, rule: Rule) -> Outcome {
        let color = self.to_move;
        let own = &mut self.lines[color.index()];
        let mut fives = 0;
        for (line, bit) in lines_of(cell.x(), cell.y()) {
            let word = own[line] | 1 << bit;
            own[line] = word;
            let pairs = word & word >> 1;
            fives |= pairs & pairs >> 2 & word >> 4;
        }
        self.to_move = !color;
        self.empty -= 1;
        if fives == 0 { Outcome::Open } else { self.judge(cell, color, rule) }
    }

    /// What a stone did that stands on a line with five or more in a row somewhere.
    #[cold]
    #[inline(never)]
    fn judge(&self, cell: Cell, color: Color, rule: Rule) -> Outcome {
        let winning = rule.winning(color);
        let mut outcome = Outcome::Open;
        for (line, bit) in lines_of(cell.x(), cell.y()) {
            let word = u64::from(self.lines[color.index()][line]) << 1;
            let enemy = u64::from(self.lines[(!color).index()][line]) << 1;
            let before = (word << (63 - bit - 1)).leading_ones();
            let after = (word >> (bit + 1)).trailing_ones();
            let run = (before + after - 1) as usize;
            let blocked = enemy >> (bit + 1 - before) & 1 != 0 && enemy >> (bit + 1 + after) & 1 != 0;
            if winning.wins(run, blocked) {
                return Outcome::Win;
            }
            if run > 5 && rule.restricts(color) {
                outcome = Outcome::Loss;
            }
        }
        outcome
    }

    /// Plays random moves to the end and says who won. `cells` are the empty cells of the polygon. It is not redrawn
    /// before it is full without a five; then the game goes on in the polygon around all the stones there are by then.
    ///
    /// Renju: Black's overlines lose as they should. Double fours and double threes are not looked for here: they
    /// need pattern tables and decide few random games; the tree knows them.
    pub fn roll_out(
        &mut self,
        cells: &mut CellList,
        size: Size,
        rule: Rule,
        radius: i32,
        rng: &mut Rng,
    ) -> Option<Color> {
        loop {
            while cells.len() > 0 {
                let index = rng.below(cells.len());
                let cell = cells.swap_remove(index);
                match self.play(cell, rule) {
                    Outcome::Open => {}
                    Outcome::Win => return Some(!self.to_move),
                    Outcome::Loss => return Some(self.to_move),
                }
            }
            if self.is_full() {
                return None;
            }
            self.redraw(size, radius);
            self.polygon.cells(self, size, cells);
        }
    }

    /// Grows the polygon around the stones that stand by now.
    fn redraw(&mut self, size: Size, radius: i32) {
        let mut polygon = self.polygon;
        for y in 0..size.side() {
            let mut columns = self.occupied(y);
            while columns != 0 {
                polygon.include(columns.trailing_zeros() as usize, y, radius);
                columns &= columns - 1;
            }
        }
        self.polygon = polygon;
    }
}

/// The four lines through a cell and the cell's bit on each.
#[inline]
fn lines_of(x: usize, y: usize) -> [(usize, u32); 4] {
    [
        (y, x as u32),
        (VERTICAL + x, y as u32),
        (FALLING + MAX_SIDE - 1 + x - y, x as u32),
        (RISING + x + y, x as u32),
    ]
}
