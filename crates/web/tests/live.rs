//! The live stream over a real connection: sayings come, stops stop, and nothing goes on when a page has gone.

mod serving;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use serving::serving;
use std::time::Duration;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

type Socket = WebSocketStream<MaybeTlsStream<tokio::net::TcpStream>>;

async fn connect(url: &str) -> Socket {
    connect_async(url).await.expect("a connection").0
}

async fn say(socket: &mut Socket, value: Value) {
    socket.send(Message::text(value.to_string())).await.expect("sent");
}

async fn hear(socket: &mut Socket) -> Value {
    loop {
        let message = tokio::time::timeout(Duration::from_secs(60), socket.next()).await.expect("in time");
        match message.expect("not the end").expect("a message") {
            Message::Text(text) => return serde_json::from_str(&text).expect("JSON"),
            Message::Close(frame) => {
                return json!({ "is": "closed", "why": frame.map(|f| f.reason.to_string()) });
            }
            _ => {}
        }
    }
}

async fn until(mut question: impl FnMut() -> bool) {
    for _ in 0..6000 {
        if question() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("waited in vain");
}

fn analyse(id: u64) -> Value {
    json!({ "do": "analyse", "id": id, "game": { "moves": "h8h9i10" }, "lines": 3 })
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_search_ends_when_it_is_stopped_and_when_its_page_goes() {
    let (url, app) = serving(1).await;
    let mut socket = connect(&url).await;
    say(&mut socket, analyse(1)).await;
    assert_eq!(hear(&mut socket).await["is"], "report");
    say(&mut socket, json!({ "do": "stop", "id": 1 })).await;
    until(|| app.load() == (0, 0)).await;
    say(&mut socket, analyse(2)).await;
    assert_eq!(hear(&mut socket).await["id"], 2);
    drop(socket);
    until(|| app.load() == (0, 0)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_take_turns_on_one_thread() {
    let (url, _app) = serving(1).await;
    let mut sockets = Vec::new();
    for id in 0..5 {
        let mut socket = connect(&url).await;
        say(&mut socket, analyse(id)).await;
        sockets.push(socket);
    }
    for round in 0..2 {
        for (id, socket) in sockets.iter_mut().enumerate() {
            let message = hear(socket).await;
            assert_eq!((&message["is"], &message["id"]), (&json!("report"), &json!(id)), "round {round}");
        }
    }
    // Somebody's move is not kept waiting by analyses.
    let mut player = connect(&url).await;
    say(&mut player, json!({ "do": "act", "id": 9, "game": {}, "player": { "level": 1 } })).await;
    assert_eq!(hear(&mut player).await["is"], "acted");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_full_queue_says_so() {
    let (url, _app) = serving(1).await;
    let mut sockets = Vec::new();
    let mut refused = None;
    'pages: for page in 0..40 {
        let mut socket = connect(&url).await;
        for id in 0..4 {
            say(&mut socket, analyse(id)).await;
        }
        say(&mut socket, json!({ "do": "analyse", "id": 100 + page, "game": { "moves": "h8h8" } })).await;
        loop {
            let message = hear(&mut socket).await;
            match message["error"].as_str() {
                Some(error) if error.contains("busy") => {
                    refused = Some(error.to_owned());
                    break 'pages;
                }
                Some(_) => break,
                None => {}
            }
        }
        sockets.push(socket);
    }
    assert!(refused.is_some_and(|error| error.contains("try again")));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nonsense_is_answered_and_floods_are_cut_off() {
    let (url, _app) = serving(1).await;
    let mut socket = connect(&url).await;
    for nonsense in ["", "{}", "[1]", r#"{"do":"fly","id":1}"#, r#"{"do":"analyse","id":-1}"#] {
        socket.send(Message::text(nonsense)).await.expect("sent");
        assert_eq!(hear(&mut socket).await["is"], "error", "{nonsense}");
    }
    for _ in 0..500 {
        if socket.send(Message::text("{}")).await.is_err() {
            return;
        }
    }
    loop {
        match socket.next().await {
            None | Some(Err(_)) => return,
            Some(Ok(Message::Close(frame))) => {
                assert!(frame.is_none_or(|frame| frame.reason.contains("too many")));
                return;
            }
            Some(Ok(_)) => {}
        }
    }
}
