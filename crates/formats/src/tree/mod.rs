//! Game trees: variations, comments and marks, in one arena.
//!
//! A node is named by a [`NodeId`], which stays good until [`Tree::compact`]. Every node but the root carries a step:
//! a stone, a pass, or nothing (a node that only comments). The colour of a stone follows from the plies before it.

mod lines;
mod merge;

pub use lines::Lines;

use crate::problem::{Fault, Flaw};
use crate::record::{Header, Turn};
use crate::replay::Replay;
use fivestone_game::Point;

/// A node of a tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NodeId(u32);

const NONE: u32 = u32::MAX;

/// What happens in a node.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Step {
    /// No ply: the root, or a node that only comments.
    Nothing,
    /// The player passes.
    Pass,
    /// A stone.
    Stone(Point),
}

impl Step {
    /// The ply this is, if it is one.
    pub const fn turn(self) -> Option<Turn> {
        match self {
            Step::Nothing => None,
            Step::Pass => Some(None),
            Step::Stone(point) => Some(Some(point)),
        }
    }
}

impl From<Turn> for Step {
    fn from(turn: Turn) -> Step {
        turn.map_or(Step::Pass, Step::Stone)
    }
}

/// The shape of a mark on the board.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// A triangle.
    Triangle,
    /// A square.
    Square,
    /// A circle.
    Circle,
    /// A cross.
    Cross,
    /// A short text.
    Label(String),
}

/// A mark on a point.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Mark {
    /// Where.
    pub point: Point,
    /// What.
    pub shape: Shape,
}

/// What a node says besides its step.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Notes {
    /// A comment; its first line is the one-line part of a `RenLib` comment.
    pub comment: String,
    /// The text that stands on the node's own point while its siblings can be chosen.
    pub label: String,
    /// Marks on the board.
    pub marks: Vec<Mark>,
    /// The node's own move is marked.
    pub marked: bool,
    /// The node is where a study starts.
    pub start: bool,
    /// SGF properties without a meaning here, kept as they are.
    pub properties: Vec<(String, Vec<String>)>,
}

impl Notes {
    fn is_empty(&self) -> bool {
        *self == Notes::default()
    }
}

#[derive(Clone, Debug)]
struct Node {
    parent: u32,
    first_child: u32,
    last_child: u32,
    next_sibling: u32,
    previous_sibling: u32,
    notes: u32,
    step: Step,
}

/// A game tree.
#[derive(Clone, Debug)]
pub struct Tree {
    /// What is known about the game.
    pub header: Header,
    /// How many of the first plies were set up and not played.
    pub opening: usize,
    /// The name of the character set its texts came in, empty for UTF-8.
    pub charset: &'static str,
    nodes: Vec<Node>,
    notes: Vec<Notes>,
    removed: usize,
}

impl Tree {
    /// A tree with a root alone.
    pub fn new(header: Header) -> Tree {
        let root = Node {
            parent: NONE,
            first_child: NONE,
            last_child: NONE,
            next_sibling: NONE,
            previous_sibling: NONE,
            notes: NONE,
            step: Step::Nothing,
        };
        Tree { header, opening: 0, charset: "", nodes: vec![root], notes: Vec::new(), removed: 0 }
    }

    /// The root.
    pub const fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// How many nodes there are, the root included.
    pub fn len(&self) -> usize {
        self.nodes.len() - self.removed
    }

    /// Whether there is nothing but the root.
    pub fn is_empty(&self) -> bool {
        self.len() == 1
    }

    /// What happens in a node.
    pub fn step(&self, node: NodeId) -> Step {
        self.node(node).step
    }

    /// The node before, if it is not the root.
    pub fn parent(&self, node: NodeId) -> Option<NodeId> {
        id(self.node(node).parent)
    }

    /// The first continuation: the main line's.
    pub fn first_child(&self, node: NodeId) -> Option<NodeId> {
        id(self.node(node).first_child)
    }

