//! The search threads, shared by all pages in fair turns.
//!
//! Work comes in turns: an analysis that has had its turn goes to the end of the queue, and is stopped when others have waited
//! long enough. Moves of games go first, but never on the last thread, so that an analysis always gets on.

use fivestone_engine::Stop;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// How long others wait at least before a turn is ended for them.
const QUANTUM: Duration = Duration::from_millis(150);
/// How often it is looked whether a turn should end.
const WATCH: Duration = Duration::from_millis(30);
/// The longest turn when nobody waits.
const LONGEST_TURN: Duration = Duration::from_secs(2);
/// The first turn is short, so that a page sees something at once.
const FIRST_TURN: Duration = Duration::from_millis(90);

/// What a piece of work may use in one turn.
pub struct Turn {
    /// Raised when the turn has to end.
    pub stop: Stop,
    /// How long the turn may be.
    pub length: Duration,
    /// Threads to search with.
    pub threads: usize,
}

/// Whether there is more to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// Another turn is wanted.
    Again,
    /// All is done.
    Done,
}

/// What the pool does: called once a turn.
pub type Work = Box<dyn FnMut(&Turn) -> Next + Send>;

/// Called when work panicked: it is over, and whoever waits for it should know.
pub type Failed = Box<dyn Fn() + Send>;

/// How urgent work is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Urgency {
    /// Somebody waits for a move; the turn is not cut short.
    Move,
    /// An analysis or a review, in turns.
    Background,
}

/// All places of the queue are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Full {
    /// How many searches wait.
    pub waiting: usize,
}

impl std::fmt::Display for Full {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the server is busy: {} searches are waiting already; try again in a moment", self.waiting)
    }
}

impl std::error::Error for Full {}

struct Job {
    id: u64,
    work: Work,
    failed: Failed,
    urgency: Urgency,
    turns: u32,
}

struct Running {
    id: u64,
    stop: Stop,
    started: Instant,
    urgency: Urgency,
    cancelled: bool,
}

#[derive(Default)]
struct State {
    moves: VecDeque<Job>,
    background: VecDeque<Job>,
    running: Vec<Running>,
    next_id: u64,
    closed: bool,
}

impl State {
    fn waiting(&self) -> usize {
        self.moves.len() + self.background.len()
    }
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    cores: usize,
    most_waiting: usize,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        // Work that panicked has left the queues as they were.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A bounded pool of search threads.
pub struct Pool(Arc<Shared>);

/// A place in the pool; the work ends when it is dropped.
pub struct Ticket {
    shared: Arc<Shared>,
    id: u64,
}

impl Pool {
    /// A pool for so many cores that lets so much work wait.
    pub fn new(cores: usize, most_waiting: usize) -> Pool {
        let cores = cores.max(1);
        let shared = Shared { state: Mutex::default(), changed: Condvar::new(), cores, most_waiting };
        let pool = Pool(Arc::new(shared));
        for _ in 0..=cores {
            let shared = Arc::clone(&pool.0);
            std::thread::spawn(move || serve(&shared));
        }
        let shared = Arc::clone(&pool.0);
        std::thread::spawn(move || watch(&shared));
        pool
    }

    /// Puts work into the queue.
    pub fn submit(&self, urgency: Urgency, work: Work, failed: Failed) -> Result<Ticket, Full> {
        let mut state = self.0.lock();
        if state.waiting() >= self.0.most_waiting {
            return Err(Full { waiting: state.waiting() });
        }
        state.next_id += 1;
        let id = state.next_id;
        let job = Job { id, work, failed, urgency, turns: 0 };
        match urgency {
            Urgency::Move => state.moves.push_back(job),
            Urgency::Background => state.background.push_back(job),
        }
        drop(state);
        self.0.changed.notify_all();
        Ok(Ticket { shared: Arc::clone(&self.0), id })
    }

