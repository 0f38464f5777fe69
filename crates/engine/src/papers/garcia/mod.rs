//! Garcia 2020, "A Mathematical Approach to Gomoku": every row of five points is a monomial.
//!
//! The chapters of the thesis are the files: the algebra (chapter II) in `algebra`, the tables of the three versions
//! (chapter III) in `scores`, `states`, `point_states` and `ranks`, the two tree searches (chapter IV) in
//! `primary` and `winning`, and the engines in [`version1`], [`version2`] and [`version3`].

pub mod algebra;
mod explain;
pub mod point_states;
mod pointed;
mod primary;
mod ranks;
pub mod scores;
mod searcher;
pub mod states;
pub mod version1;
pub mod version2;
pub mod version3;
mod winning;

use fivestone_game::{Board, Color, Rule};

/// A cell of the board, counted row by row from the top left.
pub type Cell = usize;

/// Cells of the largest board.
const MAX_CELLS: usize = 22 * 22;

/// What a stone did to the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    /// The game goes on.
    Open,
    /// The side that put the stone wins.
    Win,
    /// The side that put the stone loses: Black made an overline in renju.
    Loss,
    /// The board is full.
    Draw,
}

/// The stones alone, for the question the algebra does not answer: whether a completed row wins under the rule.
#[derive(Clone)]
struct Stones {
    side: usize,
    rule: Rule,
    cells: [Option<Color>; MAX_CELLS],
    empty: usize,
}

impl Stones {
    fn new(board: &Board) -> Stones {
        let size = board.size();
        let mut stones = Stones {
            side: size.side(),
            rule: board.rule(),
            cells: [None; MAX_CELLS],
            empty: size.cells() - board.stone_count(),
        };
        for color in Color::BOTH {
            for point in board.stones(color).iter() {
                stones.cells[point.dense(size)] = Some(color);
            }
        }
        stones
    }

    fn is_empty(&self, cell: Cell) -> bool {
        self.cells[cell].is_none()
    }

    fn put(&mut self, cell: Cell, color: Color) {
        self.cells[cell] = Some(color);
        self.empty -= 1;
    }

    /// Whether a stone of `color` on a cell that completes a row of five wins. In freestyle it always does.
    fn wins(&self, cell: Cell, color: Color) -> bool {
        self.rule == Rule::Freestyle || self.judge(cell, color) == Outcome::Win
    }

    /// What a stone that completes a row of five does under the rule.
    #[cold]
    fn judge(&self, cell: Cell, color: Color) -> Outcome {
        let winning = self.rule.winning(color);
        let mut outcome = Outcome::Open;
        for (dx, dy) in [(1, 0), (0, 1), (1, 1), (1, -1)] {
            let (before, blocked_before) = self.run(cell, color, -dx, -dy);
            let (after, blocked_after) = self.run(cell, color, dx, dy);
            let run = before + after + 1;
            if winning.wins(run, blocked_before && blocked_after) {
                return Outcome::Win;
            }
            if run > 5 && self.rule.restricts(color) {
                outcome = Outcome::Loss;
            }
        }
        outcome
    }

    /// Stones of a colour in a row beside a cell, and whether an enemy stone stands behind them.
    fn run(&self, cell: Cell, color: Color, dx: isize, dy: isize) -> (usize, bool) {
        let (mut x, mut y) = (cell % self.side, cell / self.side);
        let mut length = 0;
        loop {
            let next = (x.checked_add_signed(dx), y.checked_add_signed(dy));
            let (Some(next_x), Some(next_y)) = next else { return (length, false) };
            if next_x >= self.side || next_y >= self.side {
                return (length, false);
            }
            (x, y) = (next_x, next_y);
            match self.cells[y * self.side + x] {
                Some(stone) if stone == color => length += 1,
                Some(_) => return (length, true),
                None => return (length, false),
            }
        }
    }
}
