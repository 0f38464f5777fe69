//! The transposition table, shared between threads without locks.

use fivestone_game::Point;
use std::sync::atomic::{AtomicU64, Ordering};

/// What a stored score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    Lower = 1,
    Upper = 2,
    Exact = 3,
}

/// What is known about a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    /// The best move as a grid index, 0 for none.
    pub point: u16,
    pub score: i16,
    pub depth: i8,
    pub bound: Bound,
}

impl Known {
    pub fn is_move(self, point: Point) -> bool {
        usize::from(self.point) == point.index()
    }

    fn pack(self) -> u64 {
        u64::from(self.point)
            | u64::from(self.score as u16) << 16
            | u64::from(self.depth as u8) << 32
            | (self.bound as u64) << 40
    }

    fn unpack(data: u64) -> Option<Known> {
        let bound = match data >> 40 & 3 {
            1 => Bound::Lower,
            2 => Bound::Upper,
            3 => Bound::Exact,
            _ => return None,
        };
        Some(Known { point: data as u16, score: (data >> 16) as i16, depth: (data >> 32) as i8, bound })
    }
}

/// Two words an entry: the data, and the hash with the data mixed in, so that a torn write is noticed.
pub(super) struct Table {
    entries: Vec<[AtomicU64; 2]>,
    generation: u64,
}

const GENERATION_SHIFT: u32 = 48;
const WAYS: usize = 2;

impl Table {
    pub fn with_memory(bytes: usize) -> Table {
        let wanted = (bytes / 16).max(1024);
        let mut entries = Vec::new();
        entries.resize_with(1 << wanted.ilog2(), Default::default);
        Table { entries, generation: 0 }
    }

    pub fn bytes(&self) -> usize {
        self.entries.len() * 16
    }

    /// Older entries are replaced first from now on.
    pub fn new_search(&mut self) {
        self.generation = (self.generation + 1) & 255;
    }

    pub fn clear(&mut self) {
        self.entries.iter_mut().for_each(|entry| *entry = Default::default());
    }

    pub fn look_up(&self, hash: u64) -> Option<Known> {
        self.slots(hash).iter().find_map(|[key, data]| {
            let data = data.load(Ordering::Relaxed);
            (key.load(Ordering::Relaxed) ^ data == hash).then(|| Known::unpack(data)).flatten()
        })
    }

    pub fn store(&self, hash: u64, known: Known) {
        let slots = self.slots(hash);
        let read = |slot: &[AtomicU64; 2]| (slot[0].load(Ordering::Relaxed), slot[1].load(Ordering::Relaxed));
        let worth = |slot: &[AtomicU64; 2]| {
            let (key, data) = read(slot);
            let depth = i64::from((data >> 32) as i8);
            let stale = data >> GENERATION_SHIFT != self.generation;
            if key ^ data == hash { i64::MIN } else { depth - if stale { 64 } else { 0 } }
        };
        let slot = slots.iter().min_by_key(|slot| worth(slot)).expect("a bucket has slots");
        let data = known.pack() | self.generation << GENERATION_SHIFT;
        slot[0].store(hash ^ data, Ordering::Relaxed);
        slot[1].store(data, Ordering::Relaxed);
    }

    fn slots(&self, hash: u64) -> &[[AtomicU64; 2]] {
        let start = hash as usize & (self.entries.len() - 1) & !(WAYS - 1);
        &self.entries[start..start + WAYS]
    }
}
