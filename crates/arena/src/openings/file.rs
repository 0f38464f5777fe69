//! Opening files: one opening per line.

use fivestone_game::notation::NotationError;
use fivestone_game::{Board, GameEnd, IllegalSequence, Point, Rule, Size, notation};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// How openings are written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileFormat {
    /// `dx,dy, dx,dy, ...`: steps right and down from the centre, as Gomocup writes them.
    Offset,
    /// `h8h9i10`: letters from the left and numbers from the top, as c-gomoku-cli writes them.
    Pos,
    /// `h8h9i10`: letters from the left and numbers from the bottom, as everybody else writes them.
    Moves,
}

impl FromStr for FileFormat {
    type Err = UnknownFormat;

    fn from_str(word: &str) -> Result<FileFormat, UnknownFormat> {
        match word {
            "offset" => Ok(FileFormat::Offset),
            "pos" => Ok(FileFormat::Pos),
            "moves" => Ok(FileFormat::Moves),
            _ => Err(UnknownFormat(word.to_owned())),
        }
    }
}

/// A word that names no format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownFormat(pub String);

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unknown type \"{}\" of opening file (one of: offset, pos, moves)", self.0)
    }
}

impl std::error::Error for UnknownFormat {}

/// Why a line is no opening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadOpening {
    /// A move is not written as one.
    NotAMove(NotationError),
    /// A step is no number.
    NotANumber(String),
    /// The last step right has no step down.
    HalfAStep,
    /// A move cannot be played.
    Illegal(IllegalSequence),
    /// The game is over after it.
    Over(GameEnd),
}

impl fmt::Display for BadOpening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadOpening::NotAMove(error) => write!(f, "{error}"),
            BadOpening::NotANumber(word) => write!(f, "\"{word}\" is not a whole number"),
            BadOpening::HalfAStep => f.write_str("a step right has no step down beside it"),
            BadOpening::Illegal(illegal) => illegal.fmt(f),
            BadOpening::Over(end) => write!(f, "the game is over after it: {end}"),
        }
    }
}

impl std::error::Error for BadOpening {}

/// What is wrong in an opening file, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OpeningFileError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong with it.
    pub problem: BadOpening,
}

impl fmt::Display for OpeningFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl std::error::Error for OpeningFileError {}

/// The openings of a file.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct OpeningFile {
    /// Those that fit on the board.
    pub openings: Vec<Vec<Point>>,
    /// Lines, from 1, of those that do not because the board is too small.
    pub too_large: Vec<usize>,
}

/// Why a line is not taken.
enum BadLine {
    TooLarge,
    Wrong(BadOpening),
}

impl From<NotationError> for BadLine {
    fn from(error: NotationError) -> BadLine {
        match error {
            NotationError::OffBoard { .. } => BadLine::TooLarge,
            error @ NotationError::NotAMove { .. } => BadLine::Wrong(BadOpening::NotAMove(error)),
        }
    }
}

/// Reads a file; empty lines and lines that begin with `#` or `;` are passed over. Every opening that fits on the board must be
/// playable and not end the game.
pub fn read_openings(
    text: &str,
    format: FileFormat,
    size: Size,
    rule: Rule,
) -> Result<OpeningFile, OpeningFileError> {
    let mut file = OpeningFile::default();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim_start_matches('\u{feff}').trim();
        if line.is_empty() || line.starts_with(['#', ';']) {
            continue;
        }
        let fail = |problem| OpeningFileError { line: index + 1, problem };
        let opening = match format {
            FileFormat::Offset => read_offsets(line, size),
            FileFormat::Pos => read_from_top(line, size),
            FileFormat::Moves => notation::parse_moves(line, size).map_err(BadLine::from),
        };
        let opening = match opening {
            Ok(opening) => opening,
            Err(BadLine::TooLarge) => {
                file.too_large.push(index + 1);
                continue;
            }
            Err(BadLine::Wrong(problem)) => return Err(fail(problem)),
        };
        let board =
            Board::from_moves(size, rule, &opening).map_err(|illegal| fail(BadOpening::Illegal(illegal)))?;
        if let Some(end) = board.end() {
            return Err(fail(BadOpening::Over(end)));
        }
        file.openings.push(opening);
    }
    Ok(file)
}

