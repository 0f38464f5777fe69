//! The loop that makes the flagship's net stronger: self-play, training, matches, again and again.
//!
//! Everything is in one directory, which can be copied and gone on with elsewhere:
//!
//! - `learn.toml`: the settings (`settings`);
//! - `data/`: the teachers' games and those of each generation's self-play;
//! - `training/`: the training run of each generation;
//! - `matches/`: the journals of the matches;
//! - `nets/`: the promoted nets with the checkpoints of their training;
//! - `generations.jsonl`, `nets.toml`, `curve.csv`, `curve.svg`: what came out (`records`);
//! - `clock.json`: the hours spent.
//!
//! There is no other state: a loop that is opened finishes what its files show as begun. Each step
//! is safe against a kill by itself, and a generation counts once its line is in
//! `generations.jsonl`.

mod error;
mod gate;
mod records;
mod settings;

pub use error::{GateProblem, LearnError, LearnProblem};
pub use gate::MatchResult;
pub use records::{Generation, architecture};
pub use settings::{GateSettings, LearnSettings, TrainingSettings};

use crate::selfplay::{SelfPlayTask, Throughput, self_play};
use fivestone_arena::stats::Tally;
use fivestone_artifacts::{FileError, write_whole};
use fivestone_engine::{DEFAULT_ENGINE, Stop, shipped};
use fivestone_nets::Net;
use fivestone_train::file_names;
use fivestone_train::flagship::{Config, Progress, Run};
use fivestone_train::samples::{SampleStore, SampleWriter, read_games};
use gate::{Opponent, Pairing, Side};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;
use std::{fs, io};

/// The engine that every generation is also measured against.
const PATTERNS: &str = "fivestone-pattern";

/// What a loop tells as it goes.
#[derive(Clone, Debug)]
pub enum LearnEvent {
    /// A game of self-play ended: games and positions in the generation's file, and what was played since the start.
    SelfPlay {
        /// The generation.
        generation: u32,
        /// Positions to learn from in its file.
        positions: u64,
        /// What was played in this call.
        done: Throughput,
    },
    /// The training was measured.
    Training(u32, Progress),
    /// A game of a match ended.
    Match {
        /// The generation.
        generation: u32,
        /// Against whom.
        against: String,
        /// The results so far, in the new net's view.
        tally: Tally,
    },
    /// A generation is finished.
    Finished(Box<Generation>),
}

/// A loop in its directory.
pub struct Learn {
    directory: PathBuf,
    settings: LearnSettings,
    generations: Vec<Generation>,
    hours_before: f64,
    opened: Instant,
    /// Holds the directory for this process.
    _lock: fs::File,
}

/// The best net so far and where it came from.
struct Best {
    name: String,
    net: Option<Arc<Net>>,
    /// What a training goes on from: a checkpoint, or else the net itself.
    start: Option<PathBuf>,
    elo: f64,
}

type Told<'a> = dyn FnMut(LearnEvent) + Send + 'a;

impl Learn {
    /// Opens a directory: a new loop with these settings, or the loop that is there, whose own settings hold.
    pub fn open(directory: &Path, first: &LearnSettings) -> Result<Learn, LearnError> {
        for part in ["data", "training", "matches", "nets"] {
            let path = directory.join(part);
            fs::create_dir_all(&path).map_err(FileError::at(&path))?;
        }
        let lock_path = directory.join("lock");
        let lock = fs::File::create(&lock_path).map_err(FileError::at(&lock_path))?;
        lock.try_lock().map_err(|_| LearnError::InUse(directory.to_owned()))?;
        let settings = open_settings(&directory.join("learn.toml"), first)?;
        let mut learn = Learn {
            directory: directory.to_owned(),
            settings,
            generations: Vec::new(),
            hours_before: 0.0,
            opened: Instant::now(),
            _lock: lock,
        };
        learn.read_records()?;
        learn.take_teachers()?;
        learn.take_first_net()?;
        Ok(learn)
    }

    /// The settings.
    pub fn settings(&self) -> &LearnSettings {
        &self.settings
    }

    /// The finished generations.
    pub fn generations(&self) -> &[Generation] {
        &self.generations
    }

    /// Hours the loop has run, in all calls together.
    pub fn hours(&self) -> f64 {
        self.hours_before + self.opened.elapsed().as_secs_f64() / 3600.0
    }

