//! Which move a simulation follows: PUCT over what the children are worth now.

use super::node::{Edge, NONE, Node, Outcome};
use super::parameters::Constants;
use super::tree::Tree;
use crate::Proof;
use fivestone_game::PointSet;

/// The spread of values that exploration is scaled to where few are known, and how many visits'
/// worth that assumption is.
const USUAL_SPREAD: f32 = 0.4;
const USUAL_SPREAD_VISITS: f32 = 2.0;
/// A thread counts as having lost here until its result is known, so that others look elsewhere.
const VIRTUAL_LOSS: f32 = 1.0;

/// What a node's own evaluation and its moves add up to.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Sums {
    pub win: f32,
    pub loss: f32,
    pub square: f32,
    pub visits: u32,
}

impl Sums {
    /// A node's own evaluation, where it has one.
    #[inline]
    pub fn of_own(node: &Node) -> Sums {
        if !node.is_judged() {
            return Sums::default();
        }
        let own = node.own();
        Sums { win: own.win, loss: own.loss, square: own.value() * own.value(), visits: 1 }
    }

    /// Adds a child that was visited this often through one edge.
    #[inline]
    pub fn add(&mut self, child: &Node, visits: u32) {
        let (outcome, weight) = (child.outcome().of_other_side(), visits as f32);
        self.win += weight * outcome.win;
        self.loss += weight * outcome.loss;
        self.square += weight * child.square();
        self.visits += visits;
    }

    /// All of a node as it is now.
    pub fn of_node(tree: &Tree, node: &Node) -> Sums {
        let mut sums = Sums::of_own(node);
        for edge in &tree.edges(node)[..node.reach().into()] {
            let (visits, child) = (edge.visits(), edge.child());
            if visits > 0 && child != NONE {
                sums.add(tree.node(child), visits);
            }
        }
        sums
    }

    /// The mean; nothing where nothing was added.
    #[inline]
    pub fn mean(&self) -> Option<(Outcome, f32)> {
        let each = 1.0 / self.visits as f32;
        let outcome = Outcome { win: self.win * each, loss: self.loss * each };
        (self.visits > 0).then_some((outcome, self.square * each))
    }
}

/// The chosen move of a node.
pub(super) struct Choice {
    pub edge: usize,
    /// What the node's other moves and its own evaluation add up to.
    pub others: Sums,
}

/// What the choice at a node depends on beside the node itself.
pub(super) struct View<'a> {
    pub tree: &'a Tree,
    pub constants: &'a Constants,
    /// Utility of a draw for the side to move at the node.
    pub draw: f32,
    /// Moves that must not be chosen.
    pub blocked: &'a PointSet,
}

impl View<'_> {
    /// The edge with the highest utility plus exploration among those that are not lost. `known` is
    /// room to work in.
    pub fn choose(&self, node: &Node, known: &mut Vec<Followed>) -> Option<Choice> {
        let edges = self.tree.edges(node);
        let (followed, rest) = edges.split_at(node.reach().into());
        // 1. What every followed move is worth now.
        let mut sums = Sums::of_own(node);
        let (mut tried, mut waiting) = (0.0, 0);
        known.clear();
        for edge in followed {
            let of_edge = self.follow(edge, &mut sums);
            tried += if of_edge.tries > 0 { edge.prior() } else { 0.0 };
            waiting += of_edge.tries - of_edge.visits;
            known.push(of_edge);
        }
        // 2. The node's own mean, from which untried moves are judged.
        let (mean, square) = sums.mean().unwrap_or((node.outcome(), node.square()));
        let visits = (sums.visits + waiting).max(1) as f32;
        let scale = self.exploration(visits, mean.value(), square) * visits.sqrt();
        let constants = self.constants;
        let own = if node.is_judged() { node.own() } else { mean };
        let parent = self.utility(mean) * (1.0 - constants.first_play_own)
            + self.utility(own) * constants.first_play_own;
        let first_play = parent - constants.first_play * tried.sqrt();
        // 3. The best of the followed moves, and of the others the one with the highest prior.
        let open = |(number, _): &(usize, &Edge)| {
            !self.blocked.contains(edges[*number].point()) && !self.is_lost(&edges[*number])
        };
        let untried = (followed.len()..).zip(rest).find(open);
        let drift = constants.draw_penalty * (1.0 - mean.draw());
        let mut best: Option<(f32, usize)> = None;
        for (number, edge) in followed.iter().enumerate().chain(untried) {
            let known = known.get(number).copied().unwrap_or(Followed::EMPTY);
            if known.lost || self.blocked.contains(edge.point()) {
                continue;
            }
            let utility = if known.tries == 0 {
                first_play
            } else {
                let (visits, tries) = (known.visits as f32, known.tries as f32);
                let utility = self.utility(known.outcome) - drift * known.outcome.draw();
                (utility * visits - VIRTUAL_LOSS * (tries - visits)) / tries
            };
            let score = utility + scale * edge.prior() / (1 + known.tries) as f32;
            if best.is_none_or(|(highest, _)| score > highest) {
                best = Some((score, number));
            }
        }
        let (_, edge) = best?;
        // 4. The other moves' part of the sum, for the way back.
        let mut others = sums;
        if let Some(chosen) = known.get(edge).filter(|known| known.visits > 0) {
            let weight = chosen.visits as f32;
            others.win -= weight * chosen.outcome.win;
            others.loss -= weight * chosen.outcome.loss;
            others.square -= weight * chosen.square;
            others.visits -= chosen.visits;
        }
        Some(Choice { edge, others })
    }

    /// Reads a followed move and adds it to the sums.
    #[inline]
    fn follow(&self, edge: &Edge, sums: &mut Sums) -> Followed {
        let child = edge.child();
        let visits = edge.visits();
        let tries = visits + u32::from(edge.pending());
        if child == NONE {
            return Followed { tries, ..Followed::EMPTY };
        }
        let child = self.tree.node(child);
        if visits > 0 {
            sums.add(child, visits);
        }
        Followed {
            visits,
            tries,
            outcome: child.outcome().of_other_side(),
            square: child.square(),
            lost: matches!(child.proof(), Some(Proof::Win(_))),
        }
    }

    fn is_lost(&self, edge: &Edge) -> bool {
        let child = edge.child();
        child != NONE && matches!(self.tree.node(child).proof(), Some(Proof::Win(_)))
    }

    #[inline]
    fn utility(&self, outcome: Outcome) -> f32 {
        outcome.value() + self.draw * outcome.draw()
    }

    /// The weight of the priors.
    fn exploration(&self, visits: f32, mean: f32, square: f32) -> f32 {
        let constants = self.constants;
        let base = constants.exploration_base;
        let growth = constants.exploration_growth * ((visits + base) / base).ln();
        let mut weight = constants.exploration + growth;
        if constants.exploration_spread > 0.0 {
            let usual = (mean * mean + USUAL_SPREAD * USUAL_SPREAD) * USUAL_SPREAD_VISITS;
            let square = (square * visits + usual) / (visits + USUAL_SPREAD_VISITS);
            let spread = (square - mean * mean).max(0.0).sqrt() / USUAL_SPREAD;
            weight *= 1.0 + constants.exploration_spread * (spread - 1.0);
        }
        weight
    }
}

/// A followed move as it is now. The outcome is for the side that makes the move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Followed {
    visits: u32,
    /// Visits and threads on their way.
    tries: u32,
    outcome: Outcome,
    square: f32,
    lost: bool,
}

impl Followed {
    const EMPTY: Followed =
        Followed { visits: 0, tries: 0, outcome: Outcome::DRAW, square: 0.0, lost: false };
}
