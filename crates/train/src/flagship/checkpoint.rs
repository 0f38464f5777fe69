//! The state of a training run as bytes: everything that the next step depends on.
//!
//! Version 1 knew neither rows in many parts nor the solver's verdicts; it goes on as it was.

use super::Config;
use super::model::{NUMBERS, Parameters, VERDICTS};
use super::trainer::{SetState, Trainer, parts_of};
use crate::line_rows::RowParts;
use crate::optimiser::Adam;
use crate::run_files::checksum;
use fivestone_nets::architecture::{self, CHANNELS};
use fivestone_nets::lines::LineRows;

const MAGIC: &[u8; 8] = b"FIVECHK\x02";
const MAGIC_1: &[u8; 8] = b"FIVECHK\x01";

/// The bytes of a trainer's state.
pub(super) fn write(trainer: &Trainer) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(architecture::hash().to_le_bytes());
    bytes.extend((trainer.step as u64).to_le_bytes());
    bytes.extend(u32::from(trainer.parts.iter().flatten().any(RowParts::factorised)).to_le_bytes());
    bytes.extend((trainer.sets.len() as u32).to_le_bytes());
    let floats =
        |bytes: &mut Vec<u8>, numbers: &[f32]| bytes.extend(numbers.iter().flat_map(|n| n.to_le_bytes()));
    for (state, rows) in trainer.sets.iter().zip(&trainer.rows) {
        for rows in rows {
            for list in [rows.nines(), rows.lines()] {
                bytes.extend((list.len() as u32).to_le_bytes());
                bytes.extend(list.iter().flat_map(|number| number.to_le_bytes()));
            }
        }
        for parameters in [&state.parameters, &state.average] {
            parameters.tables.iter().for_each(|table| floats(&mut bytes, table.as_flattened()));
            floats(&mut bytes, &parameters.layers);
        }
        for memory in state.table_memory.iter().chain([&state.layer_memory]) {
            floats(&mut bytes, &memory.means);
            floats(&mut bytes, &memory.squares);
        }
    }
    bytes.extend(checksum(&bytes).to_le_bytes());
    bytes
}

struct Reader<'a> {
    rest: &'a [u8],
    /// Numbers that the layers have in this version.
    layers: usize,
}

impl Reader<'_> {
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (&head, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(head)
    }

    fn list<T>(&mut self, count: usize, of: impl Fn([u8; 4]) -> T) -> Option<Vec<T>> {
        let (head, rest) = self.rest.split_at_checked(count.checked_mul(4)?)?;
        self.rest = rest;
        Some(head.as_chunks().0.iter().map(|&bytes| of(bytes)).collect())
    }

    fn floats(&mut self, count: usize) -> Option<Vec<f32>> {
        self.list(count, f32::from_le_bytes)
    }

    fn numbers(&mut self) -> Option<Vec<u32>> {
        let count = u32::from_le_bytes(self.array()?) as usize;
        self.list(count, u32::from_le_bytes)
    }

    fn rows(&mut self) -> Option<LineRows> {
        let nines = self.numbers()?;
        LineRows::new(nines, self.numbers()?)
    }

    fn parameters(&mut self, parts: &[RowParts; 2]) -> Option<Parameters> {
        let mut table = |parts: &RowParts| {
            let numbers = self.floats(parts.count() * CHANNELS)?;
            Some(numbers.as_chunks().0.to_vec())
        };
        let tables = [table(&parts[0])?, table(&parts[1])?];
        Some(Parameters { tables, layers: self.layers()? })
    }

    fn layers(&mut self) -> Option<Vec<f32>> {
        let mut numbers = self.floats(self.layers)?;
        numbers.resize(NUMBERS, 0.0);
        Some(numbers)
    }

    fn memory(&mut self, count: usize) -> Option<Adam> {
        Some(Adam { means: self.floats(count)?, squares: self.floats(count)? })
    }
}

