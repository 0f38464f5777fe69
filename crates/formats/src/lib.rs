//! Bytes to game types and back, with no input or output of its own.
//!
//! Game records come in through [`reader::Reader`], which recognises the format by its content and answers one game
//! after the other, each checked; they go out through the `write` function of a format. What has branches is a
//! [`tree::Tree`], what has none a [`record::Record`].
#![forbid(unsafe_code)]

mod charset;
pub mod detect;
pub mod fingerprint;
pub mod gomocup;
pub mod index;
mod line;
mod moves;
pub mod openings;
mod playok;
pub mod pos;
pub mod positions;
pub mod problem;
pub mod proof;
pub mod psq;
pub mod reader;
pub mod record;
pub mod renlib;
pub mod replay;
mod rif;
pub mod sav;
pub mod sgf;
mod source;
pub mod tables;
pub mod text;
pub mod tree;
mod xml;
