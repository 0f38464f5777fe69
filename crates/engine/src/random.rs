//! The weakest engine: any empty point.

use crate::parameters::{SEED, parameters};
use crate::registry::{EngineKind, NetUse};
use crate::{Engine, Event, Limits, Report, Rng, Settings, Stop};
use fivestone_game::{Board, Point};

/// The listing of the random engine.
pub const KIND: EngineKind = EngineKind {
    name: "random",
    paper: None,
    description: "plays any empty point that is not forbidden, each with the same probability",
    parameters: Parameters::TABLE,
    tuned: &[],
    nets: NetUse::None,
    explain: None,
    build: |settings| Box::new(Random::new(settings)),
};

parameters! {
    struct Parameters {
        seed: u64 = SEED,
    }
}

/// Plays at random.
#[derive(Clone, Debug)]
pub struct Random {
    rng: Rng,
}

impl Random {
    /// The engine with a seed.
    pub fn new(settings: &Settings) -> Random {
        Random { rng: Rng::new(Parameters::of(&settings.values()).seed) }
    }
}

impl Engine for Random {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn think(&mut self, board: &Board, limits: &Limits, _: &Stop, _: &mut dyn FnMut(Event)) -> Report {
        let points = playable(board, limits);
        Report::of_move(points[self.rng.below(points.len())])
    }
}

/// The points an engine may choose at the root: empty, not blocked and not forbidden. Where nothing is left the
/// forbidden ones are allowed, then the blocked ones, so that there is always an answer.
pub(crate) fn playable(board: &Board, limits: &Limits) -> Vec<Point> {
    let unblocked = board.empty().difference(&limits.blocked);
    let open = if unblocked.is_empty() { *board.empty() } else { unblocked };
    let legal = open.intersection(&board.legal());
    if legal.is_empty() { open.iter().collect() } else { legal.iter().collect() }
}
