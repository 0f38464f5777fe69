//! The files inside the program.

use super::ShippedPolicy;
use fivestone_game::Rule;

/// Whether the program has the shipped nets inside.
pub const EMBEDDED: bool = true;

pub fn net(rule: Rule) -> Option<&'static [u8]> {
    match rule {
        Rule::Freestyle => Some(fivestone_shipped::FREESTYLE),
        Rule::Standard => Some(fivestone_shipped::STANDARD),
        Rule::Renju => Some(fivestone_shipped::RENJU),
        Rule::Caro | Rule::CaroOverline => None,
    }
}

// The twin without files has none to give.
#[allow(clippy::unnecessary_wraps)]
pub fn policy(which: ShippedPolicy) -> Option<&'static [u8]> {
    Some(match which {
        ShippedPolicy::Muzika => fivestone_shipped_policies::MUZIKA,
        ShippedPolicy::Lines => fivestone_shipped_policies::LINES,
    })
}
