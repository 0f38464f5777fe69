//! Who may speak to the server: this machine's own pages, or whoever holds the token.

use crate::fault::Fault;
use crate::server::App;
use axum::extract::{ConnectInfo, Request, State};
use axum::http::header::{
    AUTHORIZATION, CACHE_CONTROL, CONTENT_SECURITY_POLICY, COOKIE, HOST, LOCATION, ORIGIN, REFERRER_POLICY,
    SET_COOKIE, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::SocketAddr;
use std::sync::Arc;

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
    connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; \
    frame-ancestors 'none'";

const COOKIE_NAME: &str = "fivestone-token";

/// Lets a request through or refuses it, and puts the security headers on every answer.
pub async fn guard(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let peer = request.extensions().get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
    let refused = if peer.is_some_and(|peer| !app.rates.take(peer)) {
        Some(Fault {
            status: StatusCode::TOO_MANY_REQUESTS,
            message: "too many requests; wait a moment".to_owned(),
        })
    } else {
        check(request.headers(), app.token.as_deref()).err()
    };
    let mut response = match (refused, &app.token) {
        (Some(fault), _) => fault.into_response(),
        (None, Some(token)) if !holds_token(request.headers(), token) => match token_in(request.uri()) {
            Some(given) if same(given, token) => enter(token),
            _ => Fault {
                status: StatusCode::UNAUTHORIZED,
                message: "open the address that the server printed: it holds the token".to_owned(),
            }
            .into_response(),
        },
        _ => next.run(request).await,
    };
    let headers = response.headers_mut();
    let mut set =
        |name: HeaderName, value: &'static str| headers.insert(name, HeaderValue::from_static(value));
    set(CONTENT_SECURITY_POLICY, POLICY);
    set(X_CONTENT_TYPE_OPTIONS, "nosniff");
    set(X_FRAME_OPTIONS, "DENY");
    set(REFERRER_POLICY, "no-referrer");
    set(HeaderName::from_static("cross-origin-opener-policy"), "same-origin");
    set(HeaderName::from_static("cross-origin-resource-policy"), "same-origin");
    if !headers.contains_key(CACHE_CONTROL) {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
    response
}

/// Checks the host, against DNS rebinding, and the origin, against other sites.
fn check(headers: &HeaderMap, token: Option<&str>) -> Result<(), Fault> {
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or("");
    if token.is_none() && !is_loopback_name(host) {
        return Err(Fault::forbidden(format!(
            "this server answers to localhost only, not to \"{}\"",
            host.chars().take(64).collect::<String>()
        )));
    }
    if let Some(origin) = headers.get(ORIGIN) {
        let own = origin
            .to_str()
            .ok()
            .and_then(|origin| origin.split_once("://"))
            .is_some_and(|(_, name)| name == host);
        if !own {
            return Err(Fault::forbidden("requests from other sites are refused"));
        }
    }
    let site = headers.get("sec-fetch-site").and_then(|site| site.to_str().ok());
    let navigates = headers.get("sec-fetch-mode").is_some_and(|mode| mode == "navigate");
    if matches!(site, Some("cross-site" | "same-site")) && !navigates {
        return Err(Fault::forbidden("requests from other sites are refused"));
    }
    Ok(())
}

fn is_loopback_name(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split_once(']').map_or("", |(name, _)| name),
        None => host.rsplit_once(':').map_or(host, |(name, _)| name),
    };
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

fn holds_token(headers: &HeaderMap, token: &str) -> bool {
    let bearer = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    if bearer.and_then(|value| value.strip_prefix("Bearer ")).is_some_and(|given| same(given, token)) {
        return true;
    }
    let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
    cookies
        .flat_map(|cookies| cookies.split(';'))
        .filter_map(|cookie| cookie.trim().split_once('='))
        .any(|(name, given)| name == COOKIE_NAME && same(given, token))
}

fn token_in(uri: &Uri) -> Option<&str> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

/// Gives the page its cookie and takes the token out of the address.
fn enter(token: &str) -> Response {
    let cookie = format!("{COOKIE_NAME}={token}; Path=/; HttpOnly; SameSite=Strict");
    (StatusCode::SEE_OTHER, [(LOCATION, "/".to_owned()), (SET_COOKIE, cookie)]).into_response()
}

/// Compares without telling by its time how much was right.
fn same(given: &str, token: &str) -> bool {
    given.len() == token.len() && given.bytes().zip(token.bytes()).fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn loopback_has_few_names() {
        for name in
            ["localhost", "localhost:1", "LocalHost:80", "127.0.0.1:5555", "127.0.0.1", "[::1]:80", "[::1]"]
        {
            assert!(is_loopback_name(name), "{name}");
        }
        for name in [
            "",
            "evil.example",
            "localhost.evil.example:80",
            "127.0.0.1.evil.example",
            "10.0.0.1:80",
            "[::2]:80",
            "0.0.0.0",
        ] {
            assert!(!is_loopback_name(name), "{name}");
        }
    }
}
