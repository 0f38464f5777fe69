//! Who plays against a person: a level, or any engine with limits of its own.

use crate::external::{External, Programs};
use crate::fault::Fault;
use crate::game::{Game, decision_word};
use crate::opponent::Opponent;
use crate::order::Desk;
use crate::wire::{Acted, PlayerSpec};
use fivestone_engine::{Engine, Limits, Proof, Rng, Stop, opening};
use fivestone_game::opening::Decision;
use fivestone_host::EngineChoice;
use fivestone_host::views::{names, round};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The longest time for a move that a page may ask for.
const LONGEST_MOVE: Duration = Duration::from_secs(120);
/// The most visits for a move.
const MOST_VISITS: u64 = 100_000_000;
/// What one search may hold.
pub const MEMORY: usize = 160 << 20;

impl PlayerSpec {
    /// Seed of the random numbers.
    pub fn seed(&self) -> u64 {
        let clock = || {
            let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
            now.map_or(1, |time| time.as_nanos() as u64 % 9_000_000_000_000_000)
        };
        self.seed.unwrap_or_else(clock) % 9_000_000_000_000_000
    }

    /// Makes what thinks.
    pub fn build(&self, desk: &Desk) -> Result<Thinker, Fault> {
        let Some(name) = &self.external else {
            self.choice()?;
            return Ok(Thinker::Engine(self.clone(), Arc::clone(&desk.opponent)));
        };
        if self.level.is_some() || self.engine.is_some() {
            return Err(Fault::bad("a player is a level, an engine or a program, not several of them"));
        }
        let known = desk.externals.iter().find(|external| external.name == *name);
        let known = known
            .ok_or_else(|| Fault::bad("no program of this name was given when the server was started"))?;
        Ok(Thinker::Program(known.clone(), Arc::clone(&desk.programs)))
    }

    /// The engine of a player that is no program.
    pub fn choice(&self) -> Result<EngineChoice, Fault> {
        match (self.level, &self.engine) {
            (Some(_), Some(_)) => Err(Fault::bad("a player is a level or an engine, not both")),
            (Some(level), None) => EngineChoice::level(level).map_err(|error| Fault::bad(error.to_string())),
            (None, None) => Ok(EngineChoice::default()),
            (None, Some(_)) if self.settings.contains_key(fivestone_engine::NET) => {
                Err(Fault::bad("a page does not choose files of this machine"))
            }
            (None, Some(name)) => {
                let settings = self.settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
                EngineChoice::named(name, settings).map_err(|error| Fault::bad(error.to_string()))
            }
        }
    }

    /// The limits of one move.
    pub fn limits(&self) -> Limits {
        let milliseconds =
            |time: u64| Duration::from_millis(time).clamp(Duration::from_millis(5), LONGEST_MOVE);
        let turn = self.time_ms.map(milliseconds);
        let match_left = self.left_ms.map(Duration::from_millis);
        let unlimited = turn.is_none() && self.visits.is_none();
        Limits {
            turn: if unlimited { Some(Duration::from_secs(2)) } else { turn.or(Some(LONGEST_MOVE)) },
            match_left,
            visits: self.visits.map(|visits| visits.clamp(1, MOST_VISITS)),
            memory: MEMORY,
            lines: 1,
            ..Limits::default()
        }
    }
}

/// What thinks for a player.
pub enum Thinker {
    /// An engine of this program, and where it is kept between moves.
    Engine(PlayerSpec, Arc<Opponent>),
    /// Another program, and where it is kept between moves.
    Program(External, Arc<Programs>),
}

impl Thinker {
    /// Lets it decide what the game asks for; nothing when it was stopped.
    pub fn act(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &Stop,
        rng: &Rng,
    ) -> Result<Option<Acted>, Fault> {
        match self {
            Thinker::Engine(player, opponent) => {
                let (game, limits, mut rng) = (game.clone(), limits.clone(), rng.clone());
                let acted = opponent.consult(player, stop, move |engine, stop, _| {
                    engine_acts(engine, &game, &limits, stop, &mut rng)
                })?;
                Ok((!stop.raised()).then_some(acted))
            }
            Thinker::Program(external, programs) => programs.act(external, game, limits, stop),
        }
    }
}

fn engine_acts(engine: &mut dyn Engine, game: &Game, limits: &Limits, stop: &Stop, rng: &mut Rng) -> Acted {
    let started = Instant::now();
    let size = game.board.size();
    if !game.opening.is_over() {
        let decision = opening::decide(engine, &game.opening, limits, stop, rng);
        return Acted {
            elapsed_ms: started.elapsed().as_millis() as u64,
            ..Acted::of(decision_word(decision, size))
        };
    }
    let report = engine.think(&game.board, limits, stop, &mut |_| {});
    let wins_in = match report.lines[0].proof {
        Some(Proof::Win(plies)) => Some(plies),
        _ => None,
    };
    Acted {
        winrate: Some(round(report.winrate())),
        visits: Some(report.visits),
        pv: names(report.lines[0].pv.iter().copied(), size),
        wins_in,
        elapsed_ms: started.elapsed().as_millis() as u64,
        ..Acted::of(decision_word(Decision::Place(report.best()), size))
    }
}
