//! The shapes of what the host tells, which knows nothing of schemas. The tests below fail when
//! they differ from it.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A report of a search.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[schemars(inline)]
pub struct Report {
    /// Candidates, best first.
    lines: Vec<Line>,
    /// Visits, iterations or nodes in all.
    visits: u64,
    /// Plies searched.
    depth: u32,
    /// Time since the start.
    elapsed_ms: u64,
}

/// A candidate.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Line {
    /// The move.
    r#move: String,
    /// Win probability for the side to move.
    winrate: f64,
    /// Visits, iterations or nodes spent on it.
    visits: u64,
    /// What the engine expects, beginning with the move.
    pv: Vec<String>,
    /// The prior probability of the move, where it is told.
    #[serde(skip_serializing_if = "Option::is_none")]
    prior: Option<f64>,
    /// The certain result, where it is known and told.
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<Certain>,
}

/// A certain result for the side to move.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Certain {
    /// The result.
    result: Outcome,
    /// Plies to the end of the game.
    plies: u16,
}

/// A result for the side to move.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
#[schemars(inline)]
pub enum Outcome {
    Win,
    Loss,
    Draw,
}

/// The tables of an engine.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Explained {
    /// The engine.
    engine: String,
    /// `black` or `white`.
    to_move: String,
    /// Numbers on the points.
    layers: Vec<Table>,
    /// Counts of the whole board.
    counts: Vec<Count>,
}

/// A number for every point that has one.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// What the numbers are called.
    name: String,
    /// What they mean.
    meaning: String,
    /// The numbers.
    points: BTreeMap<String, f64>,
}

/// How often each side has something.
#[derive(Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Count {
    /// What is counted.
    name: String,
    /// Black's.
    black: usize,
    /// White's.
    white: usize,
}

mod tests {
    use super::*;
    use fivestone_game::{Board, Rule, Size};
    use fivestone_host::views::{LineView, ReportView, ResultView, explained};
    use serde::de::DeserializeOwned;

    /// Reads what the host writes into a shape, and compares what the shape writes.
    fn same<T: Serialize + DeserializeOwned>(told: &impl Serialize) {
        let told = serde_json::to_value(told).expect("JSON");
        let shape: T = serde_json::from_value(told.clone()).expect("the shape of what the host tells");
        assert_eq!(serde_json::to_value(shape).expect("JSON"), told);
    }

    #[test]
    fn reports_have_the_shape_that_is_described() {
        for result in ["win", "loss", "draw"] {
            let line = LineView {
                r#move: "h8".to_owned(),
                winrate: 0.5,
                visits: 3,
                pv: vec!["h8".to_owned()],
                prior: Some(0.25),
                proof: Some(ResultView { result, plies: 3 }),
            };
            let plain = LineView { prior: None, proof: None, ..line.clone() };
            same::<Report>(&ReportView { lines: vec![line, plain], visits: 3, depth: 2, elapsed_ms: 9 });
        }
    }

    #[test]
    fn tables_have_the_shape_that_is_described() {
        let board = Board::new(Size::STANDARD, Rule::Freestyle);
        for engine in fivestone_engine::explained() {
            same::<Explained>(&explained(engine, &board).expect("tables"));
        }
    }
}
