//! When a search that goes step by step looks at the clock, tells what it has found, and ends.

use crate::{Budget, Stop};
use std::time::Duration;

/// Time between two reports.
const REPORT_STEP: Duration = Duration::from_millis(100);

/// What a search does after a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Next {
    /// The next step.
    Step,
    /// A report, then the next step.
    Report,
    /// The last report.
    End,
}

/// The pace of one search.
pub(crate) struct Pace<'a> {
    budget: &'a Budget,
    stop: &'a Stop,
    /// Steps between two looks at the clock and the stop flag.
    clock_step: u64,
    steps: u64,
    reported: Duration,
}

impl<'a> Pace<'a> {
    /// A search that looks at the clock after its first step and every `clock_step` steps.
    pub fn new(budget: &'a Budget, stop: &'a Stop, clock_step: u64) -> Pace<'a> {
        Pace { budget, stop, clock_step, steps: 0, reported: Duration::ZERO }
    }

    /// What comes after a step, with so many visits in all.
    #[inline]
    pub fn after(&mut self, visits: u64) -> Next {
        let counted_out = self.budget.visits.is_some_and(|most| visits >= most);
        self.steps += 1;
        // The first step may have taken all the time there is.
        if !counted_out && self.steps > 1 && !self.steps.is_multiple_of(self.clock_step) {
            return Next::Step;
        }
        let progress = self.budget.progress(visits);
        if self.stop.raised() || self.budget.spent(&progress) || self.budget.planned_time_used(&progress) {
            return Next::End;
        }
        if progress.elapsed < self.reported + REPORT_STEP {
            return Next::Step;
        }
        self.reported = progress.elapsed;
        Next::Report
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Limits;

    #[test]
    fn a_search_ends_after_its_visits_whatever_the_clock_step() {
        let (budget, stop) = (Limits::visits(10).budget(0), Stop::new());
        let mut pace = Pace::new(&budget, &stop, 64);
        assert!((1..10).all(|visits| pace.after(visits) == Next::Step));
        assert_eq!(pace.after(10), Next::End);
    }

    #[test]
    fn the_flag_is_seen_at_the_next_look() {
        let (budget, stop) = (Limits::default().budget(0), Stop::new());
        let mut pace = Pace::new(&budget, &stop, 64);
        assert_eq!(pace.after(1), Next::Step);
        stop.raise();
        assert!((2..64).all(|visits| pace.after(visits) == Next::Step));
        assert_eq!(pace.after(64), Next::End);
        assert_eq!(Pace::new(&budget, &stop, 64).after(1), Next::End);
    }
}
