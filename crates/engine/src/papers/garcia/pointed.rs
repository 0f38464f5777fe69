//! Version 2's position: for every point and player the states of four orientations, and what they say together.

use super::algebra::Orientation;
use super::point_states::{Gain, POINT_STATES, PointState, REACH, on_empty_board};
use super::primary::Position;
use super::{Cell, MAX_CELLS, Outcome, Stones};
use crate::Rng;
use fivestone_game::{Board, Color};

/// What a free point is to a player over all four orientations, from worthless to winning.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Promise {
    /// No threat.
    Nothing,
    /// An open three.
    OpenThree,
    /// A four that can be blocked.
    Four,
    /// A combo: two threats that meet in the point, of which the opponent can answer one.
    Combo,
    /// A four that cannot be blocked.
    OpenFour,
    /// Five.
    Five,
}

/// What one player's states say about a point.
#[derive(Clone, Copy)]
struct Assessment {
    states: [u16; 4],
    value: u16,
    promise: Promise,
}

/// A position as version 2 sees it.
#[derive(Clone)]
pub struct Pointed {
    table: &'static [PointState],
    points: [[Assessment; MAX_CELLS]; 2],
    /// The stones, for the rules in which not every row of five wins.
    pub stones: Stones,
    /// The side to move.
    pub to_move: Color,
}

impl Pointed {
    /// The position of a board.
    pub fn new(board: &Board) -> Pointed {
        let nothing = Assessment { states: [0; 4], value: 0, promise: Promise::Nothing };
        let mut position = Pointed {
            table: &POINT_STATES,
            points: [[nothing; MAX_CELLS]; 2],
            stones: Stones::new(board),
            to_move: board.to_move(),
        };
        let side = position.stones.side;
        for cell in 0..side * side {
            let states = Orientation::ALL.map(|orientation| {
                let (dx, dy) = orientation.step();
                on_empty_board(free_steps(side, cell, -dx, -dy), free_steps(side, cell, dx, dy))
            });
            for player in 0..2 {
                position.points[player][cell].states = states;
                position.assess(player, cell);
            }
        }
        for color in Color::BOTH {
            for point in board.stones(color).iter() {
                position.update(point.dense(board.size()), color);
            }
        }
        position
    }

    fn assess(&mut self, player: usize, cell: Cell) {
        let point = &mut self.points[player][cell];
        let states = point.states.map(|state| &self.table[usize::from(state)]);
        let gains = states.map(|state| state.gain);
        let best = gains.into_iter().max().expect("four gains");
        let threats = gains.iter().filter(|&&gain| gain >= Gain::OpenThree).count();
        point.value = states.iter().map(|state| state.value).sum();
        point.promise = match best {
            Gain::Five => Promise::Five,
            Gain::OpenFour => Promise::OpenFour,
            _ if threats > 1 => Promise::Combo,
            Gain::Four => Promise::Four,
            Gain::OpenThree => Promise::OpenThree,
            Gain::Nothing => Promise::Nothing,
        };
    }

    /// Tells every point that sees a stone.
    fn update(&mut self, cell: Cell, color: Color) {
        let side = self.stones.side;
        for orientation in Orientation::ALL {
            let (dx, dy) = orientation.step();
            for sign in [-1, 1] {
                let step = sign * (dx + dy * side as isize);
                let steps = free_steps(side, cell, sign * dx, sign * dy).min(REACH);
                for distance in 1..=steps as isize {
                    let point = (cell as isize + step * distance) as usize;
                    for player in 0..2 {
                        let state = &mut self.points[player][point].states[orientation as usize];
                        let own = player == color.index();
                        // The stone lies in the opposite direction of the walk.
                        let next = self.table[usize::from(*state)].after(own, -sign * distance);
                        if next != *state {
                            *state = next;
                            self.assess(player, point);
                        }
                    }
                }
            }
        }
    }

    /// What a free point is to a side.
    pub fn promise(&self, color: Color, cell: Cell) -> Promise {
        let promise = self.points[color.index()][cell].promise;
        if promise == Promise::Five && !self.stones.wins(cell, color) { Promise::Nothing } else { promise }
    }

    /// The value of a point to a side: the sum of the scores of the living monomials that cover it.
    pub fn value(&self, color: Color, cell: Cell) -> u32 {
        self.points[color.index()][cell].value.into()
    }

