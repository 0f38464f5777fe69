//! Training of nets that predict moves: from files of games to a net that `crates/nets` plays with.
//!
//! As the data flows: `games` reads records and divides them, `pairs` keeps the samples in a mapped file, `network` goes
//! forwards and backwards, `trainer` steps, `run` keeps it all in a directory, `export` writes the finished net.

mod batch_norm;
mod config;
mod games;
mod network;
#[cfg(test)]
mod network_tests;
mod pairs;

pub use config::{Config, ConfigError, PRESETS, Positions, Schedule, Split};
pub use games::{DataError, Games};
pub use network::Network;
pub use pairs::{Pairs, Part, Sample};
