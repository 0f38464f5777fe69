//! Simulations: down the graph, a new node at its end, and the result back up.

use super::backup::{refresh, settle};
use super::expand::{Expander, Fours, complete};
use super::node::{NONE, Node, NodeId, State};
use super::parameters::Constants;
use super::select::{Followed, Sums, View};
use super::tree::{ROOT, Tree};
use crate::solver::{Vct, Verdict};
use crate::{Proof, Stop};
use fivestone_game::{Board, Point, PointSet};
use std::time::Instant;

/// A child's value is taken as it is only from so many visits on.
const TRANSPOSED_VISITS: u32 = 11;
/// A node is looked at more deeply each time its visits grow by this factor.
const VISITS_GROWTH: u32 = 8;
/// A side that is not hopeful is looked at this many times later: a forced win would be a surprise.
const HOPELESS_LATER: u32 = 16;
/// Node budget for the line of a win that refutes a move.
const LINE_NODES: u64 = 20_000;
/// Looks of a node that needs no more of them.
const LOOKED_ENOUGH: u8 = u8::MAX;

/// When a node is searched for a win by threes.
impl Constants {
    /// Whether it is time for a node's next look.
    fn is_due(&self, node: &Node) -> bool {
        let due = self.deeper_after.saturating_mul(VISITS_GROWTH.saturating_pow(node.looks().into()));
        let visits = node.visits();
        visits >= due
            && (node.outcome().value() >= self.hopeful || visits >= due.saturating_mul(HOPELESS_LATER))
    }

    /// Node budget of a look.
    fn nodes(&self, looks: u8) -> u64 {
        (self.deeper_nodes as f32 * self.deeper_growth.powi(looks.into())) as u64
    }
}

/// One thread's tools, kept from search to search.
pub(super) struct Worker {
    pub expander: Expander,
    pub vct: Vct,
}

/// What the threads of a search have in common.
#[derive(Clone, Copy)]
pub(super) struct Task<'a> {
    pub tree: &'a Tree,
    /// The root's position.
    pub board: &'a Board,
    pub constants: &'a Constants,
    /// Moves that must not be chosen at the root.
    pub blocked: PointSet,
    /// Nodes may be added up to this many bytes.
    pub most_bytes: usize,
    pub company: Company,
}

/// Whether other threads search the same graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Company {
    Alone,
    Others,
}

/// One thread's search in a shared graph.
pub(super) struct Walker<'a> {
    pub task: Task<'a>,
    /// The root's position with the moves of `played`.
    board: Board,
    /// The line on the board: it is brought up to date only where the board is looked at, since
    /// most simulations begin like the one before.
    played: Vec<Point>,
    pub worker: &'a mut Worker,
    path: Vec<Step>,
    followed: Vec<Followed>,
    pub deepest: usize,
}

/// A move of a simulation.
struct Step {
    node: NodeId,
    edge: usize,
    point: Point,
    /// What the node's other moves added up to on the way down.
    others: Sums,
}

/// How a simulation ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Simulated {
    /// The root is still undecided.
    Open,
    /// The root is proven.
    Proven,
    /// There is no room for the new node.
    Full,
}

