//! The Gomocup protocol as bytes and types.
