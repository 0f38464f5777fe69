//! `uct`, the plain tree search, and `adp-uct`, the one with network, heuristic and pruning.

use super::heuristic::Heuristic;
use super::network::Network;
use super::position::Position;
use super::search::{Manner, Search};
use crate::pace::{Next, Pace};
use crate::random::playable;
use crate::registry::{EngineKind, Parameter, SEED};
use crate::report::{Line, Proof};
use crate::{Budget, Engine, Event, Limits, Report, Rng, Stop};
use fivestone_game::{Board, GameEnd, Point};

/// The listing of the plain search.
pub const UCT: EngineKind = EngineKind {
    name: "uct",
    paper: Some("Lin & Cao 2019"),
    description: "plain UCT with random simulations within two of the stones",
    parameters: &[
        Parameter {
            name: "c",
            meaning: "the constant C of UCB",
            default: std::f64::consts::SQRT_2,
            range: (0.0, 100.0),
        },
        // The paper names no MAX_DEPTH.
        Parameter {
            name: "depth",
            meaning: "moves after which a simulation is a tie",
            default: 60.0,
            range: (0.0, 484.0),
        },
        SEED,
    ],
    tuned: &[],
    build: |settings| {
        let manner = Manner {
            c: settings.number("c"),
            bias: 0.0,
            width: 0,
            depth: settings.whole("depth") as usize,
            heuristic: None,
        };
        Box::new(Uct { name: UCT.name, network: None, manner, rng: Rng::new(settings.whole("seed")) })
    },
};

/// The listing of the search with everything the paper adds.
pub const ADP_UCT: EngineKind = EngineKind {
    name: "adp-uct",
    paper: Some("Lin & Cao 2019"),
    description: "UCT with a heuristic's bias and pruning, simulations cut off and valued by the network",
    parameters: &[
        // With simulations valued by a network the survey's sqrt(2) would hardly ever exploit.
        Parameter { name: "c", meaning: "the constant C of UCB", default: 0.2, range: (0.0, 100.0) },
        Parameter {
            name: "bias",
            meaning: "weight of the progressive bias, for the move of the best heuristic",
            default: 1.0,
            range: (0.0, 100.0),
        },
        Parameter {
            name: "width",
            meaning: "moves of the best heuristic that a node keeps; 0 for all",
            default: 12.0,
            range: (0.0, 484.0),
        },
        Parameter {
            name: "depth",
            meaning: "moves after which the network values a simulation",
            default: 4.0,
            range: (0.0, 484.0),
        },
        Parameter {
            name: "heuristic",
            meaning: "which heuristic: 0 exponential, 1 Kang & Kim",
            default: 0.0,
            range: (0.0, 1.0),
        },
        SEED,
    ],
    tuned: &[],
    build: |settings| {
        let heuristic =
            if settings.whole("heuristic") == 0 { Heuristic::Exponential } else { Heuristic::KangKim };
        let manner = Manner {
            c: settings.number("c"),
            bias: settings.number("bias"),
            width: settings.whole("width") as usize,
            depth: settings.whole("depth") as usize,
            heuristic: Some(heuristic),
        };
        let rng = Rng::new(settings.whole("seed"));
        Box::new(Uct { name: ADP_UCT.name, network: Some(Network::shipped()), manner, rng })
    },
};

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