impl<'a> Walker<'a> {
    pub fn new(task: Task<'a>, worker: &'a mut Worker) -> Walker<'a> {
        let (board, played) = (task.board.clone(), Vec::new());
        Walker { task, board, played, worker, path: Vec::new(), followed: Vec::new(), deepest: 0 }
    }

    fn is_alone(&self) -> bool {
        self.task.company == Company::Alone
    }

    /// One simulation from the root.
    pub fn simulate(&mut self) -> Simulated {
        self.path.clear();
        let mut id = ROOT;
        loop {
            let node = self.task.tree.node(id);
            if node.proof().is_some() || !self.expand(node) || self.look_deeper(node) {
                break;
            }
            let Some((edge, others)) = self.choose(node, id) else {
                // Every move that may be chosen is lost; the rest of the board has to be looked at.
                if node.is_complete() {
                    settle(self.task.tree, node);
                    break;
                }
                complete(self.task.tree, self.board_here(), node);
                continue;
            };
            let number = edge;
            let edge = &self.task.tree.edges(node)[number];
            self.path.push(Step { node: id, edge: number, point: edge.point(), others });
            if !self.is_alone() {
                edge.enter();
            }
            let mut child = edge.child();
            if child == NONE {
                let hash = self.board_here().hash();
                child = self.task.tree.find(hash).unwrap_or(NONE);
                if child != NONE {
                    edge.set_child(child);
                }
            }
            if child != NONE {
                id = child;
                if self.is_known_well(self.task.tree.node(child), edge.visits()) {
                    break;
                }
                continue;
            }
            if self.task.tree.bytes() >= self.task.most_bytes {
                self.retreat();
                return Simulated::Full;
            }
            let barren = node.facts().other_barren;
            id = self.add_node(if barren { Fours::Barren } else { Fours::NotKnown });
            edge.set_child(id);
            // A forced reply is not judged but played.
            if self.task.tree.node(id).is_judged() {
                break;
            }
        }
        self.deepest = self.deepest.max(self.path.len());
        self.back_up();
        let proven = self.task.tree.node(ROOT).proof().is_some();
        if proven { Simulated::Proven } else { Simulated::Open }
    }

    /// The edge to follow, and what the others add up to.
    fn choose(&mut self, node: &Node, id: NodeId) -> Option<(usize, Sums)> {
        let ours = self.path.len().is_multiple_of(2);
        let draw = if ours { self.task.constants.draw_value } else { -self.task.constants.draw_value };
        let blocked = if id == ROOT { &self.task.blocked } else { &PointSet::EMPTY };
        let view = View { tree: self.task.tree, constants: self.task.constants, draw, blocked };
        let choice = view.choose(node, &mut self.followed)?;
        let reach = choice.edge as u16 + 1;
        if reach > node.reach() {
            node.set_reach(reach);
        }
        Some((choice.edge, choice.others))
    }

    /// Whether other ways to a child have told more about it than one more simulation could.
    fn is_known_well(&self, child: &Node, edge_visits: u32) -> bool {
        let visits = child.visits();
        self.task.constants.transposed > 0.0
            && visits >= TRANSPOSED_VISITS
            && visits as f32 > self.task.constants.transposed * edge_visits as f32
    }

    /// Makes the node of the board's position.
    fn add_node(&mut self, fours: Fours) -> NodeId {
        self.board_here();
        let (new, moves) = self.worker.expander.new_node(&mut self.board, fours);
        let id = self.task.tree.insert(&new);
        let node = self.task.tree.node(id);
        if let Some(moves) = moves
            && node.begin_expanding()
        {
            self.task.tree.set_edges(node, moves);
        }
        if new.facts.judged && node.visits() == 0 {
            node.set_visits(1);
        }
        id
    }

    /// Gives a node its moves. Returns false while another thread is at it.
    fn expand(&mut self, node: &Node) -> bool {
        match node.state() {
            State::Expanded => true,
            State::Leaf if node.begin_expanding() => {
                let threats = node.facts().threats;
                self.board_here();
                let moves = self.worker.expander.open_moves(&mut self.board, threats);
                self.task.tree.set_edges(node, moves);
                true
            }
            State::Leaf | State::Expanding => false,
        }
    }

    /// The board at the end of the path.
    fn board_here(&mut self) -> &mut Board {
        let path = || self.path.iter().map(|step| step.point);
        let common = self.played.iter().zip(path()).take_while(|(played, point)| **played == *point);
        let common = common.count();
        for _ in common..self.played.len() {
            self.board.undo();
        }
        self.played.truncate(common);
        for point in path().skip(common) {
            self.board.play_unchecked(point);
            self.played.push(point);
        }
        &mut self.board
    }

    /// Carries what the simulation found up to the root.
    fn back_up(&mut self) {
        while let Some(step) = self.path.pop() {
            let node = self.task.tree.node(step.node);
            let edge = &self.task.tree.edges(node)[step.edge];
            let visits = edge.add_visit();
            let sums = if self.is_alone() {
                let mut sums = step.others;
                sums.add(self.task.tree.node(edge.child()), visits);
                sums
            } else {
                edge.leave();
                Sums::of_node(self.task.tree, node)
            };
            refresh(self.task.tree, node, edge, &sums);
        }
    }

    /// Takes a simulation back as if it had not begun.
    fn retreat(&mut self) {
        while let Some(step) = self.path.pop() {
            if !self.is_alone() {
                self.task.tree.edges(self.task.tree.node(step.node))[step.edge].leave();
            }
        }
    }

    /// Looks for a forced win of the other side after a move of the root, and marks the move as
    /// lost if there is one.
    pub fn try_to_refute(&mut self, point: Point, nodes: u64, deadline: Option<Instant>, stop: &Stop) {
        let root = self.task.tree.node(ROOT);
        let Some(number) = self.task.tree.edges(root).iter().position(|edge| edge.point() == point) else {
            return;
        };
        let edge = &self.task.tree.edges(root)[number];
        if edge.child() == NONE {
            return;
        }
        self.path.clear();
        self.path.push(Step { node: ROOT, edge: number, point, others: Sums::default() });
        self.board_here();
        let vct = &mut self.worker.vct;
        if vct.solve_until(&mut self.board, nodes, deadline, stop) == Verdict::Win {
            self.note_win(self.task.tree.node(edge.child()), nodes.min(LINE_NODES));
            refresh(self.task.tree, root, edge, &Sums::of_node(self.task.tree, root));
        }
        self.path.clear();
    }

    /// Looks for a win by threes when it is time to. Returns whether there is one.
    fn look_deeper(&mut self, node: &Node) -> bool {
        if !self.task.constants.is_due(node) {
            return false;
        }
        let looks = node.looks();
        let nodes = self.task.constants.nodes(looks);
        node.set_looks(looks + 1);
        self.board_here();
        let vct = &mut self.worker.vct;
        match vct.solve(&mut self.board, nodes) {
            Verdict::Win => {}
            Verdict::NoWin => {
                node.set_looks(LOOKED_ENOUGH);
                return false;
            }
            Verdict::Unknown => return false,
        }
        self.note_win(node, nodes);
        true
    }

    /// Marks a node as won by the line that the solver has just found from it.
    fn note_win(&mut self, node: &Node, nodes: u64) {
        let vct = &mut self.worker.vct;
        vct.extract(&mut self.board, nodes, None, &Stop::new());
        // Without the whole line the win is only known to come before the board is full.
        let line = vct.line();
        let plies = if line.len() > 1 { line.len() } else { self.board.empty().len() };
        let first = line[0];
        // The move has to be known where the node is the root.
        if node.state() == State::Expanded
            && self.task.tree.edges(node).iter().all(|edge| edge.point() != first)
        {
            self.task.tree.add_edges(node, &[(first, 0.0)]);
        }
        node.prove(Proof::Win(plies as u16), Some(first));
    }
}

#[cfg(test)]
mod tests {
    use super::super::KIND;
    use super::super::node::{NewNode, Outcome};
    use super::*;
    use crate::Settings;
    use fivestone_game::Rule;

    #[test]
    fn hopeless_nodes_are_looked_at_later_and_disproved_ones_never() {
        let usual = Constants::under(Rule::Standard, &Settings::defaults(&KIND));
        let constants = Constants { deeper_after: 10, hopeful: 0.4, ..usual };
        let due = |visits: u32, value: f32, looks: u8| {
            let node = Node::default();
            let own = Outcome { win: value, loss: 0.0 };
            node.fill(&NewNode { own, ..NewNode::default() });
            node.set_visits(visits);
            node.set_looks(looks);
            constants.is_due(&node)
        };
        assert!(!due(9, 0.5, 0) && due(10, 0.5, 0));
        assert!(!due(79, 0.5, 1) && due(80, 0.5, 1));
        assert!(!due(159, 0.3, 0) && due(160, 0.3, 0));
        assert!(!due(1_000_000_000, 1.0, LOOKED_ENOUGH));
    }
}
