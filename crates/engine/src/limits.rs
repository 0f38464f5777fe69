//! How long a search may go on: limits are data, stopping is a pure question.

use fivestone_game::PointSet;
use std::time::{Duration, Instant};

/// What a search may use for one move.
#[derive(Clone, Debug)]
pub struct Limits {
    /// The most time for this move.
    pub turn: Option<Duration>,
    /// Time left for the whole game.
    pub match_left: Option<Duration>,
    /// Time given back after each move.
    pub increment: Duration,
    /// The most visits, iterations or nodes, whatever the engine counts.
    pub visits: Option<u64>,
    /// The deepest line, in plies, for engines that deepen.
    pub depth: Option<u32>,
    /// Bytes the engine may hold in all.
    pub memory: usize,
    /// Threads to search with.
    pub threads: usize,
    /// How many lines to report.
    pub lines: usize,
    /// Moves that must not be chosen at the root.
    pub blocked: PointSet,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            turn: None,
            match_left: None,
            increment: Duration::ZERO,
            visits: None,
            depth: None,
            memory: 350 << 20,
            threads: 1,
            lines: 5,
            blocked: PointSet::EMPTY,
        }
    }
}

impl Limits {
    /// A fixed time for the move.
    pub fn time(turn: Duration) -> Limits {
        Limits { turn: Some(turn), ..Limits::default() }
    }

    /// A fixed number of visits.
    pub fn visits(visits: u64) -> Limits {
        Limits { visits: Some(visits), ..Limits::default() }
    }

    /// Starts the clock: how much of the time to use for this move.
    ///
    /// `stones` is how many stand on the board: a game is expected to have some forty moves a side,
    /// so a move's share of the time left grows as the game goes on, up to a twelfth.
    pub fn budget(&self, stones: usize) -> Budget {
        let started = Instant::now();
        let moves_to_go = 36usize.saturating_sub(stones / 2).max(12) as u32;
        let share = self.match_left.map(|left| {
            let safe = left.saturating_sub(RESERVE);
            let wanted = safe / moves_to_go + self.increment * 4 / 5;
            let most = (wanted * 3).min(safe / 3 + self.increment / 2).min(safe);
            // An increment comes after the move: with little time left it cannot be planned with.
            (wanted.min(most), most)
        });
        // A turn limit is a promise to be kept on a loaded machine: leave room for the last step and the answer.
        let turn = self.turn.map(|turn| turn.saturating_sub((turn / 20).clamp(TURN_MARGIN, RESERVE)));
        let (soft, hard) = match (share, turn) {
            (Some((soft, hard)), Some(turn)) => (Some(soft.min(turn)), Some(hard.min(turn))),
            (Some((soft, hard)), None) => (Some(soft), Some(hard)),
            (None, turn) => (turn, turn),
        };
        Budget { started, soft, hard, visits: self.visits }
    }
}

/// Time kept back for what the engine does not control: the answer's way to the manager, a busy machine.
const RESERVE: Duration = Duration::from_millis(60);
const TURN_MARGIN: Duration = Duration::from_millis(2);

/// A started search's share of the limits.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// When the search began.
    pub started: Instant,
    /// When to stop if nothing speaks for going on.
    pub soft: Option<Duration>,
    /// When to stop whatever happens.
    pub hard: Option<Duration>,
    /// The most visits.
    pub visits: Option<u64>,
}

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Time since the start.
    pub elapsed: Duration,
    /// Visits, iterations or nodes.
    pub visits: u64,
}

impl Budget {
    /// Whether the search must end now.
    pub fn spent(&self, progress: &Progress) -> bool {
        self.hard.is_some_and(|hard| progress.elapsed >= hard)
            || self.visits.is_some_and(|visits| progress.visits >= visits)
    }

    /// Whether the planned share of the time is used; going on needs a reason.
    pub fn planned_time_used(&self, progress: &Progress) -> bool {
        self.soft.is_some_and(|soft| progress.elapsed >= soft)
    }

