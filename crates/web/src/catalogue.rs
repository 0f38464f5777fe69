//! What can be chosen: engines, levels, rules, openings.

use crate::external::External;
use crate::ratings::ratings;
use fivestone_engine::levels::LEVELS;
use fivestone_engine::{DEFAULT_ENGINE, ENGINES, explained};
use fivestone_game::{Opening, Rule, Size};
use serde_json::{Value, json};

/// Everything a page offers.
pub fn catalogue(externals: &[External]) -> Value {
    let engines = ENGINES.iter().map(|kind| {
        let parameters = kind.parameters.iter().map(|parameter| {
            json!({
                "name": parameter.name,
                "meaning": parameter.meaning,
                "default": parameter.default,
                "range": [parameter.range.0, parameter.range.1],
            })
        });
        json!({
            "name": kind.name,
            "paper": kind.paper,
            "description": kind.description,
            "parameters": parameters.collect::<Vec<_>>(),
        })
    });
    let ratings = ratings();
    let levels = LEVELS.iter().enumerate().map(|(index, level)| {
        json!({ "level": index + 1, "name": level.name, "rated": ratings.get(&(index + 1)) })
    });
    let openings =
        Opening::ALL.map(|opening| json!({ "name": opening.name(), "description": opening.description() }));
    json!({
        "version": env!("CARGO_PKG_VERSION"),
        "engines": engines.collect::<Vec<_>>(),
        "externals": externals.iter().map(|external| json!({ "name": external.name })).collect::<Vec<_>>(),
        "defaultEngine": DEFAULT_ENGINE,
        "analyst": DEFAULT_ENGINE,
        "explained": explained(),
        "levels": levels.collect::<Vec<_>>(),
        "rules": Rule::ALL.map(Rule::name),
        "sizes": [Size::MIN.side(), Size::MAX.side()],
        "openings": openings,
    })
}
