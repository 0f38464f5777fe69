//! `fivestone records stats`.

use super::input::{Input, Tally};
use super::unique::Unique;
use anyhow::Result;
use clap::Args;
use fivestone_formats::fingerprint::Follower;
use fivestone_formats::reader::Branches;
use fivestone_formats::record::{MOST_PLIES, Outcome, Record};
use fivestone_game::{Rule, Size};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;

/// Count games, positions and repetitions.
///
/// A position is a stone played: a pass is none. A pair is the stones on the board and the next one; unique pairs are
/// counted as they are and up to the eight symmetries.
#[derive(Args)]
pub struct Stats {
    #[command(flatten)]
    input: Input,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

/// Numbers that are kept in memory at once: 64 MB for the pairs, 16 MB for the games.
const PAIRS_KEPT: usize = 1 << 22;
const GAMES_KEPT: usize = 1 << 20;

struct Counts {
    games: u64,
    positions: u64,
    passes: u64,
    pairs: Unique,
    pairs_symmetric: Unique,
    unique_games: Unique,
    unique_games_symmetric: Unique,
    outcomes: [u64; 4],
    rules: BTreeMap<&'static str, u64>,
    sizes: BTreeMap<Size, u64>,
    lengths: Vec<u64>,
    follower: Option<Follower>,
}

/// The follower of games on boards of this size, at the start of one.
pub fn follow(follower: &mut Option<Follower>, size: Size) -> &mut Follower {
    if follower.as_ref().is_none_or(|follower| follower.size() != size) {
        *follower = None;
    }
    let follower = follower.get_or_insert_with(|| Follower::new(size));
    follower.restart();
    follower
}

impl Counts {
    fn new() -> Counts {
        Counts {
            games: 0,
            positions: 0,
            passes: 0,
            pairs: Unique::new(PAIRS_KEPT),
            pairs_symmetric: Unique::new(PAIRS_KEPT),
            unique_games: Unique::new(GAMES_KEPT),
            unique_games_symmetric: Unique::new(GAMES_KEPT),
            outcomes: [0; 4],
            rules: BTreeMap::new(),
            sizes: BTreeMap::new(),
            lengths: vec![0; MOST_PLIES + 1],
            follower: None,
        }
    }

