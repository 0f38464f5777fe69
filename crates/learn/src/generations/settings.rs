//! What a loop is told: one file in its directory.

use super::error::{GateProblem, LearnProblem};
use crate::ranges::{OutOfRange, within};
use crate::selfplay::SelfPlaySettings;
use fivestone_artifacts::read_settings;
use fivestone_game::{Rule, Size};
use fivestone_train::flagship::{Config, TargetSettings};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The settings of a loop.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LearnSettings {
    /// The rule, by name.
    pub rule: String,
    /// Sides of the boards played on, in turn.
    pub sizes: Vec<usize>,
    /// The last generation; 0 for no end.
    pub generations: u32,
    /// Positions to learn from that self-play adds in each generation.
    pub positions: u64,
    /// Generations whose games are learned from.
    pub window: u32,
    /// Games of a teacher to begin with; relative names are seen from the directory. They are copied when the loop begins.
    pub teachers: Vec<PathBuf>,
    /// The last generation that still learns from the teachers' games.
    pub teachers_until: u32,
    /// Share of the teachers' positions that a pass over them and self-play takes, others in each pass.
    pub teachers_share: f64,
    /// A net to begin with instead of the shipped one of the rule.
    pub first_net: Option<PathBuf>,
    /// The checkpoint of its training, from which the next one goes on rather than from the net's integers.
    pub first_checkpoint: Option<PathBuf>,
    /// Games at the same time, in self-play and in matches.
    pub threads: usize,
    /// Seed of every random choice.
    pub seed: u64,
    /// Self-play.
    pub selfplay: SelfPlaySettings,
    /// Training.
    pub training: TrainingSettings,
    /// The matches that a net must pass.
    pub gate: GateSettings,
}

/// How a generation is trained; what is not here is as usual.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TrainingSettings {
    /// Passes over the positions.
    pub epochs: f64,
    /// Positions per step.
    pub batch: usize,
    /// The highest step size.
    pub rate: f32,
    /// Steps until it.
    pub warm_up: usize,
    /// How much of a position's value target is the game's result; the rest is the search's.
    pub result_share: f32,
    /// Whether the tables keep their rows, rather than have those that are frequent in the window's games.
    pub keep_rows: bool,
    /// Rows for whole lines, per table.
    pub lines: usize,
    /// Rows for inner nines, per table.
    pub nines: usize,
    /// One game in this many is held out and measured on.
    pub hold_out: usize,
    /// Steps between measurements.
    pub measure_every: usize,
    /// Steps between checkpoints.
    pub checkpoint_every: usize,
    /// Megabytes that games may hold in memory; of more games the newest are kept.
    pub memory_mb: usize,
}

/// The matches that decide whether a net is promoted.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct GateSettings {
    /// The board's side.
    pub size: usize,
    /// Milliseconds for a move; 0 to play by visits.
    pub turn_ms: u64,
    /// The most visits for a move; 0 to play by time.
    pub visits: u64,
    /// The most pairs of games against the parent.
    pub pairs: usize,
    /// Whether a sequential test may end the match against the parent earlier.
    pub sprt: bool,
    /// The test's null hypothesis: at most this many Elo stronger.
    pub elo0: f64,
    /// The test's alternative: at least this many Elo stronger.
    pub elo1: f64,
    /// Share of the points needed against the parent where no test decided.
    pub score: f64,
    /// Earlier nets in the frozen pool, the newest ones; the pattern engine is always in it.
    pub pool: usize,
    /// Pairs of games against each of the pool.
    pub pool_pairs: usize,
    /// Share of the points needed against each of the pool.
    pub pool_score: f64,
}

impl Default for LearnSettings {
    fn default() -> LearnSettings {
        LearnSettings {
            rule: Rule::Freestyle.name().to_owned(),
            sizes: vec![15, 20],
            generations: 0,
            positions: 100_000,
            window: 6,
            teachers: Vec::new(),
            teachers_until: 10,
            teachers_share: 1.0,
            first_net: None,
            first_checkpoint: None,
            threads: 1,
            seed: 1,
            selfplay: SelfPlaySettings::default(),
            training: TrainingSettings::default(),
            gate: GateSettings::default(),
        }
    }
}

impl Default for TrainingSettings {
    fn default() -> TrainingSettings {
        let usual = Config::default();
        TrainingSettings {
            epochs: 1.0,
            batch: usual.batch,
            rate: 1e-3,
            warm_up: usual.warm_up,
            result_share: usual.targets.result_share,
            keep_rows: true,
            lines: usual.lines,
            nines: usual.nines,
            hold_out: usual.hold_out,
            measure_every: usual.measure_every,
            checkpoint_every: usual.checkpoint_every,
            memory_mb: usual.memory >> 20,
        }
    }
}

impl Default for GateSettings {
    fn default() -> GateSettings {
        GateSettings {
            size: 15,
            turn_ms: 100,
            visits: 0,
            pairs: 200,
            sprt: true,
            elo0: 0.0,
            elo1: 30.0,
            score: 0.53,
            pool: 2,
            pool_pairs: 25,
            pool_score: 0.4,
        }
    }
}