/// Writes openings, one per line.
pub fn write_openings(openings: &[Vec<Point>], format: FileFormat, size: Size) -> String {
    let mut text = String::new();
    for opening in openings {
        let line = match format {
            FileFormat::Offset => {
                let centre = size.centre();
                let step = |a: usize, b: usize| a as isize - b as isize;
                let offsets: Vec<String> = opening
                    .iter()
                    .map(|p| format!("{},{}", step(p.x(), centre.x()), step(p.y(), centre.y())))
                    .collect();
                offsets.join(", ")
            }
            FileFormat::Pos => opening.iter().map(|&point| flipped(point, size).name(size)).collect(),
            FileFormat::Moves => notation::format_moves(opening.iter().copied(), size),
        };
        text.push_str(&line);
        text.push('\n');
    }
    text
}

fn read_offsets(line: &str, size: Size) -> Result<Vec<Point>, BadLine> {
    let numbers: Vec<isize> = line
        .split(|c: char| c == ',' || c.is_whitespace())
        .filter(|word| !word.is_empty())
        .map(|word| word.parse().map_err(|_| BadLine::Wrong(BadOpening::NotANumber(word.to_owned()))))
        .collect::<Result<_, _>>()?;
    if !numbers.len().is_multiple_of(2) {
        return Err(BadLine::Wrong(BadOpening::HalfAStep));
    }
    let points = numbers.chunks_exact(2).map(|step| size.centre().offset(step[0], step[1], size));
    points.collect::<Option<_>>().ok_or(BadLine::TooLarge)
}

fn read_from_top(line: &str, size: Size) -> Result<Vec<Point>, BadLine> {
    let moves = notation::parse_moves(line, size)?;
    Ok(moves.into_iter().map(|point| flipped(point, size)).collect())
}

fn flipped(point: Point, size: Size) -> Point {
    Point::new(point.x(), size.side() - 1 - point.y(), size).expect("a mirrored point stays on the board")
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: Size = Size::STANDARD;

    #[test]
    fn the_three_formats_name_the_same_points() {
        let read = |text: &str, format| read_openings(text, format, SIZE, Rule::Freestyle).unwrap().openings;
        let offsets = read("# two\n\n0,0, 1,-1,  -2,3\r\n0,0\n", FileFormat::Offset);
        assert_eq!(offsets, read("h8i7f11\nh8", FileFormat::Pos));
        assert_eq!(offsets, read("h8 i9 f5\nh8", FileFormat::Moves));
        for format in [FileFormat::Offset, FileFormat::Pos, FileFormat::Moves] {
            assert_eq!(read(&write_openings(&offsets, format, SIZE), format), offsets);
        }
    }

    #[test]
    fn openings_of_a_larger_board_are_passed_over() {
        for (text, format) in [("0,0\n0,9\n1,1", FileFormat::Offset), ("h8\nh20\ni9", FileFormat::Moves)] {
            let file = read_openings(text, format, SIZE, Rule::Freestyle).unwrap();
            assert_eq!((file.openings.len(), file.too_large), (2, vec![2]));
        }
    }

    #[test]
    fn mistakes_are_named_with_their_line() {
        let fail = |text, format| read_openings(text, format, SIZE, Rule::Freestyle).unwrap_err().to_string();
        assert_eq!(fail("0,0\n0,x", FileFormat::Offset), "line 2: \"x\" is not a whole number");
        assert_eq!(fail("0,0,1", FileFormat::Offset), "line 1: a step right has no step down beside it");
        assert_eq!(fail("0,0, 0,0", FileFormat::Offset), "line 1: move 2: the point is occupied");
        let won = "a1a15b1b15c1c15d1d15e1";
        assert!(fail(won, FileFormat::Moves).contains("the game is over"));
    }
}
