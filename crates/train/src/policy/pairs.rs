//! Positions with their next moves, in one file.
//!
//! All numbers are little-endian. The file begins with the eight bytes `FIVEPAR\x01`, then u32:
//! side of the board, games, plies, answers, samples to learn from, to validate and to test on.
//! Then where each game's plies begin (u32, one more than games), the plies (u16: cell, or 65535
//! for a pass), the samples of the three kinds (u32 game, u16 ply, u16 number of answers, u32 where
//! they begin) and the answers (u16 cell, u16 how often, at most 65535). A sample without answers
//! has one: the move played. The last eight bytes are a checksum of all before them.

use crate::run_files::checksum;
use fivestone_game::{Board, Point, Rule, Size, Symmetry};
use std::io;
use std::path::Path;

const MAGIC: &[u8; 8] = b"FIVEPAR\x01";
const HEAD: usize = 8 + 7 * 4;
const SAMPLE: usize = 12;
const PASS: u16 = u16::MAX;

/// What a sample is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// To learn from.
    Training,
    /// To measure on during the run.
    Validation,
    /// To measure the finished net on.
    Test,
}

/// A sample in the making.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewSample {
    /// The game's number.
    pub game: u32,
    /// The ply that followed the position.
    pub ply: u16,
    /// How often which move followed; empty for the move played alone.
    pub answers: Vec<(u16, u16)>,
}

/// The bytes of a file.
pub fn encode(size: Size, games: &[Vec<Option<Point>>], parts: &[Vec<NewSample>; 3]) -> Vec<u8> {
    let plies: usize = games.iter().map(Vec::len).sum();
    let answers: usize = parts.iter().flatten().map(|sample| sample.answers.len()).sum();
    let mut bytes = MAGIC.to_vec();
    let number = |bytes: &mut Vec<u8>, number: usize| bytes.extend((number as u32).to_le_bytes());
    for count in [size.side(), games.len(), plies, answers, parts[0].len(), parts[1].len(), parts[2].len()] {
        number(&mut bytes, count);
    }
    let mut at = 0;
    number(&mut bytes, at);
    for game in games {
        at += game.len();
        number(&mut bytes, at);
    }
    for turn in games.iter().flatten() {
        bytes.extend(turn.map_or(PASS, |point| point.dense(size) as u16).to_le_bytes());
    }
    let mut at = 0;
    for sample in parts.iter().flatten() {
        bytes.extend(sample.game.to_le_bytes());
        bytes.extend(sample.ply.to_le_bytes());
        bytes.extend((sample.answers.len() as u16).to_le_bytes());
        number(&mut bytes, at);
        at += sample.answers.len();
    }
    for (cell, often) in parts.iter().flatten().flat_map(|sample| &sample.answers) {
        bytes.extend(cell.to_le_bytes());
        bytes.extend(often.to_le_bytes());
    }
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

/// A file of samples.
#[derive(Debug)]
pub struct Pairs {
    bytes: Vec<u8>,
    size: Size,
    counts: [usize; 3],
    plies_at: usize,
    samples_at: usize,
    answers_at: usize,
    empty: Board,
}

/// A position from a game, turned or mirrored.
#[derive(Debug)]
pub struct Sample {
    /// The position.
    pub board: Board,
    /// Stones on the board.
    pub ply: usize,
    /// What followed, with shares that sum to one.
    pub answers: Vec<(Point, f32)>,
}

impl Pairs {
    /// Opens a file; nothing if it is damaged.
    pub fn open(path: &Path, rule: Rule) -> io::Result<Option<Pairs>> {
        let bytes = std::fs::read(path)?;
        Ok(Pairs::check(bytes, rule))
    }

    fn check(bytes: Vec<u8>, rule: Rule) -> Option<Pairs> {
        let body = bytes.len().checked_sub(8).filter(|&body| body >= HEAD && bytes.starts_with(MAGIC))?;
        let sum = u64::from_le_bytes(bytes[body..].try_into().ok()?);
        if checksum(&bytes[..body]) != sum {
            return None;
        }
        let head = |i: usize| u32_at(&bytes, 8 + 4 * i) as usize;
        let size = Size::new(head(0))?;
        let counts = [head(4), head(5), head(6)];
        let plies_at = HEAD + 4 * (head(1) + 1);
        let samples_at = plies_at + 2 * head(2);
        let answers_at = samples_at + SAMPLE * counts.iter().sum::<usize>();
        (answers_at + 4 * head(3) == body).then_some(())?;
        Some(Pairs { bytes, size, counts, plies_at, samples_at, answers_at, empty: Board::new(size, rule) })
    }

    /// The board's size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// How many samples there are of a kind.
    pub fn count(&self, part: Part) -> usize {
        self.counts[part as usize]
    }

    /// A sample of a kind, in one of its images.
    pub fn sample(&self, part: Part, number: usize, symmetry: Symmetry) -> Sample {
        debug_assert!(number < self.count(part));
        let before: usize = self.counts[..part as usize].iter().sum();
        let at = self.samples_at + SAMPLE * (before + number);
        let game = u32_at(&self.bytes, at) as usize;
        let ply = usize::from(u16_at(&self.bytes, at + 4));
        let count = usize::from(u16_at(&self.bytes, at + 6));
        let first = u32_at(&self.bytes, at + 8) as usize;
        let point = |cell: u16| symmetry.apply(Point::from_dense(cell.into(), self.size), self.size);
        let start = u32_at(&self.bytes, HEAD + 4 * game) as usize;
        let turn = |i: usize| u16_at(&self.bytes, self.plies_at + 2 * (start + i));
        let mut board = self.empty.clone();
        for i in 0..ply {
            match turn(i) {
                PASS => board.pass(),
                cell => board.play_unchecked(point(cell)),
            }
        }
        let mut answers: Vec<(Point, f32)> = (first..first + count)
            .map(|i| {
                let at = self.answers_at + 4 * i;
                (point(u16_at(&self.bytes, at)), f32::from(u16_at(&self.bytes, at + 2)))
            })
            .collect();
        if answers.is_empty() {
            answers.push((point(turn(ply)), 1.0));
        }
        let total: f32 = answers.iter().map(|answer| answer.1).sum();
        for answer in &mut answers {
            answer.1 /= total;
        }
        Sample { ply: board.stone_count(), board, answers }
    }
}

fn u32_at(bytes: &[u8], at: usize) -> u32 {
    u32::from_le_bytes(bytes[at..at + 4].try_into().expect("four bytes"))
}

fn u16_at(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes(bytes[at..at + 2].try_into().expect("two bytes"))
}
