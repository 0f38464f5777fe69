//! `.pos` files: a byte with the number of moves, then one byte `row*15+col` for each, rows from the top.

use crate::problem::{Fault, Flaw};
use crate::record::{Header, Record};
use fivestone_game::{Point, Rule, Size};

/// Reads a whole file.
pub fn read(bytes: &[u8], rule: Option<Rule>) -> Result<Record, Flaw> {
    let Some((&count, moves)) = bytes.split_first() else { return Err(Fault::Truncated.into()) };
    let mut record = Record::new(Header::new(rule, Size::STANDARD));
    if moves.len() < usize::from(count) {
        return Err(Fault::Truncated.into());
    }
    if moves.len() > usize::from(count) {
        let more = moves.len() - usize::from(count);
        return Err(Fault::Malformed(format!("{more} bytes after the {count} moves of a .pos file")).into());
    }
    for (i, &cell) in moves.iter().enumerate() {
        let point = Point::new(usize::from(cell) % 15, usize::from(cell) / 15, Size::STANDARD);
        let point = point.ok_or_else(|| Flaw::at(i + 1, Fault::OffBoard(format!("cell {cell}"))))?;
        record.moves.push(Some(point));
    }
    Ok(record)
}
