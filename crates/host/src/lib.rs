//! What stands between the engines and those who use them: an engine on its thread, and programs behind a pipe with clocks and
//! faults.
#![forbid(unsafe_code)]

mod choice;
pub mod clock;
mod engine_host;
pub mod fault;
mod memory;
mod player;
mod process;
pub mod session;
pub mod spec;
pub mod views;

pub use choice::{ChoiceError, EngineChoice};
pub use engine_host::{EngineHost, HostError, News, Pending, Tell};
pub use fault::{Fault, FaultKind};
pub use memory::resident_bytes;
pub use player::{Answer, OpeningAnswer, Player, Setup, Silence};
pub use process::{External, Patience};
pub use spec::{EngineSpec, Program, Source};
