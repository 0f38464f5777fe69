//! Honest matches between any engines: statistics, schedules, openings, referee, journal.
//!
//! A match is data ([`MatchConfig`]). [`Tournament`] plays it: the `schedule` says who meets whom, `player`s answer, the
//! referee in `game` trusts none of them, every finished game goes to the `journal` before it counts, and `stats` says
//! what the results mean.
#![forbid(unsafe_code)]

pub mod config;
mod error;
pub mod game;
pub mod grammar;
pub mod journal;
pub mod openings;
pub mod player;
pub mod record;
pub mod report;
pub mod schedule;
pub mod standings;
pub mod stats;
pub mod tournament;

// What matches are made of: players with their clocks and their faults.
pub use fivestone_host::{EngineSpec, Fault, FaultKind, Program, Source, clock, fault, spec};

pub use config::{MatchConfig, Roster};
pub use error::MatchError;
pub use standings::Standings;
pub use tournament::{Conclusion, Observer, Tournament};
