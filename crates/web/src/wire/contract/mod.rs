//! What others are told about the wire, made from its types.

pub mod shapes;
