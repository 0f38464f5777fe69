//! Training of nets that predict moves: from files of games to a net that `crates/nets` plays with.
//!
//! As the data flows: `games` reads records and divides them, `pairs` keeps the samples in one
//! file, `network` goes forwards and backwards, `trainer` steps, `run` keeps it all in a directory,
//! `export` and `onnx` write the finished net for other programs.

mod batch_norm;
mod checkpoint;
mod config;
mod events;
mod export;
mod games;
mod measure;
mod network;
#[cfg(test)]
mod network_tests;
mod onnx;
mod pairs;
mod protobuf;
mod run;
mod trainer;

pub use config::{Config, ConfigError, FirstWeights, PRESETS, Positions, Schedule, Split};
pub use games::{DataError, Games};
pub use measure::{Measured, STAGES};
pub use network::Network;
pub use onnx::model as onnx_model;
pub use pairs::{Pairs, Part, Sample};
pub use run::{Finished, PolicyError, Progress, Run};
