//! What a training run is told. Kept in its directory, so that it can be resumed.

use fivestone_game::Rule;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// How positions become targets.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TargetSettings {
    /// How much of the outcome's target is the game's result where a search judged the position.
    pub result_share: f32,
    /// How much the outcome counts where only the result is known.
    pub unjudged_weight: f32,
}

/// The settings of a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Config {
    /// The rule to train for, by name.
    pub rule: String,
    /// Files of games or samples; relative ones are seen from the run's directory.
    pub data: Vec<PathBuf>,
    /// Share of each file's positions that a pass learns from, others in each pass; all of a file that has none here.
    #[serde(default)]
    pub shares: Vec<f64>,
    /// A checkpoint of another run or a net to start from, also of another rule; random weights if there is none. A relative one
    /// is seen from the run's directory.
    pub start: Option<PathBuf>,
    /// Whether the tables keep the rows of the start, if that is of a rule with as many sets of weights, rather than have those that
    /// are frequent in the data. A few games do not show what is frequent.
    #[serde(default)]
    pub keep_rows: bool,
    /// Passes over the positions.
    pub epochs: f64,
    /// Positions per step.
    pub batch: usize,
    /// The highest step size.
    pub rate: f32,
    /// The last step size, as a share of the highest.
    pub last_rate: f32,
    /// Steps until the highest step size.
    pub warm_up: usize,
    /// Pull of the table rows towards zero, which is towards the sum of their other parts.
    pub decay: f32,
    /// Gradients of table rows below this count for less, so that rare lines are not learned by heart.
    pub calm: f32,
    /// How much the moves count against the outcome.
    pub move_weight: f32,
    /// How positions become targets.
    pub targets: TargetSettings,
    /// How many steps the running average of the weights looks back.
    pub average_over: f32,
    /// Rows for whole lines, per table.
    pub lines: usize,
    /// Rows for inner nines, per table.
    pub nines: usize,
    /// Whether rows are learned in many parts: their inner nine and seven cells, and windows.
    #[serde(default)]
    pub factorised: bool,
    /// The step size of parts that are no rows, as a share of that of rows: a line has up to eight.
    #[serde(default = "usual_shared_rate")]
    pub shared_rate: f32,
    /// Whether the net is told what the solver said of both sides.
    #[serde(default)]
    pub threats: bool,
    /// One game in this many is held out and measured on.
    pub hold_out: usize,
    /// Seed of the first weights and of the order of positions.
    pub seed: u64,
    /// Steps between measurements.
    pub measure_every: usize,
    /// Held-out positions measured on before the end; at the end all are.
    pub measured: usize,
    /// Steps between checkpoints.
    pub checkpoint_every: usize,
    /// Bytes that games may hold in memory. Of more games the newest are kept: the last of the last files.
    #[serde(default = "usual_memory")]
    pub memory: usize,
}

fn usual_shared_rate() -> f32 {
    1.0
}

fn usual_memory() -> usize {
    2 << 30
}

impl Default for Config {
    fn default() -> Config {
        Config {
            rule: Rule::Freestyle.name().to_owned(),
            data: Vec::new(),
            shares: Vec::new(),
            start: None,
            keep_rows: false,
            epochs: 3.0,
            batch: 256,
            rate: 2e-3,
            last_rate: 0.02,
            warm_up: 300,
            decay: 0.02,
            calm: 5e-4,
            move_weight: 2.0,
            targets: TargetSettings { result_share: 0.3, unjudged_weight: 0.25 },
            average_over: 400.0,
            lines: 11_000,
            nines: 1_800,
            factorised: true,
            shared_rate: usual_shared_rate(),
            threats: true,
            hold_out: 20,
            seed: 1,
            measure_every: 500,
            measured: 4000,
            checkpoint_every: 2000,
            memory: usual_memory(),
        }
    }
}

impl Config {
    /// The step size at a step of so many: up in a line, then down along a cosine.
    pub fn rate_at(&self, step: usize, steps: usize) -> f32 {
        let warm = ((step + 1) as f32 / self.warm_up.max(1) as f32).min(1.0);
        let done = step as f32 / steps.max(1) as f32;
        let fall = f32::midpoint(1.0, (std::f32::consts::PI * done).cos());
        self.rate * warm * (self.last_rate + (1.0 - self.last_rate) * fall)
    }
}
