//! Simultaneous perturbation stochastic approximation: the arithmetic alone.
//!
//! In iteration k of N every number is moved by +-c(k) at once, the two opposite sets play, and
//! every number then follows its own sign by R(k) c(k) times the difference of won and lost games:
//!
//! - c(k) = step (N / k)^0.101, so that the last iterations perturb by `step`;
//! - R(k) = rate ((A + N) / (A + k))^0.602 (k / N)^0.202 with A = N / 10, so that they learn by
//!   `rate`.

use fivestone_engine::Rng;

/// How fast learning slows down.
const ALPHA: f64 = 0.602;
/// How fast perturbations shrink.
const GAMMA: f64 = 0.101;
/// The part of the iterations that steadies the first ones.
const STEADY: f64 = 0.1;

/// A number that is tuned.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Number {
    /// The smallest value.
    pub low: f64,
    /// The largest value.
    pub high: f64,
    /// The perturbation in the last iteration.
    pub step: f64,
    /// Steps that the last iteration moves by for each game won more than lost.
    pub rate: f64,
    /// Whether only whole numbers can be played with.
    pub whole: bool,
}

/// The tuning of some numbers over a given count of iterations.
#[derive(Clone, PartialEq, Debug)]
pub struct Spsa {
    /// What is tuned.
    pub numbers: Vec<Number>,
    /// How many iterations there are.
    pub iterations: u64,
}

/// Two opposite sets of values to be played against each other.
#[derive(Clone, PartialEq, Debug)]
pub struct Trial {
    /// Which iteration, from 1.
    pub iteration: u64,
    /// +1 where `plus` has the larger value, -1 where it has the smaller one.
    pub signs: Vec<f64>,
    /// The values on one side.
    pub plus: Vec<f64>,
    /// The values on the other side.
    pub minus: Vec<f64>,
}

impl Spsa {
    /// The perturbation of a number in an iteration.
    pub fn perturbation(&self, number: usize, iteration: u64) -> f64 {
        self.numbers[number].step * (self.iterations as f64 / iteration as f64).powf(GAMMA)
    }

    /// By how many perturbations a number moves for each game won more than lost.
    pub fn rate(&self, number: usize, iteration: u64) -> f64 {
        let (all, now) = (self.iterations as f64, iteration as f64);
        let steady = STEADY * all;
        let slowing = ((steady + all) / (steady + now)).powf(ALPHA);
        self.numbers[number].rate * slowing * (now / all).powf(2.0 * GAMMA)
    }

    /// The trial of an iteration, from 1, around some values.
    ///
    /// Whole numbers are rounded up as often as they are near the larger one, both sides alike.
    pub fn trial(&self, values: &[f64], iteration: u64, rng: &mut Rng) -> Trial {
        let signs: Vec<f64> = values.iter().map(|_| if rng.bits() >> 63 == 0 { 1.0 } else { -1.0 }).collect();
        let (mut plus, mut minus) = (Vec::new(), Vec::new());
        for (index, number) in self.numbers.iter().enumerate() {
            let by = signs[index] * self.perturbation(index, iteration);
            let chance = rng.unit();
            plus.push(number.playable(values[index] + by, chance));
            minus.push(number.playable(values[index] - by, chance));
        }
        Trial { iteration, signs, plus, minus }
    }

    /// Moves the values after a trial in which `plus` won this many games more than it lost.
    pub fn learn(&self, values: &mut [f64], trial: &Trial, surplus: f64) {
        for (index, number) in self.numbers.iter().enumerate() {
            let iteration = trial.iteration;
            let by = self.rate(index, iteration) * self.perturbation(index, iteration);
            let moved = values[index] + by * trial.signs[index] * surplus;
            values[index] = moved.clamp(number.low, number.high);
        }
    }
}

