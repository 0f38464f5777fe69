//! Random keys for hashing positions.

use crate::point::GRID;
use crate::{Color, Point};

/// Added to a position's hash when White is to move.
pub(crate) const WHITE_TO_MOVE: u64 = 0x9e37_79b9_7f4a_7c15;

static KEYS: [[u64; GRID]; 2] = keys();

/// The key of a stone.
pub(crate) fn stone(color: Color, point: Point) -> u64 {
    KEYS[color.index()][point.index()]
}

/// `SplitMix64`, fixed for ever: hashes are written into files.
const fn keys() -> [[u64; GRID]; 2] {
    let mut table = [[0; GRID]; 2];
    let mut state: u64 = 0x5f15_e570_4e00_0001;
    let mut i = 0;
    while i < 2 * GRID {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ z >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ z >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        table[i / GRID][i % GRID] = z ^ z >> 31;
        i += 1;
    }
    table
}
