//! What managers show of a search.

use fivestone_engine::{Line, Proof, Report};
use fivestone_formats::gomocup::{Coordinates, Detail, Evaluation};
use fivestone_game::Point;

/// Everything there is to say about one line of a search.
pub fn details(
    report: &Report,
    index: usize,
    line: &Line,
    written: &dyn Fn(Point) -> Coordinates,
) -> [Detail; 12] {
    let ms = report.elapsed.as_millis() as u64;
    [
        Detail::Pv(index),
        Detail::NumPv(report.lines.len()),
        Detail::Depth(report.depth),
        Detail::SelDepth(report.depth.max(line.pv.len() as u32)),
        Detail::Nodes(line.visits),
        Detail::TotalNodes(report.visits),
        Detail::TotalTime(ms),
        Detail::Speed(report.visits * 1000 / ms.max(1)),
        Detail::Eval(evaluation(line)),
        Detail::WinRate(line.winrate),
        Detail::BestLine(line.pv.iter().map(|&point| written(point)).collect()),
        Detail::PvDone,
    ]
}

/// Managers think in points: this many make one unit of log odds.
pub const POINTS_PER_LOGIT: f64 = 200.0;

fn evaluation(line: &Line) -> Evaluation {
    match line.proof {
        Some(Proof::Win(plies)) => Evaluation::Win(plies),
        Some(Proof::Loss(plies)) => Evaluation::Loss(plies),
        Some(Proof::Draw) => Evaluation::Points(0),
        None => {
            let winrate = line.winrate.clamp(1e-6, 1.0 - 1e-6);
            Evaluation::Points((POINTS_PER_LOGIT * (winrate / (1.0 - winrate)).ln()).round() as i32)
        }
    }
}
