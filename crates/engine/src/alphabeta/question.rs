//! What is asked about a position, and what its moves have to reckon with.
//!
//! Scores are logit units for the side to move; a win in n plies is `WIN - n`.

use super::table::{Bound, Known};
use fivestone_game::{Point, PointSet};

/// The score of a win at once.
pub(super) const WIN: i32 = 30_000;
/// Scores beyond this are proven wins.
pub(super) const PROVEN: i32 = WIN - 1_000;

/// What is asked about a position: its score between two bounds, this many plies deep.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Question {
    pub alpha: i32,
    pub beta: i32,
    pub depth: i32,
    /// Plies from the root.
    pub ply: usize,
}

impl Question {
    /// The score of a win this many plies after the position.
    pub fn win_in(&self, plies: usize) -> i32 {
        WIN - (self.ply + plies) as i32
    }

    /// Whether more is asked than a yes or no.
    pub fn is_pv(&self) -> bool {
        self.beta - self.alpha > 1
    }

    /// The question within the scores that are possible where nobody has won yet.
    pub fn narrowed(self) -> Question {
        let (alpha, beta) = (self.alpha.max(-self.win_in(2)), self.beta.min(self.win_in(3)));
        Question { alpha, beta, ..self }
    }

    /// What is remembered about the position, if it is enough.
    pub fn answered_by(&self, known: Known) -> Option<i32> {
        if i32::from(known.depth) < self.depth || self.is_pv() {
            return None;
        }
        let score = from_table(known.score, self.ply);
        let enough = match known.bound {
            Bound::Exact => true,
            Bound::Lower => score >= self.beta,
            Bound::Upper => score <= self.alpha,
        };
        enough.then_some(score)
    }
}

/// What the patterns of a position say.
pub(super) enum Sight {
    /// Its score.
    Decided(i32),
    /// The other side makes five unless one of these points is taken.
    Threatened(PointSet),
    Open,
}

/// What the moves of a position have to reckon with.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum Situation {
    /// A five, which these points stop.
    Threatened(PointSet),
    /// An open four on one of these points.
    Pressed(PointSet),
    Quiet,
}

impl Situation {
    pub fn is_threatened(&self) -> bool {
        matches!(self, Situation::Threatened(_))
    }

    /// How many moves are tried.
    pub fn width(&self, question: &Question) -> usize {
        match self {
            Situation::Quiet => 10 + 5 * question.depth as usize + if question.is_pv() { 10 } else { 0 },
            Situation::Threatened(_) | Situation::Pressed(_) => usize::MAX,
        }
    }

    /// The depth after a move; forced replies cost none.
    pub fn next_depth(&self, question: &Question) -> i32 {
        match self {
            Situation::Threatened(_) => question.depth.max(1) - 1 + i32::from(question.ply < 60),
            Situation::Pressed(_) | Situation::Quiet => question.depth - 1,
        }
    }
}

/// A move that is about to be searched.
pub(super) struct Attempt {
    pub point: Point,
    /// The score that it has to beat.
    pub alpha: i32,
    /// How many moves came before it.
    pub searched: usize,
}

/// Wins are stored by their distance from the position, not from the root.
pub(super) fn to_table(score: i32, ply: usize) -> i16 {
    let plies = ply as i32;
    (if score > PROVEN {
        score + plies
    } else if score < -PROVEN {
        score - plies
    } else {
        score
    }) as i16
}

fn from_table(score: i16, ply: usize) -> i32 {
    let (score, plies) = (i32::from(score), ply as i32);
    if score > PROVEN {
        score - plies
    } else if score < -PROVEN {
        score + plies
    } else {
        score
    }
}
