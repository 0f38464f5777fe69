//! Elo and normalised Elo with 95 % intervals, and the likelihood of superiority.

use super::Tally;

/// The 97.5 % quantile of the normal distribution: 95 % lie within this many standard deviations.
const Z95: f64 = 1.959_963_984_540_054;
/// Elo per unit of (score - 1/2) / standard deviation: the slope of the logistic curve in the middle is 800 / ln 10 / 4 per
/// unit of score, and the standard deviation of a game without draws is 1/2.
pub(super) const NORMALISED_ELO_UNIT: f64 = 800.0 / std::f64::consts::LN_10;
/// Scores are kept this far from 0 and 1, some 1600 Elo, so that every figure stays finite.
const SCORE_EDGE: f64 = 1e-4;

/// A value with the half width of its 95 % interval.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Interval {
    /// The estimate.
    pub value: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
}

/// What a tally says about the difference of strength.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Estimate {
    /// Share of the points.
    pub score: f64,
    /// Logistic Elo difference.
    pub elo: Interval,
    /// Normalised Elo difference: the difference in units of the spread of one game.
    pub normalised: Interval,
    /// Probability of being the stronger side.
    pub los: f64,
    /// Share of pairs that were split evenly, or of drawn games when games were not paired.
    pub draw_ratio: f64,
    /// Pairs won per pair lost, infinite without a lost one; nothing when no pair was decided.
    pub pairs_ratio: Option<f64>,
    /// Whether every observation was won or every one lost, so that the Elo is only a bound.
    pub one_sided: bool,
}

impl Estimate {
    /// The estimate of a tally, nothing for one without games.
    ///
    /// When one side has every point the likelihood has no maximum; the estimate is then that of half a point given to
    /// the other side, which every real difference exceeds.
    pub fn of(tally: &Tally) -> Option<Estimate> {
        let (mut counts, games_each) = tally.observations();
        let total: f64 = counts.iter().map(|(_, count)| count).sum();
        if total == 0.0 {
            return None;
        }
        let (half_lost, half_won) = (counts.len() / 2, counts.len() / 2 + 1);
        let lost: f64 = counts[..half_lost].iter().map(|(_, count)| count).sum();
        let won: f64 = counts[half_won..].iter().map(|(_, count)| count).sum();
        let draw_ratio = counts[half_lost].1 / total;
        let last = counts.len() - 1;
        let one_sided = counts[0].1 == total || counts[last].1 == total;
        let true_score = mean_and_variance(&counts, total).0;
        if one_sided {
            let (full, next) = if counts[0].1 == total { (0, 1) } else { (last, last - 1) };
            counts[full].1 -= 1.0;
            counts[next].1 += 1.0;
        }
        let (score, variance) = mean_and_variance(&counts, total);
        let deviation = (variance / total).sqrt();
        let (low, high) = (elo_of_score(score - Z95 * deviation), elo_of_score(score + Z95 * deviation));
        let per_game = (games_each * variance).sqrt();
        let normalised = if per_game > 0.0 { (score - 0.5) / per_game * NORMALISED_ELO_UNIT } else { 0.0 };
        let los = if deviation > 0.0 { normal_cdf((score - 0.5) / deviation) } else { 0.5 };
        Some(Estimate {
            score: true_score,
            elo: Interval { value: elo_of_score(score), error: (high - low) / 2.0 },
            normalised: Interval {
                value: normalised,
                error: Z95 * NORMALISED_ELO_UNIT / (games_each * total).sqrt(),
            },
            los,
            draw_ratio,
            pairs_ratio: (lost + won > 0.0).then(|| won / lost),
            one_sided,
        })
    }
}

/// The Elo difference at which a side is expected to score this share.
pub fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(SCORE_EDGE, 1.0 - SCORE_EDGE);
    400.0 * (score / (1.0 - score)).log10()
}

/// The share of points expected at an Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

fn mean_and_variance(counts: &[(f64, f64)], total: f64) -> (f64, f64) {
    let mean = counts.iter().map(|(score, count)| score * count).sum::<f64>() / total;
    let variance = counts.iter().map(|(score, count)| count * (score - mean).powi(2)).sum::<f64>() / total;
    (mean, variance)
}

