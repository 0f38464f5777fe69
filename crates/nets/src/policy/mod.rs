//! Nets that predict the next move from the position alone: the papers' convolutional nets and our own.
//!
//! As the data flows: `architecture` says which layers there are, `input` what they are shown, `frame` how a board lies
//! in memory, `evaluator` works the layers out, `following` only what changed since the last question, `file` keeps them.

mod architecture;
mod evaluator;
mod file;
mod following;
mod frame;
mod input;
mod net;

pub use architecture::{ArchitectureError, Input, Layer, PolicyArchitecture, Step, TensorShape, Top};
pub use evaluator::PolicyEvaluator;
pub use following::FollowingEvaluator;
pub use frame::Frame;
pub use input::{InputRows, PolicyInput, ROWS_OF_CELL};
pub use net::{PolicyNet, ShapeError};
