//! Nets for Gomoku: what they see of a position, their files, and their evaluation in integers.
//!
//! As the data flows: [`lines`] numbers the line through a cell, [`features`] lists the cells that
//! matter with their line numbers, [`kernels`] turn these into integers per cell, `heads` into move
//! logits and win, draw and loss. [`policy`] are nets that predict moves. This is the only crate
//! with unsafe code, and only the kernels have it. It holds no nets: the trained ones are the
//! crates `fivestone-shipped` and `fivestone-shipped-policies`.
//!
//! A position's value and the logits of some moves:
//!
//! ```
//! use fivestone_game::{Board, Point, Rule, Size};
//! use fivestone_nets::{Net, NetEvaluator};
//! use std::sync::Arc;
//!
//! let net = Net::from_bytes(fivestone_shipped::FREESTYLE)?;
//! let mut evaluator = NetEvaluator::new(Arc::new(net));
//! let size = Size::STANDARD;
//! let board = Board::from_moves(size, Rule::Freestyle, &[size.centre()]).unwrap();
//! let moves: Vec<Point> = board.near(2).iter().collect();
//! let mut logits = Vec::new();
//! let value = evaluator.evaluate(&board, &moves, &mut logits);
//! assert!((value.win + value.draw + value.loss - 1.0).abs() < 1e-3);
//! assert_eq!(logits.len(), moves.len());
//! # Ok::<(), fivestone_nets::NetError>(())
//! ```
//!
//! A net knows which games it is for:
//!
//! ```
//! use fivestone_game::{Rule, Size};
//! use fivestone_nets::{Net, NetError};
//!
//! let net = Net::from_bytes(fivestone_shipped::RENJU)?;
//! assert!(net.check(Rule::Renju, Size::STANDARD).is_ok());
//! assert!(net.check(Rule::Standard, Size::STANDARD).is_err());
//! assert!(matches!(Net::from_bytes(b"no net at all"), Err(NetError::NotANet)));
//! # Ok::<(), NetError>(())
//! ```
//!
//! Where would people play?
//!
//! ```
//! use fivestone_game::{Board, Rule, Size};
//! use fivestone_nets::policy::{PolicyEvaluator, PolicyNet};
//! use std::sync::Arc;
//!
//! let net = PolicyNet::from_bytes(fivestone_shipped_policies::MUZIKA)?;
//! let mut evaluator = PolicyEvaluator::new(Arc::new(net));
//! let (points, logits) = evaluator.evaluate(&Board::new(Size::STANDARD, Rule::Renju));
//! assert!(points.contains(&Size::STANDARD.centre()));
//! assert_eq!(points.len(), logits.len());
//! # Ok::<(), fivestone_nets::NetError>(())
//! ```
#![deny(unsafe_op_in_unsafe_fn, clippy::missing_safety_doc, clippy::undocumented_unsafe_blocks)]

pub mod architecture;
mod evaluator;
pub mod features;
mod file;
mod heads;
pub mod kernels;
mod line_memory;
pub mod lines;
mod net;
pub mod policy;

pub use evaluator::{NetEvaluator, Wdl};
pub use file::NetError;
pub use heads::{Dense, Heads};
pub use kernels::Instructions;
pub use net::{Cell, Convolution, LineTable, Net, PolicyLayer, Row, SideNet};
