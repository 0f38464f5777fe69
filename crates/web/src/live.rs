//! The live stream of a page: requests in, sayings out. All searches of a page end when it goes.

use crate::analysis::{Analysis, Kept, Saying, force};
use crate::external::{External, Programs};
use crate::fault::{Fault, read_json};
use crate::game::GameSpec;
use crate::opponent::{Opponent, Pondering};
use crate::player::PlayerSpec;
use crate::pool::{Failed, Next, Pool, Ticket, Turn, Urgency, Work};
use crate::rate::Bucket;
use crate::review::{Review, Told};
use axum::extract::ws::{CloseFrame, Message, WebSocket};
use axum::http::StatusCode;
use fivestone_engine::Rng;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{Sender, channel};

/// Searches that one page may have at the same time.
const MOST_SEARCHES: usize = 4;
/// Sayings that a page may be behind; one that does not listen is gone.
const MOST_UNREAD: usize = 256;
/// How long a page may take to accept a message.
const SEND_PATIENCE: Duration = Duration::from_secs(10);
/// How often a quiet page is asked whether it is still there.
const HEARTBEAT: Duration = Duration::from_secs(20);

/// What a page asks for.
#[derive(Deserialize, Debug)]
#[serde(tag = "do", rename_all = "camelCase", deny_unknown_fields)]
pub enum Request {
    /// Analyse a position until told to stop.
    #[serde(rename_all = "camelCase")]
    Analyse {
        /// The number that answers carry.
        id: u64,
        /// The position.
        game: GameSpec,
        /// The engine that judges.
        #[serde(default)]
        engine: Option<String>,
        /// How many candidates.
        #[serde(default)]
        lines: Option<usize>,
        /// The most time in milliseconds.
        #[serde(default)]
        time_ms: Option<u64>,
        /// The most visits.
        #[serde(default)]
        visits: Option<u64>,
    },
    /// Let a player decide what the game asks for.
    Act {
        /// The number that the answer carries.
        id: u64,
        /// The game.
        game: GameSpec,
        /// Who decides.
        player: PlayerSpec,
    },
    /// Let a player think while the other side does. Nothing is answered until it ends.
    Ponder {
        /// The number that the answer carries.
        id: u64,
        /// The game; the other side is to move.
        game: GameSpec,
        /// Who thinks.
        player: PlayerSpec,
    },
    /// Judge every move of a game.
    #[serde(rename_all = "camelCase")]
    Review {
        /// The number that answers carry.
        id: u64,
        /// The game.
        game: GameSpec,
        /// The engine that judges.
        #[serde(default)]
        engine: Option<String>,
        /// Time for each position in milliseconds.
        #[serde(default)]
        time_ms: Option<u64>,
    },
    /// Look for a forced win of the side to move.
    #[serde(rename_all = "camelCase")]
    Solve {
        /// The number that the answer carries.
        id: u64,
        /// The position.
        game: GameSpec,
        /// The most time in milliseconds.
        #[serde(default)]
        time_ms: Option<u64>,
    },
    /// End what was asked for under a number.
    Stop {
        /// The number.
        id: u64,
    },
}

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

/// One message to a page; the last of its number when so marked.
pub struct Outgoing {
    id: u64,
    /// The message.
    pub value: Value,
    last: bool,
}

/// What is wanted of the pool, checked.
pub struct Order {
    urgency: Urgency,
    work: Work,
    failed: Failed,
}

impl Order {
    fn submit(self, pool: &Pool) -> Result<Ticket, Fault> {
        pool.submit(self.urgency, self.work, self.failed).map_err(|full| Fault::busy(full.to_string()))
    }
}

impl Request {
    fn id(&self) -> u64 {
        match *self {
            Request::Analyse { id, .. }
            | Request::Act { id, .. }
            | Request::Ponder { id, .. }
            | Request::Review { id, .. }
            | Request::Solve { id, .. }
            | Request::Stop { id } => id,
        }
    }

