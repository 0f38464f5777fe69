//! The engine at work on a thread of its own.

use super::Heard;
use super::answers::{Answer, Question};
use fivestone_engine::{Engine, Event, Limits, Report, Stop};
use fivestone_game::Board;
use std::io;
use std::sync::mpsc::SyncSender;
use std::thread;
use std::time::{Duration, Instant};

/// What a running search says.
pub enum News {
    Report(Report),
    Finished { engine: Box<dyn Engine>, answer: Answer, took: Duration },
}

/// A search that has been started and not yet answered.
pub struct Search {
    stop: Stop,
    /// When to insist on an answer.
    deadline: Option<Instant>,
    unlimited: bool,
}

/// Deep recursions are the engines' good right.
const STACK: usize = 64 << 20;
/// The most time kept back for the way to the manager on a busy machine, on top of the engine's own margin.
const KEPT_BACK: Duration = Duration::from_millis(40);

/// The manager's clock for one answer.
#[derive(Clone, Copy)]
pub struct Clock {
    /// When it asked.
    pub asked: Instant,
    /// How long the answer may take.
    pub allowed: Option<Duration>,
}

impl Clock {
    /// What is left of a time that was allowed when the manager asked, without what is kept back.
    fn left(&self, allowed: Duration) -> Duration {
        allowed.saturating_sub(KEPT_BACK.min(allowed / 4)).saturating_sub(self.asked.elapsed())
    }
}

impl Search {
    /// Starts the engine on a question.
    pub fn start(
        mut engine: Box<dyn Engine>,
        question: Question,
        board: Board,
        mut limits: Limits,
        clock: Clock,
        to_loop: SyncSender<Heard>,
    ) -> io::Result<Search> {
        let stop = Stop::new();
        let unlimited = clock.allowed.is_none() && limits.visits.is_none() && limits.depth.is_none();
        let search = Search {
            stop: stop.clone(),
            deadline: clock.allowed.map(|allowed| Instant::now() + clock.left(allowed)),
            unlimited,
        };
        // A failed send means that the loop is over, and with it the process.
        let work = move || {
            let mut tell = |Event::Report(report)| {
                let _ = to_loop.send(Heard::Search(News::Report(report)));
            };
            limits.turn = limits.turn.map(|turn| clock.left(turn));
            limits.match_left = limits.match_left.map(|left| left.saturating_sub(clock.asked.elapsed()));
            let answer = question.answer(engine.as_mut(), &board, &limits, &stop, &mut tell);
            let news = News::Finished { engine, answer, took: clock.asked.elapsed() };
            let _ = to_loop.send(Heard::Search(news));
        };
        thread::Builder::new().name("search".to_owned()).stack_size(STACK).spawn(work)?;
        Ok(search)
    }

    /// Asks for the answer now.
    pub fn stop(&mut self) {
        self.stop.raise();
        self.deadline = None;
    }

    /// How long the loop may wait before it has to call [`Search::stop`].
    pub fn patience(&self) -> Option<Duration> {
        self.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()))
    }

    /// Whether it would go on for ever.
    pub fn unlimited(&self) -> bool {
        self.unlimited
    }
}
