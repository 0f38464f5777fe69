//! The interface under fire: whatever comes is answered or refused in words, and the server lives on.

mod serving;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use fivestone_web::{App, router};
use futures_util::{SinkExt, StreamExt};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{RngSeed, TestRunner};
use serde_json::{Value, json};
use serving::serving;
use std::sync::LazyLock;
use std::time::Duration;
use tokio::runtime::Runtime;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;
use tower::ServiceExt;

static SERVER: LazyLock<Router> = LazyLock::new(|| router(App::new(None, Some(1), Vec::new())));
static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("a runtime"));

/// Sends bytes and answers the status and the JSON that came.
fn post(path: &str, body: impl Into<Body>) -> (StatusCode, Value) {
    let request = Request::post(path).header(header::HOST, "localhost").body(body.into()).expect("a request");
    RUNTIME.block_on(async {
        let response = SERVER.clone().oneshot(request).await.expect("the router answers");
        let status = response.status();
        let bytes = to_bytes(response.into_body(), 16 << 20).await.expect("a body");
        (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
    })
}

/// Whether a request was answered, or refused with a clear line.
fn fair((status, answer): &(StatusCode, Value)) -> bool {
    *status == StatusCode::OK || *status == StatusCode::BAD_REQUEST && answer["error"].is_string()
}

/// A word that means something to the server, or nothing.
fn word() -> impl Strategy<Value = String> + Clone {
    let known = [
        "rule",
        "size",
        "moves",
        "steps",
        "opening",
        "swap2",
        "soosorv-8",
        "renju",
        "caro",
        "h8",
        "black",
        "add",
        "8",
        "level",
        "engine",
        "external",
        "fivestone",
        "timeMs",
        "visits",
        "settings",
        "seed",
        "lines",
        "do",
        "id",
    ];
    prop_oneof![
        prop::sample::select(known.to_vec()).prop_map(str::to_owned),
        ".{0,12}",
        "([a-v][0-9]{1,2}){0,20}",
    ]
}

fn json_value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        (-2i64..30).prop_map(Value::from),
        word().prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 16, 5, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map(word(), inner, 0..5)
                .prop_map(|map| Value::Object(map.into_iter().collect())),
        ]
    })
}

/// A game as it should be told, except for one field perhaps.
fn nearly_a_game() -> impl Strategy<Value = Value> {
    let rule = prop::sample::select(vec!["freestyle", "standard", "renju", "caro", "caro-overline"]);
    let steps = prop::collection::vec("[a-o]([1-9]|1[0-5])|black|white|add|[0-9]", 0..8);
    let opening = prop::sample::select(vec!["free", "pro", "long-pro", "swap", "swap2", "soosorv-8"]);
    let moves = "([a-o]([1-9]|1[0-5])){0,12}";
    let spoiled = prop::option::weighted(0.4, (word(), json_value()));
    (rule, 4usize..24, opening, steps, moves, spoiled).prop_map(
        |(rule, size, opening, steps, moves, spoiled)| {
            let mut game = json!({ "rule": rule, "size": size, "moves": moves });
            if opening != "free" {
                game = json!({ "rule": rule, "size": size, "opening": opening, "steps": steps });
            }
            if let Some((word, value)) = spoiled {
                game[word] = value;
            }
            game
        },
    )
}

/// A message of the live stream, right or wrong; searches in it are short.
fn message() -> impl Strategy<Value = String> {
    let asked = prop::sample::select(vec!["analyse", "act", "ponder", "review", "solve", "stop", "fly"]);
    let made = (asked, any::<u64>(), nearly_a_game(), prop::option::of((word(), json_value()))).prop_map(
        |(asked, id, game, spoiled)| {
            let mut message = match asked {
                "stop" => json!({ "do": asked, "id": id }),
                "act" | "ponder" => {
                    json!({ "do": asked, "id": id, "game": game, "player": { "level": 1, "timeMs": 5 } })
                }
                _ => json!({ "do": asked, "id": id, "game": game, "timeMs": 5 }),
            };
            if let Some((word, value)) = spoiled {
                message[word] = value;
            }
            message.to_string()
        },
    );
    prop_oneof![6 => made, 2 => json_value().prop_map(|value| value.to_string()), 1 => ".{0,80}"]
}