    /// Checks the request and makes work of it; nothing for a stop.
    pub fn order(self, desk: &Desk, to_page: Sender<Outgoing>) -> Result<Option<Order>, Fault> {
        let id = self.id();
        let failed: Failed = {
            let to_page = to_page.clone();
            let value = refusal(Some(id), &Fault::broken());
            Box::new(move || {
                let _ = to_page.try_send(Outgoing { id, value: value.clone(), last: true });
            })
        };
        let say = move |value: Value, last: bool| to_page.try_send(Outgoing { id, value, last }).is_ok();
        let (urgency, work): (Urgency, Work) = match self {
            Request::Stop { .. } => return Ok(None),
            Request::Analyse { game, engine, lines, time_ms, visits, .. } => {
                let board = game.open_position()?.board;
                let time = time_ms.map(Duration::from_millis);
                let mut analysis = Analysis::new(
                    engine.as_deref(),
                    board,
                    lines.unwrap_or(8),
                    time,
                    visits,
                    Arc::clone(&desk.kept),
                )?;
                let work = Box::new(move |turn: &Turn| {
                    let mut heard = true;
                    let next = analysis.turn(turn, &mut |saying| {
                        let last = matches!(saying, Saying::Done { .. });
                        heard &= say(tagged(id, &saying), last);
                        if !heard {
                            turn.stop.raise();
                        }
                    });
                    if heard { next } else { Next::Done }
                });
                (Urgency::Background, work)
            }
            Request::Review { game, engine, time_ms, .. } => {
                let game = game.replay()?;
                let time = Duration::from_millis(time_ms.unwrap_or(400));
                let mut review = Review::new(&game, engine.as_deref(), time)?;
                let work = Box::new(move |turn: &Turn| {
                    let mut heard = true;
                    let next = review.turn(turn, &mut |told| {
                        heard &= say(tagged(id, &told), matches!(told, Told::Done { .. }));
                    });
                    if heard { next } else { Next::Done }
                });
                (Urgency::Background, work)
            }
            Request::Solve { game, time_ms, .. } => {
                let board = game.open_position()?.board;
                let time = Duration::from_millis(time_ms.unwrap_or(2000).clamp(10, 60_000));
                let work: Work = Box::new(move |turn| {
                    let found = force(&board, false, time, &turn.stop);
                    let (verdict, nodes) = (found.solution.verdict.name(), found.solution.nodes);
                    let proof = found.view(false);
                    let told = json!({ "id": id, "is": "solved", "verdict": verdict, "proof": proof, "nodes": nodes });
                    say(told, true);
                    Next::Done
                });
                (Urgency::Move, work)
            }
            Request::Ponder { game, player, .. } => {
                let board = game.open_position()?.board;
                let mut pondering = Pondering::new(Arc::clone(&desk.opponent), player, board)?;
                let work = Box::new(move |turn: &Turn| {
                    match pondering.turn(turn) {
                        Ok(Next::Again) => return Next::Again,
                        Ok(Next::Done) => say(json!({ "id": id, "is": "done", "why": "exhausted" }), true),
                        Err(fault) => say(refusal(Some(id), &fault), true),
                    };
                    Next::Done
                });
                (Urgency::Background, work)
            }
            Request::Act { game, player, .. } => {
                let game = game.open_position()?;
                let mut thinker = player.build(desk)?;
                let limits = player.limits();
                let rng = Rng::new(player.seed());
                let work: Work = Box::new(move |turn| {
                    let limits = fivestone_engine::Limits { threads: turn.threads, ..limits.clone() };
                    match thinker.act(&game, &limits, &turn.stop, &rng) {
                        Ok(None) => {}
                        Ok(Some(acted)) => {
                            say(tagged(id, &acted), true);
                        }
                        Err(fault) => {
                            say(refusal(Some(id), &fault), true);
                        }
                    }
                    Next::Done
                });
                (Urgency::Move, work)
            }
        };
        Ok(Some(Order { urgency, work, failed }))
    }
}

/// What is said, with the number of the request that it answers.
#[derive(Serialize)]
struct Tagged<'a, T> {
    id: u64,
    #[serde(flatten)]
    said: &'a T,
}

fn tagged(id: u64, said: &impl Serialize) -> Value {
    serde_json::to_value(Tagged { id, said }).expect("plain data becomes JSON")
}

