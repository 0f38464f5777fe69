//! A position of the graph and its moves.
//!
//! Every field is an atomic number with relaxed order: threads share nodes without locks. What a
//! thread reads may be a moment old, which a search can live with; what must not be torn (the moves
//! of an expanded node) is published by [`Node::state`].

use crate::Proof;
use fivestone_game::{Point, PointSet};
use fivestone_nets::features::{Known, Threats};
use std::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

/// A node's place in the arena.
pub(super) type NodeId = u32;

/// "No child yet."
pub(super) const NONE: NodeId = u32::MAX;

/// Expected shares of wins and losses for one side; the rest are draws.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub(super) struct Outcome {
    pub win: f32,
    pub loss: f32,
}

impl Outcome {
    pub const WIN: Outcome = Outcome { win: 1.0, loss: 0.0 };
    pub const LOSS: Outcome = Outcome { win: 0.0, loss: 1.0 };
    pub const DRAW: Outcome = Outcome { win: 0.0, loss: 0.0 };

    /// The same result as the other side sees it.
    pub fn of_other_side(self) -> Outcome {
        Outcome { win: self.loss, loss: self.win }
    }

    /// The outcome of a certain result for the side it speaks of.
    pub fn certain(proof: Proof) -> Outcome {
        match proof {
            Proof::Win(_) => Outcome::WIN,
            Proof::Loss(_) => Outcome::LOSS,
            Proof::Draw => Outcome::DRAW,
        }
    }

    /// Expected result in [-1, 1], a draw being 0.
    pub fn value(self) -> f32 {
        self.win - self.loss
    }

    /// Probability of a draw.
    pub fn draw(self) -> f32 {
        (1.0 - self.win - self.loss).max(0.0)
    }

    /// Win probability in [0, 1], a draw counting half.
    pub fn winrate(self) -> f64 {
        f64::midpoint(self.value().into(), 1.0)
    }
}

/// What a node knows beside its numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Facts {
    /// Every move that does not lose at once is among the edges: losing all of them is a proof.
    pub complete: bool,
    /// The side not to move has no win by fours even if the mover passes, so that it has none after
    /// any move either.
    pub other_barren: bool,
    /// The position was judged. Forced replies are not judged but played.
    pub judged: bool,
    /// What the search for wins by fours said of both sides.
    pub threats: Threats,
}

impl Facts {
    const COMPLETE: u8 = 1;
    const OTHER_BARREN: u8 = 2;
    const JUDGED: u8 = 4;

    fn bits(self) -> u8 {
        let flag = |is: bool, bit: u8| if is { bit } else { 0 };
        flag(self.complete, Facts::COMPLETE)
            | flag(self.other_barren, Facts::OTHER_BARREN)
            | flag(self.judged, Facts::JUDGED)
            | (self.threats.own as u8) << 3
            | (self.threats.other as u8) << 5
    }

    fn from_bits(bits: u8) -> Facts {
        let known = |bits: u8| match bits & 3 {
            0 => Known::Win,
            1 => Known::None,
            _ => Known::NotKnown,
        };
        Facts {
            complete: bits & Facts::COMPLETE != 0,
            other_barren: bits & Facts::OTHER_BARREN != 0,
            judged: bits & Facts::JUDGED != 0,
            threats: Threats { own: known(bits >> 3), other: known(bits >> 5) },
        }
    }
}

/// An atomic floating point number.
#[derive(Debug, Default)]
pub(super) struct Float(AtomicU32);

impl Float {
    #[inline]
    pub fn load(&self) -> f32 {
        f32::from_bits(self.0.load(Ordering::Relaxed))
    }

    #[inline]
    pub fn store(&self, number: f32) {
        self.0.store(number.to_bits(), Ordering::Relaxed);
    }
}

/// A move from a node. Its value is its child's.
#[derive(Debug, Default)]
pub(super) struct Edge {
    point: AtomicU16,
    /// Threads that are on their way through this edge.
    pending: AtomicU16,
    prior: Float,
    visits: AtomicU32,
    /// The child's number plus one; 0 is none.
    child: AtomicU32,
}

impl Edge {
    pub fn set(&self, point: Point, prior: f32) {
        self.point.store(point.index() as u16, Ordering::Relaxed);
        self.prior.store(prior);
    }

