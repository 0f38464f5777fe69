//! Self-play: many games at once between copies of one engine, with what its searches found handed to a sink.

mod batch;
mod text;

pub use batch::{Batcher, Seat};
pub use text::TextSink;

use crate::openings::OpeningBook;
use crate::player::Factory;
use fivestone_engine::{Limits, Line, Proof, Report, Rng, Stop};
use fivestone_game::{Board, Color, GameEnd, Point, Rule, Size};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What is played.
#[derive(Clone)]
pub struct SelfPlay {
    /// Makes the engine of a game from its seed.
    pub factory: Factory,
    /// The rule of play.
    pub rule: Rule,
    /// The board's size.
    pub size: Size,
    /// Games to be played.
    pub games: u64,
    /// Games at the same time, a thread each. More than there are cores pay when evaluations are shared through a
    /// [`Batcher`], for then most games wait for one.
    pub concurrent: usize,
    /// Limits of a search whose findings are used as targets.
    pub full: Limits,
    /// Limits of the searches between them, if not all are full.
    pub fast: Option<Limits>,
    /// Share of full searches, when there are fast ones.
    pub full_share: f64,
    /// Moves at the start of a game that are drawn in proportion to their visits.
    pub varied_moves: usize,
    /// Where games begin.
    pub book: OpeningBook,
    /// Seed of every random choice.
    pub seed: u64,
}

/// One searched position of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Searched {
    /// The move that was played.
    pub played: Point,
    /// Whether it was a full search, so that its findings may be used as targets.
    pub full: bool,
    /// Win probability for the mover.
    pub winrate: f64,
    /// The certain result for the mover, if the search found one.
    pub proof: Option<Proof>,
    /// Share of the visits per candidate.
    pub policy: Vec<(Point, f64)>,
}

/// A finished game.
#[derive(Clone, PartialEq, Debug)]
pub struct SelfPlayGame {
    /// Its number, from 0.
    pub number: u64,
    /// The rule of play.
    pub rule: Rule,
    /// The board's size.
    pub size: Size,
    /// The moves it began with.
    pub opening: Vec<Point>,
    /// Every position after them.
    pub positions: Vec<Searched>,
    /// Who won.
    pub winner: Option<Color>,
}

/// Takes finished games.
pub trait SampleSink: Send {
    /// Takes one game. An error ends the self-play.
    fn take(&mut self, game: &SelfPlayGame) -> Result<(), String>;
}

/// How much was played.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Throughput {
    /// Games finished.
    pub games: u64,
    /// Positions searched.
    pub positions: u64,
    /// Visits, iterations or nodes in all.
    pub visits: u64,
    /// Time it took.
    pub elapsed: Duration,
}

impl Throughput {
    /// Games per second.
    pub fn games_per_second(&self) -> f64 {
        self.games as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// Positions per second.
    pub fn positions_per_second(&self) -> f64 {
        self.positions as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

struct Desk<'a> {
    sink: &'a mut dyn SampleSink,
    done: Throughput,
    error: Option<String>,
}

impl SelfPlay {
    /// Plays the games and hands each to the sink as it ends. The games are the same whatever the number of threads; their
    /// order is not.
    pub fn run(&self, sink: &mut dyn SampleSink, stop: &Stop) -> Result<Throughput, String> {
        let started = Instant::now();
        let next = AtomicU64::new(0);
        let desk = Mutex::new(Desk { sink, done: Throughput::default(), error: None });
        let work = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= self.games || stop.raised() {
                    return;
                }
                let Some((game, visits)) = self.play(number, stop) else { return };
                let mut desk = desk.lock().unwrap_or_else(PoisonError::into_inner);
                if let Err(error) = desk.sink.take(&game) {
                    desk.error.get_or_insert(error);
                    stop.raise();
                    return;
                }
                desk.done.games += 1;
                desk.done.positions += game.positions.len() as u64;
                desk.done.visits += visits;
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..self.concurrent.max(1) {
                scope.spawn(work);
            }
        });
        let desk = desk.into_inner().unwrap_or_else(PoisonError::into_inner);
        match desk.error {
            Some(error) => Err(error),
            None => Ok(Throughput { elapsed: started.elapsed(), ..desk.done }),
        }
    }

    /// One game and the visits spent on it; nothing when stopped.
    fn play(&self, number: u64, stop: &Stop) -> Option<(SelfPlayGame, u64)> {
        let mut rng = Rng::new(self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut engine = (self.factory)(rng.bits());
        engine.new_game();
        let opening = self.book.opening(number);
        let mut board = Board::from_moves(self.size, self.rule, &opening)
            .expect("openings are checked when they are read");
        let (mut positions, mut visits) = (Vec::new(), 0);
        while board.end().is_none() {
            let full = self.fast.is_none() || rng.unit() < self.full_share;
            let limits = self.fast.as_ref().filter(|_| !full).unwrap_or(&self.full);
            let report = engine.think(&board, limits, stop, &mut |_| {});
            if stop.raised() {
                return None;
            }
            visits += report.visits;
            let varied = positions.len() < self.varied_moves;
            let line = if varied { drawn(&report, &mut rng) } else { &report.lines[0] };
            positions.push(Searched {
                played: line.point,
                full,
                winrate: report.winrate(),
                proof: report.lines[0].proof,
                policy: policy(&report),
            });
            board.play(line.point).ok()?;
        }
        let winner = board.end().and_then(GameEnd::winner);
        let game = SelfPlayGame { number, rule: self.rule, size: self.size, opening, positions, winner };
        Some((game, visits))
    }
}

/// The candidates' shares of the visits; all of it on the choice of an engine that does not count them.
fn policy(report: &Report) -> Vec<(Point, f64)> {
    let total: u64 = report.lines.iter().map(|line| line.visits).sum();
    if total == 0 {
        return vec![(report.best(), 1.0)];
    }
    let share = |line: &Line| (line.point, line.visits as f64 / total as f64);
    report.lines.iter().filter(|line| line.visits > 0).map(share).collect()
}

/// A candidate drawn in proportion to its visits.
fn drawn<'a>(report: &'a Report, rng: &mut Rng) -> &'a Line {
    let total: u64 = report.lines.iter().map(|line| line.visits).sum();
    let mut left = (rng.unit() * total as f64) as u64;
    for line in &report.lines {
        if left < line.visits {
            return line;
        }
        left -= line.visits;
    }
    &report.lines[0]
}
