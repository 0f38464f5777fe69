//! Nodes of the tree that were visited often enough to learn from.

use super::super::tree::{NONE, NodeId, Tree};
use super::{fours, judgement};
use crate::Harvested;
use crate::solver::Vcf;
use fivestone_game::{Board, Class, Color, Point};
use std::collections::BTreeSet;

/// No search gives more.
const MOST: usize = 256;

/// A walk through the tree that gathers nodes.
pub(super) struct Harvester<'a> {
    pub tree: &'a Tree,
    /// The position of the node at which the walk is.
    pub board: Board,
    pub vcf: &'a mut Vcf,
    /// Visits a node needs.
    pub visits: u32,
    /// Positions a question to the solver may visit.
    pub solver_nodes: u64,
    /// The temperature of the priors in the tree.
    pub temperature: f64,
    seen: BTreeSet<NodeId>,
    path: Vec<Point>,
    found: Vec<Harvested>,
}

impl<'a> Harvester<'a> {
    pub fn new(tree: &'a Tree, board: &Board, vcf: &'a mut Vcf, visits: u32) -> Harvester<'a> {
        let (seen, path, found) = (BTreeSet::new(), Vec::new(), Vec::new());
        let (board, solver_nodes, temperature) = (board.clone(), 0, 1.0);
        Harvester { tree, board, vcf, visits, solver_nodes, temperature, seen, path, found }
    }

    /// The nodes below the root that were visited often enough and that the net is asked about,
    /// each once.
    pub fn run(mut self, root: NodeId) -> Vec<Harvested> {
        self.seen.insert(root);
        self.descend(root);
        self.found
    }

    fn descend(&mut self, id: NodeId) {
        let node = self.tree.node(id);
        let children: Vec<(Point, NodeId)> = (node.edges.iter())
            .filter(|edge| edge.child != NONE && edge.visits > 0)
            .map(|edge| (edge.point, edge.child))
            .collect();
        drop(node);
        for (point, child) in children {
            if self.tree.node(child).visits < self.visits || !self.seen.insert(child) {
                continue;
            }
            self.path.push(point);
            self.board.play_unchecked(point);
            self.take(child);
            self.descend(child);
            self.board.undo();
            self.path.pop();
        }
    }

    fn take(&mut self, id: NodeId) {
        // A five to make or to stop leaves no choice, and the net is not asked.
        let forced = Color::BOTH.iter().any(|&color| self.board.count(color, Class::Five) > 0);
        if forced || self.found.len() >= MOST {
            return;
        }
        let mut judgement = judgement(&self.tree.node(id), self.temperature);
        if judgement.moves.is_empty() {
            return;
        }
        (judgement.own_fours, judgement.enemy_fours) = fours(&mut self.board, self.solver_nodes, self.vcf);
        let (path, hash) = (self.path.clone(), self.board.hash());
        self.found.push(Harvested { path, hash, judgement });
    }
}
