//! Engines: one front, [`Engine`], behind which stand the flagship, the baselines and the engines of the papers.
#![forbid(unsafe_code)]

mod alphabeta;
mod engine;
pub mod evaluation;
mod explanation;
mod judgement;
pub mod levels;
mod limits;
mod mcts;
pub mod opening;
mod pace;
pub mod papers;
mod parameters;
mod random;
mod registry;
mod report;
mod rng;
pub mod shipped;
pub mod solver;

pub use engine::{Engine, Stop};
pub use explanation::{Explanation, Layer, Tally};
pub use judgement::{Harvested, JudgedMove, Judgement};
pub use limits::{Budget, Limits, Progress};
pub use mcts::{Exploration, ExploreLimits, Explorer, bytes_per_node};
pub use parameters::{Parameter, RuleDefaults};
pub use registry::{
    BuildError, DEFAULT_ENGINE, ENGINES, EngineKind, NET, NetUse, Settings, build, explain, explained, kind,
};
pub use report::{Event, Line, Proof, Report};
pub use rng::Rng;
