//! Why a tuning cannot begin or go on.

use fivestone_arena::MatchError;
use fivestone_artifacts::{FileError, SettingsError};
use fivestone_engine::BuildError;
use std::fmt;
use std::path::PathBuf;

/// Why a tuning cannot begin or go on.
#[derive(Debug)]
pub enum TuneError {
    /// A file cannot be read or written.
    File(FileError),
    /// The settings that were given cannot be played.
    Settings(TuneProblem),
    /// The settings in a file cannot be read or played.
    Stored(PathBuf, Box<TuneProblem>),
    /// The directory is of another tuning; the difference in words.
    OtherTuning(PathBuf, String),
    /// The settings are missing beside a journal.
    NoSettings(PathBuf, PathBuf),
    /// Another process uses the journal.
    InUse(PathBuf),
    /// A line of the journal, from 1, is wrong.
    Journal(PathBuf, usize, BadLine),
    /// The openings cannot be read.
    Openings(MatchError),
}

/// What is wrong with a line of a tuning's journal.
#[derive(Debug)]
pub enum BadLine {
    /// It has no room for its checksum.
    TooShort,
    /// It is not what was written, or the line before it is not.
    Checksum,
    /// It holds something else.
    Content(serde_json::Error),
    /// It was written by another version.
    Version(u32),
    /// It was begun with other settings.
    OtherSettings,
    /// The iteration is not one of the settings.
    Misfit,
}

/// What is wrong with the settings of a tuning.
#[derive(Debug)]
pub enum TuneProblem {
    /// The text is not one of settings.
    Text(SettingsError),
    /// The engine cannot be built with them.
    Engine(BuildError),
    /// The engine would think for ever.
    NoLimit,
    /// A number that counts something is 0.
    BelowOne,
    /// There is nothing to tune.
    Nothing,
    /// A parameter cannot be tuned at all.
    Untunable(ParameterProblem),
    /// The settings of a parameter, by its name, make no sense.
    Parameter(String, ParameterProblem),
    /// A parameter is given twice.
    Twice(String),
    /// A parameter is tuned and set.
    AlsoSet(String),
    /// The engine, by its name, does not play this game, for a reason in its own words.
    Refused(&'static str, String),
}

/// What is wrong with a parameter.
#[derive(Clone, Debug)]
pub enum ParameterProblem {
    /// It is a seed.
    Seed,
    /// The engine has no such parameter.
    Unknown(BuildError),
    /// A word is no number.
    NotANumber(String),
    /// A key is not known.
    UnknownKey(String),
    /// A value of the parameter, by its name, is not finite.
    NotFinite(String),
    /// The range is empty.
    EmptyRange((f64, f64)),
    /// The range goes beyond what the parameter, by its name, can be.
    TooWide {
        /// The parameter.
        name: String,
        /// What it can be.
        declared: (f64, f64),
        /// The range.
        range: (f64, f64),
    },
    /// The start lies outside the range.
    Start(f64, (f64, f64)),
    /// The step does not fit the range.
    Step(f64, (f64, f64)),
    /// The rate is none.
    Rate(f64),
}

/// A parameter that was asked for and makes no sense.
#[derive(Clone, Debug)]
pub struct ParameterError {
    /// What was asked for.
    pub text: String,
    /// What is wrong with it.
    pub problem: ParameterProblem,
}

impl fmt::Display for TuneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TuneError::File(error) => write!(f, "{error}"),
            TuneError::Settings(problem) => write!(f, "{problem}"),
            TuneError::Stored(path, problem) => write!(f, "{}: {problem}", path.display()),
            TuneError::OtherTuning(path, difference) => {
                write!(f, "{} is of another tuning: {difference}", path.display())
            }
            TuneError::NoSettings(path, journal) => {
                write!(f, "{} is missing beside {}", path.display(), journal.display())
            }
            TuneError::InUse(path) => write!(f, "{}: another process is tuning here", path.display()),
            TuneError::Journal(path, line, problem) => {
                write!(f, "{}: line {line}: {problem}", path.display())
            }
            TuneError::Openings(error) => write!(f, "{error}"),
        }
    }
}

impl fmt::Display for BadLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadLine::TooShort => f.write_str("the line is too short: the file is damaged"),
            BadLine::Checksum => {
                f.write_str("the checksum does not fit: the file is damaged here or just before")
            }
            BadLine::Content(error) => write!(f, "{error}"),
            BadLine::Version(version) => write!(f, "version {version} of the journal is not known"),
            BadLine::OtherSettings => f.write_str("the settings beside it are not those it was begun with"),
            BadLine::Misfit => f.write_str("the iteration does not fit the settings"),
        }
    }
}

impl fmt::Display for TuneProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TuneProblem::Text(error) => write!(f, "{error}"),
            TuneProblem::Engine(error) => write!(f, "{error}"),
            TuneProblem::NoLimit => f.write_str("give the engine --visits or --time"),
            TuneProblem::BelowOne => f.write_str("visits, time and iterations are at least 1"),
            TuneProblem::Nothing => f.write_str("nothing to tune: give at least one --parameter NAME"),
            TuneProblem::Untunable(problem) => write!(f, "{problem}"),
            TuneProblem::Parameter(name, problem) => write!(f, "parameter {name}: {problem}"),
            TuneProblem::Twice(name) => write!(f, "parameter {name} is given twice"),
            TuneProblem::AlsoSet(name) => {
                write!(f, "parameter {name} is tuned and cannot be set as well")
            }
            TuneProblem::Refused(engine, refusal) => write!(f, "engine {engine}: {refusal}"),
        }
    }
}

impl fmt::Display for ParameterProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ParameterProblem::Seed => f.write_str("a seed makes no engine stronger"),
            ParameterProblem::Unknown(error) => write!(f, "{error}"),
            ParameterProblem::NotANumber(word) => write!(f, "\"{word}\" is not a number"),
            ParameterProblem::UnknownKey(key) => write!(f, "unknown key \"{key}\" (step or rate)"),
            ParameterProblem::NotFinite(name) => write!(f, "{name} has a value that is no number"),
            ParameterProblem::EmptyRange((low, high)) => write!(f, "the range {low}..{high} is empty"),
            ParameterProblem::TooWide { name, declared: (least, most), range: (low, high) } => {
                write!(f, "{name} goes from {least} to {most}, so {low}..{high} is too wide")
            }
            ParameterProblem::Start(start, (low, high)) => {
                write!(f, "the start {start} is not within {low}..{high}")
            }
            ParameterProblem::Step(step, (low, high)) => {
                write!(f, "the step {step} is not above 0 and at most half of {low}..{high}")
            }
            ParameterProblem::Rate(rate) => write!(f, "the rate {rate} is not above 0 and at most 1"),
        }
    }
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "--parameter {}: {}", self.text, self.problem)
    }
}

impl std::error::Error for TuneError {}
impl std::error::Error for TuneProblem {}
impl std::error::Error for ParameterError {}

impl From<FileError> for TuneError {
    fn from(error: FileError) -> TuneError {
        TuneError::File(error)
    }
}

impl From<TuneProblem> for TuneError {
    fn from(problem: TuneProblem) -> TuneError {
        TuneError::Settings(problem)
    }
}
