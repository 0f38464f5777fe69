//! Why the papers' engines play what they play: their tables as data.

use super::garcia;
use super::lin_cao::adp;
use super::lin_cao::heuristic::Heuristic;
use super::lin_cao::network::Network;
use super::lin_cao::patterns::PATTERNS;
use super::lin_cao::position::Position;
use super::wang_shen::situations::{self, SITUATIONS};
use fivestone_game::{Board, Color, Point};

/// A number for every point that has one.
#[derive(Clone, PartialEq, Debug)]
pub struct Layer {
    /// Its name.
    pub name: String,
    /// What the numbers mean.
    pub meaning: &'static str,
    /// The numbers.
    pub values: Vec<(Point, f64)>,
}

/// How often each side has something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    /// What is counted.
    pub name: String,
    /// Black's and White's.
    pub counts: [usize; 2],
}

/// What an engine sees in a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Explanation {
    /// Numbers on the board.
    pub layers: Vec<Layer>,
    /// Counts of the whole board.
    pub tallies: Vec<Tally>,
}

/// The engines that can be asked.
pub const EXPLAINED: [&str; 7] =
    ["monomial-v1", "monomial-v2", "monomial-v3", "situation-mcts", "adp", "uct", "adp-uct"];

/// What an engine sees in a position; nothing for an engine that is not one of [`EXPLAINED`].
pub fn explain(engine: &str, board: &Board) -> Option<Explanation> {
    match engine {
        "monomial-v1" => Some(garcia::explain::version1(board)),
        "monomial-v2" => Some(garcia::explain::version2(board)),
        "monomial-v3" => Some(garcia::explain::version3(board)),
        "situation-mcts" => Some(situation_mcts(board)),
        "adp" => Some(network(board)),
        "uct" | "adp-uct" => Some(heuristics(board)),
        _ => None,
    }
}

/// A layer with a number for each empty point.
pub(super) fn layer(
    board: &Board,
    name: impl Into<String>,
    meaning: &'static str,
    value: impl Fn(Point) -> f64,
) -> Layer {
    let values = board.empty().iter().map(|point| (point, value(point))).collect();
    Layer { name: name.into(), meaning, values }
}

fn situation_mcts(board: &Board) -> Explanation {
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

fn heuristics(board: &Board) -> Explanation {
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

fn network(board: &Board) -> Explanation {
    let position = Position::new(board);
    let meaning = "win probability of the side to move after its stone";
    let values = adp::judged(&position, &Network::shipped(), &position.candidates());
    let values = values.into_iter().map(|(value, point)| (point, f64::from(value))).collect();
    let layer = Layer { name: "network".to_owned(), meaning, values };
    Explanation { layers: vec![layer], tallies: pattern_counts(board) }
}

fn pattern_counts(board: &Board) -> Vec<Tally> {
    let position = Position::new(board);
    let tally = |(number, pattern): (usize, &super::lin_cao::patterns::Pattern)| Tally {
        name: pattern.drawing.to_owned(),
        counts: position.counts().map(|counts| counts[number] as usize),
    };
    PATTERNS.iter().enumerate().map(tally).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fivestone_game::{Rule, Size};

    #[test]
    fn every_engine_listed_explains_every_position() {
        let mut board = Board::new(Size::new(9).unwrap(), Rule::Renju);
        for point in Size::new(9).unwrap().points().skip(30).take(7) {
            board.play(point).unwrap();
        }
        for name in EXPLAINED {
            let explanation = explain(name, &board).unwrap();
            assert!(!explanation.layers.is_empty(), "{name}");
            for layer in explanation.layers {
                assert!(!layer.values.is_empty());
                assert!(
                    layer.values.iter().all(|&(point, value)| board.is_empty(point) && value.is_finite())
                );
            }
        }
        assert!(explain("random", &board).is_none());
    }
}
