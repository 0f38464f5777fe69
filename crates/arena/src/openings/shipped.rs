//! The sets of balanced openings that come with the project.

use fivestone_game::{Rule, Size};

#[allow(clippy::match_same_arms)] // two sets may be alike only by accident
/// The shipped set of a rule and size, in the format of offsets.
pub fn shipped(rule: Rule, size: Size) -> Option<&'static str> {
    match (rule, size.side()) {
        (Rule::Freestyle, 15) => Some(include_str!("../../openings/freestyle-15.txt")),
        (Rule::Freestyle, 20) => Some(include_str!("../../openings/freestyle-20.txt")),
        (Rule::Standard, 15) => Some(include_str!("../../openings/standard-15.txt")),
        (Rule::Standard, 20) => Some(include_str!("../../openings/standard-20.txt")),
        (Rule::Renju, 15) => Some(include_str!("../../openings/renju-15.txt")),
        (Rule::Renju, 20) => Some(include_str!("../../openings/renju-20.txt")),
        _ => None,
    }
}
