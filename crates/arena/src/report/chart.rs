//! A chart of rating and log-likelihood ratio over games, as SVG.

use crate::standings::{Milestone, Standings};
use std::fmt::Write;

const WIDTH: f64 = 860.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 20.0;
const PANEL: f64 = 260.0;
const TOP: f64 = 44.0;
const GAP: f64 = 56.0;

/// The chart of a match: Elo with its 95 % band, below it the test if there is one.
pub fn chart_svg(standings: &Standings) -> String {
    let history = standings.history();
    let panels = if standings.sprt().is_some() { 2.0 } else { 1.0 };
    let height = TOP + panels * (PANEL + GAP);
    let names = standings.names();
    let others = if names.len() == 2 { names[1].clone() } else { format!("{} others", names.len() - 1) };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"24\" font-size=\"16\">{} vs {}: {} games</text>\n",
        escaped(&names[0]),
        escaped(&others),
        standings.games()
    );
    let last = history.last().map_or(1.0, |milestone| milestone.games as f64).max(1.0);
    // The first games say nothing and would squeeze the rest flat.
    let settled: Vec<&Milestone> = history.iter().filter(|m| m.games as f64 >= last / 20.0).collect();
    let low = settled.iter().map(|m| m.elo - m.error).fold(0.0, f64::min);
    let high = settled.iter().map(|m| m.elo + m.error).fold(0.0, f64::max);
    let elo = Panel::new(TOP, last, low, high);
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
        let llr = Panel::new(TOP + PANEL + GAP, last, low * 1.1, high * 1.1);
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

/// A rectangle with axes.
struct Panel {
    top: f64,
    games: f64,
    low: f64,
    high: f64,
}

impl Panel {
    fn new(top: f64, games: f64, low: f64, high: f64) -> Panel {
        let spread = (high - low).max(1e-6);
        Panel { top, games, low: low - spread * 0.05, high: high + spread * 0.05 }
    }

    fn x(&self, games: f64) -> f64 {
        LEFT + games / self.games * (WIDTH - LEFT - RIGHT)
    }

    fn y(&self, value: f64) -> f64 {
        self.top + (self.high - value) / (self.high - self.low) * PANEL
    }

    fn frame(&self, svg: &mut String, title: &str) {
        let (width, bottom) = (WIDTH - LEFT - RIGHT, self.top + PANEL);
        let _ = writeln!(
            svg,
            "<rect x=\"{LEFT}\" y=\"{}\" width=\"{width}\" height=\"{PANEL}\" fill=\"none\" stroke=\"#888\"/>\n\
             <text x=\"{}\" y=\"{}\" fill=\"#444\">{title}</text>",
            self.top,
            LEFT + 8.0,
            self.top + 16.0
        );
        for tick in ticks(self.low, self.high) {
            let y = self.y(tick);
            let grey = if tick == 0.0 { "#666" } else { "#ddd" };
            let _ = writeln!(
                svg,
                "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"{grey}\"/>\n\
                 <text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{tick}</text>",
                WIDTH - RIGHT,
                LEFT - 6.0,
                y + 4.0
            );
        }
        for tick in ticks(0.0, self.games).into_iter().filter(|tick| tick.fract() == 0.0) {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{tick}</text>",
                self.x(tick),
                bottom + 16.0
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#444\">games</text>",
            WIDTH - RIGHT,
            bottom + 30.0
        );
    }

    fn line(&self, svg: &mut String, value: f64, colour: &str) {
        let y = self.y(value);
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"{colour}\" stroke-dasharray=\"6 4\"/>",
            WIDTH - RIGHT
        );
    }

    fn curve(&self, svg: &mut String, points: impl Iterator<Item = (f64, f64)>, colour: &str) {
        let mut path = String::new();
        for (games, value) in points {
            let _ = write!(path, "{:.1},{:.1} ", self.x(games), self.y(value));
        }
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>",
            path.trim_end()
        );
    }
}

/// Round numbers between two values, some five of them.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let rough = (high - low).max(1e-9) / 5.0;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|m| m * power).into_iter().find(|&s| s >= rough).unwrap_or(power);
    let first = (low / step).ceil() as i64;
    let last = (high / step).floor() as i64;
    let round = |value: f64| (value / power * 10.0).round() * power / 10.0;
    (first..=last).map(|k| round(k as f64 * step) + 0.0).collect()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
