//! The way back from a simulation's end to the root: values recomputed, proofs passed on.

use super::node::{Edge, NONE, Node};
use super::select::Sums;
use super::tree::Tree;
use crate::Proof;

/// Brings a node up to date after one of its children changed. `sums` is all it knows.
pub(super) fn refresh(tree: &Tree, node: &Node, edge: &Edge, sums: &Sums) {
    node.set_visits(sums.visits);
    if node.proof().is_some() {
        return;
    }
    if let Some(certain) = tree.node(edge.child()).proof()
        && let Some(proof) = proven(tree, node, edge, certain.one_ply_earlier())
    {
        let winning = matches!(proof, Proof::Win(_)).then(|| edge.point());
        return node.prove(proof, winning);
    }
    if let Some((outcome, square)) = sums.mean() {
        node.set_outcome(outcome, square);
    }
}

/// What a certain result of one move proves about its node.
fn proven(tree: &Tree, node: &Node, edge: &Edge, of_edge: Proof) -> Option<Proof> {
    if let Proof::Win(_) = of_edge {
        return Some(of_edge);
    }
    if !node.is_complete() {
        return None;
    }
    let mut result = of_edge;
    for other in tree.edges(node).iter().filter(|other| other.point() != edge.point()) {
        let proof = edge_proof(tree, other)?;
        result = match (result, proof) {
            (Proof::Loss(a), Proof::Loss(b)) => Proof::Loss(a.max(b)),
            _ => Proof::Draw,
        };
    }
    Some(result)
}

/// Proves a complete node whose moves are all proven.
pub(super) fn settle(tree: &Tree, node: &Node) {
    let Some(edge) = tree.edges(node).first() else { return };
    if let Some(of_edge) = edge_proof(tree, edge)
        && let Some(proof) = proven(tree, node, edge, of_edge)
    {
        node.prove(proof, None);
    }
}

/// The certain result of a move for the side that makes it.
pub(super) fn edge_proof(tree: &Tree, edge: &Edge) -> Option<Proof> {
    let child = edge.child();
    if child == NONE { None } else { tree.node(child).proof().map(Proof::one_ply_earlier) }
}

/// The certain result of a node's move, also of one that the solver found and no simulation has
/// followed.
pub(super) fn move_proof(tree: &Tree, node: &Node, edge: &Edge) -> Option<Proof> {
    let won = node.proof().filter(|_| node.winning() == Some(edge.point()));
    won.or_else(|| edge_proof(tree, edge))
}
