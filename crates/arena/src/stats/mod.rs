//! Statistics of matches, pure functions of counts: Elo, normalised Elo, likelihood of superiority, sequential tests
//! and ratings of pools.

mod elo;
mod ratings;
mod score;
mod sprt;

pub use elo::{Estimate, Interval, elo_of_score, score_of_elo};
pub use ratings::{Encounter, Rating, rate};
pub use score::{Score, Tally};
pub use sprt::{BadTest, Decision, Model, Sprt};
