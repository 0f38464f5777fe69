//! Version 3's position: the living monomials of both players in the order of their rank scores, and no point table.

use super::algebra::Monomials;
use super::primary::Position;
use super::states::{COMPLETE, RANKS, end_bit, point_bit};
use super::{Cell, Outcome, Stones};
use crate::Rng;
use fivestone_game::{Board, Color};

/// Monomials of the largest board.
const MAX_MONOMIALS: usize = super::algebra::count(22, 5);
/// The state of a dead monomial.
const DEAD: u8 = 128;
/// Ranks 0..=9, then the monomials that no longer matter: dead or complete.
const GROUPS: usize = 11;

/// One player's monomials: the index of each one's state, and all of them sorted by rank.
#[derive(Clone)]
struct Player {
    states: [u8; MAX_MONOMIALS],
    order: [u16; MAX_MONOMIALS],
    /// Where in the order each monomial stands.
    places: [u16; MAX_MONOMIALS],
    /// Where in the order each rank begins.
    starts: [u16; GROUPS + 1],
}

impl Player {
    fn new(monomials: &Monomials) -> Player {
        let mut player = Player {
            states: [DEAD; MAX_MONOMIALS],
            order: [0; MAX_MONOMIALS],
            places: [0; MAX_MONOMIALS],
            starts: [0; GROUPS + 1],
        };
        let mut groups: [Vec<u16>; GROUPS] = Default::default();
        for monomial in 0..monomials.len() {
            let mut state = 0;
            for (end, cell) in monomials.ends(monomial).into_iter().enumerate() {
                state |= if cell.is_none() { end_bit(end) } else { 0 };
            }
            player.states[monomial] = state;
            groups[group(state)].push(monomial as u16);
        }
        let mut place = 0;
        for (rank, members) in groups.iter().enumerate() {
            player.starts[rank] = place;
            for &monomial in members {
                player.order[usize::from(place)] = monomial;
                player.places[usize::from(monomial)] = place;
                place += 1;
            }
        }
        player.starts[GROUPS] = place;
        player
    }

    /// The monomials of some ranks.
    #[inline]
    fn ranked(&self, ranks: std::ops::RangeInclusive<usize>) -> &[u16] {
        &self.order[usize::from(self.starts[*ranks.start()])..usize::from(self.starts[ranks.end() + 1])]
    }

    /// Gives a monomial a new state and moves it to its rank, from one group to the next.
    #[inline]
    fn set(&mut self, monomial: usize, state: u8) {
        let old = group(self.states[monomial]);
        let new = group(state);
        self.states[monomial] = state;
        for border in (new + 1..=old).rev() {
            self.exchange(monomial, usize::from(self.starts[border]));
            self.starts[border] += 1;
        }
        for border in old + 1..=new {
            self.starts[border] -= 1;
            self.exchange(monomial, usize::from(self.starts[border]));
        }
    }

    #[inline]
    fn exchange(&mut self, monomial: usize, place: usize) {
        let (other, from) = (self.order[place], self.places[monomial]);
        self.order.swap(place, usize::from(from));
        self.places[usize::from(other)] = from;
        self.places[monomial] = place as u16;
    }
}

/// The group of a state in the order.
#[inline]
fn group(state: u8) -> usize {
    static GROUP: std::sync::LazyLock<[u8; 256]> = std::sync::LazyLock::new(|| {
        std::array::from_fn(|state| match RANKS.get(state) {
            Some(&rank) if rank != COMPLETE => rank,
            _ => GROUPS as u8 - 1,
        })
    });
    usize::from(GROUP[usize::from(state)])
}

/// A position as version 3 sees it.
#[derive(Clone)]
pub struct Ranked {
    monomials: &'static Monomials,
    players: [Player; 2],
    /// The stones, for the rules in which not every row of five wins.
    pub stones: Stones,
    /// The side to move.
    pub to_move: Color,
}

/// What a free point of a monomial of each rank counts when a handful of moves is chosen.
const WEIGHTS: [u32; 10] = [0, 0, 240, 100, 60, 24, 10, 5, 2, 1];
/// A combo of one's own and one of the opponent's.
const COMBOS: [u32; 2] = [4000, 2000];

