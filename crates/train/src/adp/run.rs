//! A run of the training in a directory: checkpoint, curve, drawing; it can be interrupted and resumed.

use super::{Played, Settings, Trainer};
use fivestone_artifacts::{Curve, FileError, draw_curves, write_whole};
use fivestone_engine::Stop;
use fivestone_engine::papers::lin_cao::network::{Network, NotANetwork};
use std::fmt::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{fs, io};

/// What was measured over some games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Milestone {
    /// Games in all.
    pub games: u64,
    /// Seconds of training in all.
    pub seconds: f64,
    /// The mean error of the last games.
    pub error: f64,
    /// The mean number of moves of the last games.
    pub plies: f64,
    /// The share of the last games' points that Black won.
    pub black: f64,
    /// Points of the network against the heuristic's best move, as a share.
    pub score: f64,
}

/// Why a run cannot go on.
#[derive(Debug)]
pub enum RunError {
    /// A file of the run cannot be read or written.
    File(FileError),
    /// A file of the run is not what it should be.
    Damaged(PathBuf, Damage),
}

/// What is wrong with a file of a run.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Damage {
    /// The curve does not begin as one does.
    Header,
    /// A line of the curve, from 1, is not one of numbers.
    Line(usize),
    /// The network is none.
    Network(NotANetwork),
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Damage::Header => write!(f, "line 1 is not \"{HEADER}\""),
            Damage::Line(line) => write!(f, "line {line} is not six numbers"),
            Damage::Network(error) => write!(f, "{error}"),
        }
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::File(error) => write!(f, "{error}"),
            RunError::Damaged(path, damage) => write!(f, "{}: {damage}", path.display()),
        }
    }
}

impl std::error::Error for RunError {}

impl From<FileError> for RunError {
    fn from(error: FileError) -> RunError {
        RunError::File(error)
    }
}

/// Pairs of games that a milestone is measured with.
const MEASURED_PAIRS: u64 = 25;
const HEADER: &str = "games,seconds,error,plies,black,score";

/// A run.
pub struct Run {
    directory: PathBuf,
    trainer: Trainer,
    milestones: Vec<Milestone>,
}

impl Run {
    /// Begins a run in a directory, or goes on with the one that is there.
    pub fn open(directory: &Path, settings: Settings) -> Result<Run, RunError> {
        fs::create_dir_all(directory).map_err(FileError::at(directory))?;
        let curve = directory.join("curve.csv");
        let milestones = match fs::read_to_string(&curve) {
            Ok(text) => read_curve(&text).map_err(|damage| RunError::Damaged(curve, damage))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(FileError::at(&curve)(error).into()),
        };
        let path = directory.join("adp.net");
        let network = if milestones.is_empty() {
            None
        } else {
            let bytes = fs::read(&path).map_err(FileError::at(&path))?;
            let network = Network::from_bytes(&bytes);
            Some(network.map_err(|error| RunError::Damaged(path, Damage::Network(error)))?)
        };
        let games = milestones.last().map_or(0, |milestone| milestone.games);
        let trainer = Trainer::new(settings, network, games);
        Ok(Run { directory: directory.to_owned(), trainer, milestones })
    }

    /// The milestones so far.
    pub fn milestones(&self) -> &[Milestone] {
        &self.milestones
    }

    /// Plays until there are so many games in all, the time is over or `stop` is raised. A checkpoint is written and told
    /// every `step` games; games after the last one are lost when the run is interrupted.
    pub fn train(
        &mut self,
        games: u64,
        time: Option<Duration>,
        step: u64,
        stop: &Stop,
        mut told: impl FnMut(&Milestone),
    ) -> Result<(), RunError> {
        let started = Instant::now();
        let before = self.milestones.last().map_or(0.0, |milestone| milestone.seconds);
        let over = |trainer: &Trainer| {
            stop.raised() || trainer.games() >= games || time.is_some_and(|time| started.elapsed() >= time)
        };
        while !over(&self.trainer) {
            let mut played: Vec<Played> = Vec::new();
            while (played.len() as u64) < step && !over(&self.trainer) {
                played.push(self.trainer.play_and_learn());
            }
            let mean =
                |read: fn(&Played) -> f64| played.iter().map(read).sum::<f64>() / played.len().max(1) as f64;
            let milestone = Milestone {
                games: self.trainer.games(),
                seconds: before + started.elapsed().as_secs_f64(),
                error: mean(|p| p.error.into()),
                plies: mean(|p| p.plies as f64),
                black: mean(|p| p.black.into()),
                score: self.trainer.measure(MEASURED_PAIRS).into(),
            };
            self.milestones.push(milestone);
            self.save()?;
            told(&milestone);
        }
        Ok(())
    }

    fn save(&self) -> Result<(), RunError> {
        self.write("adp.net", &self.trainer.network.to_bytes())?;
        let mut csv = format!("{HEADER}\n");
        for m in &self.milestones {
            let _ = writeln!(
                csv,
                "{},{:.1},{:.5},{:.2},{:.4},{:.4}",
                m.games, m.seconds, m.error, m.plies, m.black, m.score
            );
        }
        self.write("curve.csv", csv.as_bytes())?;
        self.write("curve.svg", curve_svg(&self.milestones).as_bytes())
    }

    /// Writes a file in one step, so that an interruption leaves the old or the new one.
    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RunError> {
        Ok(write_whole(&self.directory.join(name), bytes)?)
    }
}

fn read_curve(text: &str) -> Result<Vec<Milestone>, Damage> {
    let mut lines = text.lines();
    if lines.next() != Some(HEADER) {
        return Err(Damage::Header);
    }
    lines
        .enumerate()
        .map(|(number, line)| {
            let numbers: Result<Vec<f64>, _> = line.split(',').map(str::parse).collect();
            match numbers.as_deref() {
                Ok(&[games, seconds, error, plies, black, score]) => {
                    Ok(Milestone { games: games as u64, seconds, error, plies, black, score })
                }
                _ => Err(Damage::Line(number + 2)),
            }
        })
        .collect()
}

/// The score against the heuristic and the error, over the games.
fn curve_svg(milestones: &[Milestone]) -> String {
    let curve = |name, of: fn(&Milestone) -> f64| Curve {
        name,
        unit: "games",
        points: milestones.iter().map(|milestone| (milestone.games as f64, of(milestone))).collect(),
    };
    let curves = [curve("score against the heuristic", |m| m.score), curve("mean error", |m| m.error)];
    draw_curves("Adaptive dynamic programming", &curves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fivestone_game::Size;

    #[test]
    fn a_run_is_resumed_where_it_was() {
        let directory = std::env::temp_dir().join(format!("fivestone-adp-{}", std::process::id()));
        let settings = Settings { size: Size::new(7).unwrap(), hidden: 4, ..Settings::default() };
        let stop = Stop::new();
        let mut run = Run::open(&directory, settings.clone()).unwrap();
        run.train(6, None, 3, &stop, |_| {}).unwrap();
        let network = run.trainer.network.clone();
        let mut again = Run::open(&directory, settings.clone()).unwrap();
        assert_eq!(again.trainer.games(), 6);
        assert_eq!(again.trainer.network, network);
        again.train(9, None, 3, &stop, |_| {}).unwrap();
        assert_eq!(again.milestones().iter().map(|m| m.games).collect::<Vec<_>>(), [3, 6, 9]);
        fs::write(directory.join("adp.net"), b"nonsense").unwrap();
        assert!(matches!(Run::open(&directory, settings), Err(RunError::Damaged(..))));
        fs::remove_dir_all(&directory).unwrap();
    }
}
