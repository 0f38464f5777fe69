//! The search tree in one flat arena.
//!
//! A node's children stand side by side in a block whose capacity doubles as they are added one by one; a block that
//! became too small is kept for reuse.

use super::polygon::Cell;

/// One position of the tree, seen by the side whose move led to it.
#[derive(Clone, Copy, Debug)]
pub struct Node {
    /// How often an iteration went through.
    pub visits: u32,
    /// Wins less losses of the side that moved here.
    pub score: i32,
    block: u32,
    /// The move that led here.
    pub cell: Cell,
    count: u16,
}

/// A result that a move itself brings, for the side that made it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The move wins.
    Win,
    /// The move fills the board.
    Draw,
    /// The move is forbidden.
    Loss,
}

impl Ending {
    /// +1, 0 or -1 for the side that moved.
    pub fn score(self) -> i32 {
        match self {
            Ending::Win => 1,
            Ending::Draw => 0,
            Ending::Loss => -1,
        }
    }
}

/// Set in a node's count once every move was tried.
const COMPLETE: u16 = 1 << 15;
/// Blocks beginning here stand for an ending.
const ENDINGS: u32 = u32::MAX - 2;
const NO_BLOCK: u32 = 0;
const SMALLEST_BLOCK: usize = 4;

impl Node {
    /// A new node after a move, never visited.
    pub fn new(cell: Cell, ending: Option<Ending>) -> Node {
        let block = match ending {
            None => NO_BLOCK,
            Some(Ending::Win) => ENDINGS,
            Some(Ending::Draw) => ENDINGS + 1,
            Some(Ending::Loss) => ENDINGS + 2,
        };
        Node { visits: 0, score: 0, block, cell, count: 0 }
    }

    /// How the game ended with this move, if it did.
    #[inline]
    pub fn ending(&self) -> Option<Ending> {
        (self.block >= ENDINGS).then(|| match self.block - ENDINGS {
            0 => Ending::Win,
            1 => Ending::Draw,
            _ => Ending::Loss,
        })
    }

    /// Whether every move from here is in the tree.
    #[inline]
    pub fn is_complete(&self) -> bool {
        self.count & COMPLETE != 0
    }

    /// How many moves from here are in the tree.
    #[inline]
    pub fn children(&self) -> usize {
        (self.count & !COMPLETE) as usize
    }

    /// The mean result in [-1, 1] of the side that moved here.
    #[inline]
    pub fn mean(&self) -> f32 {
        self.score as f32 / self.visits.max(1) as f32
    }
}

/// Whether a tree has gains beside its scores.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gains {
    /// As UCT needs it.
    None,
    /// As Exp3 needs it.
    Kept,
}

/// The arena. Node 0 is the root.
pub struct Tree {
    nodes: Vec<Node>,
    /// Exp3's estimated gain of each node in place of its score; empty under UCT.
    gains: Vec<f32>,
    kept: Gains,
    /// Blocks for reuse, by the power of two of their capacity.
    free: [Vec<u32>; 10],
    capacity: usize,
}

impl Tree {
    /// The root alone, with room for as many nodes as these bytes hold.
    pub fn new(bytes: usize, nodes_wanted: usize, kept: Gains) -> Tree {
        let gain = if kept == Gains::Kept { size_of::<f32>() } else { 0 };
        let node = size_of::<Node>() + gain;
        // The lists of free blocks take a few bytes per block beside the nodes themselves.
        let affordable = bytes / (node + 3);
        let capacity = affordable.clamp(1, ENDINGS as usize).min(nodes_wanted);
        let mut nodes = Vec::with_capacity(capacity);
        nodes.push(Node::new(Cell::default(), None));
        let gains = match kept {
            Gains::None => Vec::new(),
            Gains::Kept => {
                let mut gains = Vec::with_capacity(capacity);
                gains.push(0.0);
                gains
            }
        };
        Tree { nodes, gains, kept, free: Default::default(), capacity }
    }

    /// A node.
    #[inline]
    pub fn node(&self, index: usize) -> &Node {
        &self.nodes[index]
    }

    /// A node, to change.
    #[inline]
    pub fn node_mut(&mut self, index: usize) -> &mut Node {
        &mut self.nodes[index]
    }

    /// The index of a node's first child; the others follow.
    #[inline]
    pub fn first_child(&self, index: usize) -> usize {
        self.nodes[index].block as usize
    }

