//! Numbers for lines: the eleven cells through a point, seen from one side.
//!
//! A line is two halves of five cells and the cell between them. Counted outwards from the centre a half is some
//! board cells (empty, own, other) and then wall to its end, 364 possibilities, so a line has the number
//! `(half * 364 + half) * 3 + centre`. A line and its mirror image mean the same and share a table row. Frequent
//! lines have rows of their own; the others fall back to the row of their inner nine cells if that is frequent, and
//! to that of their inner seven, which always exists.

use fivestone_game::Color;

/// Halves of five cells.
pub const HALVES: usize = 364;
/// Halves of four cells, for the inner nine.
pub const NINE_HALVES: usize = 121;
/// Halves of three cells, for the inner seven.
pub const SEVEN_HALVES: usize = 40;
/// What stands in the middle: nothing, an own stone, one of the other side.
pub const CENTRES: usize = 3;
/// Line numbers.
pub const LINES: usize = HALVES * HALVES * CENTRES;
/// Numbers of the inner nine cells.
pub const NINE_LINES: usize = NINE_HALVES * NINE_HALVES * CENTRES;
/// Rows for the inner seven cells: pairs of halves in no order, times the centre.
pub const SEVEN_ROWS: usize = SEVEN_HALVES * (SEVEN_HALVES + 1) / 2 * CENTRES;

const CODES: usize = 1 << 10;
const EMPTY: u32 = 0;
const WALL: u32 = 3;

/// The number of a half given by its cells outwards from the centre: halves are numbered in the order of a tree in
/// which each further cell is wall (end) or one of three.
const fn half_number(cells: [u32; 5], depth: usize) -> u16 {
    let mut below = [0; 6];
    let mut k = 1;
    while k <= 5 {
        below[k] = 3 * below[k - 1] + 1;
        k += 1;
    }
    // `below[k]` counts the halves of fewer than k cells. Those of k cells before the wall start there.
    let mut count = 0;
    let mut number = 0;
    while count < depth && cells[count] != WALL {
        number = number * 3 + cells[count];
        count += 1;
    }
    (below[count] + number) as u16
}

/// The number of a half from five cells of a line code, nearest cell in the highest bits or in the lowest.
const fn half_of_code(code: usize, nearest_high: bool, swap: bool, depth: usize) -> u16 {
    let mut cells = [EMPTY; 5];
    let mut i = 0;
    while i < 5 {
        let at = if nearest_high { 4 - i } else { i };
        let cell = (code >> (2 * at)) as u32 & 3;
        cells[i] = if swap && (cell == 1 || cell == 2) { 3 - cell } else { cell };
        i += 1;
    }
    half_number(cells, depth)
}

const fn half_table(nearest_high: bool, swap: bool) -> [u16; CODES] {
    let mut table = [0; CODES];
    let mut code = 0;
    while code < CODES {
        table[code] = half_of_code(code, nearest_high, swap, 5);
        code += 1;
    }
    table
}

/// By side to move: the half before the centre (nearest cell in the high bits) and the half after it.
static HALF_BEFORE: [[u16; CODES]; 2] = [half_table(true, false), half_table(true, true)];
static HALF_AFTER: [[u16; CODES]; 2] = [half_table(false, false), half_table(false, true)];

/// The number of a line as a side sees it: `code` is [`fivestone_game::Board::line_code`], `centre` what stands in
/// the middle (0 nothing, 1 own, 2 other).
#[inline(always)]
pub fn line_number(code: u32, side: Color, centre: usize) -> usize {
    let before = HALF_BEFORE[side.index()][code as usize % CODES];
    let after = HALF_AFTER[side.index()][code as usize / CODES % CODES];
    (usize::from(before) * HALVES + usize::from(after)) * CENTRES + centre
}

/// A half without its cells beyond a depth: the number among the shorter halves.
const fn shortened(depth: usize) -> [u16; HALVES] {
    let mut table = [0; HALVES];
    let mut code = 0;
    while code < CODES {
        table[half_of_code(code, false, false, 5) as usize] = half_of_code(code, false, false, depth);
        code += 1;
    }
    table
}

