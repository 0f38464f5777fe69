//! A move predictor as the engines of this paper ask it.

use crate::parameters::Value;
use crate::shipped::ShippedPolicy;
use crate::{Limits, random};
use fivestone_game::{Board, Point, PointSet};
use fivestone_nets::policy::{FollowingEvaluator, PolicyEvaluator};

/// Whose net is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The paper's.
    Paper,
    /// Our own, larger one.
    Own,
}

impl Value for Source {
    fn of(number: f64) -> Source {
        if number < 1.0 { Source::Paper } else { Source::Own }
    }
}

/// A net with room to answer.
pub struct Predictor {
    evaluator: Evaluator,
    answers: Vec<(Point, f32)>,
}

/// How a net is evaluated: by what changed since the last question where its shape allows, else as a whole.
enum Evaluator {
    Following(Box<FollowingEvaluator>),
    Whole(Box<PolicyEvaluator>),
    /// The program was built without the shipped nets: no point is known.
    Absent,
}

impl Evaluator {
    fn new(source: Source) -> Evaluator {
        let net = match source {
            Source::Paper => ShippedPolicy::Muzika.net(),
            Source::Own => ShippedPolicy::Lines.net(),
        };
        let Some(net) = net else { return Evaluator::Absent };
        match FollowingEvaluator::new(&net) {
            Some(following) => Evaluator::Following(Box::new(following)),
            None => Evaluator::Whole(Box::new(PolicyEvaluator::new(net))),
        }
    }
}

impl Predictor {
    /// A shipped net, ready to be asked.
    pub fn new(source: Source) -> Predictor {
        Predictor { evaluator: Evaluator::new(source), answers: Vec::new() }
    }

    /// The empty points that the net knows with their probabilities, which sum to one. Empty if it knows none.
    pub fn ask(&mut self, board: &Board) -> &[(Point, f32)] {
        self.logits(board);
        softmax(&mut self.answers);
        &self.answers
    }

    fn logits(&mut self, board: &Board) -> &[(Point, f32)] {
        self.answers.clear();
        match &mut self.evaluator {
            Evaluator::Following(net) => self.answers.extend(net.logits(board)),
            Evaluator::Whole(net) => {
                let (points, logits) = net.evaluate(board);
                let known = points.iter().copied().zip(logits.iter().copied());
                self.answers.extend(known.filter(|&(point, _)| board.is_empty(point)));
            }
            Evaluator::Absent => {}
        }
        &self.answers
    }

    /// The empty point with the highest probability; any where the net knows none.
    pub fn best(&mut self, board: &Board) -> Option<Point> {
        let best = match &mut self.evaluator {
            Evaluator::Following(net) => net.best(board),
            Evaluator::Whole(net) => {
                let (points, logits) = net.evaluate(board);
                let mut best: Option<(Point, f32)> = None;
                for (&point, &logit) in points.iter().zip(logits) {
                    if board.is_empty(point) && best.is_none_or(|(_, highest)| logit > highest) {
                        best = Some((point, logit));
                    }
                }
                best.map(|(point, _)| point)
            }
            Evaluator::Absent => None,
        };
        best.or_else(|| board.empty().first())
    }

    /// The most probable of some empty points.
    pub fn best_among(&mut self, board: &Board, points: &PointSet) -> Option<Point> {
        let known = self.logits(board).iter().filter(|(point, _)| points.contains(*point));
        let best = known.max_by(|a, b| a.1.total_cmp(&b.1).then(b.0.cmp(&a.0)));
        best.map(|&(point, _)| point).or_else(|| points.first())
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

/// Turns logits into probabilities.
fn softmax(answers: &mut [(Point, f32)]) {
    let highest = answers.iter().fold(f32::MIN, |highest, answer| highest.max(answer.1));
    let mut total = 0.0;
    for (_, number) in &mut *answers {
        *number = (*number - highest).exp();
        total += *number;
    }
    for answer in answers {
        answer.1 /= total;
    }
}
