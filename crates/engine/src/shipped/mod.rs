//! The shipped nets. They are inside programs built with the feature `embedded-nets`; the others
//! have none, and what plays with a net where there is one does without.

// Twins with the same functions: one names the files, the other has none.
#[cfg_attr(feature = "embedded-nets", path = "embedded.rs")]
#[cfg_attr(not(feature = "embedded-nets"), path = "absent.rs")]
mod files;

use fivestone_game::Rule;
use fivestone_nets::Net;
use fivestone_nets::policy::PolicyNet;
use std::sync::{Arc, OnceLock};

pub use files::EMBEDDED;

/// A net that predicts moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShippedPolicy {
    /// The small net of the swap2 paper.
    Muzika,
    /// Our own net over line codes.
    Lines,
}

/// The flagship's net for a rule, if there is one. It is read once.
pub fn net(rule: Rule) -> Option<Arc<Net>> {
    static NETS: [OnceLock<Arc<Net>>; Rule::ALL.len()] = [const { OnceLock::new() }; Rule::ALL.len()];
    let bytes = files::net(rule)?;
    let load = || Arc::new(Net::from_bytes(bytes).expect("the shipped nets are whole"));
    Some(Arc::clone(NETS[rule as usize].get_or_init(load)))
}

impl ShippedPolicy {
    /// The net, if the program has it. It is read once.
    pub fn net(self) -> Option<Arc<PolicyNet>> {
        static NETS: [OnceLock<Arc<PolicyNet>>; 2] = [const { OnceLock::new() }; 2];
        let bytes = files::policy(self)?;
        let load = || Arc::new(PolicyNet::from_bytes(bytes).expect("the shipped nets are whole"));
        Some(Arc::clone(NETS[self as usize].get_or_init(load)))
    }
}
