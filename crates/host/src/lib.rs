//! What stands between the engines and those who use them: programs behind a pipe, with clocks and faults.
#![forbid(unsafe_code)]

pub mod clock;
pub mod fault;
mod memory;
mod player;
mod process;
pub mod spec;

pub use fault::{Fault, FaultKind};
pub use memory::resident_bytes;
pub use player::{Answer, OpeningAnswer, Player, Setup, Silence};
pub use process::{External, Patience};
pub use spec::{EngineSpec, Program, Source};