    fn free_cells(&self) -> impl Iterator<Item = Cell> + '_ {
        (0..self.stones.side * self.stones.side).filter(|&cell| self.stones.is_empty(cell))
    }

    /// The most that any free point promises a side.
    fn best_promise(&self, color: Color) -> Promise {
        let best = self.free_cells().map(|cell| self.points[color.index()][cell].promise).max();
        match best {
            Some(Promise::Five) => self.free_cells().map(|c| self.promise(color, c)).max(),
            best => best,
        }
        .unwrap_or(Promise::Nothing)
    }

    /// The moves that the threats on the board leave; nothing when there is no threat.
    fn forced(&self) -> Vec<Cell> {
        let (me, you) = (self.to_move, !self.to_move);
        let (mine, yours) = (self.best_promise(me), self.best_promise(you));
        let all = |color: Color, promise| -> Vec<Cell> {
            self.free_cells().filter(|&cell| self.promise(color, cell) == promise).collect()
        };
        if mine == Promise::Five {
            return all(me, Promise::Five)[..1].to_vec();
        }
        if yours == Promise::Five {
            return all(you, Promise::Five);
        }
        if mine == Promise::OpenFour {
            return all(me, Promise::OpenFour);
        }
        let mut cells = Vec::new();
        if yours == Promise::OpenFour {
            cells = all(you, Promise::OpenFour);
            for cell in all(me, Promise::Four).into_iter().chain(all(me, Promise::Combo)) {
                if !cells.contains(&cell) {
                    cells.push(cell);
                }
            }
        }
        cells
    }
}

/// Steps from a cell to the edge.
fn free_steps(side: usize, cell: Cell, dx: isize, dy: isize) -> usize {
    let room = |at: usize, step: isize| match step {
        0 => usize::MAX,
        1 => side - 1 - at,
        _ => at,
    };
    room(cell % side, dx).min(room(cell / side, dy))
}

/// A combo of one's own and one of the opponent's, beside the values of points.
const COMBOS: [u32; 2] = [400, 200];

impl Position for Pointed {
    fn play(&mut self, cell: Cell) -> Outcome {
        let color = self.to_move;
        let complete = self.points[color.index()][cell].promise == Promise::Five;
        let outcome = if complete { self.stones.judge(cell, color) } else { Outcome::Open };
        self.stones.put(cell, color);
        self.to_move = !color;
        self.update(cell, color);
        if outcome == Outcome::Open && self.stones.empty == 0 { Outcome::Draw } else { outcome }
    }

    fn handful(&self, width: usize) -> Vec<Cell> {
        let cells = self.forced();
        if !cells.is_empty() {
            return cells;
        }
        let (me, you) = (self.to_move, !self.to_move);
        let worth = |cell: Cell| {
            let combo = |color, worth| if self.promise(color, cell) == Promise::Combo { worth } else { 0 };
            self.value(me, cell) + self.value(you, cell) + combo(me, COMBOS[0]) + combo(you, COMBOS[1])
        };
        let mut list: Vec<(u32, Cell)> = self.free_cells().map(|cell| (worth(cell), cell)).collect();
        list.sort_unstable_by_key(|&(worth, cell)| (std::cmp::Reverse(worth), cell));
        list.into_iter().take(width).map(|(_, cell)| cell).collect()
    }

    fn rollout_move(&self, rng: &mut Rng) -> Option<Cell> {
        let cells = self.forced();
        if !cells.is_empty() {
            return Some(cells[rng.below(cells.len())]);
        }
        // The best value after each is multiplied by a random number between one and two.
        let mut noise = rng.bits() | 1;
        let mut best = (0, None);
        for cell in self.free_cells() {
            noise = noise.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            let value = self.value(Color::Black, cell) + self.value(Color::White, cell);
            let worth = (value + 1) * (256 + (noise >> 56) as u32);
            if worth > best.0 {
                best = (worth, Some(cell));
            }
        }
        best.1
    }
}

#[cfg(test)]
mod tests {
    use super::super::algebra::Monomials;
    use super::super::scores::Scores;
    use super::*;
    use fivestone_game::{Class, GameEnd, Point, Rule, Size};

    #[test]
    fn values_are_those_of_version_1_and_promises_those_of_the_board() {
        let mut rng = Rng::new(8);
        let mut combos = 0;
        for side in [5, 8, 15, 19, 22] {
            let size = Size::new(side).unwrap();
            let mut board = Board::new(size, Rule::Freestyle);
            let mut position = Pointed::new(&board);
            let mut scores = [(); 2].map(|()| Scores::new(Monomials::of(size), size.cells()));
            while board.end().is_none() {
                let cell = position.rollout_move(&mut rng).unwrap();
                let cell = if rng.below(4) == 0 { position.free_cells().next().unwrap() } else { cell };
                scores[board.to_move().index()].own(cell);
                scores[(!board.to_move()).index()].opponent(cell);
                let end = board.play(Point::from_dense(cell, size)).unwrap();
                let outcome = position.play(cell);
                assert_eq!(outcome == Outcome::Win, matches!(end, Some(GameEnd::Five(_))));
                for free in position.free_cells() {
                    for color in Color::BOTH {
                        assert_eq!(position.value(color, free), scores[color.index()].value(free));
                        let class = board.class(color, Point::from_dense(free, size));
                        let promise = position.promise(color, free);
                        assert_eq!(promise == Promise::Five, class == Class::Five, "{board:?}");
                        combos += usize::from(promise == Promise::Combo);
                    }
                }
            }
        }
        assert!(combos > 0);
    }
}
