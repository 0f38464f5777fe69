//! Games to train nets from: in memory, as files of their own, and imported from texts.

mod file;
mod import;
mod selfplay;
mod store;

pub use file::{SampleError, SampleWriter, read_samples};
pub use import::{ImportError, read_games};
pub(crate) use selfplay::within;
pub use selfplay::{SelfPlaySettings, SelfPlayTask, self_play};
pub use store::{SampleStore, StoreError};

use crate::ScoredGame;
use fivestone_game::{Color, Point, Rule, Size};

/// A game with what is to be learned from each of its positions.
#[derive(Clone, PartialEq, Debug)]
pub struct SampleGame {
    /// The rule played.
    pub rule: Rule,
    /// The board's size.
    pub size: Size,
    /// Who won; nobody in a draw.
    pub winner: Option<Color>,
    /// Whether the result is known at all.
    pub result_known: bool,
    /// Moves to learn nothing from: the opening.
    pub opening: Vec<Point>,
    /// The moves after it.
    pub plies: Vec<SamplePly>,
}

/// A move and what was known when it was played.
#[derive(Clone, PartialEq, Debug)]
pub struct SamplePly {
    /// The move played.
    pub point: Point,
    /// Whether the move is worth learning (a quick move of self-play is not).
    pub learn: bool,
    /// The mover's expectation before the move, 0 to 1, if known.
    pub value: Option<f32>,
    /// How the search divided its visits, as shares that sum to one; empty where only the move played is known.
    pub visits: Vec<(Point, f32)>,
}

impl From<&ScoredGame> for SampleGame {
    fn from(game: &ScoredGame) -> SampleGame {
        let ply = |&(point, value): &(Point, Option<f64>)| SamplePly {
            point,
            learn: true,
            value: value.map(|value| value as f32),
            visits: Vec::new(),
        };
        SampleGame {
            rule: game.rule,
            size: game.size,
            winner: game.winner,
            result_known: true,
            opening: game.opening.clone(),
            plies: game.moves.iter().map(ply).collect(),
        }
    }
}
