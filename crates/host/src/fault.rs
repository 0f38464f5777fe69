//! What an engine can do wrong.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A kind of misbehaviour. Each loses the game under way.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// The program could not be started, or died before it said it was ready.
    StartFailed,
    /// The engine refused the board size or the rule.
    Refused,
    /// The process died in the middle of a game.
    Crash,
    /// The process left in the middle of a game without an error.
    Exited,
    /// No answer at all.
    Hang,
    /// An answer after the time limit.
    Late,
    /// A move off the board or against the opening's rule.
    IllegalMove,
    /// A move on a stone.
    Occupied,
    /// An answer that is no move.
    BadFormat,
    /// More output than any search needs.
    Flood,
    /// More memory than allowed.
    Memory,
    /// Still running after END; the game it had finished keeps its result.
    IgnoredEnd,
}

impl FaultKind {
    /// The word for it in files.
    pub const fn name(self) -> &'static str {
        match self {
            FaultKind::StartFailed => "start-failed",
            FaultKind::Refused => "refused",
            FaultKind::Crash => "crash",
            FaultKind::Exited => "exited",
            FaultKind::Hang => "hang",
            FaultKind::Late => "late",
            FaultKind::IllegalMove => "illegal-move",
            FaultKind::Occupied => "occupied",
            FaultKind::BadFormat => "bad-format",
            FaultKind::Flood => "flood",
            FaultKind::Memory => "memory",
            FaultKind::IgnoredEnd => "ignored-end",
        }
    }
}

impl fmt::Display for FaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Something an engine did wrong, with the particulars for a person.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fault {
    /// What kind of thing.
    pub kind: FaultKind,
    /// The particulars.
    pub detail: String,
}

impl Fault {
    /// A fault with its particulars.
    pub fn new(kind: FaultKind, detail: impl Into<String>) -> Fault {
        Fault { kind, detail: detail.into() }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.kind, self.detail)
    }
}
