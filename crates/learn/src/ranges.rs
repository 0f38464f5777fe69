//! Settings that must lie in a range.

/// Whether a setting lies in its range; if not, a line that says so.
pub fn within(name: &'static str, number: f64, low: f64, high: f64) -> Result<(), String> {
    let fits = (low..=high).contains(&number);
    fits.then_some(()).ok_or_else(|| format!("{name} = {number}: must be from {low} to {high}"))
}
