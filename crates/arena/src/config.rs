//! Everything that defines a match, as data that can be stored and compared.

use crate::game::Adjudication;
use crate::openings::{
    BALANCED, FileFormat, Judge, Judged, OpeningBook, OpeningsFile, RandomOpenings, Wanted, generate,
    read_openings, shipped,
};
use crate::player::{BuiltIn, External, Factory, Patience, Player};
use crate::record::Outputs;
use crate::schedule::{Format, Plan};
use crate::spec::{EngineSpec, Source};
use crate::stats::Sprt;
use fivestone_engine::Stop;
use fivestone_game::opening::Opening;
use fivestone_game::{Rule, Size, notation};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A match or tournament.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchConfig {
    /// Who plays.
    pub engines: Vec<EngineSpec>,
    /// The rule of play.
    #[serde(serialize_with = "write_rule", deserialize_with = "read_rule")]
    pub rule: Rule,
    /// The board's size.
    #[serde(serialize_with = "write_size", deserialize_with = "read_size")]
    pub size: Size,
    /// The form of the tournament.
    pub format: Format,
    /// Rounds.
    pub rounds: usize,
    /// Games of each encounter in a round.
    pub games: usize,
    /// Whether each opening is played twice with the colours swapped.
    pub paired: bool,
    /// How the players make the opening themselves.
    #[serde(serialize_with = "write_opening", deserialize_with = "read_opening")]
    pub opening_rule: Opening,
    /// Where openings come from; the empty board unless told.
    pub openings: Option<OpeningsFile>,
    /// Openings made before the match, as move texts; they take the place of a file.
    pub made_openings: Vec<String>,
    /// Openings to be made before the match.
    pub random_openings: Option<RandomOpenings>,
    /// Ends before the end.
    pub adjudication: Adjudication,
    /// A test that ends the match by itself.
    pub sprt: Option<Sprt>,
    /// Fixed ratings of engines, by index.
    pub anchors: Vec<(usize, f64)>,
    /// Games at the same time.
    pub concurrency: usize,
    /// Seed of every random choice.
    pub seed: u64,
    /// Where records and results go.
    pub outputs: Outputs,
}

impl MatchConfig {
    /// A round robin of one pair of games with the usual settings.
    pub fn new(engines: Vec<EngineSpec>) -> MatchConfig {
        MatchConfig {
            engines,
            rule: Rule::Freestyle,
            size: Size::STANDARD,
            format: Format::RoundRobin,
            rounds: 1,
            games: 2,
            paired: true,
            opening_rule: Opening::Free,
            openings: None,
            made_openings: Vec::new(),
            random_openings: None,
            adjudication: Adjudication::default(),
            sprt: None,
            anchors: Vec::new(),
            concurrency: 1,
            seed: 1,
            outputs: Outputs::default(),
        }
    }

    /// What is to be scheduled.
    pub fn plan(&self) -> Plan {
        Plan {
            format: self.format,
            engines: self.engines.len(),
            rounds: self.rounds,
            games: self.games,
            paired: self.paired,
        }
    }

    /// Whether another configuration leads to the same games; how many at once and where results go does not matter.
    pub fn same_games(&self, other: &MatchConfig) -> bool {
        let other = MatchConfig {
            concurrency: self.concurrency,
            outputs: self.outputs.clone(),
            rounds: self.rounds,
            made_openings: self.made_openings.clone(),
            anchors: self.anchors.clone(),
            ..other.clone()
        };
        *self == other
    }

    /// Reads the openings.
    pub fn book(&self) -> Result<OpeningBook, String> {
        let Some(file) = &self.openings else {
            let text = self.made_openings.join("\n");
            let made = read_openings(&text, FileFormat::Moves, self.size, self.rule);
            return Ok(OpeningBook::new(self.size, made.map_err(|error| error.to_string())?.openings));
        };
        let path = file.path.as_ref().map_or("the shipped set".into(), |path| path.to_string_lossy());
        let text = match &file.path {
            Some(file) => {
                std::fs::read_to_string(file).map_err(|error| format!("cannot read {path}: {error}"))?
            }
            None => shipped(self.rule, self.size)
                .ok_or_else(|| format!("no openings are shipped for {} on {1}x{1}", self.rule, self.size))?
                .to_owned(),
        };
        let openings = read_openings(&text, file.format, self.size, self.rule)
            .map_err(|error| format!("{path}: {error}"))?
            .openings;
        if openings.is_empty() {
            return Err(format!("{path}: no opening in the file fits on the board"));
        }
        let mut book = OpeningBook::new(self.size, openings);
        if file.random {
            book = book.shuffled(file.seed);
        }
        if file.symmetries {
            book = book.with_symmetries(file.seed);
        }
        Ok(book.starting_at(file.start))
    }

