//! Adaptive dynamic programming: the network of Lin & Cao's `adp` learns by playing against itself.
//!
//! After every game each position's value moves towards the value of the next one, `e = a [r + V(t+1) - V(t)]`, with the
//! reward 1 for a win and 0 for a loss at the end; both players' views of every position are learned from.

mod run;

pub use run::{Damage, Milestone, Run, RunError};

use fivestone_engine::Rng;
use fivestone_engine::papers::lin_cao::adp::judged;
use fivestone_engine::papers::lin_cao::heuristic::Heuristic;
use fivestone_engine::papers::lin_cao::network::{Counts, HIDDEN, Network, for_each_input, sigmoid};
use fivestone_engine::papers::lin_cao::position::Position;
use fivestone_game::{Board, Color, GameEnd, Point, Rule, Size};

/// How to train.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    /// The learning rate at the beginning.
    pub rate: f32,
    /// After so many games the rate is half of it, then a third, and so on.
    pub rate_games: f32,
    /// The share of moves that explore: drawn by the heuristic instead of chosen by the network.
    pub exploration: f64,
    /// Units of the middle layer.
    pub hidden: usize,
    /// Seed of the first weights and of all play.
    pub seed: u64,
    /// The board.
    pub size: Size,
    /// The rule.
    pub rule: Rule,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            rate: 0.02,
            rate_games: 10_000.0,
            exploration: 0.1,
            hidden: HIDDEN,
            seed: 1,
            size: Size::STANDARD,
            rule: Rule::Freestyle,
        }
    }
}

/// What a game of self-play was like.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Played {
    /// Moves of the game.
    pub plies: usize,
    /// Black's points.
    pub black: f32,
    /// The mean of |r + V(t+1) - V(t)|.
    pub error: f32,
}

/// A position of a finished game, after a move.
struct Step {
    counts: Counts,
    to_move: Color,
    /// Whether the move that led here was an exploring one: the position before it is not to blame for what follows.
    explored: bool,
}

/// A network and the games it learns from.
pub struct Trainer {
    /// The network.
    pub network: Network,
    settings: Settings,
    rng: Rng,
    games: u64,
}

