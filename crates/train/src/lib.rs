//! From games to what the engines know: the fit of the pattern weights, and the training of the flagship's net and of the papers'.
#![forbid(unsafe_code)]

pub mod adp;
pub mod flagship;
pub mod layers;
mod line_rows;
pub mod optimiser;
pub mod patterns;
pub mod policy;
mod run_files;
pub mod samples;
mod scored_game;
mod steps;

pub use run_files::{RunError, file_names};
pub use scored_game::ScoredGame;
