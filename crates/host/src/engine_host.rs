//! An engine on a thread of its own: it is asked, listened to, stopped, left to ponder and
//! replaced.

use fivestone_engine::{Engine, Event, Limits, Report, Stop};
use fivestone_game::Board;
use std::any::Any;
use std::collections::VecDeque;
use std::fmt;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// Engines recurse deeply.
const STACK: usize = 64 << 20;

/// The owner of an engine and its thread. Questions are answered one after the other; the thread
/// ends with the host.
pub struct EngineHost(Arc<Shared>);

/// What is heard of a question.
#[derive(Debug)]
pub enum News<T> {
    /// The state of the search so far.
    Report(Report),
    /// The answer; the last that is heard.
    Answered(T),
    /// There will be no answer; the last that is heard.
    Failed(HostError),
}

/// Why a host has no answer.
#[derive(Debug)]
pub enum HostError {
    /// The system gave no thread.
    NoThread(io::Error),
    /// The engine panicked with this message, and is gone.
    Panicked(String),
    /// The engine panicked at an earlier question and has not been replaced.
    NoEngine,
    /// The host was given up before the question came to its turn.
    Closed,
}

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            HostError::NoThread(error) => write!(f, "no thread to search on: {error}"),
            HostError::Panicked(message) => write!(f, "the engine failed: {message}"),
            HostError::NoEngine => f.write_str("the engine failed before and was not replaced"),
            HostError::Closed => f.write_str("the engine was given up"),
        }
    }
}

impl std::error::Error for HostError {}

/// An answer that is waited for.
pub struct Pending<T>(Receiver<News<T>>);

impl<T: Send + 'static> Pending<T> {
    /// A listener for a question, and the answer that it will hear.
    pub fn new() -> (impl FnMut(News<T>) + Send + 'static, Pending<T>) {
        let (sender, heard) = channel();
        let listen = move |news| {
            // Whoever no longer waits does not want to know.
            let _ = sender.send(news);
        };
        (listen, Pending(heard))
    }

    /// Waits, and passes reports on.
    pub fn wait(self, tell: &mut dyn FnMut(Report)) -> Result<T, HostError> {
        for news in self.0 {
            match news {
                News::Report(report) => tell(report),
                News::Answered(answer) => return Ok(answer),
                News::Failed(error) => return Err(error),
            }
        }
        Err(HostError::Closed)
    }
}

/// Where a question tells its events.
pub type Tell<'a> = &'a mut dyn FnMut(Event);

/// A question with its listener; returns whether the engine can be asked again.
type Errand = Box<dyn FnOnce(Option<&mut dyn Engine>) -> Health + Send>;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Health {
    Sound,
    Broken,
}

/// Whether a search is worth waiting for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Standing {
    /// Somebody waits for the answer.
    Awaited,
    /// It gives way to whatever comes next.
    GivesWay,
}

enum Order {
    Ask { errand: Errand, stop: Stop, standing: Standing },
    Replace(Box<dyn Engine>),
}

#[derive(Default)]
struct Desk {
    orders: VecDeque<Order>,
    running: Option<(Stop, Standing)>,
    closed: bool,
}

impl Desk {
    /// Ends all pondering: something else is to be done.
    fn clear_the_way(&self) {
        let running = self.running.iter().map(|(stop, standing)| (stop, *standing));
        let waiting = self.orders.iter().filter_map(|order| match order {
            Order::Ask { stop, standing, .. } => Some((stop, *standing)),
            Order::Replace(_) => None,
        });
        let pondering = running.chain(waiting).filter(|(_, standing)| *standing == Standing::GivesWay);
        pondering.for_each(|(stop, _)| stop.raise());
    }
}

#[derive(Default)]
struct Shared {
    desk: Mutex<Desk>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Desk> {
        // No engine runs under the lock: the desk is whole whatever panicked.
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn close(&self) {
        let mut desk = self.lock();
        desk.closed = true;
        if let Some((stop, _)) = &desk.running {
            stop.raise();
        }
        let orders = std::mem::take(&mut desk.orders);
        drop(desk);
        self.changed.notify_all();
        // What the orders hold is let go outside the lock: their listeners hear that nothing will
        // come.
        drop(orders);
    }
}

impl EngineHost {
    /// Starts the thread.
    pub fn start(engine: Box<dyn Engine>) -> Result<EngineHost, HostError> {
        let shared = Arc::new(Shared::default());
        let of_thread = Arc::clone(&shared);
        let thread = thread::Builder::new().name("engine".to_owned()).stack_size(STACK);
        thread.spawn(move || serve(&of_thread, engine)).map_err(HostError::NoThread)?;
        Ok(EngineHost(shared))
    }

    /// Asks a question and returns at once. `news` is called on the engine's thread, its last call
    /// is the answer or the failure.
    ///
    /// The question gets a child of `stop`: giving up the host ends the search without touching
    /// what `stop` belongs to.
    pub fn ask<T>(
        &self,
        stop: &Stop,
        question: impl FnOnce(&mut dyn Engine, &Stop, Tell) -> T + Send + 'static,
        news: impl FnMut(News<T>) + Send + 'static,
    ) {
        self.order(Standing::Awaited, stop, question, news);
    }

