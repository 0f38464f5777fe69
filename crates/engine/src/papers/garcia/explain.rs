//! The tables of the three versions as data.

use super::pointed::Pointed;
use super::ranks::Ranked;
use super::version1::scores_of;
use crate::explanation::{Explanation, Layer, Tally, layer};
use fivestone_game::{Board, Color};

const VALUE: &str = "sum of the scores of the living monomials that cover the point";

/// Point values.
pub fn version1(board: &Board) -> Explanation {
    let tables = scores_of(board);
    let layers = Color::BOTH.map(|color| {
        layer(board, format!("value for {color}"), VALUE, |point| {
            tables[color.index()].value(point.dense(board.size())).into()
        })
    });
    Explanation { layers: layers.into(), tallies: Vec::new() }
}

/// Point values, and what the states of four orientations promise together.
pub fn version2(board: &Board) -> Explanation {
    let position = Pointed::new(board);
    let size = board.size();
    let mut layers = Vec::new();
    for color in Color::BOTH {
        let name = format!("value for {color}");
        layers.push(layer(board, name, VALUE, |point| position.value(color, point.dense(size)).into()));
        let meaning = "0 nothing, 1 open three, 2 four, 3 combo, 4 open four, 5 five";
        let promise = |point: fivestone_game::Point| position.promise(color, point.dense(size)) as u8 as f64;
        layers.push(layer(board, format!("promise for {color}"), meaning, promise));
    }
    Explanation { layers, tallies: Vec::new() }
}

/// Rank scores.
pub fn version3(board: &Board) -> Explanation {
    let position = Ranked::new(board);
    let size = board.size();
    let mut layers = Vec::new();
    for color in Color::BOTH {
        let ranks = board.empty().iter().filter_map(|point| {
            position.best_rank(color, point.dense(size)).map(|rank| (point, rank as f64))
        });
        layers.push(Layer {
            name: format!("rank for {color}"),
            meaning: "best rank score of the living monomials that cover the point; even ones cannot be blocked",
            values: ranks.collect(),
        });
    }
    let assessed = position.assessed();
    layers.push(Layer {
        name: "assessment".to_owned(),
        meaning: "what both sides' monomials and combos count when a handful of moves is chosen",
        values: assessed
            .iter()
            .map(|&(points, cell)| (fivestone_game::Point::from_dense(cell, size), points.into()))
            .collect(),
    });
    let mut tallies: Vec<Tally> = (0..=9)
        .map(|rank| Tally {
            name: format!("monomials of rank {rank}"),
            counts: Color::BOTH.map(|color| position.count(color, rank)),
        })
        .collect();
    tallies.push(Tally {
        name: "combos".to_owned(),
        counts: Color::BOTH.map(|color| position.combos(color).len()),
    });
    Explanation { layers, tallies }
}
