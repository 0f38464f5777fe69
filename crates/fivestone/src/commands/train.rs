//! `fivestone train`: from games to nets.

use crate::interrupt::stop_on_interrupt;
use anyhow::{Context, Result, bail};
use clap::{Args, Subcommand};
use fivestone_game::Rule;
use fivestone_nets::Net;
use fivestone_train::flagship::{Config, Dataset, Measured, Progress, Run, measure_net};
use fivestone_train::samples::{SampleWriter, read_games};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Train the nets that the engines play with.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Train {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "Examples:
  fivestone train flagship --run runs/freestyle --rule freestyle --data games.txt.gz selfplay.fssamples
  fivestone train flagship --run runs/freestyle              (resumes it)
  fivestone train adp --run runs/adp --time 15m
  fivestone train policy --run runs/lines --preset lines --data renju-expert.txt.gz
  fivestone train measure runs/freestyle/net.fsnet --data games.txt.gz
  fivestone train import --rule freestyle --output games.fssamples games.txt.gz";

#[derive(Subcommand)]
enum Command {
    /// Train the flagship's net, or resume a run. Interrupt it at any moment.
    Flagship(Flagship),
    Adp(super::train_adp::TrainAdp),
    Policy(super::train_policy::TrainPolicy),
    /// Measure a net on held-out games.
    Measure(Measure),
    /// Turn lists of games into a file of training samples.
    Import(Import),
}

#[derive(Args)]
struct Flagship {
    /// The run's directory: settings, checkpoint, metrics.jsonl, curves.svg, and in the end net.fsnet.
    #[arg(long, value_name = "DIRECTORY")]
    run: PathBuf,
    /// Files of games or training samples; none to resume the run.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    data: Vec<PathBuf>,
    /// Share of each file's positions that a pass learns from, others in each pass, in the order of
    /// the files and separated by commas; all of those that have none.
    #[arg(long, requires = "data", value_delimiter = ',', value_parser = parse_share)]
    shares: Vec<f64>,
    /// The rule to train for.
    #[arg(long, requires = "data", default_value = "freestyle")]
    rule: Rule,
    /// A checkpoint.bin of another run or a net (*.fsnet) to start from, also of another rule.
    #[arg(long, value_name = "FILE", requires = "data")]
    start: Option<PathBuf>,
    /// Keep the table rows of the start instead of taking those that are frequent in the data: a
    /// few games do not show what is frequent. Only between rules with as many sets of weights
    /// (renju has two, the others one).
    #[arg(long, requires = "start")]
    keep_rows: bool,
    /// Learn table rows with their inner seven cells alone, without inner nines and windows.
    #[arg(long, requires = "data")]
    plain_rows: bool,
    /// Do not tell the net what the solver said of both sides.
    #[arg(long, requires = "data")]
    no_threats: bool,
    /// Passes over the positions.
    #[arg(long, requires = "data")]
    epochs: Option<f64>,
    /// Positions per step.
    #[arg(long, requires = "data")]
    batch: Option<usize>,
    /// The highest step size.
    #[arg(long, requires = "data")]
    rate: Option<f32>,
    /// Steps until it.
    #[arg(long, requires = "data")]
    warm_up: Option<usize>,
    /// How much the moves count against the outcome.
    #[arg(long, requires = "data")]
    move_weight: Option<f32>,
    /// How much of the outcome's target is the game's result where a search judged the position.
    #[arg(long, requires = "data", value_parser = parse_share)]
    result_share: Option<f64>,
    /// How much the outcome counts where only the result is known.
    #[arg(long, requires = "data")]
    unjudged_weight: Option<f32>,
    /// Gradients of table rows below this count for less: rare lines are not learned by heart.
    #[arg(long, requires = "data")]
    calm: Option<f32>,
    /// Rows for whole lines, per table.
    #[arg(long, requires = "data")]
    lines: Option<usize>,
    /// Rows for inner nine cells, per table.
    #[arg(long, requires = "data")]
    nines: Option<usize>,
    /// Seed of the first weights and of the order of positions.
    #[arg(long, requires = "data")]
    seed: Option<u64>,
    /// Memory the games may hold: 2GB, 500MB [default: 2GB]. Of more games the newest are kept.
    #[arg(long, value_name = "BYTES", requires = "data", value_parser = crate::arguments::parse_bytes)]
    memory: Option<usize>,
}

#[derive(Args)]
struct Measure {
    /// The net file.
    net: PathBuf,
    /// Files of games or training samples; one game in twenty of each is measured on.
    #[arg(long, value_name = "FILE", num_args = 1.., required = true)]
    data: Vec<PathBuf>,
}

#[derive(Args)]
struct Import {
    /// The rule of the games to keep.
    #[arg(long, default_value = "freestyle")]
    rule: Rule,
    /// The file to write.
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Lists of games.
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

impl Train {
    /// Runs the command.
    pub fn run(self) -> Result<()> {
        match self.command {
            Command::Flagship(command) => command.run(),
            Command::Adp(command) => command.run(),
            Command::Policy(command) => command.run(),
            Command::Measure(command) => command.run(),
            Command::Import(command) => command.run(),
        }
    }
}

impl Flagship {
    fn run(self) -> Result<()> {
        let stop = stop_on_interrupt()?;
        let run = Run::open(&self.run, self.config()?)?;
        let dataset = run.load()?;
        println!(
            "{}: {} positions to learn from, {} held out",
            run.config().rule,
            dataset.training().len(),
            dataset.held_out().len()
        );
        if dataset.left_out() > 0 {
            println!("{} older games are left out: they do not fit into --memory", dataset.left_out());
        }
        match run.train(&dataset, || stop.raised(), print_progress)? {
            Some((_, measured)) => {
                println!("wrote {}", self.run.join("net.fsnet").display());
                print_measured(&measured);
            }
            None => println!("stopped; go on with: fivestone train flagship --run {}", self.run.display()),
        }
        Ok(())
    }

    /// The settings given, or nothing to resume.
    fn config(&self) -> Result<Option<Config>> {
        if self.data.is_empty() {
            return Ok(None);
        }
        if self.shares.len() > self.data.len() {
            bail!("--shares has {} numbers for {} files", self.shares.len(), self.data.len());
        }
        let mut usual = Config::default();
        if let Some(share) = self.result_share {
            usual.targets.result_share = share as f32;
        }
        if let Some(weight) = self.unjudged_weight {
            usual.targets.unjudged_weight = weight;
        }
        let config = Config {
            rule: self.rule.name().to_owned(),
            data: self.data.iter().map(|path| absolute(path)).collect::<Result<_>>()?,
            shares: self.shares.clone(),
            start: self.start.as_deref().map(absolute).transpose()?,
            keep_rows: self.keep_rows,
            factorised: !self.plain_rows,
            threats: !self.no_threats,
            epochs: self.epochs.unwrap_or(usual.epochs),
            batch: self.batch.unwrap_or(usual.batch),
            rate: self.rate.unwrap_or(usual.rate),
            warm_up: self.warm_up.unwrap_or(usual.warm_up),
            move_weight: self.move_weight.unwrap_or(usual.move_weight),
            calm: self.calm.unwrap_or(usual.calm),
            lines: self.lines.unwrap_or(usual.lines),
            nines: self.nines.unwrap_or(usual.nines),
            seed: self.seed.unwrap_or(usual.seed),
            memory: self.memory.unwrap_or(usual.memory),
            ..usual
        };
        if config.batch == 0 || !config.epochs.is_finite() || config.epochs <= 0.0 || config.rate.is_nan() {
            bail!("--batch, --epochs and --rate must be above zero");
        }
        Ok(Some(config))
    }
}

fn parse_share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| *share > 0.0 && *share <= 1.0);
    share.ok_or_else(|| format!("\"{text}\" is no share: a number above 0 and up to 1"))
}

fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).with_context(|| path.display().to_string())
}

/// Prints a line of metrics.
pub fn print_progress(progress: &Progress) {
    let held_out = if progress.judged.positions > 0 { &progress.judged } else { &progress.unjudged };
    println!(
        "step {}/{} (epoch {:.2}): loss {:.4} + {:.4}; held out: value {:.4}, moves {:.4}, \
         first choice {:.1} %; {:.0} positions/s",
        progress.step,
        progress.steps,
        progress.epoch,
        progress.train_outcome_loss,
        progress.train_move_loss,
        held_out.value_loss,
        held_out.move_loss,
        100.0 * held_out.top1,
        progress.samples_per_second
    );
}

fn print_measured(measured: &[Measured; 2]) {
    for (name, measured) in ["judged by a search", "with a result only"].iter().zip(measured) {
        if measured.moves > 0 {
            println!(
                "held out, {name}: {} positions, outcome {:.4}, value {:.4}, moves {:.4}, first choice {:.2} %",
                measured.moves,
                measured.outcome_loss,
                measured.value_loss,
                measured.move_loss,
                100.0 * measured.top1
            );
        }
    }
}

impl Measure {
    fn run(self) -> Result<()> {
        let net = Net::read_file(&self.net).with_context(|| self.net.display().to_string())?;
        let config = Config { data: self.data, ..Config::default() };
        let dataset = Dataset::load(&config, net.rule)?;
        if dataset.held_out().is_empty() {
            bail!("no games of {} in the data", net.rule);
        }
        println!("{}: {}", self.net.display(), net.description);
        print_measured(&measure_net(&Arc::new(net), &dataset, &config));
        Ok(())
    }
}

impl Import {
    fn run(self) -> Result<()> {
        let shown = || self.output.display().to_string();
        let file = File::create_new(&self.output).with_context(shown)?;
        let mut writer = SampleWriter::begin(BufWriter::new(file)).with_context(shown)?;
        let mut games = 0;
        for path in &self.files {
            for game in read_games(path, self.rule)? {
                writer.write(&game).with_context(shown)?;
                games += 1;
            }
        }
        writer.end_block().with_context(shown)?;
        writeln!(std::io::stdout(), "{games} games of {} written to {}", self.rule, shown())?;
        Ok(())
    }
}
