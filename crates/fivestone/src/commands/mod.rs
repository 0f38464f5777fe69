//! One module per subcommand.

pub mod analyze;
pub mod completions;
pub mod engines;
