//! The file of samples: `*.fssamples`.
//!
//! All numbers are little-endian. The file begins with the eight bytes `FIVESAM\0` and a version (u32). Blocks follow,
//! each with its length in bytes (u32), its number of games (u32), a checksum of its bytes (u64) and the bytes: games
//! one after the other. A block is written in one go, so a file whose writer was killed lacks at most its last block.
//!
//! A game is: rule (u8, its place in `Rule::ALL`), side of the board (u8), result (u8: 0 draw, 1 Black, 2 White,
//! 3 unknown), 0 (u8), moves of the opening and moves after it (u16 each); the opening's moves (u16, cells counted row
//! by row from the top left); for each later move its cell (u16), flags (u8: 1 learn, 2 value known) and a count of
//! visited moves (u8), then if known the value (u16, 65535 is 1.0) and for each visited move its cell and share (u16
//! each, 65535 is 1.0).

use super::{SampleGame, SamplePly};
use fivestone_game::{Color, Point, Rule, Size};
use std::fmt;
use std::io::{self, Read, Write};

const MAGIC: &[u8; 8] = b"FIVESAM\0";
const VERSION: u32 = 1;
/// Bytes of the file before its first block.
pub(super) const START: usize = MAGIC.len() + size_of::<u32>();
const HEAD: usize = 16;
/// A block is closed when it has this many bytes.
const BLOCK: usize = 1 << 16;
/// No block is longer: the longest game has some 500 moves with 255 visited ones each.
const LONGEST_BLOCK: usize = 1 << 20;
const UNIT: f32 = 65535.0;
const LEARN: u8 = 1;
const VALUE: u8 = 2;

/// Why samples cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum SampleError {
    /// The file cannot be read at all.
    Io(String),
    /// The file does not begin as one of samples does.
    NotSamples,
    /// It was written by another version.
    Version(u32),
    /// The last block is not whole.
    Truncated {
        /// Whole games before it.
        games: usize,
    },
    /// A block's bytes are not what was written.
    Checksum {
        /// Where the block starts in the file.
        at: usize,
    },
    /// A block's checksum is right but a game in it makes no sense.
    Invalid {
        /// Where the block starts in the file.
        at: usize,
    },
}

impl fmt::Display for SampleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SampleError::Io(error) => f.write_str(error),
            SampleError::NotSamples => f.write_str("not a file of training samples"),
            SampleError::Version(version) => {
                write!(f, "training samples of version {version}; this program reads {VERSION}")
            }
            SampleError::Truncated { games } => {
                write!(f, "the training samples are cut off after {games} whole games")
            }
            SampleError::Checksum { at } => {
                write!(f, "the training samples are damaged: wrong checksum of the block at byte {at}")
            }
            SampleError::Invalid { at } => {
                write!(f, "the training samples are damaged: an impossible game in the block at byte {at}")
            }
        }
    }
}

impl std::error::Error for SampleError {}

fn checksum(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, &byte: &u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix)
}

/// Writes games in blocks.
pub struct SampleWriter<W: Write> {
    out: W,
    block: Vec<u8>,
    games: u32,
}

impl<W: Write> SampleWriter<W> {
    /// A writer that begins a new file.
    pub fn begin(mut out: W) -> io::Result<SampleWriter<W>> {
        out.write_all(MAGIC)?;
        out.write_all(&VERSION.to_le_bytes())?;
        Ok(SampleWriter::append(out))
    }

    /// A writer that adds to a file that ends with a whole block.
    pub fn append(out: W) -> SampleWriter<W> {
        SampleWriter { out, block: Vec::new(), games: 0 }
    }

    /// Adds a game; it reaches the file when its block is full.
    pub fn write(&mut self, game: &SampleGame) -> io::Result<()> {
        encode(game, &mut self.block);
        self.games += 1;
        if self.block.len() >= BLOCK { self.end_block() } else { Ok(()) }
    }

    /// Writes the games since the last block.
    pub fn end_block(&mut self) -> io::Result<()> {
        if self.games > 0 {
            let mut whole = Vec::with_capacity(HEAD + self.block.len());
            whole.extend((self.block.len() as u32).to_le_bytes());
            whole.extend(self.games.to_le_bytes());
            whole.extend(checksum(&self.block).to_le_bytes());
            whole.append(&mut self.block);
            self.games = 0;
            self.out.write_all(&whole)?;
        }
        self.out.flush()
    }

    /// What was written to.
    pub fn into_inner(self) -> W {
        self.out
    }
}