    /// The time since the start and these visits.
    pub fn progress(&self, visits: u64) -> Progress {
        Progress { elapsed: self.started.elapsed(), visits }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    /// Planned and longest time for a move, in seconds.
    fn shares(limits: &Limits, stones: usize) -> (f64, f64) {
        let budget = limits.budget(stones);
        (budget.soft.unwrap().as_secs_f64(), budget.hard.unwrap().as_secs_f64())
    }

    fn with_match(seconds: u32) -> Limits {
        Limits { match_left: Some(SECOND * seconds), ..Limits::default() }
    }

    #[test]
    fn the_match_is_divided_among_the_moves_to_come() {
        let safe = 180.0 - RESERVE.as_secs_f64();
        let (soft, hard) = shares(&with_match(180), 0);
        assert!((soft - safe / 36.0).abs() < 1e-6, "{soft}");
        assert!((hard - 3.0 * soft).abs() < 1e-6, "{hard}");
        // With fewer moves to come each has more of what is left, up to a twelfth.
        let (later, _) = shares(&with_match(180), 24);
        assert!((later - safe / 24.0).abs() < 1e-6, "{later}");
        for stones in [48, 49, 100, 224] {
            let (late, _) = shares(&with_match(180), stones);
            assert!((late - safe / 12.0).abs() < 1e-6, "{late} with {stones} stones");
        }
    }

    #[test]
    fn an_increment_is_mostly_used_at_once() {
        let increment = SECOND * 2;
        let (without, _) = shares(&with_match(60), 10);
        let (with, _) = shares(&Limits { increment, ..with_match(60) }, 10);
        assert!((with - without - 1.6).abs() < 1e-6, "{without}, {with}");
    }

    #[test]
    fn never_more_is_planned_than_is_left() {
        for left in [0, 1, 59, 60, 61, 100, 500, 5_000, 600_000].map(Duration::from_millis) {
            for increment in [0, 100, 5_000].map(Duration::from_millis) {
                for stones in [0, 30, 60, 224] {
                    let limits = Limits { match_left: Some(left), increment, ..Limits::default() };
                    let budget = limits.budget(stones);
                    let (soft, hard) = (budget.soft.unwrap(), budget.hard.unwrap());
                    assert!(hard <= left.saturating_sub(RESERVE), "{left:?} + {increment:?}: {hard:?}");
                    assert!(soft <= hard, "{left:?} + {increment:?}: {soft:?}");
                    // A third of the rest is the most that one move may take.
                    assert!(hard <= left / 3 + increment / 2, "{left:?} + {increment:?}: {hard:?}");
                }
            }
        }
    }

    #[test]
    fn a_whole_match_is_played_within_its_time() {
        for increment in [Duration::ZERO, Duration::from_millis(100)] {
            let mut left = SECOND * 30;
            for stones in (0..225).step_by(2) {
                let limits = Limits { match_left: Some(left), increment, ..Limits::default() };
                // Every move takes as long as it may at most.
                left = left.checked_sub(limits.budget(stones).hard.unwrap()).unwrap() + increment;
            }
        }
    }

    #[test]
    fn the_turn_limits_what_the_match_would_allow() {
        let turn = Duration::from_millis(500);
        let kept = Duration::from_millis(475);
        let limits = Limits { turn: Some(turn), ..with_match(600) };
        let budget = limits.budget(0);
        assert_eq!((budget.soft, budget.hard), (Some(kept), Some(kept)));
        // Of a short turn little is kept back, of a long one no more than the reserve.
        let hard = |turn: Duration| Limits::time(turn).budget(0).hard.unwrap();
        assert_eq!(hard(Duration::from_millis(10)), Duration::from_millis(8));
        assert_eq!(hard(Duration::from_millis(1)), Duration::ZERO);
        assert_eq!(hard(SECOND * 60), Duration::from_millis(59_940));
    }

    #[test]
    fn a_search_ends_with_its_time_or_its_visits() {
        let budget = Limits { visits: Some(100), ..Limits::time(SECOND) }.budget(0);
        let at = |milliseconds, visits| Progress { elapsed: Duration::from_millis(milliseconds), visits };
        assert!(!budget.spent(&at(10, 99)) && budget.spent(&at(10, 100)) && budget.spent(&at(960, 0)));
        assert!(budget.planned_time_used(&at(960, 0)) && !budget.planned_time_used(&at(10, 100)));
        let endless = Limits::default().budget(0);
        assert!(!endless.spent(&at(u64::MAX, u64::MAX)) && !endless.planned_time_used(&at(u64::MAX, 0)));
    }
}
