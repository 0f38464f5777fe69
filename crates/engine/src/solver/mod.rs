//! Forced wins: continuous fours (VCF), and fours and threes together (VCT).
//!
//! The attacker is always the side to move in the position that is asked about. A win found here is a proof: every
//! reply of the defender that does not lose at once is answered. `verify` replays such proofs against all replies.

mod deepen;
mod dfpn;
mod lists;
mod proof;
mod proof_table;
mod shorter;
mod survey;
mod table;
#[cfg(test)]
mod threat_tests;
mod threats;
mod tree;
mod vcf;
mod vct;
pub mod verify;

pub use proof::Proof;
pub use shorter::{Shorter, shorter};
pub use survey::{Defences, Fate, FirstMove, FirstMoves, defences, first_moves};
pub(crate) use threats::{answers_to_fours, answers_to_open_fours, legal_open_fours};
pub use threats::{saving_moves, stops};
pub use tree::{After, NoTree, ProofTree, Replies, TreeLimits, TreeNode, prove};
pub use vcf::Vcf;
pub use vct::Vct;

use crate::{Parameter, Stop};
use fivestone_game::{Board, Point};
use std::fmt;
use std::str::FromStr;
use std::time::{Duration, Instant};

/// The parameter of engines that look for a forced win before they search.
pub(crate) const SHARE: Parameter = Parameter {
    name: "vct",
    meaning: "share of the time spent looking for a win by threes first",
    default: 0.12,
    range: (0.0, 0.9),
};

/// What a search for a forced win found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The attacker wins by force.
    Win,
    /// There is no win of the kind asked for.
    NoWin,
    /// The budget ran out first.
    Unknown,
}

impl Verdict {
    /// The word in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Verdict::Win => "win",
            Verdict::NoWin => "no win",
            Verdict::Unknown => "unknown",
        }
    }
}

/// Which moves the attacker may use.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// Continuous fours.
    Vcf,
    /// Fours and open threes.
    Vct,
}

impl Kind {
    /// The word in arguments and reports.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Vcf => "vcf",
            Kind::Vct => "vct",
        }
    }
}

impl FromStr for Kind {
    type Err = UnknownKind;

    fn from_str(word: &str) -> Result<Kind, UnknownKind> {
        match word.to_ascii_lowercase().as_str() {
            "vcf" => Ok(Kind::Vcf),
            "vct" => Ok(Kind::Vct),
            _ => Err(UnknownKind(word.to_owned())),
        }
    }
}

/// A word that names no kind of forced win.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownKind(pub String);

impl fmt::Display for UnknownKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown kind \"{}\" (vcf: continuous fours, vct: fours and threes)", self.0)
    }
}

impl std::error::Error for UnknownKind {}

/// What a solver may use.
#[derive(Clone, Debug)]
pub struct SolveLimits {
    /// The most time.
    pub time: Option<Duration>,
    /// The most nodes.
    pub nodes: u64,
    /// Bytes for tables.
    pub memory: usize,
    /// Threads of the search for wins by threes.
    pub threads: usize,
}

impl Default for SolveLimits {
    fn default() -> SolveLimits {
        SolveLimits { time: None, nodes: u64::MAX, memory: 256 << 20, threads: 1 }
    }
}

/// The answer to a question for a forced win.
#[derive(Clone, PartialEq, Debug)]
pub struct Solution {
    /// What was found.
    pub verdict: Verdict,
    /// The kind of win found or ruled out.
    pub kind: Kind,
    /// The winning line with the defence that holds out longest, empty without a win. It ends with the five, or with a
    /// forbidden move that Black is forced to.
    pub line: Vec<Point>,
    /// Positions visited.
    pub nodes: u64,
    /// Time used.
    pub elapsed: Duration,
}

/// Fours tried before threes are, when both are asked for.
const FOURS_BEFORE_THREES: u64 = 100_000;

/// Looks for a forced win of the side to move, simple kinds first. The position must not be over.
pub fn solve(board: &Board, kind: Kind, limits: &SolveLimits, stop: &Stop) -> Solution {
    let started = Instant::now();
    let Found { mut solution, vct } = find(board, kind, limits, stop);
    if let (Verdict::Win, Some(mut vct)) = (solution.verdict, vct) {
        // The proof is there; showing it may take about as long again.
        let deadline = limits.time.and_then(|time| started.checked_add(time));
        let extended = deadline.map(|deadline| deadline + started.elapsed() / 2);
        let before = vct.nodes();
        vct.extract(&mut board.clone(), limits.nodes, extended, stop);
        solution.line = vct.line().to_vec();
        solution.nodes += vct.nodes() - before;
    }
    solution.elapsed = started.elapsed();
    solution
}

/// A verdict, and the search by threes that has found it if one was needed.
pub(crate) struct Found {
    /// The answer, of a win by threes only with its first move.
    pub solution: Solution,
    vct: Option<Vct>,
}

/// As [`solve`], without the line of a win by threes.
pub(crate) fn find(board: &Board, kind: Kind, limits: &SolveLimits, stop: &Stop) -> Found {
    let started = Instant::now();
    let deadline = limits.time.and_then(|time| started.checked_add(time));
    let mut board = board.clone();
    let mut vcf = Vcf::with_memory(limits.memory / 8);
    let fours = match kind {
        Kind::Vcf => limits.nodes,
        // The search by threes tries fours as well; it shall not wait for all of them.
        Kind::Vct => limits.nodes.min(FOURS_BEFORE_THREES),
    };
    let mut solution = Solution {
        verdict: vcf.solve_until(&mut board, fours, deadline, stop),
        kind: Kind::Vcf,
        line: vcf.line().to_vec(),
        nodes: vcf.nodes(),
        elapsed: started.elapsed(),
    };
    let mut vct = None;
    if kind == Kind::Vct && solution.verdict != Verdict::Win {
        let nodes = limits.nodes.saturating_sub(solution.nodes);
        let search = vct.insert(Vct::with_threads(limits.memory - limits.memory / 8, limits.threads));
        solution.verdict = search.solve_until(&mut board, nodes, deadline, stop);
        solution.kind = Kind::Vct;
        solution.line = search.line().to_vec();
        solution.nodes += search.nodes();
        solution.elapsed = started.elapsed();
    }
    Found { solution, vct }
}

/// When a solver has to give up.
#[derive(Clone, Debug)]
struct Budget {
    nodes: u64,
    deadline: Option<Instant>,
    stop: Stop,
    /// The number of nodes at which the clock is looked at next.
    clock_at: u64,
}

impl Budget {
    fn new(nodes: u64, deadline: Option<Instant>, stop: &Stop) -> Budget {
        Budget { nodes, deadline, stop: stop.clone(), clock_at: 0 }
    }

    /// Whether this many nodes exhaust the budget. The clock is asked now and then only.
    #[inline]
    fn spent(&mut self, nodes: u64) -> bool {
        const CLOCK_EVERY: u64 = 1024;
        if nodes >= self.nodes {
            return true;
        }
        if nodes >= self.clock_at {
            self.clock_at = nodes + CLOCK_EVERY;
            let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
            if late || self.stop.raised() {
                self.nodes = 0;
                return true;
            }
        }
        false
    }
}
