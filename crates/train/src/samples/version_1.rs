//! Games as version 1 of the file had them: shares of the moves without visits, and a value without
//! draws.
//!
//! A game is: rule (u8, its place in `Rule::ALL`), side of the board (u8), result (u8: 0 draw, 1
//! Black, 2 White, 3 unknown), 0 (u8), moves of the opening and moves after it (u16 each); the
//! opening's moves (u16, cells counted row by row from the top left); for each later move its cell
//! (u16), flags (u8: 1 learn, 2 value known) and a count of moves (u8), then if known the value
//! (u16, 65535 is 1.0) and for each move its cell and share (u16 each, 65535 is 1.0).

use super::encoding::Bytes;
use super::{Findings, SampleGame, SampleMove, SamplePly};
use fivestone_game::{Point, Rule, Size};

const UNIT: f32 = 65535.0;
const LEARN: u8 = 1;
const VALUE: u8 = 2;

/// The next game of a block; nothing if it makes no sense.
pub(super) fn decode(bytes: &mut Bytes) -> Option<SampleGame> {
    let rule = *Rule::ALL.get(usize::from(bytes.u8()?))?;
    let size = Size::new(bytes.u8()?.into())?;
    let (winner, result_known) = bytes.result()?;
    bytes.u8()?;
    let (opening, plies) = (bytes.u16()?, bytes.u16()?);
    let opening = (0..opening).map(|_| point(bytes, size)).collect::<Option<_>>()?;
    let plies = (0..plies).map(|_| ply(bytes, size)).collect::<Option<_>>()?;
    Some(SampleGame { rule, size, winner, result_known, opening, plies, harvest: Vec::new() })
}

fn ply(bytes: &mut Bytes, size: Size) -> Option<SamplePly> {
    let played = point(bytes, size)?;
    let (flags, count) = (bytes.u8()?, bytes.u8()?);
    let value = if flags & VALUE == 0 { None } else { Some(share(bytes)?) };
    let tried =
        |bytes: &mut Bytes| Some(SampleMove { point: point(bytes, size)?, share: share(bytes)?, visits: 0 });
    let moves = (0..count).map(|_| tried(bytes)).collect::<Option<_>>()?;
    let findings = Findings { moves, ..Findings::expecting(value) };
    Some(SamplePly { point: played, learn: flags & LEARN != 0, findings })
}

fn point(bytes: &mut Bytes, size: Size) -> Option<Point> {
    let cell = usize::from(bytes.u16()?);
    (cell < size.cells()).then(|| Point::from_dense(cell, size))
}

fn share(bytes: &mut Bytes) -> Option<f32> {
    Some(f32::from(bytes.u16()?) / UNIT)
}