    /// Makes the random openings that are asked for, once.
    pub fn make_openings(&mut self, stop: &Stop, progress: impl FnMut(usize)) -> Result<(), String> {
        let Some(random) = self.random_openings.clone().filter(|_| self.made_openings.is_empty()) else {
            return Ok(());
        };
        let name = if random.engine.is_empty() { strongest_engine() } else { &random.engine };
        let spec = EngineSpec::new(name, Source::BuiltIn(name.to_owned()));
        let factory = BuiltIn::factory(&spec).map_err(|error| format!("-openings: {error}"))?;
        let judge =
            Judge { factory, visits: random.visits, margin: BALANCED, threads: self.concurrency.max(1) };
        let wanted = Wanted {
            count: random.count,
            plies: random.plies,
            rule: self.rule,
            size: self.size,
            seed: random.seed,
            confirm: 0,
        };
        let made = generate(&wanted, &judge, stop, progress)?;
        let text = |judged: Judged| notation::format_moves(judged.moves, self.size);
        self.made_openings = made.into_iter().map(text).collect();
        Ok(())
    }

    /// Checks the engines and makes ready to create players of them.
    pub fn roster(&self) -> Result<Roster, String> {
        let makers = self.engines.iter().map(|spec| {
            let name = &spec.name;
            match &spec.source {
                Source::Program(_) => Ok(None),
                Source::BuiltIn(_) if !spec.is_limited() => {
                    Err(format!("engine {name} has no limit: give it tc=, st=, visits= or depth="))
                }
                Source::BuiltIn(_) => {
                    let factory =
                        BuiltIn::factory(spec).map_err(|error| format!("engine {name}: {error}"))?;
                    match factory(1).refusal(self.rule, self.size) {
                        Some(refusal) => Err(format!("engine {name}: {refusal}")),
                        None => Ok(Some(factory)),
                    }
                }
            }
        });
        let makers = makers.collect::<Result<Vec<_>, String>>()?;
        Ok(Roster { specs: self.engines.clone(), makers, patience: Patience::default() })
    }
}

/// The built-in engine that judges openings.
pub fn strongest_engine() -> &'static str {
    fivestone_engine::DEFAULT_ENGINE
}

/// Makes players of the engines of a match.
pub struct Roster {
    specs: Vec<EngineSpec>,
    /// Makers of built-in engines.
    makers: Vec<Option<Factory>>,
    patience: Patience,
}

impl Roster {
    /// A roster of engines made by given makers, or external programs where there is none.
    pub fn new(specs: Vec<EngineSpec>, makers: Vec<Option<Factory>>) -> Roster {
        Roster { specs, makers, patience: Patience::default() }
    }

    /// Waits differently for external programs.
    pub fn with_patience(mut self, patience: Patience) -> Roster {
        self.patience = patience;
        self
    }

    /// The specification of an engine.
    pub fn spec(&self, engine: usize) -> &EngineSpec {
        &self.specs[engine]
    }

    /// A new player of an engine.
    pub fn player(&self, engine: usize) -> Box<dyn Player> {
        let spec = self.specs[engine].clone();
        match (&self.makers[engine], &self.specs[engine].source) {
            (Some(factory), _) => Box::new(BuiltIn::new(spec, factory.clone())),
            (None, Source::Program(program)) => Box::new(External::new(spec, program.clone(), self.patience)),
            (None, Source::BuiltIn(name)) => panic!("the built-in engine {name} has a maker"),
        }
    }
}

#[allow(clippy::trivially_copy_pass_by_ref)] // the signature is serde's
pub(crate) fn write_rule<S: Serializer>(rule: &Rule, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(rule.name())
}

pub(crate) fn read_rule<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Rule, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
}

#[allow(clippy::trivially_copy_pass_by_ref)] // the signature is serde's
fn write_opening<S: Serializer>(opening: &Opening, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(opening.name())
}

fn read_opening<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Opening, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
}

#[allow(clippy::trivially_copy_pass_by_ref)] // the signature is serde's
pub(crate) fn write_size<S: Serializer>(size: &Size, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_u8(size.side() as u8)
}

pub(crate) fn read_size<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Size, D::Error> {
    let side = usize::deserialize(deserializer)?;
    Size::new(side).ok_or_else(|| serde::de::Error::custom(format!("{side} is no board size")))
}
