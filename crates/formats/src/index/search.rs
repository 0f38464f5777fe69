//! Positions to the games that reach them.

use super::{LARGEST_BLOCK, MAGIC, Origin, width};
use crate::record::{MOST_PLIES, Outcome, Record, Turn, side_to_move};
use fivestone_game::{Color, Point, Size, Symmetry};
use std::collections::{BTreeMap, BinaryHeap};
use std::fmt;
use std::io::{self, Read};

/// Why an index cannot be used.
#[derive(Debug)]
pub enum IndexError {
    /// Not an index, or of another version.
    NotAnIndex,
    /// Its checksum or its structure is wrong.
    Damaged,
    /// It could not be read.
    Unreadable(io::Error),
}

impl fmt::Display for IndexError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IndexError::NotAnIndex => f.write_str("not an index of this version"),
            IndexError::Damaged => f.write_str("the index is damaged"),
            IndexError::Unreadable(error) => write!(f, "the index cannot be read: {error}"),
        }
    }
}

impl std::error::Error for IndexError {}

impl From<io::Error> for IndexError {
    fn from(error: io::Error) -> IndexError {
        match error.kind() {
            io::ErrorKind::UnexpectedEof => IndexError::Damaged,
            _ => IndexError::Unreadable(error),
        }
    }
}

/// A position to look for.
#[derive(Clone, Debug)]
pub struct Position {
    size: Size,
    to_move: Color,
    counts: [u16; 2],
    /// For each side and cell of a game, the symmetries under which the position has that stone there.
    fitting: [Vec<u8>; 2],
    /// For each cell the least of those that are the same for the position.
    least: Vec<Point>,
}

impl Position {
    /// The position after some plies, which have to be legal.
    pub fn new(size: Size, moves: &[Turn]) -> Position {
        let stones: Vec<(Color, Point)> = moves
            .iter()
            .enumerate()
            .filter_map(|(i, turn)| turn.map(|point| (side_to_move(i), point)))
            .collect();
        let mut fitting = [vec![0; size.cells()], vec![0; size.cells()]];
        let mut counts = [0; 2];
        for &(color, point) in &stones {
            counts[color.index()] += 1;
            for symmetry in Symmetry::ALL {
                let cell = symmetry.inverse().apply(point, size).dense(size);
                fitting[color.index()][cell] |= 1 << symmetry.index();
            }
        }
        let stays = |symmetry: &Symmetry| {
            stones.iter().all(|&(color, point)| stones.contains(&(color, symmetry.apply(point, size))))
        };
        let own: Vec<Symmetry> = Symmetry::ALL.into_iter().filter(stays).collect();
        let least = |point: Point| {
            let images = own.iter().map(|symmetry| symmetry.apply(point, size));
            images.min_by_key(|image| image.dense(size)).unwrap_or(point)
        };
        let least = size.points().map(least).collect();
        Position { size, to_move: side_to_move(moves.len()), counts, fitting, least }
    }

    /// Whether a game reaches the position under some symmetry.
    pub fn is_reached_by(&self, record: &Record) -> bool {
        if record.header.size != self.size {
            return false;
        }
        let (mut fitting, mut counts) = (0xff, [0; 2]);
        for ply in 0..=record.moves.len() {
            if counts == self.counts && side_to_move(ply) == self.to_move {
                return true;
            }
            if let Some(Some(point)) = record.moves.get(ply) {
                fitting &= self.fitting[ply % 2][point.dense(self.size)];
                counts[ply % 2] += 1;
            }
            if fitting == 0 {
                return false;
            }
        }
        false
    }
}

/// What a game went on with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Continuation {
    /// A stone, on the board of the position that was looked for.
    Stone(Point),
    /// A pass.
    Pass,
    /// Nothing: the game ended there.
    End,
}

/// A game that reaches the position.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Hit {
    /// Which of the origins it is from.
    pub origin: u32,
    /// Its number there, from 1.
    pub number: u32,
    /// How many plies lead to the position.
    pub ply: u16,
    /// What comes next.
    pub next: Continuation,
    /// How it ended.
    pub outcome: Outcome,
}

