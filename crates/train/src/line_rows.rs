//! Which lines get table rows of their own.

use fivestone_nets::lines::{LINES, LineRows, NINE_LINES, canonical_line, inner_nine};

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
