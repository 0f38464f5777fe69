//! The nets inside the program.

use crate::Net;
use fivestone_game::Rule;
use std::sync::{Arc, OnceLock};

/// A net's bytes, and the net once it was asked for.
struct Embedded {
    bytes: &'static [u8],
    net: OnceLock<Arc<Net>>,
}

impl Embedded {
    const fn new(bytes: &'static [u8]) -> Embedded {
        Embedded { bytes, net: OnceLock::new() }
    }
}

static FREESTYLE: Embedded = Embedded::new(include_bytes!("../nets/freestyle.fsnet"));
static STANDARD: Embedded = Embedded::new(include_bytes!("../nets/standard.fsnet"));
static RENJU: Embedded = Embedded::new(include_bytes!("../nets/renju.fsnet"));

impl Net {
    /// The shipped net for a rule, if there is one.
    pub fn embedded(rule: Rule) -> Option<Arc<Net>> {
        let embedded = match rule {
            Rule::Freestyle => &FREESTYLE,
            Rule::Standard => &STANDARD,
            Rule::Renju => &RENJU,
            Rule::Caro | Rule::CaroOverline => return None,
        };
        let load = || Arc::new(Net::from_bytes(embedded.bytes).expect("the shipped nets are whole"));
        Some(Arc::clone(embedded.net.get_or_init(load)))
    }
}