    fn add(&mut self, record: &Record) -> Result<()> {
        let follower = follow(&mut self.follower, record.header.size);
        let mut stones = 0;
        for &turn in &record.moves {
            if let Some(pair) = follower.play(turn) {
                stones += 1;
                self.pairs.add(pair.exact)?;
                self.pairs_symmetric.add(pair.symmetric)?;
            }
        }
        self.unique_games.add(follower.game())?;
        self.unique_games_symmetric.add(follower.symmetric_game())?;
        self.games += 1;
        self.positions += stones;
        self.passes += record.moves.len() as u64 - stones;
        self.outcomes[record.header.outcome.index()] += 1;
        *self.rules.entry(record.header.rule.map_or("unknown", Rule::name)).or_default() += 1;
        *self.sizes.entry(record.header.size).or_default() += 1;
        self.lengths[record.moves.len().min(MOST_PLIES)] += 1;
        Ok(())
    }
}

impl Stats {
    /// Runs the command.
    pub fn run(self) -> Result<()> {
        let mut counts = Counts::new();
        let tally = self.input.read(Branches::MainLine, |_, entry| counts.add(&entry.game.into_record()))?;
        let value = to_json(counts, &tally)?;
        if self.json {
            writeln!(std::io::stdout(), "{}", serde_json::to_string_pretty(&value)?)?;
        } else {
            print(&value, &tally)?;
        }
        tally.check()
    }
}

fn to_json(counts: Counts, tally: &Tally) -> Result<Value> {
    let Counts { games, positions, passes, lengths, .. } = counts;
    let unique_games = counts.unique_games.count()?;
    let unique_games_symmetric = counts.unique_games_symmetric.count()?;
    let unique_pairs = counts.pairs.count()?;
    let unique_pairs_symmetric = counts.pairs_symmetric.count()?;
    let results: BTreeMap<&str, u64> =
        Outcome::ALL.map(|outcome| (outcome.word(), counts.outcomes[outcome.index()])).into();
    let sizes: BTreeMap<String, u64> =
        counts.sizes.iter().map(|(size, &count)| (size.to_string(), count)).collect();
    let formats: BTreeMap<&str, u64> =
        tally.formats.iter().map(|(format, count)| (format.name(), *count)).collect();
    let histogram: BTreeMap<String, u64> = lengths
        .chunks(10)
        .enumerate()
        .filter(|(_, chunk)| chunk.iter().sum::<u64>() > 0)
        .map(|(i, chunk)| (format!("{:03}-{:03}", 10 * i, 10 * i + 9), chunk.iter().sum()))
        .collect();
    let problems: Vec<Value> = tally
        .problems
        .iter()
        .map(|(file, problem)| {
            json!({
                "file": file,
                "game": problem.game,
                "id": problem.id,
                "place": problem.place.to_string(),
                "ply": problem.ply,
                "problem": problem.fault.to_string(),
                "lost": format!("{:?}", problem.loss).to_lowercase(),
            })
        })
        .collect();
    Ok(json!({
        "files": tally.files,
        "games": games,
        "positions": positions,
        "passes": passes,
        "unique_pairs": unique_pairs,
        "unique_pairs_symmetric": unique_pairs_symmetric,
        "duplicate_games": games - unique_games,
        "duplicate_games_symmetric": games - unique_games_symmetric,
        "skipped": tally.skipped,
        "branches_skipped": tally.branches_skipped,
        "after_end": tally.after_end,
        "broken_files": tally.broken_files,
        "tree_nodes": tally.nodes,
        "results": results,
        "rules": counts.rules,
        "sizes": sizes,
        "formats": formats,
        "length": {
            "least": quantile(&lengths, games, 0.0),
            "median": quantile(&lengths, games, 0.5),
            "most": quantile(&lengths, games, 1.0),
            "mean": if games == 0 { 0.0 } else { (positions + passes) as f64 / games as f64 },
            "histogram": histogram,
        },
        "problems": problems,
    }))
}

/// The length that this share of the games does not exceed.
fn quantile(lengths: &[u64], games: u64, share: f64) -> usize {
    let wanted = ((games as f64 * share).ceil() as u64).max(1);
    let mut sum = 0;
    lengths
        .iter()
        .position(|&count| {
            sum += count;
            sum >= wanted
        })
        .unwrap_or(0)
}

fn print(value: &Value, tally: &Tally) -> Result<()> {
    let mut out = std::io::stdout().lock();
    let number = |key: &str| value[key].as_u64().unwrap_or(0);
    writeln!(out, "{}", tally.summary())?;
    writeln!(out, "positions                {:>12}   passes {}", number("positions"), number("passes"))?;
    writeln!(
        out,
        "unique pairs             {:>12}   up to symmetry {}",
        number("unique_pairs"),
        number("unique_pairs_symmetric")
    )?;
    writeln!(
        out,
        "repeated games           {:>12}   up to symmetry {}",
        number("duplicate_games"),
        number("duplicate_games_symmetric")
    )?;
    if number("tree_nodes") > 0 {
        writeln!(out, "tree nodes               {:>12}", number("tree_nodes"))?;
    }
    for (title, key) in
        [("formats", "formats"), ("rules", "rules"), ("boards", "sizes"), ("results", "results")]
    {
        let parts: Vec<String> = value[key]
            .as_object()
            .into_iter()
            .flatten()
            .filter(|(_, count)| count.as_u64() != Some(0))
            .map(|(name, count)| format!("{name} {count}"))
            .collect();
        writeln!(out, "{title:<10} {}", parts.join(", "))?;
    }
    let length = &value["length"];
    writeln!(
        out,
        "plies      {} to {}, median {}, mean {:.1}",
        length["least"],
        length["most"],
        length["median"],
        length["mean"].as_f64().unwrap_or(0.0)
    )?;
    let histogram: Vec<(&String, u64)> = length["histogram"]
        .as_object()
        .into_iter()
        .flatten()
        .map(|(k, v)| (k, v.as_u64().unwrap_or(0)))
        .collect();
    let most = histogram.iter().map(|(_, count)| *count).max().unwrap_or(1).max(1);
    for (range, count) in histogram {
        writeln!(out, "  {range} {count:>9} {}", "#".repeat((count * 50 / most) as usize))?;
    }
    Ok(())
}
