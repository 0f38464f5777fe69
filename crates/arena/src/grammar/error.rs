//! What is wrong with the command line of a match.

use crate::clock::BadTimeControl;
use crate::openings::UnknownFormat;
use crate::stats::BadTest;
use fivestone_game::opening::UnknownOpening;
use fivestone_game::{Size, UnknownRule};
use std::fmt;

/// Why a command line is no match.
#[derive(Clone, PartialEq, Debug)]
pub enum GrammarError {
    /// A word belongs to no option.
    StandsAlone(String),
    /// An option, by its name, is wrong.
    Option(String, Problem),
    /// An engine, by what it is called, is wrong.
    Engine(String, Problem),
    /// A key of an engine is wrong.
    EngineKey {
        /// What the engine is called.
        engine: String,
        /// The key.
        key: String,
        /// What is wrong.
        problem: Problem,
    },
    /// Fewer than two engines.
    TooFewEngines,
    /// A rating is given to an engine that does not play.
    NoAnchor(String),
}

impl fmt::Display for GrammarError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GrammarError::StandsAlone(word) => {
                write!(f, "\"{word}\" stands alone: options begin with - (see fivestone match --help)")
            }
            GrammarError::Option(name, problem) => write!(f, "-{name}: {problem}"),
            GrammarError::Engine(engine, problem) => write!(f, "engine {engine}: {problem}"),
            GrammarError::EngineKey { engine, key, problem } => {
                write!(f, "engine {engine}: {key}: {problem}")
            }
            GrammarError::TooFewEngines => {
                f.write_str("a match needs two engines: -engine name=... -engine name=...")
            }
            GrammarError::NoAnchor(name) => write!(f, "-anchor: no engine is called \"{name}\""),
        }
    }
}

impl std::error::Error for GrammarError {}

/// What is wrong with an option or an engine.
#[derive(Clone, PartialEq, Debug)]
pub enum Problem {
    /// There is no such option.
    UnknownOption,
    /// There is no such key.
    UnknownKey(String),
    /// A value is missing.
    Missing,
    /// This value is one too many.
    Extra(String),
    /// A word is no key with a value.
    NotAPair(String),
    /// A word is no number, or none that fits.
    NotANumber(String),
    /// A number is below 1.
    BelowOne(String),
    /// A word is neither on nor off.
    NotASwitch(String),
    /// A file has no name.
    NoFileName,
    /// There is no such rule.
    Rule(UnknownRule),
    /// There is no such rule for openings.
    OpeningRule(UnknownOpening),
    /// There is no board of this size.
    NotASize(String),
    /// There is no such form of a tournament.
    UnknownForm(String),
    /// Openings are not written in such a way.
    Format(UnknownFormat),
    /// Openings have no such order.
    UnknownOrder(String),
    /// It is not said where openings come from.
    NoOpenings,
    /// There is no such model of a test.
    UnknownModel(String),
    /// The test makes no sense.
    Sprt(BadTest),
    /// A side would give up in a position that is even or better.
    TooHopeful,
    /// A time control is none.
    TimeControl(BadTimeControl),
    /// The time for a move is none.
    NotATurn(String),
    /// A word is no time.
    NotATime(String),
    /// A word is no amount of memory.
    NotMemory(String),
    /// More memory than can be counted.
    TooMuchMemory(String),
    /// An engine has no name.
    NoName,
    /// The command of an engine is empty.
    NoCommand,
    /// A quote is not closed.
    OpenQuote(String),
    /// An engine would think for ever.
    NoLimit,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::UnknownOption => f.write_str("unknown option (see fivestone match --help)"),
            Problem::UnknownKey(key) => write!(f, "unknown key \"{key}\""),
            Problem::Missing => f.write_str("a value is missing"),
            Problem::Extra(word) => write!(f, "\"{word}\" is one value too many"),
            Problem::NotAPair(word) => write!(f, "\"{word}\" is not key=value"),
            Problem::NotANumber(word) => write!(f, "\"{word}\" is not a number that fits here"),
            Problem::BelowOne(word) => write!(f, "{word} must be at least 1"),
            Problem::NotASwitch(word) => write!(f, "\"{word}\" is neither on nor off"),
            Problem::NoFileName => f.write_str("the file has no name"),
            Problem::Rule(error) => write!(f, "{error}"),
            Problem::OpeningRule(error) => write!(f, "{error}"),
            Problem::NotASize(word) => {
                write!(f, "{word} is no board size ({} to {})", Size::MIN, Size::MAX)
            }
            Problem::UnknownForm(word) => {
                write!(f, "unknown form \"{word}\" (one of: round-robin, gauntlet, swiss)")
            }
            Problem::Format(error) => write!(f, "{error}"),
            Problem::UnknownOrder(word) => write!(f, "unknown order \"{word}\" (random or sequential)"),
            Problem::NoOpenings => f.write_str("give file=, shipped=on or random="),
            Problem::UnknownModel(word) => write!(f, "unknown model \"{word}\" (normalized or logistic)"),
            Problem::Sprt(error) => write!(f, "{error}"),
            Problem::TooHopeful => {
                f.write_str("the winner's win probability must be above 0.5 (score above 0)")
            }
            Problem::TimeControl(error) => write!(f, "{error}"),
            Problem::NotATurn(word) => write!(f, "st={word} is no time in seconds"),
            Problem::NotATime(word) => write!(f, "\"{word}\" is no time"),
            Problem::NotMemory(word) => {
                write!(f, "\"{word}\" is no amount of memory (write 350MB or 2GB)")
            }
            Problem::TooMuchMemory(word) => write!(f, "{word} is too much"),
            Problem::NoName => f.write_str("give it a name= or a cmd="),
            Problem::NoCommand => f.write_str("cmd= is empty"),
            Problem::OpenQuote(text) => write!(f, "a quote is not closed in {text}"),
            Problem::NoLimit => f.write_str("no limit: give it (or -each) tc=, st=, visits= or depth="),
        }
    }
}

impl std::error::Error for Problem {}
