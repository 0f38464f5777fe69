//! What is to be played: engines and their limits.

use crate::EngineChoice;
use crate::clock::TimeControl;
use fivestone_engine::BuildError;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::time::Duration;

/// One engine of a match.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct EngineSpec {
    /// The name in reports.
    pub name: String,
    /// Where it comes from.
    pub source: Source,
    /// Its time.
    pub time: TimeControl,
    /// How far it may overstep its time before it loses: what the machine and the pipes may cost.
    pub tolerance: Duration,
    /// The most visits, iterations or nodes for a move.
    pub visits: Option<u64>,
    /// The deepest search in plies.
    pub depth: Option<u32>,
    /// Threads to search with.
    pub threads: usize,
    /// Bytes it may hold, all its processes together.
    pub memory: u64,
    /// Parameters of a built-in engine, `INFO` keys of an external one.
    pub options: Vec<(String, String)>,
    /// Whether an external program is started anew for every game.
    pub restart: bool,
}

/// Where an engine comes from.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// An engine of the registry, by name.
    BuiltIn(String),
    /// A program that speaks the Gomocup protocol.
    Program(Program),
}

/// How to start a program.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Program {
    /// The program.
    pub command: String,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Where it runs.
    pub directory: Option<PathBuf>,
    /// Where its standard error goes; nowhere unless told.
    pub stderr: Option<PathBuf>,
}

impl EngineSpec {
    /// An engine with the usual limits: no time control, 350 MB, one thread.
    pub fn new(name: impl Into<String>, source: Source) -> EngineSpec {
        EngineSpec {
            name: name.into(),
            source,
            time: TimeControl::default(),
            tolerance: Duration::from_millis(500),
            visits: None,
            depth: None,
            threads: 1,
            memory: 350 << 20,
            options: Vec::new(),
            restart: false,
        }
    }

    /// The built-in engine with its options; an external program is none.
    pub fn choice(&self) -> Result<EngineChoice, BuildError> {
        let Source::BuiltIn(name) = &self.source else {
            return Err(BuildError::UnknownEngine(self.name.clone()));
        };
        EngineChoice::named(name, self.options.iter().map(|(key, value)| (key.as_str(), value.as_str())))
    }

    /// Whether anything bounds its thinking.
    pub fn is_limited(&self) -> bool {
        self.time.game.is_some() || self.time.turn.is_some() || self.visits.is_some() || self.depth.is_some()
    }
}