proptest! {
    #![proptest_config(config(256))]

    #[test]
    fn any_json_is_answered_or_refused(game in prop_oneof![json_value().boxed(), nearly_a_game().boxed()], layers in any::<bool>()) {
        let answer = post("/api/position", json!({ "game": game, "layers": layers }).to_string());
        prop_assert!(fair(&answer), "{answer:?}");
    }

    #[test]
    fn any_bytes_are_refused_in_words(path in prop::sample::select(vec!["position", "explain", "act", "solve", "review", "analyse", "export"]), bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let (status, answer) = post(&format!("/api/{path}"), bytes);
        prop_assert_eq!(status, StatusCode::BAD_REQUEST);
        prop_assert!(answer["error"].is_string());
    }

    #[test]
    fn any_record_is_read_or_refused(bytes in prop_oneof![
        prop::collection::vec(any::<u8>(), 0..400).boxed(),
        "(\\(;|\\)|B\\[[a-o]{0,2}\\]|;|W\\[[a-o]{2}\\]|AB\\[[a-o]{2}\\]|C\\[.{0,9}\\]|SZ\\[[0-9]{1,3}\\]){0,30}".prop_map(String::into_bytes).boxed(),
        "Piskvorky [0-9]{1,2}x[0-9]{1,2}, 0:0, 0\r\n([0-9]{1,2},[0-9]{1,2},[0-9]{1,3}\r\n){0,20}".prop_map(String::into_bytes).boxed(),
        prop::collection::vec(any::<u8>(), 0..200).prop_map(|tail| [b"\xffRenLib\xff\x03\x04\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff".to_vec(), tail].concat()).boxed(),
        "([a-o]([1-9]|1[0-5])[ ,;.0-9]?){0,40}".prop_map(String::into_bytes).boxed(),
    ]) {
        let answer = post("/api/import", bytes);
        prop_assert!(fair(&answer) && (answer.1["games"].is_array() || answer.1["error"].is_string()), "{answer:?}");
    }

    #[test]
    fn any_tree_is_written_or_refused(format in prop::sample::select(vec!["sgf", "psq", "lib", "txt", "exe"]), size in 4usize..24, nodes in prop::collection::vec((0usize..9, "[a-v]([1-9]|1[0-9]|2[0-3])", ".{0,12}"), 0..12)) {
        let nodes: Vec<Value> = nodes.into_iter().map(|(parent, point, comment)| json!({ "parent": parent, "move": point, "comment": comment })).collect();
        let answer = post("/api/export", json!({ "format": format, "size": size, "nodes": nodes }).to_string());
        prop_assert!(fair(&answer), "{answer:?}");
    }

    #[test]
    fn moves_of_any_kind_never_panic(rule in prop::sample::select(vec!["freestyle", "standard", "renju", "caro", "caro-overline"]), size in 4usize..24, moves in "([a-v]([1-9]|1[0-9]|2[0-2])){0,40}") {
        let game = json!({ "rule": rule, "size": size, "moves": moves });
        let answer = post("/api/position", json!({ "game": game, "layers": true }).to_string());
        prop_assert!(fair(&answer), "{answer:?}");
    }
}

proptest! {
    #![proptest_config(config(48))]

    #[test]
    fn searches_with_any_settings_are_answered_or_refused(path in prop::sample::select(vec!["act", "solve", "review", "analyse", "explain"]), game in nearly_a_game(), spoiled in (word(), json_value())) {
        let mut request = json!({ "game": game });
        match path {
            "act" => request["player"] = json!({ "level": 1, "timeMs": 5 }),
            "explain" => request["engine"] = json!("monomial-v1"),
            _ => request["timeMs"] = json!(5),
        }
        if !["timeMs", "visits"].contains(&spoiled.0.as_str()) {
            request[spoiled.0] = spoiled.1;
        }
        let answer = post(&format!("/api/{path}"), request.to_string());
        prop_assert!(fair(&answer), "{answer:?}");
    }
}

/// The same cases every time.
fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(5),
        ..ProptestConfig::default()
    }
}

#[test]
fn any_message_leaves_the_stream_alive() {
    let mut runner = TestRunner::new(config(1));
    let messages = message();
    let mut next = || messages.new_tree(&mut runner).expect("a message").current();
    RUNTIME.block_on(async {
        let (url, app) = serving(1).await;
        for _ in 0..4 {
            let mut socket = connect_async(&url).await.expect("a connection").0;
            // Fewer than a page may send at once.
            for _ in 0..90 {
                socket.send(Message::text(next())).await.expect("sent");
            }
            socket.send(Message::binary(vec![0xff; 64])).await.expect("sent");
            socket.send(Message::text("[".repeat(50_000))).await.expect("sent");
            for id in ["18446744073709551615", "77"] {
                socket.send(Message::text(format!(r#"{{"do":"stop","id":{id}}}"#))).await.expect("sent");
            }
            socket
                .send(Message::text(r#"{"do":"analyse","id":77,"game":{"moves":"h8h8"}}"#))
                .await
                .expect("sent");
            loop {
                let heard =
                    tokio::time::timeout(Duration::from_secs(60), socket.next()).await.expect("in time");
                let Message::Text(text) = heard.expect("the stream goes on").expect("a message") else {
                    continue;
                };
                let heard: Value = serde_json::from_str(&text).expect("JSON");
                if heard["id"] == 77
                    && heard["error"].as_str().is_some_and(|error| error.contains("occupied"))
                {
                    break;
                }
            }
        }
        while app.load() != (0, 0) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        // More than a message may hold ends the connection, and only that.
        let mut socket = connect_async(&url).await.expect("a connection").0;
        let _ = socket.send(Message::text("x".repeat(200_000))).await;
        while let Some(Ok(message)) = socket.next().await {
            assert!(message.is_close() || message.is_text(), "{message:?}");
        }
        connect_async(&url).await.expect("a connection");
    });
}

#[test]
fn a_hundred_idle_pages_and_ten_analysing_are_served() {
    RUNTIME.block_on(async {
        let (url, app) = serving(1).await;
        let mut pages = Vec::new();
        for _ in 0..110 {
            pages.push(connect_async(&url).await.expect("a connection").0);
        }
        for page in &mut pages[..10] {
            let request = json!({ "do": "analyse", "id": 1, "game": { "moves": "h8i9g7" } }).to_string();
            page.send(Message::text(request)).await.expect("sent");
        }
        for page in &mut pages[10..] {
            page.send(Message::text("{}")).await.expect("sent");
        }
        for (number, page) in pages.iter_mut().enumerate() {
            let heard = tokio::time::timeout(Duration::from_secs(60), page.next()).await.expect("in time");
            let text = heard.expect("not the end").expect("a message").into_text().expect("text");
            let heard: Value = serde_json::from_str(&text).expect("JSON");
            assert_eq!(heard["is"], if number < 10 { "report" } else { "error" }, "page {number}: {heard}");
        }
        drop(pages);
        while app.load() != (0, 0) {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    });
}
