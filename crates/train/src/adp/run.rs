//! A run of the training in a directory: checkpoint, curve, drawing; it can be interrupted and resumed.

use super::{Played, Settings, Trainer};
use fivestone_engine::Stop;
use fivestone_engine::papers::lin_cao::network::Network;
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
    File(PathBuf, io::Error),
    /// A file of the run is not what it should be.
    Damaged(PathBuf, String),
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::File(path, error) => write!(f, "{}: {error}", path.display()),
            RunError::Damaged(path, problem) => write!(f, "{}: {problem}", path.display()),
        }
    }
}

impl std::error::Error for RunError {}

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
        fs::create_dir_all(directory).map_err(|error| RunError::File(directory.to_owned(), error))?;
        let curve = directory.join("curve.csv");
        let milestones = match fs::read_to_string(&curve) {
            Ok(text) => read_curve(&text).map_err(|problem| RunError::Damaged(curve, problem))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(RunError::File(curve, error)),
        };
        let path = directory.join("adp.net");
        let network = if milestones.is_empty() {
            None
        } else {
            let bytes = fs::read(&path).map_err(|error| RunError::File(path.clone(), error))?;
            let network = Network::from_bytes(&bytes);
            Some(network.map_err(|error| RunError::Damaged(path, error.to_string()))?)
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
        let (path, part) = (self.directory.join(name), self.directory.join(format!("{name}.part")));
        let written = fs::write(&part, bytes).and_then(|()| fs::rename(&part, &path));
        written.map_err(|error| RunError::File(path, error))
    }
}

fn read_curve(text: &str) -> Result<Vec<Milestone>, String> {
    let mut lines = text.lines();
    if lines.next() != Some(HEADER) {
        return Err(format!("line 1 is not \"{HEADER}\""));
    }
    lines
        .enumerate()
        .map(|(number, line)| {
            let numbers: Result<Vec<f64>, _> = line.split(',').map(str::parse).collect();
            match numbers.as_deref() {
                Ok(&[games, seconds, error, plies, black, score]) => {
                    Ok(Milestone { games: games as u64, seconds, error, plies, black, score })
                }
                _ => Err(format!("line {} is not six numbers", number + 2)),
            }
        })
        .collect()
}

/// The score against the heuristic and the error, over the games.
fn curve_svg(milestones: &[Milestone]) -> String {
    let (width, height, left, top) = (640.0, 320.0, 50.0, 30.0);
    let most = milestones.last().map_or(1.0, |milestone| milestone.games as f64).max(1.0);
    let x = |games: u64| left + games as f64 / most * (width - left - 20.0);
    let y = |share: f64| top + (1.0 - share) * (height - top - 40.0);
    let line = |color: &str, read: &dyn Fn(&Milestone) -> f64| {
        let points: Vec<String> =
            milestones.iter().map(|m| format!("{:.1},{:.1}", x(m.games), y(read(m)))).collect();
        format!(
            "<polyline fill=\"none\" stroke=\"{color}\" stroke-width=\"2\" points=\"{}\"/>\n",
            points.join(" ")
        )
    };
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for share in [0.0, 0.25, 0.5, 0.75, 1.0] {
        let _ = writeln!(
            svg,
            "<path d=\"M{left} {0:.1}H{1}\" stroke=\"#ddd\"/><text x=\"{2}\" y=\"{3:.1}\" text-anchor=\"end\">{share}</text>",
            y(share),
            width - 20.0,
            left - 6.0,
            y(share) + 4.0
        );
    }
    svg.push_str(&line("#1f77b4", &|m| m.score));
    svg.push_str(&line("#d62728", &|m| (10.0 * m.error).min(1.0)));
    let _ = writeln!(
        svg,
        "<text x=\"{left}\" y=\"18\"><tspan fill=\"#1f77b4\">score against the heuristic</tspan> \
         <tspan fill=\"#d62728\">10 x mean error</tspan></text>\n<text x=\"{:.0}\" y=\"{:.0}\" \
         text-anchor=\"end\">{most:.0} games</text>\n</svg>",
        width - 20.0,
        height - 12.0
    );
    svg
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
