//! From files of games to samples: each pair of a position and its next move once, or positions with move frequencies.

use super::config::{Config, Positions, Split};
use super::pairs::{NewSample, Part};
use fivestone_engine::Rng;
use fivestone_formats::fingerprint::Follower;
use fivestone_formats::problem::Loss;
use fivestone_formats::reader::{Branches, Options, Reader};
use fivestone_game::{Point, Rule, Size};
use flate2::bufread::MultiGzDecoder;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::{fmt, mem};

/// Why there is nothing to learn from.
#[derive(Debug)]
pub enum DataError {
    /// A file cannot be read.
    Io(PathBuf, io::Error),
    /// No game could be read from a file.
    NoGames {
        /// The file.
        path: PathBuf,
        /// Games that were there but broken.
        broken: usize,
        /// What is wrong with the first of them.
        first: Option<String>,
    },
    /// More games are broken than whole.
    MostlyBroken {
        /// The file.
        path: PathBuf,
        /// Whole games.
        games: usize,
        /// Broken ones.
        broken: usize,
        /// What is wrong with the first of them.
        first: String,
    },
    /// Games on boards of different sizes.
    Sizes {
        /// The file of the odd one.
        path: PathBuf,
        /// Its number in the file.
        game: u64,
        /// Its board.
        found: Size,
        /// The board of the games before.
        expected: Size,
    },
    /// A part has no samples.
    TooFew {
        /// Samples to learn from, to validate and to test on.
        counts: [usize; 3],
    },
}

impl fmt::Display for DataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DataError::Io(path, error) => write!(f, "{}: {error}", path.display()),
            DataError::NoGames { path, broken, first } => {
                write!(f, "{}: no games to learn from", path.display())?;
                match first {
                    Some(first) => write!(f, " ({broken} broken ones; the first: {first})"),
                    None => Ok(()),
                }
            }
            DataError::MostlyBroken { path, games, broken, first } => {
                write!(
                    f,
                    "{}: {broken} broken games against {games} whole ones; the first: {first}",
                    path.display()
                )
            }
            DataError::Sizes { path, game, found, expected } => {
                write!(
                    f,
                    "{}: game {game} is on a {found}x{found} board, those before on {expected}x{expected}",
                    path.display()
                )
            }
            DataError::TooFew { counts: [training, validation, test] } => {
                write!(
                    f,
                    "too few samples: {training} to learn from, {validation} to validate and {test} to test on"
                )
            }
        }
    }
}

impl std::error::Error for DataError {}

/// Games of one board size.
#[derive(Clone, PartialEq, Debug)]
pub struct Games {
    /// The board's size.
    pub size: Size,
    /// Their plies; nothing for a pass.
    pub games: Vec<Vec<Option<Point>>>,
}

impl Games {
    /// Reads files of games in any format that is known, packed or not.
    pub fn read(paths: &[PathBuf], rule: Rule) -> Result<Games, DataError> {
        let mut size = None;
        let mut games = Vec::new();
        for path in paths {
            read_file(path, rule, &mut size, &mut games)?;
        }
        Ok(Games { size: size.unwrap_or(Size::STANDARD), games })
    }

    /// The samples of the three parts.
    pub fn samples(&self, config: &Config) -> Result<[Vec<NewSample>; 3], DataError> {
        let parts = match config.split {
            Split::Games => self.split_by_game(config),
            Split::Pairs => self.split_at_random(config),
        };
        let counts = parts.each_ref().map(Vec::len);
        if counts[0] < config.batch || counts.contains(&0) {
            return Err(DataError::TooFew { counts });
        }
        Ok(parts)
    }

    fn split_by_game(&self, config: &Config) -> [Vec<NewSample>; 3] {
        let mut rng = Rng::new(config.seed ^ 0x5b11_7000);
        let part_of: Vec<Part> = self
            .games
            .iter()
            .map(|_| match (rng.unit(), rng.unit()) {
                (first, _) if first < config.test_share => Part::Test,
                (_, second) if second < config.validation_share => Part::Validation,
                _ => Part::Training,
            })
            .collect();
        let mut follower = Follower::new(self.size);
        let mut learned = HashSet::new();
        let mut parts: [Vec<NewSample>; 3] = Default::default();
        for part in [Part::Training, Part::Validation, Part::Test] {
            let mut gatherer = Gatherer::new(config.positions);
            let games = self.games.iter().enumerate().filter(|(i, _)| part_of[*i] == part);
            for (number, game) in games {
                self.follow(&mut follower, game, |ply, keys| {
                    if part == Part::Training {
                        learned.insert(keys.symmetric_position);
                    } else if learned.contains(&keys.symmetric_position) {
                        return;
                    }
                    gatherer.add(number as u32, ply, &keys);
                });
            }
            parts[part as usize] = gatherer.samples;
        }
        parts
    }

