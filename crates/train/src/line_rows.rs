//! Which lines get table rows of their own, and what rows are the sums of while they are learned.

use fivestone_nets::lines::{LINES, LineRows, NINE_LINES, SEVEN_ROWS, canonical_line, inner_nine};
use std::collections::BTreeMap;

/// A line needs to be met this often for a row of its own.
const OFTEN: u32 = 3;

/// Rows for the lines met most often, and for the inner nines of the others met most often.
pub fn frequent_rows(counts: &[u32], most_lines: usize, most_nines: usize) -> LineRows {
    let mut lines = vec![0; LINES];
    for (line, &count) in counts.iter().enumerate() {
        lines[canonical_line(line)] += count;
    }
    let chosen = most_frequent(&lines, most_lines);
    for &line in &chosen {
        lines[line as usize] = 0;
    }
    let mut nines = vec![0; NINE_LINES];
    for (line, &count) in lines.iter().enumerate().filter(|(_, count)| **count > 0) {
        nines[inner_nine(line)] += count;
    }
    LineRows::new(most_frequent(&nines, most_nines), chosen).expect("counted lines have legal numbers")
}

fn most_frequent(counts: &[u32], most: usize) -> Vec<u32> {
    let mut chosen: Vec<u32> = (0..counts.len() as u32).filter(|&i| counts[i as usize] >= OFTEN).collect();
    chosen.sort_by_key(|&i| (std::cmp::Reverse(counts[i as usize]), i));
    chosen.truncate(most);
    chosen
}

/// Cells of a window.
const WINDOW: usize = 5;
/// Contents of a window, four for each cell.
const CONTENTS: usize = 4_usize.pow(WINDOW as u32);
/// How far a window's middle is from that of the line at most.
const FARTHEST: usize = 3;
/// Windows by distance from the middle and content.
const WINDOWS: usize = (FARTHEST + 1) * CONTENTS;

/// What each row of a table is the sum of while it is learned: itself and parts that it shares with
/// other rows, so that rare lines learn from frequent ones. The parts are numbered after the rows.
#[derive(Clone, PartialEq, Debug)]
pub struct RowParts {
    factorised: bool,
    rows: usize,
    /// Inner nines without a row, which are parts only.
    nines: Vec<u32>,
    starts: Vec<u32>,
    parts: Vec<u32>,
}

impl RowParts {
    /// A row is itself and its inner seven cells; factorised also its inner nine cells and all
    /// windows of five cells in it.
    pub fn new(rows: &LineRows, factorised: bool) -> RowParts {
        let mut of =
            RowParts { factorised, rows: rows.rows(), nines: Vec::new(), starts: vec![0], parts: Vec::new() };
        let first_line = SEVEN_ROWS + rows.nines().len();
        let mut nines: BTreeMap<u32, u32> = (SEVEN_ROWS as u32..).zip(rows.nines()).map(swapped).collect();
        if factorised {
            let of_lines = rows.lines().iter().map(|&line| inner_nine(line as usize) as u32);
            for nine in of_lines {
                let next = (of.rows + of.nines.len()) as u32;
                nines.entry(nine).or_insert_with(|| {
                    of.nines.push(nine);
                    next
                });
            }
        }
        let first_window = of.rows + of.nines.len();
        for row in 0..of.rows {
            of.parts.push(row as u32);
            if row >= SEVEN_ROWS {
                of.parts.push(rows.seven_of(row as u16).into());
            }
            if factorised {
                if let Some(line) = row.checked_sub(first_line) {
                    of.parts.push(nines[&(inner_nine(rows.lines()[line] as usize) as u32)]);
                }
                of.parts.extend(windows(&rows.cells(row)).map(|window| (first_window + window) as u32));
            }
            of.starts.push(of.parts.len() as u32);
        }
        of
    }

    /// Whether rows have parts beyond their inner seven cells.
    pub fn factorised(&self) -> bool {
        self.factorised
    }

    /// Rows and parts.
    pub fn count(&self) -> usize {
        self.rows + if self.factorised { self.nines.len() + WINDOWS } else { 0 }
    }

    /// Rows, which come before the parts that are none.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// What a row is the sum of, itself first.
    #[inline(always)]
    pub fn of(&self, row: usize) -> &[u32] {
        &self.parts[self.starts[row] as usize..self.starts[row + 1] as usize]
    }

    /// Where the parts that are no rows are in another's numbering, in order.
    pub fn places_in<'a>(&'a self, other: &'a RowParts) -> impl Iterator<Item = Option<usize>> + 'a {
        let place = |nine| other.nines.iter().position(|&had| had == nine).map(|at| other.rows + at);
        let windows = other.rows + other.nines.len();
        let both = self.factorised && other.factorised;
        let nines = self.nines.iter().map(move |&nine| place(nine));
        let windows = (0..WINDOWS).map(move |window| both.then_some(windows + window));
        nines.chain(windows).take(self.count() - self.rows)
    }
}

fn swapped((row, &nine): (u32, &u32)) -> (u32, u32) {
    (nine, row)
}

/// The numbers of the windows in a line's cells: the same for its mirror image.
fn windows(cells: &[u8]) -> impl Iterator<Item = usize> + '_ {
    let middle = cells.len() / 2;
    cells.windows(WINDOW).enumerate().map(move |(start, window)| {
        let forwards = window.iter().fold(0, |code, &cell| 4 * code + usize::from(cell));
        let backwards = window.iter().rev().fold(0, |code, &cell| 4 * code + usize::from(cell));
        let at = start + WINDOW / 2;
        // Seen from the middle outwards; in the middle there is no such way, so the lower one.
        let content = match at.cmp(&middle) {
            std::cmp::Ordering::Less => backwards,
            std::cmp::Ordering::Equal => forwards.min(backwards),
            std::cmp::Ordering::Greater => forwards,
        };
        at.abs_diff(middle) * CONTENTS + content
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirror_images_have_the_same_windows() {
        let mut cells: Vec<u8> = vec![3, 0, 1, 1, 0, 0, 2, 1, 0, 0, 3];
        let mut found: Vec<usize> = windows(&cells).collect();
        cells.reverse();
        let mut mirrored: Vec<usize> = windows(&cells).collect();
        assert_eq!(found.len(), 7);
        found.sort_unstable();
        mirrored.sort_unstable();
        assert_eq!(found, mirrored);
        assert!(found.iter().all(|&window| window < WINDOWS));
    }

    #[test]
    fn lines_share_the_parts_of_their_inner_cells() {
        let line = canonical_line(LINES / 3);
        let other = canonical_line(LINES / 5);
        let rows = LineRows::new(vec![inner_nine(other) as u32], vec![line as u32, other as u32]).unwrap();
        let [line, other] = [line, other].map(|line| usize::from(rows.row(line)));
        let plain = RowParts::new(&rows, false);
        assert_eq!(plain.of(line), [line as u32, rows.seven_of(line as u16).into()]);
        assert_eq!((plain.of(5), plain.count()), (&[5][..], rows.rows()));
        let parts = RowParts::new(&rows, true);
        assert_eq!(parts.of(line).len(), 3 + 7);
        // The one line's inner nine has no row, the other's has.
        assert_eq!(parts.of(line)[2] as usize, rows.rows());
        assert_eq!(parts.of(other)[2] as usize, SEVEN_ROWS);
        assert_eq!((parts.of(SEVEN_ROWS).len(), parts.of(5).len()), (2 + 5, 1 + 3));
        let shared = parts.of(other)[3..].iter().filter(|part| parts.of(SEVEN_ROWS).contains(part));
        assert_eq!(shared.count(), 5);
    }
}