/// The trainer of a checkpoint; nothing if its bytes are damaged or of another architecture.
pub(super) fn read(bytes: &[u8], config: &Config) -> Option<Trainer> {
    let (body, sum) = bytes.split_last_chunk()?;
    if u64::from_le_bytes(*sum) != checksum(body) {
        return None;
    }
    let first_version = body.starts_with(MAGIC_1);
    let (magic, layers) = if first_version { (MAGIC_1, VERDICTS) } else { (MAGIC, NUMBERS) };
    let mut reader = Reader { rest: body.strip_prefix(magic)?, layers };
    if u64::from_le_bytes(reader.array()?) != architecture::hash() {
        return None;
    }
    let step = u64::from_le_bytes(reader.array()?) as usize;
    let factorised = !first_version && u32::from_le_bytes(reader.array()?) != 0;
    let count = u32::from_le_bytes(reader.array()?);
    let (mut all_rows, mut sets) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let rows = [reader.rows()?, reader.rows()?];
        let parts = rows.each_ref().map(|rows| RowParts::new(rows, factorised));
        let parameters = reader.parameters(&parts)?;
        let average = reader.parameters(&parts)?;
        let mut memory = |table: usize| reader.memory(parts[table].count() * CHANNELS);
        let table_memory = [memory(0)?, memory(1)?];
        let layer_memory = Adam { means: reader.layers()?, squares: reader.layers()? };
        sets.push(SetState { parameters, average, table_memory, layer_memory });
        all_rows.push(rows);
    }
    let parts = parts_of(&all_rows, factorised);
    reader.rest.is_empty().then(|| Trainer::with_sets(config, all_rows, parts, sets, step))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flagship::Dataset;
    use crate::flagship::trainer::tests::random_games;
    use fivestone_game::Rule;

    /// The bytes that the first version would have written.
    fn first_version(trainer: &Trainer) -> Vec<u8> {
        let mut bytes = MAGIC_1.to_vec();
        bytes.extend(architecture::hash().to_le_bytes());
        bytes.extend((trainer.step as u64).to_le_bytes());
        bytes.extend(1_u32.to_le_bytes());
        for rows in &trainer.rows[0] {
            for list in [rows.nines(), rows.lines()] {
                bytes.extend((list.len() as u32).to_le_bytes());
                bytes.extend(list.iter().flat_map(|number| number.to_le_bytes()));
            }
        }
        let state = &trainer.sets[0];
        let mut lists: Vec<&[f32]> = Vec::new();
        for parameters in [&state.parameters, &state.average] {
            lists.extend(parameters.tables.iter().map(|table| table.as_flattened()));
            lists.push(&parameters.layers[..VERDICTS]);
        }
        lists.extend(state.table_memory.iter().flat_map(|memory| [&memory.means[..], &memory.squares]));
        let memory = &state.layer_memory;
        lists.extend([&memory.means[..VERDICTS], &memory.squares[..VERDICTS]]);
        bytes.extend(lists.into_iter().flatten().flat_map(|number| number.to_le_bytes()));
        bytes.extend(checksum(&bytes).to_le_bytes());
        bytes
    }

    #[test]
    fn the_next_step_is_the_same_from_either_version() {
        let dataset = Dataset::new(Rule::Freestyle, vec![random_games(6, 3)], 2);
        for factorised in [false, true] {
            let config =
                Config { lines: 200, nines: 50, factorised, threats: factorised, ..Config::default() };
            let mut trainer = Trainer::new(&config, &dataset);
            let batch = &dataset.training()[..32];
            for _ in 0..5 {
                trainer.learn(&dataset, batch, 1e-3);
            }
            let mut kept = vec![write(&trainer)];
            if !factorised {
                kept.push(first_version(&trainer));
            }
            trainer.learn(&dataset, batch, 1e-3);
            for bytes in kept {
                let mut resumed = read(&bytes, &config).unwrap();
                resumed.learn(&dataset, batch, 1e-3);
                assert_eq!(resumed.sets, trainer.sets);
                assert!(read(&bytes[..bytes.len() - 1], &config).is_none());
            }
        }
    }
}
