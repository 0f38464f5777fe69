//! Which format some bytes are in.

use crate::moves::{Rows, read_moves, read_number, words};
use crate::record::Outcome;
use crate::{openings, renlib, tables};
use fivestone_game::{Rule, Size};
use std::fmt;
use std::str::FromStr;

/// How much of a file is looked at.
pub const SAMPLE: usize = 64 * 1024;

/// A format of game records.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Format {
    /// Piskvork's `.psq`.
    Psq,
    /// Smart Game Format.
    Sgf,
    /// `RenLib`'s `.lib`.
    Lib,
    /// `RenjuNet`'s XML.
    Rif,
    /// Rounds as `1. h8 g7 2. e11 ...`.
    Playok,
    /// Offsets from the centre.
    Openings,
    /// One byte a move.
    Pos,
    /// Yixin-Board's `.sav`.
    Sav,
    /// One game a line, with or without its result in front, and Gomocalc links.
    Text,
    /// As text, but with row 1 at the top. It looks the same and has to be asked for.
    TopText,
    /// A table of engine games.
    Engines,
    /// Games with a score for every move.
    Teacher,
    /// Positions as JSON lines.
    Positions,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 13] = [
        Format::Psq,
        Format::Sgf,
        Format::Lib,
        Format::Rif,
        Format::Playok,
        Format::Openings,
        Format::Pos,
        Format::Sav,
        Format::Text,
        Format::TopText,
        Format::Engines,
        Format::Teacher,
        Format::Positions,
    ];

    /// The word for it in arguments.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Psq => "psq",
            Format::Sgf => "sgf",
            Format::Lib => "lib",
            Format::Rif => "rif",
            Format::Playok => "playok",
            Format::Openings => "openings",
            Format::Pos => "pos",
            Format::Sav => "sav",
            Format::Text => "text",
            Format::TopText => "top-text",
            Format::Engines => "engines",
            Format::Teacher => "teacher",
            Format::Positions => "positions",
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = String;

    fn from_str(word: &str) -> Result<Format, String> {
        Format::ALL.into_iter().find(|format| format.name() == word).ok_or_else(|| {
            format!("unknown format \"{word}\" (one of: {})", Format::ALL.map(Format::name).join(", "))
        })
    }
}

/// Recognises a format by the beginning of a file; `whole` says that there is no more of it.
pub fn detect(sample: &[u8], whole: bool) -> Option<Format> {
    if sample.starts_with(renlib::MAGIC) {
        return Some(Format::Lib);
    }
    let text = sample.strip_prefix(b"\xef\xbb\xbf").unwrap_or(sample).trim_ascii_start();
    if text.starts_with(b"Piskvorky") {
        return Some(Format::Psq);
    }
    if text.starts_with(b"<") {
        return Some(Format::Rif);
    }
    if looks_like_sgf(text) {
        return Some(Format::Sgf);
    }
    if text.starts_with(tables::TABLE_HEAD) {
        return Some(Format::Engines);
    }
    let lines = || text.split(|&byte| byte == b'\n').map(<[u8]>::trim_ascii).filter(|line| !line.is_empty());
    // A broken line or two must not hide what the others are.
    lines()
        .filter(|line| !line.starts_with(b"#") || line.starts_with(b"#/"))
        .take(20)
        .find_map(|line| detect_line(line, text, whole))
        .or_else(|| looks_like_pos(sample, whole).then_some(Format::Pos))
        .or_else(|| {
            lines()
                .all(|line| line.starts_with(b"#"))
                .then_some(Format::Text)
                .filter(|_| lines().next().is_some())
        })
}

fn detect_line(line: &[u8], text: &[u8], whole: bool) -> Option<Format> {
    if line.starts_with(b"{") {
        return Some(Format::Positions);
    }
    let first = words(line).next()?;
    let is_tag = || line.starts_with(b"[") && line.contains(&b'"');
    if is_tag() || first.strip_suffix(b".").is_some_and(|round| read_number(round).is_some()) {
        return Some(Format::Playok);
    }
    if let [b'1', b'.', letter, ..] = line
        && letter.is_ascii_alphabetic()
    {
        return Some(Format::Playok);
    }
    if Outcome::from_word(first).is_some() || memchr::memmem::find(line, b"#/").is_some() {
        return Some(Format::Text);
    }
    if std::str::from_utf8(first).is_ok_and(|word| word.parse::<Rule>().is_ok()) {
        return Some(Format::Teacher);
    }
    if openings::reach(line).is_some() {
        return Some(Format::Openings);
    }
    if looks_like_sav(text) {
        return Some(Format::Sav);
    }
    // The last line of a sample may be cut.
    let cut = !whole && std::ptr::eq(line.as_ptr_range().end, text.as_ptr_range().end);
    let mut moves = Vec::new();
    let reads = read_moves(line, Size::MAX, Rows::FromBottom, &mut moves).is_ok();
    (reads || cut && moves.len() > 8).then_some(Format::Text).filter(|_| !moves.is_empty())
}

/// The board that opening offsets need: the first of 15, 20 and 22 that holds all of the sample.
pub fn opening_size(sample: &[u8]) -> Size {
    let lines = sample.split(|&byte| byte == b'\n').filter_map(openings::reach);
    let (low, high) = lines.fold((0, 0), |(low, high), (a, b)| (low.max(a), high.max(b)));
    let fits = |side: &usize| low <= (*side / 2) as i64 && high < (*side - *side / 2) as i64;
    [15, 20, 22].into_iter().find(fits).and_then(Size::new).unwrap_or(Size::STANDARD)
}

fn looks_like_sgf(text: &[u8]) -> bool {
    let opens = |text: &[u8]| {
        text.strip_prefix(b"(")
            .is_some_and(|rest| matches!(rest.trim_ascii_start().first(), Some(b';' | b'(')))
    };
    // Mail headers and the like may stand before the first game.
    opens(text)
        || memchr::memmem::find_iter(text, b"(")
            .take(100)
            .any(|at| opens(&text[at..]) && memchr::memmem::find(&text[at..], b"[").is_some())
}

fn looks_like_sav(text: &[u8]) -> bool {
    let mut numbers = words(text).take(3).map(read_number);
    let (rows, columns, count) = (numbers.next(), numbers.next(), numbers.next());
    matches!((rows, columns, count), (Some(Some(rows)), Some(Some(columns)), Some(Some(0..=484)))
        if rows == columns && (5..=22).contains(&rows))
}

fn looks_like_pos(sample: &[u8], whole: bool) -> bool {
    let Some((&count, cells)) = sample.split_first() else { return false };
    whole && cells.len() == usize::from(count) && cells.iter().all(|&cell| cell < 225)
}
