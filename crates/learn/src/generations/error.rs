//! Why a loop cannot begin or go on.

use crate::OutOfRange;
use fivestone_arena::MatchError;
use fivestone_artifacts::{FileError, SettingsError};
use fivestone_game::{Rule, Size, UnknownRule};
use fivestone_nets::NetError;
use fivestone_train::flagship::TrainError;
use fivestone_train::samples::{ImportError, StoreError};
use std::fmt;
use std::path::PathBuf;

/// Why a loop stopped.
#[derive(Debug)]
pub enum LearnError {
    /// A file cannot be read or written.
    File(FileError),
    /// The settings make no sense.
    Settings(PathBuf, LearnProblem),
    /// A line, from 1, of a file of the loop is not what was written.
    Damaged(PathBuf, usize, serde_json::Error),
    /// Another process works in the directory.
    InUse(PathBuf),
    /// A net cannot be read.
    Net(PathBuf, NetError),
    /// The teachers' games cannot be read.
    Import(ImportError),
    /// Games cannot be added to a file.
    Store(StoreError),
    /// A training run failed.
    Training(TrainError),
    /// A match failed.
    Match(MatchError),
    /// A match ended without a game.
    NoGames,
}

/// What is wrong with the settings of a loop.
#[derive(Debug)]
pub enum LearnProblem {
    /// The text is not one of settings.
    Text(SettingsError),
    /// There is no such rule.
    Rule(UnknownRule),
    /// No board is named.
    NoSizes,
    /// There is no board of this side.
    NotASize(usize),
    /// A number is out of its range.
    Range(OutOfRange),
    /// A checkpoint is given without its net.
    CheckpointAlone,
    /// A net is for another rule.
    OtherRule {
        /// The rule of the net.
        net: Rule,
        /// The rule of the loop.
        wanted: Rule,
    },
    /// A number of the self-play is out of its range.
    SelfPlay(OutOfRange),
    /// A number of the training is out of its range.
    Training(OutOfRange),
    /// The matches make no sense.
    Gate(GateProblem),
}

/// What is wrong with the settings of the matches.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum GateProblem {
    /// A move has no limit.
    NoLimit,
    /// A number is out of its range.
    Range(OutOfRange),
    /// The bounds of the test are the wrong way round.
    Bounds(f64, f64),
}

impl fmt::Display for LearnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LearnError::File(error) => write!(f, "{error}"),
            LearnError::Settings(path, problem) => write!(f, "{}: {problem}", path.display()),
            LearnError::Damaged(path, line, error) => {
                write!(f, "{}: line {line}: {error}", path.display())
            }
            LearnError::InUse(path) => write!(f, "{}: another process works in it", path.display()),
            LearnError::Net(path, error) => write!(f, "{}: {error}", path.display()),
            LearnError::Import(error) => write!(f, "{error}"),
            LearnError::Store(error) => write!(f, "{error}"),
            LearnError::Training(error) => write!(f, "{error}"),
            LearnError::Match(error) => write!(f, "{error}"),
            LearnError::NoGames => f.write_str("a match without games"),
        }
    }
}

impl fmt::Display for LearnProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LearnProblem::Text(error) => write!(f, "{error}"),
            LearnProblem::Rule(error) => write!(f, "rule: {error}"),
            LearnProblem::NoSizes => f.write_str("sizes: at least one board size is needed"),
            LearnProblem::NotASize(side) => {
                write!(f, "{side} is no board size ({} to {})", Size::MIN, Size::MAX)
            }
            LearnProblem::Range(error) => write!(f, "{error}"),
            LearnProblem::CheckpointAlone => {
                f.write_str("first_checkpoint: it needs the net that was made of it as first_net")
            }
            LearnProblem::OtherRule { net, wanted } => {
                write!(f, "first_net is for {net}, not for {wanted}")
            }
            LearnProblem::SelfPlay(error) => write!(f, "[selfplay] {error}"),
            LearnProblem::Training(error) => write!(f, "[training] {error}"),
            LearnProblem::Gate(problem) => write!(f, "[gate] {problem}"),
        }
    }
}

impl fmt::Display for GateProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GateProblem::NoLimit => f.write_str("turn_ms and visits are both 0: a move needs a limit"),
            GateProblem::Range(error) => write!(f, "{error}"),
            GateProblem::Bounds(elo0, elo1) => {
                write!(f, "elo0 = {elo0} must be below elo1 = {elo1}")
            }
        }
    }
}

impl std::error::Error for LearnError {}
impl std::error::Error for LearnProblem {}

impl From<FileError> for LearnError {
    fn from(error: FileError) -> LearnError {
        LearnError::File(error)
    }
}

impl From<MatchError> for LearnError {
    fn from(error: MatchError) -> LearnError {
        LearnError::Match(error)
    }
}

impl From<OutOfRange> for LearnProblem {
    fn from(error: OutOfRange) -> LearnProblem {
        LearnProblem::Range(error)
    }
}

impl From<OutOfRange> for GateProblem {
    fn from(error: OutOfRange) -> GateProblem {
        GateProblem::Range(error)
    }
}
