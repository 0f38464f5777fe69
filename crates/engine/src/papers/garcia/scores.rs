//! Version 1's two tables: the score of every monomial and the value of every point, for one player.

use super::Cell;
use super::algebra::Monomials;

/// The monomial table and the point table of one player, updated by the few monomials a stone touches.
#[derive(Clone, Debug)]
pub struct Scores<'a> {
    monomials: &'a Monomials,
    products: Vec<u32>,
    values: Vec<u32>,
}

impl<'a> Scores<'a> {
    /// The tables on an empty board of so many cells.
    pub fn new(monomials: &'a Monomials, cells: usize) -> Scores<'a> {
        let values = (0..cells).map(|cell| monomials.covering(cell).len() as u32).collect();
        Scores { monomials, products: vec![1; monomials.len()], values }
    }

    /// The score of a monomial: the product of 2 for each own stone, 1 for each free point, 0 for an enemy stone.
    pub fn score(&self, monomial: usize) -> u32 {
        self.products[monomial]
    }

    /// The value of a point: the sum of the scores of the monomials that cover it.
    pub fn value(&self, cell: Cell) -> u32 {
        self.values[cell]
    }

    /// The highest score of a monomial that covers a point.
    pub fn highest_score(&self, cell: Cell) -> u32 {
        let scores =
            self.monomials.covering(cell).iter().map(|place| self.products[usize::from(place.monomial)]);
        scores.max().unwrap_or(0)
    }

    /// A stone of the player: the scores of the monomials it is in double.
    pub fn own(&mut self, cell: Cell) {
        self.multiply(cell, 2);
    }

    /// A stone of the opponent: the monomials it is in are dead.
    pub fn opponent(&mut self, cell: Cell) {
        self.multiply(cell, 0);
    }

    fn multiply(&mut self, cell: Cell, factor: u32) {
        for place in self.monomials.covering(cell) {
            let monomial = usize::from(place.monomial);
            let old = self.products[monomial];
            if old == 0 {
                continue;
            }
            self.products[monomial] = old * factor;
            for &point in self.monomials.cells(monomial) {
                let value = &mut self.values[usize::from(point)];
                *value = *value - old + old * factor;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;

    /// The definitions of chapter II, without any memory.
    fn recomputed(monomials: &Monomials, variables: &[u32]) -> (Vec<u32>, Vec<u32>) {
        let score = |monomial| -> u32 {
            monomials.cells(monomial).iter().map(|&cell| variables[usize::from(cell)]).product()
        };
        let scores: Vec<u32> = (0..monomials.len()).map(score).collect();
        let value = |cell| monomials.covering(cell).iter().map(|p| scores[usize::from(p.monomial)]).sum();
        let values = (0..variables.len()).map(value).collect();
        (scores, values)
    }

    #[test]
    fn the_update_agrees_with_the_definition() {
        let mut rng = Rng::new(2);
        for (n, c) in [(5, 5), (9, 4), (15, 5), (19, 5), (22, 6)] {
            let monomials = Monomials::new(n, c);
            let mut players = [(); 2].map(|()| (Scores::new(&monomials, n * n), vec![1; n * n]));
            let mut free: Vec<Cell> = (0..n * n).collect();
            for turn in 0..n * n {
                let cell = free.swap_remove(rng.below(free.len()));
                for (player, (scores, variables)) in players.iter_mut().enumerate() {
                    let own = turn % 2 == player;
                    variables[cell] = if own { 2 } else { 0 };
                    if own {
                        scores.own(cell);
                    } else {
                        scores.opponent(cell);
                    }
                    let (all, values) = recomputed(&monomials, variables);
                    assert_eq!((&scores.products, &scores.values), (&all, &values), "{n} {c} {turn}");
                }
            }
        }
    }
}
