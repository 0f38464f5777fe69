//! How strong the levels are, by the table that `fivestone ladder -levels -out
//! crates/web/ratings.json` wrote.

use crate::wire::Rating;
use serde::Deserialize;
use std::collections::BTreeMap;

const TABLE: &str = include_str!("../ratings.json");

#[derive(Deserialize)]
struct Table {
    engines: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    engine: Option<String>,
    #[serde(default)]
    options: BTreeMap<String, String>,
    rating: f64,
    error: f64,
    games: u64,
}

/// The rating of every level that was measured.
pub fn ratings() -> BTreeMap<usize, Rating> {
    read(TABLE).expect("the table was checked by a test")
}

fn read(text: &str) -> Result<BTreeMap<usize, Rating>, serde_json::Error> {
    let table: Table = serde_json::from_str(text)?;
    let levels = table.engines.into_iter().filter(|row| row.engine.as_deref() == Some("levels"));
    let rated = levels.filter_map(|row| {
        let level = row.options.get("level")?.parse().ok()?;
        Some((level, Rating { elo: row.rating, error: row.error, games: row.games }))
    });
    Ok(rated.collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use fivestone_engine::levels::LEVELS;

    #[test]
    fn the_shipped_table_rates_levels_that_exist() {
        let rated = read(TABLE).expect("a table");
        assert!(rated.keys().all(|level| (1..=LEVELS.len()).contains(level)));
    }

    #[test]
    fn only_levels_are_read() {
        let text = r#"{ "rule": "freestyle", "size": 15, "engines": [
            { "name": "level-2", "engine": "levels", "options": { "level": "2" }, "rating": 312.5, "error": 20.1, "games": 80, "points": 41.0 },
            { "name": "random", "engine": "random", "options": {}, "rating": 0.0, "error": 0.0, "games": 80, "points": 1.0 },
            { "name": "else", "engine": null, "program": "/bin/else", "rating": 900.0, "error": 9.0, "games": 4, "points": 1.0 } ] }"#;
        let rated = read(text).expect("a table");
        assert_eq!(
            rated.into_iter().collect::<Vec<_>>(),
            [(2, Rating { elo: 312.5, error: 20.1, games: 80 })]
        );
    }
}
