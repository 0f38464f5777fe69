//! The sequential probability ratio test on pairs of games.
//!
//! The log-likelihood ratio is the generalised one: under each hypothesis the probabilities of the possible results are
//! those that explain the observations best among all that have the hypothesis' strength. For logistic Elo the strength is
//! the mean score; for normalised Elo it is (mean - 1/2) / standard deviation.

use super::Tally;
use super::elo::{NORMALISED_ELO_UNIT, score_of_elo};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What the bounds of a test are measured in.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Normalised Elo, which makes the length of the test independent of the share of draws.
    Normalized,
    /// Logistic Elo.
    Logistic,
}

/// A test of "at most `elo0`" against "at least `elo1`".
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Sprt {
    /// The strength of the null hypothesis.
    pub elo0: f64,
    /// The strength of the alternative.
    pub elo1: f64,
    /// Probability of accepting `elo1` when `elo0` is true.
    pub alpha: f64,
    /// Probability of accepting `elo0` when `elo1` is true.
    pub beta: f64,
    /// The unit of `elo0` and `elo1`.
    pub model: Model,
}

/// Why a test cannot be run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BadTest {
    /// `elo0` is not below `elo1`.
    Bounds,
    /// An error probability is not between 0 and 1/2.
    Probability,
}

impl fmt::Display for BadTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BadTest::Bounds => "elo0 must be below elo1",
            BadTest::Probability => "alpha and beta must lie between 0 and 0.5",
        })
    }
}

impl std::error::Error for BadTest {}

/// What a test has decided.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// The null hypothesis: not stronger.
    H0,
    /// The alternative: stronger.
    H1,
}

/// A result that was never seen is given this weight, so that no hypothesis is impossible.
const UNSEEN: f64 = 1e-3;

impl Sprt {
    /// Whether the test makes sense.
    pub fn check(&self) -> Result<(), BadTest> {
        if !(self.elo0.is_finite() && self.elo1.is_finite() && self.elo0 < self.elo1) {
            return Err(BadTest::Bounds);
        }
        let probable = |p: f64| p > 0.0 && p < 0.5;
        if probable(self.alpha) && probable(self.beta) { Ok(()) } else { Err(BadTest::Probability) }
    }

    /// The log-likelihood ratios at which H0 and H1 are accepted.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    /// The log-likelihood ratio of the alternative.
    pub fn llr(&self, tally: &Tally) -> f64 {
        let (mut counts, games_each) = tally.observations();
        if counts.iter().all(|&(_, count)| count == 0.0) {
            return 0.0;
        }
        for (_, count) in &mut counts {
            *count = count.max(UNSEEN);
        }
        let total: f64 = counts.iter().map(|(_, count)| count).sum();
        let observed: Vec<(f64, f64)> = counts.iter().map(|&(x, count)| (x, count / total)).collect();
        let fit = |elo: f64| match self.model {
            Model::Logistic => with_mean(&observed, score_of_elo(elo)),
            Model::Normalized => with_t_value(&observed, games_each.sqrt() * elo / NORMALISED_ELO_UNIT),
        };
        let (h0, h1) = (fit(self.elo0), fit(self.elo1));
        let terms = observed.iter().zip(h0.iter().zip(&h1));
        total * terms.map(|(&(_, p), (p0, p1))| p * (p1 / p0).ln()).sum::<f64>()
    }

    /// What the test decides at a log-likelihood ratio, if it can.
    pub fn decision(&self, llr: f64) -> Option<Decision> {
        let (lower, upper) = self.bounds();
        if llr >= upper {
            Some(Decision::H1)
        } else if llr <= lower {
            Some(Decision::H0)
        } else {
            None
        }
    }
}

/// The probabilities nearest to the observed ones (in likelihood) whose mean is `mean`.
fn with_mean(observed: &[(f64, f64)], mean: f64) -> Vec<f64> {
    let deviations: Vec<f64> = observed.iter().map(|(x, _)| x - mean).collect();
    tilted(observed, &deviations)
}

/// The probabilities nearest to the observed ones whose (mean - 1/2) / deviation is `t`.
///
/// The constraint is not linear. At a distribution with mean m and deviation s it has the same value and derivative as
/// the linear one with the coefficients x - 1/2 - t s (1 + ((x - m) / s)^2) / 2, so solving that and starting again from the
/// solution converges to the answer.
fn with_t_value(observed: &[(f64, f64)], t: f64) -> Vec<f64> {
    let mut fitted = vec![1.0 / observed.len() as f64; observed.len()];
    for _ in 0..60 {
        let points = || observed.iter().map(|&(x, _)| x).zip(fitted.iter().copied());
        let mean: f64 = points().map(|(x, p)| x * p).sum();
        let deviation = points().map(|(x, p)| p * (x - mean).powi(2)).sum::<f64>().sqrt();
        let coefficients: Vec<f64> = observed
            .iter()
            .map(|&(x, _)| x - 0.5 - t * deviation * (1.0 + ((x - mean) / deviation).powi(2)) / 2.0)
            .collect();
        let next = tilted(observed, &coefficients);
        let change = next.iter().zip(&fitted).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        fitted = next;
        if change < 1e-12 {
            break;
        }
    }
    fitted
}

