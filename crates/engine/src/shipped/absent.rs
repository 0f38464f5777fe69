//! No files: the program was built without the feature `embedded-nets`.

use super::ShippedPolicy;
use fivestone_game::Rule;

/// Whether the program has the shipped nets inside.
pub const EMBEDDED: bool = false;

pub fn net(_: Rule) -> Option<&'static [u8]> {
    None
}

pub fn policy(_: ShippedPolicy) -> Option<&'static [u8]> {
    None
}
