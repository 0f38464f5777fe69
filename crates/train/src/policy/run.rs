//! A training run in a directory: settings, samples, checkpoint, metrics, events, curves and the finished net.

use super::checkpoint::{self, CheckpointError};
use super::config::{Config, ConfigError};
use super::games::{DataError, Games};
use super::measure::{Measured, measure};
use super::pairs::{Pairs, Part, encode};
use super::trainer::{Trainer, weights};
use super::{events, export};
use crate::run_files::{RunDirectory, RunError, file_names};
use crate::steps::{self, Lap, Pace, Training};
use fivestone_artifacts::{Curve, FileError};
use fivestone_engine::Rng;
use fivestone_nets::policy::{PolicyArchitecture, PolicyNet};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

const PAIRS: &str = "pairs.bin";
const CHECKPOINT: &str = "checkpoint.bin";
const MEASURED: &str = "measured.json";

/// A line of the metrics file, and what the run reports as it goes.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Progress {
    /// Steps done.
    pub step: usize,
    /// Steps in all.
    pub steps: usize,
    /// Passes over the samples done.
    pub epoch: f64,
    /// The step size.
    pub rate: f32,
    /// Mean loss in training since the last line.
    pub training_loss: f64,
    /// What was measured on validation samples.
    pub validation: Measured,
    /// Samples learned from per second since the last line.
    pub samples_per_second: f64,
}

/// Why a run stopped.
#[derive(Debug)]
pub enum PolicyError {
    /// The run itself cannot begin or go on.
    Run(RunError),
    /// The settings cannot be meant.
    Config(ConfigError),
    /// There is nothing to learn from.
    Data(DataError),
    /// The checkpoint belongs to another net.
    OtherShape {
        /// The checkpoint.
        path: PathBuf,
        /// The list of weights that does not fit.
        name: String,
    },
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PolicyError::Run(error) => write!(f, "{error}"),
            PolicyError::Config(error) => write!(f, "{error}"),
            PolicyError::Data(error) => write!(f, "{error}"),
            PolicyError::OtherShape { path, name } => write!(
                f,
                "{} belongs to another net: \"{name}\" is missing or has other sides",
                path.display()
            ),
        }
    }
}

impl std::error::Error for PolicyError {}

impl From<RunError> for PolicyError {
    fn from(error: RunError) -> PolicyError {
        PolicyError::Run(error)
    }
}

/// A run: its directory and settings.
pub struct Run {
    directory: RunDirectory,
    config: Config,
    architecture: PolicyArchitecture,
}

/// A finished run.
pub struct Finished {
    /// The net.
    pub net: PolicyNet,
    /// What was measured on the test samples, with the net as it is kept.
    pub test: Measured,
    /// What was measured at last on training and validation samples.
    pub last: Option<Progress>,
}

impl Run {
    /// Opens a directory: a new run with the settings given, or the run that is there, whose settings must be the same
    /// if any are given.
    pub fn open(directory: &Path, config: Option<Config>) -> Result<Run, PolicyError> {
        let directory = RunDirectory::new(directory);
        let config = directory.settings(
            "config.toml",
            config,
            |text| Config::from_toml(text).ok(),
            |config: &Config| config.check().map(|()| config.to_toml()).map_err(PolicyError::Config),
        )?;
        let architecture = config.architecture().map_err(PolicyError::Config)?;
        Ok(Run { directory, config, architecture })
    }

    /// The settings.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The run's samples: those in its directory, which are gathered from its games first if they are not there.
    pub fn load(&self) -> Result<Pairs, PolicyError> {
        let path = self.directory.join(PAIRS);
        let rule = self.config.rule().map_err(PolicyError::Config)?;
        if !path.exists() {
            let games = Games::read(&self.config.data, rule).map_err(PolicyError::Data)?;
            let parts = games.samples(&self.config).map_err(PolicyError::Data)?;
            self.directory.write(PAIRS, &encode(games.size, &games.games, &parts))?;
        }
        let pairs = Pairs::open(&path, rule).map_err(FileError::at(&path)).map_err(RunError::File)?;
        Ok(pairs.ok_or(RunError::Damaged(path))?)
    }

    /// Steps in all.
    pub fn steps(&self, pairs: &Pairs) -> usize {
        let config = &self.config;
        let samples = config.epochs * pairs.count(Part::Training) as f64;
        let samples = if config.most_samples > 0 { samples.min(config.most_samples as f64) } else { samples };
        ((samples / config.batch as f64).ceil() as usize).max(1)
    }

    /// Trains from where the run is to its end, or until `stop` answers true; leaves a checkpoint either way. `tick` is
    /// called after every step with the steps done, `report` after every measurement.
    pub fn train(
        &self,
        pairs: &Pairs,
        stop: impl Fn() -> bool,
        tick: impl FnMut(usize),
        report: impl FnMut(&Progress),
    ) -> Result<Option<Finished>, PolicyError> {
        let config = &self.config;
        let pace = Pace {
            steps: self.steps(pairs),
            per_epoch: (pairs.count(Part::Training) / config.batch).max(1),
            batch: config.batch,
            measure_every: config.measure_every,
            checkpoint_every: config.checkpoint_every,
        };
        let trainer = self.resume(pairs)?;
        let mut lesson = Lesson { run: self, pairs, trainer, steps: pace.steps, tick, report };
        if !steps::train(&mut lesson, &pace, &stop)? {
            return Ok(None);
        }
        self.finish(&mut lesson.trainer, pairs, stop)
    }

