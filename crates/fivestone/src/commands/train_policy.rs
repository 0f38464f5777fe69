//! `fivestone train policy`: nets that predict moves, from files of games.

use crate::interrupt::stop_on_interrupt;
use anyhow::{Context, Result, bail};
use clap::Args;
use fivestone_engine::Stop;
use fivestone_train::policy::{Config, Finished, Measured, Part, Progress, Run, Split};
use indicatif::{ProgressBar, ProgressStyle};
use std::fs;
use std::path::{Path, PathBuf};

/// Train a net that predicts moves, or resume a run. Interrupt it at any moment.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct TrainPolicy {
    /// The run's directory: config.toml, samples, checkpoint, metrics.jsonl, events for `TensorBoard`, curves.svg, and in the end
    /// net.fspolicy, net.safetensors, net.onnx and measured.json.
    #[arg(long, value_name = "DIRECTORY")]
    run: PathBuf,
    /// Files of games in any format; none to resume the run.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    data: Vec<PathBuf>,
    /// Settings by name: muzika, shao, or lines (our own net).
    #[arg(long, value_name = "NAME", requires = "data", conflicts_with = "config")]
    preset: Option<String>,
    /// Settings from a TOML file; docs/policy-nets.md shows one.
    #[arg(long, value_name = "FILE", requires = "data")]
    config: Option<PathBuf>,
    /// The net's layers, such as "colours 5x64 3x64 3x64 point".
    #[arg(long, requires = "data")]
    net: Option<String>,
    /// How positions are divided: games or pairs.
    #[arg(long, requires = "data", value_parser = parse_split)]
    split: Option<Split>,
    /// Passes over the samples.
    #[arg(long, requires = "data")]
    epochs: Option<f64>,
    /// The most samples to learn from in all.
    #[arg(long, requires = "data")]
    most_samples: Option<usize>,
    /// Samples per step.
    #[arg(long, requires = "data")]
    batch: Option<usize>,
    /// The highest step size.
    #[arg(long, requires = "data")]
    rate: Option<f32>,
    /// Seed of the first weights, of the division and of the order of samples.
    #[arg(long, requires = "data")]
    seed: Option<u64>,
}

const EXAMPLES: &str = "Examples:
  fivestone train policy --run runs/lines --preset lines --data renju-expert.txt.gz
  fivestone train policy --run runs/lines                      (resumes it)
  fivestone train policy --run runs/small --preset shao --net \"colours 5x16 3x16 3x16 point\" --data games.rif.gz";

fn parse_split(text: &str) -> Result<Split, String> {
    match text {
        "games" => Ok(Split::Games),
        "pairs" => Ok(Split::Pairs),
        _ => Err("games or pairs".to_owned()),
    }
}

impl TrainPolicy {
    /// Runs the command.
    pub fn run(self) -> Result<()> {
        let stop = stop_on_interrupt()?;
        let run = Run::open(&self.run, self.config()?)?;
        match train(&run, &stop)? {
            Some(finished) => {
                println!("wrote {}", self.run.join("net.fspolicy").display());
                print_measured(&finished.test);
            }
            None => println!("stopped; go on with: fivestone train policy --run {}", self.run.display()),
        }
        Ok(())
    }

    /// The settings given, or nothing to resume.
    fn config(&self) -> Result<Option<Config>> {
        if self.data.is_empty() {
            return Ok(None);
        }
        let mut config = match (&self.preset, &self.config) {
            (Some(name), _) => Config::preset(name)?,
            (None, Some(path)) => {
                let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
                Config::from_toml(&text).with_context(|| path.display().to_string())?
            }
            (None, None) => bail!("a new run needs --preset or --config"),
        };
        config.data = self.data.iter().map(|path| absolute(path)).collect::<Result<_>>()?;
        if let Some(net) = &self.net {
            config.net.clone_from(net);
        }
        config.split = self.split.unwrap_or(config.split);
        config.epochs = self.epochs.unwrap_or(config.epochs);
        config.most_samples = self.most_samples.unwrap_or(config.most_samples);
        config.batch = self.batch.unwrap_or(config.batch);
        config.rate = self.rate.unwrap_or(config.rate);
        config.seed = self.seed.unwrap_or(config.seed);
        config.check()?;
        Ok(Some(config))
    }
}

fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).with_context(|| path.display().to_string())
}

/// Trains a run to its end with a progress bar; nothing if it was stopped before.
pub fn train(run: &Run, stop: &Stop) -> Result<Option<Finished>> {
    let pairs = run.load()?;
    let steps = run.steps(&pairs) as u64;
    let bar = ProgressBar::new(steps);
    bar.set_style(ProgressStyle::with_template("{bar:20} {pos}/{len} steps, {eta} to go")?);
    bar.suspend(|| {
        eprintln!(
            "{}: {} samples to learn from, {} to validate, {} to test on",
            run.config().net,
            pairs.count(Part::Training),
            pairs.count(Part::Validation),
            pairs.count(Part::Test)
        );
    });
    let finished = run.train(
        &pairs,
        || stop.raised(),
        |step| bar.set_position(step as u64),
        |progress| bar.suspend(|| print_progress(progress)),
    );
    bar.finish_and_clear();
    Ok(finished?)
}

fn print_progress(progress: &Progress) {
    let validation = &progress.validation;
    eprintln!(
        "step {}/{} (epoch {:.2}): loss {:.4}; validation: loss {:.4}, first choice {:.2} %, first five {:.2} %; {:.0} samples/s",
        progress.step,
        progress.steps,
        progress.epoch,
        progress.training_loss,
        validation.loss,
        100.0 * validation.top1,
        100.0 * validation.top5,
        progress.samples_per_second
    );
}

fn print_measured(test: &Measured) {
    println!(
        "test: {} samples, loss {:.4}, first choice {:.2} %, first five {:.2} %, score of output {:.4}",
        test.samples,
        test.loss,
        100.0 * test.top1,
        100.0 * test.top5,
        test.score
    );
    for (stage, (count, top1)) in test.stages.iter().enumerate().filter(|(_, (count, _))| *count > 0) {
        println!("  stones {:>3} on: {count:>7} samples, first choice {:.2} %", 10 * stage, 100.0 * top1);
    }
}
