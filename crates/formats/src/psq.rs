//! Piskvork's `.psq`: `Piskvorky WxH, l1:l2, s`, then `x,y,ms` for each move, from 1 at the top left, then the
//! players and a result code, both optional. A file may hold several games.

use crate::line::LONGEST;
use crate::moves::{read_number, write_number};
use crate::problem::{Fault, Flaw, Place, shown};
use crate::record::{Header, MOST_PLIES, Outcome, Record, side_to_move};
use crate::source::{Source, Stretch};
use fivestone_game::{Point, Rule, Size};

const MAGIC: &[u8] = b"Piskvorky";

/// Why the side to move lost, as the last line of a game tells it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lost {
    /// By an illegal move.
    IllegalMove = 7,
    /// By time.
    Time = 15,
    /// By memory.
    Memory = 16,
}

impl Lost {
    fn from_code(code: i64) -> Option<Lost> {
        [Lost::IllegalMove, Lost::Time, Lost::Memory].into_iter().find(|&lost| lost as i64 == code)
    }
}

/// A game, or what is wrong with it, and where it starts.
pub(crate) type Found = (Place, Result<Record, Flaw>);

/// Reads game after game.
pub(crate) struct Reader {
    rule: Option<Rule>,
    line: u64,
    current: Option<Game>,
}

struct Game {
    line: u64,
    state: Result<Record, Flaw>,
    names: usize,
}

impl Reader {
    pub fn new(rule: Option<Rule>) -> Reader {
        Reader { rule, line: 0, current: None }
    }

    pub fn next(&mut self, source: &mut Source) -> Option<Found> {
        loop {
            let Some(stretch) = source.line(LONGEST) else { return self.current.take().map(Game::finish) };
            self.line += 1;
            let line = match &stretch {
                Stretch::Whole(range) => source.bytes(range.clone()),
                Stretch::TooLong => {
                    if let Some(game) = &mut self.current {
                        game.state = Err(Fault::TooLarge("a line is longer than a megabyte").into());
                    }
                    continue;
                }
            };
            let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
            if line.starts_with(MAGIC) {
                let game = Game { line: self.line, state: read_head(line, self.rule), names: 0 };
                if let Some(finished) = self.current.replace(game) {
                    return Some(finished.finish());
                }
            } else if let Some(game) = &mut self.current {
                game.read(line);
            } else if !line.trim_ascii().is_empty() {
                let flaw =
                    Fault::Malformed(format!("\"{}\" before the head line \"Piskvorky ...\"", shown(line)));
                self.current = Some(Game { line: self.line, state: Err(flaw.into()), names: 0 });
            }
        }
    }
}

impl Game {
    fn read(&mut self, line: &[u8]) {
        let Ok(record) = &mut self.state else { return };
        if self.names == 0 && line.first().is_some_and(u8::is_ascii_digit) && line.contains(&b',') {
            if let Err(flaw) = read_move(line, record) {
                self.state = Err(flaw);
            }
            return;
        }
        let line = line.trim_ascii();
        match read_number(line) {
            Some(code) if Lost::from_code(code).is_some() => {
                let loser = side_to_move(record.moves.len());
                record.header.outcome = Outcome::Win(!loser);
            }
            Some(-1..=99) => {}
            _ if line.is_empty() => {}
            _ => {
                let name = String::from_utf8_lossy(line).into_owned();
                match self.names {
                    0 => record.header.black = name,
                    1 => record.header.white = name,
                    _ => {}
                }
                self.names += 1;
            }
        }
    }

    fn finish(self) -> Found {
        (Place::Line(self.line), self.state)
    }
}

fn read_head(line: &[u8], rule: Option<Rule>) -> Result<Record, Flaw> {
    let rest = line[MAGIC.len()..].trim_ascii();
    let board = rest.split(|&byte| byte == b',').next().unwrap_or_default().trim_ascii();
    let mut sides = board.split(|&byte| byte | 0x20 == b'x').map(read_number);
    let size = match (sides.next(), sides.next(), sides.next()) {
        (Some(Some(width)), Some(Some(height)), None) if width == height => Size::new(width.max(0) as usize),
        _ => None,
    };
    let size = size.ok_or_else(|| Fault::BadSize(shown(board)))?;
    Ok(Record::new(Header::new(rule, size)))
}

fn read_move(line: &[u8], record: &mut Record) -> Result<(), Flaw> {
    let ply = record.moves.len() + 1;
    if ply > MOST_PLIES {
        return Err(Flaw::at(ply, Fault::TooLarge("more plies than any game has")));
    }
    let mut values = [0; 3];
    let mut count = 0;
    for (i, field) in line.split(|&byte| byte == b',').take(3).enumerate() {
        let field = field.trim_ascii();
        values[i] = read_number(field).ok_or_else(|| Flaw::at(ply, Fault::NotAMove(shown(line))))?;
        count += 1;
    }
    let [x, y, time] = values;
    let cell = |value: i64| usize::try_from(value - 1).unwrap_or(usize::MAX);
    if count < 2 {
        return Err(Flaw::at(ply, Fault::NotAMove(shown(line))));
    }
    let point = Point::new(cell(x), cell(y), record.header.size);
    let point = point.ok_or_else(|| Flaw::at(ply, Fault::OffBoard(format!("{x},{y}"))))?;
    record.moves.push(Some(point));
    record.times.push(u32::try_from(time.max(0)).unwrap_or(u32::MAX));
    Ok(())
}

/// Appends a game. Piskvork knows no passes: answers false, and appends nothing, for a game that has one.
#[must_use]
pub fn write(record: &Record, out: &mut Vec<u8>) -> bool {
    write_lost(record, Lost::Time, out)
}

/// The same with the reason, should the side to move have lost without five in a row; the format has no word for other
/// ends, so a loss of the side that moved last does not come back.
#[must_use]
pub fn write_lost(record: &Record, reason: Lost, out: &mut Vec<u8>) -> bool {
    let Header { size, black, white, outcome, .. } = &record.header;
    if record.moves.contains(&None) {
        return false;
    }
    out.extend_from_slice(format!("Piskvorky {size}x{size}, 0:0, 0\r\n").as_bytes());
    for (i, point) in record.moves.iter().flatten().enumerate() {
        write_number(point.x() as i64 + 1, out);
        out.push(b',');
        write_number(point.y() as i64 + 1, out);
        out.push(b',');
        write_number(record.times.get(i).copied().unwrap_or(0).into(), out);
        out.extend_from_slice(b"\r\n");
    }
    for (name, missing) in [(black, "Black"), (white, "White")] {
        let name = name.trim();
        // A name must not be taken for a move, a head line or a result code.
        let plain = !name.is_empty()
            && !name.starts_with("Piskvorky")
            && !name.starts_with(|c: char| c.is_ascii_digit() || c == '-' || c == '+')
            && !name.contains(['\r', '\n']);
        out.extend_from_slice(if plain { name } else { missing }.as_bytes());
        out.extend_from_slice(b"\r\n");
    }
    let to_move = side_to_move(record.moves.len());
    let lost = *outcome == Outcome::Win(!to_move) && !ends_in_five(record);
    write_number(if lost { reason as i64 } else { -1 }, out);
    out.extend_from_slice(b"\r\n");
    true
}

fn ends_in_five(record: &Record) -> bool {
    let mut replay = crate::replay::Replay::new(record.header.size, record.header.rule);
    replay.verify(record).is_ok() && replay.winner().is_some()
}
