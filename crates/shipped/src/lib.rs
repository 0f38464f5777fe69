//! The flagship's trained nets as data: the files that `fivestone-nets` reads, and their cards.
//!
//! The crate has no code and no dependencies. `fivestone-engine` takes it in with its feature
//! `embedded-nets`, and then plays with the net of the rule unless it is given another.
//!
//! ```
//! // Every file begins with its kind.
//! assert!(fivestone_shipped::FREESTYLE.starts_with(b"FIVENET"));
//! // The cards are TOML: where a net came from, how to make it again, how strong it is.
//! assert!(fivestone_shipped::CARDS.contains("file = \"nets/freestyle.fsnet\""));
//! ```
#![forbid(unsafe_code)]

/// The net for freestyle.
pub static FREESTYLE: &[u8] = include_bytes!("../nets/freestyle.fsnet");

/// The net for standard.
pub static STANDARD: &[u8] = include_bytes!("../nets/standard.fsnet");

/// The net for renju.
pub static RENJU: &[u8] = include_bytes!("../nets/renju.fsnet");

/// The cards of the nets, in TOML: content hash, architecture, data, parent, measured strength.
pub static CARDS: &str = include_str!("../cards.toml");