    fn finish(
        &self,
        trainer: &mut Trainer,
        pairs: &Pairs,
        stop: impl Fn() -> bool,
    ) -> Result<Option<Finished>, PolicyError> {
        let description = format!(
            "{} positions of {}, {} steps of {}",
            pairs.count(Part::Training),
            file_names(&self.config.data).join(", "),
            trainer.step,
            self.config.batch
        );
        let net = trainer.with_kept_weights(|network| network.finished(&weights(network), description));
        let net = net.expect("a trained net has its own shape");
        self.directory.write("net.fspolicy", &net.to_bytes())?;
        self.directory.write("net.safetensors", &export::safetensors(&net))?;
        self.directory.write("net.onnx", &super::onnx::model(&net))?;
        let most = if self.config.most_tested > 0 { self.config.most_tested } else { usize::MAX };
        let test = trainer.with_kept_weights(|network| measure(network, pairs, Part::Test, most, stop));
        let Some(test) = test else { return Ok(None) };
        self.directory.write_json(MEASURED, &test)?;
        Ok(Some(Finished { net, test, last: self.metrics()?.pop() }))
    }

    /// The order of the samples in an epoch.
    fn shuffled(&self, count: usize, epoch: usize) -> Vec<u32> {
        let mut order: Vec<u32> = (0..count as u32).collect();
        let mut rng = Rng::new(self.config.seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ epoch as u64);
        for i in (1..order.len()).rev() {
            order.swap(i, rng.below(i + 1));
        }
        order
    }

    fn resume(&self, pairs: &Pairs) -> Result<Trainer, PolicyError> {
        let Some(bytes) = self.directory.read(CHECKPOINT)? else {
            return Ok(Trainer::new(&self.config, &self.architecture, pairs));
        };
        let path = || self.directory.join(CHECKPOINT);
        checkpoint::read(&bytes, &self.config, &self.architecture, pairs.size()).map_err(
            |error| match error {
                CheckpointError::Damaged => RunError::Damaged(path()).into(),
                CheckpointError::OtherShape { name } => PolicyError::OtherShape { path: path(), name },
            },
        )
    }

    /// What was measured on the test samples when the run came to its end, if it did.
    pub fn measured(&self) -> Result<Option<Measured>, PolicyError> {
        let Some(bytes) = self.directory.read(MEASURED)? else { return Ok(None) };
        let damaged = |_| RunError::Damaged(self.directory.join(MEASURED)).into();
        serde_json::from_slice(&bytes).map(Some).map_err(damaged)
    }

    /// The lines of the metrics file so far.
    pub fn metrics(&self) -> Result<Vec<Progress>, PolicyError> {
        Ok(self.directory.metrics()?)
    }

    /// Adds a line to the metrics, scalars to the events, and draws the curves anew.
    fn note(&self, progress: &Progress) -> Result<(), RunError> {
        self.directory.note(progress)?;
        let time = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |since| since.as_secs_f64());
        let path = self.directory.join("events.out.tfevents.fivestone");
        let scalars = [
            ("loss/training", progress.training_loss),
            ("loss/validation", progress.validation.loss),
            ("accuracy/top1", progress.validation.top1),
            ("accuracy/top5", progress.validation.top5),
            ("score_of_output", progress.validation.score),
            ("rate", f64::from(progress.rate)),
            ("samples_per_second", progress.samples_per_second),
        ];
        events::add_scalars(&path, progress.step, time, &scalars).map_err(FileError::at(&path))?;
        let all: Vec<Progress> = self.directory.metrics()?;
        let curve = |name, of: fn(&Progress) -> f64| Curve {
            name,
            unit: "steps",
            points: all.iter().map(|progress| (progress.step as f64, of(progress))).collect(),
        };
        let curves = [
            curve("loss in training", |p| p.training_loss),
            curve("loss on validation samples", |p| p.validation.loss),
            curve("first choice on validation samples", |p| p.validation.top1),
            curve("score of output on validation samples", |p| p.validation.score),
        ];
        self.directory.draw("Training of a policy net", &curves)
    }
}

/// A run on its way.
struct Lesson<'a, T, R> {
    run: &'a Run,
    pairs: &'a Pairs,
    trainer: Trainer,
    steps: usize,
    tick: T,
    report: R,
}

impl<T: FnMut(usize), R: FnMut(&Progress)> Training<1> for Lesson<'_, T, R> {
    type Sample = u32;

    fn step_count(&self) -> usize {
        self.trainer.step
    }

    fn order(&self, epoch: usize) -> Vec<u32> {
        self.run.shuffled(self.pairs.count(Part::Training), epoch)
    }

    fn rate(&self, step: usize) -> f32 {
        self.run.config.rate_at(step, self.steps)
    }

    fn learn(&mut self, batch: &[u32], rate: f32) -> [f64; 1] {
        let loss = self.trainer.learn(self.pairs, batch, rate);
        (self.tick)(self.trainer.step);
        [loss.into()]
    }

    fn is_finite(&self) -> bool {
        self.trainer.is_finite()
    }

    fn measure(&mut self, lap: &Lap<1>) -> Result<(), RunError> {
        let validation = self.trainer.with_kept_weights(|network| {
            measure(network, self.pairs, Part::Validation, self.run.config.measured, || false)
        });
        let [training_loss] = lap.losses;
        let progress = Progress {
            step: lap.step,
            steps: self.steps,
            epoch: lap.epoch,
            rate: lap.rate,
            training_loss,
            validation: validation.expect("nothing stops it"),
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
