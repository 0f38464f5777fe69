//! Heuristics, network and pattern counts as data.

use super::adp;
use super::heuristic::Heuristic;
use super::network::Network;
use super::patterns::{PATTERNS, Pattern};
use super::position::Position;
use crate::explanation::{Explanation, Layer, Tally, layer};
use fivestone_game::Board;

/// The values of both heuristics.
pub fn heuristics(board: &Board) -> Explanation {
    let me = board.to_move();
    let of = |heuristic: Heuristic| move |point| f64::from(heuristic.of(board, me, point));
    let layers = vec![
        layer(
            board,
            "exponential heuristic",
            "offence and defence by formula (4)",
            of(Heuristic::Exponential),
        ),
        layer(board, "Kang & Kim's heuristic", "offence and defence by formula (3)", of(Heuristic::KangKim)),
    ];
    Explanation { layers, tallies: pattern_counts(board) }
}

/// What the network says about each move.
pub fn network(board: &Board) -> Explanation {
    let position = Position::new(board);
    let meaning = "win probability of the side to move after its stone";
    let values = adp::judged(&position, &Network::shipped(), &position.candidates());
    let values = values.into_iter().map(|(value, point)| (point, f64::from(value))).collect();
    let layer = Layer { name: "network".to_owned(), meaning, values };
    Explanation { layers: vec![layer], tallies: pattern_counts(board) }
}

fn pattern_counts(board: &Board) -> Vec<Tally> {
    let position = Position::new(board);
    let tally = |(number, pattern): (usize, &Pattern)| Tally {
        name: pattern.drawing.to_owned(),
        counts: position.counts().map(|counts| counts[number] as usize),
    };
    PATTERNS.iter().enumerate().map(tally).collect()
}
