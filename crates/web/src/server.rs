//! The HTTP server: the page, a JSON interface, and the live stream.

use crate::analysis::Kept;
use crate::catalogue::catalogue;
use crate::external::{External, MOST_KEPT, Programs};
use crate::fault::{Fault, Payload, read_json, read_object};
use crate::guard::guard;
use crate::live;
use crate::order::{self, Desk};
use crate::page;
use crate::pool::Pool;
use crate::position::{self, Detail};
use crate::rate::Rates;
use crate::records;
use crate::wire::{
    ActRequest, AnalyseRequest, Answer, ExplainRequest, ExportRequest, Hints, Imported, Load, Position,
    PositionRequest, ReviewRequest, SaidAll, SolveRequest,
};
use axum::extract::rejection::QueryRejection;
use axum::extract::ws::WebSocketUpgrade;
use axum::extract::{DefaultBodyLimit, Query, State};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use fivestone_host::views::{Explained, explained};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::{Notify, Semaphore};

/// The largest request: a record file.
const LARGEST_BODY: usize = 4 << 20;
/// The largest message on the live stream.
const LARGEST_MESSAGE: usize = 64 << 10;
/// Pages that may be connected at the same time.
const MOST_PAGES: usize = 512;
/// Searches that may wait for a thread.
const MOST_WAITING: usize = 64;

/// How to serve.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen; port 0 picks a free one.
    pub address: SocketAddr,
    /// The token that is asked for; made up when the address is not a loopback address and none is given.
    pub token: Option<String>,
    /// Search threads; one for each core when not given.
    pub threads: Option<usize>,
    /// Programs to play against.
    pub externals: Vec<External>,
}

/// What all requests share.
pub struct App {
    pub(crate) pool: Arc<Pool>,
    pub(crate) token: Option<String>,
    pub(crate) rates: Rates,
    pub(crate) externals: Arc<[External]>,
    programs: Arc<Semaphore>,
    pages: Arc<Semaphore>,
    closing: Notify,
}

impl App {
    /// The shared state of a server.
    pub fn new(token: Option<String>, threads: Option<usize>, externals: Vec<External>) -> Arc<App> {
        let cores = threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        Arc::new(App {
            pool: Arc::new(Pool::new(cores, MOST_WAITING)),
            token,
            rates: Rates::new(100.0, 1000.0),
            externals: externals.into(),
            programs: Arc::new(Semaphore::new(MOST_KEPT)),
            pages: Arc::new(Semaphore::new(MOST_PAGES)),
            closing: Notify::new(),
        })
    }

    /// What a page begins with.
    fn desk(&self) -> Desk {
        Desk {
            externals: Arc::clone(&self.externals),
            programs: Arc::new(Programs::new(Arc::clone(&self.programs))),
            kept: Kept::default(),
            opponent: Arc::default(),
        }
    }

    /// Sends all pages away.
    pub fn close(&self) {
        self.closing.notify_waiters();
    }

    /// How many programs are running for pages.
    pub fn programs(&self) -> usize {
        MOST_KEPT - self.programs.available_permits()
    }

    /// How many searches run and how many wait.
    pub fn load(&self) -> (usize, usize) {
        self.pool.load()
    }
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    app: Arc<App>,
}

impl Server {
    /// Listens on the address.
    pub async fn bind(config: Config) -> io::Result<Server> {
        let token = match config.token {
            None if !config.address.ip().is_loopback() => Some(new_token()?),
            token => token,
        };
        let listener = TcpListener::bind(config.address).await?;
        Ok(Server { listener, app: App::new(token, config.threads, config.externals) })
    }

    /// The address to open in a browser.
    pub fn url(&self) -> io::Result<String> {
        let address = self.listener.local_addr()?;
        let query = self.app.token.as_ref().map_or(String::new(), |token| format!("?token={token}"));
        Ok(format!("http://{address}/{query}"))
    }

    /// What all requests share.
    pub fn app(&self) -> Arc<App> {
        Arc::clone(&self.app)
    }

    /// Serves until the process ends.
    pub async fn run(self) -> io::Result<()> {
        let service = router(self.app).into_make_service_with_connect_info::<SocketAddr>();
        axum::serve(self.listener, service).await
    }
}

/// A token that nobody guesses.
fn new_token() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// All addresses of the server.
pub fn router(app: Arc<App>) -> Router {
    let api = Router::new()
        .route("/catalogue", get(async |State(app): State<Arc<App>>| Json(catalogue(&app.externals))))
        .route("/load", get(load))
        .route("/position", post(position))
        .route("/explain", post(explain))
        .route("/act", post(act))
        .route("/analyse", post(analyse))
        .route("/review", post(review))
        .route("/solve", post(solve))
        .route("/import", post(import))
        .route("/export", post(export))
        .route("/live", get(live))
        .fallback(async || Fault {
            status: StatusCode::NOT_FOUND,
            message: "there is no such request".to_owned(),
        })
        .method_not_allowed_fallback(async || Fault {
            status: StatusCode::METHOD_NOT_ALLOWED,
            message: "this request has another method; see /openapi.json".to_owned(),
        });
    Router::new()
        .nest("/api", api)
        .fallback(page::file)
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(from_fn_with_state(Arc::clone(&app), guard))
        .with_state(app)
}

