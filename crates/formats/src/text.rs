//! Plain text moves: one game a line, as `h8h9i10` or `h8 h9 i10`, with or without the result in front
//! (`black h8 h9 ...`), and Gomocalc links (`https://gomocalc.com/#/h8h9i10`).
//!
//! A line that starts with `#` is a comment. The comment `# rule renju size 20` tells what the lines after it are.

use crate::moves::{Rows, read_moves, read_size, words, write_move};
use crate::problem::{Fault, Flaw, shown};
use crate::record::{Header, Outcome, Record};
use fivestone_game::{Rule, Size};

/// What lines mean that do not say it themselves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context {
    pub rule: Option<Rule>,
    pub size: Size,
    pub rows: Rows,
}

/// Reads one line; nothing if it holds no game.
pub(crate) fn parse(line: &[u8], context: &mut Context) -> Option<Result<Record, Flaw>> {
    let line = line.trim_ascii();
    let moves = match (memchr::memmem::find(line, b"#/"), line.first()) {
        (_, None) => return None,
        (Some(link), _) => &line[link + 2..],
        (None, Some(b'#')) => return read_directive(&line[1..], context).err().map(Err),
        _ => line,
    };
    let mut record = Record::new(Header::new(context.rule, context.size));
    let first = moves.iter().position(u8::is_ascii_whitespace).unwrap_or(moves.len());
    let moves = match Outcome::from_word(&moves[..first]) {
        Some(outcome) => {
            record.header.outcome = outcome;
            &moves[first..]
        }
        None => moves,
    };
    record.moves.reserve(moves.len() / 3);
    Some(read_moves(moves, context.size, context.rows, &mut record.moves).map(|()| record))
}

fn read_directive(comment: &[u8], context: &mut Context) -> Result<(), Flaw> {
    let mut rest = words(comment);
    let (mut rule, mut size) = (context.rule, context.size);
    while let Some(key) = rest.next() {
        match (key, rest.next()) {
            (b"rule", Some(b"unknown")) => rule = None,
            (b"rule", Some(word)) => {
                let name = String::from_utf8_lossy(word);
                rule = Some(name.parse().map_err(|_| Fault::UnknownRule(shown(word)))?);
            }
            (b"size", Some(word)) => size = read_size(word)?,
            _ => return Ok(()),
        }
    }
    (context.rule, context.size) = (rule, size);
    Ok(())
}

/// Writes games as lines with their result in front, telling rule and size whenever they change.
#[derive(Clone, Debug)]
pub struct Writer {
    rule: Option<Rule>,
    size: Size,
}

impl Default for Writer {
    fn default() -> Writer {
        Writer { rule: None, size: Size::STANDARD }
    }
}

impl Writer {
    /// Appends a game.
    pub fn write(&mut self, record: &Record, out: &mut Vec<u8>) {
        let Header { rule, size, outcome, .. } = record.header;
        if (rule, size) != (self.rule, self.size) {
            let name = rule.map_or("unknown", Rule::name);
            out.extend_from_slice(format!("# rule {name} size {size}\n").as_bytes());
            (self.rule, self.size) = (rule, size);
        }
        out.extend_from_slice(outcome.word().as_bytes());
        for &turn in &record.moves {
            out.push(b' ');
            write_move(turn, size, out);
        }
        out.push(b'\n');
    }
}

/// Appends the moves alone, as `h8h9i10`.
pub fn write_moves(record: &Record, out: &mut Vec<u8>) {
    for &turn in &record.moves {
        write_move(turn, record.header.size, out);
    }
    out.push(b'\n');
}
