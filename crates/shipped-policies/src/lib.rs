//! The trained nets that predict moves as data: the files that `fivestone-nets` reads, and their
//! cards.
//!
//! The crate has no code and no dependencies. `fivestone-engine` takes it in with its feature
//! `embedded-nets`, for the engines of the swap2 paper.
//!
//! ```
//! assert!(fivestone_shipped_policies::CARDS.contains("file = \"nets/muzika.fspolicy\""));
//! assert!(fivestone_shipped_policies::MUZIKA.len() < fivestone_shipped_policies::LINES.len());
//! ```
#![forbid(unsafe_code)]

/// The small net of the swap2 paper.
pub static MUZIKA: &[u8] = include_bytes!("../nets/muzika.fspolicy");

/// The larger net over line codes, Fivestone's own.
pub static LINES: &[u8] = include_bytes!("../nets/lines.fspolicy");

/// The cards of the nets, in TOML: content hash, architecture, data, measured strength.
pub static CARDS: &str = include_str!("../cards.toml");
