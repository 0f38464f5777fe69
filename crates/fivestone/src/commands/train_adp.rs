//! `fivestone train adp`: the network of `adp` and `adp-uct` by self-play.

use crate::arguments::parse_duration;
use crate::interrupt::stop_on_interrupt;
use anyhow::Result;
use clap::Args;
use fivestone_train::adp::{Run, Settings};
use std::path::PathBuf;
use std::time::Duration;

/// Train Lin & Cao's network by self-play, or resume a run. Interrupt it at any moment.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct TrainAdp {
    /// The run's directory: adp.net, curve.csv and curve.svg; a run that is there is resumed.
    #[arg(long, value_name = "DIRECTORY")]
    run: PathBuf,
    /// Games in all.
    #[arg(long, default_value = "50000")]
    games: u64,
    /// Time for this part of the run: 15m, 1h.
    #[arg(long, value_parser = parse_duration)]
    time: Option<Duration>,
    /// Games between checkpoints.
    #[arg(long, default_value = "1000", value_parser = clap::value_parser!(u64).range(1..))]
    step: u64,
    /// The learning rate at the beginning.
    #[arg(long, default_value = "0.02")]
    rate: f32,
    /// The share of exploring moves.
    #[arg(long, default_value = "0.1")]
    exploration: f64,
    /// Seed of the first weights and of all play.
    #[arg(long, default_value = "1")]
    seed: u64,
}

const EXAMPLES: &str = "Examples:
  fivestone train adp --run runs/adp --time 15m
  fivestone train adp --run runs/adp --games 100000      (resumes it)";

impl TrainAdp {
    pub fn run(self) -> Result<()> {
        let settings = Settings {
            rate: self.rate,
            exploration: self.exploration,
            seed: self.seed,
            ..Settings::default()
        };
        let mut run = Run::open(&self.run, settings)?;
        if let Some(last) = run.milestones().last() {
            eprintln!("resumed after {} games", last.games);
        }
        let stop = stop_on_interrupt()?;
        eprintln!(
            "{:>8} {:>8} {:>8} {:>6} {:>6}  score against the heuristic",
            "games", "seconds", "error", "plies", "black"
        );
        run.train(self.games, self.time, self.step, &stop, |m| {
            eprintln!(
                "{:>8} {:>8.0} {:>8.4} {:>6.1} {:>6.3}  {:.3}",
                m.games, m.seconds, m.error, m.plies, m.black, m.score
            );
        })?;
        println!("{}", self.run.join("adp.net").display());
        Ok(())
    }
}
