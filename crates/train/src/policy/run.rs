//! A training run in a directory: settings, samples, checkpoint, metrics, events, curves and the finished net.

use super::checkpoint::{self, CheckpointError};
use super::config::{Config, ConfigError};
use super::games::{DataError, Games};
use super::measure::{Measured, measure};
use super::pairs::{Pairs, Part, encode};
use super::trainer::{Trainer, weights};
use super::{events, export};
use crate::chart::{Curve, draw};
use crate::run_files::{add_line, write_whole};
use fivestone_engine::Rng;
use fivestone_nets::policy::{PolicyArchitecture, PolicyNet};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::{Instant, SystemTime, UNIX_EPOCH};
use std::{fmt, fs, io};

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
    /// A file of the run cannot be read or written.
    Io(PathBuf, io::Error),
    /// The settings cannot be meant.
    Config(ConfigError),
    /// There is nothing to learn from.
    Data(DataError),
    /// The directory belongs to a run with other settings.
    OtherSettings(PathBuf),
    /// A file of the run is damaged.
    Damaged(PathBuf),
    /// The checkpoint belongs to another net.
    OtherShape {
        /// The checkpoint.
        path: PathBuf,
        /// The list of weights that does not fit.
        name: String,
    },
    /// The numbers left every bound.
    Diverged {
        /// The step at which they did.
        step: usize,
        /// The step of the last good checkpoint.
        kept: usize,
    },
}

impl fmt::Display for PolicyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PolicyError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            PolicyError::Config(error) => write!(f, "{error}"),
            PolicyError::Data(error) => write!(f, "{error}"),
            PolicyError::OtherSettings(path) => write!(
                f,
                "{} holds a run with other settings; resume it without any, or choose another directory",
                path.display()
            ),
            PolicyError::Damaged(path) => write!(f, "{} is damaged", path.display()),
            PolicyError::OtherShape { path, name } => write!(
                f,
                "{} belongs to another net: \"{name}\" is missing or has other sides",
                path.display()
            ),
            PolicyError::Diverged { step, kept } => write!(
                f,
                "the training diverged at step {step} (the loss is no number); the checkpoint of step {kept} is kept: try a smaller rate"
            ),
        }
    }
}

impl std::error::Error for PolicyError {}

