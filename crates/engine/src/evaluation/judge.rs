//! What a tree search asks about a position.

use super::{Evaluator, UNITS, win_probability};
use fivestone_game::{Board, Color, Point};
use fivestone_nets::{Net, NetEvaluator};
use std::sync::Arc;

/// Judges positions: how good they are, and which moves look promising.
pub trait Judge: Send {
    /// Expected result in [-1, 1] for the side to move; puts a logit for each of the moves into `logits`.
    fn judge(&mut self, board: &Board, moves: &[Point], logits: &mut Vec<f32>) -> f32;
}

/// Judges by line patterns.
pub struct PatternJudge {
    evaluators: [Evaluator; 2],
}

impl PatternJudge {
    /// A judge for the rule of this board.
    pub fn new(board: &Board) -> PatternJudge {
        PatternJudge { evaluators: Color::BOTH.map(|color| Evaluator::new(board, color)) }
    }

    fn value(&self, board: &Board) -> f32 {
        let evaluator = &self.evaluators[board.to_move().index()];
        (2.0 * win_probability(evaluator.value(board)) - 1.0) as f32
    }
}

impl Judge for PatternJudge {
    fn judge(&mut self, board: &Board, moves: &[Point], logits: &mut Vec<f32>) -> f32 {
        let evaluator = &self.evaluators[board.to_move().index()];
        logits.clear();
        logits.extend(moves.iter().map(|&point| evaluator.prior(board, point) as f32 / UNITS as f32));
        self.value(board)
    }
}

/// Judges moves by a net, and positions by the net and the patterns together: they err in different places.
pub struct NetJudge {
    net: NetEvaluator,
    patterns: PatternJudge,
    /// How much of the value is the net's.
    share: f32,
}

impl NetJudge {
    /// A judge with a net for the rule of this board.
    pub fn new(net: Arc<Net>, board: &Board, share: f32) -> NetJudge {
        NetJudge { net: NetEvaluator::new(net), patterns: PatternJudge::new(board), share }
    }
}

impl Judge for NetJudge {
    fn judge(&mut self, board: &Board, moves: &[Point], logits: &mut Vec<f32>) -> f32 {
        let net = 2.0 * self.net.evaluate(board, moves, logits).expectation() - 1.0;
        if self.share == 1.0 {
            return net;
        }
        self.share * net + (1.0 - self.share) * self.patterns.value(board)
    }
}