    /// Runs until the last generation of the settings is finished or `stop` is raised; answers whether it is finished.
    pub fn run(&mut self, stop: &Stop, told: &mut Told) -> Result<bool, LearnError> {
        let first = u32::from(self.settings.teachers.is_empty());
        loop {
            let number = self.generations.last().map_or(first, |generation| generation.number + 1);
            if self.settings.generations > 0 && number > self.settings.generations {
                return Ok(true);
            }
            let finished = self.generation(number, stop, told);
            self.keep_clock()?;
            match finished? {
                Some(generation) => self.finish(generation, told)?,
                None => return Ok(false),
            }
        }
    }

    /// One generation; nothing when stopped.
    fn generation(
        &self,
        number: u32,
        stop: &Stop,
        told: &mut Told,
    ) -> Result<Option<Generation>, LearnError> {
        let best = self.best()?;
        let Some(positions) = self.play(number, &best, stop, told)? else { return Ok(None) };
        let run = self.training(number, &best)?;
        let dataset = run.load().map_err(LearnError::Training)?;
        let progress = |progress: &Progress| {
            // The clock is a matter of convenience: it must not end a training.
            let _ = self.keep_clock();
            told(LearnEvent::Training(number, progress.clone()));
        };
        let trained = run.train(&dataset, || stop.raised(), progress).map_err(LearnError::Training)?;
        let Some((net, measured)) = trained else { return Ok(None) };
        let name = Net::content_name(&net.to_bytes());
        let sides = net.sides;
        let net = Side::Net(name.clone(), Arc::new(net));
        let parent =
            best.net.clone().map_or(Side::Engine(DEFAULT_ENGINE), |net| Side::Net(best.name.clone(), net));
        let Some(against_parent) = self.gate(number, [&net, &parent], Opponent::Parent, stop, told)? else {
            return Ok(None);
        };
        let gate = &self.settings.gate;
        let mut promoted = against_parent.accepted.unwrap_or(against_parent.score >= gate.score);
        let mut against_pool = Vec::new();
        for member in self.pool(&best)? {
            // What the parent has rejected already needs no more games.
            if promoted {
                let Some(result) = self.gate(number, [&net, &member], Opponent::Pool, stop, told)? else {
                    return Ok(None);
                };
                promoted &= result.score >= gate.pool_score;
                against_pool.push(result);
            }
        }
        Ok(Some(Generation {
            number,
            net: name,
            parent: best.name,
            positions,
            trained_on: dataset.training().len(),
            data: file_names(&run.config().data),
            sides,
            measured,
            elo: best.elo + against_parent.elo,
            against_parent,
            against_pool,
            promoted,
            hours: self.hours(),
        }))
    }

    /// The self-play of a generation; answers the positions it has, nothing when stopped.
    fn play(
        &self,
        number: u32,
        best: &Best,
        stop: &Stop,
        told: &mut Told,
    ) -> Result<Option<u64>, LearnError> {
        if number == 0 {
            return Ok(Some(0));
        }
        let settings = &self.settings;
        let task = SelfPlayTask {
            rule: settings.rule(),
            sizes: settings.boards(),
            net: best.net.clone(),
            starts: None,
            threads: settings.threads,
            seed: settings.seed.wrapping_mul(1_000_003).wrapping_add(number.into()),
            games: None,
            targets: Some(settings.positions),
        };
        let path = self.data_file(number);
        let mut store = SampleStore::open(&path).map_err(LearnError::Store)?;
        let mut kept = Instant::now();
        let mut progress = |store: &SampleStore, done: &Throughput| {
            if kept.elapsed().as_secs() >= 10 {
                kept = Instant::now();
                let _ = self.keep_clock();
            }
            told(LearnEvent::SelfPlay { generation: number, positions: store.targets(), done: *done });
        };
        self_play(&task, &settings.selfplay, &mut store, stop, &mut progress).map_err(LearnError::Store)?;
        Ok((store.targets() >= settings.positions).then_some(store.targets()))
    }

