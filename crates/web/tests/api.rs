//! The interface as programs see it: right answers, clear refusals, and no way to break it.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use fivestone_web::{App, router};
use serde_json::{Value, json};
use tower::ServiceExt;

fn server() -> Router {
    router(App::new(None, Some(1), Vec::new()))
}

async fn send(router: &Router, request: Request<Body>) -> (StatusCode, Vec<u8>) {
    let response = router.clone().oneshot(request).await.expect("the router answers");
    let status = response.status();
    (status, to_bytes(response.into_body(), 16 << 20).await.expect("a body").to_vec())
}

async fn post(router: &Router, path: &str, body: impl Into<Body>) -> (StatusCode, Value) {
    let request = Request::post(path).header(header::HOST, "localhost").body(body.into()).expect("a request");
    let (status, bytes) = send(router, request).await;
    (status, serde_json::from_slice(&bytes).unwrap_or(Value::Null))
}

async fn ask(router: &Router, path: &str, body: Value) -> (StatusCode, Value) {
    post(router, path, body.to_string()).await
}

#[tokio::test]
async fn a_position_tells_whose_turn_it_is_and_how_it_ended() {
    let server = server();
    let (status, answer) = ask(&server, "/api/position", json!({ "game": { "moves": "h8h9" } })).await;
    assert_eq!((status, &answer["toMove"], &answer["end"]), (StatusCode::OK, &json!("black"), &Value::Null));
    let (_, answer) =
        ask(&server, "/api/position", json!({ "game": { "moves": "a1a2b1b2c1c2d1d2e1" } })).await;
    assert_eq!(answer["end"]["winner"], "black");
    assert_eq!(answer["end"]["row"], json!(["a1", "b1", "c1", "d1", "e1"]));
    let renju = json!({ "game": { "rule": "renju", "moves": "g8a1i8o15h7a15h9o1" } });
    let (_, answer) = ask(&server, "/api/position", renju).await;
    assert_eq!(answer["forbidden"], json!([{ "point": "h8", "why": "double-three" }]));
}

#[tokio::test]
async fn layers_explain_the_points() {
    let game = json!({ "game": { "moves": "h8a1h9a2" }, "layers": true });
    let (_, answer) = ask(&server(), "/api/position", game).await;
    let cells = answer["layers"]["cells"].as_array().expect("cells");
    let h10 = cells.iter().find(|cell| cell["point"] == "h10").expect("a point near the stones");
    assert_eq!(h10["black"]["class"], "open three");
    assert_eq!(h10["black"]["lines"][1], "open three");
    let policy: f64 = cells.iter().filter_map(|cell| cell["policy"].as_f64()).sum();
    assert!((policy - 1.0).abs() < 0.02, "{policy}");
}

#[tokio::test]
async fn openings_have_names() {
    let server = server();
    let name = async |moves: &str| {
        ask(&server, "/api/position", json!({ "game": { "moves": moves } })).await.1["named"].clone()
    };
    assert_eq!(name("h8h9i9a1").await, json!({ "number": "D4", "name": "Kagetsu" }));
    assert_eq!(name("h8h9").await, Value::Null);
}

#[tokio::test]
async fn the_papers_engines_show_their_tables() {
    let server = server();
    let (_, catalogue) = {
        let request = Request::get("/api/catalogue").header(header::HOST, "localhost");
        let (status, bytes) = send(&server, request.body(Body::empty()).expect("a request")).await;
        (status, serde_json::from_slice::<Value>(&bytes).expect("JSON"))
    };
    for engine in catalogue["explained"].as_array().expect("engines") {
        let request = json!({ "game": { "moves": "h8i9g7" }, "engine": engine });
        let (status, answer) = ask(&server, "/api/explain", request).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        let points = answer["layers"][0]["points"].as_object().expect("points");
        assert!(points.contains_key("h9") && !points.contains_key("h8"), "{engine}: {points:?}");
    }
    let (status, answer) = ask(&server, "/api/explain", json!({ "game": {}, "engine": "fivestone" })).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(answer["error"].as_str().is_some_and(|error| error.contains("monomial-v1")), "{answer}");
}