    pub fn copy_from(&self, other: &Edge) {
        self.point.store(other.point.load(Ordering::Relaxed), Ordering::Relaxed);
        self.prior.store(other.prior());
        self.visits.store(other.visits(), Ordering::Relaxed);
        self.set_child(other.child());
    }

    #[inline]
    pub fn point(&self) -> Point {
        Point::from_index(self.point.load(Ordering::Relaxed).into())
    }

    #[inline]
    pub fn prior(&self) -> f32 {
        self.prior.load()
    }

    pub fn set_prior(&self, prior: f32) {
        self.prior.store(prior);
    }

    #[inline]
    pub fn visits(&self) -> u32 {
        self.visits.load(Ordering::Relaxed)
    }

    pub fn set_visits(&self, visits: u32) {
        self.visits.store(visits, Ordering::Relaxed);
    }

    /// Counts a visit and returns the new number.
    #[inline]
    pub fn add_visit(&self) -> u32 {
        self.visits.fetch_add(1, Ordering::Relaxed) + 1
    }

    #[inline]
    pub fn pending(&self) -> u16 {
        self.pending.load(Ordering::Relaxed)
    }

    pub fn enter(&self) {
        self.pending.fetch_add(1, Ordering::Relaxed);
    }

    pub fn leave(&self) {
        // A node's edges are copied when moves are added; a thread may leave one it never entered.
        let _ =
            self.pending.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |threads| threads.checked_sub(1));
    }

    #[inline]
    pub fn child(&self) -> NodeId {
        self.child.load(Ordering::Acquire).wrapping_sub(1)
    }

    pub fn set_child(&self, child: NodeId) {
        self.child.store(child.wrapping_add(1), Ordering::Release);
    }
}

/// How far a node has come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum State {
    /// Its value is known, its moves are not.
    Leaf,
    /// A thread is looking for its moves.
    Expanding,
    /// Its moves are there.
    Expanded,
}

/// A position. Outcomes are for the side to move.
#[derive(Debug, Default)]
#[repr(align(64))]
pub(super) struct Node {
    hash: AtomicU64,
    win: Float,
    loss: Float,
    /// The mean of squared values, for the spread of what was found below.
    square: Float,
    own_win: Float,
    own_loss: Float,
    visits: AtomicU32,
    proof: AtomicU32,
    first_edge: AtomicU32,
    edge_count: AtomicU16,
    reach: AtomicU16,
    /// The index of the move that is proven to win; 0 is none.
    winning: AtomicU16,
    state: AtomicU8,
    looks: AtomicU8,
    facts: AtomicU8,
}

const _: () = assert!(size_of::<Edge>() == 16 && size_of::<Node>() == 64);

/// A position that is not in the graph yet.
#[derive(Clone, Debug, Default)]
pub(super) struct NewNode {
    pub hash: u64,
    pub own: Outcome,
    pub proof: Option<Proof>,
    /// The move that begins the proven win, where one is known.
    pub winning: Option<Point>,
    pub facts: Facts,
}

impl Node {
    pub fn fill(&self, new: &NewNode) {
        self.hash.store(new.hash, Ordering::Relaxed);
        self.own_win.store(new.own.win);
        self.own_loss.store(new.own.loss);
        self.set_outcome(new.own, new.own.value() * new.own.value());
        self.facts.store(new.facts.bits(), Ordering::Relaxed);
        if let Some(proof) = new.proof {
            self.prove(proof, new.winning);
        }
    }

    /// Copies everything but the moves.
    pub fn copy_from(&self, other: &Node) {
        let (to, from) = (self, other);
        to.hash.store(from.hash(), Ordering::Relaxed);
        to.set_outcome(from.outcome(), from.square());
        to.own_win.store(from.own_win.load());
        to.own_loss.store(from.own_loss.load());
        to.set_visits(from.visits());
        to.proof.store(from.proof.load(Ordering::Relaxed), Ordering::Relaxed);
        to.set_reach(from.reach());
        to.winning.store(from.winning.load(Ordering::Relaxed), Ordering::Relaxed);
        to.state.store(from.state.load(Ordering::Relaxed), Ordering::Relaxed);
        to.set_looks(from.looks());
        to.facts.store(from.facts.load(Ordering::Relaxed), Ordering::Relaxed);
    }

    pub fn hash(&self) -> u64 {
        self.hash.load(Ordering::Relaxed)
    }

