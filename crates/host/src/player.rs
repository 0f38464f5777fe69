//! Somebody who plays games, be it an engine in this process or a program behind a pipe.

use crate::clock::Clock;
use crate::fault::Fault;
use fivestone_engine::Stop;
use fivestone_game::opening::{Decision, OpeningState};
use fivestone_game::{Board, Point, Rule, Size};
use std::time::Duration;

/// What a player is told before a game.
#[derive(Clone, Copy, Debug)]
pub struct Setup {
    /// The rule of play.
    pub rule: Rule,
    /// The board's size.
    pub size: Size,
    /// Seed of this player's random numbers in this game.
    pub seed: u64,
    /// The clock at the start.
    pub clock: Clock,
}

/// A move with what the player says about it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Answer {
    /// The move; not checked.
    pub point: Point,
    /// Wall-clock time the player took.
    pub elapsed: Duration,
    /// Win probability for the mover, if told.
    pub winrate: Option<f64>,
    /// Visits, iterations or nodes, if told.
    pub visits: Option<u64>,
    /// Depth in plies, if told.
    pub depth: Option<u32>,
}

/// One or several decisions of an opening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningAnswer {
    /// The decisions in their order.
    pub decisions: Vec<Decision>,
    /// The first move of the game, where the protocol gives it together with the last decision.
    pub first_move: Option<Point>,
    /// Wall-clock time the player took.
    pub elapsed: Duration,
}

/// Why a player gave no answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Silence {
    /// The player did something wrong.
    Fault(Fault),
    /// The match is being stopped.
    Stopped,
}

impl From<Fault> for Silence {
    fn from(fault: Fault) -> Silence {
        Silence::Fault(fault)
    }
}

/// Somebody who can play games one after the other.
pub trait Player: Send {
    /// Makes ready for a game. Not on the clock.
    fn begin(&mut self, setup: &Setup) -> Result<(), Silence>;

    /// Answers with a move in a position where it is this player's turn.
    fn think(&mut self, board: &Board, clock: &Clock, stop: &Stop) -> Result<Answer, Silence>;

    /// Answers what an opening asks of this player. The opening must not be over.
    fn open(&mut self, state: &OpeningState, clock: &Clock, stop: &Stop) -> Result<OpeningAnswer, Silence>;

    /// Ends the player; a fault here no longer touches a game.
    fn retire(self: Box<Self>) -> Option<Fault>;
}
