//! The command line of a match, in the words that testers know from cutechess and c-gomoku-cli:
//! `-engine name=.. cmd=.. -each tc=.. -rounds 50 -openings file=.. type=offset`.
//!
//! `options` has a row for every option; `table` is what rows are made of.

mod engine;
mod error;
mod openings;
mod options;
mod table;
mod values;

pub use error::{GrammarError, Problem};
pub use options::help_rows;

use crate::config::MatchConfig;
use engine::EngineWords;
use fivestone_game::{Rule, UnknownRule};
use std::path::PathBuf;

/// What a command line asks for.
#[derive(Clone, PartialEq, Debug)]
pub struct Request {
    /// The match, unless only a journal is named.
    pub config: Option<MatchConfig>,
    /// The journal to begin or to go on with.
    pub journal: Option<PathBuf>,
    /// Games between two reports; 0 for none before the end.
    pub report_interval: u64,
    /// Games at once, if given.
    pub concurrency: Option<usize>,
}

/// Reads a command line.
pub fn parse(words: &[String]) -> Result<Request, GrammarError> {
    let mut reader = Reader::default();
    let mut rest = words;
    while let Some((option, tail)) = rest.split_first() {
        if !is_option(option) {
            return Err(GrammarError::StandsAlone(option.clone()));
        }
        let count = tail.iter().take_while(|word| !is_option(word)).count();
        let (values, next) = tail.split_at(count);
        // Two dashes are as good as one.
        let name = option.trim_start_matches('-');
        options::read(&mut reader, name, values)
            .map_err(|problem| GrammarError::Option(name.to_owned(), problem))?;
        rest = next;
    }
    reader.finish()
}

/// A word that begins an option: a dash followed by a letter, so that negative numbers are values.
fn is_option(word: &str) -> bool {
    word.starts_with('-') && word.trim_start_matches('-').starts_with(|c: char| c.is_ascii_alphabetic())
}

#[derive(Default)]
struct Reader {
    engines: Vec<EngineWords>,
    each: EngineWords,
    settings: Vec<Setting>,
    anchors: Vec<(String, f64)>,
    journal: Option<PathBuf>,
    report_interval: u64,
    concurrency: Option<usize>,
    /// Seed of the order of openings; the match's unless given.
    openings_seed: Option<u64>,
}

type Setting = Box<dyn FnOnce(&mut MatchConfig)>;

impl Reader {
    /// Keeps a setting until the engines are known; as rows end with it, it answers as they do.
    #[allow(clippy::unnecessary_wraps)]
    fn set(&mut self, setting: impl FnOnce(&mut MatchConfig) + 'static) -> Result<(), Problem> {
        self.settings.push(Box::new(setting));
        Ok(())
    }

    fn finish(self) -> Result<Request, GrammarError> {
        let Reader { engines, each, settings, anchors, journal, report_interval, concurrency, .. } = self;
        if engines.is_empty() && journal.is_some() {
            return Ok(Request { config: None, journal, report_interval, concurrency });
        }
        let specs = engines.into_iter().map(|words| words.or(&each).build());
        let mut specs = specs.collect::<Result<Vec<_>, _>>()?;
        engine::make_names_unique(&mut specs);
        if specs.len() < 2 {
            return Err(GrammarError::TooFewEngines);
        }
        let mut config = MatchConfig::new(specs);
        for setting in settings {
            setting(&mut config);
        }
        config.concurrency = concurrency.unwrap_or(1);
        if let Some(openings) = &mut config.openings {
            openings.seed = self.openings_seed.unwrap_or(config.seed);
        }
        for (name, rating) in anchors {
            let engine = config.engines.iter().position(|spec| spec.name == name);
            config.anchors.push((engine.ok_or(GrammarError::NoAnchor(name))?, rating));
        }
        Ok(Request { config: Some(config), journal, report_interval, concurrency })
    }
}

/// A rule by its word or by the number of the protocol.
pub fn parse_rule(word: &str) -> Result<Rule, UnknownRule> {
    match word {
        "0" => Ok(Rule::Freestyle),
        "1" => Ok(Rule::Standard),
        "4" => Ok(Rule::Renju),
        "8" => Ok(Rule::CaroOverline),
        "9" => Ok(Rule::Caro),
        _ => word.parse(),
    }
}

#[cfg(test)]
mod tests;
