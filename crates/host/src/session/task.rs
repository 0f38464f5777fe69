//! A question as it goes to the engine: with its position, its limits and the manager's clock.

use super::question::{Answer, Question};
use crate::Tell;
use fivestone_engine::{Engine, Limits, Stop};
use fivestone_game::Board;
use std::time::{Duration, Instant};

/// The most time kept back for the way to the manager on a busy machine, on top of the engine's own
/// margin.
const KEPT_BACK: Duration = Duration::from_millis(40);

/// What a session wants of the engine.
#[derive(Clone, Debug)]
pub struct Task {
    /// The question.
    pub question: Question,
    /// The position.
    pub board: Board,
    /// What the manager allows from the moment it asked.
    pub limits: Limits,
    /// When it asked.
    pub asked: Instant,
}

/// The answer to a task.
#[derive(Clone, PartialEq, Debug)]
pub struct Done {
    /// The answer.
    pub answer: Answer,
    /// The time since the manager asked.
    pub took: Duration,
}

impl Task {
    /// Lets the engine answer. What has passed since the manager asked is taken off the limits.
    pub fn put(self, engine: &mut dyn Engine, stop: &Stop, tell: Tell) -> Done {
        let Task { question, board, limits, asked } = self;
        let limits = Limits {
            turn: limits.turn.map(|turn| left_of(turn, asked)),
            match_left: limits.match_left.map(|left| left.saturating_sub(asked.elapsed())),
            ..limits
        };
        let answer = question.answer(engine, &board, &limits, stop, tell);
        Done { answer, took: asked.elapsed() }
    }

    /// Whether it would go on for ever.
    pub fn is_unlimited(&self) -> bool {
        let Limits { turn, match_left, visits, depth, .. } = &self.limits;
        turn.is_none() && match_left.is_none() && visits.is_none() && depth.is_none()
    }
}

/// What is left of a time that was allowed when the manager asked, without what is kept back.
pub fn left_of(allowed: Duration, asked: Instant) -> Duration {
    allowed.saturating_sub(KEPT_BACK.min(allowed / 4)).saturating_sub(asked.elapsed())
}
