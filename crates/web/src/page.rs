//! The page, embedded in the program.

use crate::fault::Fault;
use axum::extract::Request;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use rust_embed::RustEmbed;
use std::fmt::Write;

/// The files of the page.
#[derive(RustEmbed)]
#[folder = "page/"]
struct Files;

/// Answers with a file of the page.
#[allow(clippy::unused_async, reason = "handlers are asynchronous")]
pub async fn file(request: Request) -> Response {
    let path = request.uri().path().trim_start_matches('/');
    serve(if path.is_empty() { "index.html" } else { path }, request.headers())
}

fn serve(path: &str, headers: &HeaderMap) -> Response {
    let Some(file) = Files::get(path) else {
        let message = "there is nothing at this address".to_owned();
        return Fault { status: StatusCode::NOT_FOUND, message }.into_response();
    };
    let mut tag = String::from("\"");
    for byte in &file.metadata.sha256_hash()[..12] {
        let _ = write!(tag, "{byte:02x}");
    }
    tag.push('"');
    let known = headers.get(IF_NONE_MATCH).is_some_and(|value| value.as_bytes() == tag.as_bytes());
    let about =
        [(ETAG, tag), (CACHE_CONTROL, "no-cache".to_owned()), (CONTENT_TYPE, media_type(path).to_owned())];
    if known { (StatusCode::NOT_MODIFIED, about).into_response() } else { (about, file.data).into_response() }
}

fn media_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        _ => "application/octet-stream",
    }
}
