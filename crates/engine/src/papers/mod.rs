//! The engines of the papers, one module each.

pub mod muzika;