impl Ranked {
    /// The position of a board.
    pub fn new(board: &Board) -> Ranked {
        let monomials = Monomials::of(board.size());
        let mut position = Ranked {
            monomials,
            players: [(); 2].map(|()| Player::new(monomials)),
            stones: Stones::new(board),
            to_move: board.to_move(),
        };
        for color in Color::BOTH {
            for point in board.stones(color).iter() {
                position.update(point.dense(board.size()), color);
            }
        }
        position
    }

    /// Tells the monomials about a stone: those of its owner grow, those of the other die or are blocked at an end.
    /// Answers whether a row was completed.
    #[inline]
    fn update(&mut self, cell: Cell, color: Color) -> bool {
        let mut complete = false;
        let [black, white] = &mut self.players;
        let (own, other) = if color == Color::Black { (black, white) } else { (white, black) };
        for place in self.monomials.covering(cell) {
            let monomial = usize::from(place.monomial);
            let state = own.states[monomial];
            if state != DEAD {
                let state = state | point_bit(place.slot.into());
                complete |= RANKS[usize::from(state)] == COMPLETE;
                own.set(monomial, state);
            }
            if other.states[monomial] != DEAD {
                other.set(monomial, DEAD);
            }
        }
        for place in self.monomials.ending(cell) {
            let monomial = usize::from(place.monomial);
            let state = other.states[monomial];
            if state != DEAD {
                other.set(monomial, state | end_bit(place.slot.into()));
            }
        }
        complete
    }

    /// How many living monomials of a rank a side has.
    pub fn count(&self, color: Color, rank: usize) -> usize {
        self.players[color.index()].ranked(rank..=rank).len()
    }

    /// The best rank among a side's monomials through a cell.
    pub fn best_rank(&self, color: Color, cell: Cell) -> Option<usize> {
        let player = &self.players[color.index()];
        let groups =
            self.monomials.covering(cell).iter().map(|p| group(player.states[usize::from(p.monomial)]));
        groups.min().filter(|&group| group < GROUPS - 1)
    }

