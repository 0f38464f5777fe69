//! Rows as the net has them, folded from the parts they are learned in.

use super::model::{Channels, Parameters};
use crate::layers::add;
use crate::line_rows::RowParts;
use fivestone_nets::architecture::CHANNELS;
use fivestone_nets::lines::{LineRows, SEVEN_ROWS};
use std::collections::BTreeMap;

/// The sum of parts.
#[inline(always)]
pub fn fold(table: &[Channels], parts: &[u32]) -> Channels {
    let mut sum = [0.0; CHANNELS];
    for &part in parts {
        add(&mut sum, &table[part as usize]);
    }
    sum
}

/// The folded rows that were asked for since the parameters changed: a batch looks up each of its
/// rows many times.
#[derive(Clone, Debug)]
pub struct Folded {
    /// The rows of the lines along the sides and of the diagonals.
    pub tables: [Vec<Channels>; 2],
    read_at: [Vec<u32>; 2],
    now: u32,
}

impl Folded {
    /// No row yet.
    pub fn new(parts: &[RowParts; 2]) -> Folded {
        let tables = parts.each_ref().map(|parts| vec![[0.0; CHANNELS]; parts.rows()]);
        let read_at = parts.each_ref().map(|parts| vec![0; parts.rows()]);
        Folded { tables, read_at, now: 1 }
    }

    /// The parameters have changed.
    pub fn forget(&mut self) {
        self.now += 1;
    }

    /// Folds the rows of some cells' lines.
    #[inline(always)]
    pub fn read(&mut self, parameters: &Parameters, parts: &[RowParts; 2], cells: &[[u16; 4]]) {
        for rows in cells {
            for (line, &row) in rows.iter().enumerate() {
                let (table, row) = (line / 2, usize::from(row));
                let read_at = &mut self.read_at[table][row];
                if *read_at != self.now {
                    *read_at = self.now;
                    self.tables[table][row] = fold(&parameters.tables[table], parts[table].of(row));
                }
            }
        }
    }
}

/// Gives a row its value by what is its own in it.
pub fn unfold(table: &mut [Channels], parts: &[u32], value: &Channels) {
    let shared = fold(table, &parts[1..]);
    table[parts[0] as usize] = std::array::from_fn(|i| value[i] - shared[i]);
}

impl Parameters {
    /// The same net with other rows or parts. A line that had a row of its own keeps it; one
    /// that had none begins as the row it used, or as the sum of its parts where rows have many.
    pub fn with_rows(
        &self,
        (rows, parts): (&[LineRows; 2], &[RowParts; 2]),
        (new_rows, new_parts): (&[LineRows; 2], &[RowParts; 2]),
    ) -> Parameters {
        let mut parameters = Parameters::zero(new_parts);
        parameters.layers.clone_from(&self.layers);
        for table in 0..2 {
            let (old, new) = (&self.tables[table], &mut parameters.tables[table]);
            let (rows, parts) = (&rows[table], &parts[table]);
            let (new_rows, new_parts) = (&new_rows[table], &new_parts[table]);
            for (to, from) in new[new_parts.rows()..].iter_mut().zip(new_parts.places_in(parts)) {
                *to = from.map_or([0.0; CHANNELS], |from| old[from]);
            }
            let nines: BTreeMap<u32, usize> =
                rows.nines().iter().zip(SEVEN_ROWS..).map(|(&nine, row)| (nine, row)).collect();
            let first_line = SEVEN_ROWS + rows.nines().len();
            let sevens = (0..SEVEN_ROWS).map(Some);
            let nines = new_rows.nines().iter().map(|nine| nines.get(nine).copied());
            let lines = new_rows.lines().iter().map(|&line| {
                let row = usize::from(rows.row(line as usize));
                (row >= first_line || !new_parts.factorised()).then_some(row)
            });
            for (row, from) in sevens.chain(nines).chain(lines).enumerate() {
                if let Some(from) = from {
                    unfold(new, new_parts.of(row), &fold(old, parts.of(from)));
                }
            }
        }
        parameters
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fivestone_engine::Rng;
    use fivestone_nets::lines::{LINES, canonical_line, inner_nine};

    fn rows(step: usize) -> [LineRows; 2] {
        let lines: Vec<u32> = (0..LINES).step_by(step).map(|line| canonical_line(line) as u32).collect();
        let nines = lines.iter().step_by(3).map(|&line| inner_nine(line as usize) as u32);
        let mut nines: Vec<u32> = nines.collect();
        nines.sort_unstable();
        nines.dedup();
        let mut lines = lines;
        lines.sort_unstable();
        lines.dedup();
        let rows = LineRows::new(nines, lines).unwrap();
        [rows.clone(), rows]
    }

    fn parts(rows: &[LineRows; 2], factorised: bool) -> [RowParts; 2] {
        rows.each_ref().map(|rows| RowParts::new(rows, factorised))
    }

    #[test]
    fn other_rows_and_parts_keep_what_lines_of_their_own_are_worth() {
        let (rows, new_rows) = (rows(997), rows(1994));
        let mut rng = Rng::new(3);
        for (from, to) in [(false, false), (false, true), (true, true), (true, false)] {
            let (parts, new_parts) = (parts(&rows, from), parts(&new_rows, to));
            let mut old = Parameters::random(&parts, &mut rng);
            for table in &mut old.tables {
                table.as_flattened_mut().iter_mut().for_each(|n| *n = rng.unit() as f32 - 0.5);
            }
            let new = old.with_rows((&rows, &parts), (&new_rows, &new_parts));
            for line in new_rows[1].lines().iter().map(|&line| line as usize) {
                let value = |parameters: &Parameters, rows: &[LineRows; 2], parts: &[RowParts; 2]| {
                    fold(&parameters.tables[1], parts[1].of(rows[1].row(line).into()))
                };
                let (old, new) = (value(&old, &rows, &parts), value(&new, &new_rows, &new_parts));
                for (old, new) in old.into_iter().zip(new) {
                    assert!((old - new).abs() < 1e-4, "{from} to {to}: {new} instead of {old}");
                }
            }
        }
    }

    #[test]
    fn rows_are_folded_anew_when_the_parameters_have_changed() {
        let rows = rows(5003);
        let parts = parts(&rows, true);
        let mut parameters = Parameters::random(&parts, &mut Rng::new(4));
        let mut folded = Folded::new(&parts);
        let row = rows[0].rows() - 1;
        folded.read(&parameters, &parts, &[[row as u16; 4]]);
        let before = folded.tables[0][row];
        let window = *parts[0].of(row).last().unwrap() as usize;
        parameters.tables[0][window][7] += 2.0;
        folded.read(&parameters, &parts, &[[row as u16; 4]]);
        assert_eq!(folded.tables[0][row], before);
        folded.forget();
        folded.read(&parameters, &parts, &[[row as u16; 4]]);
        assert!((folded.tables[0][row][7] - before[7] - 2.0).abs() < 1e-5);
    }
}
