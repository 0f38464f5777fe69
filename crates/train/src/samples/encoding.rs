//! A game as bytes of a block, version 2.
//!
//! A number has seven bits a byte, the lowest first; the high bit says that more follow. A cell is
//! counted row by row from the top left, in one byte on boards of up to 256 cells and in two on
//! larger ones.
//!
//! A game is: rule (its place in `Rule::ALL`), side of the board, result (0 draw, 1 Black, 2 White,
//! 3 unknown), a byte each; as numbers the moves of the opening, the moves after it and the
//! harvested positions; the cells of the opening; for each later move its cell and the findings of
//! the position before it; for each harvested position as numbers the moves after the opening at
//! which it leaves the game and the moves of its path, then the path's cells and its findings.
//!
//! Findings are: flags (a byte, see below); for a proven win or loss its plies (number); else, if
//! known, the outcome (three bytes: win in the lower twelve bits, draw in the upper ones, 4095 is
//! 1.0); simulations (number); a count of moves (byte); for each its cell, its share (byte: the
//! square root, 255 is 1.0) and its visits (number). Shares are scaled to sum to one when they are
//! read.

use super::{Findings, HarvestedPosition, SampleGame, SampleMove, SamplePly, certain};
use fivestone_engine::Proof;
use fivestone_engine::solver::Verdict;
use fivestone_game::{Color, Point, Rule, Size};

/// The moves are worth learning.
const LEARN: u8 = 1;
/// The outcome is known.
const OUTCOME: u8 = 2;
/// Two bits each from here: proof (0 none, 1 win, 2 loss, 3 draw), own fours and enemy fours (0 not
/// known, 1 win, 2 none).
const PROOF: u32 = 2;
const OWN_FOURS: u32 = 4;
const ENEMY_FOURS: u32 = 6;

const OUTCOME_UNIT: f32 = 4095.0;
const SHARE_UNIT: f32 = 255.0;
/// One byte is enough for the cells of a board of 16x16.
const SMALL_BOARD: usize = 256;

/// Adds a game to the bytes.
pub(super) fn encode(game: &SampleGame, bytes: &mut Vec<u8>) {
    let rule = Rule::ALL.iter().position(|&rule| rule == game.rule).expect("every rule is listed");
    let result = match (game.result_known, game.winner) {
        (false, _) => 3,
        (true, None) => 0,
        (true, Some(color)) => 1 + color.index() as u8,
    };
    bytes.extend([rule as u8, game.size.side() as u8, result]);
    let mut out = Encoder { bytes, size: game.size };
    for length in [game.opening.len(), game.plies.len(), game.harvest.len()] {
        out.number(length as u32);
    }
    for &point in &game.opening {
        out.cell(point);
    }
    for ply in &game.plies {
        out.cell(ply.point);
        out.findings(&ply.findings, ply.learn);
    }
    for position in &game.harvest {
        out.number(position.ply.into());
        out.number(position.path.len() as u32);
        for &point in &position.path {
            out.cell(point);
        }
        out.findings(&position.findings, true);
    }
}

struct Encoder<'a> {
    bytes: &'a mut Vec<u8>,
    size: Size,
}

impl Encoder<'_> {
    fn number(&mut self, mut number: u32) {
        while number >= 0x80 {
            self.bytes.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.bytes.push(number as u8);
    }

    fn cell(&mut self, point: Point) {
        let cell = point.dense(self.size) as u16;
        let length = if self.size.cells() <= SMALL_BOARD { 1 } else { 2 };
        self.bytes.extend(&cell.to_le_bytes()[..length]);
    }

    fn findings(&mut self, findings: &Findings, learn: bool) {
        let outcome = findings.outcome.filter(|_| findings.proof.is_none());
        let (proof, plies) = match findings.proof {
            None => (0, None),
            Some(Proof::Win(plies)) => (1, Some(plies)),
            Some(Proof::Loss(plies)) => (2, Some(plies)),
            Some(Proof::Draw) => (3, None),
        };
        let fours = |verdict| match verdict {
            Verdict::Unknown => 0,
            Verdict::Win => 1,
            Verdict::NoWin => 2,
        };
        let known = u8::from(learn) * LEARN + u8::from(outcome.is_some()) * OUTCOME;
        let solved = fours(findings.own_fours) << OWN_FOURS | fours(findings.enemy_fours) << ENEMY_FOURS;
        self.bytes.push(known | proof << PROOF | solved);
        if let Some(plies) = plies {
            self.number(plies.into());
        }
        if let Some([win, draw, _]) = outcome {
            let twelve = |share: f32| (share.clamp(0.0, 1.0) * OUTCOME_UNIT).round() as u32;
            let both = twelve(win) | twelve(draw) << 12;
            self.bytes.extend(&both.to_le_bytes()[..3]);
        }
        self.number(findings.simulations);
        let moves = &findings.moves[..findings.moves.len().min(255)];
        self.bytes.push(moves.len() as u8);
        for tried in moves {
            self.cell(tried.point);
            self.bytes.push((tried.share.clamp(0.0, 1.0).sqrt() * SHARE_UNIT).round() as u8);
            self.number(tried.visits);
        }
    }
}