/// The normal distribution function, by the complementary error function's continued fraction in the tails and its
/// series in the middle.
pub(super) fn normal_cdf(x: f64) -> f64 {
    let z = x.abs();
    let upper_tail = if z < 3.0 {
        let (mut term, mut sum, mut k) = (z, z, 0.0);
        while term.abs() > 1e-17 * sum.abs() {
            k += 1.0;
            term *= -z * z / 2.0 / k * (2.0 * k - 1.0) / (2.0 * k + 1.0);
            sum += term;
        }
        0.5 - sum / (2.0 * std::f64::consts::PI).sqrt()
    } else {
        let fraction = (1..=60).rev().fold(0.0, |tail, k| f64::from(k) / (z + tail));
        (-z * z / 2.0).exp() / (2.0 * std::f64::consts::PI).sqrt() / (z + fraction)
    };
    if x < 0.0 { upper_tail } else { 1.0 - upper_tail }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, published: f64, unit: f64) {
        assert!((found - published).abs() <= unit * 0.51, "{found} is not the published {published}");
    }

    /// The pairs and figures that fastchess' own tests of its pentanomial Elo state.
    #[test]
    fn pentanomial_elo_matches_the_published_examples_of_fastchess() {
        let examples = [
            ([34, 54, 63, 64, 75], (55.58, 27.65), (57.94, 28.28)),
            ([332, 433, 498, 333, 334], (-8.64, 10.33), (-9.17, 10.96)),
            ([7895, 8757, 5685, 568, 9999], (-21.04, 2.95), (-19.01, 2.65)),
        ];
        for (pairs, elo, nelo) in examples {
            let found = Estimate::of(&Tally::of_pairs(pairs)).unwrap();
            close(found.elo.value, elo.0, 0.01);
            close(found.elo.error, elo.1, 0.01);
            close(found.normalised.value, nelo.0, 0.01);
            close(found.normalised.error, nelo.1, 0.01);
        }
        let second = Estimate::of(&Tally::of_pairs(examples[1].0)).unwrap();
        close(second.los * 100.0, 5.05, 0.01);
    }

    /// Two match reports of fastchess published with release 0.3.2 of the chess engine Dual.
    #[test]
    fn whole_reports_match_two_published_matches() {
        let first = Estimate::of(&Tally::of_pairs([16, 82, 222, 150, 61])).unwrap();
        close(first.elo.value, 52.08, 0.01);
        close(first.elo.error, 14.57, 0.01);
        close(first.normalised.value, 75.87, 0.01);
        close(first.normalised.error, 20.90, 0.01);
        close(first.draw_ratio * 100.0, 41.81, 0.01);
        close(first.pairs_ratio.unwrap(), 2.15, 0.01);
        close(first.score * 100.0, 57.44, 0.01);
        let second = Estimate::of(&Tally::of_pairs([49, 48, 154, 49, 60])).unwrap();
        close(second.elo.value, 11.10, 0.01);
        close(second.elo.error, 21.86, 0.01);
        close(second.normalised.value, 12.92, 0.01);
        close(second.los * 100.0, 84.08, 0.01);
        close(second.pairs_ratio.unwrap(), 1.12, 0.01);
    }

    /// The games and figures that fastchess' own tests of its Elo from wins, losses and draws state.
    #[test]
    fn unpaired_games_match_the_published_examples_of_fastchess() {
        let even = Estimate::of(&Tally::of_games(76, 89, 123)).unwrap();
        close(even.normalised.value, -20.76, 0.01);
        close(even.normalised.error, 40.13, 0.01);
        close(even.los * 100.0, 15.53, 0.01);
        let ahead = Estimate::of(&Tally::of_games(136, 96, 111)).unwrap();
        close(ahead.elo.value, 40.70, 0.01);
        close(ahead.elo.error, 30.43, 0.01);
        close(ahead.normalised.value, 49.77, 0.01);
        close(ahead.los * 100.0, 99.60, 0.01);
        let behind = Estimate::of(&Tally::of_games(34, 356, 0)).unwrap();
        close(behind.normalised.value, -508.44, 0.01);
        close(behind.normalised.error, 34.48, 0.01);
    }

    #[test]
    fn a_clean_sweep_gives_a_finite_bound() {
        let sweep = Estimate::of(&Tally::of_pairs([0, 0, 0, 0, 50])).unwrap();
        assert!(sweep.one_sided && sweep.elo.value > 800.0 && sweep.elo.error.is_finite());
        assert_eq!(sweep.score, 1.0);
        assert!(sweep.los > 0.999);
        let beaten = Estimate::of(&Tally::of_pairs([50, 0, 0, 0, 0])).unwrap();
        assert!((beaten.elo.value + sweep.elo.value).abs() < 1e-9);
        assert_eq!(Estimate::of(&Tally::default()), None);
    }

    #[test]
    fn the_normal_distribution_has_its_tabulated_values() {
        for (x, p) in [(0.0, 0.5), (1.0, 0.841_344_746), (-1.96, 0.024_997_895), (3.5, 0.999_767_371)] {
            assert!((normal_cdf(x) - p).abs() < 1e-9, "{x}");
        }
    }
}
