//! Stronger engines out of games: `selfplay` makes games to learn from, `generations` is the loop
//! of self-play, training and matches, `tune` fits an engine's parameters by games between opposite
//! values.
#![forbid(unsafe_code)]

pub mod generations;
mod ranges;
pub mod selfplay;
pub mod tune;

pub use ranges::OutOfRange;
