//! A player who searches a little and is content with a move that is nearly the best.

use crate::mcts::Mcts;
use crate::{Engine, Limits, Line, Proof, Report, Rng, Stop};
use fivestone_game::Board;

/// Chooses among the moves of a short search.
pub struct NearBest {
    /// What searches.
    pub engine: Mcts,
    /// Visits of the search.
    pub visits: u64,
    /// Win probability that is given away lightly.
    pub temperature: f64,
}

/// Moves that are considered at all.
const CONSIDERED: usize = 8;

impl NearBest {
    /// Searches and chooses.
    pub fn think(&mut self, board: &Board, limits: &Limits, stop: &Stop, rng: &mut Rng) -> Report {
        let visits = limits.visits.map_or(self.visits, |visits| visits.min(self.visits));
        let short = Limits {
            visits: Some(visits),
            lines: limits.lines.max(CONSIDERED),
            threads: 1,
            ..limits.clone()
        };
        // Each move is judged afresh: a tree kept from earlier moves would make the level stronger than it is.
        self.engine.new_game();
        let mut report = self.engine.think(board, &short, stop, &mut |_| {});
        let chosen = self.choose(&report.lines, rng);
        report.lines[..=chosen].rotate_right(1);
        report.lines.truncate(limits.lines.max(1));
        report
    }

    fn choose(&self, lines: &[Line], rng: &mut Rng) -> usize {
        let best = &lines[0];
        if matches!(best.proof, Some(Proof::Win(_))) {
            return 0;
        }
        let weight = |line: &Line| {
            let untried = line.visits == 0 && best.visits > 0;
            let lost = matches!(line.proof, Some(Proof::Loss(_)));
            if untried || lost {
                0.0
            } else {
                ((line.winrate - best.winrate).min(0.0) / self.temperature).exp()
            }
        };
        let mut weights: Vec<f64> = lines.iter().take(CONSIDERED).map(weight).collect();
        weights[0] = 1.0;
        let mut left = rng.unit() * weights.iter().sum::<f64>();
        let chosen = weights.iter().position(|weight| {
            left -= weight;
            left < 0.0
        });
        chosen.unwrap_or(0)
    }
}
