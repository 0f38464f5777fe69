//! Muzika 2017, "Monte Carlo tree search with a neural network for Gomoku-swap2": the baselines without a net.

pub mod alpha_beta;
pub mod mcts_basic;
mod polygon;
mod rollout;
mod tree;
