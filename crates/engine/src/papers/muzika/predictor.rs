//! A move predictor as the engines of this paper ask it.

use crate::{Limits, Parameter, Settings, random};
use fivestone_game::{Board, Point};
use fivestone_nets::policy::{PolicyEvaluator, ShippedPolicy};

/// Which net to ask.
pub const OWN_NET: Parameter = Parameter {
    name: "own-net",
    meaning: "1 to ask our own, larger net instead of the paper's",
    default: 0.0,
    range: (0.0, 1.0),
};

/// A net with room to answer.
pub struct Predictor {
    evaluator: PolicyEvaluator,
    answers: Vec<(Point, f32)>,
}

impl Predictor {
    /// The net that the settings name.
    pub fn new(settings: &Settings) -> Predictor {
        let own = settings.whole(OWN_NET.name) > 0;
        let shipped = if own { ShippedPolicy::Lines } else { ShippedPolicy::Muzika };
        Predictor { evaluator: PolicyEvaluator::new(shipped.net()), answers: Vec::new() }
    }

    /// The empty points that the net knows with their probabilities, which sum to one. Empty if it knows none.
    pub fn ask(&mut self, board: &Board) -> &[(Point, f32)] {
        let (points, logits) = self.evaluator.evaluate(board);
        self.answers.clear();
        let known = points.iter().copied().zip(logits.iter().copied());
        self.answers.extend(known.filter(|&(point, _)| board.is_empty(point)));
        let highest = self.answers.iter().fold(f32::MIN, |highest, answer| highest.max(answer.1));
        let mut total = 0.0;
        for (_, number) in &mut self.answers {
            *number = (*number - highest).exp();
            total += *number;
        }
        for answer in &mut self.answers {
            answer.1 /= total;
        }
        &self.answers
    }

    /// The empty point with the highest probability; any where the net knows none.
    pub fn best(&mut self, board: &Board) -> Option<Point> {
        let (points, logits) = self.evaluator.evaluate(board);
        let mut best: Option<(Point, f32)> = None;
        for (&point, &logit) in points.iter().zip(logits) {
            if board.is_empty(point) && best.is_none_or(|(_, highest)| logit > highest) {
                best = Some((point, logit));
            }
        }
        best.map(|(point, _)| point).or_else(|| board.empty().iter().next())
    }

    /// The moves that may be chosen at the root, most probable first. Never empty.
    pub fn root_moves(&mut self, board: &Board, limits: &Limits) -> Vec<(Point, f32)> {
        let playable = random::playable(board, limits);
        let known = self.ask(board);
        let mut moves: Vec<(Point, f32)> = playable
            .iter()
            .map(|&point| {
                (point, known.iter().find(|(known, _)| *known == point).map_or(0.0, |found| found.1))
            })
            .collect();
        moves.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        moves
    }
}
