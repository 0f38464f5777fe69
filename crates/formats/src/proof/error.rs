//! Why a proof file cannot be read.

use super::VERSION;
use fivestone_game::{Color, IllegalMove};
use std::fmt;

/// Why a proof file cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProofError {
    /// The first line names something else.
    NotAProof,
    /// A version that this program does not know.
    Version(String),
    /// The end of the file is missing.
    Truncated,
    /// The bytes are not those that were written.
    Checksum {
        /// What the file says.
        told: u32,
        /// What its bytes give.
        found: u32,
    },
    /// A line that cannot be understood.
    Line {
        /// The line, from 1.
        number: usize,
        /// What is wrong with it.
        what: String,
    },
    /// The header tells another number of nodes than there are.
    NodeCount {
        /// What the header says.
        told: usize,
        /// How many there are.
        found: usize,
    },
    /// Two nodes have the same number.
    NodeTwice(u32),
    /// A node leads to one that is not there.
    NodeMissing {
        /// The node.
        node: u32,
        /// Where it leads to.
        missing: u32,
    },
    /// A node leads back to itself.
    Cyclic(u32),
    /// A position that nobody can win any more.
    Position(Unplayable),
}

/// Why a position cannot be played on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unplayable {
    /// A stone cannot stand where it is.
    Stones(IllegalMove),
    /// Somebody has won already.
    Won(Color),
    /// The board is full.
    Full,
}

impl fmt::Display for ProofError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ProofError::NotAProof => f.write_str("not a proof: it does not begin with \"fivestone proof\""),
            ProofError::Version(found) => {
                write!(f, "version \"{found}\" of the proof format is unknown (this program reads {VERSION})")
            }
            ProofError::Truncated => f.write_str("truncated: the checksum at the end is missing"),
            ProofError::Checksum { told, found } => {
                write!(f, "damaged: the checksum is {told:08x}, but the content gives {found:08x}")
            }
            ProofError::Line { number, what } => write!(f, "line {number}: {what}"),
            ProofError::NodeCount { told, found } => {
                write!(f, "incomplete: {found} nodes instead of {told}")
            }
            ProofError::NodeTwice(node) => write!(f, "node {node} is there twice"),
            ProofError::NodeMissing { node, missing } => {
                write!(f, "incomplete: node {node} leads to node {missing}, which is missing")
            }
            ProofError::Cyclic(node) => write!(f, "cyclic: node {node} leads back to itself"),
            ProofError::Position(error) => write!(f, "the position cannot be won: {error}"),
        }
    }
}

impl std::error::Error for ProofError {}

impl fmt::Display for Unplayable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unplayable::Stones(IllegalMove::Occupied) => f.write_str("two stones stand on one point"),
            Unplayable::Stones(error) => error.fmt(f),
            Unplayable::Won(color) => write!(f, "{color} has five in a row already"),
            Unplayable::Full => f.write_str("the board is full"),
        }
    }
}

impl std::error::Error for Unplayable {}
