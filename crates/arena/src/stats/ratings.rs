//! Ratings of a pool of players from all their games, with anchors and error bars.
//!
//! The most probable ratings under the logistic model, where a draw counts as half a win and half a loss. The prior is two
//! drawn games spread over the opponents that a player met: it keeps the rating of an unbeaten player finite and vanishes
//! against real games.

use super::elo::Interval;

/// Points between two players.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Encounter {
    /// The two players, as indices into the pool.
    pub players: (usize, usize),
    /// Points of the first player.
    pub points: f64,
    /// Games between the two.
    pub games: f64,
}

/// The rating of one player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// Elo with the half width of the 95 % interval; an anchor has none.
    pub elo: Interval,
    /// Points in all games.
    pub points: f64,
    /// Games played.
    pub games: f64,
}

const PRIOR_DRAWS: f64 = 2.0;
/// Natural units per Elo.
const SCALE: f64 = std::f64::consts::LN_10 / 400.0;
const Z95: f64 = 1.959_963_984_540_054;

/// Rates `players` players. Anchors are (player, rating); without one the mean rating is 0.
pub fn rate(players: usize, encounters: &[Encounter], anchors: &[(usize, f64)]) -> Vec<Rating> {
    let with_prior = add_prior(players, encounters);
    let mut elo = vec![0.0; players];
    for &(player, rating) in anchors {
        elo[player] = rating;
    }
    let anchored: Vec<bool> = (0..players).map(|p| anchors.iter().any(|&(a, _)| a == p)).collect();
    let start = anchors.iter().map(|&(_, rating)| rating).sum::<f64>() / anchors.len().max(1) as f64;
    for player in (0..players).filter(|&p| !anchored[p]) {
        elo[player] = start;
    }
    let mut information = vec![vec![0.0; players]; players];
    for _ in 0..200 {
        let mut gradient = vec![0.0; players];
        (gradient, information) = slope_and_information(gradient, &elo, &with_prior);
        pin(&mut information, &mut gradient, &anchored);
        let Some(inverse) = inverse(&information) else { break };
        let mut largest = 0.0f64;
        for player in (0..players).filter(|&p| !anchored[p]) {
            let step: f64 = inverse[player].iter().zip(&gradient).map(|(a, b)| a * b).sum();
            // A cautious step: far from the answer the curve is flat and Newton overshoots.
            let step = step.clamp(-200.0, 200.0);
            elo[player] += step;
            largest = largest.max(step.abs());
        }
        if largest < 1e-9 {
            break;
        }
    }
    let covariance = inverse(&information);
    if anchors.is_empty() {
        let mean = elo.iter().sum::<f64>() / players.max(1) as f64;
        for rating in &mut elo {
            *rating -= mean;
        }
    }
    (0..players)
        .map(|player| {
            let variance = covariance.as_ref().map_or(0.0, |matrix| spread(matrix, player, &anchored));
            let error = if anchored[player] { 0.0 } else { Z95 * variance.max(0.0).sqrt() };
            let of = |e: &Encounter| match e.players {
                (a, _) if a == player => Some((e.points, e.games)),
                (_, b) if b == player => Some((e.games - e.points, e.games)),
                _ => None,
            };
            let (points, games) =
                encounters.iter().filter_map(of).fold((0.0, 0.0), |sum, e| (sum.0 + e.0, sum.1 + e.1));
            Rating { elo: Interval { value: elo[player], error }, points, games }
        })
        .collect()
}

/// The variance of a rating: against the anchors, or against the mean of the pool.
fn spread(covariance: &[Vec<f64>], player: usize, anchored: &[bool]) -> f64 {
    if anchored.iter().any(|&fixed| fixed) {
        return covariance[player][player];
    }
    // The pin added the same large constant to every entry; seen against the mean it cancels.
    let n = covariance.len() as f64;
    let row: f64 = covariance[player].iter().sum::<f64>() / n;
    let all: f64 = covariance.iter().flatten().sum::<f64>() / (n * n);
    covariance[player][player] - 2.0 * row + all
}

fn add_prior(players: usize, encounters: &[Encounter]) -> Vec<Encounter> {
    let met: Vec<f64> = (0..players)
        .map(|p| encounters.iter().filter(|e| e.players.0 == p || e.players.1 == p).count() as f64)
        .collect();
    encounters
        .iter()
        .map(|e| {
            let draws = PRIOR_DRAWS * (1.0 / met[e.players.0] + 1.0 / met[e.players.1]) / 2.0;
            Encounter { points: e.points + draws / 2.0, games: e.games + draws, ..*e }
        })
        .collect()
}

type Matrix = Vec<Vec<f64>>;

