//! The Gomocup protocol on standard input and output: a reader thread, the engine on a thread of
//! its own, and a loop between them that runs a [`Session`].
#![forbid(unsafe_code)]

use anyhow::Result;
use clap::{Args, ValueEnum};
use fivestone_engine::{Engine, Stop};
use fivestone_formats::gomocup::{Command, Convention, Parser, Problem};
use fivestone_host::session::{Done, Effect, Session, Task};
use fivestone_host::{EngineChoice, EngineHost, News, Tell};
use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
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
    Engine(News<Done>),
}

/// Messages on their way to the loop; a manager that floods us waits.
const WAITING: usize = 256;

impl Gomocup {
    /// Serves the manager until it says `END` or goes away.
    pub fn run(self) -> Result<()> {
        let settings = self.settings.iter().map(|text| text.split_once('=').unwrap_or((text, "")));
        let engine = EngineChoice::named(&self.engine, settings)?.build();
        abort_on_panic();
        let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
        let seed = self.seed.unwrap_or_else(clock);
        let (sender, heard) = sync_channel(WAITING);
        let host = EngineHost::start(engine)?;
        let to_loop = sender.clone();
        thread::Builder::new().name("reader".to_owned()).spawn(move || read_input(&to_loop))?;
        let session = Session::new(self.coordinates.convention(), seed);
        Loop { session, host, sender, stop: Stop::new() }.run(&heard)
    }
}

/// Managers read standard error as output: whatever goes wrong there would forfeit the game.
fn abort_on_panic() {
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.to_string().replace(['\r', '\n'], " ");
        let _ = writeln!(io::stdout(), "DEBUG {text}");
        std::process::abort();
    }));
}

/// A session with all that carries out its effects.
struct Loop {
    session: Session,
    host: EngineHost,
    /// Where the engine's news go.
    sender: SyncSender<Heard>,
    /// Ends the task that the engine is at.
    stop: Stop,
}

/// Whether the session goes on.
#[derive(PartialEq, Eq)]
enum Next {
    Listen,
    Exit,
}

impl Loop {
    fn run(&mut self, heard: &Receiver<Heard>) -> Result<()> {
        loop {
            let message = match self.session.deadline() {
                Some(deadline) => heard.recv_timeout(deadline.saturating_duration_since(Instant::now())),
                None => heard.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            let effects = match message {
                Ok(Heard::Input(input, read)) => self.session.obey(input, read),
                Ok(Heard::Engine(news)) => self.session.hear(news),
                Err(RecvTimeoutError::Timeout) => self.session.insist(),
                Ok(Heard::InputClosed) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
            };
            if self.carry_out(effects)? == Next::Exit {
                return Ok(());
            }
        }
    }

    fn carry_out(&mut self, effects: Vec<Effect>) -> Result<Next> {
        for effect in effects {
            match effect {
                Effect::Say(reply) => {
                    let mut out = io::stdout().lock();
                    writeln!(out, "{reply}")?;
                    out.flush()?;
                }
                Effect::Ask(task) => self.ask(*task, Mode::Ask),
                Effect::Ponder(task) => self.ask(*task, Mode::Ponder),
                Effect::Stop => self.stop.raise(),
                Effect::NewGame => self.host.new_game()?,
                Effect::Exit => return Ok(Next::Exit),
            }
        }
        Ok(Next::Listen)
    }

    fn ask(&mut self, task: Task, mode: Mode) {
        self.stop = Stop::new();
        let sender = self.sender.clone();
        let question = move |engine: &mut dyn Engine, stop: &Stop, tell: Tell| task.put(engine, stop, tell);
        // A failed send means that the loop is over, and with it the process.
        let news = move |news| {
            let _ = sender.send(Heard::Engine(news));
        };
        match mode {
            Mode::Ask => self.host.ask(&self.stop, question, news),
            Mode::Ponder => self.host.ponder(&self.stop, question, news),
        }
    }
}

/// Whether the manager waits for a task.
#[derive(Clone, Copy)]
enum Mode {
    Ask,
    Ponder,
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