    /// The free points of a monomial.
    #[inline]
    fn free(&self, color: Color, monomial: u16) -> impl Iterator<Item = (usize, Cell)> + '_ {
        let monomial = usize::from(monomial);
        let state = self.players[color.index()].states[monomial];
        let cells = self.monomials.cells(monomial);
        let free = cells.iter().enumerate().filter(move |&(slot, _)| state & point_bit(slot) == 0);
        free.map(|(slot, &cell)| (slot, usize::from(cell)))
    }

    /// Whether taking a point gives a monomial a rank no worse than `rank`.
    #[inline]
    fn reaches(&self, color: Color, monomial: u16, slot: usize, rank: u8) -> bool {
        let state = self.players[color.index()].states[usize::from(monomial)] | point_bit(slot);
        RANKS[usize::from(state)] <= rank
    }

    /// The points where a side wins with its next stone.
    pub fn fives(&self, color: Color, found: &mut Vec<Cell>) {
        for &monomial in self.players[color.index()].ranked(0..=1) {
            for (_, cell) in self.free(color, monomial) {
                if !found.contains(&cell) && self.stones.wins(cell, color) {
                    found.push(cell);
                }
            }
        }
    }

    /// One point where a side wins with its next stone.
    #[inline]
    fn five(&self, color: Color) -> Option<Cell> {
        let fours = self.players[color.index()].ranked(0..=1).iter();
        let cells = fours.filter_map(|&monomial| self.free(color, monomial).map(|(_, cell)| cell).next());
        cells.into_iter().find(|&cell| self.stones.wins(cell, color))
    }

    /// The points where a side makes a four that cannot be blocked.
    pub fn open_fours(&self, color: Color, found: &mut Vec<Cell>) {
        for &monomial in self.players[color.index()].ranked(2..=2) {
            for (slot, cell) in self.free(color, monomial) {
                if self.reaches(color, monomial, slot, 0) && !found.contains(&cell) {
                    found.push(cell);
                }
            }
        }
    }

    /// The points where a side makes any four.
    pub fn fours(&self, color: Color, found: &mut Vec<Cell>) {
        for &monomial in self.players[color.index()].ranked(2..=3) {
            for (_, cell) in self.free(color, monomial) {
                if !found.contains(&cell) {
                    found.push(cell);
                }
            }
        }
    }

    /// The points where a side makes an open three.
    pub fn open_threes(&self, color: Color, found: &mut Vec<Cell>) {
        for &monomial in self.players[color.index()].ranked(4..=4) {
            for (slot, cell) in self.free(color, monomial) {
                if self.reaches(color, monomial, slot, 2) && !found.contains(&cell) {
                    found.push(cell);
                }
            }
        }
    }

    /// The free points and ends of a side's monomials of some ranks: where the opponent can stop them.
    pub fn stoppers(&self, color: Color, ranks: std::ops::RangeInclusive<usize>, found: &mut Vec<Cell>) {
        for &monomial in self.players[color.index()].ranked(ranks) {
            let ends = self.monomials.ends(usize::from(monomial)).into_iter().flatten().map(usize::from);
            for cell in self.free(color, monomial).map(|(_, cell)| cell).chain(ends) {
                if self.stones.is_empty(cell) && !found.contains(&cell) {
                    found.push(cell);
                }
            }
        }
    }

    /// The moves that the threats on the board leave; nothing when there is no threat.
    fn forced(&self, found: &mut Vec<Cell>) {
        let (me, you) = (self.to_move, !self.to_move);
        if let Some(cell) = self.five(me) {
            found.push(cell);
            return;
        }
        self.fives(you, found);
        if found.is_empty() {
            self.open_fours(me, found);
        }
        if found.is_empty() && self.count(you, 2) > 0 {
            self.stoppers(you, 2..=2, found);
            self.fours(me, found);
        }
    }

    /// What each free point promises both sides, from their monomials and combos: (points, cell), best first.
    pub fn assessed(&self) -> Vec<(u32, Cell)> {
        let cells = self.stones.side * self.stones.side;
        let mut points = vec![0; cells];
        for (color, combo) in [(self.to_move, COMBOS[0]), (!self.to_move, COMBOS[1])] {
            // Orientations on which a stone would make a threat, as bits per cell.
            let mut threats = vec![0u8; cells];
            for (rank, weight) in WEIGHTS.into_iter().enumerate().skip(2) {
                for &monomial in self.players[color.index()].ranked(rank..=rank) {
                    for (slot, cell) in self.free(color, monomial) {
                        points[cell] += weight;
                        if rank <= 4 && self.reaches(color, monomial, slot, 2) {
                            threats[cell] |= 1 << self.monomials.orientation(monomial.into()) as u8;
                        }
                    }
                }
            }
            for (cell, threats) in threats.into_iter().enumerate() {
                points[cell] += if threats.count_ones() > 1 { combo } else { 0 };
            }
        }
        let free = (0..cells).filter(|&cell| self.stones.is_empty(cell));
        let mut list: Vec<(u32, Cell)> = free.map(|cell| (points[cell], cell)).collect();
        list.sort_unstable_by_key(|&(points, cell)| (std::cmp::Reverse(points), cell));
        list
    }

    /// The cells on which a side has a combo: threats on two orientations at once.
    pub fn combos(&self, color: Color) -> Vec<Cell> {
        let cells = self.stones.side * self.stones.side;
        let threats = |cell: Cell| {
            let places = self.monomials.covering(cell).iter().filter(|place| {
                let monomial = place.monomial;
                (2..=4).contains(&group(self.players[color.index()].states[usize::from(monomial)]))
                    && self.reaches(color, monomial, place.slot.into(), 2)
            });
            let orientations =
                places.map(|place| 1u8 << self.monomials.orientation(place.monomial.into()) as u8);
            orientations.fold(0, |all, one| all | one).count_ones()
        };
        (0..cells).filter(|&cell| self.stones.is_empty(cell) && threats(cell) > 1).collect()
    }

    /// A random free point of a random monomial of the best ranks of either side.
    #[inline]
    fn promising(&self, rng: &mut Rng) -> Option<Cell> {
        for ranks in [3..=4, 5..=6, 7..=8, 9..=9] {
            let lists = Color::BOTH.map(|color| self.players[color.index()].ranked(ranks.clone()));
            let total = lists[0].len() + lists[1].len();
            if total == 0 {
                continue;
            }
            let pick = rng.below(total);
            let (color, monomial) = match lists[0].get(pick) {
                Some(&monomial) => (Color::Black, monomial),
                None => (Color::White, lists[1][pick - lists[0].len()]),
            };
            let count = self.free(color, monomial).count();
            return self.free(color, monomial).nth(rng.below(count)).map(|(_, cell)| cell);
        }
        None
    }
}

