//! Simulations: down the graph by PUCT, a new node at its end, and the result back up.

use super::expand::{Expander, complete};
use super::tree::{Edge, NONE, Node, NodeId, Tree, proof_value};
use crate::solver::{Vct, Verdict};
use crate::{Proof, Stop};
use fivestone_game::{Board, PointSet};

/// How the search weighs its choices.
#[derive(Clone, Copy, Debug)]
pub(super) struct SelectSettings {
    /// Weight of the prior against the mean value.
    pub exploration: f32,
    /// How quickly that weight grows with visits.
    pub exploration_growth: f32,
    /// How much worse than its parent a move is thought that was never tried.
    pub first_play: f32,
    /// A node visited this often is searched for a win by threes; again after [`VISITS_GROWTH`] times as many visits.
    pub deeper_after: u32,
    /// A side whose expected result is below this is only searched after [`HOPELESS_LATER`] times as many visits.
    pub hopeful: f32,
    /// Positions the first such look may visit.
    pub deeper_nodes: u64,
    /// How many times as many each further look may visit.
    pub deeper_growth: f32,
}

/// One thread's search in a shared graph.
pub(super) struct Walker<'a> {
    pub tree: &'a Tree,
    pub board: Board,
    pub expander: Expander<'a>,
    pub settings: SelectSettings,
    pub vct: Vct,
    /// Moves that must not be chosen at the root.
    pub blocked: PointSet,
    /// Nodes may be added up to this many bytes.
    pub most_bytes: usize,
    path: Vec<(NodeId, usize)>,
    pub deepest: usize,
}

/// A thread counts as having lost here until its result is known, so that others look elsewhere.
const VIRTUAL_LOSS: f32 = 1.0;
/// A node is looked at more deeply each time its visits have grown so many times.
const VISITS_GROWTH: u32 = 8;
/// A side that is not hopeful is looked at so many times later: a forced win would be a surprise.
const HOPELESS_LATER: u32 = 16;
/// Looks of a node that needs no more of them.
const LOOKED_ENOUGH: u8 = u8::MAX;

impl SelectSettings {
    /// Whether it is time for a node's next look.
    fn look_is_due(&self, node: &Node) -> bool {
        let visits = self.deeper_after.saturating_mul(VISITS_GROWTH.saturating_pow(node.looks.into()));
        node.visits >= visits
            && (node_mean(node) >= self.hopeful || node.visits >= visits.saturating_mul(HOPELESS_LATER))
    }

    /// Positions that a look may visit.
    fn look_nodes(&self, looks: u8) -> u64 {
        (self.deeper_nodes as f32 * self.deeper_growth.powi(looks.into())) as u64
    }
}

