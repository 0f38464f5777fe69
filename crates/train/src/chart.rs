//! Curves of a run as a picture.

use std::fmt::Write;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 260.0;
const LEFT: f64 = 60.0;
const TOP: f64 = 30.0;

/// A curve: its name and its points.
pub struct Curve<'a> {
    /// Its name.
    pub name: &'a str,
    /// Its points.
    pub points: Vec<(f64, f64)>,
}

/// An SVG picture of curves one below the other, each with its own scale.
pub fn draw(curves: &[Curve]) -> String {
    let height = curves.len() as f64 * (HEIGHT + 2.0 * TOP);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{w}\" height=\"{height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"{w}\" height=\"{height}\" fill=\"white\"/>\n",
        w = WIDTH + LEFT + 20.0
    );
    for (number, curve) in curves.iter().enumerate() {
        draw_curve(&mut svg, curve, number as f64 * (HEIGHT + 2.0 * TOP) + TOP);
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw_curve(svg: &mut String, curve: &Curve, top: f64) {
    let range = |pick: fn(&(f64, f64)) -> f64| {
        let numbers = curve.points.iter().map(pick);
        let low = numbers.clone().fold(f64::INFINITY, f64::min);
        let high = numbers.fold(f64::NEG_INFINITY, f64::max);
        if high > low { (low, high) } else { (low - 0.5, low + 0.5) }
    };
    let ((x0, x1), (y0, y1)) = (range(|p| p.0), range(|p| p.1));
    let place =
        |&(x, y): &(f64, f64)| (LEFT + (x - x0) / (x1 - x0) * WIDTH, top + (y1 - y) / (y1 - y0) * HEIGHT);
    let path: String = curve
        .points
        .iter()
        .map(|point| {
            let (x, y) = place(point);
            format!("{x:.1},{y:.1} ")
        })
        .collect();
    let _ = write!(
        svg,
        "<text x=\"{LEFT}\" y=\"{:.1}\">{}</text>\n\
         <rect x=\"{LEFT}\" y=\"{top:.1}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"none\" stroke=\"#bbb\"/>\n\
         <text x=\"4\" y=\"{:.1}\">{y1:.3}</text>\n<text x=\"4\" y=\"{:.1}\">{y0:.3}</text>\n\
         <text x=\"{LEFT}\" y=\"{:.1}\">{x0}</text>\n\
         <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{x1}</text>\n\
         <polyline points=\"{path}\" fill=\"none\" stroke=\"#205090\" stroke-width=\"1.5\"/>\n",
        top - 6.0,
        curve.name,
        top + 10.0,
        top + HEIGHT,
        top + HEIGHT + 14.0,
        LEFT + WIDTH,
        top + HEIGHT + 14.0,
    );
}
