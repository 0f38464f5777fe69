//! What stands between the engines and those who use them: an engine chosen and put on a thread of
//! its own, programs behind a pipe, the Gomocup session, and reports as data.
//!
//! An engine is chosen, hosted and asked:
//!
//! ```
//! use fivestone_engine::{Limits, Stop};
//! use fivestone_game::{Board, Rule, Size};
//! use fivestone_host::{EngineChoice, EngineHost};
//!
//! let choice = EngineChoice::named("random", [("seed", "7")])?;
//! let host = EngineHost::start(choice.build())?;
//! let board = Board::new(Size::STANDARD, Rule::Freestyle);
//! let report = host.think(&board, &Limits::visits(1), &Stop::new(), &mut |_| {})?;
//! assert!(board.is_empty(report.best()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A session turns a manager's commands into things to do:
//!
//! ```
//! use fivestone_formats::gomocup::{Command, Reply};
//! use fivestone_host::session::{Effect, Session};
//! use std::time::Instant;
//!
//! let mut session = Session::new(None, 1);
//! let effects = session.obey(Ok(Command::Start(15)), Instant::now());
//! assert!(matches!(effects[..], [Effect::NewGame, Effect::Say(Reply::Ok)]));
//! let effects = session.obey(Ok(Command::Begin), Instant::now());
//! assert!(matches!(effects[..], [Effect::Ask(_)]));
//! ```
//!
//! What a search found, as programs read it:
//!
//! ```
//! use fivestone_engine::Report;
//! use fivestone_game::Size;
//! use fivestone_host::views::LineView;
//!
//! let report = Report::of_move(Size::STANDARD.centre());
//! assert_eq!(LineView::plain(&report.lines[0], Size::STANDARD).r#move, "h8");
//! ```
#![forbid(unsafe_code)]

mod choice;
pub mod clock;
mod engine_host;
pub mod fault;
mod memory;
mod player;
mod process;
pub mod session;
pub mod spec;
pub mod views;

pub use choice::{ChoiceError, EngineChoice};
pub use engine_host::{EngineHost, HostError, News, Pending, Tell};
pub use fault::{Fault, FaultKind};
pub use memory::resident_bytes;
pub use player::{Answer, OpeningAnswer, Player, Setup, Silence};
pub use process::{External, Patience};
pub use spec::{EngineSpec, Program, Source};
