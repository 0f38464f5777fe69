//! What a tree search asks about a position.

use super::{Evaluator, UNITS, win_probability};
use fivestone_game::{Board, Color, Point};
use fivestone_nets::features::Threats;
use fivestone_nets::{Net, NetEvaluator, Wdl};
use std::sync::Arc;

/// Judges positions: how good they are, and which moves look promising. `threats` is what the
/// search for wins by fours said.
pub trait Judge: Send {
    /// How the game will end for the side to move.
    fn outcome(&mut self, board: &Board, threats: Threats) -> Wdl;

    /// Puts a logit for each of the moves into `logits`. Cheap right after the position's outcome.
    fn moves(&mut self, board: &Board, threats: Threats, moves: &[Point], logits: &mut Vec<f32>);
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

    /// Win probability of the side to move; the patterns know no draws.
    fn win(&self, board: &Board) -> f32 {
        let evaluator = &self.evaluators[board.to_move().index()];
        win_probability(evaluator.value(board)) as f32
    }
}

impl Judge for PatternJudge {
    fn outcome(&mut self, board: &Board, _threats: Threats) -> Wdl {
        let win = self.win(board);
        Wdl { win, draw: 0.0, loss: 1.0 - win }
    }

    fn moves(&mut self, board: &Board, _threats: Threats, moves: &[Point], logits: &mut Vec<f32>) {
        let evaluator = &self.evaluators[board.to_move().index()];
        logits.clear();
        let units = moves.iter().map(|&point| evaluator.prior(board, point));
        logits.extend(units.map(|units| units as f32 / UNITS as f32));
    }
}

/// Judges moves by a net, and positions by the net and the patterns together: they err in different
/// places.
pub struct NetJudge {
    net: NetEvaluator,
    patterns: PatternJudge,
    /// How much of the outcome is the net's.
    share: f32,
}

impl NetJudge {
    /// A judge with a net for the rule of this board.
    pub fn new(net: Arc<Net>, board: &Board, share: f32) -> NetJudge {
        NetJudge { net: NetEvaluator::new(net), patterns: PatternJudge::new(board), share }
    }
}

impl Judge for NetJudge {
    fn outcome(&mut self, board: &Board, threats: Threats) -> Wdl {
        let net = self.net.value(board, threats);
        if self.share == 1.0 {
            return net;
        }
        let rest = 1.0 - self.share;
        let win = self.patterns.win(board);
        Wdl {
            win: self.share * net.win + rest * win,
            draw: self.share * net.draw,
            loss: self.share * net.loss + rest * (1.0 - win),
        }
    }

    fn moves(&mut self, board: &Board, threats: Threats, moves: &[Point], logits: &mut Vec<f32>) {
        self.net.policy(board, threats, moves, logits);
    }
}
