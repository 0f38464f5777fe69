//! The steps of a training run: batches in the order of their epochs, and between them
//! measurements, checkpoints and the question whether to stop.

use crate::run_files::RunError;
use std::time::Instant;

/// How long a run is, and how often something is done between its steps.
pub struct Pace {
    /// Steps in all.
    pub steps: usize,
    /// Steps of a pass over the samples.
    pub per_epoch: usize,
    /// Samples of a step.
    pub batch: usize,
    /// Steps between measurements.
    pub measure_every: usize,
    /// Steps between checkpoints.
    pub checkpoint_every: usize,
}

/// What was done since the last measurement.
pub struct Lap<const LOSSES: usize> {
    /// Steps done in all.
    pub step: usize,
    /// Passes over the samples done in all.
    pub epoch: f64,
    /// The step size of the last step.
    pub rate: f32,
    /// The mean of each loss.
    pub losses: [f64; LOSSES],
    /// Samples learned from per second.
    pub samples_per_second: f64,
}

/// A net in training, with some kinds of losses.
pub trait Training<const LOSSES: usize> {
    /// What names a sample.
    type Sample;

    /// Steps done.
    fn step_count(&self) -> usize;

    /// The samples in the order of an epoch.
    fn order(&self, epoch: usize) -> Vec<Self::Sample>;

    /// The step size of a step.
    fn rate(&self, step: usize) -> f32;

    /// Learns from a batch, which is one step; answers its mean losses.
    fn learn(&mut self, batch: &[Self::Sample], rate: f32) -> [f64; LOSSES];

    /// Whether the weights are still numbers.
    fn is_finite(&self) -> bool;

    /// Measures the net and puts it on record.
    fn measure(&mut self, lap: &Lap<LOSSES>) -> Result<(), RunError>;

    /// Writes a checkpoint.
    fn keep(&self) -> Result<(), RunError>;
}

/// Goes on to the last step or until `stop` answers true, and leaves a checkpoint either way.
/// Returns whether the last step is done.
pub fn train<const LOSSES: usize>(
    training: &mut impl Training<LOSSES>,
    pace: &Pace,
    stop: impl Fn() -> bool,
) -> Result<bool, RunError> {
    let mut kept = training.step_count();
    let mut epoch_order = None;
    let (mut sums, mut since, mut clock) = ([0.0; LOSSES], kept, Instant::now());
    while training.step_count() < pace.steps {
        let step = training.step_count();
        let (epoch, at) = (step / pace.per_epoch, step % pace.per_epoch);
        let order = match &mut epoch_order {
            Some((of, order)) if *of == epoch => order,
            other => &mut other.insert((epoch, training.order(epoch))).1,
        };
        let rate = training.rate(step);
        let losses = training.learn(&order[at * pace.batch..(at + 1) * pace.batch], rate);
        if !losses.iter().sum::<f64>().is_finite() {
            return Err(RunError::Diverged { step, kept });
        }
        sums.iter_mut().zip(losses).for_each(|(sum, loss)| *sum += loss);
        let done = training.step_count();
        let is_last = done == pace.steps;
        if done.is_multiple_of(pace.measure_every) || is_last {
            let count = (done - since) as f64;
            let lap = Lap {
                step: done,
                epoch: done as f64 / pace.per_epoch as f64,
                rate,
                losses: sums.map(|sum| sum / count),
                samples_per_second: count * pace.batch as f64 / clock.elapsed().as_secs_f64(),
            };
            training.measure(&lap)?;
            (sums, since, clock) = ([0.0; LOSSES], done, Instant::now());
        }
        if done.is_multiple_of(pace.checkpoint_every) || is_last {
            if !training.is_finite() {
                return Err(RunError::Diverged { step, kept });
            }
            training.keep()?;
            kept = done;
        } else if stop() {
            training.keep()?;
            return Ok(false);
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::{Cell, RefCell};

    /// Counts instead of learning; its one loss is the number of the step.
    struct Counter {
        step: usize,
        learned: Vec<u32>,
        laps: Vec<(usize, f64)>,
        kept: RefCell<Vec<usize>>,
        breaks_at: usize,
    }

    impl Counter {
        fn at(step: usize) -> Counter {
            let (learned, laps, kept) = (Vec::new(), Vec::new(), RefCell::default());
            Counter { step, learned, laps, kept, breaks_at: usize::MAX }
        }
    }

    impl Training<1> for Counter {
        type Sample = u32;

        fn step_count(&self) -> usize {
            self.step
        }

        fn order(&self, epoch: usize) -> Vec<u32> {
            (0..6).map(|number| 10 * epoch as u32 + number).collect()
        }

        fn rate(&self, _: usize) -> f32 {
            1.0
        }

        fn learn(&mut self, batch: &[u32], _: f32) -> [f64; 1] {
            self.learned.extend(batch);
            self.step += 1;
            [if self.step == self.breaks_at { f64::NAN } else { self.step as f64 }]
        }

        fn is_finite(&self) -> bool {
            true
        }

        fn measure(&mut self, lap: &Lap<1>) -> Result<(), RunError> {
            self.laps.push((lap.step, lap.losses[0]));
            Ok(())
        }

        fn keep(&self) -> Result<(), RunError> {
            self.kept.borrow_mut().push(self.step);
            Ok(())
        }
    }

    const PACE: Pace = Pace { steps: 7, per_epoch: 3, batch: 2, measure_every: 4, checkpoint_every: 5 };

    #[test]
    fn every_sample_of_an_epoch_is_learned_and_the_end_is_measured_and_kept() {
        let mut counter = Counter::at(0);
        assert!(train(&mut counter, &PACE, || false).unwrap());
        assert_eq!(counter.learned, [0, 1, 2, 3, 4, 5, 10, 11, 12, 13, 14, 15, 20, 21]);
        assert_eq!(counter.laps, [(4, 2.5), (7, 6.0)]);
        assert_eq!(counter.kept.take(), [5, 7]);
    }

    #[test]
    fn a_run_that_was_stopped_goes_on_with_the_next_batch() {
        let mut first = Counter::at(0);
        let asked = Cell::new(0);
        let stop = || asked.replace(asked.get() + 1) == 1;
        assert!(!train(&mut first, &PACE, stop).unwrap());
        assert_eq!((first.step, first.kept.take()), (2, vec![2]));
        let mut second = Counter::at(2);
        assert!(train(&mut second, &PACE, || false).unwrap());
        assert_eq!([first.learned, second.learned].concat().len(), 14);
        assert_eq!(second.laps[0], (4, 3.5), "only its own steps count");
    }

    #[test]
    fn a_loss_that_is_no_number_ends_the_run_with_the_last_checkpoint() {
        let mut counter = Counter { breaks_at: 7, ..Counter::at(0) };
        let error = train(&mut counter, &PACE, || false).unwrap_err();
        assert!(matches!(error, RunError::Diverged { step: 6, kept: 5 }), "{error}");
    }
}
