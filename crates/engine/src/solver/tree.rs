//! A proof as a tree: the attacker's whole strategy, with every reply of the defender answered.
//!
//! A node is a move of the attacker and what follows. Most replies do not touch what the move
//! threatens: they share one answer, `otherwise`, which is found by letting the defender pass.
//! Every reply is then played against that answer, and those that spoil it get an answer of their
//! own. Nodes with the same content are one node: the tree is a graph without cycles.

use super::threats::forbidden_to_mover;
use super::{Found, Kind, Proof, Solution, SolveLimits, Vcf, Verdict, find};
use crate::Stop;
use fivestone_game::{Board, Class, Color, Direction, MARGIN, Point, PointSet};
use std::collections::HashMap;
use std::collections::VecDeque;
use std::fmt;
use std::time::Instant;

/// The attacker's strategy in a position. The root is node 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofTree {
    nodes: Vec<TreeNode>,
    empty: usize,
}

/// A move of the attacker and what follows.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TreeNode {
    /// The attacker's move.
    pub point: Point,
    /// What follows it.
    pub after: After,
    /// The most plies to the end, this move and the last one counted.
    pub plies: u32,
}

/// What follows a move of the attacker.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum After {
    /// Nothing: the move wins.
    Five,
    /// The defender replies.
    Replies(Replies),
}

/// The defender's replies to a move and the nodes that answer them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Replies {
    /// Replies with an answer of their own, in reading order.
    pub listed: Vec<(Point, usize)>,
    /// Replies that would stop the threat but are forbidden to Black, and lose.
    pub forbidden: Vec<Point>,
    /// The answer to every other reply; nothing where the move threatens no win by fours.
    pub otherwise: Option<usize>,
}

/// Why there is no proof tree.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NoTree {
    /// There is no win of the kind asked for.
    NoWin,
    /// The limits were reached before a win was found or ruled out.
    Undecided,
    /// A win was found, but the limits were reached before the proof was written down.
    OutOfBudget,
    /// The proof does not say what to play after these moves, and fours alone do not win.
    Gap(Vec<Point>),
}

impl fmt::Display for NoTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoTree::NoWin => f.write_str("there is no win of this kind to prove"),
            NoTree::Undecided => f.write_str("no win was found within the limits"),
            NoTree::OutOfBudget => {
                f.write_str("a win was found, but its proof could not be written down within the limits")
            }
            NoTree::Gap(line) => write!(f, "the proof has no answer after {} moves", line.len()),
        }
    }
}

impl std::error::Error for NoTree {}

/// What the building of a tree may use.
#[derive(Clone, Debug)]
pub struct TreeLimits {
    /// The most positions to answer.
    pub positions: usize,
    /// When to give up.
    pub deadline: Option<Instant>,
    /// Gives up when raised.
    pub stop: Stop,
}

impl Default for TreeLimits {
    fn default() -> TreeLimits {
        TreeLimits { positions: 2_000_000, deadline: None, stop: Stop::new() }
    }
}

impl ProofTree {
    /// Builds the tree of a win: the proof's moves, and fours where it is silent. The attacker is
    /// the side to move.
    pub fn build(board: &Board, proof: &Proof, limits: &TreeLimits) -> Result<ProofTree, NoTree> {
        let mut builder = Builder {
            proof,
            attacker: board.to_move(),
            plies_before: board.moves().len(),
            vcf: Vcf::with_memory(1 << 22),
            limits,
            answered: 0,
            nodes: Vec::new(),
            by_content: HashMap::new(),
            by_position: HashMap::new(),
        };
        let root = builder.attack(&mut board.clone())?;
        Ok(ProofTree { nodes: from_root(&builder.nodes, root), empty: board.empty().len() })
    }

    /// Builds the tree of a win by fours alone.
    pub fn by_fours(board: &Board, limits: &TreeLimits) -> Result<ProofTree, NoTree> {
        ProofTree::build(board, &Proof::default(), limits)
    }

    /// The nodes; the first is what is played in the position.
    pub fn nodes(&self) -> &[TreeNode] {
        &self.nodes
    }

    /// The most plies to the win.
    pub fn plies(&self) -> usize {
        // Where the board is nearly full, some replies that the count reckons with do not exist.
        (self.nodes[0].plies as usize).min(self.empty)
    }

