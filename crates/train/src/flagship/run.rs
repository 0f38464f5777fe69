//! A training run in a directory: settings, checkpoint, metrics, curves and the finished net.

use super::measure::{Measured, measure_trainer};
use super::{Config, Dataset, Trainer, checkpoint, measure_net, quantise};
use crate::chart::{Curve, draw};
use crate::run_files;
use crate::samples::ImportError;
use fivestone_game::{Rule, UnknownRule};
use fivestone_nets::Net;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use std::{fmt, fs, io};

/// A line of the metrics file, and what the run reports as it goes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Progress {
    /// Steps done.
    pub step: usize,
    /// Steps in all.
    pub steps: usize,
    /// Passes over the positions done.
    pub epoch: f64,
    /// The step size.
    pub rate: f32,
    /// Mean loss of the outcome in training since the last line.
    pub train_outcome_loss: f64,
    /// Mean loss of the moves in training since the last line.
    pub train_move_loss: f64,
    /// Held-out positions that a search has judged.
    pub judged: Measured,
    /// Held-out positions of which only the result is known.
    pub unjudged: Measured,
    /// Positions learned from per second since the last line.
    pub samples_per_second: f64,
}

/// Why a run stopped.
#[derive(Debug)]
pub enum TrainError {
    /// A file of the run cannot be read or written.
    Io(PathBuf, io::Error),
    /// The games cannot be read.
    Import(ImportError),
    /// The rule does not exist.
    Rule(UnknownRule),
    /// The directory belongs to a run with other settings.
    OtherSettings(PathBuf),
    /// A file of the run is damaged.
    Damaged(PathBuf),
    /// There is nothing to learn from, or nothing to measure on.
    NoPositions,
    /// The numbers left every bound.
    Diverged {
        /// The step at which they did.
        step: usize,
        /// The step of the last good checkpoint.
        kept: usize,
    },
}

impl fmt::Display for TrainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrainError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            TrainError::Import(error) => write!(f, "{error}"),
            TrainError::Rule(error) => write!(f, "{error}"),
            TrainError::OtherSettings(path) => {
                write!(
                    f,
                    "{} holds a run with other settings; resume it without any, or choose another directory",
                    path.display()
                )
            }
            TrainError::Damaged(path) => write!(f, "{} is damaged", path.display()),
            TrainError::NoPositions => {
                f.write_str("too few games of this rule in the data to learn from and to hold out")
            }
            TrainError::Diverged { step, kept } => {
                write!(
                    f,
                    "the training diverged at step {step} (the loss is no number); the checkpoint of step {kept} is kept: try a smaller rate"
                )
            }
        }
    }
}

impl std::error::Error for TrainError {}

/// A run: its directory and settings.
pub struct Run {
    directory: PathBuf,
    config: Config,
    rule: Rule,
}