impl<'a> Walker<'a> {
    pub fn new(
        tree: &'a Tree,
        board: &Board,
        expander: Expander<'a>,
        settings: SelectSettings,
        vct: Vct,
        blocked: PointSet,
        most_bytes: usize,
    ) -> Walker<'a> {
        Walker {
            tree,
            board: board.clone(),
            expander,
            settings,
            vct,
            blocked,
            most_bytes,
            path: Vec::new(),
            deepest: 0,
        }
    }

    /// One simulation from the root. Answers whether the root is still undecided.
    pub fn simulate(&mut self, root: NodeId) -> bool {
        self.path.clear();
        let mut id = root;
        let value = loop {
            let mut node = self.tree.node(id);
            if let Some(proof) = node.proof {
                break proof_value(proof);
            }
            if self.settings.look_is_due(&node) {
                let nodes = self.settings.look_nodes(node.looks);
                node.looks += 1;
                drop(node);
                if let Some(value) = self.look_deeper(id, nodes) {
                    break value;
                }
                node = self.tree.node(id);
            }
            let Some(choice) = self.select(&node, id == root) else {
                // Every move that may be chosen is lost; the rest of the board has to be looked at.
                if node.complete {
                    break -1.0;
                }
                complete(&mut self.board, &mut node);
                continue;
            };
            node.reach = node.reach.max(choice as u16 + 1);
            let barren = node.other_barren;
            let edge = &mut node.edges[choice];
            edge.visits += 1;
            edge.value_sum -= VIRTUAL_LOSS;
            let (point, mut child) = (edge.point, edge.child);
            drop(node);
            self.path.push((id, choice));
            self.board.play_unchecked(point);
            if child != NONE {
                id = child;
                continue;
            }
            if let Some(known) = self.tree.find(self.board.hash()) {
                self.tree.node(id).edges[choice].child = known;
                id = known;
                continue;
            }
            let new = self.expander.expand(&mut self.board, barren);
            let (first_value, forced) = (new.first_value, new.proof.is_none() && new.edges.len() == 1);
            if self.tree.bytes() >= self.most_bytes {
                break first_value;
            }
            child = self.tree.insert(new).0;
            self.tree.node(id).edges[choice].child = child;
            id = child;
            // A forced reply is not judged but played.
            if !forced {
                break first_value;
            }
        };
        self.deepest = self.deepest.max(self.path.len());
        self.back_up(id, value);
        self.tree.node(root).proof.is_none()
    }

    /// The edge to follow: the highest mean plus exploration among those that are not lost.
    fn select(&self, node: &Node, is_root: bool) -> Option<usize> {
        let settings = &self.settings;
        let visits = node.visits.max(1) as f32;
        let growth = ((visits + 500.0) / 500.0).ln() * settings.exploration_growth;
        let scale = (settings.exploration + growth) * visits.sqrt();
        let (followed, rest) = node.edges.split_at(node.reach.into());
        let tried: f32 = followed.iter().filter(|edge| edge.visits > 0).map(|edge| edge.prior).sum();
        let parent = node_mean(node);
        let first_play = parent - settings.first_play * tried.sqrt();
        let may_be_chosen = |(_, edge): &(usize, &Edge)| {
            !(matches!(edge.proof, Some(Proof::Loss(_))) || is_root && self.blocked.contains(edge.point))
        };
        // Of the moves never tried only the one with the highest prior can be the best.
        let untried = (followed.len()..).zip(rest).find(may_be_chosen);
        let mut best: Option<(f32, usize)> = None;
        for (number, edge) in followed.iter().enumerate().filter(may_be_chosen).chain(untried) {
            let mean = if edge.visits == 0 { first_play } else { edge.mean() };
            let score = mean + scale * edge.prior / (1 + edge.visits) as f32;
            if best.is_none_or(|(highest, _)| score > highest) {
                best = Some((score, number));
            }
        }
        best.map(|(_, number)| number)
    }

    /// Carries a value from the last node (for the side to move there) up to the root, and proofs with it.
    fn back_up(&mut self, last: NodeId, value: f32) {
        let mut value = value;
        let mut proof = self.tree.node(last).proof;
        self.tree.node(last).visits += 1;
        while let Some((id, choice)) = self.path.pop() {
            self.board.undo();
            value = -value;
            let mut node = self.tree.node(id);
            node.visits += 1;
            let edge = &mut node.edges[choice];
            edge.value_sum += VIRTUAL_LOSS + value;
            edge.square_sum += value * value;
            if let Some(certain) = proof {
                edge.proof = Some(certain.one_ply_earlier());
                node.proof = node.proof.or_else(|| proven(&node));
                if let Some(proof) = node.proof {
                    value = proof_value(proof);
                }
            }
            proof = node.proof;
        }
    }

    /// Looks for a win by threes within so many positions; answers the value if there is one.
    fn look_deeper(&mut self, id: NodeId, nodes: u64) -> Option<f32> {
        match self.vct.solve(&mut self.board, nodes) {
            Verdict::Win => {}
            Verdict::NoWin => {
                self.tree.node(id).looks = LOOKED_ENOUGH;
                return None;
            }
            Verdict::Unknown => return None,
        }
        self.vct.extract(&mut self.board, nodes, None, &Stop::new());
        // Without the whole line the win is only known to come before the board is full.
        let line = self.vct.line();
        let proof = Proof::Win(if line.len() > 1 { line.len() } else { self.board.empty().len() } as u16);
        let mut node = self.tree.node(id);
        node.proof = Some(proof);
        // The move has to be known where the node is the root.
        let first = self.vct.line()[0];
        if let Some(edge) = node.edges.iter_mut().find(|edge| edge.point == first) {
            edge.proof = Some(proof);
        } else {
            node.edges.push(Edge { proof: Some(proof), ..Edge::new(first, 0.0) });
        }
        Some(1.0)
    }
}

/// What a node's edges prove about it.
fn proven(node: &Node) -> Option<Proof> {
    let wins = node.edges.iter().filter_map(|edge| match edge.proof {
        Some(Proof::Win(plies)) => Some(plies),
        _ => None,
    });
    if let Some(fastest) = wins.min() {
        return Some(Proof::Win(fastest));
    }
    if !node.complete || node.edges.iter().any(|edge| edge.proof.is_none()) {
        return None;
    }
    let losses = node.edges.iter().map(|edge| match edge.proof {
        Some(Proof::Loss(plies)) => Some(plies),
        _ => None,
    });
    match losses.collect::<Option<Vec<u16>>>() {
        Some(plies) => plies.into_iter().max().map(Proof::Loss),
        None => Some(Proof::Draw),
    }
}

/// The mean value of a node for its side to move.
pub(super) fn node_mean(node: &Node) -> f32 {
    let followed = &node.edges[..node.reach.into()];
    let visits: u32 = followed.iter().map(|edge| edge.visits).sum();
    let sum: f32 = followed.iter().map(|edge| edge.value_sum).sum();
    (sum + node.first_value) / (visits + 1) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hopeless_nodes_are_looked_at_later_and_disproved_ones_never() {
        let settings = SelectSettings {
            exploration: 1.0,
            exploration_growth: 0.0,
            first_play: 0.0,
            deeper_after: 10,
            hopeful: 0.4,
            deeper_nodes: 100,
            deeper_growth: 4.0,
        };
        let due = |visits: u32, first_value: f32, looks: u8| {
            let (hash, edges, proof, complete, other_barren, reach) = (1, Vec::new(), None, false, false, 0);
            settings.look_is_due(&Node {
                hash,
                edges,
                visits,
                first_value,
                proof,
                complete,
                other_barren,
                looks,
                reach,
            })
        };
        assert!(!due(9, 0.5, 0) && due(10, 0.5, 0));
        assert!(!due(79, 0.5, 1) && due(80, 0.5, 1));
        assert!(!due(159, 0.3, 0) && due(160, 0.3, 0));
        assert!(!due(1_000_000_000, 1.0, LOOKED_ENOUGH));
    }
}