    /// The last continuation.
    pub fn last_child(&self, node: NodeId) -> Option<NodeId> {
        id(self.node(node).last_child)
    }

    /// The next continuation of the node before.
    pub fn next_sibling(&self, node: NodeId) -> Option<NodeId> {
        id(self.node(node).next_sibling)
    }

    /// The continuations in their order.
    pub fn children(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(self.first_child(node), |&child| self.next_sibling(child))
    }

    /// The continuation with this step.
    pub fn child(&self, node: NodeId, step: Step) -> Option<NodeId> {
        self.children(node).find(|&child| self.step(child) == step)
    }

    /// What a node says, if it says anything.
    pub fn notes(&self, node: NodeId) -> Option<&Notes> {
        self.notes.get(self.node(node).notes as usize)
    }

    /// What a node says, to change it.
    pub fn notes_mut(&mut self, node: NodeId) -> &mut Notes {
        let slot = &mut self.nodes[node.0 as usize].notes;
        if *slot == NONE {
            *slot = self.notes.len() as u32;
            self.notes.push(Notes::default());
        }
        &mut self.notes[*slot as usize]
    }

    /// Adds a continuation after the others, even if there is one with the same step.
    pub fn push(&mut self, parent: NodeId, step: Step) -> NodeId {
        let new = self.nodes.len() as u32;
        assert!(new < NONE, "a tree has fewer than four billion nodes");
        let last = std::mem::replace(&mut self.nodes[parent.0 as usize].last_child, new);
        self.nodes.push(Node {
            parent: parent.0,
            first_child: NONE,
            last_child: NONE,
            next_sibling: NONE,
            previous_sibling: last,
            notes: NONE,
            step,
        });
        let link = match id(last) {
            Some(last) => &mut self.nodes[last.0 as usize].next_sibling,
            None => &mut self.nodes[parent.0 as usize].first_child,
        };
        *link = new;
        NodeId(new)
    }

    /// The continuation with this step, added if there is none.
    pub fn follow(&mut self, parent: NodeId, step: Step) -> NodeId {
        match self.child(parent, step) {
            Some(child) => child,
            None => self.push(parent, step),
        }
    }

    /// Removes a node and all after it. The root cannot be removed, only emptied.
    pub fn remove(&mut self, node: NodeId) {
        self.removed += self.walk_from(node).count();
        let Some(parent) = self.parent(node) else {
            let root = &mut self.nodes[0];
            (root.first_child, root.last_child) = (NONE, NONE);
            self.removed -= 1;
            return;
        };
        self.unlink(parent, node);
    }

    /// Makes a node the first continuation of the one before it.
    pub fn promote(&mut self, node: NodeId) {
        let Some(parent) = self.parent(node) else { return };
        if self.first_child(parent) == Some(node) {
            return;
        }
        self.unlink(parent, node);
        let first = std::mem::replace(&mut self.nodes[parent.0 as usize].first_child, node.0);
        self.nodes[first as usize].previous_sibling = node.0;
        let node = &mut self.nodes[node.0 as usize];
        (node.next_sibling, node.previous_sibling) = (first, NONE);
    }

    fn unlink(&mut self, parent: NodeId, node: NodeId) {
        let Node { next_sibling: next, previous_sibling: previous, .. } = *self.node(node);
        match id(previous) {
            Some(previous) => self.nodes[previous.0 as usize].next_sibling = next,
            None => self.nodes[parent.0 as usize].first_child = next,
        }
        match id(next) {
            Some(next) => self.nodes[next.0 as usize].previous_sibling = previous,
            None => self.nodes[parent.0 as usize].last_child = previous,
        }
    }

    /// Every node, a node before its continuations and those in their order.
    pub fn walk(&self) -> impl Iterator<Item = NodeId> {
        self.walk_from(self.root())
    }

