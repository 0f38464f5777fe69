//! What can be chosen, and how much is going on.

use super::word::Word;
use fivestone_game::{Opening, Rule};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// Everything a page offers.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Catalogue {
    /// The version of the program.
    pub version: &'static str,
    /// Every engine.
    pub engines: Vec<EngineEntry>,
    /// Programs to play against.
    pub externals: Vec<ProgramEntry>,
    /// The engine that plays unless another is asked for.
    pub default_engine: &'static str,
    /// The engine that judges unless another is asked for.
    pub analyst: &'static str,
    /// Engines that can explain a position.
    pub explained: Vec<&'static str>,
    /// The levels, weakest first.
    pub levels: Vec<LevelEntry>,
    /// The rules of play.
    pub rules: [Word<Rule>; Rule::ALL.len()],
    /// The smallest and the largest side of a board.
    pub sizes: [usize; 2],
    /// How games may begin.
    pub openings: [OpeningEntry; Opening::ALL.len()],
}

/// An engine.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct EngineEntry {
    /// The name it is asked for by.
    pub name: &'static str,
    /// The paper it comes from.
    pub paper: Option<&'static str>,
    /// One line for a list.
    pub description: &'static str,
    /// What can be set.
    pub parameters: Vec<ParameterEntry>,
}

/// A parameter of an engine.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct ParameterEntry {
    /// Its name.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// Its value unless told otherwise.
    pub default: f64,
    /// The smallest and largest value.
    pub range: [f64; 2],
}

/// A program to play against.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct ProgramEntry {
    /// The name it is asked for by.
    pub name: String,
}

/// A level.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct LevelEntry {
    /// Its number, from 1.
    pub level: usize,
    /// Its name.
    pub name: &'static str,
    /// How strong it is, where that was measured.
    pub rated: Option<Rating>,
}

/// The measured strength of a level.
#[derive(Clone, Serialize, PartialEq, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Rating {
    /// Elo; the anchor of the table is at 0.
    pub elo: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
    /// Games that it was measured with.
    pub games: u64,
}

/// How a game may begin.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct OpeningEntry {
    /// The name it is asked for by.
    pub name: Word<Opening>,
    /// One line for a list.
    pub description: &'static str,
}

/// How much is going on.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Load {
    /// Searches that run.
    pub running: usize,
    /// Searches that wait.
    pub waiting: usize,
    /// Programs that are kept running.
    pub programs: usize,
}