/// What a search found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Answer {
    /// Games that were looked through.
    pub searched: u64,
    /// Games that reach the position.
    pub games: u64,
    /// These by [`Outcome::index`].
    pub outcomes: [u64; 4],
    /// These by what comes next and by [`Outcome::index`].
    pub continuations: BTreeMap<Continuation, [u64; 4]>,
    /// The first of them, by origin and number.
    pub hits: Vec<Hit>,
}

/// The files that the games of an index came from. Reads the head alone.
pub fn read_origins(input: &mut impl Read) -> Result<Vec<Origin>, IndexError> {
    let mut magic = [0; 8];
    input.read_exact(&mut magic).map_err(|_| IndexError::NotAnIndex)?;
    if magic != *MAGIC {
        return Err(IndexError::NotAnIndex);
    }
    let mut content = Vec::new();
    if !read_block(input, &mut content)? {
        return Err(IndexError::Damaged);
    }
    let mut bytes = content.as_slice();
    let count = u32::from_le_bytes(take(&mut bytes)?);
    let mut origins = Vec::new();
    for _ in 0..count {
        let length = u64::from_le_bytes(take(&mut bytes)?);
        let modified = u64::from_le_bytes(take(&mut bytes)?);
        let name_length = u32::from_le_bytes(take(&mut bytes)?) as usize;
        let (name, rest) = bytes.split_at_checked(name_length).ok_or(IndexError::Damaged)?;
        bytes = rest;
        origins.push(Origin { name: String::from_utf8_lossy(name).into_owned(), length, modified });
    }
    Ok(origins)
}

/// Looks for a position in an index; keeps this many of the games that reach it.
pub fn search(input: &mut impl Read, position: &Position, hits: usize) -> Result<Answer, IndexError> {
    read_origins(input)?;
    let mut answer = Answer::default();
    let mut first = BinaryHeap::new();
    let mut content = Vec::new();
    while read_block(input, &mut content)? {
        search_block(&content, position, &mut answer, &mut |hit| {
            if first.len() < hits {
                first.push(hit);
            } else if first.peek().is_some_and(|last| hit < *last) {
                first.pop();
                first.push(hit);
            }
        })?;
    }
    answer.hits = first.into_sorted_vec();
    Ok(answer)
}

fn read_block(input: &mut impl Read, content: &mut Vec<u8>) -> Result<bool, IndexError> {
    content.clear();
    let mut head = Vec::with_capacity(8);
    input.take(8).read_to_end(&mut head)?;
    if head.is_empty() {
        return Ok(false);
    }
    let mut head = head.as_slice();
    let length = u32::from_le_bytes(take(&mut head)?) as usize;
    let checksum = u32::from_le_bytes(take(&mut head)?);
    if length > LARGEST_BLOCK {
        return Err(IndexError::Damaged);
    }
    content.reserve(length);
    input.take(length as u64).read_to_end(content)?;
    if content.len() != length || crc32fast::hash(content) != checksum {
        return Err(IndexError::Damaged);
    }
    Ok(true)
}

fn take<const N: usize>(bytes: &mut &[u8]) -> Result<[u8; N], IndexError> {
    let (taken, rest) = bytes.split_first_chunk::<N>().ok_or(IndexError::Damaged)?;
    *bytes = rest;
    Ok(*taken)
}

/// What is known after some plies of the games that are being looked through.
#[derive(Clone, Copy)]
struct State {
    /// The symmetries under which all stones so far belong to the position.
    fitting: u8,
    counts: [u16; 2],
}

/// How far the common plies of the last game and the next were judged.
#[derive(Clone, Copy)]
enum Judged {
    /// The first `0` plies are known and may lead to the position.
    Open(usize),
    /// After `0` plies there is a stone that does not belong.
    Failed(usize),
    /// After `0` plies the position is there.
    Reached(usize),
}