    /// How many searches run and how many wait.
    pub fn load(&self) -> (usize, usize) {
        let state = self.0.lock();
        (state.running.len(), state.waiting())
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.closed = true;
        state.running.iter().for_each(|running| running.stop.raise());
        drop(state);
        self.0.changed.notify_all();
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut state = self.shared.lock();
        let id = self.id;
        let before = state.waiting();
        let moves = std::mem::take(&mut state.moves);
        let background = std::mem::take(&mut state.background);
        let (gone, kept): (Vec<Job>, VecDeque<Job>) = partition(moves, id);
        state.moves = kept;
        let (also_gone, kept) = partition(background, id);
        state.background = kept;
        if let Some(running) = state.running.iter_mut().find(|running| running.id == id) {
            running.cancelled = true;
            running.stop.raise();
        }
        debug_assert!(before - state.waiting() <= 1);
        drop(state);
        // What the work holds is let go outside the lock.
        drop((gone, also_gone));
    }
}

fn partition(jobs: VecDeque<Job>, id: u64) -> (Vec<Job>, VecDeque<Job>) {
    let mut gone = Vec::new();
    let mut kept = VecDeque::with_capacity(jobs.len());
    for job in jobs {
        if job.id == id { gone.push(job) } else { kept.push_back(job) }
    }
    (gone, kept)
}

/// One search thread.
fn serve(shared: &Shared) {
    yield_to_browser();
    while let Some((mut job, turn)) = take(shared) {
        job.turns += 1;
        let work = AssertUnwindSafe(|| (job.work)(&turn));
        let next = catch_unwind(work).unwrap_or_else(|_| {
            (job.failed)();
            Next::Done
        });
        let mut state = shared.lock();
        let place = state.running.iter().position(|running| running.id == job.id);
        let cancelled = place.is_some_and(|place| state.running.swap_remove(place).cancelled);
        if next == Next::Again && !cancelled && !state.closed {
            match job.urgency {
                Urgency::Move => state.moves.push_back(job),
                Urgency::Background => state.background.push_back(job),
            }
            drop(state);
        } else {
            drop(state);
            drop(job);
        }
        shared.changed.notify_all();
    }
}

/// Lets the browser go first on a machine whose cores are all searching: a board that stutters is worth less than a few more
/// visits. Threads that a search starts inherit it.
fn yield_to_browser() {
    // Elsewhere the priority belongs to the whole process, with the server in it.
    #[cfg(target_os = "linux")]
    let _ = rustix::process::setpriority_process(None, 5);
}

/// Waits for work; nothing when the pool is closed.
fn take(shared: &Shared) -> Option<(Job, Turn)> {
    let mut state = shared.lock();
    loop {
        if state.closed {
            return None;
        }
        let busy_with_moves = state.running.iter().filter(|running| running.urgency == Urgency::Move).count();
        let busy_behind = state.running.len() - busy_with_moves;
        let may_move = busy_with_moves < shared.cores;
        let job = if may_move { state.moves.pop_front() } else { None };
        let job = match job {
            // The extra thread is there for the case that moves keep all others busy.
            None if busy_behind < shared.cores.saturating_sub(busy_with_moves).max(1) => {
                state.background.pop_front()
            }
            job => job,
        };
        if let Some(job) = job {
            let others = state.waiting() + state.running.len();
            let threads = (shared.cores / (others + 1)).max(1);
            let doubled = FIRST_TURN.saturating_mul(1 << job.turns.min(8));
            let turn = Turn { stop: Stop::new(), length: doubled.min(LONGEST_TURN), threads };
            let (id, urgency) = (job.id, job.urgency);
            let stop = turn.stop.clone();
            state.running.push(Running { id, stop, started: Instant::now(), urgency, cancelled: false });
            return Some((job, turn));
        }
        state = shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
    }
}

/// Ends turns of background work that others wait for.
fn watch(shared: &Shared) {
    let mut state = shared.lock();
    while !state.closed {
        while state.waiting() == 0 && !state.closed {
            state = shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let long = |running: &&Running| {
            running.urgency == Urgency::Background && running.started.elapsed() > QUANTUM
        };
        state.running.iter().filter(long).for_each(|running| running.stop.raise());
        state = shared.changed.wait_timeout(state, WATCH).unwrap_or_else(PoisonError::into_inner).0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn a_panic_is_told_and_the_threads_live_on() {
        let pool = Pool::new(1, 8);
        let (sender, heard) = channel();
        // More panics than there are threads.
        let tickets: Vec<Ticket> = (0..4)
            .map(|number| {
                let sender = sender.clone();
                let work: Work = Box::new(|_| panic!("this work always fails"));
                let failed: Failed = Box::new(move || sender.send(number).expect("the test listens"));
                pool.submit(Urgency::Move, work, failed).expect("there is room")
            })
            .collect();
        let mut failures: Vec<i32> = heard.iter().take(4).collect();
        failures.sort_unstable();
        assert_eq!(failures, [0, 1, 2, 3]);
        let work: Work = Box::new(move |_| {
            sender.send(9).expect("the test listens");
            Next::Done
        });
        let ticket = pool.submit(Urgency::Background, work, Box::new(|| ())).expect("there is room");
        assert_eq!(heard.recv(), Ok(9));
        drop((tickets, ticket));
    }
}
