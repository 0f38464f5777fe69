//! A session of the Gomocup protocol: a reader thread, the engine on a thread of its own, and this loop between them.

mod answers;
mod details;
mod game;
mod search;
mod session;
mod settings;

use anyhow::Result;
use clap::{Args, ValueEnum};
use fivestone_formats::gomocup::{Command, Convention, Parser, Problem};
use session::Session;
use std::io::{self, Read, Write};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Speak the Gomocup protocol on standard input and output.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Gomocup {
    /// Which engine plays; `fivestone engines` lists them.
    #[arg(long, value_name = "NAME", default_value = fivestone_engine::DEFAULT_ENGINE)]
    engine: String,
    /// A parameter of the engine, as NAME=VALUE; may be given several times.
    #[arg(long = "set", value_name = "PARAMETER=VALUE")]
    settings: Vec<String>,
    /// How the manager numbers the points; auto follows Yixin-Board's greeting.
    #[arg(long, value_enum, default_value = "auto")]
    coordinates: Coordinates,
    /// Seed of the stones that begin a swap2 game [default: different each time].
    #[arg(long)]
    seed: Option<u64>,
}

const EXAMPLES: &str = "Managers start `pbrain-fivestone`, which is this command under the name they expect.

Examples:
  fivestone gomocup                      then type: START 15, INFO timeout_turn 1000, BEGIN, TURN 8,8, END
  fivestone gomocup --engine mcts-basic --set seed=7
  fivestone gomocup --coordinates from-bottom";

#[derive(Clone, Copy, ValueEnum)]
enum Coordinates {
    /// Column and row from the top, until the manager shows itself to be Yixin-Board.
    Auto,
    /// Column, row from the top: Piskvork.
    ColumnRow,
    /// Row from the top, column: Yixin-Board.
    RowColumn,
    /// Column, row from the bottom: Gomocalc.
    FromBottom,
}

impl Coordinates {
    fn convention(self) -> Option<Convention> {
        match self {
            Coordinates::Auto => None,
            Coordinates::ColumnRow => Some(Convention::ColumnRow),
            Coordinates::RowColumn => Some(Convention::RowColumn),
            Coordinates::FromBottom => Some(Convention::ColumnRowFromBottom),
        }
    }
}

/// What the loop hears.
enum Heard {
    /// A command and when it was read.
    Input(Result<Command, Problem>, Instant),
    InputClosed,
    Search(search::News),
}

/// Messages on their way to the loop; a manager that floods us waits.
const WAITING: usize = 256;

impl Gomocup {
    pub fn run(self) -> Result<()> {
        let settings = self.settings.iter().map(|text| text.split_once('=').unwrap_or((text, "")));
        let engine = fivestone_engine::build(&self.engine, settings)?;
        // Managers read standard error as output: whatever goes wrong there would forfeit the game.
        std::panic::set_hook(Box::new(|panic| {
            let text = panic.to_string().replace(['\r', '\n'], " ");
            let _ = writeln!(io::stdout(), "DEBUG {text}");
            std::process::abort();
        }));
        let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
        let seed = self.seed.unwrap_or_else(clock);
        let (sender, heard) = sync_channel(WAITING);
        let to_loop = sender.clone();
        thread::Builder::new().name("reader".to_owned()).spawn(move || read_input(&to_loop))?;
        let mut session = Session::new(engine, self.coordinates.convention(), sender, seed);
        session.run(&heard)
    }
}

fn read_input(to_loop: &SyncSender<Heard>) {
    let mut parser = Parser::new();
    let mut bytes = [0; 4096];
    let mut input = io::stdin().lock();
    loop {
        let count = match input.read(&mut bytes) {
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => 0,
        };
        let read = Instant::now();
        let found = if count == 0 { parser.finish() } else { parser.read(&bytes[..count]) };
        // A failed send means that the loop is over, and with it the process.
        for result in found {
            if to_loop.send(Heard::Input(result, read)).is_err() {
                return;
            }
        }
        if count == 0 {
            let _ = to_loop.send(Heard::InputClosed);
            return;
        }
    }
}
