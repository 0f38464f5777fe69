//! `adp`: the network alone. Every move near the stones is tried once, and the one after which the network sees the highest
//! win probability is played.

use super::explain;
use super::network::Network;
use super::position::Position;
use crate::random::playable;
use crate::registry::{EngineKind, NetUse};
use crate::report::{Line, Proof};
use crate::{Engine, Event, Limits, Report, Stop};
use fivestone_game::{Board, Class, Point};

/// The listing of the engine.
pub const KIND: EngineKind = EngineKind {
    name: "adp",
    paper: Some("Lin & Cao 2019"),
    description: "one ply by a small network over pattern counts, trained by self-play",
    parameters: &[],
    tuned: &[],
    nets: NetUse::None,
    explain: Some(explain::network),
    build: |_| Box::new(Adp::new(Network::shipped())),
};

/// The engine.
pub struct Adp {
    network: Network,
}

impl Adp {
    /// The engine with a network.
    pub fn new(network: Network) -> Adp {
        Adp { network }
    }
}

/// The moves of a position with the network's win probabilities after them, best first. A five is certain.
pub fn judged(position: &Position, network: &Network, points: &[Point]) -> Vec<(f32, Point)> {
    let board = position.board();
    let mut moves: Vec<(f32, Point)> =
        position.values_after(network, points).into_iter().zip(points.iter().copied()).collect();
    for (value, point) in &mut moves {
        if board.class(board.to_move(), *point) == Class::Five {
            *value = 1.0;
        }
    }
    moves.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    moves
}

impl Engine for Adp {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn think(&mut self, board: &Board, limits: &Limits, _: &Stop, _: &mut dyn FnMut(Event)) -> Report {
        let budget = limits.budget(board.stone_count());
        let position = Position::new(board);
        let allowed = playable(board, limits);
        let mut points = position.candidates();
        points.retain(|point| allowed.binary_search(point).is_ok());
        if points.is_empty() {
            points = allowed;
        }
        let moves = judged(&position, &self.network, &points);
        let lines = moves.iter().take(limits.lines.max(1)).map(|&(value, point)| Line {
            point,
            winrate: value.into(),
            visits: 1,
            pv: vec![point],
            proof: (board.class(board.to_move(), point) == Class::Five).then_some(Proof::Win(1)),
            prior: None,
        });
        Report {
            lines: lines.collect(),
            visits: limits.visits.map_or(points.len() as u64, |visits| visits.min(points.len() as u64)),
            depth: 1,
            elapsed: budget.started.elapsed(),
        }
    }
}