    /// The line with the longest defence, from the position of the tree.
    pub fn line(&self, board: &Board) -> Vec<Point> {
        self.line_at(board, 0)
    }

    /// The line with the longest defence from a node, in the position that has come to it.
    pub fn line_at(&self, board: &Board, node: usize) -> Vec<Point> {
        self.line_from(&mut board.clone(), node)
    }

    /// The node that answers a reply to the move of a node; nothing where the game is over.
    pub fn answer(&self, node: usize, reply: Point) -> Option<usize> {
        let After::Replies(replies) = &self.nodes[node].after else { return None };
        if replies.forbidden.contains(&reply) {
            return None;
        }
        let listed = replies.listed.iter().find(|(point, _)| *point == reply);
        listed.map(|&(_, answer)| answer).or(replies.otherwise)
    }

    /// Whether the strategy also wins in another position with the same side to move, such as the
    /// same with a stone more of the defender. Reply by reply, by the rules alone.
    pub fn holds(&self, board: &mut Board) -> bool {
        let attacker = board.to_move();
        board.with_threats_only(|board| holds(&self.nodes, board, attacker, 0))
    }

    fn line_from(&self, board: &mut Board, root: usize) -> Vec<Point> {
        let attacker = board.to_move();
        let (mut node, mut line) = (root, Vec::new());
        loop {
            let TreeNode { point, after, .. } = &self.nodes[node];
            line.push(*point);
            let wins = board.class(attacker, *point) == Class::Five;
            board.play_unchecked(*point);
            let After::Replies(replies) = after else { return line };
            if wins {
                return line;
            }
            let Some((reply, child)) = self.longest_defence(board, replies) else {
                // Only forbidden points are left.
                line.extend(replies.forbidden.iter().find(|&&reply| board.is_empty(reply)));
                return line;
            };
            line.push(reply);
            board.play_unchecked(reply);
            node = child;
        }
    }

    /// The reply that holds out longest and the node that answers it. A named reply comes before
    /// the others: it does something against the threat.
    fn longest_defence(&self, board: &mut Board, replies: &Replies) -> Option<(Point, usize)> {
        let mut best: Option<(Point, usize)> = None;
        for &(reply, child) in &replies.listed {
            let longer = best.is_none_or(|(_, best)| self.nodes[child].plies > self.nodes[best].plies);
            if longer && board.is_empty(reply) && !forbidden_to_mover(board, reply) {
                best = Some((reply, child));
            }
        }
        let Some(otherwise) = replies.otherwise else { return best };
        let enough = match best {
            Some((_, child)) => self.nodes[child].plies >= self.nodes[otherwise].plies,
            None => replies.forbidden.iter().any(|&reply| board.is_empty(reply)),
        };
        if enough {
            return best;
        }
        let named: PointSet = replies.listed.iter().map(|&(reply, _)| reply).collect();
        let others = board.empty().difference(&named);
        let other = others
            .iter()
            .find(|&reply| !replies.forbidden.contains(&reply) && !forbidden_to_mover(board, reply));
        other.map(|reply| (reply, otherwise)).or(best)
    }
}

/// Looks for a forced win of the side to move as [`super::solve`] does, and writes its proof down
/// as a tree. That may take as long again as the limits allow for the search.
pub fn prove(
    board: &Board,
    kind: Kind,
    limits: &SolveLimits,
    stop: &Stop,
) -> (Solution, Result<ProofTree, NoTree>) {
    let started = Instant::now();
    let late = limits.time.and_then(|time| started.checked_add(time.saturating_mul(2)));
    let tree_limits = TreeLimits { deadline: late, stop: stop.clone(), ..TreeLimits::default() };
    let found = find(board, kind, limits, stop);
    let (mut solution, tree) = found.with_tree(board, limits.nodes, &tree_limits);
    solution.elapsed = started.elapsed();
    (solution, tree)
}