#[tokio::test]
async fn every_decision_of_swap2_is_asked_for() {
    let server = server();
    let ask_steps = async |steps: Value| {
        let game = json!({ "game": { "opening": "swap2", "steps": steps } });
        ask(&server, "/api/position", game).await.1
    };
    let answer = ask_steps(json!([])).await;
    assert_eq!((&answer["task"]["kind"], &answer["turn"]), (&json!("place"), &json!("first")));
    let answer = ask_steps(json!(["h8", "h9", "i10"])).await;
    assert_eq!((&answer["task"]["kind"], &answer["turn"]), (&json!("swap2"), &json!("second")));
    let answer = ask_steps(json!(["h8", "h9", "i10", "add", "a1", "b1"])).await;
    assert_eq!((&answer["task"]["kind"], &answer["turn"]), (&json!("chooseColor"), &json!("first")));
    let answer = ask_steps(json!(["h8", "h9", "i10", "black"])).await;
    assert_eq!((&answer["task"]["kind"], &answer["colors"]), (&json!("play"), &json!(["white", "black"])));
}

#[tokio::test]
async fn levels_and_engines_move_and_decide() {
    let server = server();
    for player in [json!({ "level": 1 }), json!({ "level": 4 }), json!({ "engine": "random" })] {
        let request = json!({ "game": { "moves": "h8" }, "player": player });
        let (status, answer) = ask(&server, "/api/act", request).await;
        assert_eq!(status, StatusCode::OK, "{answer}");
        let moves = format!("h8{}", answer["decision"].as_str().expect("a move"));
        let (status, _) = ask(&server, "/api/position", json!({ "game": { "moves": moves } })).await;
        assert_eq!(status, StatusCode::OK);
    }
    let game = json!({ "opening": "swap2", "steps": ["h8", "h9", "i10"] });
    let (_, answer) =
        ask(&server, "/api/act", json!({ "game": game, "player": { "level": 1, "seed": 3 } })).await;
    assert!(matches!(answer["decision"].as_str(), Some("black" | "white" | "add")), "{answer}");
}

#[tokio::test]
async fn an_analysis_ends_at_its_limit_and_proves_what_can_be_proven() {
    let server = server();
    let request = json!({ "game": { "moves": "h8a1h9a3h10c1" }, "timeMs": 2000 });
    let (status, answer) = ask(&server, "/api/analyse", request).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let said = answer["said"].as_array().expect("messages");
    assert_eq!(said.iter().filter(|message| message["is"] == "report").count(), 1);
    let proof = said.iter().find(|message| message["is"] == "proof" && message["threat"] == false);
    let proof = proof.unwrap_or_else(|| panic!("no proof: {answer}"));
    let refuted = |defence: &Value| defence["reply"].is_string() && defence["line"].is_array();
    assert!(proof["defences"].as_array().unwrap().iter().all(refuted), "{proof}");
    assert!(proof["otherwise"].as_array().is_some_and(|line| !line.is_empty()), "{proof}");
    assert_eq!(said.last().expect("an end")["is"], "done");
}

#[tokio::test]
async fn a_review_finds_the_missed_win() {
    // Black has an open three and plays elsewhere; White stops it.
    let request = json!({ "game": { "moves": "h8a1h9a3h10c1o1h11" }, "timeMs": 60 });
    let (status, answer) = ask(&server(), "/api/review", request).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    let said = answer["said"].as_array().expect("messages");
    assert_eq!(said.len(), 9);
    assert_eq!(said[6]["entry"]["move"], "o1");
    assert!(said[6]["entry"]["forced"]["plies"].as_u64().is_some_and(|plies| plies >= 3), "{}", said[6]);
    // Black stays far ahead, so the loss is small, but a certain win became a likely one.
    assert_eq!(said[6]["entry"]["before"], 1.0);
    assert!(said[6]["entry"]["loss"].as_f64().expect("a loss") > 0.0, "{}", said[6]);
}