static FOUR_CELLS: [u16; HALVES] = shortened(4);
static THREE_CELLS: [u16; HALVES] = shortened(3);

fn ordered(a: usize, b: usize) -> (usize, usize) {
    (a.min(b), a.max(b))
}

/// The row of the inner seven cells from the numbers of their halves.
fn seven_row(a: usize, b: usize, centre: usize) -> usize {
    let (low, high) = ordered(a, b);
    (high * (high + 1) / 2 + low) * CENTRES + centre
}

/// The line number shared by a line and its mirror image.
pub fn canonical_line(line: usize) -> usize {
    canonical(line, HALVES)
}

fn canonical(line: usize, halves: usize) -> usize {
    let (pair, centre) = (line / CENTRES, line % CENTRES);
    let (low, high) = ordered(pair / halves, pair % halves);
    (low * halves + high) * CENTRES + centre
}

/// The number of the inner nine cells of a line, the same for its mirror image.
pub fn inner_nine(line: usize) -> usize {
    let (pair, centre) = (line / CENTRES, line % CENTRES);
    let (a, b) = (FOUR_CELLS[pair / HALVES], FOUR_CELLS[pair % HALVES]);
    canonical((usize::from(a) * NINE_HALVES + usize::from(b)) * CENTRES + centre, NINE_HALVES)
}

/// The cells of a half outwards from the centre, of which there are `depth`: 0 nothing, 1 own, 2
/// other, 3 wall. The way back from its number.
fn half_cells(number: usize, depth: usize) -> Vec<u8> {
    let (mut count, mut first) = (0, 0);
    while count < depth && number > 3 * first {
        first = 3 * first + 1;
        count += 1;
    }
    let mut cells = vec![WALL as u8; depth];
    let mut rest = number - first;
    for cell in cells[..count].iter_mut().rev() {
        *cell = (rest % 3) as u8;
        rest /= 3;
    }
    cells
}

/// The cells from one end to the other given two halves and what stands between them.
fn whole_cells(a: usize, b: usize, centre: usize, depth: usize) -> Vec<u8> {
    let mut cells = half_cells(a, depth);
    cells.reverse();
    cells.push(centre as u8);
    cells.extend(half_cells(b, depth));
    cells
}

/// Which lines have rows of their own, and where every line finds its row.
///
/// Rows are numbered: the inner sevens first, then the chosen inner nines, then the chosen whole lines.
#[derive(Clone, PartialEq, Debug)]
pub struct LineRows {
    nines: Vec<u32>,
    lines: Vec<u32>,
    map: Vec<u16>,
    parents: Vec<u16>,
}

/// Most rows of a table.
pub const MOST_ROWS: usize = 1 << 16;

