//! What a tuning says of itself: a table and a chart.

use super::Tuning;
use super::settings::four_digits;
use fivestone_arena::stats::Tally;
use fivestone_artifacts::panel::{GAP, Panel, TOP, header};
use std::fmt::Write;

/// The height of a parameter's panel.
const PANEL: f64 = 150.0;
/// The most points of a curve; more cannot be seen.
const POINTS: usize = 800;

/// The values of a tuning, with what to play them with.
pub fn tune_report(tuning: &Tuning) -> String {
    let (settings, finished) = (tuning.settings(), tuning.finished());
    let mut tally = Tally::default();
    for past in finished {
        past.scores.iter().for_each(|&score| tally.add_game(score));
    }
    let faults: u32 = finished.iter().map(|past| past.faults).sum();
    let mut text = format!(
        "{} under {} on {size}x{size}, {}: {} of {} iterations, {} games, {} drawn, {faults} faults\n",
        settings.engine,
        settings.rule,
        match (settings.visits, settings.time_ms) {
            (Some(visits), Some(time)) => format!("{visits} visits and {time} ms a move"),
            (Some(visits), None) => format!("{visits} visits a move"),
            (None, time) => format!("{} ms a move", time.unwrap_or(0)),
        },
        finished.len(),
        settings.iterations,
        tally.games(),
        tally.draws,
        size = settings.size,
    );
    let width = settings.parameters.iter().map(|p| p.name.len()).max().unwrap_or(0).max(9);
    let _ = writeln!(
        text,
        "{:<width$} {:>10} {:>10} {:>12}  {:<16} {:>8}",
        "parameter", "start", "end", "last quarter", "range", "step"
    );
    let (values, tuned) = (tuning.values(), tuning.tuned());
    for ((p, end), mean) in settings.parameters.iter().zip(values).zip(&tuned) {
        let range = format!("{}..{}", p.low, p.high);
        let end = four_digits(end);
        let step = four_digits(p.step);
        let _ =
            writeln!(text, "{:<width$} {:>10} {end:>10} {mean:>12}  {range:<16} {step:>8}", p.name, p.start);
    }
    let options: Vec<String> =
        settings.options(&tuned).iter().map(|(k, v)| format!("--set {k}={v}")).collect();
    let _ = writeln!(text, "tuned (the mean of the last quarter): {}", options.join(" "));
    text
}

/// Each parameter over the iterations; its start is dashed red, its tuned value dashed green.
pub fn tune_svg(tuning: &Tuning) -> String {
    let (settings, finished) = (tuning.settings(), tuning.finished());
    let height = TOP + settings.parameters.len() as f64 * (PANEL + GAP);
    let title = format!("{} under {}: {} iterations", settings.engine, settings.rule, finished.len());
    let mut svg = header(height, &title);
    let tuned = tuning.tuned();
    let every = finished.len().div_ceil(POINTS).max(1);
    for (index, parameter) in settings.parameters.iter().enumerate() {
        let last = finished.len().saturating_sub(1);
        let seen = finished.iter().enumerate().filter(|(at, _)| at % every == 0 || *at == last);
        let later = seen.map(|(at, past)| ((at + 1) as f64, past.values[index]));
        let points: Vec<(f64, f64)> = std::iter::once((0.0, parameter.start)).chain(later).collect();
        let values = points.iter().map(|point| point.1).chain([tuned[index]]);
        let low = values.clone().fold(f64::MAX, f64::min);
        let high = values.fold(f64::MIN, f64::max);
        let top = TOP + index as f64 * (PANEL + GAP);
        let count = (finished.len() as f64).max(1.0);
        let panel = Panel::new((top, PANEL), "iterations", count, (low, high));
        panel.frame(&mut svg, &parameter.name);
        panel.line(&mut svg, parameter.start, "#b03030");
        panel.line(&mut svg, tuned[index], "#2e7d32");
        panel.curve(&mut svg, points.into_iter(), "#1f4e79");
    }
    svg.push_str("</svg>\n");
    svg
}
