//! What charts are made of: panels with axes, as SVG.

use std::fmt::Write;

const WIDTH: f64 = 860.0;
const LEFT: f64 = 64.0;
const RIGHT: f64 = 20.0;
/// Where the first panel begins.
pub const TOP: f64 = 44.0;
/// What a panel needs below it.
pub const GAP: f64 = 56.0;

/// The beginning of a picture of a height, with a title.
pub fn header(height: f64, title: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"24\" font-size=\"16\">{}</text>\n",
        escaped(title)
    )
}

/// A rectangle with axes.
pub struct Panel {
    top: f64,
    height: f64,
    /// What the horizontal axis counts, and how many of it there are.
    unit: &'static str,
    last: f64,
    low: f64,
    high: f64,
}

impl Panel {
    /// A panel at a top with a height, over `last` of a unit, for values of a range.
    pub fn new((top, height): (f64, f64), unit: &'static str, last: f64, range: (f64, f64)) -> Panel {
        let (low, high) = range;
        let spread = (high - low).max(1e-6);
        Panel { top, height, unit, last, low: low - spread * 0.05, high: high + spread * 0.05 }
    }

    /// Where a count is.
    pub fn x(&self, count: f64) -> f64 {
        LEFT + count / self.last * (WIDTH - LEFT - RIGHT)
    }

    /// Where a value is.
    pub fn y(&self, value: f64) -> f64 {
        self.top + (self.high - value) / (self.high - self.low) * self.height
    }

    /// Draws the frame with its axes and a title.
    pub fn frame(&self, svg: &mut String, title: &str) {
        let (width, height) = (WIDTH - LEFT - RIGHT, self.height);
        let bottom = self.top + height;
        let _ = writeln!(
            svg,
            "<rect x=\"{LEFT}\" y=\"{}\" width=\"{width}\" height=\"{height}\" fill=\"none\" stroke=\"#888\"/>\n\
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
        for tick in ticks(0.0, self.last) {
            if self.last >= 1.0 && tick.fract() != 0.0 {
                continue;
            }
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{tick}</text>",
                self.x(tick),
                bottom + 16.0
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#444\">{}</text>",
            WIDTH - RIGHT,
            bottom + 30.0,
            self.unit
        );
    }

    /// Draws a level line.
    pub fn line(&self, svg: &mut String, value: f64, colour: &str) {
        let y = self.y(value);
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"{colour}\" stroke-dasharray=\"6 4\"/>",
            WIDTH - RIGHT
        );
    }

    /// Draws a curve of (count, value).
    pub fn curve(&self, svg: &mut String, points: impl Iterator<Item = (f64, f64)>, colour: &str) {
        let mut path = String::new();
        for (count, value) in points {
            let _ = write!(path, "{:.1},{:.1} ", self.x(count), self.y(value));
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