impl LineRows {
    /// Rows for the given numbers of inner nines and whole lines; nothing if a number is out of range, not the
    /// canonical one of its mirror images, or there are too many.
    pub fn new(nines: Vec<u32>, lines: Vec<u32>) -> Option<LineRows> {
        let rows = SEVEN_ROWS + nines.len() + lines.len();
        let legal = |number: u32, count: usize, halves: usize| {
            (number as usize) < count && canonical(number as usize, halves) == number as usize
        };
        if rows > MOST_ROWS
            || !nines.iter().all(|&number| legal(number, NINE_LINES, NINE_HALVES))
            || !lines.iter().all(|&number| legal(number, LINES, HALVES))
        {
            return None;
        }
        let (four, three) = (&FOUR_CELLS, &THREE_CELLS);
        let mut three_of_four = [0; NINE_HALVES];
        for half in 0..HALVES {
            three_of_four[usize::from(four[half])] = three[half];
        }
        let mut nine_map = vec![0_u16; NINE_LINES];
        let mut parents: Vec<u16> = (0..SEVEN_ROWS as u16).collect();
        for (i, &number) in nines.iter().enumerate() {
            let (pair, centre) = (number as usize / CENTRES, number as usize % CENTRES);
            let (a, b) = (pair / NINE_HALVES, pair % NINE_HALVES);
            let row = (SEVEN_ROWS + i) as u16;
            nine_map[(a * NINE_HALVES + b) * CENTRES + centre] = row;
            nine_map[(b * NINE_HALVES + a) * CENTRES + centre] = row;
            parents.push(seven_row(three_of_four[a].into(), three_of_four[b].into(), centre) as u16);
        }
        let mut map = Vec::with_capacity(LINES);
        for a in 0..HALVES {
            for b in 0..HALVES {
                let seven = seven_row(three[a].into(), three[b].into(), 0);
                let nine = (usize::from(four[a]) * NINE_HALVES + usize::from(four[b])) * CENTRES;
                for centre in 0..CENTRES {
                    let row = nine_map[nine + centre];
                    map.push(if row == 0 { (seven + centre) as u16 } else { row });
                }
            }
        }
        for (i, &number) in lines.iter().enumerate() {
            let (pair, centre) = (number as usize / CENTRES, number as usize % CENTRES);
            let (a, b) = (pair / HALVES, pair % HALVES);
            let row = (SEVEN_ROWS + nines.len() + i) as u16;
            map[(a * HALVES + b) * CENTRES + centre] = row;
            map[(b * HALVES + a) * CENTRES + centre] = row;
            parents.push(seven_row(three[a].into(), three[b].into(), centre) as u16);
        }
        Some(LineRows { nines, lines, map, parents })
    }

    /// How many rows there are.
    pub fn rows(&self) -> usize {
        self.parents.len()
    }

    /// The row of a line.
    #[inline(always)]
    pub fn row(&self, line: usize) -> u16 {
        self.map[line]
    }

    /// The row of the inner seven cells of a row's line.
    pub fn seven_of(&self, row: u16) -> u16 {
        self.parents[usize::from(row)]
    }

    /// The cells that a row stands for, from one end to the other as one of the two mirror images
    /// has them: 0 nothing, 1 own, 2 other, 3 wall. Seven of them, nine or eleven.
    pub fn cells(&self, row: usize) -> Vec<u8> {
        if let Some(nine_or_line) = row.checked_sub(SEVEN_ROWS) {
            let (number, halves, depth) = match nine_or_line.checked_sub(self.nines.len()) {
                Some(line) => (self.lines[line], HALVES, 5),
                None => (self.nines[nine_or_line], NINE_HALVES, 4),
            };
            let (pair, centre) = (number as usize / CENTRES, number as usize % CENTRES);
            return whole_cells(pair / halves, pair % halves, centre, depth);
        }
        let (pair, centre) = (row / CENTRES, row % CENTRES);
        let high = (0..SEVEN_HALVES).rfind(|high| high * (high + 1) / 2 <= pair).unwrap_or(0);
        whole_cells(pair - high * (high + 1) / 2, high, centre, 3)
    }

    /// The inner nines with rows of their own.
    pub fn nines(&self) -> &[u32] {
        &self.nines
    }

