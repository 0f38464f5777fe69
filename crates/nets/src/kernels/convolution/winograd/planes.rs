//! Lists of numbers for the cells of transformed tiles.

/// Outputs along a side of a tile.
pub(super) const OUT: usize = 4;
/// Inputs along a side of a tile: the outputs and one cell around them.
pub(super) const IN: usize = OUT + 2;
/// Numbers left free after each list: without them the lists would lie powers of two apart, and all compete for the
/// same places in the cache.
const GAP: usize = 16;
/// Channels that are transformed together.
pub(super) const LANES: usize = 8;

pub(super) type Lanes = [f32; LANES];

/// A list of numbers for every cell of a transformed tile, all of the same length.
#[derive(Clone, Default, Debug)]
pub(super) struct Planes {
    numbers: Vec<f32>,
    length: usize,
}

impl Planes {
    /// Lists of zeros.
    pub fn zeros(length: usize) -> Planes {
        Planes { numbers: vec![0.0; IN * IN * (length + GAP)], length }
    }

    /// Makes the lists so long; what is in them afterwards has no meaning.
    pub fn make_room(&mut self, length: usize) {
        self.length = length;
        self.numbers.resize(IN * IN * (length + GAP), 0.0);
    }

    /// The length of a list.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Makes all numbers zero.
    pub fn clear(&mut self) {
        self.numbers.fill(0.0);
    }

    /// The lists, row by row.
    pub fn iter(&self) -> impl Iterator<Item = &[f32]> {
        self.numbers.chunks_exact(self.length + GAP).map(|list| &list[..self.length])
    }

    /// The lists, row by row, to be changed.
    pub fn iter_mut(&mut self) -> impl Iterator<Item = &mut [f32]> {
        self.numbers.chunks_exact_mut(self.length + GAP).map(|list| &mut list[..self.length])
    }

    /// The lanes of a cell's list from a place on.
    #[inline(always)]
    pub fn lanes(&self, y: usize, x: usize, at: usize) -> Lanes {
        lanes(&self.numbers, (IN * y + x) * (self.length + GAP) + at)
    }

    /// Sets the lanes of a cell's list from a place on.
    #[inline(always)]
    pub fn set_lanes(&mut self, y: usize, x: usize, at: usize, lanes: &Lanes) {
        let at = (IN * y + x) * (self.length + GAP) + at;
        self.numbers[at..at + LANES].copy_from_slice(lanes);
    }
}

/// The lanes from a place on.
#[inline(always)]
pub(super) fn lanes(numbers: &[f32], at: usize) -> Lanes {
    *numbers[at..].first_chunk().expect("channels come in eights")
}