impl Trainer {
    /// Goes on with a network that has played so many games; a new one without.
    pub fn new(settings: Settings, network: Option<Network>, games: u64) -> Trainer {
        let mut rng = Rng::new(settings.seed ^ games.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let network = network.unwrap_or_else(|| Network::random(settings.hidden, &mut rng));
        Trainer { network, settings, rng, games }
    }

    /// Games played.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Plays a game against itself and learns from it.
    pub fn play_and_learn(&mut self) -> Played {
        let mut position = self.opening();
        let mut steps = Vec::new();
        let black = loop {
            let explored = self.rng.unit() < self.settings.exploration;
            let point = if explored {
                self.explore(&position)
            } else {
                let points = position.candidates();
                judged(&position, &self.network, &points)[0].1
            };
            let end = position.play(point);
            let step = Step { counts: *position.counts(), to_move: position.board().to_move(), explored };
            steps.push(step);
            if let Some(end) = end {
                break black_points(end);
            }
        };
        self.games += 1;
        let error = self.learn(&steps, black);
        Played { plies: position.board().stone_count(), black, error }
    }

    /// One to four stones near the centre.
    fn opening(&mut self) -> Position {
        let mut position = Position::new(&Board::new(self.settings.size, self.settings.rule));
        for _ in 0..self.rng.below(4) {
            let points = position.candidates();
            position.play(points[self.rng.below(points.len())]);
        }
        position
    }

    /// A move drawn in proportion to the root of its heuristic.
    fn explore(&mut self, position: &Position) -> Point {
        let board = position.board();
        let points = position.candidates();
        let worth =
            |&point: &Point| f64::from(Heuristic::Exponential.of(board, board.to_move(), point)).sqrt() + 1.0;
        let total: f64 = points.iter().map(worth).sum();
        let mut rest = self.rng.unit() * total;
        let drawn = points.iter().find(|point| {
            rest -= worth(point);
            rest < 0.0
        });
        *drawn.unwrap_or(&points[points.len() - 1])
    }

    /// From the end of the game back to its beginning, so that a result is felt in one pass.
    fn learn(&mut self, steps: &[Step], black: f32) -> f32 {
        let rate = self.settings.rate / (1.0 + self.games as f32 / self.settings.rate_games);
        let mut errors = 0.0;
        for player in Color::BOTH {
            let mut target = if player == Color::Black { black } else { 1.0 - black };
            let mut blame = true;
            for step in steps.iter().rev() {
                let value = if blame {
                    let (value, error) = self.step(step, player, target, rate);
                    errors += error.abs();
                    value
                } else {
                    self.network.value(&step.counts, player, step.to_move)
                };
                target = value;
                blame = !step.explored;
            }
        }
        errors / (2 * steps.len()) as f32
    }

    /// Moves the value of a position towards a target; answers the value after that and the error before.
    ///
    /// The gradient is that of the cross-entropy: the squared error's would vanish where the network is sure and wrong.
    fn step(&mut self, step: &Step, player: Color, target: f32, rate: f32) -> (f32, f32) {
        let Step { counts, to_move, .. } = step;
        let network = &mut self.network;
        let sums = network.sums(counts, player, *to_move);
        let units: Vec<f32> = sums.iter().map(|&sum| sigmoid(sum)).collect();
        let error = target - network.output(&sums);
        let change = rate * error;
        let slopes: Vec<f32> = units
            .iter()
            .zip(&network.second)
            .map(|(&unit, &weight)| change * weight * unit * (1.0 - unit))
            .collect();
        for (weight, unit) in network.second.iter_mut().zip(&units) {
            *weight += change * unit;
        }
        network.bias += change;
        for (bias, slope) in network.biases.iter_mut().zip(&slopes) {
            *bias += slope;
        }
        let hidden = slopes.len();
        let first = &mut network.first;
        for_each_input(counts, player, *to_move, |input, value| {
            for (weight, slope) in first[input * hidden..][..hidden].iter_mut().zip(&slopes) {
                *weight += value * slope;
            }
        });
        (network.value(counts, player, *to_move), error)
    }

    /// The share of points of the network, one ply deep, against the best move by the exponential heuristic, over pairs of
    /// games from the same openings.
    pub fn measure(&self, pairs: u64) -> f32 {
        let mut points = 0.0;
        for pair in 0..pairs {
            let mut rng = Rng::new(1000 + pair);
            let mut opening = Position::new(&Board::new(self.settings.size, self.settings.rule));
            for _ in 0..3 {
                let moves = opening.candidates();
                opening.play(moves[rng.below(moves.len())]);
            }
            for color in Color::BOTH {
                let black = self.play_against_heuristic(opening.clone(), color);
                points += if color == Color::Black { black } else { 1.0 - black };
            }
        }
        points / (2 * pairs) as f32
    }

    fn play_against_heuristic(&self, mut position: Position, network_color: Color) -> f32 {
        loop {
            let points = position.candidates();
            let board = position.board();
            let me = board.to_move();
            let worth = |point: Point| Heuristic::Exponential.of(board, me, point);
            let point = if me == network_color {
                judged(&position, &self.network, &points)[0].1
            } else {
                let best =
                    points.iter().copied().max_by(|&a, &b| worth(a).total_cmp(&worth(b)).then(b.cmp(&a)));
                best.expect("a game that goes on has a move")
            };
            if let Some(end) = position.play(point) {
                return black_points(end);
            }
        }
    }
}

fn black_points(end: GameEnd) -> f32 {
    match end.winner() {
        Some(Color::Black) => 1.0,
        Some(Color::White) => 0.0,
        None => 0.5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_games_lower_the_error_of_known_results() {
        let settings = Settings { size: Size::new(9).unwrap(), hidden: 8, ..Settings::default() };
        let mut trainer = Trainer::new(settings, None, 0);
        let mean = |played: &[Played]| played.iter().map(|p| p.error).sum::<f32>() / played.len() as f32;
        let first: Vec<Played> = (0..40).map(|_| trainer.play_and_learn()).collect();
        for _ in 0..300 {
            trainer.play_and_learn();
        }
        let last: Vec<Played> = (0..40).map(|_| trainer.play_and_learn()).collect();
        assert_eq!(trainer.games(), 380);
        assert!(first.iter().all(|p| (9..=81).contains(&p.plies)));
        assert!(mean(&last) != mean(&first));
        assert!(trainer.network.first.iter().all(|weight| weight.is_finite()));
        assert!((0.0..=1.0).contains(&trainer.measure(4)));
    }

    #[test]
    fn a_value_moves_towards_its_target() {
        let mut trainer = Trainer::new(Settings::default(), None, 0);
        let mut position = trainer.opening();
        position.play(position.candidates()[0]);
        let step = Step { counts: *position.counts(), to_move: position.board().to_move(), explored: false };
        let before = trainer.network.value(&step.counts, Color::Black, step.to_move);
        let (after, error) = trainer.step(&step, Color::Black, 1.0, 0.05);
        assert!(after > before && (error - (1.0 - before)).abs() < 1e-6);
    }
}
