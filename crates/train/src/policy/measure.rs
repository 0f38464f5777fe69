//! How well a net predicts moves it did not learn from.

use super::network::Network;
use super::pairs::{Pairs, Part};
use fivestone_game::Symmetry;
use serde::{Deserialize, Serialize};

/// Stages of a game: ten moves each, and what is beyond a hundred.
pub const STAGES: usize = 11;
/// Positions evaluated at once.
const AT_ONCE: usize = 16;

/// Means over samples.
#[derive(Clone, Default, PartialEq, Debug, Serialize, Deserialize)]
pub struct Measured {
    /// Samples measured.
    pub samples: usize,
    /// Cross-entropy in nats.
    pub loss: f64,
    /// Share of samples whose most frequent answer had the highest probability.
    pub top1: f64,
    /// Share of samples whose most frequent answer was among the five highest.
    pub top5: f64,
    /// The paper's score of output: the sum over moves of probability times share.
    pub score: f64,
    /// Samples and `top1` by stage of the game: moves 1 to 10, 11 to 20, and so on; the last is all beyond 100.
    pub stages: Vec<(usize, f64)>,
}

/// Measures on samples of a kind, at most about so many; nothing when `stop` answers true on the way.
pub fn measure(
    network: &mut Network,
    pairs: &Pairs,
    part: Part,
    most: usize,
    stop: impl Fn() -> bool,
) -> Option<Measured> {
    let count = pairs.count(part);
    let stride = count.div_ceil(most.max(1)).max(1);
    let chosen: Vec<usize> = (0..count).step_by(stride).collect();
    let mut measured = Measured { stages: vec![(0, 0.0); STAGES], ..Measured::default() };
    for numbers in chosen.chunks(AT_ONCE) {
        if stop() {
            return None;
        }
        let mut plies = [0; AT_ONCE];
        let mut missed = [false; AT_ONCE];
        for (slot, &number) in numbers.iter().enumerate() {
            let sample = pairs.sample(part, number, Symmetry::IDENTITY);
            network.show(slot, &sample.board, &sample.answers);
            plies[slot] = sample.ply;
            let best = sample.answers.iter().map(|answer| answer.1).fold(0.0, f32::max);
            let covered = network.answer(slot).targets.iter().copied().fold(0.0, f32::max);
            missed[slot] = covered + 1e-6 < best;
        }
        network.forward(numbers.len(), false);
        for slot in 0..numbers.len() {
            let answer = network.answer(slot);
            let best = (0..answer.targets.len())
                .fold(0, |best, i| if answer.targets[i] > answer.targets[best] { i } else { best });
            let higher = answer.probabilities.iter().filter(|&&p| p > answer.probabilities[best]).count();
            let hit = |places: usize| f64::from(u8::from(!missed[slot] && higher < places));
            measured.samples += 1;
            measured.loss += f64::from(answer.loss());
            measured.top1 += hit(1);
            measured.top5 += hit(5);
            let products = answer.probabilities.iter().zip(answer.targets).map(|(p, e)| p * e);
            measured.score += f64::from(products.sum::<f32>());
            let stage = &mut measured.stages[(plies[slot] / 10).min(STAGES - 1)];
            stage.0 += 1;
            stage.1 += hit(1);
        }
    }
    let samples = measured.samples.max(1) as f64;
    for sum in [&mut measured.loss, &mut measured.top1, &mut measured.top5, &mut measured.score] {
        *sum /= samples;
    }
    for (count, hits) in &mut measured.stages {
        *hits /= (*count).max(1) as f64;
    }
    Some(measured)
}
