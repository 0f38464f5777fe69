//! How well a net explains games it did not learn from.

use super::Config;
use super::data::Dataset;
use super::sample::{Sample, SampleBuilder};
use super::trainer::Trainer;
use crate::layers::softmax;
use fivestone_game::Point;
use fivestone_nets::architecture::REACH;
use fivestone_nets::lines::LineRows;
use fivestone_nets::{Net, NetEvaluator};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Means over positions, in nats where they are losses.
#[derive(Clone, Copy, Default, PartialEq, Debug, Serialize, Deserialize)]
pub struct Measured {
    /// Positions whose outcome was measured.
    pub positions: usize,
    /// Cross-entropy of win, draw and loss.
    pub outcome_loss: f64,
    /// Cross-entropy of the expectation (win plus half of draw) taken as a probability.
    pub value_loss: f64,
    /// Positions whose move was measured.
    pub moves: usize,
    /// Cross-entropy of the moves.
    pub move_loss: f64,
    /// Share of positions in which the move played had the highest prior.
    pub top1: f64,
}

/// The loss of a move that was no candidate.
const MISSED: f64 = 13.8;

impl Measured {
    fn add(&mut self, sample: &Sample, outcome: [f32; 3], moves: &[f32]) {
        if sample.outcome_weight > 0.0 {
            self.positions += 1;
            self.outcome_loss += f64::from(crate::layers::cross_entropy(&outcome, &sample.outcome));
            let p = f64::from(outcome[0] + outcome[1] / 2.0).clamp(1e-6, 1.0 - 1e-6);
            let target = f64::from(sample.expectation());
            self.value_loss -= target * p.ln() + (1.0 - target) * (1.0 - p).ln();
        }
        if !sample.moves_known {
            return;
        }
        self.moves += 1;
        if sample.shares.is_empty() {
            self.move_loss += MISSED;
        } else {
            self.move_loss += f64::from(crate::layers::cross_entropy(moves, &sample.shares));
            let chosen = (0..moves.len())
                .fold(0, |best, i| if sample.shares[i] > sample.shares[best] { i } else { best });
            self.top1 += f64::from(u8::from(moves.iter().all(|&other| other <= moves[chosen])));
        }
    }

    fn mean(mut self) -> Measured {
        let (positions, moves) = (self.positions.max(1) as f64, self.moves.max(1) as f64);
        self.outcome_loss /= positions;
        self.value_loss /= positions;
        self.move_loss /= moves;
        self.top1 /= moves;
        self
    }
}

/// Measures the averaged weights in floating point on held-out positions, at most about so many: those a search has
/// judged, and the others.
pub(super) fn measure_trainer(trainer: &mut Trainer, dataset: &Dataset, most: usize) -> [Measured; 2] {
    let mut measured = [Measured::default(); 2];
    let stride = dataset.held_out().len().div_ceil(most.max(1)).max(1);
    for &position in dataset.held_out().iter().step_by(stride) {
        let (answer, sample) = trainer.answer(dataset, position);
        let judged = usize::from(!sample.judged);
        let sample = sample.clone();
        measured[judged].add(&sample, answer.outcome, trainer.move_probabilities());
    }
    measured.map(Measured::mean)
}

/// Measures a finished net on all held-out positions: those a search has judged, and the others.
pub fn measure_net(net: &Arc<Net>, dataset: &Dataset, config: &Config) -> [Measured; 2] {
    let mut measured = [Measured::default(); 2];
    let mut evaluator = NetEvaluator::new(Arc::clone(net));
    let rows: Vec<[LineRows; 2]> =
        net.sets.iter().map(|set| set.tables.each_ref().map(|table| table.index.clone())).collect();
    let (mut builder, mut sample, mut logits) = (SampleBuilder::default(), Sample::default(), Vec::new());
    for &position in dataset.held_out() {
        dataset.fill(position, &rows, config, &mut builder, &mut sample);
        let (_, board) = dataset.board(position);
        let candidates: Vec<Point> = board.near(REACH).iter().collect();
        let wdl = evaluator.value(&board, sample.threats);
        evaluator.policy(&board, sample.threats, &candidates, &mut logits);
        softmax(&mut logits);
        measured[usize::from(!sample.judged)].add(&sample, [wdl.win, wdl.draw, wdl.loss], &logits);
    }
    measured.map(Measured::mean)
}