fn search_block(
    content: &[u8],
    position: &Position,
    answer: &mut Answer,
    report: &mut impl FnMut(Hit),
) -> Result<(), IndexError> {
    let mut bytes = content;
    let [side] = take(&mut bytes)?;
    let size = Size::new(usize::from(side)).ok_or(IndexError::Damaged)?;
    let count = u32::from_le_bytes(take(&mut bytes)?);
    answer.searched += u64::from(count);
    if size != position.size {
        return Ok(());
    }
    let width = width(size.cells());
    let mut states = vec![State { fitting: 0, counts: [0; 2] }; MOST_PLIES + 2];
    states[0].fitting = 0xff;
    let mut path = vec![usize::MAX; MOST_PLIES + 2];
    let mut continuations = vec![(Continuation::End, [0u64; 4]); size.cells() + 2];
    let mut judged = Judged::Open(0);
    let mut plies_before = 0;
    for _ in 0..count {
        // 1. The game's head and its plies after those it shares with the game before.
        let head: [u8; 13] = take(&mut bytes)?;
        let shared = usize::from(u16::from_le_bytes([head[0], head[1]]));
        let plies = usize::from(u16::from_le_bytes([head[2], head[3]]));
        if shared > plies.min(plies_before) || plies > MOST_PLIES {
            return Err(IndexError::Damaged);
        }
        plies_before = plies;
        let (cells, rest) = bytes.split_at_checked((plies - shared) * width).ok_or(IndexError::Damaged)?;
        bytes = rest;
        let cell = |ply: usize| -> usize {
            let at = (ply - shared) * width;
            match width {
                1 if cells[at] == u8::MAX => usize::MAX,
                1 => usize::from(cells[at]),
                _ => match u16::from_be_bytes([cells[at], cells[at + 1]]) {
                    u16::MAX => usize::MAX,
                    cell => usize::from(cell),
                },
            }
        };
        // 2. What the shared plies already tell.
        judged = match judged {
            Judged::Failed(at) if at <= shared => continue,
            Judged::Reached(at) if at <= shared => Judged::Reached(at),
            Judged::Open(known) => Judged::Open(known.min(shared)),
            Judged::Failed(_) | Judged::Reached(_) => Judged::Open(shared),
        };
        // 3. The plies after them.
        if let Judged::Open(mut known) = judged {
            judged = loop {
                let state = states[known];
                if state.counts == position.counts && side_to_move(known) == position.to_move {
                    break Judged::Reached(known);
                }
                if known == plies {
                    break Judged::Open(known);
                }
                let cell = cell(known);
                path[known] = cell;
                let mut next = state;
                if cell != usize::MAX {
                    let color = known % 2;
                    next.fitting &= position.fitting[color].get(cell).copied().unwrap_or(0);
                    next.counts[color] += 1;
                }
                known += 1;
                states[known] = next;
                if next.fitting == 0 {
                    break Judged::Failed(known);
                }
            };
        }
        // 4. The game reaches the position: what comes next, on the board that was asked about.
        let Judged::Reached(ply) = judged else { continue };
        if ply < plies && ply >= shared {
            path[ply] = cell(ply);
        }
        let next = match path[ply] {
            _ if ply == plies => Continuation::End,
            usize::MAX => Continuation::Pass,
            cell if cell < size.cells() => {
                let symmetry = Symmetry::ALL[states[ply].fitting.trailing_zeros() as usize];
                let image = symmetry.apply(Point::from_dense(cell, size), size);
                Continuation::Stone(position.least[image.dense(size)])
            }
            _ => return Err(IndexError::Damaged),
        };
        let outcome = Outcome::ALL[usize::from(head[4]) % 4];
        let origin = u32::from_le_bytes([head[5], head[6], head[7], head[8]]);
        let number = u32::from_le_bytes([head[9], head[10], head[11], head[12]]);
        answer.games += 1;
        answer.outcomes[outcome.index()] += 1;
        let place = match next {
            Continuation::Stone(point) => point.dense(size),
            Continuation::Pass => size.cells(),
            Continuation::End => size.cells() + 1,
        };
        continuations[place].0 = next;
        continuations[place].1[outcome.index()] += 1;
        report(Hit { origin, number, ply: ply as u16, next, outcome });
    }
    for (next, outcomes) in continuations.into_iter().filter(|(_, outcomes)| outcomes.iter().any(|&n| n > 0))
    {
        let sums = answer.continuations.entry(next).or_default();
        sums.iter_mut().zip(outcomes).for_each(|(sum, count)| *sum += count);
    }
    Ok(())
}