    /// Asks a question that ends when the next comes: what the engine thinks while nobody waits.
    pub fn ponder<T>(
        &self,
        stop: &Stop,
        question: impl FnOnce(&mut dyn Engine, &Stop, Tell) -> T + Send + 'static,
        news: impl FnMut(News<T>) + Send + 'static,
    ) {
        self.order(Standing::GivesWay, stop, question, news);
    }

    /// Asks a question and waits for its answer.
    pub fn consult<T: Send + 'static>(
        &self,
        stop: &Stop,
        question: impl FnOnce(&mut dyn Engine, &Stop, Tell) -> T + Send + 'static,
        tell: &mut dyn FnMut(Report),
    ) -> Result<T, HostError> {
        let (news, pending) = Pending::new();
        self.ask(stop, question, news);
        pending.wait(tell)
    }

    /// Lets the engine think about a position and waits for its report.
    pub fn think(
        &self,
        board: &Board,
        limits: &Limits,
        stop: &Stop,
        tell: &mut dyn FnMut(Report),
    ) -> Result<Report, HostError> {
        let (board, limits) = (board.clone(), limits.clone());
        let question =
            move |engine: &mut dyn Engine, stop: &Stop, tell: Tell| engine.think(&board, &limits, stop, tell);
        self.consult(stop, question, tell)
    }

    /// Lets the engine forget the game so far and waits until it has.
    pub fn new_game(&self) -> Result<(), HostError> {
        self.consult(&Stop::new(), |engine, _, _| engine.new_game(), &mut |_| {})
    }

    /// Puts another engine in the place of this one, behind the questions that were asked before.
    pub fn replace(&self, engine: Box<dyn Engine>) {
        self.push(Order::Replace(engine));
    }

    fn order<T>(
        &self,
        standing: Standing,
        stop: &Stop,
        question: impl FnOnce(&mut dyn Engine, &Stop, Tell) -> T + Send + 'static,
        news: impl FnMut(News<T>) + Send + 'static,
    ) {
        let stop = stop.child();
        let errand = errand(stop.clone(), question, news);
        self.push(Order::Ask { errand, stop, standing });
    }

    fn push(&self, order: Order) {
        let mut desk = self.0.lock();
        // The thread is gone only when a listener panicked; what is dropped here tells whoever
        // waits.
        if desk.closed {
            return;
        }
        desk.clear_the_way();
        desk.orders.push_back(order);
        drop(desk);
        self.0.changed.notify_all();
    }
}

impl Drop for EngineHost {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Joins a question and its listener to something that can wait in a queue.
fn errand<T>(
    stop: Stop,
    question: impl FnOnce(&mut dyn Engine, &Stop, Tell) -> T + Send + 'static,
    mut news: impl FnMut(News<T>) + Send + 'static,
) -> Errand {
    Box::new(move |engine| {
        let Some(engine) = engine else {
            news(News::Failed(HostError::NoEngine));
            return Health::Broken;
        };
        let mut tell = |Event::Report(report)| news(News::Report(report));
        // What the engine holds is given up after a panic, so nobody sees it half changed.
        match catch_unwind(AssertUnwindSafe(|| question(engine, &stop, &mut tell))) {
            Ok(answer) => {
                news(News::Answered(answer));
                Health::Sound
            }
            Err(panic) => {
                news(News::Failed(HostError::Panicked(message(panic.as_ref()))));
                Health::Broken
            }
        }
    })
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|&text| text.to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "a panic".to_owned())
}

/// Closes the desk when the thread ends, so that nobody waits for a thread that is gone.
struct Closing<'a>(&'a Shared);

impl Drop for Closing<'_> {
    fn drop(&mut self) {
        self.0.close();
    }
}

fn serve(shared: &Shared, engine: Box<dyn Engine>) {
    let _closing = Closing(shared);
    let mut engine = Some(engine);
    while let Some(order) = next(shared) {
        match order {
            Order::Replace(other) => engine = Some(other),
            Order::Ask { errand, .. } => {
                let lent = engine.as_mut().map(|engine| &mut **engine as &mut dyn Engine);
                if errand(lent) == Health::Broken {
                    engine = None;
                }
                shared.lock().running = None;
            }
        }
    }
}

