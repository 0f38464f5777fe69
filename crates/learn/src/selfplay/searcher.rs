//! Who searches the positions of self-play.

use fivestone_engine::solver::Verdict;
use fivestone_engine::{
    Engine, ExploreLimits, Explorer, Harvested, JudgedMove, Judgement, Limits, Line, Proof, Report, Rng, Stop,
};
use fivestone_game::{Board, Point};
use std::sync::Arc;

/// What a search of self-play found.
#[derive(Clone, PartialEq, Debug)]
pub struct Found {
    /// The move to play; nothing where the game is lost and none was looked at.
    pub played: Option<Point>,
    /// What was found about the position. A proof ends the game.
    pub judgement: Judgement,
    /// Positions of the tree to learn from as well.
    pub harvest: Vec<Harvested>,
}

/// Searches the positions of one game for both sides.
pub trait Searcher: Send {
    /// Searches a position that is not over, fully or quickly, after so many moves of the game.
    fn search(&mut self, board: &Board, full: bool, ply: usize, rng: &mut Rng, stop: &Stop) -> Found;

    /// Win probability of the side to move in a position that is not over, with this many visits.
    fn winrate(&mut self, board: &Board, visits: u64, stop: &Stop) -> f64;
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
        let proof = report.lines[0].proof.filter(|_| line.point == report.best());
        let judgement = Judgement {
            outcome: outcome(report.winrate(), proof),
            proof,
            moves: moves(&report),
            simulations: report.visits,
            own_fours: Verdict::Unknown,
            enemy_fours: Verdict::Unknown,
        };
        Found { played: Some(line.point), judgement, harvest: Vec::new() }
    }

    fn winrate(&mut self, board: &Board, visits: u64, stop: &Stop) -> f64 {
        self.engine.new_game();
        self.engine.think(board, &Limits::visits(visits), stop, &mut |_| {}).winrate()
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
        Found { played: found.chosen, judgement: found.judgement, harvest: found.harvest }
    }

    fn winrate(&mut self, board: &Board, visits: u64, stop: &Stop) -> f64 {
        let limits =
            ExploreLimits { simulations: visits, solver_nodes: visits, noise: 0.0, harvest: 0, ..self.full };
        // Without noise nothing is drawn.
        self.explorer.explore(board, &limits, &mut Rng::new(1), stop).judgement.winrate()
    }
}

/// Win, draw and loss of a win probability; engines do not tell draws apart unless they are
/// certain.
fn outcome(winrate: f64, proof: Option<Proof>) -> [f64; 3] {
    if proof == Some(Proof::Draw) { [0.0, 1.0, 0.0] } else { [winrate, 0.0, 1.0 - winrate] }
}

/// The candidates' shares of the visits; all of it on the choice of an engine that does not count them.
fn moves(report: &Report) -> Vec<JudgedMove> {
    let total: u64 = report.lines.iter().map(|line| line.visits).sum();
    if total == 0 {
        return vec![JudgedMove { point: report.best(), share: 1.0, visits: 0 }];
    }
    let tried = |line: &Line| JudgedMove {
        point: line.point,
        share: line.visits as f64 / total as f64,
        visits: line.visits.try_into().unwrap_or(u32::MAX),
    };
    report.lines.iter().filter(|line| line.visits > 0).map(tried).collect()
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