    /// A node's children.
    #[inline]
    pub fn children(&self, index: usize) -> &[Node] {
        let node = &self.nodes[index];
        &self.nodes[node.block as usize..][..node.children()]
    }

    /// The gains of a node's children, under Exp3.
    pub fn gains(&self, index: usize) -> &[f32] {
        let node = &self.nodes[index];
        &self.gains[node.block as usize..][..node.children()]
    }

    /// Adds to the gain of a node, under Exp3.
    pub fn gain(&mut self, index: usize, amount: f32) {
        self.gains[index] += amount;
    }

    /// Adds a child to a node with this many moves; returns its index, or nothing when the memory
    /// is used up.
    pub fn add_child(&mut self, parent: usize, child: Node, moves: usize) -> Option<usize> {
        let count = self.nodes[parent].children();
        let old = self.nodes[parent].block as usize;
        let block = if count == 0 {
            self.allocate(SMALLEST_BLOCK)?
        } else if count >= SMALLEST_BLOCK && count.is_power_of_two() {
            let block = self.allocate(2 * count)?;
            self.nodes.copy_within(old..old + count, block);
            if self.kept == Gains::Kept {
                self.gains.copy_within(old..old + count, block);
            }
            self.free[count.trailing_zeros() as usize].push(old as u32);
            block
        } else {
            old
        };
        self.nodes[block + count] = child;
        if self.kept == Gains::Kept {
            self.gains[block + count] = 0.0;
        }
        let parent = &mut self.nodes[parent];
        parent.block = block as u32;
        parent.count = (count as u16 + 1) | if count + 1 == moves { COMPLETE } else { 0 };
        Some(block + count)
    }

    /// The index of the most visited child, the better one and then the first cell among equals.
    pub fn favourite(&self, index: usize) -> Option<usize> {
        let first = self.first_child(index);
        if self.nodes[index].children() == 0 {
            return None;
        }
        let key = |node: &Node| (node.visits, node.score, std::cmp::Reverse(node.cell));
        let best = self.children(index).iter().enumerate().max_by_key(|(_, node)| key(node));
        best.map(|(offset, _)| first + offset)
    }

    fn allocate(&mut self, size: usize) -> Option<usize> {
        if let Some(block) = self.free[size.trailing_zeros() as usize].pop() {
            return Some(block as usize);
        }
        let block = self.nodes.len();
        if block + size > self.capacity {
            return None;
        }
        self.nodes.resize(block + size, Node::new(Cell::default(), None));
        if self.kept == Gains::Kept {
            self.gains.resize(block + size, 0.0);
        }
        Some(block)
    }
}

const _: () = assert!(size_of::<Node>() == 16);

#[cfg(test)]
mod tests {
    use super::*;

    fn child(number: usize) -> Node {
        Node { visits: number as u32, ..Node::new(Cell::new(number % 22, number / 22), None) }
    }

    #[test]
    fn children_keep_their_order_while_their_block_grows() {
        let mut tree = Tree::new(1 << 20, usize::MAX, Gains::Kept);
        for number in 0..100 {
            let index = tree.add_child(0, child(number), 100).unwrap();
            tree.gain(index, number as f32);
        }
        let visits: Vec<u32> = tree.children(0).iter().map(|node| node.visits).collect();
        assert_eq!(visits, (0..100).collect::<Vec<_>>());
        assert_eq!(tree.gains(0)[57], 57.0);
        assert!(tree.node(0).is_complete());
        assert_eq!(tree.favourite(0), Some(tree.first_child(0) + 99));
    }

    #[test]
    fn outgrown_blocks_are_used_again_and_memory_has_an_end() {
        let mut tree = Tree::new(1 << 12, usize::MAX, Gains::None);
        let mut parents = vec![0];
        while let Some(index) = tree.add_child(parents[parents.len() - 1], child(1), 9) {
            parents.push(index);
        }
        assert!(tree.nodes.capacity() * size_of::<Node>() <= 1 << 12);

        let mut tree = Tree::new(1 << 20, usize::MAX, Gains::None);
        let first = (0..5).map(|number| tree.add_child(0, child(number), 9).unwrap()).max().unwrap();
        let size = tree.nodes.len();
        tree.add_child(first, child(0), 9).unwrap();
        assert_eq!(tree.nodes.len(), size, "the outgrown block of four serves the next node");
    }
}
