//! Counting different numbers among any many, in bounded memory.

use anyhow::{Context, Result};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{BufReader, BufWriter, ErrorKind, Read, Seek, Write};

/// Counts the different ones among numbers. What does not fit into memory is sorted and put into temporary files,
/// which are merged at the end.
pub struct Unique {
    pending: Vec<u64>,
    capacity: usize,
    runs: Vec<File>,
}

impl Unique {
    /// A counter that holds this many numbers in memory.
    pub fn new(capacity: usize) -> Unique {
        Unique { pending: Vec::new(), capacity, runs: Vec::new() }
    }

    /// Adds a number.
    pub fn add(&mut self, number: u64) -> Result<()> {
        self.pending.push(number);
        if self.pending.len() >= self.capacity { self.tidy() } else { Ok(()) }
    }

    fn tidy(&mut self) -> Result<()> {
        self.pending.sort_unstable();
        self.pending.dedup();
        if self.pending.len() > self.capacity / 2 {
            self.spill().context("cannot write a temporary file")?;
        }
        Ok(())
    }

    fn spill(&mut self) -> std::io::Result<()> {
        let mut run = BufWriter::with_capacity(1 << 18, tempfile::tempfile()?);
        for number in &self.pending {
            run.write_all(&number.to_le_bytes())?;
        }
        let mut run = run.into_inner().map_err(std::io::IntoInnerError::into_error)?;
        run.rewind()?;
        self.runs.push(run);
        self.pending.clear();
        Ok(())
    }

    /// How many different numbers there were.
    pub fn count(mut self) -> Result<u64> {
        self.pending.sort_unstable();
        self.pending.dedup();
        if self.runs.is_empty() {
            return Ok(self.pending.len() as u64);
        }
        self.spill().context("cannot write a temporary file")?;
        self.pending = Vec::new();
        merge(self.runs).context("cannot read a temporary file")
    }
}

fn merge(runs: Vec<File>) -> std::io::Result<u64> {
    let mut runs: Vec<BufReader<File>> =
        runs.into_iter().map(|run| BufReader::with_capacity(1 << 16, run)).collect();
    let mut heads = BinaryHeap::new();
    for (i, run) in runs.iter_mut().enumerate() {
        heads.extend(next(run)?.map(|number| Reverse((number, i))));
    }
    let (mut count, mut last) = (0, None);
    while let Some(Reverse((number, i))) = heads.pop() {
        if last != Some(number) {
            count += 1;
            last = Some(number);
        }
        heads.extend(next(&mut runs[i])?.map(|number| Reverse((number, i))));
    }
    Ok(count)
}

fn next(run: &mut impl Read) -> std::io::Result<Option<u64>> {
    let mut bytes = [0; 8];
    match run.read_exact(&mut bytes) {
        Ok(()) => Ok(Some(u64::from_le_bytes(bytes))),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::Unique;
    use std::collections::HashSet;

    #[test]
    fn spilled_counts_are_those_of_a_set() {
        for capacity in [8, 100, 100_000] {
            let mut unique = Unique::new(capacity);
            let mut set = HashSet::new();
            let mut number = 1u64;
            for _ in 0..5_000 {
                number =
                    number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let small = (number >> 33) % 3_000;
                unique.add(small).unwrap();
                set.insert(small);
            }
            assert_eq!(unique.count().unwrap(), set.len() as u64, "capacity {capacity}");
        }
    }
}
