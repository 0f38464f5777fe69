//! The move predictors inside the program.

use super::net::PolicyNet;
use std::sync::{Arc, OnceLock};

/// A net that is part of the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShippedPolicy {
    /// The small net of the swap2 paper.
    Muzika,
    /// Our own net over line codes.
    Lines,
}

static MUZIKA: OnceLock<Arc<PolicyNet>> = OnceLock::new();
static LINES: OnceLock<Arc<PolicyNet>> = OnceLock::new();

impl ShippedPolicy {
    /// The net.
    pub fn net(self) -> Arc<PolicyNet> {
        let (cell, bytes): (&OnceLock<Arc<PolicyNet>>, &[u8]) = match self {
            ShippedPolicy::Muzika => (&MUZIKA, include_bytes!("../../nets/muzika.fspolicy")),
            ShippedPolicy::Lines => (&LINES, include_bytes!("../../nets/lines.fspolicy")),
        };
        let load = || Arc::new(PolicyNet::from_bytes(bytes).expect("the shipped nets are whole"));
        Arc::clone(cell.get_or_init(load))
    }
}
