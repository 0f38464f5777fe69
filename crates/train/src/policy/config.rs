//! What a run is told, as TOML. Kept in its directory, so that it can be resumed.

use fivestone_artifacts::read_settings;
use fivestone_game::Rule;
use fivestone_nets::policy::PolicyArchitecture;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;

/// How positions are divided into those to learn from and those to measure on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Split {
    /// Whole games; a position that was learned from, in any of its eight images, is not measured on.
    Games,
    /// Single pairs at random, as the papers did: other moves of the same game, and the same position with another
    /// answer, may be on both sides.
    Pairs,
}

/// What counts as one sample.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Positions {
    /// Each different pair of a position and its next move.
    Pairs,
    /// Each different position, with how often each move followed.
    Merged,
}

/// How the step size goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Schedule {
    /// Always the same.
    Constant,
    /// Down to a fiftieth along a cosine.
    Cosine,
}

/// How far apart the first weights of a layer are.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FirstWeights {
    /// Glorot's uniform distribution, by the inputs and outputs of a layer.
    #[default]
    Glorot,
    /// He's uniform distribution, by the inputs alone: rectifiers then neither shrink nor stretch what passes through many layers.
    He,
}

/// The settings of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Config {
    /// The net's layers, as `fivestone_nets::policy::PolicyArchitecture` reads them.
    pub net: String,
    /// Files of games.
    #[serde(default)]
    pub data: Vec<PathBuf>,
    /// The rule of the games.
    pub rule: String,
    /// How positions are divided.
    pub split: Split,
    /// What counts as one sample.
    pub positions: Positions,
    /// The share that the finished net is measured on.
    pub test_share: f64,
    /// The share of the rest that is measured on during the run.
    pub validation_share: f64,
    /// Whether each sample is shown in a random one of its eight images.
    pub symmetries: bool,
    /// Passes over the samples.
    pub epochs: f64,
    /// The most samples to learn from in all; 0 for no such limit.
    #[serde(default)]
    pub most_samples: usize,
    /// Samples per step.
    pub batch: usize,
    /// The highest step size.
    pub rate: f32,
    /// How the step size goes.
    pub schedule: Schedule,
    /// Steps until the highest step size.
    #[serde(default)]
    pub warm_up: usize,
    /// How much of the past Adam's mean of squares keeps.
    pub adam_square: f32,
    /// Adam's epsilon.
    pub adam_epsilon: f32,
    /// Adam's epsilon for table rows: gradients below it count for less, so that rare lines are not learned by heart.
    #[serde(default = "usual_calm")]
    pub row_calm: f32,
    /// Pull of table rows towards zero.
    #[serde(default)]
    pub row_decay: f32,
    /// How many steps the running average of the weights looks back, which is what is measured and kept in the end; 0 for none.
    #[serde(default)]
    pub average_over: f32,
    /// Table rows for whole lines, along the sides and for the diagonals each.
    #[serde(default)]
    pub lines: usize,
    /// Table rows for inner nine cells.
    #[serde(default)]
    pub nines: usize,
    /// How far apart the first weights are.
    #[serde(default)]
    pub first_weights: FirstWeights,
    /// Seed of the first weights, of the division and of the order of samples.
    pub seed: u64,
    /// Steps between measurements.
    pub measure_every: usize,
    /// Validation samples measured on each time.
    pub measured: usize,
    /// Steps between checkpoints.
    pub checkpoint_every: usize,
    /// Test samples that the finished net is measured on; 0 for all.
    #[serde(default)]
    pub most_tested: usize,
}

fn usual_calm() -> f32 {
    5e-4
}

/// Settings that cannot be meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConfigError(String);

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ConfigError {}

/// The presets by name.
pub const PRESETS: [(&str, &str); 3] = [
    ("muzika", include_str!("presets/muzika.toml")),
    ("shao", include_str!("presets/shao.toml")),
    ("lines", include_str!("presets/lines.toml")),
];

impl Config {
    /// A preset.
    pub fn preset(name: &str) -> Result<Config, ConfigError> {
        let Some((_, text)) = PRESETS.iter().find(|(known, _)| *known == name) else {
            let names: Vec<_> = PRESETS.iter().map(|(name, _)| *name).collect();
            return Err(ConfigError(format!("unknown preset \"{name}\" (one of: {})", names.join(", "))));
        };
        Config::from_toml(text)
    }

