//! Version 2's point states: what lies around a free point on one orientation, numbered, with the number of the state that
//! each single stone leads to.

use super::algebra::CHAIN;
use super::states::{COMPLETE, STATE_TABLE, end_bit, point_bit};
use std::collections::BTreeMap;
use std::sync::LazyLock;

/// How far a point sees to each side: four points of its longest configuration and the end behind them.
pub const REACH: usize = CHAIN;

/// The state in which no monomial through the point is alive.
pub const DEAD: u16 = 0;

/// What a player gets on one orientation by taking the point.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Gain {
    /// No threat.
    Nothing,
    /// Three stones that one more makes four which cannot be blocked.
    OpenThree,
    /// Four stones that can be blocked.
    Four,
    /// Four stones that cannot be blocked.
    OpenFour,
    /// Five.
    Five,
}

/// A row of the point state table.
#[derive(Clone, Debug)]
pub struct PointState {
    /// The sum of the scores of the living monomials through the point on this orientation.
    pub value: u16,
    /// What the player gets by taking the point.
    pub gain: Gain,
    /// The state after an own stone (`[0]`) or an enemy stone (`[1]`) at each distance: -5..=-1, then 1..=5.
    next: [[u16; 2 * REACH]; 2],
}

impl PointState {
    /// The state after a stone at a distance along the orientation, which is not 0.
    #[inline]
    pub fn after(&self, own: bool, distance: isize) -> u16 {
        let place = if distance < 0 { distance + REACH as isize } else { distance + REACH as isize - 1 };
        self.next[usize::from(!own)][place as usize]
    }
}

/// What a point sees on one side: its living neighbours and what is behind them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Arm {
    /// Points up to the first one taken by the opponent, at most four.
    length: u8,
    /// A bit for each own stone, the nearest the lowest.
    stones: u8,
    /// Whether the point behind four living ones is blocked; always so for a shorter arm.
    blocked: bool,
}

impl Arm {
    const LONGEST: u8 = CHAIN as u8 - 1;

    fn all() -> impl Iterator<Item = Arm> {
        (0..=Arm::LONGEST).flat_map(|length| {
            (0..1 << length).flat_map(move |stones| {
                let open = (length == Arm::LONGEST).then_some(Arm { length, stones, blocked: false });
                open.into_iter().chain([Arm { length, stones, blocked: true }])
            })
        })
    }

    /// The arm after a stone at a distance from 1 to 5.
    fn after(self, own: bool, distance: u8) -> Arm {
        if distance > self.length {
            let behind = distance == CHAIN as u8 && !own;
            return Arm { blocked: self.blocked || behind && self.length == Arm::LONGEST, ..self };
        }
        if own {
            return Arm { stones: self.stones | 1 << (distance - 1), ..self };
        }
        let length = distance - 1;
        Arm { length, stones: self.stones & ((1 << length) - 1), blocked: true }
    }
}

/// The numbered states; [`DEAD`] is the first.
pub static POINT_STATES: LazyLock<Vec<PointState>> = LazyLock::new(build);

/// How many states a point has on one orientation for monomials of length `n`: figure 4 of the thesis.
pub const fn count(n: usize) -> usize {
    let mut sum = 4 << (2 * n - 2);
    let mut k = n;
    while k < 2 * n - 1 {
        sum += (2 * n + 2 - k) << (k - 1);
        k += 1;
    }
    sum
}

/// The state of a point that sees so many free points on each side, up to the edge, on an empty board.
pub fn on_empty_board(before: usize, behind: usize) -> u16 {
    static NUMBERS: LazyLock<BTreeMap<(Arm, Arm), u16>> = LazyLock::new(numbers);
    let arm = |free: usize| Arm { length: free.min(CHAIN - 1) as u8, stones: 0, blocked: free < CHAIN };
    NUMBERS.get(&(arm(before), arm(behind))).copied().unwrap_or(DEAD)
}

fn is_alive(left: Arm, right: Arm) -> bool {
    usize::from(left.length + right.length) + 1 >= CHAIN
}

