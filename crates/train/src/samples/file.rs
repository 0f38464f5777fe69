//! The file of samples: `*.fssamples`.
//!
//! All numbers are little-endian. The file begins with the eight bytes `FIVESAM\0` and a version
//! (u32). Blocks follow, each with its length in bytes (u32), its number of games (u32), a checksum
//! of its bytes (u64) and the bytes: games one after the other, as `encoding` (version 2, which is
//! written) or `version_1` (which is still read) describe. A block is written in one go, so a file
//! whose writer was killed lacks at most its last block.

use super::{SampleGame, encoding, version_1};
use fnv::FnvHasher;
use std::fmt;
use std::hash::Hasher;
use std::io::{self, Read, Write};

const MAGIC: &[u8; 8] = b"FIVESAM\0";
/// The version that is written.
pub(super) const VERSION: u32 = 2;
/// Bytes of the file before its first block.
pub(super) const START: usize = MAGIC.len() + size_of::<u32>();
const HEAD: usize = 16;
/// A block is closed when it has this many bytes.
const BLOCK: usize = 1 << 16;
/// No block is longer, so that a damaged length does not ask for all memory there is.
const LONGEST_BLOCK: usize = 1 << 24;

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
        /// Where it starts in the file.
        at: usize,
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
                write!(f, "training samples of version {version}; this program reads 1 to {VERSION}")
            }
            SampleError::Truncated { games, at } => {
                write!(f, "the training samples are cut off after {games} whole games, at byte {at}")
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
    let mut hasher = FnvHasher::default();
    hasher.write(bytes);
    hasher.finish()
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
        let before = self.block.len();
        encoding::encode(game, &mut self.block);
        if self.block.len() - before > LONGEST_BLOCK - BLOCK {
            self.block.truncate(before);
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "a game is too long for the samples"));
        }
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

/// What becomes of a last block that is not whole, as a killed writer leaves it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TornEnd {
    /// It is an error.
    Refused,
    /// It is left out.
    LeftOut,
}

/// Reads every game of a file, handing each over; answers how many there were.
pub fn read_samples(
    file: impl Read,
    torn_end: TornEnd,
    mut game: impl FnMut(SampleGame),
) -> Result<usize, SampleError> {
    let mut blocks = Blocks::begin(file)?;
    match blocks.read_all(|games, _| games.into_iter().for_each(&mut game)) {
        Err(SampleError::Truncated { games, .. }) if torn_end == TornEnd::LeftOut => Ok(games),
        Err(error) => Err(error),
        Ok(()) => Ok(blocks.games),
    }
}

/// A file read block by block.
pub(super) struct Blocks<R> {
    file: R,
    /// The version of its games.
    pub version: u32,
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
        if !(1..=VERSION).contains(&version) {
            return Err(SampleError::Version(version));
        }
        Ok(Blocks { file, version, end: START, games: 0 })
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
        let truncated = SampleError::Truncated { games: self.games, at: self.end };
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
        let mut reader = encoding::Bytes(&block);
        let decode = if self.version == 1 { version_1::decode } else { encoding::decode };
        let games: Option<Vec<SampleGame>> = (0..count).map(|_| decode(&mut reader)).collect();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{Findings, HarvestedPosition, SampleMove, SamplePly};
    use fivestone_engine::Proof;
    use fivestone_engine::solver::Verdict;
    use fivestone_game::{Color, Point, Rule, Size};

    const VERSION_1: &[u8] = include_bytes!("../../tests/fixtures/version-1.fssamples");

    /// Findings of every kind; the numbers are multiples of what a file can tell apart.
    fn findings(at: impl Fn(usize, usize) -> Point) -> Vec<Findings> {
        let tried = |x, y, share, visits| SampleMove { point: at(x, y), share, visits };
        vec![
            Findings::NONE,
            Findings::expecting(Some(1.0)),
            Findings {
                outcome: Some([819.0 / 4095.0, 2457.0 / 4095.0, 819.0 / 4095.0]),
                moves: vec![tried(14, 0, 0.64, 70), tried(0, 14, 0.36, 1_000_000)],
                simulations: 1_000_100,
                own_fours: Verdict::NoWin,
                enemy_fours: Verdict::Win,
                proof: None,
            },
            Findings {
                outcome: Some([1.0, 0.0, 0.0]),
                moves: vec![tried(3, 4, 1.0, 0)],
                own_fours: Verdict::Win,
                enemy_fours: Verdict::NoWin,
                proof: Some(Proof::Win(225)),
                ..Findings::NONE
            },
            Findings {
                outcome: Some([0.0, 0.0, 1.0]),
                proof: Some(Proof::Loss(2)),
                simulations: 100,
                ..Findings::NONE
            },
            Findings { outcome: Some([0.0, 1.0, 0.0]), proof: Some(Proof::Draw), ..Findings::NONE },
        ]
    }

    fn game(side: usize, winner: Option<Color>, result_known: bool) -> SampleGame {
        let size = Size::new(side).unwrap();
        let at = |x, y| Point::new(x, y, size).unwrap();
        let found = || findings(at).into_iter().enumerate();
        let path = |number: usize| (0..=number).map(|x| at(x + 2, 5)).collect();
        SampleGame {
            rule: Rule::Renju,
            size,
            winner,
            result_known,
            opening: vec![at(7, 7), at(0, 14), at(side - 1, side - 1)],
            plies: found()
                .map(|(x, findings)| SamplePly { point: at(x, 4), learn: x > 2, findings })
                .collect(),
            harvest: found()
                .map(|(x, findings)| HarvestedPosition { ply: x as u16, path: path(x), findings })
                .collect(),
        }
    }

