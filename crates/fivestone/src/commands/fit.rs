//! `fivestone fit`: the pattern weights from games.

use super::records::Input;
use anyhow::{Context, Result, ensure};
use clap::Args;
use fivestone_engine::evaluation::{SetName, Weights};
use fivestone_formats::reader::Branches;
use fivestone_formats::record::{Outcome, Record};
use fivestone_game::{Color, Rule};
use fivestone_train::ScoredGame;
use fivestone_train::patterns::{FitSettings, fit};
use std::path::PathBuf;

/// Fit the weights of the pattern evaluation to games.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Fit {
    #[command(flatten)]
    input: Input,
    /// Where the weights go.
    #[arg(long, short, value_name = "FILE", default_value = "patterns.weights")]
    output: PathBuf,
    /// Passes over the games.
    #[arg(long, default_value = "10", value_parser = clap::value_parser!(u16).range(1..=1000))]
    epochs: u16,
    /// Size of the first steps.
    #[arg(long, default_value = "0.1")]
    rate: f64,
    /// How much of the value target is the game's result; the rest is the players' own scores, where there are any.
    #[arg(long, default_value = "0.3")]
    result_share: f64,
    /// Seed of the order of games.
    #[arg(long, default_value = "1")]
    seed: u64,
}

const EXAMPLES: &str = "One game in twenty is held out; after each pass the fit is measured on those. The shipped weights are
crates/engine/src/evaluation/patterns.weights, fitted to scored games under freestyle, standard and renju: build anew
with another file there to play with it.

Example:
  fivestone fit games-with-scores.txt.gz --epochs 10 -o patterns.weights";

/// Scores in records are hundredths of this many logits: 200 is the scale of the engines that write them.
const POINTS_PER_LOGIT: f64 = 200.0;

impl Fit {
    pub fn run(self) -> Result<()> {
        ensure!((0.0..=1.0).contains(&self.result_share), "--result-share is a share, from 0 to 1");
        ensure!(self.rate > 0.0 && self.rate < 10.0, "--rate is a small positive number");
        let mut games = Vec::new();
        let tally = self.input.read(Branches::MainLine, |_, entry| {
            games.extend(scored_game(&entry.game.into_record()));
            Ok(())
        })?;
        eprintln!("{}; {} of them with a rule and a result", tally.summary(), games.len());
        ensure!(!games.is_empty(), "no game tells its rule and its result");
        let settings = FitSettings {
            epochs: self.epochs.into(),
            rate: self.rate,
            result_share: self.result_share,
            seed: self.seed,
            ..FitSettings::default()
        };
        let sets = SetName::ALL.map(|set| {
            let is_of_set =
                |game: &&ScoredGame| Color::BOTH.iter().any(|&side| SetName::of(game.rule, side) == set);
            let games: Vec<ScoredGame> = games.iter().filter(is_of_set).cloned().collect();
            eprintln!("{set:?}: {} games", games.len());
            fit(set, &games, &settings, |epoch, report| {
                eprintln!(
                    "  pass {epoch}: value {:.4}, move {:.4}, chosen move first in {:.1} % of {} positions",
                    report.value_loss,
                    report.move_loss,
                    100.0 * report.top1,
                    report.positions
                );
            })
        });
        let shown = self.output.display();
        std::fs::write(&self.output, Weights::write_file(&sets))
            .with_context(|| format!("cannot write {shown}"))?;
        println!("{shown}");
        Ok(())
    }
}

/// A record as a game to learn from: with a rule, a result, and no passes.
fn scored_game(record: &Record) -> Option<ScoredGame> {
    let rule: Rule = record.header.rule?;
    let winner = match record.header.outcome {
        Outcome::Win(color) => Some(color),
        Outcome::Draw => None,
        Outcome::Unknown => return None,
    };
    let moves = record.moves.iter().copied().collect::<Option<Vec<_>>>()?;
    let judged = |ply: usize| {
        let points = f64::from((*record.scores.get(ply)?)?);
        Some(1.0 / (1.0 + (-points / POINTS_PER_LOGIT).exp()))
    };
    let opening = record.opening.min(moves.len());
    Some(ScoredGame {
        rule,
        size: record.header.size,
        winner,
        opening: moves[..opening].to_vec(),
        moves: (opening..moves.len()).map(|ply| (moves[ply], judged(ply))).collect(),
    })
}
