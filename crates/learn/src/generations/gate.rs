//! Matches of a new net against its parent and the frozen pool.

use super::error::LearnError;
use super::settings::{GateSettings, LearnSettings};
use fivestone_arena::openings::{FileFormat, OpeningsFile, RandomOpenings, shipped};
use fivestone_arena::player::Factory;
use fivestone_arena::record::GameRecord;
use fivestone_arena::stats::{Decision, Estimate, Model, Sprt, Tally};
use fivestone_arena::{Conclusion, EngineSpec, MatchConfig, Observer, Roster, Source, Standings, Tournament};
use fivestone_engine::{DEFAULT_ENGINE, Settings, Stop, kind};
use fivestone_game::Size;
use fivestone_nets::Net;
use serde::{Deserialize, Serialize};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Who plays.
#[derive(Clone)]
pub(super) enum Side {
    /// The flagship with a net of the loop.
    Net(String, Arc<Net>),
    /// An engine of the registry as it is.
    Engine(&'static str),
}

impl Side {
    /// The name in records.
    pub fn name(&self) -> &str {
        match self {
            Side::Net(name, _) => name,
            Side::Engine(name) => name,
        }
    }

    fn factory(&self) -> Factory {
        let name = match self {
            Side::Net(..) => DEFAULT_ENGINE,
            Side::Engine(name) => name,
        };
        let kind = kind(name).expect("the engines of the loop are listed");
        let mut settings = Settings::defaults(kind);
        if let Side::Net(_, net) = self {
            settings = settings.with_net(Arc::clone(net));
        }
        Arc::new(move |_| (kind.build)(&settings))
    }
}

/// The result of a match, in the new net's view.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchResult {
    /// Against whom.
    pub against: String,
    /// Games.
    pub games: u64,
    /// Share of the points.
    pub score: f64,
    /// Elo difference.
    pub elo: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
    /// Whether a test accepted that the net is stronger, if one decided.
    pub accepted: Option<bool>,
}

/// What the opponent is to the new net.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Opponent {
    /// The net to beat; a test may end the match.
    Parent,
    /// One of the frozen pool, to which the net may not lose clearly.
    Pool,
}

impl Opponent {
    fn pairs(self, gate: &GateSettings) -> usize {
        match self {
            Opponent::Parent => gate.pairs,
            Opponent::Pool => gate.pool_pairs,
        }
    }
}

/// What a match is about.
pub(super) struct Pairing<'a> {
    pub sides: [Side; 2],
    pub opponent: Opponent,
    pub seed: u64,
    pub journal: &'a Path,
}

/// Plays a match to its end, going on where its journal ends; nothing when stopped.
pub(super) fn play(
    pairing: &Pairing,
    settings: &LearnSettings,
    stop: &Stop,
    told: &mut (dyn FnMut(&Tally) + Send),
) -> Result<Option<MatchResult>, LearnError> {
    let specs: Vec<EngineSpec> = pairing.sides.iter().map(|side| spec(side, settings)).collect();
    let makers = pairing.sides.iter().map(|side| Some(side.factory())).collect();
    let roster = Roster::new(specs.clone(), makers);
    let mut tournament = if has_config(pairing.journal) {
        Tournament::resume_with(pairing.journal, |_| Ok(roster))?
    } else {
        // A journal without a whole first line is of a match that never began.
        let _ = std::fs::remove_file(pairing.journal);
        let mut config = config(pairing, settings, specs);
        config.make_openings(stop, |_| ())?;
        Tournament::start_with(config, roster, pairing.journal)?
    };
    let mut watcher = Watcher { told };
    let accepted = match tournament.run(&mut watcher, stop)? {
        Conclusion::Interrupted => return Ok(None),
        Conclusion::Complete => None,
        Conclusion::Decided(decision) => Some(decision == Decision::H1),
    };
    let tally = tournament.standings().between(0, 1);
    let estimate = Estimate::of(&tally).ok_or(LearnError::NoGames)?;
    Ok(Some(MatchResult {
        against: pairing.sides[1].name().to_owned(),
        games: tally.games(),
        score: estimate.score,
        elo: estimate.elo.value,
        error: estimate.elo.error,
        accepted,
    }))
}

fn has_config(journal: &Path) -> bool {
    std::fs::read(journal).is_ok_and(|bytes| bytes.contains(&b'\n'))
}

fn spec(side: &Side, settings: &LearnSettings) -> EngineSpec {
    let gate = &settings.gate;
    let mut spec = EngineSpec::new(side.name(), Source::BuiltIn(DEFAULT_ENGINE.to_owned()));
    spec.time.turn = (gate.turn_ms > 0).then(|| Duration::from_millis(gate.turn_ms));
    spec.visits = (gate.visits > 0).then_some(gate.visits);
    // The machine may be busy; a late move says nothing about a net.
    spec.tolerance = Duration::from_secs(600);
    spec
}

fn config(pairing: &Pairing, settings: &LearnSettings, specs: Vec<EngineSpec>) -> MatchConfig {
    let gate = &settings.gate;
    let (rule, size) = (settings.rule(), Size::new(gate.size).expect("the settings were checked"));
    let mut config = MatchConfig { rule, size, ..MatchConfig::new(specs) };
    config.rounds = pairing.opponent.pairs(gate);
    config.concurrency = settings.threads;
    config.seed = pairing.seed;
    if shipped(rule, size).is_some() {
        config.openings = Some(OpeningsFile {
            path: None,
            format: FileFormat::Offset,
            random: true,
            seed: pairing.seed,
            start: 0,
            symmetries: true,
        });
    } else {
        let count = config.rounds.min(50);
        config.random_openings =
            Some(RandomOpenings { count, visits: 200, seed: pairing.seed, ..RandomOpenings::default() });
    }
    if pairing.opponent == Opponent::Parent && gate.sprt {
        let (elo0, elo1) = (gate.elo0, gate.elo1);
        config.sprt = Some(Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model: Model::Logistic });
    }
    config
}

struct Watcher<'a> {
    told: &'a mut (dyn FnMut(&Tally) + Send),
}

impl Observer for Watcher<'_> {
    fn game(&mut self, _: &GameRecord, standings: &Standings) {
        (self.told)(&standings.between(0, 1));
    }

    fn tick(&mut self, _: &Standings) {}
}
