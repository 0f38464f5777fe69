//! What the engines of the papers see on the board.

use super::{color_word, round};
use fivestone_engine::{Layer, Tally, explain};
use fivestone_game::{Board, Size};
use serde::Serialize;
use std::collections::BTreeMap;

/// The tables of an engine.
#[derive(Serialize, Debug)]
pub struct Explained {
    engine: String,
    to_move: &'static str,
    layers: Vec<LayerView>,
    counts: Vec<Count>,
}

/// A number for every point that has one.
#[derive(Serialize, Debug)]
struct LayerView {
    name: String,
    meaning: &'static str,
    points: BTreeMap<String, f64>,
}

/// How often each side has something.
#[derive(Serialize, Debug)]
struct Count {
    name: String,
    black: usize,
    white: usize,
}

/// The tables of an engine in a position; nothing for an engine that has none.
pub fn explained(engine: &str, board: &Board) -> Option<Explained> {
    let explanation = explain(engine, board)?;
    Some(Explained {
        engine: engine.to_owned(),
        to_move: color_word(board.to_move()),
        layers: explanation.layers.into_iter().map(|layer| layer_view(layer, board.size())).collect(),
        counts: explanation.tallies.into_iter().map(count).collect(),
    })
}

fn layer_view(layer: Layer, size: Size) -> LayerView {
    let points = layer.values.into_iter().map(|(point, value)| (point.name(size), round(value)));
    LayerView { name: layer.name, meaning: layer.meaning, points: points.collect() }
}

fn count(tally: Tally) -> Count {
    Count { name: tally.name, black: tally.counts[0], white: tally.counts[1] }
}