impl LearnSettings {
    /// Reads and checks the text of the file.
    pub fn parse(text: &str) -> Result<LearnSettings, LearnProblem> {
        let settings: LearnSettings = read_settings(text).map_err(LearnProblem::Text)?;
        settings.check()?;
        Ok(settings)
    }

    /// What is wrong with the settings, if anything.
    pub fn check(&self) -> Result<(), LearnProblem> {
        self.rule.parse::<Rule>().map_err(LearnProblem::Rule)?;
        if self.sizes.is_empty() {
            return Err(LearnProblem::NoSizes);
        }
        for &side in self.sizes.iter().chain([&self.gate.size]) {
            Size::new(side).ok_or(LearnProblem::NotASize(side))?;
        }
        within("positions", self.positions as f64, 1.0, 1e12)?;
        within("window", self.window.into(), 1.0, 1e6)?;
        within("threads", self.threads as f64, 1.0, 1024.0)?;
        within("teachers_share", self.teachers_share, 0.0, 1.0)?;
        if self.first_checkpoint.is_some() && self.first_net.is_none() {
            return Err(LearnProblem::CheckpointAlone);
        }
        self.selfplay.check().map_err(LearnProblem::SelfPlay)?;
        self.training.check().map_err(LearnProblem::Training)?;
        self.gate.check().map_err(LearnProblem::Gate)
    }

    /// The rule. The settings must have been checked.
    pub fn rule(&self) -> Rule {
        self.rule.parse().expect("the settings were checked")
    }

    /// The boards. The settings must have been checked.
    pub fn boards(&self) -> Vec<Size> {
        self.sizes.iter().map(|&side| Size::new(side).expect("the settings were checked")).collect()
    }
}

impl TrainingSettings {
    fn check(&self) -> Result<(), OutOfRange> {
        within("epochs", self.epochs, 0.001, 1000.0)?;
        within("batch", self.batch as f64, 1.0, 1e6)?;
        within("rate", self.rate.into(), 1e-8, 1.0)?;
        within("result_share", self.result_share.into(), 0.0, 1.0)?;
        within("lines", self.lines as f64, 1.0, 60_000.0)?;
        within("nines", self.nines as f64, 1.0, 30_000.0)?;
        within("hold_out", self.hold_out as f64, 2.0, 1e6)?;
        within("measure_every", self.measure_every as f64, 1.0, 1e9)?;
        within("checkpoint_every", self.checkpoint_every as f64, 1.0, 1e9)?;
        within("memory_mb", self.memory_mb as f64, 1.0, 1e7)
    }

    /// The settings of a training run.
    pub(super) fn config(&self, rule: Rule, seed: u64) -> Config {
        let usual = Config::default();
        Config {
            rule: rule.name().to_owned(),
            keep_rows: self.keep_rows,
            epochs: self.epochs,
            batch: self.batch,
            rate: self.rate,
            warm_up: self.warm_up,
            lines: self.lines,
            nines: self.nines,
            hold_out: self.hold_out,
            seed,
            measure_every: self.measure_every,
            checkpoint_every: self.checkpoint_every,
            memory: self.memory_mb << 20,
            targets: TargetSettings { result_share: self.result_share, ..usual.targets },
            ..usual
        }
    }
}

impl GateSettings {
    fn check(&self) -> Result<(), GateProblem> {
        if self.turn_ms == 0 && self.visits == 0 {
            return Err(GateProblem::NoLimit);
        }
        within("pairs", self.pairs as f64, 1.0, 1e6)?;
        within("pool", self.pool as f64, 0.0, 100.0)?;
        within("pool_pairs", self.pool_pairs as f64, 1.0, 1e6)?;
        within("score", self.score, 0.0, 1.0)?;
        within("pool_score", self.pool_score, 0.0, 1.0)?;
        if self.sprt && self.elo0 >= self.elo1 {
            return Err(GateProblem::Bounds(self.elo0, self.elo1));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_settings_survive_their_file() {
        let usual = LearnSettings::default();
        let text = toml::to_string(&usual).unwrap();
        assert_eq!(LearnSettings::parse(&text).unwrap(), usual);
        assert_eq!(LearnSettings::parse("").unwrap(), usual);
    }

    #[test]
    fn wrong_settings_are_named_in_one_line() {
        for (text, words) in [
            ("rule = \"go\"", "rule"),
            ("sizes = [15, 99]", "99 is no board size"),
            ("sizes = []", "sizes"),
            ("speed = 3", "line 1: unknown field `speed`"),
            ("\n[gate]\nelo2 = 3", "line 3: unknown field `elo2`"),
            ("positions = -5", "line 1"),
            ("[training]\nrate = 7.0", "[training] rate = 7"),
            ("[selfplay]\nfull = 0", "[selfplay] full = 0"),
            ("[gate]\nelo0 = 5.0\nelo1 = 5.0", "elo0 = 5"),
            ("[gate]\nturn_ms = 0", "a move needs a limit"),
            ("first_checkpoint = \"a\"", "first_net"),
            ("threads = ", "line 1"),
        ] {
            let error = LearnSettings::parse(text).unwrap_err().to_string();
            assert!(error.contains(words) && !error.contains('\n'), "{text}: {error}");
        }
    }
}
