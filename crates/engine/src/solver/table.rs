//! Positions that are known to hold no win.

/// A direct-mapped set of position hashes: a later hash replaces an earlier one in its slot.
#[derive(Clone, Debug)]
pub(super) struct HashSlots {
    slots: Vec<u64>,
}

impl HashSlots {
    /// As many slots as fit into the memory, rounded down to a power of two.
    pub fn with_memory(bytes: usize) -> HashSlots {
        let wanted = (bytes / size_of::<u64>()).max(256);
        HashSlots { slots: vec![0; 1 << wanted.ilog2()] }
    }

    #[inline]
    pub fn contains(&self, hash: u64) -> bool {
        self.slots[self.slot(hash)] == hash
    }

    #[inline]
    pub fn insert(&mut self, hash: u64) {
        let slot = self.slot(hash);
        self.slots[slot] = hash;
    }

    pub fn clear(&mut self) {
        self.slots.fill(0);
    }

    #[inline]
    fn slot(&self, hash: u64) -> usize {
        hash as usize & (self.slots.len() - 1)
    }
}