    /// What was thought of the position when it was new.
    #[inline]
    pub fn own(&self) -> Outcome {
        Outcome { win: self.own_win.load(), loss: self.own_loss.load() }
    }

    /// What the position is worth by all that is known.
    #[inline]
    pub fn outcome(&self) -> Outcome {
        Outcome { win: self.win.load(), loss: self.loss.load() }
    }

    #[inline]
    pub fn square(&self) -> f32 {
        self.square.load()
    }

    pub fn set_outcome(&self, outcome: Outcome, square: f32) {
        self.win.store(outcome.win);
        self.loss.store(outcome.loss);
        self.square.store(square);
    }

    #[inline]
    pub fn visits(&self) -> u32 {
        self.visits.load(Ordering::Relaxed)
    }

    pub fn set_visits(&self, visits: u32) {
        self.visits.store(visits, Ordering::Relaxed);
    }

    #[inline]
    pub fn proof(&self) -> Option<Proof> {
        let code = self.proof.load(Ordering::Relaxed);
        let plies = code as u16;
        match code >> 16 {
            0 => None,
            1 => Some(Proof::Win(plies)),
            2 => Some(Proof::Loss(plies)),
            _ => Some(Proof::Draw),
        }
    }

    /// Notes a certain result, and the move that begins it where it is a win.
    pub fn prove(&self, proof: Proof, winning: Option<Point>) {
        let code = match proof {
            Proof::Win(plies) => 1 << 16 | u32::from(plies),
            Proof::Loss(plies) => 2 << 16 | u32::from(plies),
            Proof::Draw => 3 << 16,
        };
        let outcome = Outcome::certain(proof);
        self.set_outcome(outcome, outcome.value() * outcome.value());
        let winning = winning.map_or(0, |point| point.index() as u16);
        self.winning.store(winning, Ordering::Relaxed);
        self.proof.store(code, Ordering::Relaxed);
    }

    /// The move that is proven to win.
    pub fn winning(&self) -> Option<Point> {
        let index = self.winning.load(Ordering::Relaxed);
        (index != 0).then(|| Point::from_index(index.into()))
    }

    pub fn facts(&self) -> Facts {
        Facts::from_bits(self.facts.load(Ordering::Relaxed))
    }

    pub fn set_complete(&self) {
        self.facts.fetch_or(Facts::COMPLETE, Ordering::Relaxed);
    }

    #[inline]
    pub fn is_complete(&self) -> bool {
        self.facts.load(Ordering::Relaxed) & Facts::COMPLETE != 0
    }

    #[inline]
    pub fn is_judged(&self) -> bool {
        self.facts.load(Ordering::Relaxed) & Facts::JUDGED != 0
    }

    pub fn looks(&self) -> u8 {
        self.looks.load(Ordering::Relaxed)
    }

    pub fn set_looks(&self, looks: u8) {
        self.looks.store(looks, Ordering::Relaxed);
    }

    /// Edges from this one on have never been followed; they are sorted by their priors.
    #[inline]
    pub fn reach(&self) -> u16 {
        self.reach.load(Ordering::Relaxed)
    }

    pub fn set_reach(&self, reach: u16) {
        self.reach.store(reach, Ordering::Relaxed);
    }

    pub fn state(&self) -> State {
        match self.state.load(Ordering::Acquire) {
            0 => State::Leaf,
            1 => State::Expanding,
            _ => State::Expanded,
        }
    }

    /// Claims the right to expand the node; false if another thread has it already.
    pub fn begin_expanding(&self) -> bool {
        self.state.compare_exchange(0, 1, Ordering::Acquire, Ordering::Relaxed).is_ok()
    }

    /// Gives the node its moves.
    pub fn set_edges(&self, first: u32, count: usize) {
        // A reader that sees the new number of moves sees where they begin as well.
        self.first_edge.store(first, Ordering::Relaxed);
        self.edge_count.store(count as u16, Ordering::Release);
        self.state.store(2, Ordering::Release);
    }

    /// Where the node's moves are: the first one's place and their number.
    #[inline]
    pub fn edge_range(&self) -> (u32, usize) {
        let count = self.edge_count.load(Ordering::Acquire);
        (self.first_edge.load(Ordering::Relaxed), count.into())
    }
}

/// The points of some edges.
pub(super) fn points(edges: &[Edge]) -> PointSet {
    edges.iter().map(Edge::point).collect()
}
