//! What went wrong with a request, for people.

use axum::Json;
use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::{DeserializeOwned, IgnoredAny};

/// A refused request: a status and one clear line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The HTTP status.
    pub status: StatusCode,
    /// What is wrong and where.
    pub message: String,
}

impl Fault {
    /// The request makes no sense.
    pub fn bad(message: impl Into<String>) -> Fault {
        Fault { status: StatusCode::BAD_REQUEST, message: message.into() }
    }

    /// The request is not allowed.
    pub fn forbidden(message: impl Into<String>) -> Fault {
        Fault { status: StatusCode::FORBIDDEN, message: message.into() }
    }

    /// A search panicked: nothing is wrong with the request.
    pub fn broken() -> Fault {
        let message = "the search failed by a fault of this program; the position may be tried again";
        Fault { status: StatusCode::INTERNAL_SERVER_ERROR, message: message.to_owned() }
    }

    /// There is no room for more work just now.
    pub fn busy(message: impl Into<String>) -> Fault {
        Fault { status: StatusCode::SERVICE_UNAVAILABLE, message: message.into() }
    }
}

/// The body of a refusal.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Refused {
    /// What is wrong and where, in one line.
    error: String,
}

impl IntoResponse for Fault {
    fn into_response(self) -> Response {
        (self.status, Json(Refused { error: self.message })).into_response()
    }
}

/// The bytes of a request, refused in words when there are too many.
pub struct Payload(pub Bytes);

impl<S: Send + Sync> FromRequest<S> for Payload {
    type Rejection = Fault;

    async fn from_request(request: Request, state: &S) -> Result<Payload, Fault> {
        let bytes = Bytes::from_request(request, state).await;
        bytes.map(Payload).map_err(|rejection| Fault {
            status: rejection.status(),
            message: format!("the request cannot be taken: {}", rejection.body_text()),
        })
    }
}

/// Reads a JSON request.
pub fn read_json<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Fault> {
    serde_json::from_slice(bytes)
        .map_err(|error| Fault::bad(format!("the request is not as expected: {error}")))
}

/// Reads a JSON request that must be an object: serde would also take a list of its fields.
pub fn read_object<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Fault> {
    if bytes.trim_ascii_start().starts_with(b"{") {
        return read_json(bytes);
    }
    read_json::<IgnoredAny>(bytes)?;
    Err(Fault::bad("the request is not a JSON object"))
}