impl Position for Ranked {
    fn play(&mut self, cell: Cell) -> Outcome {
        let color = self.to_move;
        self.stones.put(cell, color);
        self.to_move = !color;
        let complete = self.update(cell, color);
        match if complete { self.stones.judge(cell, color) } else { Outcome::Open } {
            Outcome::Open if self.stones.empty == 0 => Outcome::Draw,
            outcome => outcome,
        }
    }

    fn handful(&self, width: usize) -> Vec<Cell> {
        let mut cells = Vec::new();
        self.forced(&mut cells);
        if cells.is_empty() {
            cells = self.assessed().into_iter().take(width).map(|(_, cell)| cell).collect();
        }
        cells
    }

    fn rollout_move(&self, rng: &mut Rng) -> Option<Cell> {
        let (me, you) = (self.to_move, !self.to_move);
        if let Some(cell) = self.five(me).or_else(|| self.five(you)) {
            return Some(cell);
        }
        if self.count(me, 2) + self.count(you, 2) > 0 {
            let mut cells = Vec::with_capacity(16);
            self.forced(&mut cells);
            if !cells.is_empty() {
                return Some(cells[rng.below(cells.len())]);
            }
        }
        self.promising(rng)
            .or_else(|| (0..self.stones.side * self.stones.side).find(|&c| self.stones.is_empty(c)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fivestone_game::{GameEnd, Point, Rule, Size};

    /// The group a monomial belongs to, from the stones alone.
    fn oracle(position: &Ranked, color: Color, monomial: usize) -> usize {
        let stone = |cell: u16| position.stones.cells[usize::from(cell)];
        let mut state = 0;
        for (slot, &cell) in position.monomials.cells(monomial).iter().enumerate() {
            match stone(cell) {
                Some(owner) if owner == color => state |= point_bit(slot),
                Some(_) => return GROUPS - 1,
                None => {}
            }
        }
        for (end, cell) in position.monomials.ends(monomial).into_iter().enumerate() {
            if cell.is_none_or(|cell| stone(cell) == Some(!color)) {
                state |= end_bit(end);
            }
        }
        group(state)
    }

    #[test]
    fn ranks_agree_with_recomputation_and_ends_with_the_board() {
        let mut rng = Rng::new(4);
        let mut wins = 0;
        for rule in Rule::ALL {
            for side in [5, 9, 15, 22] {
                let size = Size::new(side).unwrap();
                let mut board = Board::new(size, rule);
                let mut position = Ranked::new(&board);
                while board.end().is_none() {
                    // Rollout moves make rows, random ones cross them.
                    let random = rng.below(size.cells());
                    let cell = if rng.below(3) > 0 || !position.stones.is_empty(random) {
                        position.rollout_move(&mut rng).unwrap()
                    } else {
                        random
                    };
                    let end = board.play(Point::from_dense(cell, size)).unwrap();
                    let outcome = position.play(cell);
                    match end {
                        Some(GameEnd::Five(_)) => assert_eq!(outcome, Outcome::Win),
                        Some(GameEnd::Draw) => assert_eq!(outcome, Outcome::Draw),
                        None => assert_eq!(outcome, Outcome::Open, "{board:?}"),
                        Some(GameEnd::Forbidden(_)) => {}
                    }
                    wins += usize::from(outcome == Outcome::Win);
                    for color in Color::BOTH {
                        for group in 0..GROUPS {
                            let mut members = position.players[color.index()].ranked(group..=group).to_vec();
                            members.sort_unstable();
                            let expected: Vec<u16> = (0..position.monomials.len() as u16)
                                .filter(|&m| oracle(&position, color, m.into()) == group)
                                .collect();
                            assert_eq!(members, expected, "{board:?}");
                        }
                    }
                }
            }
        }
        assert!(wins > 5);
    }

    #[test]
    fn a_fork_of_two_twos_is_a_combo() {
        let drawing = ". . . . . . . . .\n. . . . . . . . .\n. . . . . x . . .\n. . . . . x . . .\n. . . . . . . . .\n\
                       . . x x . . . . .\n. . . . . . . o .\n. . . . . o . o .\n. . . . . . . . .";
        let board = Board::parse_drawing(drawing, Rule::Freestyle, Color::Black).unwrap();
        let position = Ranked::new(&board);
        let cross = 5 * 9 + 5;
        assert!(position.combos(Color::Black).contains(&cross));
        assert!(position.handful(8).contains(&cross));
    }
}
