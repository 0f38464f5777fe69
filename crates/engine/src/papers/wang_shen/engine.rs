//! `situation-mcts`.

use super::explain;
use super::search::{Numbers, Search, ranked_moves};
use super::situations::value;
use crate::pace::{Next, Pace};
use crate::parameters::{SEED, number, parameters};
use crate::random::playable;
use crate::registry::{EngineKind, NetUse};
use crate::report::{Line, Proof};
use crate::{Budget, Engine, Event, Limits, Report, Rng, Settings, Stop};
use fivestone_game::{Board, GameEnd, Point};

/// The listing of the engine.
pub const KIND: EngineKind = EngineKind {
    name: "situation-mcts",
    paper: Some("Wang & Shen 2020"),
    description: "tree search over scored situations, three moves a node",
    parameters: Parameters::TABLE,
    tuned: &[],
    nets: NetUse::None,
    explain: Some(explain::situation_mcts),
    build: |settings| Box::new(SituationMcts::new(settings)),
};

parameters! {
    struct Parameters {
        children: usize = number(3.0, 1.0..=484.0, "most moves that a node is expanded by"),
        radius: usize = number(1.0, 1.0..=22.0, "how far from a stone a move may be"),
        // The report plays every simulation to its end.
        depth: usize =
            number(60.0, 0.0..=484.0, "moves after which a simulation goes to the better board"),
        seed: u64 = SEED,
    }
}

/// How often the clock and the stop flag are asked, in simulations: about a millisecond.
const CLOCK_STEP: u64 = 8;

struct SituationMcts {
    numbers: Numbers,
    rng: Rng,
}

impl SituationMcts {
    fn new(settings: &Settings) -> SituationMcts {
        let Parameters { children, radius, depth, seed } = Parameters::of(&settings.values());
        SituationMcts { numbers: Numbers { children, radius, depth }, rng: Rng::new(seed) }
    }

    /// The best moves at the root among those that may be played.
    fn root_moves(&self, board: &Board, limits: &Limits) -> Vec<(Point, i32)> {
        let allowed = playable(board, limits);
        let near = board.near(self.numbers.radius);
        let close = || allowed.iter().copied().filter(|&point| near.contains(point));
        let mut moves = ranked_moves(board, close(), self.numbers.children);
        if moves.is_empty() {
            moves = ranked_moves(board, allowed.iter().copied(), self.numbers.children);
        }
        if moves.is_empty() {
            moves = vec![(allowed[0], 0)];
        }
        let before = value(board, board.to_move());
        moves.into_iter().map(|(point, gain)| (point, before + gain)).collect()
    }
}

impl Engine for SituationMcts {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn think(
        &mut self,
        board: &Board,
        limits: &Limits,
        stop: &Stop,
        events: &mut dyn FnMut(Event),
    ) -> Report {
        let budget = limits.budget(board.stone_count());
        let moves = self.root_moves(board, limits);
        let rng = Rng::new(self.rng.bits());
        let mut search = Search::new(board, moves, self.numbers, limits.memory, rng);
        let mut pace = Pace::new(&budget, stop, CLOCK_STEP);
        loop {
            search.iterate();
            match pace.after(search.simulations) {
                Next::Step => {}
                Next::Report => events(Event::Report(report(&search, limits, &budget))),
                Next::End => return report(&search, limits, &budget),
            }
        }
    }
}

/// The most simulated move first. The report does not say which is played.
fn report(search: &Search, limits: &Limits, budget: &Budget) -> Report {
    let nodes = &search.nodes;
    let favourite = |children: &[usize]| {
        let first_of_most = |&child: &usize| (nodes[child].visits, std::cmp::Reverse(child));
        children.iter().copied().max_by_key(first_of_most)
    };
    let mut children = nodes[0].children.clone();
    children.sort_by_key(|&child| (std::cmp::Reverse(nodes[child].visits), child));
    let lines = children.into_iter().take(limits.lines.max(1)).map(|child| {
        let mut pv: Vec<Point> = nodes[child].point.into_iter().collect();
        let mut at = child;
        while let Some(next) = favourite(&nodes[at].children) {
            at = next;
            pv.extend(nodes[at].point);
        }
        let node = &nodes[child];
        let winner = node.ending.map(GameEnd::winner);
        Line {
            point: pv[0],
            winrate: node.win_share().into(),
            visits: node.visits.into(),
            pv,
            proof: winner.map(|winner| match (winner, node.win_share() > 0.5) {
                (None, _) => Proof::Draw,
                (Some(_), true) => Proof::Win(1),
                (Some(_), false) => Proof::Loss(1),
            }),
            prior: None,
        }
    });
    Report {
        lines: lines.collect(),
        visits: search.simulations,
        depth: search.depth as u32,
        elapsed: budget.started.elapsed(),
    }
}
