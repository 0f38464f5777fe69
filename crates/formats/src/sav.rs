//! `.sav` files of Yixin-Board: size, size, number of moves, then `row col` for each, from the top left, from 0.

use crate::moves::{read_number, words};
use crate::problem::{Fault, Flaw, shown};
use crate::record::{Header, Record};
use fivestone_game::{Point, Rule, Size};

/// Reads a whole file.
pub fn read(bytes: &[u8], rule: Option<Rule>) -> Result<Record, Flaw> {
    let mut words = words(bytes);
    let mut number = || {
        let word = words.next().ok_or(Fault::Truncated)?;
        let value = read_number(word).and_then(|value| usize::try_from(value).ok());
        value.ok_or_else(|| Fault::Malformed(format!("\"{}\" is not a number", shown(word))))
    };
    let (rows, columns) = (number()?, number()?);
    let size = Size::new(rows).filter(|_| rows == columns);
    let size = size.ok_or_else(|| Fault::BadSize(format!("{rows} {columns}")))?;
    let count = number()?;
    if count > size.cells() {
        return Err(Fault::Malformed(format!("{count} moves on a board of {} cells", size.cells())).into());
    }
    let mut record = Record::new(Header::new(rule, size));
    for ply in 1..=count {
        let pair = number().and_then(|row| Ok((row, number()?)));
        let (row, column) = pair.map_err(|fault| Flaw::at(ply, fault))?;
        let point = Point::new(column, row, size);
        let point = point.ok_or_else(|| Flaw::at(ply, Fault::OffBoard(format!("{row} {column}"))))?;
        record.moves.push(Some(point));
    }
    match words.next() {
        None => Ok(record),
        Some(word) => {
            Err(Fault::Malformed(format!("\"{}\" after the {count} moves of a .sav file", shown(word)))
                .into())
        }
    }
}
