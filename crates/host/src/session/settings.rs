//! What the manager's `INFO` lines have set.

use fivestone_engine::Limits;
use fivestone_formats::gomocup::{Info, RuleMask};
use fivestone_game::{PointSet, Rule};
use std::time::Duration;

/// The manager's settings and the clock of the game.
pub struct Settings {
    turn: Option<Duration>,
    match_time: Option<Duration>,
    match_left: Option<Duration>,
    increment: Duration,
    max_memory: Option<u64>,
    table: Option<u64>,
    depth: Option<u32>,
    nodes: Option<u64>,
    threads: usize,
    strength: u8,
    mask: RuleMask,
    yixin: bool,
    /// Whether to think on while the opponent does.
    pub pondering: bool,
    /// Whether realtime messages are wanted.
    pub realtime: bool,
    /// Whether the details of each line are wanted.
    pub detail: bool,
}

/// What managers write for a game without a clock.
const UNLIMITED_LEFT: i64 = 2_147_483_647;
const UNLIMITED_TURN: u64 = 2_000_000;
const UNLIMITED_MATCH: u64 = 100_000_000;

/// The process without the engine's own memory: code, line tables, stacks, buffers.
const RESERVED_MEMORY: u64 = 48 << 20;
/// The largest table offered to a manager: 2^20 KB.
pub const MAX_TABLE_EXPONENT: u32 = 20;

impl Settings {
    /// What holds before the manager says anything.
    pub fn new() -> Settings {
        Settings {
            turn: Some(Duration::from_secs(5)),
            match_time: None,
            match_left: None,
            increment: Duration::ZERO,
            max_memory: None,
            table: None,
            depth: None,
            nodes: None,
            threads: 1,
            strength: 100,
            mask: RuleMask::default(),
            yixin: false,
            pondering: false,
            realtime: false,
            detail: false,
        }
    }

    /// Takes a setting.
    pub fn apply(&mut self, info: &Info) {
        match *info {
            Info::TimeoutTurn(ms) => {
                self.turn = (ms < UNLIMITED_TURN).then(|| Duration::from_millis(ms));
            }
            Info::TimeoutMatch(ms) => {
                let limited = ms > 0 && ms < UNLIMITED_MATCH;
                self.match_time = limited.then(|| Duration::from_millis(ms));
                self.match_left = self.match_time;
            }
            Info::TimeLeft(ms) => {
                let limited = ms < UNLIMITED_LEFT && ms < UNLIMITED_MATCH as i64;
                self.match_left = limited.then(|| Duration::from_millis(ms.max(0) as u64));
            }
            Info::TimeIncrement(ms) => self.increment = Duration::from_millis(ms),
            Info::MaxMemory(bytes) => self.max_memory = (bytes > 0).then_some(bytes),
            Info::Rule(mask) => self.mask = mask,
            Info::MaxDepth(depth) => self.depth = depth,
            Info::MaxNode(nodes) => self.nodes = nodes,
            Info::HashSize(kb) => self.table = (kb > 0).then(|| kb.min(1 << MAX_TABLE_EXPONENT) << 10),
            Info::ThreadNum(threads) => self.threads = usize::from(threads).min(available_threads()),
            Info::ShowDetail(bits) => {
                self.realtime = bits & 1 != 0;
                self.detail = bits & 2 != 0;
            }
            Info::Pondering(on) => self.pondering = on,
            Info::Strength(strength) => self.strength = strength,
            // Who plays, where the mouse is, and what no engine here makes use of.
            Info::GameType(_)
            | Info::Evaluate
            | Info::Folder(_)
            | Info::CautionFactor(_)
            | Info::Swapable(_)
            | Info::Ignored => {}
        }
    }

    /// The manager is Yixin-Board.
    pub fn greet_yixin(&mut self) {
        self.yixin = true;
    }

    /// Whether the manager is Yixin-Board.
    pub fn yixin(&self) -> bool {
        self.yixin
    }

    /// The rule of play.
    pub fn rule(&self) -> Rule {
        self.mask.rule(self.yixin)
    }