fn slope_and_information(
    mut gradient: Vec<f64>,
    elo: &[f64],
    encounters: &[Encounter],
) -> (Vec<f64>, Matrix) {
    let n = elo.len();
    let mut information = vec![vec![0.0; n]; n];
    for e in encounters {
        let (a, b) = e.players;
        let expected = 1.0 / (1.0 + ((elo[b] - elo[a]) * SCALE).exp());
        let surplus = SCALE * (e.points - e.games * expected);
        gradient[a] += surplus;
        gradient[b] -= surplus;
        let weight = SCALE * SCALE * e.games * expected * (1.0 - expected);
        information[a][a] += weight;
        information[b][b] += weight;
        information[a][b] -= weight;
        information[b][a] -= weight;
    }
    (gradient, information)
}

/// Makes the information invertible: anchors do not move, and without any the mean does not.
fn pin(information: &mut Matrix, gradient: &mut [f64], anchored: &[bool]) {
    let n = gradient.len();
    if anchored.iter().any(|&fixed| fixed) {
        for player in (0..n).filter(|&p| anchored[p]) {
            gradient[player] = 0.0;
            information[player].fill(0.0);
            for row in information.iter_mut() {
                row[player] = 0.0;
            }
            information[player][player] = 1.0;
        }
    } else {
        let stiffness = SCALE * SCALE / n as f64;
        information.iter_mut().flatten().for_each(|entry| *entry += stiffness);
    }
    // A player without games hangs in the air: a wide prior of his own keeps the matrix regular.
    for (player, row) in information.iter_mut().enumerate() {
        row[player] += 1e-12;
    }
}

/// The inverse by elimination with pivoting, nothing for a singular matrix.
fn inverse(matrix: &Matrix) -> Option<Matrix> {
    let n = matrix.len();
    let mut rows: Matrix = matrix
        .iter()
        .enumerate()
        .map(|(i, row)| row.iter().copied().chain((0..n).map(|j| f64::from(u8::from(i == j)))).collect())
        .collect();
    for column in 0..n {
        let pivot = (column..n).max_by(|&a, &b| rows[a][column].abs().total_cmp(&rows[b][column].abs()))?;
        rows.swap(column, pivot);
        let head = rows[column][column];
        if head.abs() < 1e-300 {
            return None;
        }
        rows[column].iter_mut().for_each(|entry| *entry /= head);
        let pivot_row = rows[column].clone();
        for (i, row) in rows.iter_mut().enumerate() {
            let factor = row[column];
            if i != column && factor != 0.0 {
                row.iter_mut().zip(&pivot_row).for_each(|(entry, p)| *entry -= factor * p);
            }
        }
    }
    Some(rows.into_iter().map(|row| row[n..].to_vec()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::score_of_elo;

    fn meet(a: usize, b: usize, points: f64, games: f64) -> Encounter {
        Encounter { players: (a, b), points, games }
    }

    #[test]
    fn true_ratings_are_found_again_from_expected_scores() {
        let truth = [0.0, 150.0, 320.0, -90.0];
        let games = 1e6;
        let mut encounters = Vec::new();
        for a in 0..4 {
            for b in a + 1..4 {
                encounters.push(meet(a, b, games * score_of_elo(truth[a] - truth[b]), games));
            }
        }
        let ratings = rate(4, &encounters, &[(0, 0.0)]);
        for (rating, truth) in ratings.iter().zip(truth) {
            assert!((rating.elo.value - truth).abs() < 0.01, "{rating:?} is not {truth}");
        }
        let centred = rate(4, &encounters, &[]);
        let mean = truth.iter().sum::<f64>() / 4.0;
        for (rating, truth) in centred.iter().zip(truth) {
            assert!((rating.elo.value - truth + mean).abs() < 0.01);
        }
    }

    /// Two players: the error bar against an anchor is that of the binomial score, 400 / ln 10 / sqrt(n p (1 - p)).
    #[test]
    fn the_error_bar_of_a_pair_is_the_binomial_one() {
        let ratings = rate(2, &[meet(0, 1, 7500.0, 10_000.0)], &[(1, 1000.0)]);
        assert!((ratings[0].elo.value - 1190.85).abs() < 0.1, "{:?}", ratings[0]);
        let expected = 1.96 / SCALE / (10_000.0f64 * 0.75 * 0.25).sqrt();
        assert!((ratings[0].elo.error - expected).abs() < 0.01, "{:?} {expected}", ratings[0]);
        assert_eq!(ratings[1].elo, Interval { value: 1000.0, error: 0.0 });
    }

    #[test]
    fn an_unbeaten_player_and_one_without_games_stay_finite() {
        let ratings = rate(3, &[meet(0, 1, 20.0, 20.0)], &[]);
        assert!(ratings.iter().all(|r| r.elo.value.is_finite() && r.elo.error.is_finite()));
        assert!(ratings[0].elo.value > ratings[1].elo.value + 300.0);
        assert!(ratings[2].elo.error > ratings[0].elo.error);
        assert_eq!(ratings[0].games, 20.0);
    }
}
