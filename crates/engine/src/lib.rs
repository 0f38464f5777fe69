//! Gomoku engines: one front, [`Engine`], behind which stand the flagship, the baselines and the
//! engines of the papers. A search never prints and reads no globals.
//!
//! The trained nets are inside with the feature `embedded-nets`; without it the flagship judges by
//! patterns unless it is given a net file.
//!
//! An engine is built by name and asked about a position:
//!
//! ```
//! use fivestone_engine::{Limits, Stop, build};
//! use fivestone_game::{Board, Rule, Size, notation};
//!
//! let moves = notation::parse_moves("h8 h9 i9", Size::STANDARD)?;
//! let board = Board::from_moves(Size::STANDARD, Rule::Freestyle, &moves)?;
//! let mut engine = build("fivestone", [])?;
//! let report = engine.think(&board, &Limits::visits(50), &Stop::new(), &mut |_| {});
//! assert!(board.is_empty(report.best()));
//! assert!((0.0..=1.0).contains(&report.winrate()));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The solver proves forced wins, here by fours:
//!
//! ```
//! use fivestone_engine::Stop;
//! use fivestone_engine::solver::{Kind, SolveLimits, Verdict, solve};
//! use fivestone_game::{Board, Color, Rule};
//!
//! let drawing = "
//!     . . . . . . . . .
//!     . . . . . . . . .
//!     . . . . x . . . .
//!     . . . . x . . . .
//!     o x x x . . . . .
//!     . . . . x . . . .
//!     . . o . o . . . .
//!     . . . . . . . . .
//!     . . . . . . . . .";
//! let board = Board::parse_drawing(drawing, Rule::Freestyle, Color::Black)?;
//! let limits = SolveLimits { memory: 1 << 20, ..SolveLimits::default() };
//! let solution = solve(&board, Kind::Vcf, &limits, &Stop::new());
//! assert_eq!(solution.verdict, Verdict::Win);
//! assert_eq!(solution.line[0].name(board.size()), "e5");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Engines and their parameters are listed, and what does not fit is refused in one line:
//!
//! ```
//! use fivestone_engine::{ENGINES, build};
//!
//! assert!(ENGINES.iter().any(|kind| kind.name == "alpha-beta"));
//! let error = build("random", [("seed", "many")]).err().unwrap();
//! assert!(error.to_string().starts_with("seed=many is not a number"));
//! ```
#![forbid(unsafe_code)]

mod alphabeta;
mod engine;
pub mod evaluation;
mod explanation;
mod judgement;
pub mod levels;
mod limits;
mod mcts;
pub mod opening;
mod pace;
pub mod papers;
mod parameters;
mod random;
mod registry;
mod report;
mod rng;
pub mod shipped;
pub mod solver;

pub use engine::{Engine, Stop};
pub use explanation::{Explanation, Layer, Tally};
pub use judgement::{Harvested, JudgedMove, Judgement};
pub use limits::{Budget, Limits, Progress};
pub use mcts::{Exploration, ExploreLimits, Explorer, bytes_per_node};
pub use parameters::{Parameter, RuleDefaults};
pub use registry::{
    BuildError, DEFAULT_ENGINE, ENGINES, EngineKind, NET, NetUse, Settings, build, explain, explained, kind,
};
pub use report::{Event, Line, Proof, Report};
pub use rng::Rng;
