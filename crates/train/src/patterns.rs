//! Fits the weights of the pattern evaluation to games: a logistic regression for the value of positions, a softmax
//! regression for the choice of moves.

use crate::ScoredGame;
use fivestone_engine::Rng;
use fivestone_engine::evaluation::{DISTANCES, SHAPES, SetName, UNITS, Weights, distances, shape};
use fivestone_game::{Board, Class, Color, Point};

/// How to fit.
#[derive(Clone, PartialEq, Debug)]
pub struct FitSettings {
    /// Passes over the games.
    pub epochs: usize,
    /// Size of the first steps.
    pub rate: f64,
    /// How much of the value target is the game's result; the rest is the player's own judgement where known.
    pub result_share: f64,
    /// Pull of every weight towards zero.
    pub decay: f64,
    /// One game in this many is held out and measured on.
    pub hold_out: usize,
    /// Seed of the order of games.
    pub seed: u64,
}

impl Default for FitSettings {
    fn default() -> FitSettings {
        FitSettings { epochs: 12, rate: 0.02, result_share: 0.3, decay: 1e-6, hold_out: 20, seed: 1 }
    }
}

/// How well the weights explain games they were not fitted to.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct FitReport {
    /// Positions measured.
    pub positions: usize,
    /// Mean cross-entropy of the value, in nats.
    pub value_loss: f64,
    /// Mean cross-entropy of the chosen move, in nats.
    pub move_loss: f64,
    /// Share of positions in which the chosen move had the highest prior.
    pub top1: f64,
}

/// The weights being fitted, as floats in natural logit units, with what Adagrad remembers.
struct Fit {
    numbers: Vec<f32>,
    squares: Vec<f32>,
    rate: f32,
    decay: f32,
}

const PAIRS: usize = Class::COUNT * Class::COUNT;
const BIAS: usize = 0;
const VALUE: usize = 1;
const PRIOR: usize = VALUE + 2 * SHAPES;
const JOINT_VALUE: usize = PRIOR + 2 * SHAPES;
const JOINT_PRIOR: usize = JOINT_VALUE + PAIRS;
const DISTANCE: usize = JOINT_PRIOR + PAIRS;
const NUMBERS: usize = DISTANCE + 2 * DISTANCES;

/// Fits one set of weights to the games (and sides to move) it is for. Reports after each epoch.
pub fn fit(
    set: SetName,
    games: &[ScoredGame],
    settings: &FitSettings,
    mut report: impl FnMut(usize, FitReport),
) -> Weights {
    let mut fit = Fit {
        numbers: vec![0.0; NUMBERS],
        squares: vec![1e-6; NUMBERS],
        rate: settings.rate as f32,
        decay: settings.decay as f32,
    };
    let mut rng = Rng::new(settings.seed);
    let (held_out, mut order): (Vec<usize>, Vec<usize>) =
        (0..games.len()).partition(|game| game % settings.hold_out == 0);
    for epoch in 0..settings.epochs {
        for i in (1..order.len()).rev() {
            order.swap(i, rng.below(i + 1));
        }
        fit.rate = (settings.rate * (1.0 - epoch as f64 / settings.epochs as f64)) as f32;
        for &game in &order {
            each_sample(set, &games[game], settings, |sample| {
                fit.learn(sample);
            });
        }
        let mut measured = FitReport::default();
        for &game in &held_out {
            each_sample(set, &games[game], settings, |sample| fit.measure(sample, &mut measured));
        }
        let count = measured.positions.max(1) as f64;
        measured.value_loss /= count;
        measured.move_loss /= count;
        measured.top1 /= count;
        report(epoch + 1, measured);
    }
    fit.weights()
}

/// A position to learn from.
struct Sample<'a> {
    board: &'a Board,
    /// Win probability for the side to move.
    target: f64,
    chosen: Point,
}

fn each_sample(set: SetName, game: &ScoredGame, settings: &FitSettings, mut learn: impl FnMut(&Sample)) {
    let mut board = Board::new(game.size, game.rule);
    if game.opening.iter().any(|&point| !matches!(board.play(point), Ok(None))) {
        return;
    }
    for &(chosen, judged) in &game.moves {
        let mover = board.to_move();
        let forced = board.count(Color::Black, Class::Five) + board.count(Color::White, Class::Five) > 0;
        // Where a five is to be made or stopped the searches do not ask the evaluation.
        if SetName::of(game.rule, mover) == set && !forced && board.stone_count() > 0 {
            let result = game.winner.map_or(0.5, |winner| f64::from(u8::from(winner == mover)));
            let share = if judged.is_some() { settings.result_share } else { 1.0 };
            let target = share * result + (1.0 - share) * judged.unwrap_or(result);
            learn(&Sample { board: &board, target, chosen });
        }
        if !matches!(board.play(chosen), Ok(None)) {
            return;
        }
    }
}

