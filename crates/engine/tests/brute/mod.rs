//! Forced wins the slow way: every move is tried, every reply is tried, stones are counted.
#![allow(dead_code, unused_imports, reason = "each test binary asks for a part of it")]

mod positions;
mod threes;

pub use positions::{built_position, some_position};
pub use threes::Exhaustive;

use fivestone_game::{Board, Color, Point, Rule, Size};
use std::collections::HashMap;

/// How many cases a test looks at: so many, or as the environment says.
pub fn cases(usual: usize) -> usize {
    std::env::var("FIVESTONE_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// A plain grid of stones.
pub struct Brute {
    side: isize,
    rule: Rule,
    cells: Vec<Option<Color>>,
    known: HashMap<Vec<Option<Color>>, bool>,
    known_by_threes: HashMap<Vec<Option<Color>>, bool>,
}

impl Brute {
    pub fn of(board: &Board) -> Brute {
        let cells = board.size().points().map(|point| board.stone(point)).collect();
        Brute {
            side: board.size().side() as isize,
            rule: board.rule(),
            cells,
            known: HashMap::new(),
            known_by_threes: HashMap::new(),
        }
    }

    /// Whether `attacker`, to move, wins by moves that threaten a five or a win by fours.
    pub fn wins_by_threes(&mut self, attacker: Color) -> bool {
        if self.has_five(attacker) {
            return true;
        }
        if let Some(&known) = self.known_by_threes.get(&self.cells) {
            return known;
        }
        let key = self.cells.clone();
        let wins = (0..self.cells.len()).any(|cell| self.is_winning_threat(cell, attacker));
        self.known_by_threes.insert(key, wins);
        wins
    }

    fn is_winning_threat(&mut self, cell: usize, attacker: Color) -> bool {
        if self.cells[cell].is_some() || self.is_forbidden(cell, attacker) {
            return false;
        }
        self.cells[cell] = Some(attacker);
        let is_threat =
            !self.has_five(!attacker) && (self.has_five(attacker) || self.wins_by_fours(attacker));
        let wins = is_threat && (0..self.cells.len()).all(|reply| self.loses_to_threes(reply, attacker));
        self.cells[cell] = None;
        wins
    }

    fn loses_to_threes(&mut self, reply: usize, attacker: Color) -> bool {
        if self.cells[reply].is_some() || self.is_forbidden(reply, !attacker) {
            return true;
        }
        self.cells[reply] = Some(!attacker);
        let loses = self.wins_by_threes(attacker);
        self.cells[reply] = None;
        loses
    }

    /// Whether `attacker`, to move, wins by fours only.
    pub fn wins_by_fours(&mut self, attacker: Color) -> bool {
        if self.has_five(attacker) {
            return true;
        }
        if let Some(&known) = self.known.get(&self.cells) {
            return known;
        }
        let key = self.cells.clone();
        let wins = (0..self.cells.len()).any(|cell| self.is_winning_four(cell, attacker));
        self.known.insert(key, wins);
        wins
    }

    fn is_winning_four(&mut self, cell: usize, attacker: Color) -> bool {
        if self.cells[cell].is_some() || self.is_forbidden(cell, attacker) {
            return false;
        }
        self.cells[cell] = Some(attacker);
        let is_four = self.has_five(attacker) && !self.has_five(!attacker);
        let wins = is_four && (0..self.cells.len()).all(|reply| self.loses_to_fours(reply, attacker));
        self.cells[cell] = None;
        wins
    }

    fn loses_to_fours(&mut self, reply: usize, attacker: Color) -> bool {
        let defender = !attacker;
        if self.cells[reply].is_some() {
            return true;
        }
        let forbidden = self.rule.restricts(defender) && self.has_five_without(reply, defender, attacker);
        self.cells[reply] = Some(defender);
        let loses = self.has_five(attacker) || forbidden || self.wins_by_fours(attacker);
        self.cells[reply] = None;
        loses
    }

    /// Whether the reply stops the five but is forbidden.
    fn has_five_without(&mut self, reply: usize, defender: Color, attacker: Color) -> bool {
        self.cells[reply] = Some(defender);
        let stops = !self.has_five(attacker);
        self.cells[reply] = None;
        stops && self.is_forbidden(reply, defender)
    }

    fn has_five(&self, color: Color) -> bool {
        (0..self.cells.len()).any(|cell| self.cells[cell].is_none() && self.makes_five(cell, color))
    }

    fn makes_five(&self, cell: usize, color: Color) -> bool {
        [(1, 0), (0, 1), (1, 1), (1, -1)].into_iter().any(|(dx, dy)| {
            let (x, y) = (cell as isize % self.side, cell as isize / self.side);
            let walk = |sign: isize| {
                let mut steps = 0;
                while self.at(x + sign * (steps + 1) * dx, y + sign * (steps + 1) * dy) == Some(color) {
                    steps += 1;
                }
                let beyond = self.at(x + sign * (steps + 1) * dx, y + sign * (steps + 1) * dy);
                (steps as usize, beyond == Some(!color))
            };
            let ((ahead, blocked_ahead), (behind, blocked_behind)) = (walk(1), walk(-1));
            self.rule.winning(color).wins(ahead + behind + 1, blocked_ahead && blocked_behind)
        })
    }

    fn at(&self, x: isize, y: isize) -> Option<Color> {
        let inside = (0..self.side).contains(&x) && (0..self.side).contains(&y);
        inside.then(|| self.cells[(y * self.side + x) as usize]).flatten()
    }

    /// The board's own answer, which is checked elsewhere.
    fn is_forbidden(&self, cell: usize, color: Color) -> bool {
        if !self.rule.restricts(color) {
            return false;
        }
        let size = Size::new(self.side as usize).unwrap();
        let stones = |wanted: Color| -> Vec<Point> {
            size.points().filter(|point| self.cells[point.dense(size)] == Some(wanted)).collect()
        };
        let board =
            Board::from_stones(size, self.rule, &stones(Color::Black), &stones(Color::White), color).unwrap();
        board.forbidden(Point::from_dense(cell, size)).is_some()
    }
}