impl Number {
    /// The nearest value that can be played with; `chance` in [0, 1) rounds whole numbers.
    fn playable(&self, value: f64, chance: f64) -> f64 {
        let value = if self.whole { (value + chance).floor() } else { value };
        value.clamp(self.low, self.high)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(low: f64, high: f64, step: f64) -> Number {
        Number { low, high, step, rate: 0.01, whole: false }
    }

    /// Games whose result depends on how far each side is from the best values, as Elo would have
    /// it.
    fn play(trial: &Trial, best: &[f64], scale: &[f64], rng: &mut Rng) -> f64 {
        let loss = |values: &[f64]| -> f64 {
            values.iter().zip(best).zip(scale).map(|((v, b), s)| ((v - b) / s).powi(2)).sum()
        };
        let better = loss(&trial.minus) - loss(&trial.plus);
        let expected = 1.0 / (1.0 + (-better).exp());
        (0..2).map(|_| if rng.unit() < expected { 1.0 } else { -1.0 }).sum()
    }

    #[test]
    fn a_noisy_quadratic_is_climbed() {
        let numbers = vec![number(0.0, 10.0, 0.3), number(-1.0, 1.0, 0.08), number(1.0, 1000.0, 20.0)];
        let spsa = Spsa { numbers, iterations: 4000 };
        let (best, scale) = ([2.0, 0.4, 250.0], [1.0, 0.3, 80.0]);
        for seed in 1..=5 {
            let mut values = vec![3.5, -0.1, 150.0];
            let mut rng = Rng::new(seed);
            for iteration in 1..=spsa.iterations {
                let trial = spsa.trial(&values, iteration, &mut rng);
                let surplus = play(&trial, &best, &scale, &mut rng);
                spsa.learn(&mut values, &trial, surplus);
            }
            for ((value, best), scale) in values.iter().zip(best).zip(scale) {
                assert!((value - best).abs() < 0.35 * scale, "seed {seed}: {values:?}");
            }
        }
    }

    #[test]
    fn the_last_iteration_has_the_gains_that_were_asked_for() {
        let spsa = Spsa { numbers: vec![number(0.0, 1.0, 0.05)], iterations: 500 };
        assert!((spsa.perturbation(0, 500) - 0.05).abs() < 1e-12);
        assert!((spsa.rate(0, 500) - 0.01).abs() < 1e-12);
        assert!(spsa.perturbation(0, 1) > spsa.perturbation(0, 100));
        assert!(spsa.rate(0, 50) > spsa.rate(0, 400));
    }

    #[test]
    fn values_stay_in_their_ranges() {
        let spsa = Spsa { numbers: vec![number(0.0, 1.0, 0.3)], iterations: 10 };
        let mut rng = Rng::new(1);
        let mut values = vec![1.0];
        for iteration in 1..=10 {
            let trial = spsa.trial(&values, iteration, &mut rng);
            for side in [&trial.plus, &trial.minus] {
                assert!((0.0..=1.0).contains(&side[0]), "{trial:?}");
            }
            spsa.learn(&mut values, &trial, 2.0 * trial.signs[0]);
            assert!((0.0..=1.0).contains(&values[0]));
        }
    }

    #[test]
    fn whole_numbers_are_played_whole_and_right_on_average() {
        let whole = Number { whole: true, ..number(2.0, 60.0, 0.4) };
        let spsa = Spsa { numbers: vec![whole], iterations: 1 };
        let mut rng = Rng::new(7);
        let (mut sum, mut difference) = (0.0, 0.0);
        let rounds = 20_000;
        for _ in 0..rounds {
            let trial = spsa.trial(&[20.3], 1, &mut rng);
            assert_eq!(trial.plus[0].fract() + trial.minus[0].fract(), 0.0);
            sum += trial.plus[0] + trial.minus[0];
            difference += (trial.plus[0] - trial.minus[0]) * trial.signs[0];
        }
        let each = |total: f64| total / rounds as f64;
        assert!((each(sum) / 2.0 - 20.3).abs() < 0.02, "{}", each(sum) / 2.0);
        assert!((each(difference) - 0.8).abs() < 0.02, "{}", each(difference));
    }
}
