//! Steps of training.

use super::config::Config;
use super::network::Network;
use super::pairs::{Pairs, Part};
use crate::line_rows::frequent_rows;
use crate::optimiser::{Adam, Step};
use fivestone_engine::Rng;
use fivestone_game::Symmetry;
use fivestone_nets::features::Features;
use fivestone_nets::lines::LINES;
use fivestone_nets::policy::{Input, InputRows, PolicyArchitecture};
use pulp::Arch;

/// Steps between updates of the running average.
const AVERAGE_EVERY: usize = 4;
/// Positions looked at to choose the rows of the input tables.
const COUNTED: usize = 100_000;

/// A net in training.
pub struct Trainer {
    /// The net.
    pub network: Network,
    /// What Adam remembers of each list of weights.
    pub memory: Vec<Adam>,
    /// The running average of the weights; empty without one.
    pub average: Vec<Vec<f32>>,
    /// Steps done.
    pub step: usize,
    config: Config,
    arch: Arch,
}

/// The rows of a table input for these samples, if the net has one.
pub fn input_rows(architecture: &PolicyArchitecture, config: &Config, pairs: &Pairs) -> Option<InputRows> {
    let Input::Lines(_) = architecture.input else { return None };
    let mut counts = [vec![0_u32; LINES], vec![0_u32; LINES]];
    let mut features = Features::default();
    let count = pairs.count(Part::Training);
    for number in (0..count).step_by((count / COUNTED).max(1)) {
        let sample = pairs.sample(Part::Training, number, Symmetry::IDENTITY);
        features.read(&sample.board, |lines| {
            for (at, line) in lines.into_iter().enumerate() {
                counts[at / 2][line] += 1;
            }
        });
    }
    Some(InputRows { lines: counts.map(|counts| frequent_rows(&counts, config.lines, config.nines)) })
}

impl Trainer {
    /// A net that knows nothing yet.
    pub fn new(config: &Config, architecture: &PolicyArchitecture, pairs: &Pairs) -> Trainer {
        let rows = input_rows(architecture, config, pairs);
        Trainer::with_network(
            config,
            Network::new(architecture, pairs.size(), rows, config.first_weights, config.seed),
        )
    }

    /// A trainer of a net.
    pub fn with_network(config: &Config, network: Network) -> Trainer {
        let memory = network.tensors.iter().map(|tensor| Adam::new(tensor.values.len())).collect();
        let average = if config.average_over > 0.0 { weights(&network) } else { Vec::new() };
        Trainer { network, memory, average, step: 0, config: config.clone(), arch: Arch::new() }
    }

    /// Whether every weight is a number.
    pub fn is_finite(&self) -> bool {
        self.network.tensors.iter().all(|tensor| tensor.values.iter().all(|value| value.is_finite()))
    }

    /// Learns from samples at a step size; answers their mean loss.
    pub fn learn(&mut self, pairs: &Pairs, batch: &[u32], rate: f32) -> f32 {
        // With batch norm the whole batch goes through at once; else one by one, which stays in the nearest cache.
        let at_once = if self.network.architecture().has_batch_norm() { batch.len() } else { 1 };
        let mut loss = 0.0;
        for (number, samples) in batch.chunks(at_once).enumerate() {
            for (slot, &sample) in samples.iter().enumerate() {
                let symmetry = self.symmetry(number * at_once + slot);
                let sample = pairs.sample(Part::Training, sample as usize, symmetry);
                self.network.show(slot, &sample.board, &sample.answers);
            }
            self.network.forward(samples.len(), true);
            loss += (0..samples.len()).map(|slot| self.network.answer(slot).loss()).sum::<f32>();
            self.network.backward(samples.len());
        }
        self.update(rate, 1.0 / batch.len() as f32);
        loss / batch.len() as f32
    }

    fn symmetry(&self, number: usize) -> Symmetry {
        if !self.config.symmetries {
            return Symmetry::IDENTITY;
        }
        let seed = self.config.seed ^ ((self.step as u64) << 20 | number as u64);
        Symmetry::ALL[Rng::new(seed).below(Symmetry::ALL.len())]
    }

    fn update(&mut self, rate: f32, share: f32) {
        self.step += 1;
        let config = &self.config;
        let by = Step { rate, decay: 0.0, calm: config.adam_epsilon, square: config.adam_square };
        let rows = Step { decay: config.row_decay, calm: config.row_calm, ..by };
        for (i, memory) in self.memory.iter_mut().enumerate() {
            let by = if self.network.is_table(i) { rows } else { by }.corrected(self.step);
            let gradients = &mut self.network.gradients[i];
            let values = &mut self.network.tensors[i].values;
            self.arch.dispatch(|| {
                crate::layers::scale(gradients, share);
                memory.step(0, values, gradients, by);
            });
        }
        if self.network.is_table(0) {
            // The first row stands for none.
            let channels = self.network.architecture().input.channels();
            self.network.tensors[0].values[..channels].fill(0.0);
        }
        self.network.weights_changed();
        if self.step.is_multiple_of(AVERAGE_EVERY) {
            // In the beginning the average looks back over what there is.
            let over = config.average_over.min(self.step as f32 / 4.0) / AVERAGE_EVERY as f32;
            let share = 1.0 / (1.0 + over);
            for (average, tensor) in self.average.iter_mut().zip(&self.network.tensors) {
                self.arch.dispatch(|| {
                    for (average, value) in average.iter_mut().zip(&tensor.values) {
                        *average += share * (value - *average);
                    }
                });
            }
        }
    }

    /// Calls `work` with the net as it would be kept now: with its averaged weights, if there are such.
    pub fn with_kept_weights<T>(&mut self, work: impl FnOnce(&mut Network) -> T) -> T {
        self.swap_average();
        let answer = work(&mut self.network);
        self.swap_average();
        answer
    }

    fn swap_average(&mut self) {
        for (average, tensor) in self.average.iter_mut().zip(&mut self.network.tensors) {
            std::mem::swap(average, &mut tensor.values);
        }
    }
}

/// The weights of a net, list by list.
pub fn weights(network: &Network) -> Vec<Vec<f32>> {
    network.tensors.iter().map(|tensor| tensor.values.clone()).collect()
}
