//! From line codes to patterns: one table per rule, built on first use.
//!
//! A code's ten slots are the cells at distances -5..-1, 1..5 along the direction, two bits each: 0 empty, 1 black,
//! 2 white, 3 wall. The table is filled by recursion on "add a stone, what does it become?": adding a stone to an
//! empty slot makes the code larger, so going down from the largest code every question is already answered.

use super::{Class, Pattern};
use crate::point::MARGIN;
use crate::rule::Winning;
use crate::{Color, Rule};
use std::sync::OnceLock;

/// Slots of a line code.
const SLOTS: usize = 2 * MARGIN;
/// How many codes two bits a slot can form.
pub(crate) const CODES: usize = 1 << (2 * SLOTS);
const HALF_CODES: usize = 1 << SLOTS;

const EMPTY: usize = 0;
const OWN: usize = 1;
const ENEMY: usize = 2;
const WALL: usize = 3;

/// The tables of one rule.
pub(crate) struct Tables {
    /// Line code to patterns: Black's in the low four bits, White's in the high.
    pub lines: Box<[u8; CODES]>,
    /// Four packed patterns (four bits each) to a class, per colour.
    pub classes: [&'static [u8; 1 << 16]; 2],
}

/// The tables of a rule.
pub(crate) fn tables(rule: Rule) -> &'static Tables {
    static TABLES: [OnceLock<Tables>; 5] = [const { OnceLock::new() }; 5];
    TABLES[rule as usize].get_or_init(|| Tables::new(rule))
}

impl Tables {
    fn new(rule: Rule) -> Tables {
        let codes = reachable_codes();
        let black = patterns_for(rule.winning(Color::Black), rule.restricts(Color::Black), &codes);
        let same = rule.winning(Color::Black) == rule.winning(Color::White) && !rule.restricts(Color::Black);
        let other = (!same).then(|| patterns_for(rule.winning(Color::White), false, &codes));
        let white = other.as_ref().unwrap_or(&black);
        let mut lines = boxed_codes();
        for &code in &codes {
            let code = code as usize;
            lines[code] = black[code] | white[swap_colours(code)] << 4;
        }
        Tables { lines, classes: Color::BOTH.map(|color| classes(rule.restricts(color))) }
    }

    /// The class of a side's packed patterns.
    #[inline(always)]
    pub fn class(&self, color: Color, key: u16) -> Class {
        Class::ALL[usize::from(self.classes[color.index()][usize::from(key)]) % Class::COUNT]
    }
}

fn boxed_codes() -> Box<[u8; CODES]> {
    vec![0u8; CODES].into_boxed_slice().try_into().expect("the vector has one entry per code")
}

/// Codes that can stand on a board (walls only outermost), largest first.
fn reachable_codes() -> Vec<u32> {
    fn walls_outermost(from_outside: impl Iterator<Item = usize>) -> bool {
        from_outside.skip_while(|&digit| digit == WALL).all(|digit| digit != WALL)
    }
    // In the low half the outermost cell is the lowest slot; in the high half it is the highest.
    let low: Vec<usize> =
        (0..HALF_CODES).rev().filter(|&h| walls_outermost((0..MARGIN).map(|slot| digit(h, slot)))).collect();
    let high =
        (0..HALF_CODES).rev().filter(|&h| walls_outermost((0..MARGIN).rev().map(|slot| digit(h, slot))));
    high.flat_map(|h| low.iter().map(move |&l| (h * HALF_CODES + l) as u32)).collect()
}

fn swap_colours(code: usize) -> usize {
    const LOW_BITS: usize = 0x5_5555;
    (code & LOW_BITS) << 1 | (code >> 1) & LOW_BITS
}

fn digit(code: usize, slot: usize) -> usize {
    code >> (2 * slot) & 3
}

/// The pattern of every code for the side whose stones are digit 1.
fn patterns_for(winning: Winning, restricted: bool, codes: &[u32]) -> Box<[u8; CODES]> {
    let mut patterns = boxed_codes();
    for &code in codes {
        let code = code as usize;
        patterns[code] = classify(code, &patterns, winning, restricted) as u8;
    }
    patterns
}

fn classify(code: usize, known: &[u8; CODES], winning: Winning, restricted: bool) -> Pattern {
    let left = (0..MARGIN).take_while(|i| digit(code, MARGIN - 1 - i) == OWN).count();
    let right = (0..MARGIN).take_while(|i| digit(code, MARGIN + i) == OWN).count();
    let run = left + right + 1;
    let blocked = left < MARGIN
        && right < MARGIN
        && digit(code, MARGIN - 1 - left) == ENEMY
        && digit(code, MARGIN + right) == ENEMY;
    if winning.wins(run, blocked) {
        return Pattern::Five;
    }
    if run > 5 {
        return Pattern::Overline;
    }
    let (mut best, mut completions) = (Pattern::Dead, 0);
    for slot in (0..SLOTS).filter(|&slot| digit(code, slot) == EMPTY) {
        let next = Pattern::from_bits(known[code | OWN << (2 * slot)]);
        best = best.max(next);
        completions += usize::from(next == Pattern::Five);
    }
    match best {
        Pattern::Five if restricted => match completions {
            1 => Pattern::Four,
            _ if run == 4 => Pattern::OpenFour,
            _ => Pattern::DoubleFour,
        },
        Pattern::Five if completions > 1 && survives_any_block(code, known) => Pattern::OpenFour,
        Pattern::Five => Pattern::Four,
        Pattern::OpenFour => Pattern::OpenThree,
        Pattern::DoubleFour | Pattern::Four => Pattern::Three,
        Pattern::OpenThree => Pattern::OpenTwo,
        Pattern::Three => Pattern::Two,
        Pattern::OpenTwo => Pattern::OpenOne,
        Pattern::Two => Pattern::One,
        Pattern::OpenOne | Pattern::One | Pattern::Overline | Pattern::Dead => Pattern::Dead,
    }
}

/// Whether a four stays a four after any one enemy stone on the line. In caro a stone beyond the end of a would-be
/// five can take away two completions at once.
fn survives_any_block(code: usize, known: &[u8; CODES]) -> bool {
    (0..SLOTS)
        .filter(|&slot| digit(code, slot) == EMPTY)
        .all(|slot| known[code | ENEMY << (2 * slot)] >= Pattern::Four as u8)
}

fn classes(restricted: bool) -> &'static [u8; 1 << 16] {
    static CLASSES: [OnceLock<Box<[u8; 1 << 16]>>; 2] = [const { OnceLock::new() }; 2];
    CLASSES[usize::from(restricted)].get_or_init(|| {
        let mut table = vec![0u8; 1 << 16];
        // Only nibbles that are patterns occur; the rest of the table is never read.
        for (key, entry) in table.iter_mut().enumerate() {
            let nibbles = [0, 4, 8, 12].map(|shift| key >> shift & 15);
            if nibbles.iter().all(|&bits| bits < Pattern::ALL.len()) {
                *entry = Class::of(nibbles.map(|bits| Pattern::ALL[bits]), restricted) as u8;
            }
        }
        table.into_boxed_slice().try_into().expect("the vector has one entry per key")
    })
}