/// What is left of a block.
pub(super) struct Bytes<'a>(pub &'a [u8]);

impl Bytes<'_> {
    pub fn u8(&mut self) -> Option<u8> {
        let (&byte, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(byte)
    }

    pub fn u16(&mut self) -> Option<u16> {
        Some(u16::from_le_bytes([self.u8()?, self.u8()?]))
    }

    /// Who won, and whether that is known.
    pub fn result(&mut self) -> Option<(Option<Color>, bool)> {
        match self.u8()? {
            0 => Some((None, true)),
            1 => Some((Some(Color::Black), true)),
            2 => Some((Some(Color::White), true)),
            3 => Some((None, false)),
            _ => None,
        }
    }

    fn number(&mut self) -> Option<u32> {
        let mut number = 0_u32;
        for shift in (0..u32::BITS).step_by(7) {
            let byte = self.u8()?;
            number |= u32::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn cell(&mut self, size: Size) -> Option<Point> {
        let cell = if size.cells() <= SMALL_BOARD { self.u8()?.into() } else { self.u16()? };
        (usize::from(cell) < size.cells()).then(|| Point::from_dense(cell.into(), size))
    }

    fn cells(&mut self, count: u32, size: Size) -> Option<Vec<Point>> {
        (0..count).map(|_| self.cell(size)).collect()
    }

    /// Findings, and whether their moves are worth learning.
    fn findings(&mut self, size: Size) -> Option<(Findings, bool)> {
        let flags = self.u8()?;
        let proof = match flags >> PROOF & 3 {
            0 => None,
            1 => Some(Proof::Win(self.number()?.try_into().ok()?)),
            2 => Some(Proof::Loss(self.number()?.try_into().ok()?)),
            _ => Some(Proof::Draw),
        };
        let fours = |at: u32| match flags >> at & 3 {
            0 => Some(Verdict::Unknown),
            1 => Some(Verdict::Win),
            2 => Some(Verdict::NoWin),
            _ => None,
        };
        let outcome = if flags & OUTCOME == 0 { proof.map(certain) } else { Some(self.outcome()?) };
        let simulations = self.number()?;
        let count = self.u8()?;
        let mut moves = (0..count).map(|_| self.tried(size)).collect::<Option<Vec<_>>>()?;
        let total: f32 = moves.iter().map(|tried| tried.share).sum();
        for tried in &mut moves {
            tried.share /= total.max(f32::MIN_POSITIVE);
        }
        let (own_fours, enemy_fours) = (fours(OWN_FOURS)?, fours(ENEMY_FOURS)?);
        let findings = Findings { outcome, moves, simulations, own_fours, enemy_fours, proof };
        Some((findings, flags & LEARN != 0))
    }

    fn outcome(&mut self) -> Option<[f32; 3]> {
        let both = u32::from_le_bytes([self.u8()?, self.u8()?, self.u8()?, 0]);
        let [win, draw] = [both & 0xfff, both >> 12].map(|share| share as f32 / OUTCOME_UNIT);
        Some([win, draw, (1.0 - win - draw).max(0.0)])
    }

    fn tried(&mut self, size: Size) -> Option<SampleMove> {
        let point = self.cell(size)?;
        let root = f32::from(self.u8()?) / SHARE_UNIT;
        Some(SampleMove { point, share: root * root, visits: self.number()? })
    }
}

/// The next game of a block; nothing if it makes no sense.
pub(super) fn decode(bytes: &mut Bytes) -> Option<SampleGame> {
    let rule = *Rule::ALL.get(usize::from(bytes.u8()?))?;
    let size = Size::new(bytes.u8()?.into())?;
    let (winner, result_known) = bytes.result()?;
    let (opening, plies, harvest) = (bytes.number()?, bytes.number()?, bytes.number()?);
    let opening = bytes.cells(opening, size)?;
    let ply = |bytes: &mut Bytes| {
        let point = bytes.cell(size)?;
        let (findings, learn) = bytes.findings(size)?;
        Some(SamplePly { point, learn, findings })
    };
    let plies = (0..plies).map(|_| ply(bytes)).collect::<Option<Vec<_>>>()?;
    let harvested = |bytes: &mut Bytes| {
        let (ply, length) = (bytes.number()?, bytes.number()?);
        let ply = u16::try_from(ply).ok().filter(|&ply| usize::from(ply) <= plies.len() && length > 0)?;
        let path = bytes.cells(length, size)?;
        Some(HarvestedPosition { ply, path, findings: bytes.findings(size)?.0 })
    };
    let harvest = (0..harvest).map(|_| harvested(bytes)).collect::<Option<_>>()?;
    Some(SampleGame { rule, size, winner, result_known, opening, plies, harvest })
}
