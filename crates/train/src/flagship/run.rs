//! A training run in a directory: settings, checkpoint, metrics, curves and the finished net.

use super::data::Position;
use super::measure::{Measured, measure_trainer};
use super::quantise::restore;
use super::{Config, Dataset, Trainer, checkpoint, measure_net, quantise};
use crate::run_files::{RunDirectory, RunError, file_names};
use crate::samples::ImportError;
use crate::steps::{self, Lap, Pace, Training};
use fivestone_artifacts::{Curve, FileError};
use fivestone_game::{Rule, UnknownRule};
use fivestone_nets::{Net, NetError};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{fmt, fs};

const CHECKPOINT: &str = "checkpoint.bin";

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
    /// The run itself cannot begin or go on.
    Run(RunError),
    /// The games cannot be read.
    Import(ImportError),
    /// The rule does not exist.
    Rule(UnknownRule),
    /// The net to start from cannot be read.
    Start(PathBuf, NetError),
    /// There is nothing to learn from, or nothing to measure on.
    NoPositions,
}

impl fmt::Display for TrainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrainError::Run(error) => write!(f, "{error}"),
            TrainError::Import(error) => write!(f, "{error}"),
            TrainError::Rule(error) => write!(f, "{error}"),
            TrainError::Start(path, error) => write!(f, "{}: {error}", path.display()),
            TrainError::NoPositions => {
                f.write_str("too few games of this rule in the data to learn from and to hold out")
            }
        }
    }
}

impl std::error::Error for TrainError {}

impl From<RunError> for TrainError {
    fn from(error: RunError) -> TrainError {
        TrainError::Run(error)
    }
}

/// A run: its directory and settings.
pub struct Run {
    directory: RunDirectory,
    config: Config,
    rule: Rule,
}

impl Run {
    /// Opens a directory: a new run with the settings given, or the run that is there, whose settings must be the same
    /// if any are given.
    pub fn open(directory: &Path, config: Option<Config>) -> Result<Run, TrainError> {
        let directory = RunDirectory::new(directory);
        let config = directory.settings(
            "config.json",
            config,
            |text| serde_json::from_str(text).ok(),
            |config| {
                Ok::<_, TrainError>(serde_json::to_string_pretty(config).expect("settings are plain data"))
            },
        )?;
        let rule = config.rule.parse().map_err(TrainError::Rule)?;
        Ok(Run { directory, config, rule })
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
        if dataset.pass_length() < self.config.batch || dataset.held_out().is_empty() {
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
        report: impl FnMut(&Progress),
    ) -> Result<Option<(Net, [Measured; 2])>, TrainError> {
        let config = &self.config;
        let per_epoch = dataset.pass_length() / config.batch;
        let pace = Pace {
            steps: ((config.epochs * per_epoch as f64).ceil() as usize).max(1),
            per_epoch,
            batch: config.batch,
            measure_every: config.measure_every,
            checkpoint_every: config.checkpoint_every,
        };
        let trainer = self.resume(dataset)?;
        let mut lesson = Lesson { run: self, dataset, trainer, steps: pace.steps, report };
        if !steps::train(&mut lesson, &pace, stop)? {
            return Ok(None);
        }
        self.finish(&lesson.trainer, dataset).map(Some)
    }

    fn finish(&self, trainer: &Trainer, dataset: &Dataset) -> Result<(Net, [Measured; 2]), TrainError> {
        let description = format!(
            "{}: {} positions of {}, {} steps",
            self.rule,
            dataset.training().len(),
            file_names(&self.config.data).join(", "),
            trainer.step_count()
        );
        let net = quantise(trainer, self.rule, dataset.sides(), &description);
        self.directory.write("net.fsnet", &net.to_bytes())?;
        let measured = measure_net(&Arc::new(net.clone()), dataset, &self.config);
        self.directory.write_json("measured.json", &measured)?;
        Ok((net, measured))
    }

    fn resume(&self, dataset: &Dataset) -> Result<Trainer, TrainError> {
        match self.directory.read(CHECKPOINT)? {
            Some(bytes) => {
                let damaged = || RunError::Damaged(self.directory.join(CHECKPOINT)).into();
                checkpoint::read(&bytes, &self.config).ok_or_else(damaged)
            }
            None => self.begin(dataset),
        }
    }

    fn begin(&self, dataset: &Dataset) -> Result<Trainer, TrainError> {
        let Some(start) = &self.config.start else { return Ok(Trainer::new(&self.config, dataset)) };
        let start = self.directory.join(start);
        let bytes = fs::read(&start).map_err(FileError::at(&start)).map_err(RunError::File)?;
        let other = match Net::from_bytes(&bytes) {
            Ok(net) => restore(&net, &self.config),
            Err(NetError::NotANet) => {
                checkpoint::read(&bytes, &self.config).ok_or(RunError::Damaged(start))?
            }
            Err(error) => return Err(TrainError::Start(start, error)),
        };
        Ok(Trainer::adapted(&self.config, dataset, &other))
    }

    /// Adds a line to the metrics and draws the curves anew.
    fn note(&self, progress: &Progress) -> Result<(), RunError> {
        self.directory.note(progress)?;
        let all: Vec<Progress> = self.directory.metrics()?;
        let curve = |name, of: fn(&Progress) -> f64| Curve {
            name,
            unit: "steps",
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
        self.directory.draw("Training of the flagship's net", &curves)
    }
}

/// A run on its way.
struct Lesson<'a, R> {
    run: &'a Run,
    dataset: &'a Dataset,
    trainer: Trainer,
    steps: usize,
    report: R,
}

/// The losses are those of the outcome and of the moves.
impl<R: FnMut(&Progress)> Training<2> for Lesson<'_, R> {
    type Sample = Position;

    fn step_count(&self) -> usize {
        self.trainer.step_count()
    }

    fn order(&self, epoch: usize) -> Vec<Position> {
        self.dataset.shuffled(self.run.config.seed, epoch)
    }

    fn rate(&self, step: usize) -> f32 {
        self.run.config.rate_at(step, self.steps)
    }

    fn learn(&mut self, batch: &[Position], rate: f32) -> [f64; 2] {
        let loss = self.trainer.learn(self.dataset, batch, rate);
        [loss.outcome.into(), loss.moves.into()]
    }

    fn is_finite(&self) -> bool {
        self.trainer.is_finite()
    }

    fn measure(&mut self, lap: &Lap<2>) -> Result<(), RunError> {
        let measured = self.run.config.measured;
        let [judged, unjudged] = measure_trainer(&mut self.trainer, self.dataset, measured);
        let [train_outcome_loss, train_move_loss] = lap.losses;
        let progress = Progress {
            step: lap.step,
            steps: self.steps,
            epoch: lap.epoch,
            rate: lap.rate,
            train_outcome_loss,
            train_move_loss,
            judged,
            unjudged,
            samples_per_second: lap.samples_per_second,
        };
        self.run.note(&progress)?;
        (self.report)(&progress);
        Ok(())
    }

    fn keep(&self) -> Result<(), RunError> {
        self.run.directory.write(CHECKPOINT, &checkpoint::write(&self.trainer))
    }
}
