//! A server on a port of its own.

use fivestone_web::{App, Config, Server};
use std::net::SocketAddr;
use std::sync::Arc;

/// Starts a server; answers the address of its live stream and what it shares.
pub async fn serving(threads: usize) -> (String, Arc<App>) {
    let address = SocketAddr::from(([127, 0, 0, 1], 0));
    let config = Config { address, token: None, threads: Some(threads), externals: Vec::new() };
    let server = Server::bind(config).await.expect("a free port");
    let url = server.url().expect("an address").replace("http", "ws") + "api/live";
    let app = server.app();
    tokio::spawn(server.run());
    (url, app)
}
