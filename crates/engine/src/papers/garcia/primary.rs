//! The primary tree search: rollouts of at most thirty moves, PUCT with the prior 1, the move of the highest mean value.

use super::{Cell, Outcome};
use crate::Rng;

/// What the tree search asks of a version's tables.
pub trait Position: Clone {
    /// Puts a stone of the side to move.
    fn play(&mut self, cell: Cell) -> Outcome;
    /// The moves worth a node, best first; never empty while there is an empty cell.
    fn handful(&self, width: usize) -> Vec<Cell>;
    /// A move of a rollout; nothing on a full board.
    fn rollout_move(&self, rng: &mut Rng) -> Option<Cell>;
}

/// The numbers of the search.
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    /// How many moves a node considers.
    pub width: usize,
    /// After how many moves from the root a rollout is a tie.
    pub depth: usize,
    /// Exploration constant of PUCT.
    pub cpuct: f64,
    /// Rollouts at the low temperature.
    pub warm_up: u64,
    /// The temperature of the first rollouts: low, so that the exploration term rules.
    pub low: f64,
    /// The temperature of the others: high, so that the mean value rules.
    pub high: f64,
}

/// A position of the tree, seen by the side whose move led to it.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// The move.
    pub cell: Cell,
    /// Rollouts through it.
    pub visits: u32,
    total: f32,
    first: u32,
    count: u16,
    /// The result for the side that moved, where the move ended the game.
    pub ending: Option<i8>,
}

impl Node {
    fn new(cell: Cell) -> Node {
        Node { cell, visits: 0, total: 0.0, first: 0, count: 0, ending: None }
    }

    /// The mean result in [-1, 1].
    pub fn mean(&self) -> f32 {
        self.total / self.visits.max(1) as f32
    }
}

/// Finds out which of some moves the rule forbids after a path from the root.
pub type Forbids<'a> = dyn FnMut(&[Cell], &mut Vec<Cell>) + 'a;

/// The tree. Node 0 is the root.
pub struct Primary<P> {
    root: P,
    scratch: P,
    nodes: Vec<Node>,
    capacity: usize,
    numbers: Numbers,
    rng: Rng,
    path: Vec<usize>,
    moves: Vec<Cell>,
    /// Rollouts so far.
    pub rollouts: u64,
    /// The longest line of the tree.
    pub depth: usize,
}

impl<P: Position> Primary<P> {
    /// A tree of the root and its moves.
    pub fn new(root: P, moves: &[Cell], numbers: Numbers, bytes: usize, rng: Rng) -> Primary<P> {
        let mut nodes = vec![Node { first: 1, count: moves.len() as u16, ..Node::new(0) }];
        nodes.extend(moves.iter().map(|&cell| Node::new(cell)));
        let capacity = bytes / size_of::<Node>();
        let scratch = root.clone();
        let (path, moves) = (Vec::new(), Vec::new());
        Primary { root, scratch, nodes, capacity, numbers, rng, path, moves, rollouts: 0, depth: 0 }
    }

    /// The children of a node.
    pub fn children(&self, node: usize) -> &[Node] {
        let Node { first, count, .. } = self.nodes[node];
        &self.nodes[first as usize..][..count.into()]
    }

    /// The root's moves with their line of most visited replies, in the order of their numbers.
    pub fn line(&self, child: usize) -> Vec<Cell> {
        let mut at = self.nodes[0].first as usize + child;
        let mut line = vec![self.nodes[at].cell];
        loop {
            let children = self.children(at).iter().enumerate();
            let best = children.max_by_key(|(number, node)| (node.visits, usize::MAX - number));
            let Some((number, _)) = best.filter(|(_, node)| node.visits > 0) else { return line };
            at = self.nodes[at].first as usize + number;
            line.push(self.nodes[at].cell);
        }
    }

    /// One rollout: down the tree, one node more, random moves to the cap, and the result back up.
    pub fn roll_out(&mut self, forbids: &mut Option<&mut Forbids<'_>>) {
        self.scratch.clone_from(&self.root);
        self.path.clear();
        self.moves.clear();
        self.path.push(0);
        let mut at = 0;
        let mut result = None;
        loop {
            if let Some(ending) = self.nodes[at].ending {
                result = Some(f32::from(ending));
                break;
            }
            if self.nodes[at].count == 0 {
                // A leaf gets children on its second visit.
                if self.nodes[at].visits == 0
                    || self.moves.len() >= self.numbers.depth
                    || !self.expand(at, forbids)
                {
                    break;
                }
            }
            at = self.select(at);
            self.path.push(at);
            let cell = self.nodes[at].cell;
            self.moves.push(cell);
            self.nodes[at].ending = ending_of(self.scratch.play(cell));
        }
        let result = result.unwrap_or_else(|| self.simulate());
        self.depth = self.depth.max(self.path.len() - 1);
        self.back_up(result);
        self.rollouts += 1;
    }

    /// The child of the largest `mean + cpuct * 1 * sqrt(N) / (1 + n) / temperature`.
    fn select(&self, node: usize) -> usize {
        let numbers = &self.numbers;
        let temperature = if self.rollouts < numbers.warm_up { numbers.low } else { numbers.high };
        let visits = f64::from(self.nodes[node].visits.max(1));
        let weight = (numbers.cpuct * visits.sqrt() / temperature) as f32;
        let first = self.nodes[node].first as usize;
        let mut best = (f32::NEG_INFINITY, first);
        for (number, child) in self.children(node).iter().enumerate() {
            let value = child.mean() + weight / (1 + child.visits) as f32;
            if value > best.0 {
                best = (value, first + number);
            }
        }
        best.1
    }

    fn expand(&mut self, node: usize, forbids: &mut Option<&mut Forbids<'_>>) -> bool {
        let mut cells = self.scratch.handful(self.numbers.width);
        if let Some(forbids) = forbids {
            forbids(&self.moves, &mut cells);
        }
        if cells.is_empty() || self.nodes.len() + cells.len() > self.capacity {
            return false;
        }
        self.nodes[node].first = self.nodes.len() as u32;
        self.nodes[node].count = cells.len() as u16;
        self.nodes.extend(cells.into_iter().map(Node::new));
        true
    }

    /// Plays on from the leaf; the result is for the side that moved there.
    fn simulate(&mut self) -> f32 {
        let mut sign = -1.0;
        for _ in self.moves.len()..self.numbers.depth {
            let Some(cell) = self.scratch.rollout_move(&mut self.rng) else { return 0.0 };
            if let Some(ending) = ending_of(self.scratch.play(cell)) {
                return sign * f32::from(ending);
            }
            sign = -sign;
        }
        0.0
    }

    fn back_up(&mut self, result: f32) {
        let mut result = result;
        for &at in self.path.iter().rev() {
            let node = &mut self.nodes[at];
            node.visits += 1;
            node.total += result;
            result = -result;
        }
    }
}

fn ending_of(outcome: Outcome) -> Option<i8> {
    match outcome {
        Outcome::Open => None,
        Outcome::Win => Some(1),
        Outcome::Loss => Some(-1),
        Outcome::Draw => Some(0),
    }
}
