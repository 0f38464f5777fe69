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

    /// Plays random moves to the end and says who won. The polygon is not redrawn before it is full without a five;
    /// then the game goes on in the polygon around all the stones there are by then. `cells` is room for its cells.
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
        while !self.is_full() {
            self.polygon.cells(self, size, cells);
            let outcome = self.fill(cells, rule, rng);
            match outcome {
                Outcome::Open => self.redraw(size, radius),
                Outcome::Win => return Some(!self.to_move),
                Outcome::Loss => return Some(self.to_move),
            }
        }
        None
    }

    /// Plays the cells in random order until they are used up or the game ends.
    #[inline]
    fn fill(&mut self, cells: &mut CellList, rule: Rule, rng: &mut Rng) -> Outcome {
        // A copy of the generator stays in registers.
        let mut local = rng.clone();
        let mut outcome = Outcome::Open;
        while cells.len() > 0 && outcome == Outcome::Open {
            let cell = cells.swap_remove(local.below(cells.len()));
            outcome = self.play(cell, rule);
        }
        *rng = local;
        outcome
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

#[cfg(test)]
mod tests {
    use super::*;
    use fivestone_game::{Forbidden, GameEnd};

    /// What the board says a move did, as far as a rollout looks.
    fn oracle(end: Option<GameEnd>) -> Outcome {
        match end {
            Some(GameEnd::Five(_)) => Outcome::Win,
            Some(GameEnd::Forbidden(Forbidden::Overline)) => Outcome::Loss,
            _ => Outcome::Open,
        }
    }

    #[test]
    fn random_games_end_as_the_board_says() {
        let mut rng = Rng::new(7);
        let mut ended = [0; 3];
        for rule in Rule::ALL {
            for side in [5, 7, 15, 22] {
                let size = Size::new(side).unwrap();
                for _ in 0..60 {
                    let mut board = Board::new(size, rule);
                    let mut position = Position::new(&board, 2);
                    while board.end().is_none() {
                        let empty: Vec<_> = board.empty().iter().collect();
                        let point = empty[rng.below(empty.len())];
                        let end = board.play(point).unwrap();
                        let outcome = position.play(Cell::new(point.x(), point.y()), rule);
                        assert_eq!(outcome, oracle(end), "{board:?}");
                        assert_eq!(position.is_full(), board.empty().is_empty());
                        ended[outcome as usize] += 1;
                    }
                }
            }
        }
        assert!(ended[Outcome::Win as usize] > 100, "{ended:?}");
    }

    #[test]
    fn ends_of_a_row_are_judged() {
        let size = Size::STANDARD;
        let cells = |columns: &[usize]| -> Vec<_> {
            columns.iter().map(|&x| fivestone_game::Point::new(x, 6, size).unwrap()).collect()
        };
        let outcome = |rule, own: &[usize], enemy: &[usize], x| {
            let board = Board::from_stones(size, rule, &cells(own), &cells(enemy), Color::Black).unwrap();
            Position::new(&board, 2).play(Cell::new(x, 6), rule)
        };
        let six = [0, 1, 2, 4, 5];
        assert_eq!(outcome(Rule::Freestyle, &six, &[], 3), Outcome::Win);
        assert_eq!(outcome(Rule::Standard, &six, &[], 3), Outcome::Open);
        assert_eq!(outcome(Rule::Renju, &six, &[], 3), Outcome::Loss);
        assert_eq!(outcome(Rule::Caro, &six, &[], 3), Outcome::Open);
        assert_eq!(outcome(Rule::CaroOverline, &six, &[6], 3), Outcome::Win);
        let four = [1, 2, 3, 4];
        assert_eq!(outcome(Rule::Caro, &four, &[0, 6], 5), Outcome::Open);
        assert_eq!(outcome(Rule::Caro, &four, &[0], 5), Outcome::Win);
        assert_eq!(outcome(Rule::CaroOverline, &four, &[0, 6], 5), Outcome::Open);
        assert_eq!(outcome(Rule::Caro, &[0, 1, 2, 3], &[5], 4), Outcome::Win, "the edge is no enemy stone");
    }

    #[test]
    fn a_rollout_ends_in_a_win_or_a_full_board() {
        let mut rng = Rng::new(3);
        let mut cells = CellList::new();
        for side in [5, 15, 22] {
            let size = Size::new(side).unwrap();
            let board = Board::new(size, Rule::Standard);
            for _ in 0..50 {
                let mut position = Position::new(&board, 1);
                let winner = position.roll_out(&mut cells, size, Rule::Standard, 1, &mut rng);
                assert!(winner.is_some() || position.is_full());
            }
        }
    }
}
