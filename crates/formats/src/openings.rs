//! Gomocup opening lists: one opening a line, `dx,dy, dx,dy, ...`, offsets from the centre.

use crate::moves::{read_number, write_number};
use crate::problem::{Fault, Flaw, shown};
use crate::record::{Header, Record};
use fivestone_game::{Rule, Size};

/// Reads one opening; nothing for an empty line.
pub(crate) fn parse(line: &[u8], rule: Option<Rule>, size: Size) -> Option<Result<Record, Flaw>> {
    let line = line.trim_ascii();
    (!line.is_empty()).then(|| read(line, rule, size))
}

fn read(line: &[u8], rule: Option<Rule>, size: Size) -> Result<Record, Flaw> {
    let mut record = Record::new(Header::new(rule, size));
    let mut offsets = numbers(line);
    while let Some(dx) = offsets.next() {
        let ply = record.moves.len() + 1;
        let malformed = || Flaw::at(ply, Fault::Malformed(format!("\"{}\" is not dx,dy, ...", shown(line))));
        let (Some(dx), Some(Some(dy))) = (dx, offsets.next()) else { return Err(malformed()) };
        let point = size.centre().offset(dx as isize, dy as isize, size);
        let point = point.ok_or_else(|| Flaw::at(ply, Fault::OffBoard(format!("{dx},{dy}"))))?;
        record.moves.push(Some(point));
    }
    record.opening = record.moves.len();
    Ok(record)
}

/// The numbers of a line; nothing in place of one that cannot be read.
fn numbers(line: &[u8]) -> impl Iterator<Item = Option<i64>> {
    let line = line.trim_ascii();
    let line = line.strip_suffix(b",").unwrap_or(line);
    line.split(|&byte| byte == b',').map(|word| read_number(word.trim_ascii()).filter(|n| n.abs() < 64))
}

/// Whether a line looks like an opening, and how far from the centre its moves go to the left or up and to the
/// right or down.
pub(crate) fn reach(line: &[u8]) -> Option<(i64, i64)> {
    let (mut count, mut low, mut high) = (0, 0, 0);
    for number in numbers(line) {
        let number = number?;
        (low, high) = (low.min(number), high.max(number));
        count += 1;
    }
    (count > 0 && count % 2 == 0).then_some((-low, high))
}

/// Appends the game's plies as an opening. A pass cannot be told and ends it.
pub fn write(record: &Record, out: &mut Vec<u8>) {
    let centre = record.header.size.centre();
    for (i, point) in record.moves.iter().map_while(|&turn| turn).enumerate() {
        if i > 0 {
            out.extend_from_slice(b", ");
        }
        write_number(point.x() as i64 - centre.x() as i64, out);
        out.push(b',');
        write_number(point.y() as i64 - centre.y() as i64, out);
    }
    out.push(b'\n');
}
