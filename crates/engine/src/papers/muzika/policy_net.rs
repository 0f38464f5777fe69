//! `policy-net`: the move that the net holds most probable, without any search.

use super::predictor::{Predictor, Source};
use crate::parameters::{number, parameters};
use crate::registry::{EngineKind, NetUse};
use crate::report::Line;
use crate::{Engine, Event, Limits, Report, Stop};
use fivestone_game::Board;
use std::time::Instant;

/// The listing of the engine.
pub const KIND: EngineKind = EngineKind {
    name: "policy-net",
    paper: Some("Muzika 2017"),
    description: "the most probable move of a convolutional net trained on human games, without search",
    parameters: Parameters::TABLE,
    tuned: &[],
    nets: NetUse::Shipped,
    explain: None,
    build: |settings| {
        let source = Parameters::of(&settings.values()).own_net;
        Box::new(PolicyNetEngine { predictor: Predictor::new(source) })
    },
};

parameters! {
    struct Parameters {
        own_net: Source =
            number(0.0, 0.0..=1.0, "1 to ask our own, larger net instead of the paper's"),
    }
}

/// The engine.
pub struct PolicyNetEngine {
    predictor: Predictor,
}

impl Engine for PolicyNetEngine {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn think(&mut self, board: &Board, limits: &Limits, _: &Stop, _: &mut dyn FnMut(Event)) -> Report {
        let started = Instant::now();
        let moves = self.predictor.root_moves(board, limits);
        let lines = moves.into_iter().take(limits.lines.max(1)).map(|(point, probability)| Line {
            point,
            // The net knows moves, not results.
            winrate: 0.5,
            visits: 0,
            pv: vec![point],
            proof: None,
            prior: Some(probability.into()),
        });
        Report { lines: lines.collect(), visits: 1, depth: 1, elapsed: started.elapsed() }
    }
}
