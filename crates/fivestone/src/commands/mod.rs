//! One module per subcommand.

pub mod analyze;
pub mod bench;
pub mod completions;
pub mod engines;
pub mod explain;
pub mod fit;
pub mod ladder;
pub mod learn;
pub mod matches;
pub mod openings;
pub mod papers;
pub mod play;
pub mod records;
pub mod samples;
pub mod selfplay;
pub mod serve;
pub mod solve;
pub mod train;
pub mod train_adp;
pub mod train_policy;
pub mod tune;
pub mod verify;