impl Found {
    /// Writes the proof of a win down.
    pub fn with_tree(
        mut self,
        board: &Board,
        nodes: u64,
        limits: &TreeLimits,
    ) -> (Solution, Result<ProofTree, NoTree>) {
        let tree = match (self.solution.verdict, &mut self.vct) {
            (Verdict::Win, None) => ProofTree::by_fours(board, limits),
            (Verdict::Win, Some(vct)) => {
                let scratch = &mut board.clone();
                if vct.extract(scratch, nodes, limits.deadline, &limits.stop) {
                    ProofTree::build(board, vct.proof(), limits)
                } else {
                    Err(NoTree::OutOfBudget)
                }
            }
            (verdict, _) => Err(no_tree(verdict)),
        };
        if let Some(vct) = &self.vct {
            self.solution.line = vct.line().to_vec();
        }
        if let Ok(tree) = &tree {
            self.solution.line = tree.line(board);
        }
        (self.solution, tree)
    }
}

fn no_tree(verdict: Verdict) -> NoTree {
    if verdict == Verdict::NoWin { NoTree::NoWin } else { NoTree::Undecided }
}

/// Fours tried where the proof is silent.
const FOURS_AT_MOST: u64 = 1_000_000;

struct Builder<'a> {
    proof: &'a Proof,
    attacker: Color,
    plies_before: usize,
    vcf: Vcf,
    limits: &'a TreeLimits,
    answered: usize,
    nodes: Vec<TreeNode>,
    by_content: HashMap<(Point, After), usize>,
    /// The nodes by the positions they were built for, the attacker to move.
    by_position: HashMap<u64, usize>,
}

impl Builder<'_> {
    /// The node for a position of the attacker.
    fn attack(&mut self, board: &mut Board) -> Result<usize, NoTree> {
        let five = board.cells(self.attacker, Class::Five).first();
        if let Some(five) = five {
            return Ok(self.node(five, After::Five));
        }
        let hash = board.hash();
        if let Some(&node) = self.by_position.get(&hash) {
            return Ok(node);
        }
        self.keep_limits()?;
        let point = self.answer(board)?.ok_or_else(|| self.gap(board))?;
        board.play_unchecked(point);
        let replies = self.defend(board)?;
        board.undo();
        let node = self.node(point, After::Replies(replies));
        self.by_position.insert(hash, node);
        Ok(node)
    }

    /// The replies to a move of the attacker.
    fn defend(&mut self, board: &mut Board) -> Result<Replies, NoTree> {
        if board.count(!self.attacker, Class::Five) > 0 || board.empty().is_empty() {
            return Err(self.gap(board));
        }
        let otherwise = self.threat(board)?;
        let mut replies = Replies { listed: Vec::new(), forbidden: Vec::new(), otherwise };
        let five = otherwise.filter(|&node| self.nodes[node].after == After::Five);
        let tried =
            five.map_or(*board.empty(), |node| contested(board, self.attacker, self.nodes[node].point));
        for reply in tried.iter() {
            let forbidden = forbidden_to_mover(board, reply);
            board.play_unchecked(reply);
            let (nodes, attacker) = (&self.nodes, self.attacker);
            let answered = otherwise
                .is_some_and(|node| board.with_threats_only(|board| holds(nodes, board, attacker, node)));
            if forbidden && !answered {
                replies.forbidden.push(reply);
            } else if !answered {
                replies.listed.push((reply, self.attack(board)?));
            }
            board.undo();
        }
        Ok(replies)
    }

    /// The node that wins if the defender does nothing, if there is one.
    fn threat(&mut self, board: &mut Board) -> Result<Option<usize>, NoTree> {
        board.pass();
        let wins = board.count(self.attacker, Class::Five) > 0
            || self.by_position.contains_key(&board.hash())
            || self.answer(board)?.is_some();
        let node = if wins { Some(self.attack(board)?) } else { None };
        board.undo();
        Ok(node)
    }

    /// What the attacker plays: what the proof says, or the first of winning fours.
    fn answer(&mut self, board: &mut Board) -> Result<Option<Point>, NoTree> {
        if let Some(point) = self.proof.answer(board) {
            return Ok(Some(point));
        }
        let TreeLimits { deadline, stop, .. } = self.limits;
        match self.vcf.solve_until(board, FOURS_AT_MOST, *deadline, stop) {
            Verdict::Win => Ok(self.vcf.line().first().copied()),
            Verdict::NoWin => Ok(None),
            Verdict::Unknown => Err(NoTree::OutOfBudget),
        }
    }

    /// The node with this content, made if there is none.
    fn node(&mut self, point: Point, after: After) -> usize {
        let key = (point, after);
        if let Some(&node) = self.by_content.get(&key) {
            return node;
        }
        let plies = match &key.1 {
            After::Five => 1,
            After::Replies(replies) => {
                let children = replies.listed.iter().map(|&(_, child)| child).chain(replies.otherwise);
                2 + children.map(|child| self.nodes[child].plies).max().unwrap_or(0)
            }
        };
        self.nodes.push(TreeNode { point, after: key.1.clone(), plies });
        self.by_content.insert(key, self.nodes.len() - 1);
        self.nodes.len() - 1
    }

    fn keep_limits(&mut self) -> Result<(), NoTree> {
        self.answered += 1;
        let limits = self.limits;
        let late = limits.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if late || limits.stop.raised() || self.answered > limits.positions {
            return Err(NoTree::OutOfBudget);
        }
        Ok(())
    }

    fn gap(&self, board: &Board) -> NoTree {
        NoTree::Gap(board.moves()[self.plies_before..].iter().copied().flatten().collect())
    }
}