    fn walk_from(&self, top: NodeId) -> impl Iterator<Item = NodeId> {
        std::iter::successors(Some(top), move |&node| {
            self.first_child(node).or_else(|| {
                let mut at = node;
                loop {
                    if at == top {
                        return None;
                    }
                    if let Some(sibling) = self.next_sibling(at) {
                        return Some(sibling);
                    }
                    at = self.parent(at)?;
                }
            })
        })
    }

    /// The nodes from the root to this one, both included.
    pub fn path(&self, node: NodeId) -> Vec<NodeId> {
        let mut path: Vec<NodeId> = std::iter::successors(Some(node), |&at| self.parent(at)).collect();
        path.reverse();
        path
    }

    /// The plies from the start to this node.
    pub fn moves(&self, node: NodeId) -> Vec<Turn> {
        self.path(node).into_iter().filter_map(|at| self.step(at).turn()).collect()
    }

    /// Whether no node has more than one continuation.
    pub fn is_line(&self) -> bool {
        self.walk().all(|node| {
            let node = self.node(node);
            node.first_child == node.last_child
        })
    }

    /// Drops removed nodes and empty notes from the arena; all node ids change.
    pub fn compact(&mut self) {
        let mut fresh = Tree::new(self.header.clone());
        (fresh.opening, fresh.charset) = (self.opening, self.charset);
        let mut names = vec![NONE; self.nodes.len()];
        for node in self.walk() {
            let new = match self.parent(node) {
                None => fresh.root(),
                Some(parent) => fresh.push(NodeId(names[parent.0 as usize]), self.step(node)),
            };
            names[node.0 as usize] = new.0;
            if let Some(notes) = self.notes(node).filter(|notes| !notes.is_empty()) {
                *fresh.notes_mut(new) = notes.clone();
            }
        }
        *self = fresh;
    }

    /// Replays every branch and cuts it where a move cannot be played; says where and why. A branch that goes on after
    /// five in a row is told, too, but stays.
    pub fn cut_illegal(&mut self) -> Vec<Flaw> {
        let mut replay = Replay::new(self.header.size, self.header.rule);
        let mut flaws = Vec::new();
        let mut next = self.first_child(self.root());
        while let Some(node) = next {
            let mut played = match self.step(node).turn() {
                None => Ok(()),
                Some(turn) => replay.play(turn),
            };
            if let (Err(Fault::AfterEnd(_)), Some(turn)) = (&played, self.step(node).turn()) {
                if let (true, Err(fault)) = (replay.just_ended(), played) {
                    flaws.push(Flaw::at(replay.turns().len() + 1, fault));
                }
                played = replay.play_on(turn);
            }
            if replay.turns().len() <= self.opening {
                replay.forget_five();
            }
            let mut at = node;
            next = match played {
                Ok(()) => self.first_child(node),
                Err(fault) => {
                    flaws.push(Flaw::at(replay.turns().len() + 1, fault));
                    let after = self.next_sibling(node);
                    at = self.parent(node).expect("the walk starts below the root");
                    self.remove(node);
                    after
                }
            };
            while next.is_none() && at != self.root() {
                if self.step(at) != Step::Nothing {
                    replay.undo();
                }
                next = self.next_sibling(at);
                at = self.parent(at).expect("the walk starts below the root");
            }
        }
        flaws
    }

    fn node(&self, node: NodeId) -> &Node {
        &self.nodes[node.0 as usize]
    }
}

/// Trees are equal when they say the same, however their arenas came about.
impl PartialEq for Tree {
    fn eq(&self, other: &Tree) -> bool {
        let empty = Notes::default();
        self.header == other.header
            && self.len() == other.len()
            && self.walk().zip(other.walk()).all(|(a, b)| {
                self.step(a) == other.step(b)
                    && self.children(a).count() == other.children(b).count()
                    && self.notes(a).unwrap_or(&empty) == other.notes(b).unwrap_or(&empty)
            })
    }
}

fn id(index: u32) -> Option<NodeId> {
    (index != NONE).then_some(NodeId(index))
}
