//! Everything that defines a match, as data that can be stored and compared.

use crate::error::MatchError;
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
use fivestone_artifacts::FileTask;
use fivestone_engine::{DEFAULT_ENGINE, Stop};
use fivestone_game::opening::Opening;
use fivestone_game::{Rule, Size, notation};
use serde::{Deserialize, Serialize};

/// A match or tournament.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct MatchConfig {
    /// Who plays.
    pub engines: Vec<EngineSpec>,
    /// The rule of play.
    pub rule: Rule,
    /// The board's size.
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
    pub fn book(&self) -> Result<OpeningBook, MatchError> {
        let Some(file) = &self.openings else {
            let text = self.made_openings.join("\n");
            let made = read_openings(&text, FileFormat::Moves, self.size, self.rule);
            return Ok(OpeningBook::new(self.size, made.map_err(MatchError::MadeOpenings)?.openings));
        };
        let (source, text) = if let Some(path) = &file.path {
            let text = std::fs::read_to_string(path).map_err(FileTask::Read.at(path))?;
            (path.display().to_string(), text)
        } else {
            let text = shipped(self.rule, self.size);
            let text = text.ok_or(MatchError::NotShipped(self.rule, self.size))?;
            ("the shipped set".to_owned(), text.to_owned())
        };
        let openings = match read_openings(&text, file.format, self.size, self.rule) {
            Ok(read) if read.openings.is_empty() => return Err(MatchError::NoOpenings(source)),
            Ok(read) => read.openings,
            Err(error) => return Err(MatchError::Openings(source, error)),
        };
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
    pub fn make_openings(&mut self, stop: &Stop, progress: impl FnMut(usize)) -> Result<(), MatchError> {
        let Some(random) = self.random_openings.clone().filter(|_| self.made_openings.is_empty()) else {
            return Ok(());
        };
        let name = if random.engine.is_empty() { DEFAULT_ENGINE } else { &random.engine };
        let spec = EngineSpec::new(name, Source::BuiltIn(name.to_owned()));
        let factory = BuiltIn::factory(&spec).map_err(MatchError::Judge)?;
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
        let made = generate(&wanted, &judge, stop, progress).map_err(MatchError::Make)?;
        let text = |judged: Judged| notation::format_moves(judged.moves, self.size);
        self.made_openings = made.into_iter().map(text).collect();
        Ok(())
    }

    /// Checks the engines and makes ready to create players of them.
    pub fn roster(&self) -> Result<Roster, MatchError> {
        let makers = self.engines.iter().map(|spec| self.maker(spec)).collect::<Result<_, _>>()?;
        Ok(Roster::new(self.engines.clone(), makers))
    }

    /// The maker of a built-in engine; nothing for a program.
    fn maker(&self, spec: &EngineSpec) -> Result<Option<Factory>, MatchError> {
        if let Source::Program(_) = spec.source {
            return Ok(None);
        }
        let name = || spec.name.clone();
        if !spec.is_limited() {
            return Err(MatchError::NoLimit(name()));
        }
        let factory = BuiltIn::factory(spec).map_err(|error| MatchError::Engine(name(), error))?;
        match factory(1).refusal(self.rule, self.size) {
            Some(refusal) => Err(MatchError::Refused(name(), refusal)),
            None => Ok(Some(factory)),
        }
    }
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