    fn split_at_random(&self, config: &Config) -> [Vec<NewSample>; 3] {
        let mut follower = Follower::new(self.size);
        let mut gatherer = Gatherer::new(config.positions);
        for (number, game) in self.games.iter().enumerate() {
            self.follow(&mut follower, game, |ply, keys| gatherer.add(number as u32, ply, &keys));
        }
        let mut training = gatherer.samples;
        let mut rng = Rng::new(config.seed ^ 0x5b11_7001);
        for i in (1..training.len()).rev() {
            training.swap(i, rng.below(i + 1));
        }
        let count = training.len() as f64;
        let test = training.split_off(training.len() - (count * config.test_share) as usize);
        let rest = training.len() as f64;
        let validation = training.split_off(training.len() - (rest * config.validation_share) as usize);
        [training, validation, test]
    }

    fn follow(&self, follower: &mut Follower, game: &[Option<Point>], mut sample: impl FnMut(u16, Keys)) {
        follower.restart();
        for (ply, &turn) in game.iter().enumerate() {
            let position = follower.position();
            if let (Some(pair), Some(point)) = (follower.play(turn), turn) {
                sample(
                    ply as u16,
                    Keys {
                        pair: pair.exact,
                        position: position.exact,
                        symmetric_position: position.symmetric,
                        cell: point.dense(self.size) as u16,
                    },
                );
            }
        }
    }
}

struct Keys {
    pair: u64,
    position: u64,
    symmetric_position: u64,
    cell: u16,
}

/// Gathers samples, each kind once.
struct Gatherer {
    positions: Positions,
    samples: Vec<NewSample>,
    pairs: HashSet<u64>,
    places: HashMap<u64, u32>,
}

impl Gatherer {
    fn new(positions: Positions) -> Gatherer {
        Gatherer { positions, samples: Vec::new(), pairs: HashSet::new(), places: HashMap::new() }
    }

    fn add(&mut self, game: u32, ply: u16, keys: &Keys) {
        match self.positions {
            Positions::Pairs => {
                if self.pairs.insert(keys.pair) {
                    self.samples.push(NewSample { game, ply, answers: Vec::new() });
                }
            }
            Positions::Merged => {
                let place = *self.places.entry(keys.position).or_insert(self.samples.len() as u32) as usize;
                if place == self.samples.len() {
                    self.samples.push(NewSample { game, ply, answers: Vec::new() });
                }
                let answers = &mut self.samples[place].answers;
                match answers.iter_mut().find(|(cell, _)| *cell == keys.cell) {
                    Some((_, often)) => *often = often.saturating_add(1),
                    None => answers.push((keys.cell, 1)),
                }
            }
        }
    }
}

fn open(path: &Path) -> io::Result<Box<dyn Read>> {
    let mut raw = BufReader::with_capacity(1 << 16, File::open(path)?);
    let packed = raw.fill_buf()?.starts_with(&[0x1f, 0x8b]);
    Ok(if packed { Box::new(MultiGzDecoder::new(raw)) } else { Box::new(raw) })
}

fn read_file(
    path: &Path,
    rule: Rule,
    size: &mut Option<Size>,
    games: &mut Vec<Vec<Option<Point>>>,
) -> Result<(), DataError> {
    let input = open(path).map_err(|error| DataError::Io(path.to_owned(), error))?;
    let options = Options { branches: Branches::MainLine, rule: Some(rule), ..Options::default() };
    let (before, mut broken, mut first) = (games.len(), 0, None);
    for entry in Reader::new(input, options) {
        match entry {
            Ok(entry) => {
                let mut record = entry.game.into_record();
                let expected = *size.get_or_insert(record.header.size);
                if record.header.size != expected {
                    return Err(DataError::Sizes {
                        path: path.to_owned(),
                        game: entry.number,
                        found: record.header.size,
                        expected,
                    });
                }
                games.push(mem::take(&mut record.moves));
            }
            Err(problem) => {
                if problem.loss == Loss::Game || problem.loss == Loss::Rest {
                    broken += 1;
                    first.get_or_insert_with(|| problem.to_string());
                }
            }
        }
    }
    let whole = games.len() - before;
    if whole == 0 {
        return Err(DataError::NoGames { path: path.to_owned(), broken, first });
    }
    match first {
        Some(first) if broken > whole => {
            Err(DataError::MostlyBroken { path: path.to_owned(), games: whole, broken, first })
        }
        _ => Ok(()),
    }
}
