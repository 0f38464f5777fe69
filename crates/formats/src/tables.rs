//! Two layouts of large collections: tables of engine games, and games with a score for every move.
//!
//! The table has tab-separated columns with a head line: size, rule, engines, winner, opening plies, moves. The
//! scored layout is `rule size result opening move:score move:score ...`.

use crate::moves::{Rows, read_move, read_moves, read_number, read_size};
use crate::problem::{Fault, Flaw, shown};
use crate::record::{Header, Outcome, Record};
use fivestone_game::{Color, Rule};

/// How the head line of the table of engine games starts.
pub(crate) const TABLE_HEAD: &[u8] = b"size\trule\t";

/// Reads a line of the table of engine games; nothing for the head line and empty lines.
pub(crate) fn parse_row(line: &[u8], rule: Option<Rule>) -> Option<Result<Record, Flaw>> {
    if line.trim_ascii().is_empty() || line.starts_with(TABLE_HEAD) {
        return None;
    }
    Some(read_row(line, rule))
}

fn read_row(line: &[u8], given: Option<Rule>) -> Result<Record, Flaw> {
    let mut columns = line.split(|&byte| byte == b'\t');
    let mut column = |name: &str| {
        columns.next().ok_or_else(|| Fault::Malformed(format!("the column \"{name}\" is missing")))
    };
    let size = read_size(column("size")?)?;
    let rule = read_rule(column("rule")?, given)?;
    let mut header = Header::new(Some(rule), size);
    header.black = String::from_utf8_lossy(column("first engine")?).into_owned();
    header.white = String::from_utf8_lossy(column("second engine")?).into_owned();
    header.outcome = match column("winner")? {
        b"B" => Outcome::Win(Color::Black),
        b"W" => Outcome::Win(Color::White),
        b"D" => Outcome::Draw,
        _ => Outcome::Unknown,
    };
    let plies = column("opening plies")?;
    let opening = read_number(plies).and_then(|plies| usize::try_from(plies).ok());
    let opening = opening.ok_or_else(|| Fault::Malformed(format!("\"{}\" opening plies", shown(plies))))?;
    let moves = column("moves")?;
    let mut record = Record::new(header);
    record.moves.reserve(moves.len() / 3);
    read_moves(moves, size, Rows::FromBottom, &mut record.moves)?;
    record.opening = opening.min(record.moves.len());
    Ok(record)
}

/// Reads a line of scored moves; nothing for an empty line.
pub(crate) fn parse_scored(line: &[u8], rule: Option<Rule>) -> Option<Result<Record, Flaw>> {
    let line = line.trim_ascii();
    (!line.is_empty()).then(|| read_scored(line, rule))
}

fn read_scored(line: &[u8], given: Option<Rule>) -> Result<Record, Flaw> {
    let mut words = line.split(|&byte| byte == b' ').filter(|word| !word.is_empty()).peekable();
    let mut word =
        |name: &str| words.next().ok_or_else(|| Fault::Malformed(format!("the {name} is missing")));
    let rule = read_rule(word("rule")?, given)?;
    let size = read_size(word("size")?)?;
    let score = word("result")?;
    let mut header = Header::new(Some(rule), size);
    header.outcome = Outcome::from_score(score)
        .ok_or_else(|| Fault::Malformed(format!("\"{}\" is not a result", shown(score))))?;
    let mut record = Record::new(header);
    if let Some(opening) = words.next_if(|word| !word.contains(&b':')) {
        if opening != b"-" {
            read_moves(opening, size, Rows::FromBottom, &mut record.moves)?;
        }
        record.opening = record.moves.len();
        record.scores.resize(record.opening, None);
    }
    for word in words {
        let ply = record.moves.len() + 1;
        let (point, length) =
            read_move(word, size, Rows::FromBottom).map_err(|fault| Flaw::at(ply, fault))?;
        let score = word[length..].strip_prefix(b":").and_then(read_number);
        let score = score.and_then(|score| i32::try_from(score).ok());
        let Some(score) = score else {
            return Err(Flaw::at(ply, Fault::Malformed(format!("\"{}\" is not move:score", shown(word)))));
        };
        record.moves.push(Some(point));
        record.scores.push(Some(score));
    }
    Ok(record)
}

fn read_rule(word: &[u8], given: Option<Rule>) -> Result<Rule, Fault> {
    let name = String::from_utf8_lossy(word);
    given.or_else(|| name.parse().ok()).ok_or_else(|| Fault::UnknownRule(shown(word)))
}
