//! The graph of positions: an arena that only grows, and a map from hashes to its nodes.

use crate::Proof;
use fivestone_game::Point;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock};

/// A node's place in the arena.
pub(super) type NodeId = u32;

/// "No child yet."
pub(super) const NONE: NodeId = u32::MAX;

/// A move from a node. Values are expected results in [-1, 1] for the side that makes the move.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub point: Point,
    pub prior: f32,
    pub visits: u32,
    pub value_sum: f32,
    pub square_sum: f32,
    pub child: NodeId,
    /// The certain result for the side that makes the move.
    pub proof: Option<Proof>,
}

impl Edge {
    pub fn new(point: Point, prior: f32) -> Edge {
        Edge { point, prior, visits: 0, value_sum: 0.0, square_sum: 0.0, child: NONE, proof: None }
    }

    pub fn mean(&self) -> f32 {
        match self.proof {
            Some(proof) => proof_value(proof),
            None => self.value_sum / self.visits.max(1) as f32,
        }
    }
}

/// A position.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub hash: u64,
    pub edges: Vec<Edge>,
    pub visits: u32,
    /// What was thought of the position when it was new, for the side to move.
    pub first_value: f32,
    pub proof: Option<Proof>,
    /// Whether every move that does not lose at once is among the edges, so that losing all of them is a proof.
    pub complete: bool,
    /// Whether the side not to move has no win by fours even if the mover passes, so that it has none after any move either.
    pub other_barren: bool,
    /// Deeper looks for a forced win that were taken.
    pub looks: u8,
    /// Edges from this one on have never been followed; they are sorted by their priors.
    pub reach: u16,
}

/// The value of a certain result for the side it speaks of.
pub(super) fn proof_value(proof: Proof) -> f32 {
    match proof {
        Proof::Win(_) => 1.0,
        Proof::Loss(_) => -1.0,
        Proof::Draw => 0.0,
    }
}

/// The first chunk holds this many nodes, each further one as many as all before it.
const FIRST_CHUNK: usize = 1 << 8;
const CHUNKS: usize = 24;
const SHARDS: usize = 64;

/// Places for nodes, each filled once.
type Chunk = Box<[Mutex<Option<Node>>]>;

/// All nodes, shared between threads.
pub(super) struct Tree {
    chunks: [OnceLock<Chunk>; CHUNKS],
    nodes: AtomicU32,
    bytes: AtomicUsize,
    by_hash: Vec<Mutex<HashMap<u64, NodeId>>>,
}

impl Tree {
    pub fn new() -> Tree {
        Tree {
            chunks: [const { OnceLock::new() }; CHUNKS],
            nodes: AtomicU32::new(0),
            bytes: AtomicUsize::new(0),
            by_hash: (0..SHARDS).map(|_| Mutex::default()).collect(),
        }
    }

    /// Bytes held by nodes, edges and the map.
    pub fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    pub fn node(&self, id: NodeId) -> NodeGuard<'_> {
        NodeGuard(self.slot(id).lock().expect("no thread panics while it holds a node"))
    }

    pub fn find(&self, hash: u64) -> Option<NodeId> {
        self.shard(hash).get(&hash).copied()
    }

    /// Adds a node unless its position is already there; answers its place, and whether it is new.
    pub fn insert(&self, node: Node) -> (NodeId, bool) {
        /// Map entry, node slot and allocator overhead.
        const NODE_BYTES: usize = 160;
        let mut shard = self.shard(node.hash);
        if let Some(&id) = shard.get(&node.hash) {
            return (id, false);
        }
        let id = self.nodes.fetch_add(1, Ordering::Relaxed);
        self.bytes.fetch_add(NODE_BYTES + node.edges.len() * size_of::<Edge>(), Ordering::Relaxed);
        shard.insert(node.hash, id);
        *self.slot(id).lock().expect("no thread panics while it holds a node") = Some(node);
        (id, true)
    }

    /// A tree of what can be reached from a node, which becomes node 0.
    pub fn keep(&self, root: NodeId) -> Tree {
        let kept = Tree::new();
        let mut order = vec![root];
        let mut places: HashMap<NodeId, NodeId> = HashMap::from([(root, 0)]);
        let mut next = 0;
        while next < order.len() {
            let mut node = (*self.node(order[next])).clone();
            for edge in node.edges.iter_mut().filter(|edge| edge.child != NONE) {
                let place = places.len() as NodeId;
                edge.child = *places.entry(edge.child).or_insert_with_key(|&child| {
                    order.push(child);
                    place
                });
            }
            kept.insert(node);
            next += 1;
        }
        kept
    }

    fn shard(&self, hash: u64) -> MutexGuard<'_, HashMap<u64, NodeId>> {
        self.by_hash[hash as usize % SHARDS].lock().expect("no thread panics while it holds the map")
    }

    fn slot(&self, id: NodeId) -> &Mutex<Option<Node>> {
        let id = id as usize;
        let number = (id / FIRST_CHUNK).checked_ilog2().map_or(0, |log| log as usize + 1);
        let start = if number == 0 { 0 } else { FIRST_CHUNK << (number - 1) };
        let size = start.max(FIRST_CHUNK);
        let chunk = self.chunks[number].get_or_init(|| (0..size).map(|_| Mutex::default()).collect());
        &chunk[id - start]
    }
}

/// Access to one node.
pub(super) struct NodeGuard<'a>(MutexGuard<'a, Option<Node>>);

impl std::ops::Deref for NodeGuard<'_> {
    type Target = Node;

    fn deref(&self) -> &Node {
        self.0.as_ref().expect("a node's place is filled before it is known")
    }
}

impl std::ops::DerefMut for NodeGuard<'_> {
    fn deref_mut(&mut self) -> &mut Node {
        self.0.as_mut().expect("a node's place is filled before it is known")
    }
}
