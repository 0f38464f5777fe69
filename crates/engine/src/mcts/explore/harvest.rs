//! Nodes of the tree that were visited often enough to learn from.

use super::super::node::{NONE, NodeId};
use super::super::tree::{ROOT, Tree};
use super::judgement;
use crate::Harvested;
use fivestone_game::{Board, Class, Color, Point};
use std::collections::BTreeSet;

/// No search gives more.
const MOST: usize = 256;

/// A walk through the tree that gathers nodes.
pub(super) struct Harvester<'a> {
    pub tree: &'a Tree,
    /// The position of the node at which the walk is.
    pub board: Board,
    /// Visits a node needs.
    pub visits: u32,
    /// The temperature of the priors in the tree.
    pub temperature: f64,
    seen: BTreeSet<NodeId>,
    path: Vec<Point>,
    found: Vec<Harvested>,
}

impl<'a> Harvester<'a> {
    pub fn new(tree: &'a Tree, board: &Board, visits: u32, temperature: f64) -> Harvester<'a> {
        let (seen, path, found) = (BTreeSet::new(), Vec::new(), Vec::new());
        Harvester { tree, board: board.clone(), visits, temperature, seen, path, found }
    }

    /// The nodes below the root that were visited often enough and that the net is asked about,
    /// each once.
    pub fn run(mut self) -> Vec<Harvested> {
        self.seen.insert(ROOT);
        self.descend(ROOT);
        self.found
    }

    fn descend(&mut self, id: NodeId) {
        let edges = self.tree.edges(self.tree.node(id)).iter();
        let tried = edges.filter(|edge| edge.child() != NONE && edge.visits() > 0);
        let children: Vec<(Point, NodeId)> = tried.map(|edge| (edge.point(), edge.child())).collect();
        for (point, child) in children {
            if self.tree.node(child).visits() < self.visits || !self.seen.insert(child) {
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
        let judgement = judgement(self.tree, self.tree.node(id), self.temperature);
        if judgement.moves.is_empty() {
            return;
        }
        let (path, hash) = (self.path.clone(), self.board.hash());
        self.found.push(Harvested { path, hash, judgement });
    }
}
