//! Settings that must lie in a range.

use std::{error, fmt};

/// A setting that is out of its range.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct OutOfRange {
    /// The setting.
    pub name: &'static str,
    /// Its value.
    pub number: f64,
    /// The least it may be.
    pub low: f64,
    /// The most it may be.
    pub high: f64,
}

impl fmt::Display for OutOfRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let OutOfRange { name, number, low, high } = self;
        write!(f, "{name} = {number}: must be from {low} to {high}")
    }
}

impl error::Error for OutOfRange {}

/// Whether a setting lies in its range.
pub(crate) fn within(name: &'static str, number: f64, low: f64, high: f64) -> Result<(), OutOfRange> {
    let fits = (low..=high).contains(&number);
    fits.then_some(()).ok_or(OutOfRange { name, number, low, high })
}
