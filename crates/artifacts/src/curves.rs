//! Curves of a run as a picture.

use crate::panel::{GAP, Panel, TOP, header};

/// The height of a curve's panel.
const PANEL: f64 = 260.0;

/// A curve: a number that changes over a run.
pub struct Curve<'a> {
    /// Its name.
    pub name: &'a str,
    /// What the run is measured in.
    pub unit: &'static str,
    /// Where in the run, from 0, and the number there.
    pub points: Vec<(f64, f64)>,
}

/// An SVG picture of curves one below the other, each with its own scale.
pub fn draw_curves(title: &str, curves: &[Curve]) -> String {
    let mut svg = header(TOP + curves.len() as f64 * (PANEL + GAP), title);
    for (index, curve) in curves.iter().enumerate() {
        draw_curve(&mut svg, curve, TOP + index as f64 * (PANEL + GAP));
    }
    svg.push_str("</svg>\n");
    svg
}

fn draw_curve(svg: &mut String, curve: &Curve, top: f64) {
    let values = || curve.points.iter().map(|point| point.1);
    let range = (values().reduce(f64::min).unwrap_or(0.0), values().reduce(f64::max).unwrap_or(1.0));
    let last = curve.points.iter().map(|point| point.0).fold(0.0, f64::max);
    let last = if last > 0.0 { last } else { 1.0 };
    let panel = Panel::new((top, PANEL), curve.unit, last, range);
    panel.frame(svg, curve.name);
    panel.curve(svg, curve.points.iter().copied(), "#1f4e79");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_curve_is_drawn_whatever_its_points_are() {
        let curve = |name, points| Curve { name, unit: "steps", points };
        let curves = [
            curve("falling", vec![(1.0, 3.0), (9.0, 1.0)]),
            curve("level", vec![(0.0, 2.0), (0.0, 2.0)]),
            curve("nothing", Vec::new()),
        ];
        let svg = draw_curves("loss < 3", &curves);
        assert!(svg.contains("loss &lt; 3") && svg.ends_with("</svg>\n"));
        assert_eq!(svg.matches("<polyline").count(), 3);
        assert!(["falling", "level", "nothing"].iter().all(|name| svg.contains(name)));
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
    }
}