    fn games() -> Vec<SampleGame> {
        vec![game(15, Some(Color::White), true), game(20, None, true), game(16, None, false)]
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

    fn read(bytes: &[u8], torn_end: TornEnd) -> Result<Vec<SampleGame>, SampleError> {
        let mut games = Vec::new();
        read_samples(bytes, torn_end, |game| games.push(game)).map(|_| games)
    }

    /// Puts the numbers that a file rounds in the place of those read, once they are seen to be
    /// near.
    fn settle(found: &mut Findings, written: &Findings) {
        for (found, written) in found.outcome.iter_mut().zip(&written.outcome) {
            assert!(found.iter().zip(written).all(|(found, written)| (found - written).abs() < 2e-4));
            *found = *written;
        }
        assert!(found.moves.is_empty() || shares(found).sum::<f32>() > 0.9999);
        for (found, written) in found.moves.iter_mut().zip(&written.moves) {
            assert!((found.share - written.share).abs() < 0.005);
            found.share = written.share;
        }
    }

    fn shares(findings: &Findings) -> impl Iterator<Item = f32> {
        findings.moves.iter().map(|tried| tried.share)
    }

    #[test]
    fn games_come_back_as_written() {
        let found = read(&file(), TornEnd::Refused).unwrap();
        assert_eq!(found.len(), 3);
        for (mut found, game) in found.into_iter().zip(games()) {
            for (found, ply) in found.plies.iter_mut().zip(&game.plies) {
                settle(&mut found.findings, &ply.findings);
            }
            for (found, position) in found.harvest.iter_mut().zip(&game.harvest) {
                settle(&mut found.findings, &position.findings);
            }
            assert_eq!(found, game);
            let last = game.harvest.last().unwrap();
            assert_eq!(game.moves_to(last).count(), 3 + 5 + 6);
            assert_eq!(game.targets(), 3 + 6);
        }
    }

    #[test]
    fn shares_are_told_apart_down_to_rare_ones() {
        let size = Size::STANDARD;
        let mut game = game(15, None, true);
        let shares = [0.9, 0.05, 0.02, 0.01, 0.01, 0.006, 0.004];
        let tried = |(cell, share)| SampleMove { point: Point::from_dense(cell, size), share, visits: 3 };
        game.plies.truncate(1);
        game.harvest.clear();
        game.plies[0].findings.moves = (0..).zip(shares).map(tried).collect();
        let mut bytes = Vec::new();
        let mut writer = SampleWriter::begin(&mut bytes).unwrap();
        writer.write(&game).and_then(|()| writer.end_block()).unwrap();
        let found = &read(&bytes, TornEnd::Refused).unwrap()[0].plies[0].findings;
        for (tried, share) in found.moves.iter().zip(shares) {
            assert!((tried.share / share - 1.0).abs() < 0.07, "{} {share}", tried.share);
        }
    }

    #[test]
    fn version_1_is_read_with_what_it_does_not_know() {
        let games = read(VERSION_1, TornEnd::Refused).unwrap();
        assert_eq!(games.len(), 3);
        for game in &games {
            let moves: Vec<Point> =
                game.opening.iter().copied().chain(game.plies.iter().map(|ply| ply.point)).collect();
            assert!(fivestone_game::Board::from_moves(game.size, game.rule, &moves).is_ok());
            assert!(game.result_known && game.harvest.is_empty());
            for SamplePly { learn, findings, .. } in &game.plies {
                let [win, draw, loss] = findings.outcome.unwrap();
                assert!(draw == 0.0 && (win + loss - 1.0).abs() < 1e-6);
                assert_eq!((findings.own_fours, findings.enemy_fours), (Verdict::Unknown, Verdict::Unknown));
                assert_eq!((findings.proof, findings.simulations), (None, 0));
                assert!(findings.moves.iter().all(|tried| tried.visits == 0));
                assert!(
                    !learn || findings.moves.is_empty() || (shares(findings).sum::<f32>() - 1.0).abs() < 1e-3
                );
            }
        }
        assert!(games.iter().any(|game| game.targets() > 0));
    }

    #[test]
    fn other_versions_are_named() {
        for version in [0_u32, 3, 77] {
            let mut bytes = file();
            bytes[8..12].copy_from_slice(&version.to_le_bytes());
            let error = read(&bytes, TornEnd::LeftOut).unwrap_err();
            assert_eq!(error, SampleError::Version(version));
            assert!(error.to_string().contains(&format!("version {version};")), "{error}");
        }
    }

    #[test]
    fn a_cut_off_file_is_told_and_can_be_forgiven() {
        let whole = file();
        for cut in 1..60 {
            let bytes = &whole[..whole.len() - cut];
            assert!(matches!(read(bytes, TornEnd::Refused), Err(SampleError::Truncated { games: 2, .. })));
            assert_eq!(read(bytes, TornEnd::LeftOut).unwrap().len(), 2);
        }
        assert_eq!(read(&whole[..5], TornEnd::Refused), Err(SampleError::NotSamples));
    }

    #[test]
    fn every_flipped_bit_is_noticed() {
        let whole = file();
        // Version 2 with this bit flipped is version 6.
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 4;
            assert!(read(&bytes, TornEnd::Refused).is_err(), "byte {at}");
        }
    }
}
