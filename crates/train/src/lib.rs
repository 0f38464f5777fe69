//! From games to what the engines know: the fit of the pattern weights.
#![forbid(unsafe_code)]

pub mod patterns;
mod scored_game;

pub use scored_game::ScoredGame;
