//! Tuning the parameters of an engine by games: all of them at once, by SPSA.
//!
//! [`TuneSettings`] say what is tuned, `spsa` is the arithmetic, and [`Tuning`] plays: each
//! iteration is a pair of games from one opening with the colours swapped, between two opposite
//! sets of values.

mod error;
mod journal;
mod report;
mod settings;
mod spsa;

pub use error::{BadLine, ParameterError, ParameterProblem, TuneError, TuneProblem};
pub use journal::{Finished, TuneJournal};
pub use report::{tune_report, tune_svg};
pub use settings::{Maker, TuneSettings, TunedParameter};
pub use spsa::{Number, Spsa, Trial};

use fivestone_arena::MatchConfig;
use fivestone_arena::game::{Adjudication, Ending, Table, play};
use fivestone_arena::openings::OpeningBook;
use fivestone_arena::player::BuiltIn;
use fivestone_arena::spec::EngineSpec;
use fivestone_arena::stats::{Score, Sprt};
use fivestone_arena::tournament::game_seed;
use fivestone_artifacts::{FileError, FileTask, write_whole};
use fivestone_engine::{Rng, Stop};
use fivestone_game::opening::Opening;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// The settings in a tuning directory.
pub const SETTINGS_FILE: &str = "tune.toml";
/// The journal in a tuning directory.
pub const JOURNAL_FILE: &str = "tune.journal";

/// A tuning that is ready to run.
pub struct Tuning {
    settings: TuneSettings,
    journal: TuneJournal,
    finished: Vec<Finished>,
}

impl Tuning {
    /// The settings that a directory holds, if it holds any.
    pub fn stored(directory: &Path) -> Result<Option<TuneSettings>, TuneError> {
        let path = directory.join(SETTINGS_FILE);
        match fs::read_to_string(&path) {
            Ok(text) => {
                let settings = TuneSettings::read(&text).map_err(TuneProblem::Text);
                settings.map(Some).map_err(|problem| TuneError::Stored(path, Box::new(problem)))
            }
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                let journal = directory.join(JOURNAL_FILE);
                if journal.exists() { Err(TuneError::NoSettings(path, journal)) } else { Ok(None) }
            }
            Err(error) => Err(FileTask::Read.at(&path)(error).into()),
        }
    }

    /// Begins a tuning in a directory or goes on with it.
    pub fn open(directory: &Path, settings: TuneSettings) -> Result<Tuning, TuneError> {
        let path = directory.join(SETTINGS_FILE);
        if let Some(stored) = Tuning::stored(directory)? {
            if let Some(difference) = stored.difference(&settings) {
                return Err(TuneError::OtherTuning(path, difference));
            }
            settings.check().map_err(|problem| TuneError::Stored(path, Box::new(problem)))?;
        } else {
            settings.check()?;
            settings.book().map_err(TuneError::Openings)?;
            fs::create_dir_all(directory)
                .map_err(FileError::at(&path))
                .and_then(|()| write_whole(&path, settings.text().as_bytes()))
                .map_err(|error| error.during(FileTask::Write))?;
        }
        let path = directory.join(JOURNAL_FILE);
        let (journal, finished) = TuneJournal::open(&path, &settings.text())?;
        if let Some(line) = misfit(&settings, &finished) {
            return Err(TuneError::Journal(path, line, BadLine::Misfit));
        }
        Ok(Tuning { settings, journal, finished })
    }

    /// What is tuned.
    pub fn settings(&self) -> &TuneSettings {
        &self.settings
    }

    /// The finished iterations in the order they were learned from.
    pub fn finished(&self) -> &[Finished] {
        &self.finished
    }

    /// The present values.
    pub fn values(&self) -> Vec<f64> {
        self.finished.last().map_or_else(|| self.settings.starts(), |last| last.values.clone())
    }

    /// The mean of the values in the last quarter of the finished iterations, as an engine may be
    /// told it.
    pub fn tuned(&self) -> Vec<f64> {
        let last = &self.finished[self.finished.len() - self.finished.len().div_ceil(4)..];
        let mean = |index: usize| -> f64 {
            last.iter().map(|finished| finished.values[index]).sum::<f64>() / last.len() as f64
        };
        let parameters = self.settings.parameters.iter().enumerate();
        parameters.map(|(index, p)| p.rounded(if last.is_empty() { p.start } else { mean(index) })).collect()
    }

    /// Plays the iterations that are left, some at a time, until `stop` is raised; `progress` hears
    /// of each that is finished. Returns whether all are finished.
    pub fn run(
        &mut self,
        concurrency: usize,
        stop: &Stop,
        progress: &mut (dyn FnMut(&[Finished]) + Send),
    ) -> Result<bool, TuneError> {
        let done: BTreeSet<u64> = self.finished.iter().map(|finished| finished.iteration).collect();
        let left: Vec<u64> = (1..=self.settings.iterations).filter(|k| !done.contains(k)).collect();
        let values = self.values();
        let course = Course {
            settings: &self.settings,
            spsa: self.settings.spsa(),
            maker: self.settings.maker()?,
            book: self.settings.book().map_err(TuneError::Openings)?,
            specs: ["plus", "minus"].map(|name| self.settings.spec(name)),
            stop,
        };
        let state = Mutex::new(State {
            left: left.into_iter(),
            values,
            journal: &mut self.journal,
            finished: &mut self.finished,
            progress,
            error: None,
        });
        std::thread::scope(|scope| {
            for _ in 0..concurrency.max(1) {
                scope.spawn(|| work(&course, &state));
            }
        });
        let state = state.into_inner().unwrap_or_else(PoisonError::into_inner);
        match state.error {
            Some(error) => Err(error),
            None => Ok(state.finished.len() as u64 == self.settings.iterations),
        }
    }

    /// The match between the tuned values and those of the start.
    pub fn confirmation(&self, sprt: Sprt, games: usize, concurrency: usize) -> MatchConfig {
        // Another order than while tuning.
        let mut config = self.settings.match_config(self.settings.seed.wrapping_add(1));
        let player = |name: &str, values: &[f64]| EngineSpec {
            options: self.settings.options(values),
            ..self.settings.spec(name)
        };
        config.engines = vec![player("tuned", &self.tuned()), player("start", &self.settings.starts())];
        config.rounds = games.div_ceil(2);
        config.sprt = Some(sprt);
        config.concurrency = concurrency;
        config
    }
}

