//! Four patterns in no particular order.

use fivestone_game::Pattern;
use std::sync::OnceLock;

const PATTERNS: usize = Pattern::ALL.len();

/// How many shapes there are: multisets of four out of twelve patterns.
pub const SHAPES: usize = PATTERNS * (PATTERNS + 1) * (PATTERNS + 2) * (PATTERNS + 3) / 24;

/// The number of the shape of a pattern key (see [`fivestone_game::Board::pattern_key`]).
pub fn shape(key: u16) -> usize {
    static TABLE: OnceLock<Vec<u16>> = OnceLock::new();
    usize::from(TABLE.get_or_init(table)[usize::from(key)])
}

fn table() -> Vec<u16> {
    (0..=u16::MAX).map(|key| rank([0, 4, 8, 12].map(|shift| usize::from(key >> shift & 15)))).collect()
}

/// The rank of a multiset: with the patterns sorted, the i-th one plus i is strictly increasing, and such sequences
/// are counted by binomial coefficients.
fn rank(mut patterns: [usize; 4]) -> u16 {
    if patterns.iter().any(|&pattern| pattern >= PATTERNS) {
        return 0;
    }
    patterns.sort_unstable();
    let choose = |n: usize, k: usize| (0..k).fold(1, |product, i| product * (n - i) / (i + 1));
    (0..4).map(|i| if patterns[i] + i > i { choose(patterns[i] + i, i + 1) } else { 0 }).sum::<usize>() as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_multiset_has_its_own_number() {
        let mut seen = vec![None; SHAPES];
        for key in 0..=u16::MAX {
            let mut patterns = [0, 4, 8, 12].map(|shift| usize::from(key >> shift & 15));
            if patterns.iter().all(|&pattern| pattern < PATTERNS) {
                patterns.sort_unstable();
                let known = seen[shape(key)].get_or_insert(patterns);
                assert_eq!(*known, patterns);
            }
        }
        assert!(seen.iter().all(Option::is_some));
    }
}