impl Fit {
    fn learn(&mut self, sample: &Sample) {
        let board = sample.board;
        let cells: Vec<[usize; 3]> = board.empty().iter().map(|point| value_features(board, point)).collect();
        let value: f32 =
            self.numbers[BIAS] + cells.iter().flatten().map(|&feature| self.numbers[feature]).sum::<f32>();
        let gradient = sigmoid(value) - sample.target as f32;
        self.step(BIAS, gradient);
        for &feature in cells.iter().flatten() {
            self.step(feature, gradient);
        }

        let (candidates, priors) = self.priors(sample);
        for ((point, features), prior) in candidates.iter().zip(priors) {
            let gradient = prior - f32::from(u8::from(*point == sample.chosen));
            for &feature in features {
                self.step(feature, gradient);
            }
        }
    }

    /// One step of Adagrad.
    #[inline]
    fn step(&mut self, feature: usize, gradient: f32) {
        let gradient = gradient + self.decay * self.numbers[feature];
        self.squares[feature] += gradient * gradient;
        self.numbers[feature] -= self.rate * gradient / self.squares[feature].sqrt();
    }

    fn measure(&self, sample: &Sample, report: &mut FitReport) {
        let cells = sample.board.empty().iter().map(|point| value_features(sample.board, point));
        let value: f32 =
            self.numbers[BIAS] + cells.flatten().map(|feature| self.numbers[feature]).sum::<f32>();
        let p = f64::from(sigmoid(value)).clamp(1e-6, 1.0 - 1e-6);
        report.value_loss -= sample.target * p.ln() + (1.0 - sample.target) * (1.0 - p).ln();
        let (candidates, priors) = self.priors(sample);
        let chosen = candidates.iter().position(|(point, _)| *point == sample.chosen);
        let prior = chosen.map_or(1e-6, |at| priors[at].max(1e-6));
        report.move_loss -= f64::from(prior).ln();
        report.top1 += f64::from(u8::from(priors.iter().all(|&other| other <= prior)));
        report.positions += 1;
    }

    /// The moves near the stones with their features and prior probabilities.
    fn priors(&self, sample: &Sample) -> (Vec<(Point, [usize; 5])>, Vec<f32>) {
        let board = sample.board;
        let candidates: Vec<_> = board.near(3).iter().map(|p| (p, prior_features(board, p))).collect();
        let logits: Vec<f32> = candidates
            .iter()
            .map(|(_, features)| features.iter().map(|&feature| self.numbers[feature]).sum())
            .collect();
        let highest = logits.iter().copied().fold(f32::MIN, f32::max);
        let odds: Vec<f32> = logits.iter().map(|&logit| (logit - highest).exp()).collect();
        let total: f32 = odds.iter().sum();
        (candidates, odds.into_iter().map(|odd| odd / total).collect())
    }

    fn weights(&self) -> Weights {
        let part = |start: usize, count: usize| -> Vec<i16> {
            self.numbers[start..start + count]
                .iter()
                .map(|&number| (f64::from(number) * UNITS).round() as i16)
                .collect()
        };
        Weights {
            bias: part(BIAS, 1)[0],
            value: [part(VALUE, SHAPES), part(VALUE + SHAPES, SHAPES)],
            prior: [part(PRIOR, SHAPES), part(PRIOR + SHAPES, SHAPES)],
            joint_value: part(JOINT_VALUE, PAIRS),
            joint_prior: part(JOINT_PRIOR, PAIRS),
            distance: [part(DISTANCE, DISTANCES), part(DISTANCE + DISTANCES, DISTANCES)],
        }
    }
}

fn sigmoid(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}

/// The shapes for both sides and the pair of classes.
fn cell_features(board: &Board, point: Point) -> [usize; 3] {
    let mover = board.to_move();
    let classes = board.class(mover, point).index() * Class::COUNT + board.class(!mover, point).index();
    [shape(board.pattern_key(mover, point)), shape(board.pattern_key(!mover, point)), classes]
}

fn value_features(board: &Board, point: Point) -> [usize; 3] {
    let [own, other, classes] = cell_features(board, point);
    [VALUE + own, VALUE + SHAPES + other, JOINT_VALUE + classes]
}

fn prior_features(board: &Board, point: Point) -> [usize; 5] {
    let [own, other, classes] = cell_features(board, point);
    let [last, before] = distances(board, point);
    [
        PRIOR + own,
        PRIOR + SHAPES + other,
        JOINT_PRIOR + classes,
        DISTANCE + last,
        DISTANCE + DISTANCES + before,
    ]
}
