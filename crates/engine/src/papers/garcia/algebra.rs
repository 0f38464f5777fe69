//! The algebra of chapter II: a variable for every point, a monomial for every list of `c` points in a row.
//!
//! Setting a variable to 1 is a stone of one's own; setting it to 0 is a stone of the opponent, which makes every
//! monomial with that variable 0: dead.

use super::Cell;
use fivestone_game::Size;
use std::sync::OnceLock;

/// Points of a winning row.
pub const CHAIN: usize = 5;

/// How a monomial lies on the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Orientation {
    /// Along a row.
    Horizontal,
    /// Along a column.
    Vertical,
    /// From the top left to the bottom right.
    RightDiagonal,
    /// From the bottom left to the top right.
    LeftDiagonal,
}

impl Orientation {
    /// Every orientation.
    pub const ALL: [Orientation; 4] = [
        Orientation::Horizontal,
        Orientation::Vertical,
        Orientation::RightDiagonal,
        Orientation::LeftDiagonal,
    ];

    /// The step from one point of a row to the next: right and down.
    pub const fn step(self) -> (isize, isize) {
        match self {
            Orientation::Horizontal => (1, 0),
            Orientation::Vertical => (0, 1),
            Orientation::RightDiagonal => (1, 1),
            Orientation::LeftDiagonal => (1, -1),
        }
    }
}

/// A monomial that has a point among its variables, or as one of its ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The monomial's number.
    pub monomial: u16,
    /// Which of its variables, or which end (0 before the first variable, 1 behind the last).
    pub slot: u8,
}

/// Every monomial of a board.
#[derive(Clone, Debug)]
pub struct Monomials {
    chain: usize,
    cells: Vec<u16>,
    orientations: Vec<Orientation>,
    ends: Vec<[Option<u16>; 2]>,
    covering: Vec<Vec<Place>>,
    ending: Vec<Vec<Place>>,
}

/// How many monomials an `n` x `n` board has for rows of `c`: figure 1 of the thesis.
pub const fn count(n: usize, c: usize) -> usize {
    if n < c { 0 } else { 2 * (n * (n - c + 1) + (n - c + 1) * (n - c + 1)) }
}

impl Monomials {
    /// The monomials of a board of side `n` where `c` points in a row win.
    pub fn new(n: usize, c: usize) -> Monomials {
        let mut all = Monomials {
            chain: c,
            cells: Vec::new(),
            orientations: Vec::new(),
            ends: Vec::new(),
            covering: vec![Vec::new(); n * n],
            ending: vec![Vec::new(); n * n],
        };
        for orientation in Orientation::ALL {
            for first in 0..n * n {
                all.add(n, first, orientation);
            }
        }
        all
    }

    /// The monomials of the game on a board of some size, made once.
    pub fn of(size: Size) -> &'static Monomials {
        static ALL: [OnceLock<Monomials>; 23] = [const { OnceLock::new() }; 23];
        ALL[size.side()].get_or_init(|| Monomials::new(size.side(), CHAIN))
    }

    fn add(&mut self, n: usize, first: Cell, orientation: Orientation) {
        let (dx, dy) = orientation.step();
        let at = |steps: isize| {
            let x = (first % n).checked_add_signed(dx * steps)?;
            let y = (first / n).checked_add_signed(dy * steps)?;
            (x < n && y < n).then_some(y * n + x)
        };
        let row: Option<Vec<Cell>> = (0..self.chain).map(|steps| at(steps as isize)).collect();
        let Some(row) = row else { return };
        let monomial = self.ends.len() as u16;
        for (slot, &cell) in row.iter().enumerate() {
            self.cells.push(cell as u16);
            self.covering[cell].push(Place { monomial, slot: slot as u8 });
        }
        let ends = [at(-1), at(self.chain as isize)];
        for (slot, end) in ends.iter().enumerate() {
            if let Some(cell) = *end {
                self.ending[cell].push(Place { monomial, slot: slot as u8 });
            }
        }
        self.ends.push(ends.map(|end| end.map(|cell| cell as u16)));
        self.orientations.push(orientation);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is none: the board is smaller than a row.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The points of a monomial, in order.
    #[inline]
    pub fn cells(&self, monomial: usize) -> &[u16] {
        &self.cells[monomial * self.chain..][..self.chain]
    }

    /// How a monomial lies.
    pub fn orientation(&self, monomial: usize) -> Orientation {
        self.orientations[monomial]
    }

    /// The points before and behind a monomial; nothing at the edge.
    pub fn ends(&self, monomial: usize) -> [Option<u16>; 2] {
        self.ends[monomial]
    }

    /// The monomials that cover a point.
    #[inline]
    pub fn covering(&self, cell: Cell) -> &[Place] {
        &self.covering[cell]
    }

    /// The monomials that have a point as an end.
    #[inline]
    pub fn ending(&self, cell: Cell) -> &[Place] {
        &self.ending[cell]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_as_the_formula_says() {
        assert_eq!(count(19, 5), 1020);
        for n in 3..=22 {
            for c in 3..=6 {
                let monomials = Monomials::new(n, c);
                assert_eq!(monomials.len(), count(n, c), "{n} {c}");
                assert_eq!(monomials.is_empty(), n < c);
            }
        }
    }

    #[test]
    fn a_point_is_covered_by_three_to_twenty() {
        let monomials = Monomials::new(19, 5);
        let covers: Vec<usize> = (0..361).map(|cell| monomials.covering(cell).len()).collect();
        assert_eq!((covers.iter().min(), covers.iter().max()), (Some(&3), Some(&20)));
        assert_eq!(covers.iter().sum::<usize>(), 5 * 1020);
        assert!((0..361).all(|cell| monomials.ending(cell).len() <= 8));
    }

    #[test]
    fn rows_are_straight_and_their_ends_are_beside_them() {
        let monomials = Monomials::new(7, 5);
        for monomial in 0..monomials.len() {
            let cells = monomials.cells(monomial);
            let (dx, dy) = monomials.orientation(monomial).step();
            let step = dx + 7 * dy;
            assert!(cells.windows(2).all(|two| two[1] as isize - two[0] as isize == step));
            let [before, behind] = monomials.ends(monomial);
            assert!(before.is_none_or(|end| cells[0] as isize - end as isize == step));
            assert!(behind.is_none_or(|end| end as isize - cells[4] as isize == step));
        }
    }
}
