//! The flagship's net: what it sees of a position, its file, and its evaluation in integers.
//!
//! As the data flows: `lines` numbers the line through a cell, `features` lists the cells that matter with their
//! line numbers, `kernels` turn these into integers per cell, `heads` into move logits and win, draw and loss.
//! This is the only crate with unsafe code, and only the kernels have it.
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