    /// Whether the game goes on after a win.
    pub fn continuous(&self) -> bool {
        self.mask.continuous(self.yixin)
    }

    /// Sets the clock for a new game.
    pub fn new_game(&mut self) {
        self.match_left = self.match_time;
    }

    /// Takes used time off the clock; the manager's next `time_left` corrects it.
    pub fn use_time(&mut self, used: Duration) {
        self.match_left = self.match_left.map(|left| left.saturating_sub(used) + self.increment);
    }

    /// The time by which a move has to be out.
    pub fn deadline(&self) -> Option<Duration> {
        [self.turn, self.match_left].into_iter().flatten().min()
    }

    /// The limits of thinking while the opponent does: whoever needs the engine stops it.
    pub fn pondering_limits(&self, blocked: PointSet) -> Limits {
        Limits { turn: None, match_left: None, visits: None, depth: None, ..self.limits(1, blocked) }
    }

    /// The limits of the next search.
    pub fn limits(&self, lines: usize, blocked: PointSet) -> Limits {
        Limits {
            turn: self.turn,
            match_left: self.match_left,
            increment: self.increment,
            visits: [self.nodes, visits_for_strength(self.strength)].into_iter().flatten().min(),
            depth: self.depth,
            memory: self.memory(),
            threads: self.threads,
            lines,
            blocked,
        }
    }

    /// Bytes for the engine: what the process may hold without the reserve, and no more than the table asked for.
    pub fn memory(&self) -> usize {
        let allowed = self.max_memory.map(|bytes| bytes.saturating_sub(RESERVED_MEMORY).max(bytes / 8));
        let table = self.table.or(allowed.is_none().then_some(Limits::default().memory as u64));
        let bytes = [allowed, table].into_iter().flatten().min().unwrap_or_default();
        usize::try_from(bytes).unwrap_or(usize::MAX)
    }
}

/// Threads worth searching with.
pub fn available_threads() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}

/// Weaker play is less search: sixteen visits at strength 0, twice as many every six steps, all that time allows at 100.
fn visits_for_strength(strength: u8) -> Option<u64> {
    (strength < 100).then(|| (16.0 * (f64::from(strength) / 6.0).exp2()) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(lines: &[(&str, &str)]) -> Settings {
        let mut settings = Settings::new();
        for (key, value) in lines {
            settings.apply(&Info::parse(key, value));
        }
        settings
    }

    #[test]
    fn the_deadline_is_the_smaller_of_turn_and_match() {
        let ms = |settings: &Settings| settings.deadline().map(|time| time.as_millis());
        assert_eq!(ms(&after(&[("timeout_turn", "1000"), ("time_left", "300")])), Some(300));
        assert_eq!(ms(&after(&[("timeout_turn", "1000"), ("time_left", "2147483647")])), Some(1000));
        assert_eq!(ms(&after(&[("timeout_turn", "0")])), Some(0));
        assert_eq!(ms(&after(&[("timeout_turn", "1000"), ("time_left", "-7")])), Some(0));
        assert_eq!(ms(&after(&[("timeout_turn", "2000000"), ("timeout_match", "100000000")])), None);
    }

    #[test]
    fn a_manager_that_never_says_what_is_left_still_finds_the_match_time_kept() {
        let mut settings = after(&[("timeout_turn", "5000"), ("timeout_match", "6000")]);
        settings.use_time(Duration::from_secs(4));
        assert_eq!(settings.deadline(), Some(Duration::from_secs(2)));
        settings.new_game();
        assert_eq!(settings.deadline(), Some(Duration::from_secs(5)));
    }

    #[test]
    fn memory_stays_below_what_the_process_may_hold() {
        assert_eq!(after(&[("max_memory", "367001600")]).memory(), 367_001_600 - (48 << 20));
        assert_eq!(after(&[("max_memory", "367001600"), ("hash_size", "1024")]).memory(), 1 << 20);
        assert!(after(&[("max_memory", "83886080")]).memory() <= 32 << 20);
        assert_eq!(after(&[("max_memory", "0")]).memory(), Limits::default().memory);
    }
}
