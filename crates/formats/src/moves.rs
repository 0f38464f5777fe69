//! Moves as bytes, read and written without allocation: files hold millions.

use crate::problem::{Fault, Flaw, shown};
use crate::record::{MOST_PLIES, Turn};
use fivestone_game::{Point, Size};

/// Where the numbers of the rows start.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rows {
    /// 1 is the bottom row.
    FromBottom,
    /// 1 is the top row.
    FromTop,
}

/// Reads the move at the start of some bytes; answers it and its length.
pub fn read_move(bytes: &[u8], size: Size, rows: Rows) -> Result<(Point, usize), Fault> {
    let column = match bytes.first() {
        Some(letter) if letter.is_ascii_alphabetic() => usize::from((letter | 0x20) - b'a'),
        _ => return Err(not_a_move(bytes)),
    };
    let (mut number, mut length) = (0, 1);
    while let Some(digit) = bytes.get(length).filter(|byte| byte.is_ascii_digit()) {
        if length > 4 {
            return Err(not_a_move(bytes));
        }
        number = number * 10 + usize::from(digit - b'0');
        length += 1;
    }
    if length == 1 {
        return Err(not_a_move(bytes));
    }
    let row = match rows {
        Rows::FromBottom => size.side().wrapping_sub(number),
        Rows::FromTop => number.wrapping_sub(1),
    };
    match Point::new(column, row, size) {
        Some(point) if number > 0 => Ok((point, length)),
        _ => Err(Fault::OffBoard(shown(&bytes[..length]))),
    }
}

/// Reads moves one after the other with any blanks, commas or semicolons between them; `--` and `pass` are passes.
pub fn read_moves(bytes: &[u8], size: Size, rows: Rows, moves: &mut Vec<Turn>) -> Result<(), Flaw> {
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' | b',' | b';' => at += 1,
            b'-' if bytes[at..].starts_with(b"--") => {
                moves.push(None);
                at += 2;
            }
            b'p' if bytes[at..].starts_with(b"pass") => {
                moves.push(None);
                at += 4;
            }
            _ => {
                let (point, length) =
                    read_move(&bytes[at..], size, rows).map_err(|fault| Flaw::at(moves.len() + 1, fault))?;
                moves.push(Some(point));
                at += length;
            }
        }
        if moves.len() > MOST_PLIES {
            return Err(Flaw::at(moves.len(), Fault::TooLarge("more plies than any game has")));
        }
    }
    Ok(())
}

/// Appends a move, `--` for a pass.
pub fn write_move(turn: Turn, size: Size, out: &mut Vec<u8>) {
    let Some(point) = turn else {
        out.extend_from_slice(b"--");
        return;
    };
    out.push(b'a' + point.x() as u8);
    write_number((size.side() - point.y()) as i64, out);
}

/// Appends a number in decimal.
pub fn write_number(number: i64, out: &mut Vec<u8>) {
    let mut digits = [0; 20];
    let (mut rest, mut start) = (number.unsigned_abs(), digits.len());
    loop {
        start -= 1;
        digits[start] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    if number < 0 {
        out.push(b'-');
    }
    out.extend_from_slice(&digits[start..]);
}

/// Reads a whole number that fills all of the bytes.
pub fn read_number(bytes: &[u8]) -> Option<i64> {
    let (negative, digits) = match bytes {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, bytes),
    };
    if digits.is_empty() || digits.len() > 15 || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let value = digits.iter().fold(0, |value, digit| value * 10 + i64::from(digit - b'0'));
    Some(if negative { -value } else { value })
}

/// Reads a board size.
pub fn read_size(bytes: &[u8]) -> Result<Size, Fault> {
    read_number(bytes)
        .and_then(|side| usize::try_from(side).ok())
        .and_then(Size::new)
        .ok_or_else(|| Fault::BadSize(shown(bytes)))
}

/// The words of a line: what stands between blanks.
pub fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty())
}

fn not_a_move(bytes: &[u8]) -> Fault {
    let end = bytes.iter().position(u8::is_ascii_whitespace).unwrap_or(bytes.len());
    Fault::NotAMove(shown(&bytes[..end]))
}
