//! One module per subcommand.

pub mod analyze;
pub mod bench;
pub mod completions;
pub mod engines;
pub mod matches;
pub mod play;
