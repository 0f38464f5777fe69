//! `fivestone ladder`: rates the built-in engines against each other.

use super::matches;
use anyhow::{Context, Result};
use clap::Args;
use fivestone_arena::{Source, Tournament, grammar};
use fivestone_engine::{ENGINES, levels};
use serde_json::json;
use std::path::PathBuf;

/// Rate the built-in engines against each other and write the table that levels of play are calibrated with.
#[derive(Args)]
#[command(after_help = HELP, override_usage = "fivestone ladder [-out FILE] [-engine KEY=VALUE...]... [OPTIONS]")]
pub struct Ladder {
    /// Options as for `fivestone match`, see below.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    words: Vec<String>,
}

const HELP: &str = "Options are those of `fivestone match`, -out FILE for the table of ratings as JSON, and -levels to rate the levels of play,
from the first to the last with their own limits, the last with one second a move.
Unless told otherwise every built-in engine takes part with 50, 200 and 800 visits, in 20 swiss rounds of two games over the
shipped openings, and the random mover is the anchor with rating 0.

Examples:
  fivestone ladder -concurrency 2 -out ratings.json
  fivestone ladder -engine name=random visits=1 -engine name=a engine=mcts-basic visits=100 \\
      -engine name=b engine=mcts-basic visits=1000 -rounds 50 -rule renju -out ratings.json
  fivestone ladder -levels -rounds 50 -out crates/web/ratings.json        (the ratings that the board shows)
  fivestone ladder -rounds 100 -config file=ladder.jsonl -out ratings.json   (rerun to go on after an interruption)";

/// Visits at which each engine takes part.
const LEVELS: [u64; 3] = [50, 200, 800];

impl Ladder {
    pub fn run(self) -> Result<()> {
        let mut words = self.words;
        if words.iter().any(|word| matches!(word.as_str(), "-help" | "--help" | "-h")) {
            println!("{HELP}");
            return Ok(());
        }
        let out = take_out(&mut words)?;
        add_levels(&mut words);
        add_defaults(&mut words);
        let request = grammar::parse(&words)?;
        let tournament = matches::run(request)?;
        if let Some(path) = out {
            let text = serde_json::to_string_pretty(&table(&tournament))?;
            matches::write_file(&path, &format!("{text}\n"))?;
        }
        Ok(())
    }
}

/// Takes `-out FILE` from the words, which the match does not know.
fn take_out(words: &mut Vec<String>) -> Result<Option<PathBuf>> {
    let Some(place) = words.iter().position(|word| word == "-out" || word == "--out") else {
        return Ok(None);
    };
    words.remove(place);
    let file = (place < words.len()).then(|| words.remove(place)).context("-out: a value is missing")?;
    Ok(Some(file.into()))
}

/// Makes engines of `-levels`, which the match does not know.
fn add_levels(words: &mut Vec<String>) {
    let Some(place) = words.iter().position(|word| word == "-levels" || word == "--levels") else { return };
    words.remove(place);
    for (index, level) in levels::LEVELS.iter().enumerate() {
        let line = format!("-engine name={} engine=levels st=1 option.level={}", level.name, index + 1);
        words.extend(line.split(' ').map(str::to_owned));
    }
    words.extend(["-engine", "name=random", "visits=1"].map(str::to_owned));
    if !words.iter().any(|word| word == "-anchor") {
        words.extend(["-anchor", "random=0"].map(str::to_owned));
    }
}

/// What the words leave open.
fn add_defaults(words: &mut Vec<String>) {
    let given = |name: &str, words: &[String]| {
        words.iter().any(|word| word.trim_start_matches('-') == name && word.starts_with('-'))
    };
    let add = |line: &str, words: &mut Vec<String>| words.extend(line.split(' ').map(str::to_owned));
    if !given("engine", words) {
        for kind in ENGINES {
            if kind.name == "random" {
                add("-engine name=random visits=1", words);
                continue;
            }
            for visits in LEVELS {
                let name = kind.name;
                add(&format!("-engine name={name}-{visits} engine={name} visits={visits}"), words);
            }
        }
        if !given("anchor", words) && fivestone_engine::kind("random").is_some() {
            add("-anchor random=0", words);
        }
    }
    if !["swiss", "gauntlet", "tournament"].iter().any(|name| given(name, words)) {
        add("-swiss", words);
    }
    if !given("rounds", words) {
        add("-rounds 20", words);
    }
    if !given("openings", words) {
        add("-openings shipped=on order=random", words);
    }
}

/// The ratings, strongest first, with what each engine was.
fn table(tournament: &Tournament) -> serde_json::Value {
    let config = tournament.config();
    let ratings = tournament.standings().ratings(&config.anchors);
    let mut order: Vec<usize> = (0..ratings.len()).collect();
    order.sort_by(|&a, &b| ratings[b].elo.value.total_cmp(&ratings[a].elo.value).then(a.cmp(&b)));
    let tenths = |value: f64| (value * 10.0).round() / 10.0;
    let rows: Vec<_> = order
        .into_iter()
        .map(|engine| {
            let (spec, rating) = (&config.engines[engine], &ratings[engine]);
            let (built_in, program) = match &spec.source {
                Source::BuiltIn(name) => (Some(name), None),
                Source::Program(program) => (None, Some(&program.command)),
            };
            let options: serde_json::Map<_, _> =
                spec.options.iter().map(|(key, value)| (key.clone(), json!(value))).collect();
            json!({
                "name": spec.name, "engine": built_in, "program": program, "visits": spec.visits,
                "depth": spec.depth, "tc": spec.time.to_string(), "options": options,
                "rating": tenths(rating.elo.value), "error": tenths(rating.elo.error),
                "games": rating.games as u64, "points": rating.points,
            })
        })
        .collect();
    json!({ "rule": config.rule.name(), "size": config.size.side(), "engines": rows })
}
