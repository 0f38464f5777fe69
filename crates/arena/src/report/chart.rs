//! A chart of rating and log-likelihood ratio over games, as SVG.

use crate::standings::{Milestone, Standings};
use fivestone_artifacts::panel::{GAP, Panel, TOP, header};
use std::fmt::Write;

/// The height of a panel.
const PANEL: f64 = 260.0;

/// The chart of a match: Elo with its 95 % band, below it the test if there is one.
pub fn chart_svg(standings: &Standings) -> String {
    let history = standings.history();
    let panels = if standings.sprt().is_some() { 2.0 } else { 1.0 };
    let height = TOP + panels * (PANEL + GAP);
    let names = standings.names();
    let others = if names.len() == 2 { names[1].clone() } else { format!("{} others", names.len() - 1) };
    let title = format!("{} vs {others}: {} games", names[0], standings.games());
    let mut svg = header(height, &title);
    let last = history.last().map_or(1.0, |milestone| milestone.games as f64).max(1.0);
    // The first games say nothing and would squeeze the rest flat.
    let settled: Vec<&Milestone> = history.iter().filter(|m| m.games as f64 >= last / 20.0).collect();
    let low = settled.iter().map(|m| m.elo - m.error).fold(0.0, f64::min);
    let high = settled.iter().map(|m| m.elo + m.error).fold(0.0, f64::max);
    let elo = Panel::new((TOP, PANEL), "games", last, (low, high));
    elo.frame(&mut svg, "Elo with 95 % interval");
    let mut band = String::new();
    for m in &settled {
        let _ = write!(band, "{:.1},{:.1} ", elo.x(m.games as f64), elo.y(m.elo + m.error));
    }
    for m in settled.iter().rev() {
        let _ = write!(band, "{:.1},{:.1} ", elo.x(m.games as f64), elo.y(m.elo - m.error));
    }
    let _ = writeln!(svg, "<polygon points=\"{}\" fill=\"#4a7fb5\" fill-opacity=\"0.25\"/>", band.trim_end());
    elo.curve(&mut svg, settled.iter().map(|m| (m.games as f64, m.elo)), "#1f4e79");
    if let Some(sprt) = standings.sprt() {
        let (lower, upper) = sprt.bounds();
        let values = history.iter().filter_map(|m| m.llr);
        let low = values.clone().fold(lower, f64::min);
        let high = values.fold(upper, f64::max);
        let llr = Panel::new((TOP + PANEL + GAP, PANEL), "games", last, (low * 1.1, high * 1.1));
        let bounds = format!("log-likelihood ratio of [{}, {}]", sprt.elo0, sprt.elo1);
        llr.frame(&mut svg, &bounds);
        for (bound, colour) in [(lower, "#b03030"), (upper, "#2e7d32")] {
            llr.line(&mut svg, bound, colour);
        }
        llr.curve(&mut svg, history.iter().filter_map(|m| Some((m.games as f64, m.llr?))), "#1f4e79");
    }
    svg.push_str("</svg>\n");
    svg
}
