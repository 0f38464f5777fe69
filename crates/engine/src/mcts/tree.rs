//! The graph of positions: two arenas that only grow, and a map from hashes to nodes.

use super::node::{Edge, NONE, NewNode, Node, NodeId, State};
use fivestone_game::Point;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock};

const CHUNKS: usize = 24;
const SHARDS: usize = 16;
/// Bytes of the map for a node: an entry and its control byte, at the load a table grows to.
const MAP_ENTRY: usize = 20;
const FIRST_NODES: usize = 1 << 7;
const FIRST_EDGES: usize = 1 << 11;

/// An arena: the first chunk holds `FIRST` items, each further one as many as all before it.
struct Arena<T, const FIRST: usize> {
    chunks: [OnceLock<Box<[T]>>; CHUNKS],
    used: AtomicU32,
}

impl<T: Default, const FIRST: usize> Arena<T, FIRST> {
    fn new() -> Self {
        Arena { chunks: [const { OnceLock::new() }; CHUNKS], used: AtomicU32::new(0) }
    }

    fn used(&self) -> usize {
        self.used.load(Ordering::Relaxed) as usize
    }

    /// The chunk of a place, where the chunk begins, and how many it holds.
    #[inline]
    fn locate(place: usize) -> (usize, usize, usize) {
        let number = (place / FIRST).checked_ilog2().map_or(0, |log| log as usize + 1);
        let start = if number == 0 { 0 } else { FIRST << (number - 1) };
        (number, start, start.max(FIRST))
    }

    /// Places for `count` items beside each other.
    fn allocate(&self, count: usize) -> u32 {
        let mut begin = 0;
        let take = |used: u32| {
            let (_, start, size) = Self::locate(used as usize);
            let left = start + size - used as usize;
            begin = if count <= left { used as usize } else { start + size };
            Some((begin + count) as u32)
        };
        let _ = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take);
        begin as u32
    }

    #[inline]
    fn items(&self, first: u32, count: usize) -> &[T] {
        let (number, start, size) = Self::locate(first as usize);
        let chunk = self.chunks[number].get_or_init(|| (0..size).map(|_| T::default()).collect());
        let at = first as usize - start;
        &chunk[at..at + count]
    }
}

/// Position hashes are random already.
#[derive(Default)]
struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        self.0 = bytes.iter().fold(self.0, |hash, &byte| hash << 8 | u64::from(byte));
    }

    fn write_u64(&mut self, hash: u64) {
        self.0 = hash;
    }
}

type ByHash = HashMap<u64, NodeId, BuildHasherDefault<AsIs>>;

/// All nodes, shared between threads. The root is node 0.
pub(super) struct Tree {
    nodes: Arena<Node, FIRST_NODES>,
    edges: Arena<Edge, FIRST_EDGES>,
    by_hash: [Mutex<ByHash>; SHARDS],
    map_bytes: AtomicUsize,
}

/// The root's place.
pub(super) const ROOT: NodeId = 0;

impl Tree {
    pub fn new() -> Tree {
        Tree {
            nodes: Arena::new(),
            edges: Arena::new(),
            by_hash: [const { Mutex::new(ByHash::with_hasher(BuildHasherDefault::new())) }; SHARDS],
            map_bytes: AtomicUsize::new(0),
        }
    }

    /// Bytes held by nodes, edges and the map.
    pub fn bytes(&self) -> usize {
        let map = self.map_bytes.load(Ordering::Relaxed);
        self.nodes.used() * size_of::<Node>() + self.edges.used() * size_of::<Edge>() + map
    }

    /// How many nodes there are.
    pub fn len(&self) -> usize {
        self.nodes.used()
    }