    /// The whole lines with rows of their own.
    pub fn lines(&self) -> &[u32] {
        &self.lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Line codes made of five cells before and five after, nearest first, as they can stand on a board.
    fn halves() -> Vec<[u32; 5]> {
        let mut all = Vec::new();
        for number in 0..4_u32.pow(5) {
            let cells: [u32; 5] = std::array::from_fn(|i| number / 4_u32.pow(i as u32) % 4);
            let walls = cells.iter().position(|&cell| cell == WALL).unwrap_or(5);
            if cells[walls..].iter().all(|&cell| cell == WALL) {
                all.push(cells);
            }
        }
        all
    }

    fn code(before: &[u32; 5], after: &[u32; 5]) -> u32 {
        (0..5).map(|i| before[4 - i] << (2 * i) | after[i] << (10 + 2 * i)).sum()
    }

    fn swapped(cells: &[u32; 5]) -> [u32; 5] {
        cells.map(|cell| if cell == 1 || cell == 2 { 3 - cell } else { cell })
    }

    #[test]
    fn every_half_has_its_own_number() {
        let halves = halves();
        assert_eq!(halves.len(), HALVES);
        let empty = [EMPTY; 5];
        let mut numbers: Vec<usize> =
            halves.iter().map(|half| line_number(code(&empty, half), Color::Black, 0)).collect();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), HALVES);
    }

    #[test]
    fn mirror_images_share_a_number_and_sides_see_swapped_colours() {
        let halves = halves();
        for a in halves.iter().step_by(7) {
            for b in halves.iter().step_by(5) {
                for centre in 0..CENTRES {
                    let line = line_number(code(a, b), Color::Black, centre);
                    let mirrored = line_number(code(b, a), Color::Black, centre);
                    assert_eq!(canonical_line(line), canonical_line(mirrored));
                    let white = line_number(code(&swapped(a), &swapped(b)), Color::White, centre);
                    assert_eq!(line, white);
                }
            }
        }
    }

    #[test]
    fn rare_lines_fall_back_to_their_inner_cells() {
        let cells = |text: &str| -> [u32; 5] {
            let mut cells = text.bytes().map(|b| b".xo#".iter().position(|&c| c == b).unwrap() as u32);
            std::array::from_fn(|_| cells.next().unwrap())
        };
        let number = |a: &str, b: &str| line_number(code(&cells(a), &cells(b)), Color::Black, 0);
        let known = number("x.o..", "x....");
        let nine = inner_nine(number("xx...", "o...."));
        let rows = LineRows::new(vec![nine as u32], vec![canonical_line(known) as u32]).unwrap();
        assert_eq!(rows.rows(), SEVEN_ROWS + 2);
        assert_eq!(usize::from(rows.row(known)), SEVEN_ROWS + 1);
        assert_eq!(usize::from(rows.row(number("x....", "x.o.."))), SEVEN_ROWS + 1);
        assert_eq!(usize::from(rows.row(number("xx..o", "o...x"))), SEVEN_ROWS);
        assert_eq!(usize::from(rows.row(number("o...#", "xx..x"))), SEVEN_ROWS);
        let seven = rows.row(number("x.ox.", "x..o."));
        assert!(usize::from(seven) < SEVEN_ROWS);
        assert_eq!(seven, rows.row(number("x..oo", "x.oxx")));
        assert_eq!(rows.seven_of(rows.row(known)), seven);
    }

    #[test]
    fn a_row_knows_its_cells() {
        let lines: Vec<u32> = (0..LINES).step_by(977).map(|line| canonical_line(line) as u32).collect();
        let nines: Vec<u32> = (0..LINES).step_by(5003).map(|line| inner_nine(line) as u32).collect();
        let rows = LineRows::new(nines, lines).unwrap();
        for row in 0..rows.rows() {
            let cells = rows.cells(row);
            let middle = cells.len() / 2;
            let half = |cells: &mut dyn Iterator<Item = &u8>| {
                let mut half = [EMPTY; 5];
                cells.zip(&mut half).for_each(|(&cell, to)| *to = u32::from(cell));
                half_number(half, middle)
            };
            let before = usize::from(half(&mut cells[..middle].iter().rev()));
            let after = usize::from(half(&mut cells[middle + 1..].iter()));
            let centre = usize::from(cells[middle]);
            let found = match middle {
                5 => canonical((before * HALVES + after) * CENTRES + centre, HALVES),
                4 => canonical((before * NINE_HALVES + after) * CENTRES + centre, NINE_HALVES),
                _ => seven_row(before, after, centre),
            };
            let expected = match row.checked_sub(SEVEN_ROWS) {
                None => row,
                Some(at) => rows.nines().iter().chain(rows.lines()).nth(at).copied().unwrap() as usize,
            };
            assert_eq!(found, expected, "row {row}: {cells:?}");
        }
    }

    #[test]
    fn numbers_out_of_range_or_not_canonical_are_refused() {
        assert!(LineRows::new(vec![], vec![LINES as u32]).is_none());
        assert!(LineRows::new(vec![NINE_LINES as u32], vec![]).is_none());
        assert!(LineRows::new(vec![], vec![(HALVES * CENTRES) as u32]).is_none());
    }
}