/// Waits for an order; nothing when the host is given up.
fn next(shared: &Shared) -> Option<Order> {
    let mut desk = shared.lock();
    loop {
        if desk.closed {
            return None;
        }
        if let Some(order) = desk.orders.pop_front() {
            if let Order::Ask { stop, standing, .. } = &order {
                desk.running = Some((stop.clone(), *standing));
            }
            return Some(order);
        }
        desk = shared.changed.wait(desk).unwrap_or_else(PoisonError::into_inner);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fivestone_game::{Rule, Size};
    use std::time::Duration;

    const PATIENCE: Duration = Duration::from_secs(20);

    /// Thinks until it is stopped unless visits are given; three of them are too many for it.
    struct Sleeper {
        games: u64,
    }

    impl Engine for Sleeper {
        fn name(&self) -> &'static str {
            "sleeper"
        }

        fn think(&mut self, board: &Board, limits: &Limits, stop: &Stop, tell: Tell) -> Report {
            let mut report = Report::of_move(board.size().points().next().expect("a point"));
            report.visits = self.games;
            tell(Event::Report(report.clone()));
            assert!(limits.visits != Some(3), "three visits are too many");
            while limits.visits.is_none() && !stop.raised() {
                thread::sleep(Duration::from_millis(1));
            }
            report
        }

        fn new_game(&mut self) {
            self.games += 1;
        }
    }

    fn host() -> EngineHost {
        EngineHost::start(Box::new(Sleeper { games: 0 })).expect("a thread")
    }

    fn board() -> Board {
        Board::new(Size::STANDARD, Rule::Freestyle)
    }

    fn endless(engine: &mut dyn Engine, stop: &Stop, tell: Tell) -> Report {
        engine.think(&board(), &Limits::default(), stop, tell)
    }

    /// A listener and what it hears.
    fn listener() -> (impl FnMut(News<Report>) + Send + 'static, Receiver<News<Report>>) {
        let (sender, heard) = channel();
        let listen = move |news| {
            let _ = sender.send(news);
        };
        (listen, heard)
    }

    fn hear(heard: &Receiver<News<Report>>) -> News<Report> {
        heard.recv_timeout(PATIENCE).expect("news")
    }

    #[test]
    fn questions_are_answered_in_their_order_and_events_come_before_the_answer() {
        let host = host();
        let mut events = 0;
        let stop = Stop::new();
        let report = host.think(&board(), &Limits::visits(1), &stop, &mut |_| events += 1);
        assert_eq!((report.expect("an answer").visits, events), (0, 1));
        host.new_game().expect("it does");
        let report = host.think(&board(), &Limits::visits(1), &stop, &mut |_| {});
        assert_eq!(report.expect("an answer").visits, 1);
    }

    #[test]
    fn a_search_ends_when_its_flag_is_raised_and_no_other_does() {
        let host = host();
        let (all, stop) = (Stop::new(), Stop::new());
        let (listen, heard) = listener();
        host.ask(&stop, endless, listen);
        assert!(matches!(hear(&heard), News::Report(_)));
        assert!(heard.recv_timeout(Duration::from_millis(30)).is_err(), "it thinks");
        stop.raise();
        assert!(matches!(hear(&heard), News::Answered(_)));
        let (listen, heard) = listener();
        host.ask(&all, endless, listen);
        assert!(matches!(hear(&heard), News::Report(_)));
        drop(host);
        assert!(matches!(hear(&heard), News::Answered(_)));
        assert!(!all.raised(), "the host is a part of what the flag belongs to");
    }

    #[test]
    fn pondering_gives_way_even_when_it_has_not_begun() {
        let host = host();
        let stop = Stop::new();
        for _ in 0..50 {
            let (listen, heard) = listener();
            host.ponder(&stop, endless, listen);
            let answer = host.think(&board(), &Limits::visits(1), &stop, &mut |_| {});
            answer.expect("an answer");
            while !matches!(hear(&heard), News::Answered(_)) {}
        }
    }

    #[test]
    fn an_engine_that_panics_is_reported_and_can_be_replaced() {
        let host = host();
        let stop = Stop::new();
        let ask = |visits| host.think(&board(), &Limits::visits(visits), &stop, &mut |_| {});
        let failed = ask(3).expect_err("three visits are too many");
        assert_eq!(failed.to_string(), "the engine failed: three visits are too many");
        assert!(matches!(ask(1), Err(HostError::NoEngine)));
        host.replace(Box::new(Sleeper { games: 7 }));
        assert_eq!(ask(1).expect("an answer").visits, 7);
    }

    #[test]
    fn questions_that_wait_hear_when_the_host_is_given_up() {
        let host = host();
        let (running, heard) = listener();
        host.ask(&Stop::new(), endless, running);
        assert!(matches!(hear(&heard), News::Report(_)));
        let (waiting, unheard) = listener();
        host.ask(&Stop::new(), endless, waiting);
        drop(host);
        assert!(unheard.recv_timeout(PATIENCE).is_err(), "the listener is gone and nothing was said");
        assert!(matches!(hear(&heard), News::Answered(_)));
    }

    #[test]
    fn a_listener_that_panics_leaves_nobody_waiting() {
        let host = host();
        host.ask(
            &Stop::new(),
            |engine, stop, tell| engine.think(&board(), &Limits::visits(1), stop, tell),
            |news| assert!(!matches!(news, News::Answered(_)), "a listener that fails"),
        );
        let answer = host.think(&board(), &Limits::visits(1), &Stop::new(), &mut |_| {});
        assert!(matches!(answer, Err(HostError::Closed)));
    }
}
