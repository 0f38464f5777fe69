//! The situations as data.

use super::situations::{self, SITUATIONS};
use crate::explanation::{Explanation, Tally, layer};
use fivestone_game::{Board, Color};

/// Gains of the points and how often each side has each situation.
pub fn situation_mcts(board: &Board) -> Explanation {
    let layers = Color::BOTH.map(|color| {
        let meaning = "how much a stone of this side adds to the value of the board for it";
        layer(board, format!("gain of {color}"), meaning, |point| {
            situations::gain(board, color, point).into()
        })
    });
    let counts = Color::BOTH.map(|color| situations::counts(board, color));
    let tallies = SITUATIONS.iter().enumerate().map(|(number, situation)| Tally {
        name: format!("{} ({})", situation.name, situation.score),
        counts: counts.map(|counts| counts[number] as usize),
    });
    Explanation { layers: layers.into(), tallies: tallies.collect() }
}
