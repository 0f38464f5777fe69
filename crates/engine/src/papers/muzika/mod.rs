//! Muzika 2017, "Monte Carlo tree search with a neural network for Gomoku-swap2".

pub mod alpha_beta;
pub mod mcts_basic;
pub mod mcts_nn;
pub mod policy_net;
mod polygon;
mod predictor;
mod rollout;
mod tree;
