//! Batch norm: each channel is brought to mean 0 and spread 1 over the cells of a batch, then scaled and shifted.

use crate::layers::scale;

/// How much of the past the remembered statistics keep.
const KEPT: f32 = 0.98;
/// Added to a variance before its root is taken.
const EPSILON: f32 = 1e-3;

/// What a batch norm remembers.
#[derive(Clone, PartialEq, Debug)]
pub struct BatchNorm {
    /// Running means of the channels.
    pub means: Vec<f32>,
    /// Running variances of the channels.
    pub variances: Vec<f32>,
    /// One over the spread of the last batch.
    inverse: Vec<f32>,
}

/// The cells of a sample, its numbers, and the same numbers at mean 0 and spread 1.
pub type NormSample<'a> = (&'a [u32], &'a mut Vec<f32>, &'a mut Vec<f32>);

fn channels_of(numbers: &mut [f32], cell: u32, channels: usize) -> &mut [f32] {
    &mut numbers[cell as usize * channels..][..channels]
}

impl BatchNorm {
    /// Nothing seen yet.
    pub fn new(channels: usize) -> BatchNorm {
        BatchNorm { means: vec![0.0; channels], variances: vec![1.0; channels], inverse: vec![1.0; channels] }
    }

    /// Normalises, scales, shifts and rectifies the samples of a batch. In training by their own statistics, which are
    /// remembered; else by those remembered.
    pub fn forward(&mut self, samples: &mut [NormSample], scales: &[f32], shift: &[f32], training: bool) {
        let channels = scales.len();
        let (means, variances) = if training {
            let (means, variances) = statistics(samples, channels);
            for (kept, new) in [(&mut self.means, &means), (&mut self.variances, &variances)] {
                kept.iter_mut().zip(new).for_each(|(kept, new)| *kept = KEPT * *kept + (1.0 - KEPT) * new);
            }
            (means, variances)
        } else {
            (self.means.clone(), self.variances.clone())
        };
        self.inverse = variances.iter().map(|variance| 1.0 / (variance + EPSILON).sqrt()).collect();
        for (cells, numbers, normalised) in samples {
            for &cell in *cells {
                let numbers = channels_of(numbers, cell, channels);
                let normalised = channels_of(normalised, cell, channels);
                for c in 0..channels {
                    normalised[c] = (numbers[c] - means[c]) * self.inverse[c];
                    numbers[c] = (normalised[c] * scales[c] + shift[c]).max(0.0);
                }
            }
        }
    }

    /// The way back: turns the gradients of the scaled numbers into those of the numbers that came in, and adds to those of
    /// scale and shift.
    pub fn backward(
        &self,
        samples: &mut [NormSample],
        scales: &[f32],
        scale_gradients: &mut [f32],
        shift_gradients: &mut [f32],
    ) {
        let channels = scales.len();
        let (mut sums, mut products, mut count) = (vec![0.0; channels], vec![0.0; channels], 0);
        for (cells, gradients, normalised) in samples.iter_mut() {
            count += cells.len();
            for &cell in *cells {
                let gradients = channels_of(gradients, cell, channels);
                let normalised = channels_of(normalised, cell, channels);
                for c in 0..channels {
                    sums[c] += gradients[c];
                    products[c] += gradients[c] * normalised[c];
                }
            }
        }
        for c in 0..channels {
            shift_gradients[c] += sums[c];
            scale_gradients[c] += products[c];
        }
        let share = 1.0 / count.max(1) as f32;
        for (cells, gradients, normalised) in samples {
            for &cell in *cells {
                let gradients = channels_of(gradients, cell, channels);
                let normalised = channels_of(normalised, cell, channels);
                for c in 0..channels {
                    let centred = gradients[c] - share * (sums[c] + normalised[c] * products[c]);
                    gradients[c] = scales[c] * self.inverse[c] * centred;
                }
            }
        }
    }

    /// Works the remembered statistics, scale and shift into the weights and bias of the convolution before.
    pub fn fold(&self, scales: &[f32], shift: &[f32], weights: &mut [f32], bias: &mut [f32]) {
        let factors: Vec<f32> =
            scales.iter().zip(&self.variances).map(|(scale, v)| scale / (v + EPSILON).sqrt()).collect();
        for row in weights.chunks_exact_mut(scales.len()) {
            row.iter_mut().zip(&factors).for_each(|(weight, factor)| *weight *= factor);
        }
        for c in 0..scales.len() {
            bias[c] = (bias[c] - self.means[c]) * factors[c] + shift[c];
        }
    }
}

fn statistics(samples: &mut [NormSample], channels: usize) -> (Vec<f32>, Vec<f32>) {
    let (mut means, mut variances, mut count) = (vec![0.0; channels], vec![0.0; channels], 0);
    for (cells, numbers, _) in samples.iter_mut() {
        count += cells.len();
        for &cell in *cells {
            let numbers = channels_of(numbers, cell, channels);
            means.iter_mut().zip(numbers.iter()).for_each(|(mean, number)| *mean += number);
        }
    }
    let share = 1.0 / count.max(1) as f32;
    scale(&mut means, share);
    for (cells, numbers, _) in samples.iter_mut() {
        for &cell in *cells {
            let numbers = channels_of(numbers, cell, channels);
            for c in 0..channels {
                variances[c] += (numbers[c] - means[c]).powi(2);
            }
        }
    }
    scale(&mut variances, share);
    (means, variances)
}
