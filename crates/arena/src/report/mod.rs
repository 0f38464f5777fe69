//! What a match says at its end: text, JSON, a chart.

mod chart;
mod summary;
mod text;

pub use chart::chart_svg;
pub use summary::summary_json;
pub use text::{cross_table, fault_list, match_report, rating_table, report};
