//! The engines of the papers, one module each.

pub mod garcia;
pub mod lin_cao;
pub mod muzika;
mod shapes;
pub mod wang_shen;