#[tokio::test]
async fn records_go_out_and_come_back() {
    let server = server();
    let nodes = json!([
        { "parent": 0, "move": "h8" }, { "parent": 1, "move": "h9", "comment": "near" },
        { "parent": 1, "move": "i9" }, { "parent": 2, "move": "g7" },
    ]);
    let game = |format: &str| json!({ "format": format, "rule": "renju", "size": 15, "nodes": nodes });
    for (format, count) in [("sgf", 4), ("lib", 4), ("psq", 3), ("txt", 3)] {
        let body = game(format).to_string();
        let request = Request::post("/api/export")
            .header(header::HOST, "localhost")
            .body(body.into())
            .expect("a request");
        let (status, bytes) = send(&server, request).await;
        assert_eq!(status, StatusCode::OK, "{}", String::from_utf8_lossy(&bytes));
        let (status, answer) = post(&server, "/api/import?size=15", bytes).await;
        assert_eq!(status, StatusCode::OK, "{format}: {answer}");
        assert_eq!(answer["games"][0]["nodes"].as_array().map(Vec::len), Some(count), "{format}: {answer}");
    }
    let (status, answer) = post(&server, "/api/import", "nothing like a game").await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert!(answer["error"].is_string());
    let twice = json!({ "format": "sgf", "size": 15, "nodes": [{ "parent": 0, "move": "h8" }, { "parent": 1, "move": "h8" }] });
    let (status, answer) = ask(&server, "/api/export", twice).await;
    assert_eq!((status, answer["error"].as_str()), (StatusCode::BAD_REQUEST, Some("move 2: h8 is occupied")));
    let (status, _) = post(&server, "/api/import", vec![b'('; 5 << 20]).await;
    assert_eq!(status, StatusCode::PAYLOAD_TOO_LARGE);
}

#[tokio::test]
async fn a_pass_is_not_left_out_silently() {
    let record = "(;GM[4]SZ[15];B[hh];W[hi];B[];W[ii](;B[jj])(;B[gg]))(;GM[4]SZ[15];B[hh];W[ii])";
    let (status, answer) = post(&server(), "/api/import", record).await;
    assert_eq!(status, StatusCode::OK, "{answer}");
    assert_eq!(answer["games"][0]["nodes"].as_array().map(Vec::len), Some(2));
    assert_eq!(
        answer["problems"],
        json!(["game 1: move 3 is a pass; it is left out with all that follows it"])
    );
}