#[allow(clippy::unused_async, reason = "handlers are asynchronous")]
async fn load(State(app): State<Arc<App>>) -> Json<Load> {
    let (running, waiting) = app.pool.load();
    Json(Load { running, waiting, programs: app.programs() })
}

#[allow(clippy::unused_async, reason = "handlers are asynchronous")]
async fn position(Payload(body): Payload) -> Result<Json<Position>, Fault> {
    let request: PositionRequest = read_json(&body)?;
    let detail = if request.layers { Detail::Layers } else { Detail::Game };
    Ok(Json(position::position(&request.game.replay()?, detail)))
}

async fn explain(Payload(body): Payload) -> Result<Json<Explained>, Fault> {
    let request: ExplainRequest = read_json(&body)?;
    let board = request.game.open_position()?.board;
    let told = tokio::task::spawn_blocking(move || explained(&request.engine, &board)).await;
    let told = told.map_err(|_| Fault::broken())?;
    let names = fivestone_engine::explained().join(", ");
    told.map(Json).ok_or_else(|| Fault::bad(format!("the engine has no tables to show (one of: {names})")))
}

async fn act(State(app): State<Arc<App>>, Payload(body): Payload) -> Result<Json<Option<Answer>>, Fault> {
    let request: ActRequest<Option<u64>> = read_object(&body)?;
    let desk = app.desk();
    let said = live::run_once(&app.pool, request.id, |voice| order::act(&request, &desk, voice)).await;
    said.map(|mut answers| Json(answers.pop()))
}

async fn solve(State(app): State<Arc<App>>, Payload(body): Payload) -> Result<Json<Option<Answer>>, Fault> {
    let request: SolveRequest<Option<u64>> = read_object(&body)?;
    let said = live::run_once(&app.pool, request.id, |voice| order::solve(&request, voice)).await;
    said.map(|mut answers| Json(answers.pop()))
}

async fn analyse(State(app): State<Arc<App>>, Payload(body): Payload) -> Result<Json<SaidAll>, Fault> {
    let mut request: AnalyseRequest<Option<u64>> = read_object(&body)?;
    if request.visits.is_none() {
        // Whoever waits for one answer wants it soon.
        request.time_ms.get_or_insert(1000);
    }
    let desk = app.desk();
    let said = live::run_once(&app.pool, request.id, |voice| order::analyse(&request, &desk, voice)).await;
    said.map(|said| Json(SaidAll { said }))
}

async fn review(State(app): State<Arc<App>>, Payload(body): Payload) -> Result<Json<SaidAll>, Fault> {
    let request: ReviewRequest<Option<u64>> = read_object(&body)?;
    let said = live::run_once(&app.pool, request.id, |voice| order::review(&request, voice)).await;
    said.map(|said| Json(SaidAll { said }))
}

async fn import(
    hints: Result<Query<Hints>, QueryRejection>,
    Payload(body): Payload,
) -> Result<Json<Imported>, Fault> {
    let Query(hints) = hints.map_err(|rejection| Fault::bad(rejection.body_text()))?;
    let read = tokio::task::spawn_blocking(move || records::import(&body, &hints)).await;
    read.map_err(|_| Fault::bad("the record cannot be read"))?.map(Json)
}

async fn export(Payload(body): Payload) -> Result<Response, Fault> {
    let request: ExportRequest = read_json(&body)?;
    let written = tokio::task::spawn_blocking(move || records::export(&request)).await;
    let (bytes, media_type) = written.map_err(|_| Fault::bad("the game cannot be written"))??;
    Ok(([(CONTENT_TYPE, media_type)], bytes).into_response())
}

async fn live(State(app): State<Arc<App>>, upgrade: WebSocketUpgrade) -> Response {
    let Ok(place) = Arc::clone(&app.pages).try_acquire_owned() else {
        return Fault::busy(format!("{MOST_PAGES} pages are connected already")).into_response();
    };
    upgrade.max_message_size(LARGEST_MESSAGE).max_frame_size(LARGEST_MESSAGE).on_upgrade(
        async move |socket| {
            tokio::select! {
                () = live::serve(socket, Arc::clone(&app.pool), app.desk()) => {}
                () = app.closing.notified() => {}
            }
            drop(place);
        },
    )
}
