//! Moves of positions that the proof search comes back to.

use fivestone_game::Point;

/// A direct-mapped cache: a later list replaces an earlier one in its slot.
pub(super) struct MoveLists {
    slots: Vec<Option<List>>,
}

struct List {
    key: u64,
    level: u8,
    moves: Box<[Point]>,
}

/// Bytes of a slot with its moves on average.
const BYTES: usize = 128;

impl MoveLists {
    pub fn with_memory(bytes: usize) -> MoveLists {
        let slots = 1usize << (bytes / BYTES).max(16).ilog2();
        MoveLists { slots: (0..slots).map(|_| None).collect() }
    }

    pub fn get(&self, key: u64, level: u8) -> Option<&[Point]> {
        let list = self.slots[self.slot(key)].as_ref();
        list.filter(|list| list.key == key && list.level == level).map(|list| &*list.moves)
    }

    pub fn insert(&mut self, key: u64, level: u8, moves: &[Point]) {
        let slot = self.slot(key);
        self.slots[slot] = Some(List { key, level, moves: moves.into() });
    }

    fn slot(&self, key: u64) -> usize {
        key as usize & (self.slots.len() - 1)
    }
}
