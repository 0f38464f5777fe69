//! Boards as text, both ways.
//!
//! ```text
//!    a b c d e
//!  5 . . . . .
//!  4 . x . . .
//!  3 . . o . .
//!  2 . . . . .
//!  1 . . . . .
//! ```

use crate::{Board, Color, IllegalMove, Point, Rule, Size};
use std::fmt;

/// Why a drawing cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum DrawingError {
    /// The number of rows is no board size.
    Size(usize),
    /// A row has another number of cells than there are rows.
    Row {
        /// Row from the top, from 1.
        row: usize,
        /// Its cells.
        cells: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A mark that is neither a stone nor an empty cell.
    Mark {
        /// Row from the top, from 1.
        row: usize,
        /// The mark.
        mark: char,
    },
    /// A stone the board refused.
    Illegal(IllegalMove),
}

impl fmt::Display for DrawingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DrawingError::Size(rows) => write!(f, "a drawing of {rows} rows: boards have 5 to 22"),
            DrawingError::Row { row, cells, expected } => {
                write!(f, "row {row} of the drawing has {cells} cells instead of {expected}")
            }
            DrawingError::Mark { row, mark } => {
                write!(f, "\"{mark}\" in row {row} of the drawing is not x (black), o (white) or . (empty)")
            }
            DrawingError::Illegal(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for DrawingError {}

impl Board {
    /// Reads a drawing: `x` or `X` black, `o` or `O` white, `.`, `-`, `+`, `_` or `*` empty. Row numbers and a line of
    /// column letters are allowed and ignored.
    pub fn parse_drawing(text: &str, rule: Rule, to_move: Color) -> Result<Board, DrawingError> {
        let rows: Vec<Vec<char>> = text.lines().map(cells_of_line).filter(|row| !row.is_empty()).collect();
        let size = Size::new(rows.len()).ok_or(DrawingError::Size(rows.len()))?;
        let mut stones = [Vec::new(), Vec::new()];
        for (y, row) in rows.iter().enumerate() {
            if row.len() != size.side() {
                return Err(DrawingError::Row { row: y + 1, cells: row.len(), expected: size.side() });
            }
            for (x, &mark) in row.iter().enumerate() {
                match mark {
                    'x' | 'X' => stones[0].push(Point::at(x, y)),
                    'o' | 'O' => stones[1].push(Point::at(x, y)),
                    '.' | '-' | '+' | '_' | '*' => {}
                    _ => return Err(DrawingError::Mark { row: y + 1, mark }),
                }
            }
        }
        Board::from_stones(size, rule, &stones[0], &stones[1], to_move).map_err(DrawingError::Illegal)
    }

    /// Draws the board with a mark of the caller's for each cell.
    pub fn draw(&self, mark: impl Fn(Point) -> char) -> String {
        use fmt::Write;
        let side = self.size().side();
        let letters: String = (0..side).map(|x| format!(" {}", char::from(b'a' + x as u8))).collect();
        let mut text = format!("   {}\n", &letters[1..]);
        for y in 0..side {
            let cells: String = (0..side).map(|x| format!(" {}", mark(Point::at(x, y)))).collect();
            writeln!(text, "{:2}{cells}", side - y).expect("writing to a string");
        }
        text
    }
}

/// The marks of a drawn row without its row number; nothing for a line of column letters.
fn cells_of_line(line: &str) -> Vec<char> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let first_is_number = words.first().is_some_and(|word| word.bytes().all(|b| b.is_ascii_digit()));
    let cells: Vec<char> =
        words[usize::from(first_is_number)..].iter().flat_map(|word| word.chars()).collect();
    let is_header = !first_is_number && cells.len() > 1 && cells[0] == 'a' && cells[1] == 'b';
    if is_header { Vec::new() } else { cells }
}

impl fmt::Display for Board {
    /// The stones: `x` black, `o` white, `.` empty.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.draw(|point| match self.stone(point) {
            Some(Color::Black) => 'x',
            Some(Color::White) => 'o',
            None => '.',
        }))
    }
}