/// A run: its directory and settings.
pub struct Run {
    directory: PathBuf,
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
        let path = directory.join("config.toml");
        let config = match (fs::read_to_string(&path), config) {
            (Ok(text), given) => {
                let found = Config::from_toml(&text).map_err(|_| PolicyError::Damaged(path))?;
                if given.is_some_and(|given| given != found) {
                    return Err(PolicyError::OtherSettings(directory.to_owned()));
                }
                found
            }
            (Err(error), Some(config)) if error.kind() == io::ErrorKind::NotFound => {
                config.check().map_err(PolicyError::Config)?;
                fs::create_dir_all(directory).map_err(|e| PolicyError::Io(directory.to_owned(), e))?;
                write(&path, config.to_toml().as_bytes())?;
                config
            }
            (Err(error), _) => return Err(PolicyError::Io(path, error)),
        };
        let architecture = config.architecture().map_err(PolicyError::Config)?;
        Ok(Run { directory: directory.to_owned(), config, architecture })
    }

    /// The settings.
    pub fn config(&self) -> &Config {
        &self.config
    }

    /// The run's samples: those in its directory, which are gathered from its games first if they are not there.
    pub fn load(&self) -> Result<Pairs, PolicyError> {
        let path = self.directory.join("pairs.bin");
        let rule = self.config.rule().map_err(PolicyError::Config)?;
        if !path.exists() {
            let games = Games::read(&self.config.data, rule).map_err(PolicyError::Data)?;
            let parts = games.samples(&self.config).map_err(PolicyError::Data)?;
            write(&path, &encode(games.size, &games.games, &parts))?;
        }
        let pairs = Pairs::open(&path, rule).map_err(|error| PolicyError::Io(path.clone(), error))?;
        pairs.ok_or(PolicyError::Damaged(path))
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
        mut tick: impl FnMut(usize),
        mut report: impl FnMut(&Progress),
    ) -> Result<Option<Finished>, PolicyError> {
        let config = &self.config;
        let per_epoch = (pairs.count(Part::Training) / config.batch).max(1);
        let steps = self.steps(pairs);
        let mut trainer = self.resume(pairs)?;
        let mut kept = trainer.step;
        let (mut order, mut order_epoch) = (Vec::new(), usize::MAX);
        let (mut loss_sum, mut since, mut clock) = (0.0, trainer.step, Instant::now());
        while trainer.step < steps {
            let step = trainer.step;
            let (epoch, at) = (step / per_epoch, step % per_epoch);
            if epoch != order_epoch {
                order = self.shuffled(pairs.count(Part::Training), epoch);
                order_epoch = epoch;
            }
            let rate = config.rate_at(step, steps);
            let loss = trainer.learn(pairs, &order[at * config.batch..(at + 1) * config.batch], rate);
            if !loss.is_finite() {
                return Err(PolicyError::Diverged { step, kept });
            }
            loss_sum += f64::from(loss);
            let done = trainer.step;
            tick(done);
            if done.is_multiple_of(config.measure_every) || done == steps {
                let count = (done - since) as f64;
                let speed = count * config.batch as f64 / clock.elapsed().as_secs_f64();
                let validation = trainer.with_kept_weights(|network| {
                    measure(network, pairs, Part::Validation, config.measured, || false)
                });
                let validation = validation.expect("nothing stops it");
                let progress = Progress {
                    step: done,
                    steps,
                    epoch: done as f64 / per_epoch as f64,
                    rate,
                    training_loss: loss_sum / count,
                    validation,
                    samples_per_second: speed,
                };
                self.note(&progress)?;
                report(&progress);
                (loss_sum, since, clock) = (0.0, done, Instant::now());
            }
            if done.is_multiple_of(config.checkpoint_every) || done == steps {
                if !trainer.is_finite() {
                    return Err(PolicyError::Diverged { step, kept });
                }
                self.keep(&trainer)?;
                kept = done;
            } else if stop() {
                self.keep(&trainer)?;
                return Ok(None);
            }
        }
        self.finish(&mut trainer, pairs, stop)
    }

    fn finish(
        &self,
        trainer: &mut Trainer,
        pairs: &Pairs,
        stop: impl Fn() -> bool,
    ) -> Result<Option<Finished>, PolicyError> {
        let names: Vec<String> = self
            .config
            .data
            .iter()
            .filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned()))
            .collect();
        let description = format!(
            "{} positions of {}, {} steps of {}",
            pairs.count(Part::Training),
            names.join(", "),
            trainer.step,
            self.config.batch
        );
        let net = trainer.with_kept_weights(|network| network.finished(&weights(network), description));
        let net = net.expect("a trained net has its own shape");
        write(&self.directory.join("net.fspolicy"), &net.to_bytes())?;
        write(&self.directory.join("net.safetensors"), &export::safetensors(&net))?;
        write(&self.directory.join("net.onnx"), &super::onnx::model(&net))?;
        let most = if self.config.most_tested > 0 { self.config.most_tested } else { usize::MAX };
        let test = trainer.with_kept_weights(|network| measure(network, pairs, Part::Test, most, stop));
        let Some(test) = test else { return Ok(None) };
        let text = serde_json::to_string_pretty(&test).expect("measurements are plain data");
        write(&self.directory.join("measured.json"), text.as_bytes())?;
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
        let path = self.directory.join("checkpoint.bin");
        match fs::read(&path) {
            Ok(bytes) => {
                checkpoint::read(&bytes, &self.config, &self.architecture, pairs.size()).map_err(|error| {
                    match error {
                        CheckpointError::Damaged => PolicyError::Damaged(path),
                        CheckpointError::OtherShape { name } => PolicyError::OtherShape { path, name },
                    }
                })
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                Ok(Trainer::new(&self.config, &self.architecture, pairs))
            }
            Err(error) => Err(PolicyError::Io(path, error)),
        }
    }

    fn keep(&self, trainer: &Trainer) -> Result<(), PolicyError> {
        write(&self.directory.join("checkpoint.bin"), &checkpoint::write(trainer))
    }

    /// What was measured on the test samples when the run came to its end, if it did.
    pub fn measured(&self) -> Result<Option<Measured>, PolicyError> {
        let path = self.directory.join("measured.json");
        match fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes).map(Some).map_err(|_| PolicyError::Damaged(path)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(PolicyError::Io(path, error)),
        }
    }

    /// The lines of the metrics file so far.
    pub fn metrics(&self) -> Result<Vec<Progress>, PolicyError> {
        let path = self.directory.join("metrics.jsonl");
        match fs::read_to_string(&path) {
            Ok(text) => Ok(text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(PolicyError::Io(path, error)),
        }
    }

    /// Adds a line to the metrics, scalars to the events, and draws the curves anew.
    fn note(&self, progress: &Progress) -> Result<(), PolicyError> {
        let path = self.directory.join("metrics.jsonl");
        let line = serde_json::to_string(progress).expect("metrics are plain data");
        add_line(&path, &line).map_err(|error| PolicyError::Io(path, error))?;
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
        events::add_scalars(&path, progress.step, time, &scalars)
            .map_err(|error| PolicyError::Io(path, error))?;
        let all = self.metrics()?;
        let curve = |name, of: fn(&Progress) -> f64| Curve {
            name,
            points: all.iter().map(|progress| (progress.step as f64, of(progress))).collect(),
        };
        let curves = [
            curve("loss in training", |p| p.training_loss),
            curve("loss on validation samples", |p| p.validation.loss),
            curve("first choice on validation samples", |p| p.validation.top1),
            curve("score of output on validation samples", |p| p.validation.score),
        ];
        write(&self.directory.join("curves.svg"), draw(&curves).as_bytes())
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), PolicyError> {
    write_whole(path, bytes).map_err(|error| PolicyError::Io(path.to_owned(), error))
}
