//! The Gomocup (Piskvork) protocol and its Yixin and Rapfi extensions, as bytes and types.
//!
//! The engine's side reads [`Command`]s with a [`Parser`] and writes [`Reply`]s; a manager writes commands and reads
//! replies with [`Reply::parse`]. Neither side does any input or output here.
//!
//! Coordinates stay as written until a [`Convention`] and a board size turn them into a point.

mod command;
mod convention;
mod parser;
mod reply;
mod word;

pub use command::{Command, Info, RuleMask, Stone};
pub use convention::{Convention, Coordinates};
pub use parser::{Parser, Problem};
pub use reply::{Detail, Evaluation, Realtime, Reply, Swap2Message};
