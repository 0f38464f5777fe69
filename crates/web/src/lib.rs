//! The board in the browser: an HTTP server with a JSON interface, a live stream for searches, and the page itself.
//!
//! The server keeps no games: a page holds its game and tells it with every request ([`GameSpec`]). Searches run in
//! one bounded [`Pool`] and end when the page that asked for them goes.
#![forbid(unsafe_code)]

mod analysis;
mod catalogue;
mod external;
mod fault;
mod game;
mod guard;
mod live;
mod opponent;
mod order;
mod page;
mod player;
mod pool;
mod position;
mod rate;
mod ratings;
mod records;
mod review;
mod server;
mod wire;

pub use external::External;
pub use fault::Fault;
pub use game::Game;
pub use pool::{Failed, Full, Next, Pool, Ticket, Turn, Urgency, Work};
pub use server::{App, Config, Server, router};
pub use wire::GameSpec;
