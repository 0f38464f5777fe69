//! Smart Game Format, `GM[4]` and the dialects people use for Gomoku: variations, comments, marks.

mod parse;
mod read;
mod write;

pub use read::read;
pub(crate) use read::{LARGEST, Tail, find_end, find_start};
pub use write::write;
