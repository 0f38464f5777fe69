//! An index over the games of a collection that finds every game that reaches a position, turned or mirrored as may
//! be, with what was played next.
//!
//! Each game is stored as the least of its eight images, the games are sorted and each says how many plies it shares
//! with the one before it. A search goes through all of them in order: as soon as a stone stands where the wanted
//! position has none, all games that share the plies so far are passed over. A game costs a few nanoseconds that way,
//! about 30 bytes of space, and nothing has to be built but a sort.
//!
//! The file: eight bytes of magic with the version, a block that names the files the games came from, then blocks of
//! games. A block is its length and CRC-32 (four bytes each, little endian) and its content.

mod build;
mod search;

pub use build::Builder;
pub use search::{Answer, Continuation, Hit, IndexError, Position, read_origins, search};

/// How an index of this version starts.
const MAGIC: &[u8; 8] = b"5STNIDX1";
/// Larger blocks are never written.
const LARGEST_BLOCK: usize = 1 << 27;

/// A file that games came from, and what it was like then.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Origin {
    /// Its name.
    pub name: String,
    /// Its length in bytes.
    pub length: u64,
    /// When it was changed last, in the caller's unit.
    pub modified: u64,
}

/// Bytes of a cell on a board of this many cells.
const fn width(cells: usize) -> usize {
    if cells < 255 { 1 } else { 2 }
}

fn checksummed(content: &[u8], out: &mut Vec<u8>) {
    out.extend_from_slice(&(content.len() as u32).to_le_bytes());
    out.extend_from_slice(&crc32fast::hash(content).to_le_bytes());
    out.extend_from_slice(content);
}
