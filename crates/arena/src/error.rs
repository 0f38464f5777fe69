//! Why a match cannot be played.

use crate::journal::JournalError;
use crate::openings::{MakeError, OpeningFileError};
use crate::stats::BadTest;
use fivestone_artifacts::FileError;
use fivestone_engine::BuildError;
use fivestone_game::{Rule, Size};
use std::fmt;

/// Why a match cannot begin or go on.
#[derive(Debug)]
pub enum MatchError {
    /// Fewer than two engines.
    TooFewEngines,
    /// A program, by its name, cannot be told to make the opening by this rule.
    NoWordsForSoosorv(String),
    /// The test makes no sense.
    Sprt(BadTest),
    /// A test of more than two engines.
    SprtOfMany,
    /// An engine, by its name, would think for ever.
    NoLimit(String),
    /// An engine, by its name, cannot be built.
    Engine(String, BuildError),
    /// An engine, by its name, does not play this game, for a reason in its own words.
    Refused(String, String),
    /// No openings are shipped for the rule and the board.
    NotShipped(Rule, Size),
    /// The openings, by where they come from, cannot be read.
    Openings(String, OpeningFileError),
    /// None of the openings, by where they come from, fits on the board.
    NoOpenings(String),
    /// The openings in the configuration cannot be read.
    MadeOpenings(OpeningFileError),
    /// The engine that is to judge openings cannot be built.
    Judge(BuildError),
    /// The openings cannot be made.
    Make(MakeError),
    /// The journal cannot be used.
    Journal(JournalError),
    /// A game of the journal, by its number from 0, is not of this match.
    Misfit(u64),
    /// Another file cannot be read or written.
    File(FileError),
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchError::TooFewEngines => {
                f.write_str("a match needs two engines (-engine name=... -engine name=...)")
            }
            MatchError::NoWordsForSoosorv(name) => {
                write!(f, "{name}: the protocol has no words for soosorv-8")
            }
            MatchError::Sprt(error) => write!(f, "-sprt: {error}"),
            MatchError::SprtOfMany => f.write_str("-sprt needs exactly two engines"),
            MatchError::NoLimit(name) => {
                write!(f, "engine {name} has no limit: give it tc=, st=, visits= or depth=")
            }
            MatchError::Engine(name, error) => write!(f, "engine {name}: {error}"),
            MatchError::Refused(name, refusal) => write!(f, "engine {name}: {refusal}"),
            MatchError::NotShipped(rule, size) => {
                write!(f, "no openings are shipped for {rule} on {size}x{size}")
            }
            MatchError::Openings(source, error) => write!(f, "{source}: {error}"),
            MatchError::NoOpenings(source) => {
                write!(f, "{source}: no opening in the file fits on the board")
            }
            MatchError::MadeOpenings(error) => write!(f, "{error}"),
            MatchError::Judge(error) => write!(f, "-openings: {error}"),
            MatchError::Make(error) => write!(f, "{error}"),
            MatchError::Journal(error) => write!(f, "{error}"),
            MatchError::Misfit(id) => write!(f, "game {} of the journal does not fit", id + 1),
            MatchError::File(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for MatchError {}

impl From<JournalError> for MatchError {
    fn from(error: JournalError) -> MatchError {
        MatchError::Journal(error)
    }
}

impl From<FileError> for MatchError {
    fn from(error: FileError) -> MatchError {
        MatchError::File(error)
    }
}
