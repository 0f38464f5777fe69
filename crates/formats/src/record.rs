//! A game without branches, and what is known about it.

use fivestone_game::{Color, Point, Rule, Size};
use std::fmt;

/// One ply: a stone, or nothing for a pass. The turn changes either way.
pub type Turn = Option<Point>;

/// More plies than this are no game: twice the cells of the largest board and some passes.
pub const MOST_PLIES: usize = 1024;

/// How a game ended, as its record says.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Outcome {
    /// Not told.
    #[default]
    Unknown,
    /// This side won.
    Win(Color),
    /// Nobody won.
    Draw,
}

impl Outcome {
    /// Every outcome, in the order of their [`Outcome::index`].
    pub const ALL: [Outcome; 4] =
        [Outcome::Unknown, Outcome::Win(Color::Black), Outcome::Win(Color::White), Outcome::Draw];

    /// 0 unknown, 1 Black won, 2 White won, 3 draw.
    pub const fn index(self) -> usize {
        match self {
            Outcome::Unknown => 0,
            Outcome::Win(Color::Black) => 1,
            Outcome::Win(Color::White) => 2,
            Outcome::Draw => 3,
        }
    }

    /// The word for it in text files: `unknown`, `black`, `white`, `draw`.
    pub const fn word(self) -> &'static str {
        match self {
            Outcome::Unknown => "unknown",
            Outcome::Win(Color::Black) => "black",
            Outcome::Win(Color::White) => "white",
            Outcome::Draw => "draw",
        }
    }

    /// Reads one of the words of [`Outcome::word`].
    pub fn from_word(word: &[u8]) -> Option<Outcome> {
        Outcome::ALL.into_iter().find(|outcome| outcome.word().as_bytes().eq_ignore_ascii_case(word))
    }

    /// Reads a score: `1-0`, `0-1`, `1/2-1/2`, `1/2`, `0.5-0.5` or `*`, Black's points first.
    pub fn from_score(score: &[u8]) -> Option<Outcome> {
        match score {
            b"1-0" => Some(Outcome::Win(Color::Black)),
            b"0-1" => Some(Outcome::Win(Color::White)),
            b"1/2-1/2" | b"1/2" | b"0.5-0.5" => Some(Outcome::Draw),
            b"*" => Some(Outcome::Unknown),
            _ => None,
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// What is known about a game besides its moves.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Header {
    /// The rule, where the file or the caller tells it.
    pub rule: Option<Rule>,
    /// The board.
    pub size: Size,
    /// The result.
    pub outcome: Outcome,
    /// Who played Black; empty when unknown.
    pub black: String,
    /// Who played White; empty when unknown.
    pub white: String,
    /// The tournament or occasion; empty when unknown.
    pub event: String,
}

impl Header {
    /// A header that tells rule and size only.
    pub fn new(rule: Option<Rule>, size: Size) -> Header {
        Header {
            rule,
            size,
            outcome: Outcome::Unknown,
            black: String::new(),
            white: String::new(),
            event: String::new(),
        }
    }
}

/// A game: its header and its plies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Record {
    /// What is known besides the moves.
    pub header: Header,
    /// The plies, Black first.
    pub moves: Vec<Turn>,
    /// How many of the first plies were given and not chosen.
    pub opening: usize,
    /// Thinking time of each ply in milliseconds, or empty.
    pub times: Vec<u32>,
    /// Score of each ply from its player's view in hundredths, or empty.
    pub scores: Vec<Option<i32>>,
}

impl Record {
    /// A record with a header and no moves yet.
    pub fn new(header: Header) -> Record {
        Record { header, moves: Vec::new(), opening: 0, times: Vec::new(), scores: Vec::new() }
    }

    /// How many plies are stones, passes left out.
    pub fn stones(&self) -> usize {
        self.moves.iter().flatten().count()
    }
}

/// Whose turn it is after so many plies.
pub fn side_to_move(plies: usize) -> Color {
    if plies.is_multiple_of(2) { Color::Black } else { Color::White }
}

/// A position given by its stones as a game that leads to it: the stones of each side in turn, with passes where one
/// side has fewer.
pub fn stones_to_moves(black: &[Point], white: &[Point], to_move: Color) -> Vec<Turn> {
    let mut moves = Vec::with_capacity(2 * black.len().max(white.len()));
    for i in 0..black.len().max(white.len()) {
        moves.push(black.get(i).copied());
        moves.push(white.get(i).copied());
    }
    if moves.last() == Some(&None) {
        moves.pop();
    }
    if side_to_move(moves.len()) != to_move {
        moves.push(None);
    }
    moves
}
