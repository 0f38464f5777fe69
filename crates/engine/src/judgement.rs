//! What a search of self-play found about a position.

use crate::Proof;
use crate::solver::Verdict;
use fivestone_game::Point;

/// What was found about a position, all in the view of its side to move.
#[derive(Clone, PartialEq, Debug)]
pub struct Judgement {
    /// Win, draw and loss, which sum to one.
    pub outcome: [f64; 3],
    /// The certain result, if one was found.
    pub proof: Option<Proof>,
    /// The moves with how likely each should be; the shares sum to one unless no move was looked
    /// at.
    pub moves: Vec<JudgedMove>,
    /// Simulations spent.
    pub simulations: u64,
    /// Whether the side to move wins by fours.
    pub own_fours: Verdict,
    /// Whether the other side would win by fours if it were to move.
    pub enemy_fours: Verdict,
}

/// A move of a judged position.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct JudgedMove {
    /// Where.
    pub point: Point,
    /// How likely it should be.
    pub share: f64,
    /// How often it was tried.
    pub visits: u32,
}

impl Judgement {
    /// Win probability; a draw counts half.
    pub fn winrate(&self) -> f64 {
        self.outcome[0] + self.outcome[1] / 2.0
    }
}

/// A position of the search's tree that was visited often enough to learn from.
#[derive(Clone, PartialEq, Debug)]
pub struct Harvested {
    /// The moves that lead to it from the position searched; never empty.
    pub path: Vec<Point>,
    /// Its hash.
    pub hash: u64,
    /// What was found about it.
    pub judgement: Judgement,
}
