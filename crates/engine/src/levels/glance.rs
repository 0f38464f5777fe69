//! A player who judges each point by the shapes it makes and stops, and now and then does not see a line.

use crate::evaluation::{Evaluator, win_probability};
use crate::{Limits, Line, Report, Rng};
use fivestone_game::{Board, Class, Color, Direction, Pattern, Point};
use std::time::Instant;

/// Plays by shape.
pub struct Glance {
    /// Spread of the misjudgement of a point's worth, as a natural logarithm.
    pub noise: f64,
    /// Chance to overlook an enemy line: straight, diagonal.
    pub overlooks: [f64; 2],
}

impl Glance {
    /// Answers at once.
    pub fn think(&self, board: &Board, limits: &Limits, rng: &mut Rng) -> Report {
        let started = Instant::now();
        let mover = board.to_move();
        let evaluator = Evaluator::new(board, mover);
        let winrate = win_probability(evaluator.value(board));
        let overlooked = self.overlooked(rng);
        let mut candidates: Vec<(f64, Point)> = candidates(board, limits)
            .into_iter()
            .map(|point| (self.worth(board, mover, point, overlooked, rng), point))
            .collect();
        candidates.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        let lines = candidates.iter().take(limits.lines.max(1));
        let line = |&(_, point): &(f64, Point)| Line {
            point,
            winrate,
            visits: 1,
            pv: vec![point],
            proof: None,
            prior: None,
        };
        let visits = candidates.len() as u64;
        Report { lines: lines.map(line).collect(), visits, depth: 1, elapsed: started.elapsed() }
    }

    /// Which directions of the enemy's are not looked at this time.
    fn overlooked(&self, rng: &mut Rng) -> [bool; 4] {
        Direction::ALL.map(|direction| {
            let diagonal = matches!(direction.index(), 2 | 3);
            rng.unit() < self.overlooks[usize::from(diagonal)]
        })
    }

    fn worth(&self, board: &Board, mover: Color, point: Point, overlooked: [bool; 4], rng: &mut Rng) -> f64 {
        // Nobody misses that one stone makes five.
        if board.class(mover, point) == Class::Five {
            return f64::INFINITY;
        }
        let mut worth = 0.0;
        for direction in Direction::ALL {
            worth += shape_worth(board.pattern(mover, point, direction));
            if !overlooked[direction.index()] {
                worth += 0.8 * shape_worth(board.pattern(!mover, point, direction));
            }
        }
        let gaussian = (0..12).map(|_| rng.unit()).sum::<f64>() - 6.0;
        (worth + 0.5).ln() + self.noise * gaussian
    }
}

/// What a stone that makes this pattern feels worth.
fn shape_worth(pattern: Pattern) -> f64 {
    match pattern {
        Pattern::Dead | Pattern::Overline => 0.0,
        Pattern::One => 0.5,
        Pattern::OpenOne => 1.0,
        Pattern::Two => 3.0,
        Pattern::OpenTwo => 10.0,
        Pattern::Three => 14.0,
        Pattern::OpenThree => 60.0,
        Pattern::Four => 50.0,
        Pattern::DoubleFour | Pattern::OpenFour => 900.0,
        Pattern::Five => 20_000.0,
    }
}

/// The points near the stones that may be played.
fn candidates(board: &Board, limits: &Limits) -> Vec<Point> {
    let mut scratch = board.clone();
    let mut allowed = |points: &fivestone_game::PointSet| -> Vec<Point> {
        let free = points.difference(&limits.blocked);
        free.iter().filter(|&point| scratch.is_legal(point)).collect()
    };
    let near = allowed(&board.near(2));
    if !near.is_empty() {
        return near;
    }
    let anywhere = allowed(board.empty());
    if anywhere.is_empty() { board.empty().iter().collect() } else { anywhere }
}