/// Runs one request to its end and answers all it says; for programs that do not keep a stream.
pub async fn run_once(pool: &Pool, desk: &Desk, request: Request) -> Result<Vec<Value>, Fault> {
    let (sender, mut receiver) = channel(MOST_UNREAD);
    let Some(order) = request.order(desk, sender)? else { return Ok(Vec::new()) };
    let ticket = order.submit(pool)?;
    let mut said = Vec::new();
    while let Some(outgoing) = receiver.recv().await {
        // Of an analysis only the newest report matters.
        said.retain(|value: &Value| value["is"] != "report" || outgoing.value["is"] != "report");
        said.push(outgoing.value);
        if outgoing.last {
            break;
        }
    }
    drop(ticket);
    if let Some(error) = said.last().filter(|value| value["is"] == "error") {
        let status = error["status"].as_u64().and_then(|status| StatusCode::from_u16(status as u16).ok());
        let message = error["error"].as_str().unwrap_or_default().to_owned();
        return Err(Fault { status: status.unwrap_or(StatusCode::BAD_GATEWAY), message });
    }
    Ok(said)
}

/// Serves one page until it goes.
pub async fn serve(mut socket: WebSocket, pool: Arc<Pool>, desk: Desk) {
    let (sender, mut receiver) = channel(MOST_UNREAD);
    let mut page = Page { pool, desk, sender, searches: HashMap::new(), requests: Bucket::new(40.0, 120.0) };
    let mut heartbeat = tokio::time::interval(HEARTBEAT);
    heartbeat.reset();
    let mut silent = 0;
    loop {
        let answer = tokio::select! {
            incoming = socket.recv() => {
                silent = 0;
                match incoming {
                    Some(Ok(Message::Text(text))) => page.obey(text.as_bytes()),
                    Some(Ok(Message::Ping(_) | Message::Pong(_))) => continue,
                    Some(Ok(Message::Binary(_))) => Answer::Say(refusal(None, &Fault::bad("write JSON text"))),
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return,
                }
            }
            Some(outgoing) = receiver.recv() => page.pass_on(outgoing),
            _ = heartbeat.tick() => {
                page.desk.programs.end_idle();
                silent += 1;
                if silent > 2 { return }
                Answer::Ping
            }
        };
        let message = match answer {
            Answer::Nothing => continue,
            Answer::Say(value) => Message::Text(value.to_string().into()),
            Answer::Ping => Message::Ping(Vec::new().into()),
            Answer::Leave(reason) => {
                let frame = CloseFrame { code: 1008, reason: reason.into() };
                let _ = tokio::time::timeout(SEND_PATIENCE, socket.send(Message::Close(Some(frame)))).await;
                return;
            }
        };
        if !matches!(tokio::time::timeout(SEND_PATIENCE, socket.send(message)).await, Ok(Ok(()))) {
            return;
        }
    }
}

enum Answer {
    Nothing,
    Say(Value),
    Ping,
    Leave(&'static str),
}

struct Page {
    pool: Arc<Pool>,
    desk: Desk,
    sender: Sender<Outgoing>,
    searches: HashMap<u64, Ticket>,
    requests: Bucket,
}

impl Page {
    fn obey(&mut self, bytes: &[u8]) -> Answer {
        if !self.requests.take() {
            return Answer::Leave("too many messages");
        }
        let request: Request = match read_json(bytes) {
            Ok(request) => request,
            Err(fault) => return Answer::Say(refusal(None, &fault)),
        };
        let id = request.id();
        match self.begin(id, request) {
            Ok(()) => Answer::Nothing,
            Err(fault) => Answer::Say(refusal(Some(id), &fault)),
        }
    }

    fn begin(&mut self, id: u64, request: Request) -> Result<(), Fault> {
        // A new request under an old number replaces it.
        self.searches.remove(&id);
        let Some(order) = request.order(&self.desk, self.sender.clone())? else {
            return Ok(());
        };
        if self.searches.len() >= MOST_SEARCHES {
            return Err(Fault::busy("this page has as many searches as it may have; stop one first"));
        }
        self.searches.insert(id, order.submit(&self.pool)?);
        Ok(())
    }

    /// What was said by a search that was stopped since is not passed on.
    fn pass_on(&mut self, outgoing: Outgoing) -> Answer {
        if !self.searches.contains_key(&outgoing.id) {
            return Answer::Nothing;
        }
        if outgoing.last {
            self.searches.remove(&outgoing.id);
        }
        Answer::Say(outgoing.value)
    }
}

fn refusal(id: Option<u64>, fault: &Fault) -> Value {
    json!({ "id": id, "is": "error", "error": fault.message, "status": fault.status.as_u16() })
}