    /// Reads settings; unknown keys and values out of range are errors.
    pub fn from_toml(text: &str) -> Result<Config, ConfigError> {
        let config: Config = read_settings(text).map_err(|error| ConfigError(error.to_string()))?;
        config.check()?;
        Ok(config)
    }

    /// The settings as TOML.
    pub fn to_toml(&self) -> String {
        toml::to_string(self).expect("settings are plain data")
    }

    /// Whether the values can be meant.
    pub fn check(&self) -> Result<(), ConfigError> {
        let wrong = |what: String| Err(ConfigError(what));
        self.architecture()?;
        self.rule()?;
        let ranges: [(&str, f64, f64, f64); 12] = [
            ("test_share", self.test_share, 0.001, 0.9),
            ("validation_share", self.validation_share, 0.001, 0.9),
            ("epochs", self.epochs, 1e-6, 10_000.0),
            ("batch", self.batch as f64, 1.0, 65_536.0),
            ("rate", self.rate.into(), 1e-9, 10.0),
            ("adam_square", self.adam_square.into(), 0.5, 0.999_999),
            ("adam_epsilon", self.adam_epsilon.into(), 1e-12, 1.0),
            ("row_calm", self.row_calm.into(), 1e-12, 1.0),
            ("row_decay", self.row_decay.into(), 0.0, 1.0),
            ("average_over", self.average_over.into(), 0.0, 1e6),
            ("lines", self.lines as f64, 0.0, 40_000.0),
            ("nines", self.nines as f64, 0.0, 20_000.0),
        ];
        for (name, value, least, greatest) in ranges {
            if !(least..=greatest).contains(&value) {
                return wrong(format!("{name} = {value} is not from {least} to {greatest}"));
            }
        }
        for (name, value) in [
            ("measure_every", self.measure_every),
            ("measured", self.measured),
            ("checkpoint_every", self.checkpoint_every),
        ] {
            if value == 0 {
                return wrong(format!("{name} must be above zero"));
            }
        }
        Ok(())
    }

    /// The net's shape.
    pub fn architecture(&self) -> Result<PolicyArchitecture, ConfigError> {
        self.net.parse().map_err(|error| ConfigError(format!("net: {error}")))
    }

    /// The rule of the games.
    pub fn rule(&self) -> Result<Rule, ConfigError> {
        self.rule.parse().map_err(|error| ConfigError(format!("rule: {error}")))
    }

    /// The step size at a step of so many.
    pub fn rate_at(&self, step: usize, steps: usize) -> f32 {
        const LAST: f32 = 0.02;
        let warm = ((step + 1) as f32 / self.warm_up.max(1) as f32).min(1.0);
        let fall = match self.schedule {
            Schedule::Constant => 1.0,
            Schedule::Cosine => {
                let done = step as f32 / steps.max(1) as f32;
                LAST + (1.0 - LAST) * f32::midpoint(1.0, (std::f32::consts::PI * done).cos())
            }
        };
        self.rate * warm * fall
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_can_be_read_and_written() {
        for (name, _) in PRESETS {
            let config = Config::preset(name).unwrap();
            assert_eq!(Config::from_toml(&config.to_toml()).unwrap(), config, "{name}");
        }
    }

    #[test]
    fn what_cannot_be_meant_is_refused_with_its_name() {
        let text = |from: &str, to: &str| {
            let preset = PRESETS[1].1;
            assert!(preset.contains(from), "{from}");
            Config::from_toml(&preset.replace(from, to)).unwrap_err().to_string()
        };
        assert!(text("batch = ", "bach = ").contains("bach"));
        assert!(text("batch = 32", "batch = 0").contains("batch"));
        assert!(text("rate = 0.003", "rate = -1.0").contains("rate"));
        assert!(text("rate = 0.003", "rate = nan").contains("rate"));
        assert!(text("3x128", "3xmany").contains("3xmany"));
        assert!(text("\"renju\"", "\"chess\"").contains("chess"));
        assert!(Config::preset("nobody").unwrap_err().to_string().contains("shao"));
    }
}
