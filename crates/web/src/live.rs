//! The live stream of a page: requests in, sayings out. All searches of a page end when it goes.

use crate::fault::{Fault, read_json};
use crate::order::{Desk, Order, Outgoing, Voice, order};
use crate::pool::{Pool, Ticket};
use crate::rate::Bucket;
use crate::wire::{Answer, Request, Said};
use axum::extract::ws::{CloseFrame, Message, WebSocket};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{Receiver, Sender, channel};
use tokio::time::Interval;

/// Searches that one page may have at the same time.
const MOST_SEARCHES: usize = 4;
/// Sayings that a page may be behind; one that does not listen is gone.
const MOST_UNREAD: usize = 256;
/// How long a page may take to accept a message.
const SEND_PATIENCE: Duration = Duration::from_secs(10);
/// How often a quiet page is asked whether it is still there.
const HEARTBEAT: Duration = Duration::from_secs(20);

/// Runs one search to its end and answers all it says; for programs that do not keep a stream.
pub async fn run_once(
    pool: &Pool,
    id: Option<u64>,
    order: impl FnOnce(Voice) -> Result<Order, Fault>,
) -> Result<Vec<Answer>, Fault> {
    let (to_page, mut receiver) = channel(MOST_UNREAD);
    let _ticket = order(Voice { id: id.unwrap_or_default(), to_page })?.submit(pool)?;
    let mut answers: Vec<Answer> = Vec::new();
    while let Some(Outgoing { id, said }) = receiver.recv().await {
        let said = said?;
        let (is_report, ends) = (matches!(said, Said::Report(_)), said.ends());
        // Of an analysis only the newest report matters.
        answers.retain(|answer| !is_report || !matches!(answer.said, Said::Report(_)));
        answers.push(Answer { id: Some(id), said });
        if ends {
            break;
        }
    }
    Ok(answers)
}

/// Serves one page until it goes.
pub async fn serve(mut socket: WebSocket, pool: Arc<Pool>, desk: Desk) {
    let (sender, mut receiver) = channel(MOST_UNREAD);
    let requests = Bucket::new(40.0, 120.0);
    let mut page = Page { pool, desk, sender, searches: HashMap::new(), requests, silent: 0 };
    let mut heartbeat = tokio::time::interval(HEARTBEAT);
    heartbeat.reset();
    loop {
        let message = match page.next_step(&mut socket, &mut receiver, &mut heartbeat).await {
            Step::Nothing => continue,
            Step::Say(answer) => Message::Text(answer.to_json().into()),
            Step::Ping => Message::Ping(Vec::new().into()),
            Step::SendAway(reason) => {
                let frame = CloseFrame { code: 1008, reason: reason.into() };
                send(&mut socket, Message::Close(Some(frame))).await;
                return;
            }
            Step::Leave => return,
        };
        if !send(&mut socket, message).await {
            return;
        }
    }
}

/// Sends a message; whether the page took it in time.
async fn send(socket: &mut WebSocket, message: Message) -> bool {
    matches!(tokio::time::timeout(SEND_PATIENCE, socket.send(message)).await, Ok(Ok(())))
}

/// What to do next for a page.
enum Step {
    Nothing,
    Say(Answer),
    Ping,
    /// The page is told why it has to go.
    SendAway(&'static str),
    /// The page has gone.
    Leave,
}

struct Page {
    pool: Arc<Pool>,
    desk: Desk,
    sender: Sender<Outgoing>,
    searches: HashMap<u64, Ticket>,
    requests: Bucket,
    /// Heartbeats since the page was last heard.
    silent: u32,
}

impl Page {
    /// Waits for the page, a search or the clock.
    async fn next_step(
        &mut self,
        socket: &mut WebSocket,
        receiver: &mut Receiver<Outgoing>,
        heartbeat: &mut Interval,
    ) -> Step {
        tokio::select! {
            incoming = socket.recv() => self.hear(incoming.and_then(Result::ok)),
            Some(outgoing) = receiver.recv() => self.pass_on(outgoing),
            _ = heartbeat.tick() => self.beat(),
        }
    }

    fn hear(&mut self, message: Option<Message>) -> Step {
        self.silent = 0;
        match message {
            Some(Message::Text(text)) => self.obey(text.as_bytes()),
            Some(Message::Ping(_) | Message::Pong(_)) => Step::Nothing,
            Some(Message::Binary(_)) => Step::Say(Answer::refusal(None, &Fault::bad("write JSON text"))),
            Some(Message::Close(_)) | None => Step::Leave,
        }
    }

    fn beat(&mut self) -> Step {
        self.desk.programs.end_idle();
        self.silent += 1;
        if self.silent > 2 { Step::Leave } else { Step::Ping }
    }

    fn obey(&mut self, bytes: &[u8]) -> Step {
        if !self.requests.take() {
            return Step::SendAway("too many messages");
        }
        let request: Request = match read_json(bytes) {
            Ok(request) => request,
            Err(fault) => return Step::Say(Answer::refusal(None, &fault)),
        };
        let id = request.id();
        match self.begin(id, request) {
            Ok(()) => Step::Nothing,
            Err(fault) => Step::Say(Answer::refusal(Some(id), &fault)),
        }
    }

    fn begin(&mut self, id: u64, request: Request) -> Result<(), Fault> {
        // A new request under an old number replaces it.
        self.searches.remove(&id);
        let Some(order) = order(request, &self.desk, Voice { id, to_page: self.sender.clone() })? else {
            return Ok(());
        };
        if self.searches.len() >= MOST_SEARCHES {
            return Err(Fault::busy("this page has as many searches as it may have; stop one first"));
        }
        self.searches.insert(id, order.submit(&self.pool)?);
        Ok(())
    }

    /// What was said by a search that was stopped since is not passed on.
    fn pass_on(&mut self, outgoing: Outgoing) -> Step {
        if !self.searches.contains_key(&outgoing.id) {
            return Step::Nothing;
        }
        if outgoing.is_last() {
            self.searches.remove(&outgoing.id);
        }
        Step::Say(outgoing.into())
    }
}
