//! The state of a training run as bytes: everything that the next step depends on.

use super::Config;
use super::model::{NUMBERS, Parameters};
use super::trainer::{SetState, Trainer};
use crate::optimiser::Adam;
use crate::run_files::checksum;
use fivestone_nets::architecture::{self, CHANNELS};
use fivestone_nets::lines::LineRows;

const MAGIC: &[u8; 8] = b"FIVECHK\x01";

/// The bytes of a trainer's state.
pub(super) fn write(trainer: &Trainer) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(architecture::hash().to_le_bytes());
    bytes.extend((trainer.step as u64).to_le_bytes());
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

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (&head, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(head)
    }

    fn list<T>(&mut self, count: usize, of: impl Fn([u8; 4]) -> T) -> Option<Vec<T>> {
        let (head, rest) = self.0.split_at_checked(count.checked_mul(4)?)?;
        self.0 = rest;
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

    fn parameters(&mut self, rows: &[LineRows; 2]) -> Option<Parameters> {
        let mut table = |rows: &LineRows| {
            let numbers = self.floats(rows.rows() * CHANNELS)?;
            Some(numbers.as_chunks().0.to_vec())
        };
        let tables = [table(&rows[0])?, table(&rows[1])?];
        Some(Parameters { tables, layers: self.floats(NUMBERS)? })
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
    let mut reader = Reader(body.strip_prefix(MAGIC)?);
    if u64::from_le_bytes(reader.array()?) != architecture::hash() {
        return None;
    }
    let step = u64::from_le_bytes(reader.array()?) as usize;
    let count = u32::from_le_bytes(reader.array()?);
    let (mut all_rows, mut sets) = (Vec::new(), Vec::new());
    for _ in 0..count {
        let rows = [reader.rows()?, reader.rows()?];
        let parameters = reader.parameters(&rows)?;
        let average = reader.parameters(&rows)?;
        let mut memory = |table: usize| reader.memory(rows[table].rows() * CHANNELS);
        let table_memory = [memory(0)?, memory(1)?];
        sets.push(SetState { parameters, average, table_memory, layer_memory: reader.memory(NUMBERS)? });
        all_rows.push(rows);
    }
    reader.0.is_empty().then(|| Trainer::with_sets(config, all_rows, sets, step))
}
