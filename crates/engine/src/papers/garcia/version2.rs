//! `monomial-v2`: state tables for monomials and points, combos, and the first tree search.

use super::explain;
use super::pointed::Pointed;
use super::primary::Numbers;
use super::searcher::{self, CPUCT, HIGH, LOW, Task, WARM_UP, WIDTH};
use crate::parameters::{SEED, number, parameters};
use crate::registry::{EngineKind, NetUse};
use crate::{Engine, Event, Limits, Report, Rng, Settings, Stop};
use fivestone_game::Board;

/// The listing of the engine.
pub const KIND: EngineKind = EngineKind {
    name: "monomial-v2",
    paper: Some("Garcia 2020"),
    description: "tree search over point states and combos",
    parameters: Parameters::TABLE,
    tuned: &[],
    nets: NetUse::None,
    explain: Some(explain::version2),
    build: |settings| Box::new(Version2::new(settings)),
};

parameters! {
    struct Parameters {
        // Version 3 doubled the depth; it has 30.
        depth: usize =
            number(15.0, 1.0..=484.0, "moves from the root after which a rollout is a tie"),
        width: usize = WIDTH,
        cpuct: f64 = CPUCT,
        warm_up: u64 = WARM_UP,
        low_temperature: f64 = LOW,
        high_temperature: f64 = HIGH,
        seed: u64 = SEED,
    }
}

impl Parameters {
    /// The numbers of the primary search.
    fn numbers(&self) -> Numbers {
        Numbers {
            width: self.width,
            depth: self.depth,
            cpuct: self.cpuct,
            warm_up: self.warm_up,
            low: self.low_temperature,
            high: self.high_temperature,
        }
    }
}

struct Version2 {
    numbers: Numbers,
    rng: Rng,
}

impl Version2 {
    fn new(settings: &Settings) -> Version2 {
        let parameters = Parameters::of(&settings.values());
        Version2 { numbers: parameters.numbers(), rng: Rng::new(parameters.seed) }
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
