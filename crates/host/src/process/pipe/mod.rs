//! A child's output, read without ever waiting longer than wanted.

#[cfg(unix)]
mod polled;
#[cfg(any(windows, test))]
mod threaded;

#[cfg(unix)]
pub use polled::Pipe;
#[cfg(windows)]
pub use threaded::Pipe;

/// The most that is read at once.
pub const CHUNK: usize = 16 << 10;
