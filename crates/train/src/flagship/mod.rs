//! Training of the flagship's net: from games to a quantised net file.
//!
//! As the data flows: `data` loads games and lists their positions, `sample` turns one into
//! features and targets, `folding` sums the parts of its table rows, `model` evaluates it in
//! floating point and finds the gradients, `trainer` steps, `quantise` makes the integers the
//! searches use, `run` keeps it all in a directory that can be stopped and resumed.

mod checkpoint;
mod config;
mod data;
mod folding;
mod measure;
mod model;
mod quantise;
mod run;
mod sample;
mod trainer;

pub use config::{Config, TargetSettings};
pub use data::Dataset;
pub use measure::{Measured, measure_net};
pub use quantise::quantise;
pub use run::{Progress, Run, TrainError};
pub use trainer::Trainer;
