//! What the schemas of the wire need beside its own types.

pub mod shapes;
