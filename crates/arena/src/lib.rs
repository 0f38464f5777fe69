//! Honest matches between any engines: statistics, schedules, openings, engine processes, matches.
//!
//! A match is data ([`MatchConfig`]). [`Tournament`] plays it: the `schedule` says who meets whom, `player`s answer, the
//! referee in `game` trusts none of them, every finished game goes to the `journal` before it counts, and `stats` says
//! what the results mean.
#![forbid(unsafe_code)]

pub mod clock;
pub mod config;
mod error;
pub mod fault;
pub mod game;
pub mod grammar;
pub mod journal;
pub mod openings;
pub mod player;
pub mod record;
pub mod report;
pub mod schedule;
pub mod spec;
pub mod standings;
pub mod stats;
pub mod tournament;

pub use config::{MatchConfig, Roster};
pub use error::MatchError;
pub use fault::{Fault, FaultKind};
pub use spec::{EngineSpec, Program, Source};
pub use standings::Standings;
pub use tournament::{Conclusion, Observer, Tournament};