/// The replies that can make a difference to a threatened five: the completing cell, the defender's
/// own fives, and in caro the cells in line with it, which may be at an end of the row.
fn contested(board: &Board, attacker: Color, five: Point) -> PointSet {
    let mut replies = board.cells(!attacker, Class::Five);
    replies.insert(five);
    if board.rule().ends_matter() {
        for direction in Direction::ALL {
            let (dx, dy) = direction.delta();
            for distance in -(MARGIN as isize)..=MARGIN as isize {
                if let Some(cell) = five.offset(distance * dx, distance * dy, board.size()) {
                    replies.insert(cell);
                }
            }
        }
    }
    replies.intersection(board.empty())
}

/// Whether a node's strategy wins in a position of the attacker, every reply played out.
fn holds(nodes: &[TreeNode], board: &mut Board, attacker: Color, node: usize) -> bool {
    let TreeNode { point, after, .. } = &nodes[node];
    if !board.is_empty(*point) {
        return false;
    }
    if board.class(attacker, *point) == Class::Five {
        return true;
    }
    let After::Replies(replies) = after else { return false };
    if forbidden_to_mover(board, *point) {
        return false;
    }
    board.play_unchecked(*point);
    let won = holds_against_replies(nodes, board, attacker, replies);
    board.undo();
    won
}

fn holds_against_replies(nodes: &[TreeNode], board: &mut Board, attacker: Color, replies: &Replies) -> bool {
    if board.count(!attacker, Class::Five) > 0 || board.empty().is_empty() {
        return false;
    }
    let threatened = replies.otherwise.map(|node| nodes[node].point);
    let five = threatened.filter(|&point| board.class(attacker, point) == Class::Five);
    let mut tried = *board.empty();
    if let Some(five) = five {
        let listed: PointSet = replies.listed.iter().map(|&(reply, _)| reply).collect();
        tried = contested(board, attacker, five).union(&listed).intersection(board.empty());
    }
    tried.iter().all(|reply| {
        if forbidden_to_mover(board, reply) {
            return true;
        }
        if replies.forbidden.contains(&reply) {
            return false;
        }
        let own = replies.listed.iter().find(|&&(point, _)| point == reply).map(|&(_, child)| child);
        let Some(answer) = own.or(replies.otherwise) else { return false };
        board.play_unchecked(reply);
        let won = holds(nodes, board, attacker, answer);
        board.undo();
        won
    })
}

/// The nodes that a root leads to, breadth first from it.
fn from_root(nodes: &[TreeNode], root: usize) -> Vec<TreeNode> {
    let mut places = HashMap::from([(root, 0)]);
    let mut order = vec![root];
    let mut todo = VecDeque::from([root]);
    while let Some(node) = todo.pop_front() {
        if let After::Replies(replies) = &nodes[node].after {
            for child in replies.listed.iter().map(|&(_, child)| child).chain(replies.otherwise) {
                places.entry(child).or_insert_with(|| {
                    order.push(child);
                    todo.push_back(child);
                    order.len() - 1
                });
            }
        }
    }
    let moved = |&node: &usize| {
        let mut node = nodes[node].clone();
        if let After::Replies(replies) = &mut node.after {
            replies.listed.iter_mut().for_each(|(_, child)| *child = places[child]);
            replies.otherwise = replies.otherwise.map(|child| places[&child]);
        }
        node
    };
    order.iter().map(moved).collect()
}
