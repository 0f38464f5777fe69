//! The questions a manager asks of the engine, and how each is answered.

use crate::Tell;
use fivestone_engine::{Engine, Limits, Report, Rng, Stop, opening};
use fivestone_game::opening::{Decision, Task};
use fivestone_game::{Board, Color, OpeningState, Point};
use std::time::Duration;

/// What the engine is asked.
#[derive(Clone, Debug)]
pub enum Question {
    /// A move.
    Move,
    /// Moves after which the side to move has a wanted probability of winning.
    Balance {
        /// How many moves, one or two.
        moves: usize,
        /// The probability.
        target: f64,
    },
    /// Every decision of an opening that falls to the player who decides next.
    Opening {
        /// How far the opening is.
        state: Box<OpeningState>,
        /// Varies the stones that begin a game.
        seed: u64,
    },
}

/// What it answers.
#[derive(Clone, PartialEq, Debug)]
pub enum Answer {
    /// A move, with what the search found.
    Move(Report),
    /// The balancing moves.
    Balance(Vec<Point>),
    /// The decisions of an opening.
    Opening {
        /// Whether the other side is taken.
        swap: bool,
        /// The stones that are placed, the first move of the game included.
        stones: Vec<Point>,
    },
}

impl Question {
    /// Lets the engine answer.
    pub fn answer(
        self,
        engine: &mut dyn Engine,
        board: &Board,
        limits: &Limits,
        stop: &Stop,
        tell: Tell,
    ) -> Answer {
        match self {
            Question::Move => Answer::Move(engine.think(board, limits, stop, tell)),
            Question::Balance { moves, target } => {
                let limits = share(limits, searches(moves));
                Answer::Balance(balance(engine, board, moves, target, &limits, stop).moves)
            }
            Question::Opening { state, seed } => {
                let limits = share(limits, OPENING_SEARCHES);
                decide_all(engine, *state, &limits, stop, &mut Rng::new(seed))
            }
        }
    }
}

/// At most a choice and a stone after it, or three stones.
const OPENING_SEARCHES: u32 = 3;
const UNASKED_TIME: Duration = Duration::from_secs(10);

/// The limits of one of several searches that share one move's limits.
fn share(limits: &Limits, searches: u32) -> Limits {
    let time = [limits.turn, limits.match_left].into_iter().flatten().min();
    let time = time.or((limits.visits.is_none() && limits.depth.is_none()).then_some(UNASKED_TIME));
    Limits {
        turn: time.map(|time| time / searches),
        match_left: None,
        visits: limits.visits.map(|visits| (visits / u64::from(searches)).max(1)),
        ..limits.clone()
    }
}

fn decide_all(
    engine: &mut dyn Engine,
    mut state: OpeningState,
    limits: &Limits,
    stop: &Stop,
    rng: &mut Rng,
) -> Answer {
    let player = state.decider();
    let mut stones = Vec::new();
    while state.decider() == player && !matches!(state.task(), Task::Play) {
        let decision = opening::decide(engine, &state, limits, stop, rng);
        state.decide(decision).expect("the engine decides what is asked");
        match decision {
            Decision::Take(Color::Black) => return Answer::Opening { swap: true, stones },
            Decision::Place(point) => stones.push(point),
            Decision::Take(Color::White) | Decision::AddTwo | Decision::Declare(_) => {}
        }
    }
    if state.decider() == player && state.board().end().is_none() {
        stones.push(engine.think(state.board(), limits, stop, &mut |_| {}).best());
    }
    Answer::Opening { swap: false, stones }
}

/// Moves and how far from the wish they lead.
struct Balanced {
    moves: Vec<Point>,
    distance: f64,
}

/// Candidates followed for each move.
const CANDIDATES: usize = 4;

/// How many searches `balance` makes: one for the candidates and whatever each of them takes.
fn searches(moves: usize) -> u32 {
    if moves == 0 { 1 } else { 1 + CANDIDATES as u32 * searches(moves - 1) }
}

/// Finds moves after which the side to move has about `target` as its probability of winning.
fn balance(
    engine: &mut dyn Engine,
    board: &Board,
    moves: usize,
    target: f64,
    limits: &Limits,
    stop: &Stop,
) -> Balanced {
    let many = Limits { lines: 64, ..limits.clone() };
    let mut lines = engine.think(board, &many, stop, &mut |_| {}).lines;
    let fallback = lines[0].point;
    lines.sort_by(|a, b| (a.winrate - target).abs().total_cmp(&(b.winrate - target).abs()));
    let mut best: Option<Balanced> = None;
    for line in lines.iter().take(CANDIDATES) {
        let mut after = board.clone();
        if !matches!(after.play(line.point), Ok(None)) {
            continue;
        }
        let found = if moves > 1 {
            let rest = balance(engine, &after, moves - 1, 1.0 - target, limits, stop);
            Balanced { moves: [vec![line.point], rest.moves].concat(), distance: rest.distance }
        } else {
            let winrate = 1.0 - engine.think(&after, limits, stop, &mut |_| {}).winrate();
            Balanced { moves: vec![line.point], distance: (winrate - target).abs() }
        };
        if best.as_ref().is_none_or(|best| found.distance < best.distance) {
            best = Some(found);
        }
        if stop.raised() {
            break;
        }
    }
    best.unwrap_or(Balanced { moves: vec![fallback], distance: 1.0 })
}
