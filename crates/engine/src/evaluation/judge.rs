//! What a tree search asks about a position.

use super::{Evaluator, UNITS, win_probability};
use fivestone_game::{Board, Color, Point};

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
}

impl Judge for PatternJudge {
    fn judge(&mut self, board: &Board, moves: &[Point], logits: &mut Vec<f32>) -> f32 {
        let evaluator = &self.evaluators[board.to_move().index()];
        logits.clear();
        logits.extend(moves.iter().map(|&point| evaluator.prior(board, point) as f32 / UNITS as f32));
        (2.0 * win_probability(evaluator.value(board)) - 1.0) as f32
    }
}
