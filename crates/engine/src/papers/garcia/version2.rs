//! `monomial-v2`: state tables for monomials and points, combos, and the first tree search.

use super::pointed::Pointed;
use super::primary::Numbers;
use super::searcher::{self, CPUCT, HIGH, LOW, Task, WARM_UP, WIDTH};
use crate::registry::{EngineKind, Parameter, SEED};
use crate::{Engine, Event, Limits, Report, Rng, Settings, Stop};
use fivestone_game::Board;

/// The listing of the engine.
pub const KIND: EngineKind = EngineKind {
    name: "monomial-v2",
    paper: Some("Garcia 2020"),
    description: "tree search over point states and combos",
    parameters: &[
        // Version 3 doubled the depth; it has 30.
        Parameter {
            name: "depth",
            meaning: "moves from the root after which a rollout is a tie",
            default: 15.0,
            range: (1.0, 484.0),
        },
        WIDTH,
        CPUCT,
        WARM_UP,
        LOW,
        HIGH,
        SEED,
    ],
    tuned: &[],
    build: |settings| Box::new(Version2::new(settings)),
};

struct Version2 {
    numbers: Numbers,
    rng: Rng,
}

impl Version2 {
    fn new(settings: &Settings) -> Version2 {
        Version2 { numbers: searcher::numbers(settings), rng: Rng::new(settings.whole("seed")) }
    }
}

impl Engine for Version2 {
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
        let rng = Rng::new(self.rng.bits());
        let task = Task { board, limits, budget: &budget, used: 0, stop };
        searcher::search(Pointed::new(board), &task, self.numbers, rng, events)
    }
}