fn encode(game: &SampleGame, bytes: &mut Vec<u8>) {
    let cell = |point: Point| (point.dense(game.size) as u16).to_le_bytes();
    let share = |share: f32| ((share.clamp(0.0, 1.0) * UNIT).round() as u16).to_le_bytes();
    let rule = Rule::ALL.iter().position(|&rule| rule == game.rule).expect("every rule is listed");
    let result = match (game.result_known, game.winner) {
        (false, _) => 3,
        (true, None) => 0,
        (true, Some(color)) => 1 + color.index() as u8,
    };
    bytes.extend([rule as u8, game.size.side() as u8, result, 0]);
    bytes.extend((game.opening.len() as u16).to_le_bytes());
    bytes.extend((game.plies.len() as u16).to_le_bytes());
    bytes.extend(game.opening.iter().flat_map(|&point| cell(point)));
    for ply in &game.plies {
        let visits = &ply.visits[..ply.visits.len().min(255)];
        bytes.extend(cell(ply.point));
        bytes.extend([
            u8::from(ply.learn) * LEARN + u8::from(ply.value.is_some()) * VALUE,
            visits.len() as u8,
        ]);
        bytes.extend(ply.value.into_iter().flat_map(share));
        for &(point, visited) in visits {
            bytes.extend(cell(point));
            bytes.extend(share(visited));
        }
    }
}

/// Reads every game of a file, handing each over; answers how many there were. With `forgive_tail` a last block that
/// is not whole, as a killed writer leaves it, is left out.
pub fn read_samples(
    file: impl Read,
    forgive_tail: bool,
    mut game: impl FnMut(SampleGame),
) -> Result<usize, SampleError> {
    let mut blocks = Blocks::begin(file)?;
    match blocks.read_all(|games, _| games.into_iter().for_each(&mut game)) {
        Err(SampleError::Truncated { games }) if forgive_tail => Ok(games),
        Err(error) => Err(error),
        Ok(()) => Ok(blocks.games),
    }
}

/// A file read block by block.
pub(super) struct Blocks<R> {
    file: R,
    /// Where the whole blocks read so far end.
    pub end: usize,
    /// Whole games so far.
    pub games: usize,
}

impl<R: Read> Blocks<R> {
    /// Reads the file's beginning.
    pub fn begin(mut file: R) -> Result<Blocks<R>, SampleError> {
        let mut start = [0; START];
        let found = read_up_to(&mut file, &mut start)?;
        let version = start[..found].strip_prefix(MAGIC).ok_or(SampleError::NotSamples)?;
        let version = u32::from_le_bytes(version.try_into().map_err(|_| SampleError::NotSamples)?);
        if version != VERSION {
            return Err(SampleError::Version(version));
        }
        Ok(Blocks { file, end: START, games: 0 })
    }

    /// Hands over the games of all blocks, those of a block together with its end, and only when it is whole.
    pub fn read_all(&mut self, mut block: impl FnMut(Vec<SampleGame>, usize)) -> Result<(), SampleError> {
        while let Some(games) = self.next()? {
            block(games, self.end);
        }
        Ok(())
    }

    fn next(&mut self) -> Result<Option<Vec<SampleGame>>, SampleError> {
        let mut head = [0; HEAD];
        let truncated = SampleError::Truncated { games: self.games };
        match read_up_to(&mut self.file, &mut head)? {
            0 => return Ok(None),
            HEAD => {}
            _ => return Err(truncated),
        }
        let at = self.end;
        let length = u32::from_le_bytes(head[..4].try_into().expect("four bytes")) as usize;
        let count = u32::from_le_bytes(head[4..8].try_into().expect("four bytes"));
        let sum = u64::from_le_bytes(head[8..].try_into().expect("eight bytes"));
        if length > LONGEST_BLOCK {
            return Err(SampleError::Checksum { at });
        }
        let mut block = vec![0; length];
        if read_up_to(&mut self.file, &mut block)? < length {
            return Err(truncated);
        }
        // The end is told also of a damaged block, so that it can be seen whether anything follows it.
        self.end += HEAD + length;
        if checksum(&block) != sum {
            return Err(SampleError::Checksum { at });
        }
        let mut reader = Reader(&block);
        let games: Option<Vec<SampleGame>> = (0..count).map(|_| reader.game()).collect();
        let games = games.filter(|_| reader.0.is_empty()).ok_or(SampleError::Invalid { at })?;
        self.games += games.len();
        Ok(Some(games))
    }
}

