//! Which of the searched moves is the best, and what is expected after it.

use super::backup::move_proof;
use super::node::{Edge, NONE, Node, NodeId, Outcome};
use super::parameters::Constants;
use super::tree::Tree;
use crate::Proof;
use fivestone_game::Point;

/// A move of a node as the search sees it. The outcome is for the side that makes the move.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub point: Point,
    pub prior: f32,
    pub visits: u32,
    pub child: NodeId,
    pub proof: Option<Proof>,
    /// What the move is worth, once it was tried or proven.
    pub outcome: Option<Outcome>,
    square: f32,
}

impl Candidate {
    fn new(tree: &Tree, node: &Node, edge: &Edge) -> Candidate {
        let (point, visits, child) = (edge.point(), edge.visits(), edge.child());
        let proof = move_proof(tree, node, edge);
        let known = (child != NONE && visits > 0).then(|| tree.node(child));
        let outcome = match proof {
            Some(proof) => Some(Outcome::certain(proof)),
            None => known.map(|child| child.outcome().of_other_side()),
        };
        let square = known.map_or(0.0, Node::square);
        Candidate { point, prior: edge.prior(), visits, child, proof, outcome, square }
    }

    /// The mean utility less some standard errors.
    fn lower_bound(&self, constants: &Constants) -> f64 {
        let outcome = self.outcome.unwrap_or_default();
        let visits = f64::from(self.visits.max(1));
        let mean = f64::from(outcome.value());
        let variance = (f64::from(self.square) - mean * mean).max(0.0) + 1.0 / visits;
        let utility = mean + f64::from(constants.draw_value * outcome.draw());
        utility - constants.bound * (variance / visits).sqrt()
    }
}

/// A node's moves, best first: proven wins (fastest first), then by a lower confidence bound, lost
/// moves last (slowest first).
pub(super) fn candidates(tree: &Tree, node: &Node, constants: &Constants) -> Vec<Candidate> {
    let edges = tree.edges(node);
    let mut candidates: Vec<Candidate> = edges.iter().map(|edge| Candidate::new(tree, node, edge)).collect();
    let most = f64::from(edges.iter().map(Edge::visits).max().unwrap_or(0));
    let key = |of: &Candidate| -> f64 {
        match of.proof {
            Some(Proof::Win(plies)) => 1e6 - f64::from(plies),
            Some(Proof::Loss(plies)) => -1e6 + f64::from(plies),
            _ if of.visits == 0 => -1e3 + f64::from(of.prior),
            // Rarely tried moves are not trusted, however good they look.
            _ if f64::from(of.visits) < most * constants.bound_visits => -1e2 + f64::from(of.visits) / most,
            _ => of.lower_bound(constants),
        }
    };
    candidates.sort_by(|a, b| key(b).total_cmp(&key(a)).then(a.point.cmp(&b.point)));
    candidates
}

/// What the search expects after a node.
pub(super) fn expected(tree: &Tree, mut id: NodeId, constants: &Constants) -> Vec<Point> {
    let mut line = Vec::new();
    while id != NONE && line.len() < 60 {
        let candidates = candidates(tree, tree.node(id), constants);
        let Some(best) = candidates.first().filter(|best| best.visits > 0) else { break };
        line.push(best.point);
        id = best.child;
    }
    line
}
