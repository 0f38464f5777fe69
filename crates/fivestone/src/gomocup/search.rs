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
/// Left for the way to the manager when the engine does not keep its time by itself.
const LAST_CALL: Duration = Duration::from_millis(15);

impl Search {
    /// Starts the engine on a question.
    pub fn start(
        mut engine: Box<dyn Engine>,
        question: Question,
        board: Board,
        limits: Limits,
        time: Option<Duration>,
        to_loop: SyncSender<Heard>,
    ) -> io::Result<Search> {
        let started = Instant::now();
        let stop = Stop::new();
        let unlimited = time.is_none() && limits.visits.is_none() && limits.depth.is_none();
        let search = Search {
            stop: stop.clone(),
            deadline: time.map(|time| started + time.saturating_sub(LAST_CALL)),
            unlimited,
        };
        // A failed send means that the loop is over, and with it the process.
        let work = move || {
            let mut tell = |Event::Report(report)| {
                let _ = to_loop.send(Heard::Search(News::Report(report)));
            };
            let answer = question.answer(engine.as_mut(), &board, &limits, &stop, &mut tell);
            let news = News::Finished { engine, answer, took: started.elapsed() };
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
