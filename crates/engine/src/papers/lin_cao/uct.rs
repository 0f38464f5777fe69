//! `uct`, the plain tree search, and `adp-uct`, the one with network, heuristic and pruning.

use super::explain;
use super::heuristic::Heuristic;
use super::network::Network;
use super::position::Position;
use super::search::{Manner, Search};
use crate::pace::{Next, Pace};
use crate::parameters::{SEED, Value, number, parameters};
use crate::random::playable;
use crate::registry::{EngineKind, NetUse};
use crate::report::{Line, Proof};
use crate::{Budget, Engine, Event, Limits, Report, Rng, Stop};
use fivestone_game::{Board, GameEnd, Point};

/// The listing of the plain search.
pub const UCT: EngineKind = EngineKind {
    name: "uct",
    paper: Some("Lin & Cao 2019"),
    description: "plain UCT with random simulations within two of the stones",
    parameters: PlainParameters::TABLE,
    tuned: &[],
    nets: NetUse::None,
    explain: Some(explain::heuristics),
    build: |settings| {
        let PlainParameters { c, depth, seed } = PlainParameters::of(&settings.values());
        let manner = Manner { c, bias: 0.0, width: 0, depth, heuristic: None };
        Box::new(Uct { name: UCT.name, network: None, manner, rng: Rng::new(seed) })
    },
};

parameters! {
    struct PlainParameters {
        c: f64 = number(std::f64::consts::SQRT_2, 0.0..=100.0, "the constant C of UCB"),
        // The paper names no MAX_DEPTH.
        depth: usize = number(60.0, 0.0..=484.0, "moves after which a simulation is a tie"),
        seed: u64 = SEED,
    }
}

/// The listing of the search with everything the paper adds.
pub const ADP_UCT: EngineKind = EngineKind {
    name: "adp-uct",
    paper: Some("Lin & Cao 2019"),
    description: "UCT with a heuristic's bias and pruning, simulations cut off and valued by the network",
    parameters: Parameters::TABLE,
    tuned: &[],
    nets: NetUse::None,
    explain: Some(explain::heuristics),
    build: |settings| {
        let Parameters { c, bias, width, depth, heuristic, seed } = Parameters::of(&settings.values());
        let manner = Manner { c, bias, width, depth, heuristic: Some(heuristic) };
        let network = Some(Network::shipped());
        Box::new(Uct { name: ADP_UCT.name, network, manner, rng: Rng::new(seed) })
    },
};

parameters! {
    struct Parameters {
        // With simulations valued by a network the survey's sqrt(2) would hardly ever exploit.
        c: f64 = number(0.2, 0.0..=100.0, "the constant C of UCB"),
        bias: f64 = number(
            1.0,
            0.0..=100.0,
            "weight of the progressive bias, for the move of the best heuristic",
        ),
        width: usize =
            number(12.0, 0.0..=484.0, "moves of the best heuristic that a node keeps; 0 for all"),
        depth: usize =
            number(4.0, 0.0..=484.0, "moves after which the network values a simulation"),
        heuristic: Heuristic =
            number(0.0, 0.0..=1.0, "which heuristic: 0 exponential, 1 Kang & Kim"),
        seed: u64 = SEED,
    }
}

impl Value for Heuristic {
    fn of(number: f64) -> Heuristic {
        if number < 1.0 { Heuristic::Exponential } else { Heuristic::KangKim }
    }
}

/// How often the clock and the stop flag are asked, in simulations: well below a millisecond.
const CLOCK_STEP: u64 = 16;

struct Uct {
    name: &'static str,
    network: Option<Network>,
    manner: Manner,
    rng: Rng,
}

impl Engine for Uct {
    fn name(&self) -> &'static str {
        self.name
    }

    fn think(
        &mut self,
        board: &Board,
        limits: &Limits,
        stop: &Stop,
        events: &mut dyn FnMut(Event),
    ) -> Report {
        let budget = limits.budget(board.stone_count());
        let allowed = playable(board, limits);
        let mut points = Position::new(board).candidates();
        points.retain(|point| allowed.binary_search(point).is_ok());
        if points.is_empty() {
            points = allowed;
        }
        let rng = Rng::new(self.rng.bits());
        let mut search =
            Search::new(board, points, self.network.as_ref(), self.manner, limits.memory / 2, rng);
        let mut pace = Pace::new(&budget, stop, CLOCK_STEP);
        loop {
            search.iterate();
            match pace.after(search.simulations) {
                Next::Step => {}
                Next::Report => events(Event::Report(report(&search, board, limits, &budget))),
                Next::End => return report(&search, board, limits, &budget),
            }
        }
    }
}

/// The most visited move first.
fn report(search: &Search<'_>, board: &Board, limits: &Limits, budget: &Budget) -> Report {
    let children = search.children(0);
    let mut order: Vec<usize> = (0..children.len()).collect();
    order.sort_by(|&a, &b| {
        let (one, two) = (&children[a], &children[b]);
        two.visits.cmp(&one.visits).then(two.mean().total_cmp(&one.mean())).then(a.cmp(&b))
    });
    let lines = order.into_iter().take(limits.lines.max(1)).map(|number| {
        let node = &children[number];
        let pv: Vec<Point> = search.line(number);
        let winner = node.ending.map(GameEnd::winner);
        Line {
            point: node.point,
            winrate: node.mean().into(),
            visits: node.visits.into(),
            pv,
            proof: winner.map(|winner| match winner {
                None => Proof::Draw,
                Some(color) if color == board.to_move() => Proof::Win(1),
                Some(_) => Proof::Loss(1),
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
