//! Bytes to game types and back, with no input or output of its own.
#![forbid(unsafe_code)]

pub mod gomocup;