/// The line of the journal, from 1, that has no iteration of the settings, if there is one.
fn misfit(settings: &TuneSettings, finished: &[Finished]) -> Option<usize> {
    let mut seen = BTreeSet::new();
    let count = settings.parameters.len();
    let wrong = finished.iter().position(|past| {
        let complete = [&past.plus, &past.minus, &past.values].iter().all(|list| list.len() == count);
        let known = (1..=settings.iterations).contains(&past.iteration) && seen.insert(past.iteration);
        let within = past.values.iter().zip(&settings.parameters).all(|(v, p)| (p.low..=p.high).contains(v));
        !(complete && known && within)
    });
    // The first line is the header.
    wrong.map(|index| index + 2)
}

/// What all games of a tuning share.
struct Course<'a> {
    settings: &'a TuneSettings,
    spsa: Spsa,
    maker: Maker,
    book: OpeningBook,
    specs: [EngineSpec; 2],
    stop: &'a Stop,
}

struct State<'a> {
    /// Iterations that nobody has begun.
    left: std::vec::IntoIter<u64>,
    values: Vec<f64>,
    journal: &'a mut TuneJournal,
    finished: &'a mut Vec<Finished>,
    progress: &'a mut (dyn FnMut(&[Finished]) + Send),
    error: Option<TuneError>,
}

/// Plays iterations until there are none left. Each begins with the values of its moment.
fn work(course: &Course<'_>, state: &Mutex<State<'_>>) {
    let lock = || state.lock().unwrap_or_else(PoisonError::into_inner);
    loop {
        let (iteration, values) = {
            let mut state = lock();
            if course.stop.raised() || state.error.is_some() {
                return;
            }
            let Some(iteration) = state.left.next() else { return };
            (iteration, state.values.clone())
        };
        let mut rng = Rng::new(game_seed(course.settings.seed, iteration, usize::MAX));
        let trial = course.spsa.trial(&values, iteration, &mut rng);
        let played = course.play_pair(&trial);
        let mut state = lock();
        let (scores, faults) = match played {
            Ok(Some(played)) => played,
            Ok(None) => return,
            Err(error) => {
                state.error.get_or_insert(error);
                return;
            }
        };
        let State { values, journal, finished, progress, error, .. } = &mut *state;
        let Trial { plus, minus, .. } = trial.clone();
        let mut past = Finished { iteration, scores, faults, plus, minus, values: values.clone() };
        let surplus = past.surplus();
        course.spsa.learn(&mut past.values, &trial, surplus);
        if let Err(problem) = journal.add(&past) {
            error.get_or_insert(problem.into());
            return;
        }
        values.clone_from(&past.values);
        finished.push(past);
        progress(finished);
    }
}

impl Course<'_> {
    /// The results of the side `plus` in two games, as Black first, and how many were lost by
    /// faults; nothing when they were abandoned.
    fn play_pair(&self, trial: &Trial) -> Result<Option<([Score; 2], u32)>, TuneError> {
        let factories = [self.maker.factory(&trial.plus)?, self.maker.factory(&trial.minus)?];
        let mut players = [0, 1].map(|side| BuiltIn::new(self.specs[side].clone(), factories[side].clone()));
        let opening = self.book.opening(trial.iteration - 1);
        let (mut scores, mut faults) = ([Score::Draw; 2], 0);
        for (game, score) in scores.iter_mut().enumerate() {
            let order = if game == 0 { [0, 1] } else { [1, 0] };
            let number = 2 * trial.iteration + game as u64;
            let table = Table {
                rule: self.settings.rule,
                size: self.settings.size,
                opening_rule: Opening::Free,
                opening: &opening,
                adjudication: Adjudication::default(),
                specs: order.map(|side| &self.specs[side]),
                seeds: order.map(|side| game_seed(self.settings.seed, number, side)),
                stop: self.stop,
            };
            let [plus, minus] = &mut players;
            let played = if game == 0 { play(&table, [plus, minus]) } else { play(&table, [minus, plus]) };
            let Some(played) = played else { return Ok(None) };
            faults += u32::from(matches!(played.ending, Ending::Fault(_)));
            *score = if game == 0 { played.score } else { played.score.reversed() };
        }
        Ok(Some((scores, faults)))
    }
}
