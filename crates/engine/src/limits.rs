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
    /// `stones` is how many stands on the board: a game is expected to have some forty moves a side, so the share of the match's
    /// time shrinks as the game goes on but never below a tenth of an even share.
    pub fn budget(&self, stones: usize) -> Budget {
        let started = Instant::now();
        let moves_to_go = 36usize.saturating_sub(stones / 2).max(12) as u32;
        let share = self.match_left.map(|left| {
            let safe = left.saturating_sub(RESERVE);
            let wanted = safe / moves_to_go + self.increment * 4 / 5;
            (wanted, (wanted * 3).min(safe / 3 + self.increment / 2).min(safe))
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
