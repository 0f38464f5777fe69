//! `fivestone serve`: the board in the browser.

mod configuration;

use crate::interrupt::on_interrupt;
use anyhow::{Context, Result};
use clap::Args;
use configuration::Configuration;
use fivestone_host::Program;
use fivestone_web::{Config, External, Server};
use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Serve the board to the browser and open it.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Serve {
    /// Where to listen. Any address but loopback asks every visitor for a token; port 0 picks a free port.
    /// [default: 127.0.0.1:5515]
    #[arg(long, value_name = "ADDRESS:PORT")]
    address: Option<SocketAddr>,
    /// The token to ask for, also on loopback [default: made up where one is needed].
    #[arg(long, value_name = "TOKEN", value_parser = parse_token)]
    token: Option<String>,
    /// Search threads for all pages together [default: one for each core].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
    /// A program that speaks the Gomocup protocol, to be played against; may be given several times.
    #[arg(long = "external", value_name = "NAME=PROGRAM", value_parser = parse_external)]
    externals: Vec<External>,
    /// A file with more to set, as described below [default: fivestone/serve.toml in the configuration folder, if it is there].
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Print the address and open nothing.
    #[arg(long)]
    no_open: bool,
}

/// Where the board is unless told otherwise.
const USUAL: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(std::net::Ipv4Addr::LOCALHOST), 5515);

const EXAMPLES: &str = "The configuration file is TOML; the command line goes first:
  address = \"127.0.0.1:5515\"
  threads = 2
  [[external]]                              a program to be played against; paths lead from the file's folder
  name = \"rapfi\"
  command = \"engines/pbrain-rapfi\"
  arguments = []
  directory = \"engines\"

Examples:
  fivestone serve
  fivestone serve --no-open --address 127.0.0.1:0
  fivestone serve --external rapfi=./pbrain-rapfi
  fivestone serve --address 0.0.0.0:5515        (in the local network, with a token)";

impl Serve {
    pub fn run(self) -> Result<()> {
        let configuration = Configuration::read(self.config.as_deref())?;
        let runtime = tokio::runtime::Runtime::new().context("no threads to serve with")?;
        runtime.block_on(self.serve(configuration))
    }

    async fn serve(self, configuration: Configuration) -> Result<()> {
        let address = self.address.or(configuration.address).unwrap_or(USUAL);
        let config = Config {
            address,
            token: self.token.clone(),
            threads: self.threads.or(configuration.threads).map(usize::from),
            externals: configuration.externals(&self.externals),
        };
        let server = match Server::bind(config.clone()).await {
            // The usual port is taken, perhaps by another board: any other one will do.
            Err(error) if error.kind() == std::io::ErrorKind::AddrInUse && address.port() == USUAL.port() => {
                Server::bind(Config { address: SocketAddr::new(address.ip(), 0), ..config }).await
            }
            bound => bound,
        };
        let server = server.with_context(|| format!("cannot listen on {address}"))?;
        let url = server.url()?;
        println!("Fivestone is at {url}");
        println!("Stop it with Ctrl+C.");
        std::io::stdout().flush()?;
        if !self.no_open {
            open(&url);
        }
        let app = server.app();
        let (sender, told_to_end) = tokio::sync::oneshot::channel::<()>();
        let mut sender = Some(sender);
        on_interrupt(move || drop(sender.take()))?;
        tokio::select! {
            ended = server.run() => return ended.context("the server stopped"),
            _ = told_to_end => {}
        }
        // Nothing that was started for a page is left behind.
        app.close();
        let started = Instant::now();
        while app.programs() > 0 && started.elapsed() < Duration::from_secs(1) {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        Ok(())
    }
}

/// Opens the address in a browser if there is one; the address is printed anyway.
fn open(url: &str) {
    let commands: &[&[&str]] = if cfg!(target_os = "macos") {
        &[&["open"]]
    } else if cfg!(windows) {
        &[&["cmd", "/C", "start", ""]]
    } else {
        &[&["xdg-open"], &["gio", "open"], &["wslview"]]
    };
    let displayless = cfg!(target_os = "linux")
        && ["DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME"]
            .iter()
            .all(|name| std::env::var_os(name).is_none());
    if displayless {
        return;
    }
    for command in commands {
        let spawned = Command::new(command[0])
            .args(&command[1..])
            .arg(url)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        if spawned.is_ok() {
            return;
        }
    }
}

fn parse_token(text: &str) -> Result<String, String> {
    let fits = text.len() >= 8 && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if fits { Ok(text.to_owned()) } else { Err("a token has at least 8 letters, digits or -".to_owned()) }
}

fn parse_external(text: &str) -> Result<External, String> {
    let (name, command) = text.split_once('=').ok_or("write it as name=program")?;
    let (name, command) = (name.trim(), command.trim());
    if name.is_empty() || command.is_empty() {
        return Err("write it as name=program".to_owned());
    }
    let program =
        Program { command: command.to_owned(), arguments: Vec::new(), directory: None, stderr: None };
    Ok(External { name: name.to_owned(), program })
}
