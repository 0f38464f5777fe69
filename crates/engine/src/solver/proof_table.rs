//! What the proof search knows of positions, shared by its threads.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU64, Ordering::Relaxed};

/// No amount of work reaches what is wanted.
pub(super) const NEVER: u32 = 1 << 30;

/// How much is left to do in a position, for the side to move there and for the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Effort {
    pub own: u32,
    pub other: u32,
}

impl Effort {
    pub const ACHIEVED: Effort = Effort { own: 0, other: NEVER };
    pub const LOST: Effort = Effort { own: NEVER, other: 0 };

    pub fn decided(self) -> bool {
        self.own == 0 || self.other == 0
    }
}

/// What is stored of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Known {
    pub effort: Effort,
    /// How far its moves were examined; what that means depends on the side to move.
    pub level: u8,
}

/// A position: its key mixed with the two words that follow, so that a torn entry is not believed;
/// both efforts; the nodes spent below it with the level in the highest byte.
type Entry = [AtomicU64; 3];

const BUCKET: usize = 4;
/// Buckets that are made together when the first of them is needed, so that a large table costs
/// nothing until it is used.
const CHUNK: usize = 1 << 8;
const WORK: u64 = (1 << 56) - 1;
/// Places in which threads say where they are at work.
const SIGNS: usize = 1 << 12;

/// A table of fixed size in which the cheapest entry of a bucket is replaced first.
pub(super) struct ProofTable {
    chunks: Vec<OnceLock<Box<[[Entry; BUCKET]]>>>,
    busy: Box<[AtomicU8]>,
    /// Whether a thread has the answer, so that the others need not go on.
    answered: AtomicBool,
}

impl ProofTable {
    pub fn with_memory(bytes: usize) -> ProofTable {
        let buckets = bytes / size_of::<Entry>() / BUCKET;
        let chunks = 1 << (buckets / CHUNK).max(1).ilog2();
        ProofTable {
            chunks: (0..chunks).map(|_| OnceLock::new()).collect(),
            busy: (0..SIGNS).map(|_| AtomicU8::new(0)).collect(),
            answered: AtomicBool::new(false),
        }
    }

    pub fn set_answered(&self, answered: bool) {
        self.answered.store(answered, Relaxed);
    }

    pub fn answered(&self) -> bool {
        self.answered.load(Relaxed)
    }

    pub fn get(&self, key: u64) -> Option<Known> {
        let chunk = self.chunks[self.chunk_of(key)].get()?;
        chunk[bucket_of(key)].iter().find_map(|entry| read(entry, key)).map(|(known, _)| known)
    }

    pub fn store(&self, key: u64, known: Known, work: u64) {
        let make = || (0..CHUNK).map(|_| Default::default()).collect();
        let bucket = &self.chunks[self.chunk_of(key)].get_or_init(make)[bucket_of(key)];
        let place = bucket.iter().enumerate().find_map(|(slot, entry)| {
            let (before, work) = read(entry, key)?;
            Some((slot, before, work))
        });
        let (slot, work) = match place {
            // Another thread may have decided it meanwhile.
            Some((_, before, _)) if before.effort.decided() && !known.effort.decided() => return,
            Some((slot, _, before)) => (slot, before.saturating_add(work.max(1)).min(WORK)),
            None => {
                let cost = |&slot: &usize| bucket[slot][2].load(Relaxed) & WORK;
                ((0..BUCKET).min_by_key(cost).unwrap_or(0), work.clamp(1, WORK))
            }
        };
        let efforts = u64::from(known.effort.own) | u64::from(known.effort.other) << 32;
        let rest = work | u64::from(known.level) << 56;
        let [check, first, second] = &bucket[slot];
        check.store(key ^ efforts ^ rest, Relaxed);
        first.store(efforts, Relaxed);
        second.store(rest, Relaxed);
    }

    /// Says that a thread works below a position.
    pub fn enter(&self, key: u64) {
        self.busy[sign_of(key)].fetch_add(1, Relaxed);
    }

    /// Takes that back.
    pub fn leave(&self, key: u64) {
        self.busy[sign_of(key)].fetch_sub(1, Relaxed);
    }

    /// How many threads work below a position.
    pub fn workers(&self, key: u64) -> u8 {
        self.busy[sign_of(key)].load(Relaxed)
    }

    fn chunk_of(&self, key: u64) -> usize {
        (key >> 8) as usize & (self.chunks.len() - 1)
    }
}

fn bucket_of(key: u64) -> usize {
    key as usize & (CHUNK - 1)
}

fn sign_of(key: u64) -> usize {
    (key >> 40) as usize & (SIGNS - 1)
}

fn read(entry: &Entry, key: u64) -> Option<(Known, u64)> {
    let [check, first, second] = entry;
    let (efforts, rest) = (first.load(Relaxed), second.load(Relaxed));
    // An entry never written has no work in it.
    (rest != 0 && check.load(Relaxed) ^ efforts ^ rest == key).then(|| {
        let effort = Effort { own: efforts as u32, other: (efforts >> 32) as u32 };
        (Known { effort, level: (rest >> 56) as u8 }, rest & WORK)
    })
}