    #[inline]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes.items(id, 1)[0]
    }

    /// The moves of an expanded node; none of others.
    #[inline]
    pub fn edges(&self, node: &Node) -> &[Edge] {
        let (first, count) = node.edge_range();
        if count == 0 { &[] } else { self.edges.items(first, count) }
    }

    pub fn find(&self, hash: u64) -> Option<NodeId> {
        self.shard(hash).get(&hash).copied()
    }

    /// Adds a node unless its position is already there; returns its place.
    pub fn insert(&self, new: &NewNode) -> NodeId {
        let mut shard = self.shard(new.hash);
        if let Some(&id) = shard.get(&new.hash) {
            return id;
        }
        let id = self.nodes.allocate(1);
        self.node(id).fill(new);
        self.map(&mut shard, new.hash, id);
        id
    }

    /// Gives a node its moves with their priors.
    pub fn set_edges(&self, node: &Node, moves: &[(Point, f32)]) {
        if moves.is_empty() {
            return node.set_edges(0, 0);
        }
        let first = self.edges.allocate(moves.len());
        for (edge, &(point, prior)) in self.edges.items(first, moves.len()).iter().zip(moves) {
            edge.set(point, prior);
        }
        node.set_edges(first, moves.len());
    }

    /// Adds moves to a node that has some.
    pub fn add_edges(&self, node: &Node, moves: &[(Point, f32)]) {
        let old = self.edges(node);
        let count = old.len() + moves.len();
        if moves.is_empty() {
            return;
        }
        let first = self.edges.allocate(count);
        let new = self.edges.items(first, count);
        for (to, from) in new.iter().zip(old) {
            to.copy_from(from);
        }
        for (edge, &(point, prior)) in new[old.len()..].iter().zip(moves) {
            edge.set(point, prior);
        }
        node.set_edges(first, count);
    }

    /// A tree of what can be reached from a node, which becomes the root. Nodes with fewer visits
    /// than `least` are dropped with all that only they lead to.
    pub fn keep(&self, root: NodeId, least: u32) -> Tree {
        let kept = Tree::new();
        let mut order = vec![root];
        let mut places: HashMap<NodeId, NodeId> = HashMap::from([(root, ROOT)]);
        let mut next = 0;
        while next < order.len() {
            let from = self.node(order[next]);
            let id = kept.nodes.allocate(1);
            let to = kept.node(id);
            to.copy_from(from);
            kept.map(&mut kept.shard(from.hash()), from.hash(), id);
            let (old, count) = (self.edges(from), self.edges(from).len());
            if from.state() == State::Expanded {
                let first = if count == 0 { 0 } else { kept.edges.allocate(count) };
                for (edge, old) in kept.edges.items(first, count).iter().zip(old) {
                    edge.copy_from(old);
                    let child = old.child();
                    if child == NONE {
                        continue;
                    }
                    let node = self.node(child);
                    if node.visits() < least && node.proof().is_none() {
                        edge.set_child(NONE);
                        edge.set_visits(0);
                        continue;
                    }
                    let place = places.len() as NodeId;
                    edge.set_child(*places.entry(child).or_insert_with(|| {
                        order.push(child);
                        place
                    }));
                }
                to.set_edges(first, count);
            }
            next += 1;
        }
        kept
    }

    /// The least visits of nodes that all together hold at most this many bytes.
    pub fn least_visits_within(&self, bytes: usize) -> u32 {
        let mut by_visits = [0; 33];
        for id in 0..self.len() as NodeId {
            let node = self.node(id);
            let held = size_of::<Node>() + MAP_ENTRY + size_of_val(self.edges(node));
            by_visits[node.visits().checked_ilog2().map_or(0, |log| log as usize + 1)] += held;
        }
        let mut held = 0;
        for log in (1..by_visits.len()).rev() {
            held += by_visits[log];
            if held > bytes {
                return 1 << log.min(31);
            }
        }
        1
    }

    fn map(&self, shard: &mut ByHash, hash: u64, id: NodeId) {
        let before = shard.capacity();
        shard.insert(hash, id);
        let grown = (shard.capacity() - before) * MAP_ENTRY;
        self.map_bytes.fetch_add(grown, Ordering::Relaxed);
    }

    fn shard(&self, hash: u64) -> MutexGuard<'_, ByHash> {
        // The map itself looks at the low and the highest bits.
        let shard = &self.by_hash[(hash >> 40) as usize % SHARDS];
        shard.lock().expect("no thread panics while it holds the map")
    }
}
