//! What can be chosen: engines, levels, rules, openings.

use crate::external::External;
use crate::ratings::ratings;
use crate::wire::{Catalogue, EngineEntry, LevelEntry, OpeningEntry, ParameterEntry, ProgramEntry, Word};
use fivestone_engine::levels::LEVELS;
use fivestone_engine::{DEFAULT_ENGINE, ENGINES, EngineKind, Parameter, explained};
use fivestone_game::{Opening, Rule, Size};

/// Everything a page offers.
pub fn catalogue(externals: &[External]) -> Catalogue {
    Catalogue {
        version: env!("CARGO_PKG_VERSION"),
        engines: ENGINES.iter().map(engine).collect(),
        externals: externals.iter().map(|external| ProgramEntry { name: external.name.clone() }).collect(),
        default_engine: DEFAULT_ENGINE,
        analyst: DEFAULT_ENGINE,
        explained: explained(),
        levels: levels(),
        rules: Rule::ALL.map(Word),
        sizes: [Size::MIN.side(), Size::MAX.side()],
        openings: Opening::ALL
            .map(|opening| OpeningEntry { name: Word(opening), description: opening.description() }),
    }
}

fn engine(kind: &EngineKind) -> EngineEntry {
    EngineEntry {
        name: kind.name,
        paper: kind.paper,
        description: kind.description,
        parameters: kind.parameters.iter().map(parameter).collect(),
    }
}

fn parameter(parameter: &Parameter) -> ParameterEntry {
    let Parameter { name, meaning, default, range } = *parameter;
    ParameterEntry { name, meaning, default, range: range.into() }
}

fn levels() -> Vec<LevelEntry> {
    let mut ratings = ratings();
    let entry = |(index, name)| LevelEntry { level: index + 1, name, rated: ratings.remove(&(index + 1)) };
    LEVELS.iter().map(|level| level.name).enumerate().map(entry).collect()
}