/// Fills as much of a buffer as the file has left.
fn read_up_to(file: &mut impl Read, buffer: &mut [u8]) -> Result<usize, SampleError> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read(&mut buffer[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(SampleError::Io(error.to_string())),
        }
    }
    Ok(filled)
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn u8(&mut self) -> Option<u8> {
        let (&byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(byte)
    }

    fn u16(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes([self.u8()?, self.u8()?]))
    }

    fn point(&mut self, size: Size) -> Option<Point> {
        let cell = usize::from(self.u16()?);
        (cell < size.cells()).then(|| Point::from_dense(cell, size))
    }

    fn share(&mut self) -> Option<f32> {
        Some(f32::from(self.u16()?) / UNIT)
    }

    fn game(&mut self) -> Option<SampleGame> {
        let rule = *Rule::ALL.get(usize::from(self.u8()?))?;
        let size = Size::new(self.u8()?.into())?;
        let (winner, result_known) = match self.u8()? {
            0 => (None, true),
            1 => (Some(Color::Black), true),
            2 => (Some(Color::White), true),
            3 => (None, false),
            _ => return None,
        };
        self.u8()?;
        let (opening, plies) = (self.u16()?, self.u16()?);
        let opening = (0..opening).map(|_| self.point(size)).collect::<Option<_>>()?;
        let plies = (0..plies).map(|_| self.ply(size)).collect::<Option<_>>()?;
        Some(SampleGame { rule, size, winner, result_known, opening, plies })
    }

    fn ply(&mut self, size: Size) -> Option<SamplePly> {
        let point = self.point(size)?;
        let (flags, visited) = (self.u8()?, self.u8()?);
        let value = if flags & VALUE == 0 { None } else { Some(self.share()?) };
        let visits = (0..visited).map(|_| Some((self.point(size)?, self.share()?))).collect::<Option<_>>()?;
        Some(SamplePly { point, learn: flags & LEARN != 0, value, visits })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games() -> Vec<SampleGame> {
        let size = Size::STANDARD;
        let at = |x, y| Point::new(x, y, size).unwrap();
        let ply = |x, y, value, visits| SamplePly { point: at(x, y), learn: x > 3, value, visits };
        let game = |winner, result_known| SampleGame {
            rule: Rule::Renju,
            size,
            winner,
            result_known,
            opening: vec![at(7, 7), at(0, 14)],
            plies: vec![
                ply(3, 4, Some(1.0), vec![(at(3, 4), 0.2), (at(14, 0), 0.8)]),
                ply(4, 4, None, vec![]),
                ply(5, 6, Some(13107.0 / UNIT), vec![]),
            ],
        };
        vec![game(Some(Color::White), true), game(None, true), game(None, false)]
    }

    fn file() -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut writer = SampleWriter::begin(&mut bytes).unwrap();
        let games = games();
        writer.write(&games[0]).unwrap();
        writer.write(&games[1]).unwrap();
        writer.end_block().unwrap();
        writer.write(&games[2]).unwrap();
        writer.end_block().unwrap();
        bytes
    }

    fn read(bytes: &[u8], forgive_tail: bool) -> Result<Vec<SampleGame>, SampleError> {
        let mut games = Vec::new();
        read_samples(bytes, forgive_tail, |game| games.push(game)).map(|_| games)
    }

    #[test]
    fn games_come_back_as_written() {
        let found = read(&file(), false).unwrap();
        for (mut found, game) in found.into_iter().zip(games()) {
            for (found, ply) in found.plies.iter_mut().zip(&game.plies) {
                for (found, visit) in found.visits.iter_mut().zip(&ply.visits) {
                    assert!((found.1 - visit.1).abs() < 1e-4);
                    found.1 = visit.1;
                }
            }
            assert_eq!(found, game);
        }
    }

    #[test]
    fn a_cut_off_file_is_told_and_can_be_forgiven() {
        let whole = file();
        for cut in 1..60 {
            let bytes = &whole[..whole.len() - cut];
            if cut <= 20 {
                assert_eq!(read(bytes, false), Err(SampleError::Truncated { games: 2 }));
                assert_eq!(read(bytes, true).unwrap().len(), 2);
            }
        }
        assert_eq!(read(&whole[..5], false), Err(SampleError::NotSamples));
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        let whole = file();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 4;
            assert!(read(&bytes, false).is_err(), "byte {at}");
        }
    }
}
