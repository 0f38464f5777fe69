//! Who searches the positions of self-play.

use fivestone_engine::{Engine, ExploreLimits, Explorer, Limits, Line, Proof, Report, Rng, Stop};
use fivestone_game::{Board, Point};
use std::sync::Arc;

/// What a search of self-play found.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// The move to play; nothing where the game is lost and none was looked at.
    pub played: Option<Point>,
    /// Win probability for the mover.
    pub winrate: f64,
    /// The certain result for the mover, if there is one: it ends the game.
    pub proof: Option<Proof>,
    /// How likely each move should be.
    pub policy: Vec<(Point, f64)>,
    /// Visits, iterations or nodes spent.
    pub visits: u64,
}

/// Searches the positions of one game for both sides.
pub trait Searcher: Send {
    /// Searches a position that is not over, fully or quickly, after so many moves of the game.
    fn search(&mut self, board: &Board, full: bool, ply: usize, rng: &mut Rng, stop: &Stop) -> Found;
}

/// Makes the searcher of a game from its seed.
pub type SearcherFactory = Arc<dyn Fn(u64) -> Box<dyn Searcher> + Send + Sync>;

/// Any engine: what it visits is what is learned.
pub struct EngineSearcher {
    /// The engine.
    pub engine: Box<dyn Engine>,
    /// Limits of a full search.
    pub full: Limits,
    /// Limits of a quick one.
    pub fast: Limits,
    /// Moves at the start of a game that are drawn in proportion to their visits.
    pub varied_moves: usize,
}

impl Searcher for EngineSearcher {
    fn search(&mut self, board: &Board, full: bool, ply: usize, rng: &mut Rng, stop: &Stop) -> Found {
        let limits = if full { &self.full } else { &self.fast };
        let report = self.engine.think(board, limits, stop, &mut |_| {});
        let line = if ply < self.varied_moves { drawn(&report, rng) } else { &report.lines[0] };
        Found {
            played: Some(line.point),
            winrate: report.winrate(),
            proof: report.lines[0].proof.filter(|_| line.point == report.best()),
            policy: policy(&report),
            visits: report.visits,
        }
    }
}

/// The flagship with a random choice at the root.
pub struct Gumbel {
    /// The search.
    pub explorer: Explorer,
    /// Limits of a full search.
    pub full: ExploreLimits,
    /// Limits of a quick one.
    pub fast: ExploreLimits,
    /// Moves at the start of a game that are drawn also where the search is a quick one.
    pub varied_moves: usize,
}

impl Searcher for Gumbel {
    fn search(&mut self, board: &Board, full: bool, ply: usize, rng: &mut Rng, stop: &Stop) -> Found {
        let mut limits = if full { self.full } else { self.fast };
        if !full && ply >= self.varied_moves {
            limits.noise = 0.0;
        }
        let found = self.explorer.explore(board, &limits, rng, stop);
        Found {
            played: found.chosen,
            winrate: found.winrate,
            proof: found.proof,
            policy: found.policy,
            visits: found.visits,
        }
    }
}

/// The candidates' shares of the visits; all of it on the choice of an engine that does not count them.
fn policy(report: &Report) -> Vec<(Point, f64)> {
    let total: u64 = report.lines.iter().map(|line| line.visits).sum();
    if total == 0 {
        return vec![(report.best(), 1.0)];
    }
    let share = |line: &Line| (line.point, line.visits as f64 / total as f64);
    report.lines.iter().filter(|line| line.visits > 0).map(share).collect()
}

/// A candidate drawn in proportion to its visits.
fn drawn<'a>(report: &'a Report, rng: &mut Rng) -> &'a Line {
    let total: u64 = report.lines.iter().map(|line| line.visits).sum();
    let mut left = (rng.unit() * total as f64) as u64;
    for line in &report.lines {
        if left < line.visits {
            return line;
        }
        left -= line.visits;
    }
    &report.lines[0]
}
