//! Version 2's state table: the 128 configurations of a living monomial and its two end points, and version 3's rank
//! score of each.

use super::algebra::CHAIN;
use std::sync::LazyLock;

/// How many configurations there are: five points and two ends, each taken or not.
pub const STATES: usize = 1 << (CHAIN + 2);

/// The rank of a complete row, before all others.
pub const COMPLETE: u8 = u8::MAX;

/// A row of the state table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct State {
    /// Which of the five points the player has taken.
    pub points: [bool; CHAIN],
    /// Whether the end before the first point is blocked, by the opponent or the edge.
    pub left: bool,
    /// Whether the end behind the last point is blocked.
    pub right: bool,
    /// The score: 2 to the power of the stones.
    pub score: u8,
    /// The rank score 0..=9: four stones are 0 or 1, none 8 or 9; even where the opponent cannot block, odd where he can.
    /// [`COMPLETE`] for five stones.
    pub rank: u8,
}

/// The index of a configuration: `4x + y`, where x has a bit for each point (the first the highest) and y for each end (the
/// left one the higher).
pub const fn index(x: usize, y: usize) -> usize {
    4 * x + y
}

/// The bit of a point in the index.
#[inline]
pub const fn point_bit(slot: usize) -> u8 {
    1 << (CHAIN + 1 - slot)
}

/// The bit of an end in the index: 0 is the left one.
#[inline]
pub const fn end_bit(end: usize) -> u8 {
    1 << (1 - end)
}

/// The table, by index.
pub static STATE_TABLE: LazyLock<[State; STATES]> = LazyLock::new(|| std::array::from_fn(state));

/// The rank scores alone, by index.
pub static RANKS: LazyLock<[u8; STATES]> =
    LazyLock::new(|| std::array::from_fn(|index| STATE_TABLE[index].rank));

fn state(index: usize) -> State {
    let points = std::array::from_fn(|slot| index & usize::from(point_bit(slot)) != 0);
    let stones = points.iter().filter(|&&taken| taken).count();
    let rank = match stones {
        CHAIN => COMPLETE,
        stones => 2 * (CHAIN - 1 - stones) as u8 + u8::from(!cannot_be_blocked(index)),
    };
    State {
        points,
        left: index & usize::from(end_bit(0)) != 0,
        right: index & usize::from(end_bit(1)) != 0,
        score: 1 << stones,
        rank,
    }
}

/// Whether the row grows, stone by stone, into four neighbours with both sides free, of which the opponent can take only
/// one. The thesis names the two kinds of rank and leaves the test open.
fn cannot_be_blocked(index: usize) -> bool {
    let taken = |slot: usize| index & usize::from(point_bit(slot)) != 0;
    let blocked = |end: usize| index & usize::from(end_bit(end)) != 0;
    let free: Vec<usize> = (0..CHAIN).filter(|&slot| !taken(slot)).collect();
    match free[..] {
        [0] => !blocked(1),
        [4] => !blocked(0),
        [_] => false,
        _ => free.iter().any(|&slot| cannot_be_blocked(index | usize::from(point_bit(slot)))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rank(points: &str, ends: &str) -> u8 {
        let bit = |mark| usize::from(mark != '.');
        let x = points.chars().fold(0, |x, mark| 2 * x + bit(mark));
        let y = ends.chars().fold(0, |y, mark| 2 * y + bit(mark));
        STATE_TABLE[index(x, y)].rank
    }

    #[test]
    fn the_first_rows_are_those_of_table_3() {
        for (row, state) in STATE_TABLE.iter().enumerate().take(8) {
            assert_eq!(state.points, [false, false, false, false, row >= 4]);
            assert_eq!((state.left, state.right), (row % 4 >= 2, row % 2 == 1));
        }
    }

    #[test]
    fn every_rank_occurs_and_follows_the_score() {
        for state in STATE_TABLE.iter().filter(|state| state.rank != COMPLETE) {
            assert_eq!(state.score, 16 >> (state.rank / 2));
        }
        assert!((0..=9).all(|rank| STATE_TABLE.iter().any(|state| state.rank == rank)));
    }

    #[test]
    fn even_ranks_are_the_open_rows() {
        assert_eq!(rank("xxxx.", ".."), 0);
        assert_eq!(rank("xxxx.", "#."), 1);
        assert_eq!(rank("xx.xx", ".."), 1);
        assert_eq!(rank(".xxx.", ".#"), 2);
        assert_eq!(rank(".xxx.", "##"), 3);
        assert_eq!(rank("xx.x.", ".#"), 2);
        assert_eq!(rank("x.x.x", ".."), 3);
        assert_eq!(rank("xxx..", "#."), 3);
        assert_eq!(rank(".....", "##"), 9);
        assert_eq!(rank(".....", "#."), 8);
    }
}
