//! `RenLib`'s `.lib`: a tree on 15x15 as two-byte nodes in preorder, with comments and texts in old code pages.

mod read;
mod write;

pub(crate) use read::read_stream;
pub(crate) use read::{Found, Walker};
pub use read::{Library, read};
pub use write::{CannotWrite, write};

/// How every library starts; the version follows.
pub(crate) const MAGIC: &[u8] = b"\xffRenLib\xff";
const HEADER: usize = 20;

/// Another node at the same ply follows after all nodes below this one.
const SIBLING: u8 = 0x80;
/// No node below this one.
const LEAF: u8 = 0x40;
const OLD_COMMENT: u8 = 0x20;
const MARK: u8 = 0x10;
const COMMENT: u8 = 0x08;
const START: u8 = 0x04;
const NO_MOVE: u8 = 0x02;
const EXTENSION: u8 = 0x01;
/// In the second byte of the extension: a text for the board follows.
const BOARD_TEXT: u8 = 0x01;
