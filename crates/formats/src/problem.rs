//! What can be wrong in a file, and where.

use std::fmt;

/// What is wrong.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// Something else than a move.
    NotAMove(String),
    /// A move that is not on the board.
    OffBoard(String),
    /// A move on a stone.
    Occupied(String),
    /// A move after five in a row.
    AfterEnd(String),
    /// A rule nobody knows.
    UnknownRule(String),
    /// A board that is not a square of 5 to 22.
    BadSize(String),
    /// Something else that cannot be read, with what was expected.
    Malformed(String),
    /// The file stops in the middle of a game.
    Truncated,
    /// Longer or deeper than any real game.
    TooLarge(&'static str),
    /// Bytes could not be read.
    Unreadable(String),
    /// No known format.
    Unrecognised,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::NotAMove(found) => write!(f, "\"{found}\" is not a move"),
            Fault::OffBoard(found) => write!(f, "{found} is off the board"),
            Fault::Occupied(found) => write!(f, "{found} is occupied"),
            Fault::AfterEnd(found) => write!(f, "{found} is played after the end of the game"),
            Fault::UnknownRule(found) => write!(f, "unknown rule \"{found}\""),
            Fault::BadSize(found) => write!(f, "board size \"{found}\" is not a square of 5 to 22"),
            Fault::Malformed(what) => f.write_str(what),
            Fault::Truncated => f.write_str("the file ends in the middle of the game"),
            Fault::TooLarge(what) => write!(f, "{what}"),
            Fault::Unreadable(error) => write!(f, "cannot be read further: {error}"),
            Fault::Unrecognised => f.write_str("not a game file of a known format"),
        }
    }
}

/// How much is lost by a problem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loss {
    /// Nothing: the game is kept as it is.
    Nothing,
    /// One game is skipped.
    Game,
    /// One branch of a tree is cut; the tree stays.
    Branch,
    /// The rest of the file.
    Rest,
}

/// Where in the file something is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A line, from 1.
    Line(u64),
    /// A byte, from 0.
    Byte(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::Line(line) => write!(f, "line {line}"),
            Place::Byte(byte) => write!(f, "byte {byte}"),
        }
    }
}

/// A fault with its ply, from 1, before it is known which game it is in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Flaw {
    /// The ply, from 1, where the fault is in a move.
    pub ply: Option<usize>,
    /// What is wrong.
    pub fault: Fault,
}

impl Flaw {
    /// A fault in a ply, from 1.
    pub fn at(ply: usize, fault: Fault) -> Flaw {
        Flaw { ply: Some(ply), fault }
    }
}

impl From<Fault> for Flaw {
    fn from(fault: Fault) -> Flaw {
        Flaw { ply: None, fault }
    }
}

/// A fault and where it was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The game's number in the file, from 1.
    pub game: u64,
    /// The game's own name in the file, such as the id of a RIF game.
    pub id: Option<String>,
    /// Where the game is.
    pub place: Place,
    /// The ply, from 1, where the fault is in a move.
    pub ply: Option<usize>,
    /// What is wrong.
    pub fault: Fault,
    /// What is lost by it.
    pub loss: Loss,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}", self.game)?;
        if let Some(id) = &self.id {
            write!(f, " (id {id})")?;
        }
        write!(f, ", {}", self.place)?;
        if let Some(ply) = self.ply {
            write!(f, ", ply {ply}")?;
        }
        write!(f, ": {}", self.fault)?;
        match self.loss {
            Loss::Nothing => f.write_str(" (the game is kept)"),
            Loss::Game => Ok(()),
            Loss::Branch => f.write_str(" (the branch is left out)"),
            Loss::Rest => f.write_str(" (the rest of the file is left out)"),
        }
    }
}

impl std::error::Error for Problem {}

/// The beginning of some bytes for an error message: printable, short.
pub(crate) fn shown(bytes: &[u8]) -> String {
    const LONGEST: usize = 24;
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(4 * LONGEST)]);
    let mut short: String =
        text.chars().take(LONGEST).map(|c| if c.is_control() { '?' } else { c }).collect();
    if text.chars().nth(LONGEST).is_some() {
        short.push_str("...");
    }
    short
}