    /// The training run of a generation, begun if it is not there.
    fn training(&self, number: u32, best: &Best) -> Result<Run, LearnError> {
        let directory = self.directory.join("training").join(format!("{number:04}"));
        let begun = directory.join("config.json").exists();
        let settings = &self.settings;
        let from_here =
            |path: &Path| Path::new("../..").join(path.strip_prefix(&self.directory).unwrap_or(path));
        let oldest = (number + 1).saturating_sub(settings.window).max(1);
        let mut data: Vec<PathBuf> =
            (oldest..=number).map(|number| from_here(&self.data_file(number))).collect();
        let mut shares = Vec::new();
        if !settings.teachers.is_empty() && number <= settings.teachers_until {
            data.insert(0, from_here(&self.data_file(0)));
            // A generation 0 has nothing but the teachers to learn from.
            shares.push(if number == 0 { 1.0 } else { settings.teachers_share });
        }
        let start = best.start.as_deref().map(from_here);
        let seed = settings.seed.wrapping_add(number.into());
        let config = settings.training.config(settings.rule(), seed);
        let config = Config { data, shares, start, ..config };
        Run::open(&directory, (!begun).then_some(config)).map_err(LearnError::Training)
    }

    /// A match of a new net; nothing when stopped.
    fn gate(
        &self,
        number: u32,
        [net, against]: [&Side; 2],
        opponent: Opponent,
        stop: &Stop,
        told: &mut Told,
    ) -> Result<Option<MatchResult>, LearnError> {
        let journal = self.directory.join("matches").join(format!("{number:04}-{}.jsonl", against.name()));
        let pairing = Pairing {
            sides: [net.clone(), against.clone()],
            opponent,
            seed: self.settings.seed.wrapping_add(u64::from(number) << 32),
            journal: &journal,
        };
        let mut hear = |tally: &Tally| {
            let _ = self.keep_clock();
            told(LearnEvent::Match { generation: number, against: against.name().to_owned(), tally: *tally });
        };
        gate::play(&pairing, &self.settings, stop, &mut hear)
    }

    /// The frozen pool: the pattern engine and the newest promoted nets but the parent.
    fn pool(&self, best: &Best) -> Result<Vec<Side>, LearnError> {
        let mut pool = vec![Side::Engine(PATTERNS)];
        let promoted = self.generations.iter().rev().filter(|generation| generation.promoted);
        for generation in
            promoted.filter(|generation| generation.net != best.name).take(self.settings.gate.pool)
        {
            let net = load_net(&self.net_file(generation))?;
            pool.push(Side::Net(generation.net.clone(), net));
        }
        Ok(pool)
    }

    fn best(&self) -> Result<Best, LearnError> {
        let Some(generation) = self.generations.iter().rev().find(|generation| generation.promoted) else {
            let (net, checkpoint) =
                (self.directory.join("nets/first.fsnet"), self.directory.join("nets/first.checkpoint"));
            return Ok(if net.exists() {
                let loaded = Some(load_net(&net)?);
                let start = Some(if checkpoint.exists() { checkpoint } else { net });
                Best { name: "first".to_owned(), net: loaded, start, elo: 0.0 }
            } else {
                Best { name: DEFAULT_ENGINE.to_owned(), net: None, start: None, elo: 0.0 }
            });
        };
        let path = self.net_file(generation);
        Ok(Best {
            name: generation.net.clone(),
            net: Some(load_net(&path)?),
            start: Some(path.with_extension("checkpoint")),
            elo: generation.elo,
        })
    }

    /// Puts a finished generation on record. Its line in `generations.jsonl` is written last.
    fn finish(&mut self, generation: Generation, told: &mut Told) -> Result<(), LearnError> {
        let training = self.directory.join("training").join(format!("{:04}", generation.number));
        let checkpoint = training.join("checkpoint.bin");
        if generation.promoted {
            let net = self.net_file(&generation);
            copy(&training.join("net.fsnet"), &net)?;
            copy(&checkpoint, &net.with_extension("checkpoint"))?;
        }
        self.generations.push(generation.clone());
        self.write_records()?;
        // Of a finished training only its curves are still of interest; its state is the largest file of the loop.
        let _ = fs::remove_file(checkpoint);
        told(LearnEvent::Finished(Box::new(generation)));
        Ok(())
    }

    fn write_records(&self) -> Result<(), LearnError> {
        let rule = &self.settings.rule;
        let lines: Vec<String> = (self.generations.iter())
            .map(|generation| serde_json::to_string(generation).expect("generations are plain data") + "\n")
            .collect();
        self.write("nets.toml", &records::cards(&self.generations, rule))?;
        self.write("curve.csv", &records::curve_csv(&self.generations))?;
        if self.generations.iter().any(|generation| generation.promoted) {
            self.write("curve.svg", &records::curve_svg(&self.generations))?;
        }
        self.write("generations.jsonl", &lines.concat())
    }