fn numbers() -> BTreeMap<(Arm, Arm), u16> {
    let pairs = Arm::all().flat_map(|left| Arm::all().map(move |right| (left, right)));
    let alive = pairs.filter(|&(left, right)| is_alive(left, right));
    alive.zip(1..).collect()
}

fn build() -> Vec<PointState> {
    let numbers = numbers();
    let dead = PointState { value: 0, gain: Gain::Nothing, next: [[DEAD; 2 * REACH]; 2] };
    let mut table = vec![dead; numbers.len() + 1];
    let number = |arms: (Arm, Arm)| numbers.get(&arms).copied().unwrap_or(DEAD);
    for (&(left, right), &own_number) in &numbers {
        let mut next = [[DEAD; 2 * REACH]; 2];
        for (row, own) in next.iter_mut().zip([true, false]) {
            for distance in 1..=REACH {
                row[REACH - distance] = number((left.after(own, distance as u8), right));
                row[REACH + distance - 1] = number((left, right.after(own, distance as u8)));
            }
        }
        let (value, gain) = judge(left, right);
        table[usize::from(own_number)] = PointState { value, gain, next };
    }
    table
}

/// The sum of the scores of the monomials through a free point, and what a stone there makes of the best of them.
fn judge(left: Arm, right: Arm) -> (u16, Gain) {
    let (mut value, mut gain) = (0, Gain::Nothing);
    // The monomial whose first point is `before` steps left of the point.
    for before in 0..CHAIN as u8 {
        let behind = CHAIN as u8 - 1 - before;
        if before > left.length || behind > right.length {
            continue;
        }
        let mut index = 0;
        for slot in 0..CHAIN as u8 {
            let taken = match slot.cmp(&before) {
                std::cmp::Ordering::Less => left.stones >> (before - slot - 1) & 1 != 0,
                std::cmp::Ordering::Equal => false,
                std::cmp::Ordering::Greater => right.stones >> (slot - before - 1) & 1 != 0,
            };
            index |= if taken { point_bit(slot.into()) } else { 0 };
        }
        let ends = [(left, before), (right, behind)];
        for (end, (arm, steps)) in ends.into_iter().enumerate() {
            if steps == arm.length && arm.blocked {
                index |= end_bit(end);
            }
        }
        value += u16::from(STATE_TABLE[usize::from(index)].score);
        let taken = STATE_TABLE[usize::from(index | point_bit(before.into()))];
        gain = gain.max(match taken.rank {
            COMPLETE => Gain::Five,
            0 => Gain::OpenFour,
            1 => Gain::Four,
            2 => Gain::OpenThree,
            _ => Gain::Nothing,
        });
    }
    (value, gain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_as_many_states_as_the_formula_says() {
        assert_eq!(count(CHAIN), 2160);
        assert_eq!(POINT_STATES.len(), count(CHAIN) + 1);
    }

    #[test]
    fn stones_lead_from_state_to_state() {
        let play = |moves: &[(bool, isize)]| {
            let mut state = on_empty_board(9, 9);
            for &(own, distance) in moves {
                state = POINT_STATES[usize::from(state)].after(own, distance);
            }
            state
        };
        let gain = |moves: &[(bool, isize)]| POINT_STATES[usize::from(play(moves))].gain;
        assert_eq!(POINT_STATES[usize::from(play(&[]))].value, 5);
        assert_eq!(gain(&[(true, 1), (true, 2)]), Gain::OpenThree);
        assert_eq!(gain(&[(true, 1), (true, 2), (true, 3)]), Gain::OpenFour);
        assert_eq!(gain(&[(true, 1), (true, 2), (true, 3), (false, 4)]), Gain::Four);
        assert_eq!(gain(&[(true, -1), (true, -2), (true, 2)]), Gain::Four);
        assert_eq!(gain(&[(true, -1), (true, -2), (true, 1), (true, 2)]), Gain::Five);
        assert_eq!(play(&[(false, 1), (false, -4)]), DEAD);
        assert_eq!(play(&[(true, 2), (false, 3)]), play(&[(false, 3), (true, 2)]));
        assert_eq!(on_empty_board(1, 2), DEAD);
    }
}
