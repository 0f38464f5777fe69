//! Moves as text: `h8`, whole games as `h8h9i10`.
//!
//! Letters from the left (i is not skipped), numbers from the bottom.

use crate::{Point, Size};
use std::fmt;

/// Why a move text cannot be read, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum NotationError {
    /// Something else than a letter and a number, at this byte of the text.
    NotAMove {
        /// Byte offset in the text.
        at: usize,
        /// What stands there.
        found: String,
    },
    /// A well-formed move that is not on this board.
    OffBoard {
        /// Byte offset in the text.
        at: usize,
        /// The move as written.
        found: String,
        /// The board's size.
        size: Size,
    },
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotationError::NotAMove { at, found } => {
                write!(
                    f,
                    "\"{found}\" at character {} is not a move (write a letter and a number: h8)",
                    at + 1
                )
            }
            NotationError::OffBoard { at, found, size } => {
                write!(f, "{found} at character {} is off the {size}x{size} board", at + 1)
            }
        }
    }
}

impl std::error::Error for NotationError {}

impl Point {
    /// The move as text on a board of this size: `h8`.
    pub fn name(self, size: Size) -> String {
        let letter = char::from(b'a' + self.x() as u8);
        format!("{letter}{}", size.side() - self.y())
    }

    /// Reads one move; nothing else may stand in the text.
    pub fn parse(text: &str, size: Size) -> Result<Point, NotationError> {
        let (point, rest) = read_move(text, 0, size)?;
        if rest == text.len() { Ok(point) } else { Err(not_a_move(text, 0)) }
    }
}

/// Reads a game: moves one after the other, with any white space or commas between them.
pub fn parse_moves(text: &str, size: Size) -> Result<Vec<Point>, NotationError> {
    let separator = |byte: u8| byte.is_ascii_whitespace() || byte == b',' || byte == b';';
    let bytes = text.as_bytes();
    let (mut at, mut moves) = (0, Vec::new());
    loop {
        while at < bytes.len() && separator(bytes[at]) {
            at += 1;
        }
        if at == bytes.len() {
            return Ok(moves);
        }
        let (point, next) = read_move(text, at, size)?;
        moves.push(point);
        at = next;
    }
}

/// A game as text: `h8h9i10`.
pub fn format_moves(moves: impl IntoIterator<Item = Point>, size: Size) -> String {
    moves.into_iter().map(|point| point.name(size)).collect()
}

/// Reads the move that starts at a byte; answers it and where it ends.
fn read_move(text: &str, start: usize, size: Size) -> Result<(Point, usize), NotationError> {
    let bytes = text.as_bytes();
    let letter = bytes.get(start).map(u8::to_ascii_lowercase).filter(u8::is_ascii_lowercase);
    let digits =
        bytes[(start + 1).min(bytes.len())..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (Some(letter), 1..=4) = (letter, digits) else { return Err(not_a_move(text, start)) };
    let end = start + 1 + digits;
    let number: usize = text[start + 1..end].parse().expect("at most four digits");
    let column = usize::from(letter - b'a');
    let point =
        size.side().checked_sub(number).filter(|_| number > 0).and_then(|row| Point::new(column, row, size));
    match point {
        Some(point) => Ok((point, end)),
        None => Err(NotationError::OffBoard { at: start, found: text[start..end].to_owned(), size }),
    }
}

fn not_a_move(text: &str, at: usize) -> NotationError {
    const SHOWN: usize = 12;
    let start = (0..=at).rev().find(|&i| text.is_char_boundary(i)).unwrap_or(0);
    let found = text[start..].chars().take_while(|c| !c.is_whitespace()).take(SHOWN);
    NotationError::NotAMove { at, found: found.map(|c| if c.is_control() { '?' } else { c }).collect() }
}