    fn read_records(&mut self) -> Result<(), LearnError> {
        let path = self.directory.join("generations.jsonl");
        if let Some(text) = read_if_there(&path)? {
            for (line, text) in text.lines().enumerate() {
                let generation = serde_json::from_str(text)
                    .map_err(|error| LearnError::Damaged(path.clone(), line + 1, error))?;
                self.generations.push(generation);
            }
        }
        let clock = read_if_there(&self.directory.join("clock.json"))?;
        self.hours_before = clock.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or(0.0);
        let known = self.generations.last().map_or(0.0, |generation| generation.hours);
        self.hours_before = self.hours_before.max(known);
        Ok(())
    }

    fn keep_clock(&self) -> Result<(), LearnError> {
        self.write("clock.json", &format!("{:.6}\n", self.hours()))
    }

    /// Copies the teachers' games once.
    fn take_teachers(&self) -> Result<(), LearnError> {
        let path = self.data_file(0);
        if self.settings.teachers.is_empty() || path.exists() {
            return Ok(());
        }
        let mut writer = SampleWriter::begin(Vec::new()).expect("a vector takes every byte");
        for teacher in &self.settings.teachers {
            let games = read_games(&self.directory.join(teacher), self.settings.rule());
            for game in games.map_err(LearnError::Import)? {
                writer.write(&game).expect("a vector takes every byte");
            }
        }
        writer.end_block().expect("a vector takes every byte");
        Ok(write_whole(&path, &writer.into_inner())?)
    }

    /// Copies the net to begin with, once. Without one in the settings that is the shipped net of
    /// the rule, if there is any.
    fn take_first_net(&self) -> Result<(), LearnError> {
        let files = [
            (&self.settings.first_checkpoint, "first.checkpoint"),
            (&self.settings.first_net, "first.fsnet"),
        ];
        for (from, name) in files {
            let to = self.directory.join("nets").join(name);
            if let Some(from) = from.as_ref().filter(|_| !to.exists()) {
                copy(&self.directory.join(from), &to)?;
            }
        }
        let rule = self.settings.rule();
        let first = self.directory.join("nets/first.fsnet");
        if let Some(shipped) = shipped::net(rule).filter(|_| !first.exists()) {
            write_whole(&first, &shipped.to_bytes())?;
        }
        let net = self.best()?.net;
        if let Some(net) = net.filter(|net| net.rule != rule) {
            let problem = LearnProblem::OtherRule { net: net.rule, wanted: rule };
            return Err(LearnError::Settings(self.directory.join("learn.toml"), problem));
        }
        Ok(())
    }

    fn write(&self, name: &str, text: &str) -> Result<(), LearnError> {
        Ok(write_whole(&self.directory.join(name), text.as_bytes())?)
    }

    fn data_file(&self, number: u32) -> PathBuf {
        let name =
            if number == 0 { "teachers.fssamples".to_owned() } else { format!("{number:04}.fssamples") };
        self.directory.join("data").join(name)
    }

    fn net_file(&self, generation: &Generation) -> PathBuf {
        self.directory.join("nets").join(generation.file(&self.settings.rule))
    }
}

fn open_settings(path: &Path, first: &LearnSettings) -> Result<LearnSettings, LearnError> {
    let wrong = |problem| LearnError::Settings(path.to_owned(), problem);
    if let Some(text) = read_if_there(path)? {
        return LearnSettings::parse(&text).map_err(wrong);
    }
    first.check().map_err(wrong)?;
    let text = toml::to_string(first).expect("settings are plain data");
    write_whole(path, text.as_bytes())?;
    Ok(first.clone())
}

fn read_if_there(path: &Path) -> Result<Option<String>, LearnError> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(FileError::at(path)(error).into()),
    }
}

fn copy(from: &Path, to: &Path) -> Result<(), LearnError> {
    let bytes = fs::read(from).map_err(FileError::at(from))?;
    Ok(write_whole(to, &bytes)?)
}

fn load_net(path: &Path) -> Result<Arc<Net>, LearnError> {
    let net = Net::read_file(path).map_err(|error| LearnError::Net(path.to_owned(), error))?;
    Ok(Arc::new(net))
}
