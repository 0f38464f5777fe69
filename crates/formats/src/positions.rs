//! Positions as JSON lines: `{"size": 15, "rule": "renju", "moves": "h8 h9"}`, or stones as
//! `{"size": 15, "side": "black", "black": ["h8"], "white": ["h9"]}`. Other keys are ignored.

use crate::moves::{Rows, read_moves};
use crate::problem::{Fault, Flaw};
use crate::record::{Header, Outcome, Record, Turn, stones_to_moves};
use fivestone_game::{Color, Point, Rule, Size};
use serde_json::Value;

/// Reads one line; nothing if it is empty.
pub(crate) fn parse(line: &[u8], rule: Option<Rule>, size: Size) -> Option<Result<Record, Flaw>> {
    (!line.trim_ascii().is_empty()).then(|| read(line, rule, size))
}

fn read(line: &[u8], given: Option<Rule>, size: Size) -> Result<Record, Flaw> {
    // serde_json refuses nesting deeper than 128 by itself.
    let value: Value =
        serde_json::from_slice(line).map_err(|error| Fault::Malformed(format!("not JSON: {error}")))?;
    let size = match value.get("size") {
        None => size,
        Some(side) => side
            .as_u64()
            .and_then(|side| Size::new(side as usize))
            .ok_or_else(|| Fault::BadSize(side.to_string().chars().take(24).collect()))?,
    };
    let named = match value.get("rule").and_then(Value::as_str) {
        Some(word) if given.is_none() => Some(word.parse::<Rule>().map_err(|e| Fault::UnknownRule(e.0))?),
        _ => given,
    };
    let mut record = Record::new(Header::new(named, size));
    if let Some(word) = value.get("result").and_then(Value::as_str) {
        record.header.outcome = Outcome::from_word(word.as_bytes()).unwrap_or_default();
    }
    if let Some(moves) = value.get("moves").and_then(Value::as_str) {
        read_moves(moves.as_bytes(), size, Rows::FromBottom, &mut record.moves)?;
        return Ok(record);
    }
    let (black, white) = (stones(&value["black"], size)?, stones(&value["white"], size)?);
    let to_move = match value.get("side").and_then(Value::as_str) {
        Some("black") => Color::Black,
        Some("white") => Color::White,
        _ if black.len() > white.len() => Color::White,
        _ => Color::Black,
    };
    record.moves = stones_to_moves(&black, &white, to_move);
    record.opening = record.moves.len();
    Ok(record)
}

fn stones(list: &Value, size: Size) -> Result<Vec<Point>, Flaw> {
    let mut moves: Vec<Turn> = Vec::new();
    let list = list.as_array().ok_or_else(|| Fault::Malformed("neither moves nor stones".to_owned()))?;
    for stone in list {
        let name = stone.as_str().unwrap_or_default();
        read_moves(name.as_bytes(), size, Rows::FromBottom, &mut moves)?;
    }
    Ok(moves.into_iter().flatten().collect())
}
