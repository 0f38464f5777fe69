//! What programs read, declared once: reports and tables as data for serde, with points by name.

mod explanation;
mod report;

pub use explanation::{Explained, explained};
pub use report::{LineView, ReportView, ResultView};

use fivestone_game::{Color, Point, Size};

/// `black` or `white`.
pub const fn color_word(color: Color) -> &'static str {
    match color {
        Color::Black => "black",
        Color::White => "white",
    }
}

/// The names of points.
pub fn names(points: impl IntoIterator<Item = Point>, size: Size) -> Vec<String> {
    points.into_iter().map(|point| point.name(size)).collect()
}

/// Four decimals are enough to look at.
pub fn round(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