#[tokio::test]
async fn refusals_say_what_is_wrong() {
    let server = server();
    for (path, body, part) in [
        ("/api/position", "", "not as expected"),
        ("/api/position", "{", "not as expected"),
        ("/api/position", r#"{"game":{"moves":"h8h8"}}"#, "occupied"),
        ("/api/position", r#"{"game":{"moves":"z9"}}"#, "off the 15x15 board"),
        ("/api/position", r#"{"game":{"size":99}}"#, "points a side"),
        ("/api/position", r#"{"game":{"rule":"chess"}}"#, "unknown rule"),
        ("/api/position", r#"{"game":{"opening":"swap2","moves":"h8"}}"#, "opening is not over"),
        ("/api/position", r#"{"game":{},"extra":1}"#, "extra"),
        ("/api/act", r#"{"game":{},"player":{"level":0}}"#, "no level 0"),
        ("/api/act", r#"{"game":{},"player":{"engine":"nobody"}}"#, "unknown engine"),
        ("/api/act", r#"{"game":{},"player":{"external":"/bin/sh"}}"#, "no program of this name"),
        ("/api/act", r#"{"game":{"moves":"a1a2b1b2c1c2d1d2e1"},"player":{}}"#, "over"),
        ("/api/review", r#"{"game":{}}"#, "no move"),
        ("/api/analyse", r#"{"game":{},"engine":"nobody"}"#, "unknown engine"),
        ("/api/analyse", "[]", "not a JSON object"),
    ] {
        let (status, answer) = post(&server, path, body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{path} {body}: {answer}");
        assert!(
            answer["error"].as_str().is_some_and(|error| error.contains(part)),
            "{path} {body}: {answer}"
        );
    }
}

#[tokio::test]
async fn other_hosts_and_sites_are_refused() {
    let server = server();
    let try_with = async |headers: &[(&str, &str)], path: &str| {
        let request =
            headers.iter().fold(Request::get(path), |request, (name, value)| request.header(*name, *value));
        send(&server, request.body(Body::empty()).expect("a request")).await.0
    };
    assert_eq!(try_with(&[("host", "127.0.0.1:5515")], "/").await, StatusCode::OK);
    assert_eq!(try_with(&[("host", "[::1]:5515")], "/api/catalogue").await, StatusCode::OK);
    assert_eq!(try_with(&[("host", "evil.example")], "/").await, StatusCode::FORBIDDEN);
    assert_eq!(try_with(&[], "/").await, StatusCode::FORBIDDEN);
    let own = [("host", "localhost:1"), ("origin", "http://localhost:1")];
    assert_eq!(try_with(&own, "/api/catalogue").await, StatusCode::OK);
    for origin in ["http://evil.example", "http://localhost:2", "null", "http://localhost:1.evil.example"] {
        let headers = [("host", "localhost:1"), ("origin", origin)];
        assert_eq!(try_with(&headers, "/api/catalogue").await, StatusCode::FORBIDDEN, "{origin}");
    }
    let cross = [("host", "localhost:1"), ("sec-fetch-site", "cross-site")];
    assert_eq!(try_with(&cross, "/api/catalogue").await, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_token_opens_the_door_once_and_for_all() {
    let server = router(App::new(Some("opensesame".to_owned()), Some(1), Vec::new()));
    let get = async |path: &str, headers: &[(&str, &str)]| {
        let request =
            headers.iter().fold(Request::get(path), |request, (name, value)| request.header(*name, *value));
        server.clone().oneshot(request.body(Body::empty()).expect("a request")).await.expect("an answer")
    };
    let host = ("host", "10.1.2.3:5515");
    assert_eq!(get("/", &[host]).await.status(), StatusCode::UNAUTHORIZED);
    assert_eq!(get("/?token=wrong", &[host]).await.status(), StatusCode::UNAUTHORIZED);
    let entered = get("/?token=opensesame", &[host]).await;
    assert_eq!(entered.status(), StatusCode::SEE_OTHER);
    let cookie = entered.headers()[header::SET_COOKIE].to_str().expect("text").to_owned();
    assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"));
    let pair = cookie.split(';').next().expect("a pair");
    assert_eq!(get("/", &[host, ("cookie", pair)]).await.status(), StatusCode::OK);
    let bearer = ("authorization", "Bearer opensesame");
    assert_eq!(get("/api/catalogue", &[host, bearer]).await.status(), StatusCode::OK);
}

#[tokio::test]
async fn the_page_is_strict_small_and_cached() {
    let server = server();
    let get = async |path: &str, tag: Option<&str>| {
        let request = Request::get(path).header(header::HOST, "localhost");
        let request =
            tag.into_iter().fold(request, |request, tag| request.header(header::IF_NONE_MATCH, tag));
        server.clone().oneshot(request.body(Body::empty()).expect("a request")).await.expect("an answer")
    };
    let page = get("/", None).await;
    let policy = page.headers()[header::CONTENT_SECURITY_POLICY].to_str().expect("text").to_owned();
    assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
    let tag = page.headers()[header::ETAG].to_str().expect("text").to_owned();
    assert_eq!(get("/", Some(&tag)).await.status(), StatusCode::NOT_MODIFIED);
    for missing in ["/nothing", "/../Cargo.toml", "/js/../../Cargo.toml", "/api/nothing"] {
        assert_eq!(get(missing, None).await.status(), StatusCode::NOT_FOUND, "{missing}");
    }
    assert_eq!(get("/api/position", None).await.status(), StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn every_request_is_described() {
    let server = server();
    let request = Request::get("/openapi.json")
        .header(header::HOST, "localhost")
        .body(Body::empty())
        .expect("a request");
    let (_, bytes) = send(&server, request).await;
    let document: Value = serde_json::from_slice(&bytes).expect("JSON");
    for (path, methods) in document["paths"].as_object().expect("paths") {
        for method in methods.as_object().expect("methods").keys() {
            let request = Request::builder().method(method.to_uppercase().as_str()).uri(path);
            let request = request.header(header::HOST, "localhost").body(Body::empty()).expect("a request");
            let (status, _) = send(&server, request).await;
            assert!(
                status != StatusCode::NOT_FOUND && status != StatusCode::METHOD_NOT_ALLOWED,
                "{method} {path}: {status}"
            );
        }
    }
}
