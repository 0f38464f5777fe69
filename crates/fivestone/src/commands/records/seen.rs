//! Which games were there before.

use std::collections::HashSet;

/// A set of evenly spread 64-bit numbers in about nine bytes each: a sorted list, and a small set of those that came
/// since it was sorted. A hash set alone takes up to three times as much.
#[derive(Default)]
pub struct Seen {
    sorted: Vec<u64>,
    fresh: HashSet<u64>,
}

const FEWEST_FRESH: usize = 1 << 16;

impl Seen {
    /// Adds a number; whether it is new.
    pub fn insert(&mut self, number: u64) -> bool {
        if self.holds(number) || !self.fresh.insert(number) {
            return false;
        }
        if self.fresh.len() >= FEWEST_FRESH.max(self.sorted.len() / 10) {
            self.merge();
        }
        true
    }

    /// Looks near the place where an evenly spread number has to be.
    fn holds(&self, number: u64) -> bool {
        const STEP: usize = 64;
        let list = self.sorted.as_slice();
        if list.is_empty() {
            return false;
        }
        let guess = ((u128::from(number) * list.len() as u128) >> 64) as usize;
        let (mut low, mut high, mut step) = (guess, guess, STEP);
        while low > 0 && list[low] > number {
            low = low.saturating_sub(step);
            step *= 2;
        }
        step = STEP;
        while high < list.len() && list[high] < number {
            high = (high + step).min(list.len());
            step *= 2;
        }
        list[low..(high + 1).min(list.len())].binary_search(&number).is_ok()
    }

    /// Merges the fresh numbers into the list from its end, in place.
    fn merge(&mut self) {
        let mut fresh: Vec<u64> = self.fresh.drain().collect();
        fresh.sort_unstable();
        let mut old = self.sorted.len();
        self.sorted.reserve_exact(fresh.len());
        self.sorted.resize(old + fresh.len(), 0);
        let mut end = self.sorted.len();
        while let Some(&last) = fresh.last() {
            end -= 1;
            if old > 0 && self.sorted[old - 1] > last {
                old -= 1;
                self.sorted[end] = self.sorted[old];
            } else {
                self.sorted[end] = last;
                fresh.pop();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Seen;
    use std::collections::HashSet;

    #[test]
    fn answers_as_a_hash_set_does() {
        let (mut seen, mut set) = (Seen::default(), HashSet::new());
        let mut state = 7u64;
        for _ in 0..400_000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let number = (state >> 20).wrapping_mul(0x9e37_79b9_7f4a_7c15) & !0xffff_ffff_ffff | state >> 48;
            assert_eq!(seen.insert(number), set.insert(number));
        }
    }
}
