//! The nets inside the program.

use crate::Net;
use fivestone_game::Rule;
use std::sync::{Arc, OnceLock};

static FREESTYLE: OnceLock<Arc<Net>> = OnceLock::new();

impl Net {
    /// The shipped net for a rule, if there is one.
    pub fn embedded(rule: Rule) -> Option<Arc<Net>> {
        let (cell, bytes): (&OnceLock<Arc<Net>>, &[u8]) = match rule {
            Rule::Freestyle => (&FREESTYLE, include_bytes!("../nets/freestyle.fsnet")),
            _ => return None,
        };
        let load = || Arc::new(Net::from_bytes(bytes).expect("the shipped nets are whole"));
        Some(Arc::clone(cell.get_or_init(load)))
    }
}
