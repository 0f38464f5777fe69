//! Requests for searches, checked and made into work for the pool.

use crate::analysis::{Analysis, Kept, force};
use crate::external::{External, Programs};
use crate::fault::Fault;
use crate::opponent::{Opponent, Pondering};
use crate::pool::{Next, Pool, Ticket, Turn, Urgency, Work};
use crate::review::Review;
use crate::wire::{
    ActRequest, AnalyseRequest, Answer, Ending, Request, ReviewRequest, Said, SolveRequest, Solved, Word,
};
use fivestone_engine::{Limits, Rng};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::Sender;

/// What the searches of one page share.
pub struct Desk {
    /// The programs that may be played against.
    pub externals: Arc<[External]>,
    /// Those of them that run.
    pub programs: Arc<Programs>,
    /// The engine that analysed last.
    pub kept: Kept,
    /// The engine that is played against.
    pub opponent: Arc<Opponent>,
}

/// What a search says or why it failed, with the number of its request.
pub struct Outgoing {
    /// The number.
    pub id: u64,
    /// What is said.
    pub said: Result<Said, Fault>,
}

impl Outgoing {
    /// Whether the search says nothing after it.
    pub fn is_last(&self) -> bool {
        self.said.as_ref().map_or(true, Said::ends)
    }
}

impl From<Outgoing> for Answer {
    fn from(outgoing: Outgoing) -> Answer {
        match outgoing.said {
            Ok(said) => Answer { id: Some(outgoing.id), said },
            Err(fault) => Answer::refusal(Some(outgoing.id), &fault),
        }
    }
}

/// How a search speaks to whoever asked for it.
#[derive(Clone)]
pub struct Voice {
    /// The number of the request.
    pub id: u64,
    /// The way to the page.
    pub to_page: Sender<Outgoing>,
}

impl Voice {
    /// Says something; whether it was taken.
    fn say(&self, said: Result<Said, Fault>) -> bool {
        self.to_page.try_send(Outgoing { id: self.id, said }).is_ok()
    }
}

/// What is wanted of the pool, checked.
pub struct Order {
    urgency: Urgency,
    work: Work,
    voice: Voice,
}

impl Order {
    /// Puts the work into the queue. If it panics, whoever asked for it is told.
    pub fn submit(self, pool: &Pool) -> Result<Ticket, Fault> {
        let voice = self.voice;
        let failed = Box::new(move || {
            voice.say(Err(Fault::broken()));
        });
        pool.submit(self.urgency, self.work, failed).map_err(|full| Fault::busy(full.to_string()))
    }
}

/// Makes work of a request; nothing of a stop.
pub fn order(request: Request, desk: &Desk, voice: Voice) -> Result<Option<Order>, Fault> {
    match request {
        Request::Analyse(request) => analyse(&request, desk, voice).map(Some),
        Request::Act(request) => act(&request, desk, voice).map(Some),
        Request::Ponder(request) => ponder(request, desk, voice).map(Some),
        Request::Review(request) => review(&request, voice).map(Some),
        Request::Solve(request) => solve(&request, voice).map(Some),
        Request::Stop(_) => Ok(None),
    }
}

/// An analysis, in turns.
pub fn analyse<Id>(request: &AnalyseRequest<Id>, desk: &Desk, voice: Voice) -> Result<Order, Fault> {
    let mut analysis = Analysis::new(request, Arc::clone(&desk.kept))?;
    Ok(in_turns(voice, move |turn, say| analysis.turn(turn, say)))
}

/// A review, in turns.
pub fn review<Id>(request: &ReviewRequest<Id>, voice: Voice) -> Result<Order, Fault> {
    let time = Duration::from_millis(request.time_ms.unwrap_or(400));
    let mut review = Review::new(&request.game.replay()?, request.engine.as_deref(), time)?;
    Ok(in_turns(voice, move |turn, say| review.turn(turn, say)))
}

/// Background work that ends early when nobody listens.
fn in_turns(
    voice: Voice,
    mut take_turn: impl FnMut(&Turn, &mut dyn FnMut(Said)) -> Next + Send + 'static,
) -> Order {
    let listener = voice.clone();
    let work = Box::new(move |turn: &Turn| {
        let mut heard = true;
        let next = take_turn(turn, &mut |said| {
            heard &= listener.say(Ok(said));
            if !heard {
                turn.stop.raise();
            }
        });
        if heard { next } else { Next::Done }
    });
    Order { urgency: Urgency::Background, work, voice }
}

/// A search for a forced win.
pub fn solve<Id>(request: &SolveRequest<Id>, voice: Voice) -> Result<Order, Fault> {
    let board = request.game.open_position()?.board;
    let time = Duration::from_millis(request.time_ms.unwrap_or(2000).clamp(10, 60_000));
    Ok(one_move(voice, move |turn| {
        let found = force(&board, false, time, &turn.stop);
        let (verdict, nodes) = (Word(found.solution.verdict), found.solution.nodes);
        Some(Ok(Said::Solved(Solved { verdict, proof: found.view(false), nodes })))
    }))
}

/// A decision of a player.
pub fn act<Id>(request: &ActRequest<Id>, desk: &Desk, voice: Voice) -> Result<Order, Fault> {
    let game = request.game.open_position()?;
    let mut thinker = request.player.build(desk)?;
    let limits = request.player.limits();
    let rng = Rng::new(request.player.seed());
    Ok(one_move(voice, move |turn| {
        let limits = Limits { threads: turn.threads, ..limits.clone() };
        thinker.act(&game, &limits, &turn.stop, &rng).map(|acted| acted.map(Said::Acted)).transpose()
    }))
}

/// Urgent work of one turn, which says one thing or nothing.
fn one_move(
    voice: Voice,
    mut answer: impl FnMut(&Turn) -> Option<Result<Said, Fault>> + Send + 'static,
) -> Order {
    let listener = voice.clone();
    let work = Box::new(move |turn: &Turn| {
        if let Some(said) = answer(turn) {
            listener.say(said);
        }
        Next::Done
    });
    Order { urgency: Urgency::Move, work, voice }
}

/// Thinking while the other side does.
fn ponder<Id>(request: ActRequest<Id>, desk: &Desk, voice: Voice) -> Result<Order, Fault> {
    let board = request.game.open_position()?.board;
    let mut pondering = Pondering::new(Arc::clone(&desk.opponent), request.player, board)?;
    let listener = voice.clone();
    let work = Box::new(move |turn: &Turn| {
        let said = match pondering.turn(turn) {
            Ok(Next::Again) => return Next::Again,
            Ok(Next::Done) => Ok(Said::Done { why: Ending::Exhausted }),
            Err(fault) => Err(fault),
        };
        listener.say(said);
        Next::Done
    });
    Ok(Order { urgency: Urgency::Background, work, voice })
}
