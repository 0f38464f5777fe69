//! Wang & Shen, "Gomoku AI Using Monte Carlo Tree Search": a tree search over scored situations.
//!
//! `situations` is table 1 of the report, `search` its four steps, `engine` the engine.

pub mod engine;
mod explain;
mod search;
pub mod situations;
