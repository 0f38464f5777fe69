//! Lin & Cao, "MCTS-ADP Exponential Heuristic Algorithm for Solving Gomoku".
//!
//! Section IV in files: the 29 patterns and the heuristics over them in `patterns` and `heuristic`, the perceptron in
//! `network`, positions with counted patterns in `position`; the agents of section V in `adp` and `uct`.

pub mod adp;
mod explain;
pub mod heuristic;
pub mod network;
pub mod patterns;
pub mod position;
mod search;
pub mod uct;
