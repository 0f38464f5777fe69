//! Levels from beginner to full strength that err as people do.
//!
//! The lowest play by shape at a glance and overlook things, diagonals most of all. The middle ones search a little and choose
//! among near-best moves. The highest is the flagship.

mod glance;
mod near_best;

use crate::mcts::{self, Mcts};
use crate::parameters::{SEED, number, parameters};
use crate::{Engine, EngineKind, Event, Limits, NetUse, Report, Rng, Settings, Stop};
use fivestone_game::Board;
use glance::Glance;
use near_best::NearBest;

/// How a level plays.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Play {
    /// By shape, without looking ahead.
    AtAGlance {
        /// How much the worth of a move is misjudged: the spread of the natural logarithm of its worth.
        noise: f64,
        /// Chance to overlook what the other side has on a straight line.
        overlooks_straight: f64,
        /// Chance to overlook what the other side has on a diagonal.
        overlooks_diagonal: f64,
    },
    /// By a short search and a choice among nearly equal moves.
    NearBest {
        /// Visits of the search.
        visits: u64,
        /// Win probability that is given away lightly: a move this much worse is chosen 2.7 times less often.
        temperature: f64,
        /// What the search looks for.
        sight: Sight,
    },
    /// The flagship within the limits it is given.
    Full,
}

/// What the search of a level looks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sight {
    /// No forced wins.
    Short,
    /// Forced wins as well.
    ForcedWins,
}

/// One level.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Level {
    /// The word for it in lists.
    pub name: &'static str,
    /// How it plays.
    pub play: Play,
}

const fn glance(name: &'static str, noise: f64, straight: f64, diagonal: f64) -> Level {
    let play = Play::AtAGlance { noise, overlooks_straight: straight, overlooks_diagonal: diagonal };
    Level { name, play }
}

const fn near_best(name: &'static str, visits: u64, temperature: f64, sight: Sight) -> Level {
    Level { name, play: Play::NearBest { visits, temperature, sight } }
}

/// Every level, weakest first. The first is level 1.
pub const LEVELS: &[Level] = &[
    glance("first-stones", 1.6, 0.30, 0.60),
    glance("beginner", 1.1, 0.10, 0.30),
    glance("learner", 0.6, 0.02, 0.08),
    near_best("casual", 40, 0.10, Sight::Short),
    near_best("club", 120, 0.06, Sight::Short),
    near_best("strong", 400, 0.04, Sight::ForcedWins),
    near_best("expert", 1_500, 0.02, Sight::ForcedWins),
    near_best("master", 6_000, 0.01, Sight::ForcedWins),
    Level { name: "full", play: Play::Full },
];

parameters! {
    struct Parameters {
        level: usize =
            number(5.0, 1.0..=LEVELS.len() as f64, "1 for a beginner up to 9 for full strength"),
        seed: u64 = SEED,
    }
}

/// The engine in the list.
pub const KIND: EngineKind = EngineKind {
    name: "levels",
    paper: None,
    description: "plays like a person of a level from 1 (beginner) to 9 (the flagship)",
    parameters: Parameters::TABLE,
    tuned: &[],
    nets: NetUse::None,
    explain: None,
    build: |settings| Box::new(Leveled::new(settings)),
};

/// An engine of one level.
struct Leveled {
    inner: Inner,
    rng: Rng,
}

enum Inner {
    Glance(Glance),
    NearBest(NearBest),
    Full(Mcts),
}

impl Leveled {
    fn new(settings: &Settings) -> Leveled {
        let parameters = Parameters::of(&settings.values());
        let level = LEVELS[parameters.level.clamp(1, LEVELS.len()) - 1];
        let flagship = || Mcts::flagship(&Settings::defaults(&mcts::KIND));
        let inner = match level.play {
            Play::AtAGlance { noise, overlooks_straight, overlooks_diagonal } => {
                Inner::Glance(Glance { noise, overlooks: [overlooks_straight, overlooks_diagonal] })
            }
            Play::NearBest { visits, temperature, sight } => {
                let engine = match sight {
                    Sight::Short => Mcts::short_sighted(),
                    Sight::ForcedWins => flagship(),
                };
                Inner::NearBest(NearBest { engine, visits, temperature })
            }
            Play::Full => Inner::Full(flagship()),
        };
        Leveled { inner, rng: Rng::new(parameters.seed) }
    }
}

impl Engine for Leveled {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn think(
        &mut self,
        board: &Board,
        limits: &Limits,
        stop: &Stop,
        events: &mut dyn FnMut(Event),
    ) -> Report {
        match &mut self.inner {
            Inner::Glance(glance) => glance.think(board, limits, &mut self.rng),
            Inner::NearBest(near_best) => near_best.think(board, limits, stop, &mut self.rng),
            Inner::Full(engine) => engine.think(board, limits, stop, events),
        }
    }

    fn new_game(&mut self) {
        match &mut self.inner {
            Inner::Glance(_) => {}
            Inner::NearBest(near_best) => near_best.engine.new_game(),
            Inner::Full(engine) => engine.new_game(),
        }
    }
}