/// The most likely probabilities p for which the sum of p times `coefficients` is 0: observed / (1 + k coefficient), with the
/// k that makes it so, found by bisection between the poles.
fn tilted(observed: &[(f64, f64)], coefficients: &[f64]) -> Vec<f64> {
    let largest = coefficients.iter().copied().fold(f64::MIN, f64::max);
    let smallest = coefficients.iter().copied().fold(f64::MAX, f64::min);
    if largest <= 0.0 || smallest >= 0.0 {
        // No distribution on these results has the strength asked for; the observed one is the best there is.
        return observed.iter().map(|&(_, p)| p).collect();
    }
    let excess =
        |k: f64| -> f64 { observed.iter().zip(coefficients).map(|(&(_, p), c)| p * c / (1.0 + k * c)).sum() };
    let (mut low, mut high) = (-1.0 / largest, -1.0 / smallest);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if middle <= low || middle >= high {
            break;
        }
        // The excess falls from +infinity to -infinity between the poles.
        if excess(middle) > 0.0 { low = middle } else { high = middle }
    }
    let k = f64::midpoint(low, high);
    observed.iter().zip(coefficients).map(|(&(_, p), c)| p / (1.0 + k * c)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn test(elo0: f64, elo1: f64, model: Model) -> Sprt {
        Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }
    }

    fn assert_llr(test: Sprt, tally: Tally, published: f64) {
        let llr = test.llr(&tally);
        assert!((llr - published).abs() < 0.0051, "{llr} is not the published {published}");
    }

    /// The cases stated in the discussion of fastchess' change 426 and in its tests, to two decimals.
    #[test]
    fn ratios_match_the_published_examples_of_fastchess() {
        use Model::{Logistic, Normalized};
        let pairs = Tally::of_pairs;
        assert_llr(test(0.0, 2.0, Normalized), pairs([365, 16618, 36229, 16974, 390]), 2.25);
        assert_llr(test(-1.75, 0.25, Normalized), pairs([127, 4883, 10712, 5150, 104]), 3.01);
        assert_llr(test(0.5, 2.5, Logistic), pairs([223, 9863, 21279, 10037, 246]), -3.07);
        assert_llr(test(0.0, 2.0, Logistic), pairs([871, 26175, 55983, 26678, 821]), -4.98);
        assert_llr(test(0.0, 20.0, Normalized), pairs([0, 0, 2, 0, 37]), 2.96);
        assert_llr(test(0.0, 2.0, Normalized), Tally::of_games(36433, 36027, 68692), 0.92);
        assert_llr(test(-1.75, 0.25, Normalized), Tally::of_games(10871, 10650, 20431), 2.30);
        assert_llr(test(0.0, 2.0, Logistic), Tally::of_games(57433, 57030, 106_593), -2.59);
    }

    /// The example shown with fastchess' change 783: accepted at a ratio of 2.94598, computed there by a procedure that stops
    /// three decimals short of convergence.
    #[test]
    fn a_published_test_is_accepted() {
        let sprt = test(0.0, 2.0, Model::Normalized);
        let llr = sprt.llr(&Tally::of_pairs([379, 10170, 21828, 10640, 343]));
        assert!((llr - 2.94598).abs() < 1e-3, "{llr}");
        assert_eq!(sprt.decision(llr), Some(Decision::H1));
        assert!((sprt.bounds().1 - 2.944_439).abs() < 1e-6);
    }

    #[test]
    fn an_even_match_speaks_for_the_null_hypothesis() {
        let sprt = test(0.0, 10.0, Model::Logistic);
        let llr = sprt.llr(&Tally::of_pairs([1000, 2000, 4000, 2000, 1000]));
        assert_eq!(sprt.decision(llr), Some(Decision::H0));
        assert_eq!(sprt.llr(&Tally::default()), 0.0);
        assert_eq!(sprt.decision(0.0), None);
    }

    #[test]
    fn senseless_tests_are_refused() {
        assert_eq!(test(5.0, 0.0, Model::Logistic).check(), Err(BadTest::Bounds));
        let bad = Sprt { alpha: 0.7, ..test(0.0, 5.0, Model::Logistic) };
        assert_eq!(bad.check(), Err(BadTest::Probability));
        assert_eq!(test(0.0, 5.0, Model::Normalized).check(), Ok(()));
    }
}
