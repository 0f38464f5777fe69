//! Games to train nets from: in memory, as files of their own, and imported from texts.

mod encoding;
mod file;
mod import;
mod store;
mod summary;
mod version_1;

pub use file::{SampleError, SampleWriter, TornEnd, read_samples};
pub use import::{ImportError, read_games};
pub use store::{SampleStore, StoreError};
pub use summary::SampleSummary;

use crate::ScoredGame;
use fivestone_engine::Proof;
use fivestone_engine::solver::Verdict;
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
    /// Positions that were not played but searched on the way.
    pub harvest: Vec<HarvestedPosition>,
}

/// A move and what was known when it was played.
#[derive(Clone, PartialEq, Debug)]
pub struct SamplePly {
    /// The move played.
    pub point: Point,
    /// Whether the moves are worth learning (those of a quick search are not).
    pub learn: bool,
    /// What was found about the position before the move.
    pub findings: Findings,
}

/// A position of the search's tree. Its moves are worth learning; the result of the game says
/// nothing about it, since the game went another way.
#[derive(Clone, PartialEq, Debug)]
pub struct HarvestedPosition {
    /// It leaves the game after this many moves that follow the opening ...
    pub ply: u16,
    /// ... with these moves; never empty.
    pub path: Vec<Point>,
    /// What was found about it.
    pub findings: Findings,
}

/// What a search found about a position, all in the view of its side to move.
#[derive(Clone, PartialEq, Debug)]
pub struct Findings {
    /// Win, draw and loss, which sum to one; nothing where no search judged the position. Games of
    /// version 1 and imported ones have no draws in it. Exact where there is a proof.
    pub outcome: Option<[f32; 3]>,
    /// The moves worth thinking about; empty where only the move played is known.
    pub moves: Vec<SampleMove>,
    /// Simulations spent; 0 where that is not known, and where a forced win was found before any.
    pub simulations: u32,
    /// Whether the side to move wins by fours.
    pub own_fours: Verdict,
    /// Whether the other side would win by fours if it were to move.
    pub enemy_fours: Verdict,
    /// The certain result, if one was found.
    pub proof: Option<Proof>,
}

/// A move of a searched position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SampleMove {
    /// Where.
    pub point: Point,
    /// How likely it should be; the shares of a position sum to one.
    pub share: f32,
    /// How often the search tried it; 0 where that is not known.
    pub visits: u32,
}

impl Findings {
    /// Nothing was found.
    pub const NONE: Findings = Findings {
        outcome: None,
        moves: Vec::new(),
        simulations: 0,
        own_fours: Verdict::Unknown,
        enemy_fours: Verdict::Unknown,
        proof: None,
    };

    /// Only an expectation is known, 0 to 1, if anything.
    pub fn expecting(value: Option<f32>) -> Findings {
        Findings { outcome: value.map(|value| [value, 0.0, 1.0 - value]), ..Findings::NONE }
    }

    /// The expected result of the side to move, 0 to 1, if known: a draw counts half.
    pub fn expectation(&self) -> Option<f32> {
        self.outcome.map(|[win, draw, _]| win + draw / 2.0)
    }
}

/// Win, draw and loss of a certain result.
pub fn certain(proof: Proof) -> [f32; 3] {
    match proof {
        Proof::Win(_) => [1.0, 0.0, 0.0],
        Proof::Draw => [0.0, 1.0, 0.0],
        Proof::Loss(_) => [0.0, 0.0, 1.0],
    }
}

impl SamplePly {
    /// A move with at most an expectation.
    pub fn played(point: Point, value: Option<f32>) -> SamplePly {
        SamplePly { point, learn: true, findings: Findings::expecting(value) }
    }
}

impl SampleGame {
    /// All moves that lead to a harvested position, from the first on.
    pub fn moves_to<'a>(&'a self, position: &'a HarvestedPosition) -> impl Iterator<Item = Point> + 'a {
        let played = self.plies[..usize::from(position.ply)].iter().map(|ply| ply.point);
        self.opening.iter().copied().chain(played).chain(position.path.iter().copied())
    }

    /// Positions with moves to learn: played ones and harvested ones.
    pub fn targets(&self) -> usize {
        self.plies.iter().filter(|ply| ply.learn).count() + self.harvest.len()
    }
}

impl From<&ScoredGame> for SampleGame {
    fn from(game: &ScoredGame) -> SampleGame {
        let ply = |&(point, value): &(Point, Option<f64>)| {
            SamplePly::played(point, value.map(|value| value as f32))
        };
        SampleGame {
            rule: game.rule,
            size: game.size,
            winner: game.winner,
            result_known: true,
            opening: game.opening.clone(),
            plies: game.moves.iter().map(ply).collect(),
            harvest: Vec::new(),
        }
    }
}