impl Run {
    /// Opens a directory: a new run with the settings given, or the run that is there, whose settings must be the same
    /// if any are given.
    pub fn open(directory: &Path, config: Option<Config>) -> Result<Run, TrainError> {
        let path = directory.join("config.json");
        let config = match (fs::read(&path), config) {
            (Ok(bytes), given) => {
                let found: Config =
                    serde_json::from_slice(&bytes).map_err(|_| TrainError::Damaged(path.clone()))?;
                if given.is_some_and(|given| given != found) {
                    return Err(TrainError::OtherSettings(directory.to_owned()));
                }
                found
            }
            (Err(error), Some(config)) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir_all(directory).map_err(|e| TrainError::Io(directory.to_owned(), e))?;
                let text = serde_json::to_string_pretty(&config).expect("settings are plain data");
                write_whole(&path, text.as_bytes())?;
                config
            }
            (Err(error), _) => return Err(TrainError::Io(path, error)),
        };
        let rule = config.rule.parse().map_err(TrainError::Rule)?;
        Ok(Run { directory: directory.to_owned(), config, rule })
    }

    /// The settings.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// Reads the run's data.
    pub fn load(&self) -> Result<Dataset, TrainError> {
        let data = self.config.data.iter().map(|path| self.directory.join(path)).collect();
        let config = Config { data, ..self.config.clone() };
        let dataset = Dataset::load(&config, self.rule).map_err(TrainError::Import)?;
        if dataset.training().len() < self.config.batch || dataset.held_out().is_empty() {
            return Err(TrainError::NoPositions);
        }
        Ok(dataset)
    }

    /// Trains from where the run is to its end, or until `stop` answers true; leaves a checkpoint either way. At the
    /// end writes the net and answers it with its losses: of positions a search has judged, and of others.
    pub fn train(
        &self,
        dataset: &Dataset,
        stop: impl Fn() -> bool,
        mut report: impl FnMut(&Progress),
    ) -> Result<Option<(Net, [Measured; 2])>, TrainError> {
        let config = &self.config;
        let per_epoch = dataset.training().len() / config.batch;
        let steps = ((config.epochs * per_epoch as f64).ceil() as usize).max(1);
        let mut trainer = self.resume(dataset)?;
        let mut kept = trainer.step_count();
        let (mut order, mut order_epoch) = (Vec::new(), usize::MAX);
        let (mut outcome, mut moves, mut since) = (0.0, 0.0, trainer.step_count());
        let mut clock = Instant::now();
        while trainer.step_count() < steps {
            let step = trainer.step_count();
            let (epoch, at) = (step / per_epoch, step % per_epoch);
            if epoch != order_epoch {
                order = dataset.shuffled(config.seed, epoch);
                order_epoch = epoch;
            }
            let rate = config.rate_at(step, steps);
            let loss = trainer.learn(dataset, &order[at * config.batch..(at + 1) * config.batch], rate);
            if !(loss.outcome + loss.moves).is_finite() {
                return Err(TrainError::Diverged { step, kept });
            }
            outcome += f64::from(loss.outcome);
            moves += f64::from(loss.moves);
            let done = trainer.step_count();
            if done % config.measure_every == 0 || done == steps {
                let count = (done - since) as f64;
                let speed = count * config.batch as f64 / clock.elapsed().as_secs_f64();
                let [judged, unjudged] = measure_trainer(&mut trainer, dataset, config.measured);
                let progress = Progress {
                    step: done,
                    steps,
                    epoch: done as f64 / per_epoch as f64,
                    rate,
                    train_outcome_loss: outcome / count,
                    train_move_loss: moves / count,
                    judged,
                    unjudged,
                    samples_per_second: speed,
                };
                self.note(&progress)?;
                (outcome, moves, since) = (0.0, 0.0, done);
                report(&progress);
                clock = Instant::now();
            }
            if done % config.checkpoint_every == 0 || done == steps {
                if !trainer.is_finite() {
                    return Err(TrainError::Diverged { step, kept });
                }
                self.keep(&trainer)?;
                kept = done;
            } else if stop() {
                self.keep(&trainer)?;
                return Ok(None);
            }
        }
        let names: Vec<String> = config
            .data
            .iter()
            .filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()))
            .collect();
        let description = format!(
            "{}: {} positions of {}, {steps} steps",
            self.rule,
            dataset.training().len(),
            names.join(", ")
        );
        let net = quantise(&trainer, self.rule, dataset.sides(), &description);
        write_whole(&self.directory.join("net.fsnet"), &net.to_bytes())?;
        let measured = measure_net(&Arc::new(net.clone()), dataset, config);
        let text = serde_json::to_string_pretty(&measured).expect("measurements are plain data");
        write_whole(&self.directory.join("measured.json"), text.as_bytes())?;
        Ok(Some((net, measured)))
    }

    fn resume(&self, dataset: &Dataset) -> Result<Trainer, TrainError> {
        let path = self.directory.join("checkpoint.bin");
        match fs::read(&path) {
            Ok(bytes) => checkpoint::read(&bytes, &self.config).ok_or(TrainError::Damaged(path)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => self.begin(dataset),
            Err(error) => Err(TrainError::Io(path, error)),
        }
    }

    fn begin(&self, dataset: &Dataset) -> Result<Trainer, TrainError> {
        let Some(start) = &self.config.start else { return Ok(Trainer::new(&self.config, dataset)) };
        let start = self.directory.join(start);
        let bytes = fs::read(&start).map_err(|error| TrainError::Io(start.clone(), error))?;
        let other = checkpoint::read(&bytes, &self.config).ok_or(TrainError::Damaged(start))?;
        Ok(Trainer::adapted(&self.config, dataset, &other))
    }

    fn keep(&self, trainer: &Trainer) -> Result<(), TrainError> {
        write_whole(&self.directory.join("checkpoint.bin"), &checkpoint::write(trainer))
    }

    /// Adds a line to the metrics and draws the curves anew.
    fn note(&self, progress: &Progress) -> Result<(), TrainError> {
        let path = self.directory.join("metrics.jsonl");
        let io_error = |e| TrainError::Io(path.clone(), e);
        let line = serde_json::to_string(progress).expect("metrics are plain data");
        run_files::add_line(&path, &line).map_err(io_error)?;
        let text = fs::read_to_string(&path).map_err(io_error)?;
        let all: Vec<Progress> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let curve = |name, of: fn(&Progress) -> f64| Curve {
            name,
            points: all.iter().map(|progress| (progress.step as f64, of(progress))).collect(),
        };
        let curves = [
            curve("outcome loss in training", |p| p.train_outcome_loss),
            curve("move loss in training", |p| p.train_move_loss),
            curve(
                "value loss, held out",
                |p| if p.judged.positions > 0 { p.judged } else { p.unjudged }.value_loss,
            ),
            curve(
                "move loss, held out",
                |p| if p.judged.moves > 0 { p.judged } else { p.unjudged }.move_loss,
            ),
        ];
        write_whole(&self.directory.join("curves.svg"), draw(&curves).as_bytes())
    }
}

fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), TrainError> {
    run_files::write_whole(path, bytes).map_err(|error| TrainError::Io(path.to_owned(), error))
}
