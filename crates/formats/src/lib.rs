//! Bytes to game types and back, with no input or output of its own.
//!
//! Game records come in through [`reader::Reader`], which recognises the format by its content and
//! returns one game after the other, each checked; they go out through the `write` function of a
//! format. What has branches is a [`tree::Tree`], what has none a [`record::Record`].
//!
//! Games of any format, here plain moves:
//!
//! ```
//! use fivestone_formats::reader::{Options, Reader};
//!
//! let file = b"# rule standard\nblack h8 h9 i9 g7\nh8h7h9\n";
//! let mut stones = Vec::new();
//! for entry in Reader::new(&file[..], Options::default()) {
//!     stones.push(entry?.game.into_record().stones());
//! }
//! assert_eq!(stones, [4, 3]);
//! # Ok::<(), fivestone_formats::problem::Problem>(())
//! ```
//!
//! A game in the format of Piskvork:
//!
//! ```
//! use fivestone_formats::psq;
//! use fivestone_formats::record::{Header, Record};
//! use fivestone_game::{Rule, Size};
//!
//! let mut record = Record::new(Header::new(Some(Rule::Freestyle), Size::STANDARD));
//! record.moves.push(Some(Size::STANDARD.centre()));
//! let mut file = Vec::new();
//! assert!(psq::write(&record, &mut file), "the game has no passes");
//! assert!(file.starts_with(b"Piskvorky 15x15"));
//! ```
//!
//! The Gomocup protocol, however the bytes come in:
//!
//! ```
//! use fivestone_formats::gomocup::{Command, Parser};
//!
//! let mut parser = Parser::new();
//! assert!(parser.read(b"START 1").is_empty());
//! assert_eq!(parser.read(b"5\r\nBEGIN\r\n"), [Ok(Command::Start(15)), Ok(Command::Begin)]);
//! ```
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
