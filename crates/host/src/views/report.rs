//! The report of a search.

use super::{names, round};
use fivestone_engine::{Line, Proof, Report};
use fivestone_game::Size;
use serde::Serialize;
use std::time::Duration;

/// Moves of an expected line that are enough to look at.
const SHOWN: usize = 24;

/// A report.
#[derive(Serialize, Clone, PartialEq, Debug)]
#[serde(rename_all = "camelCase")]
pub struct ReportView {
    /// Candidates, best first.
    pub lines: Vec<LineView>,
    /// Visits, iterations or nodes in all.
    pub visits: u64,
    /// Plies searched.
    pub depth: u32,
    /// Time since the start.
    pub elapsed_ms: u64,
}

/// A candidate.
#[derive(Serialize, Clone, PartialEq, Debug)]
#[serde(rename_all = "camelCase")]
pub struct LineView {
    /// The move.
    pub r#move: String,
    /// Win probability for the side to move.
    pub winrate: f64,
    /// Visits, iterations or nodes spent on it.
    pub visits: u64,
    /// What the engine expects, beginning with the move.
    pub pv: Vec<String>,
    /// The prior probability of the move, where it is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prior: Option<f64>,
    /// The certain result, where it is known and told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<ResultView>,
}

/// A certain result for the side to move.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "camelCase")]
pub struct ResultView {
    /// `win`, `loss` or `draw`.
    pub result: &'static str,
    /// Plies to the end of the game.
    pub plies: u16,
}

impl ReportView {
    /// A report for the eye, of a search that goes on in turns: with the visits of the turns before
    /// and the time of them all.
    pub fn continued(report: &Report, size: Size, visits_before: u64, elapsed: Duration) -> ReportView {
        ReportView {
            lines: report.lines.iter().map(|line| LineView::shown(line, size)).collect(),
            visits: visits_before + report.visits,
            depth: report.depth,
            elapsed_ms: elapsed.as_millis() as u64,
        }
    }
}

impl LineView {
    /// The candidate itself, with numbers as they are and the whole expected line.
    pub fn plain(line: &Line, size: Size) -> LineView {
        LineView {
            r#move: line.point.name(size),
            winrate: line.winrate,
            visits: line.visits,
            pv: names(line.pv.iter().copied(), size),
            prior: None,
            proof: None,
        }
    }

    /// All there is to see of a candidate, cut to what can be looked at.
    pub fn shown(line: &Line, size: Size) -> LineView {
        LineView {
            winrate: round(line.winrate),
            pv: names(line.pv.iter().copied().take(SHOWN), size),
            prior: line.prior.map(round),
            proof: line.proof.map(ResultView::from),
            ..LineView::plain(line, size)
        }
    }
}

impl From<Proof> for ResultView {
    fn from(proof: Proof) -> ResultView {
        match proof {
            Proof::Win(plies) => ResultView { result: "win", plies },
            Proof::Loss(plies) => ResultView { result: "loss", plies },
            Proof::Draw => ResultView { result: "draw", plies: 0 },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fivestone_game::Point;
    use serde_json::json;

    #[test]
    fn a_candidate_is_told_plainly_or_for_the_eye() {
        let size = Size::STANDARD;
        let point = Point::parse("h8", size).expect("a point");
        let line = Line {
            point,
            winrate: 0.123_456,
            visits: 7,
            pv: vec![point; 30],
            proof: Some(Proof::Win(3)),
            prior: Some(0.25),
        };
        let plain = serde_json::to_value(LineView::plain(&line, size)).expect("JSON");
        let pv = vec!["h8"; 30];
        assert_eq!(plain, json!({ "move": "h8", "winrate": 0.123_456, "visits": 7, "pv": pv }));
        let report = Report { lines: vec![line], visits: 7, depth: 2, elapsed: Duration::ZERO };
        let shown = ReportView::continued(&report, size, 5, Duration::from_millis(9));
        let line = json!({
            "move": "h8", "winrate": 0.1235, "visits": 7, "pv": &pv[..24], "prior": 0.25,
            "proof": { "result": "win", "plies": 3 },
        });
        let expected = json!({ "lines": [line], "visits": 12, "depth": 2, "elapsedMs": 9 });
        assert_eq!(serde_json::to_value(shown).expect("JSON"), expected);
    }
}
