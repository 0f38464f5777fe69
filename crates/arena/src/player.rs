//! Who plays: built-in engines, with no process and no protocol, and external programs behind the
//! same front.

pub use fivestone_host::{Answer, External, OpeningAnswer, Patience, Player, Setup, Silence};

use crate::clock::Clock;
use crate::fault::{Fault, FaultKind};
use crate::spec::EngineSpec;
use fivestone_engine::{BuildError, Engine, Limits, Rng, Stop};
use fivestone_game::Board;
use fivestone_game::opening::OpeningState;
use fivestone_host::EngineChoice;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Makes an engine from a seed.
pub type Factory = Arc<dyn Fn(u64) -> Box<dyn Engine> + Send + Sync>;

/// A player that calls an engine.
pub struct BuiltIn {
    spec: EngineSpec,
    factory: Factory,
    engine: Option<Box<dyn Engine>>,
    /// Varies the stones that begin a game.
    rng: Rng,
}

impl BuiltIn {
    /// A player around any engine. A new one is made from the seed of each game, so that a game's moves do not depend on
    /// which games were played before.
    pub fn new(spec: EngineSpec, factory: Factory) -> BuiltIn {
        BuiltIn { spec, factory, engine: None, rng: Rng::new(1) }
    }

    /// The maker of an engine of the registry with the options of a specification; an engine that takes a seed gets the
    /// game's unless one is given.
    pub fn factory(spec: &EngineSpec) -> Result<Factory, BuildError> {
        Ok(BuiltIn::maker(spec.choice()?))
    }

    /// The maker of a chosen engine.
    pub fn maker(choice: EngineChoice) -> Factory {
        // Seeds are numbers with a fraction in the registry: keep to those that are exact.
        Arc::new(move |seed| choice.build_with_seed(seed >> 12))
    }

    fn check_time(&self, clock: &Clock, elapsed: Duration, stop: &Stop) -> Result<(), Silence> {
        if stop.raised() {
            return Err(Silence::Stopped);
        }
        match clock.limit().filter(|&limit| elapsed > limit + self.spec.tolerance) {
            Some(limit) => {
                let detail = format!("took {:.3} s of {:.3} s", elapsed.as_secs_f64(), limit.as_secs_f64());
                Err(Fault::new(FaultKind::Late, detail).into())
            }
            None => Ok(()),
        }
    }

    fn limits(&self, clock: &Clock) -> Limits {
        Limits {
            turn: clock.control().turn,
            match_left: clock.left(),
            increment: clock.control().increment,
            visits: self.spec.visits,
            depth: self.spec.depth,
            memory: self.spec.memory as usize,
            threads: self.spec.threads,
            lines: 1,
            ..Limits::default()
        }
    }
}

impl Player for BuiltIn {
    fn begin(&mut self, setup: &Setup) -> Result<(), Silence> {
        self.engine = None;
        let mut engine = (self.factory)(setup.seed);
        engine.new_game();
        self.rng = Rng::new(setup.seed);
        self.engine = Some(engine);
        Ok(())
    }

    fn think(&mut self, board: &Board, clock: &Clock, stop: &Stop) -> Result<Answer, Silence> {
        let limits = self.limits(clock);
        let engine = self.engine.as_mut().expect("a game was begun");
        let started = Instant::now();
        let report = engine.think(board, &limits, stop, &mut |_| {});
        let elapsed = started.elapsed();
        self.check_time(clock, elapsed, stop)?;
        let Some(line) = report.lines.first() else {
            return Err(Fault::new(FaultKind::BadFormat, "the engine answered with no move").into());
        };
        Ok(Answer {
            point: line.point,
            elapsed,
            winrate: (report.visits > 0).then_some(line.winrate),
            visits: Some(report.visits),
            depth: (report.depth > 0).then_some(report.depth),
        })
    }

    fn open(&mut self, state: &OpeningState, clock: &Clock, stop: &Stop) -> Result<OpeningAnswer, Silence> {
        let limits = self.limits(clock);
        let engine = self.engine.as_mut().expect("a game was begun");
        let started = Instant::now();
        let decision =
            fivestone_engine::opening::decide(engine.as_mut(), state, &limits, stop, &mut self.rng);
        let elapsed = started.elapsed();
        self.check_time(clock, elapsed, stop)?;
        Ok(OpeningAnswer { decisions: vec![decision], first_move: None, elapsed })
    }

    fn retire(self: Box<Self>) -> Option<Fault> {
        None
    }
}
