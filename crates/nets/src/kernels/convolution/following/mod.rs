//! Layers that follow a position from one question to the next: what changed in a layer is added to the sums of the next
//! one. All numbers are integers, so that sums are the same whichever way they came about.
//!
//! Channels come in fours, the last four filled up with zeros.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod scalar;

use super::Kernels;
use crate::kernels::Instructions;

/// The highest number that a rectifier lets through.
pub const HIGHEST: i16 = (1 << 13) - 1;

/// The sums of four channels.
pub type Sums = [i32; 4];
/// Four channels.
pub type Numbers = [i16; 4];

/// By how much four channels of a cell changed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Change {
    /// The cell in its frame.
    pub cell: u16,
    /// Which four of the cell's channels.
    pub four: u16,
    /// By how much.
    pub by: Numbers,
}

/// By how much a number that stands for a row of a table changed.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct RowChange {
    /// The row.
    pub row: u32,
    /// By how much.
    pub by: i16,
}

/// Weights from four input channels to four output channels, in pairs of inputs, as multiply-and-add-pairs instructions
/// want them.
#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(C, align(32))]
struct Tap([[[i16; 2]; 4]; 2]);

/// A convolution seen from its input: a cell's number goes to all cells around it.
#[derive(Clone, PartialEq, Debug)]
pub struct Spread {
    /// By four inputs, row and column around the input cell, and four outputs.
    taps: Vec<Tap>,
    side: usize,
    stride: usize,
    /// Fours of output channels.
    outputs: usize,
}

impl Spread {
    /// A convolution on frames of a stride, with weights by tap, input and output channel.
    pub fn new(stride: usize, side: usize, inputs: usize, outputs: usize, weights: &[i16]) -> Spread {
        assert_eq!(weights.len(), side * side * inputs * outputs, "weights of a convolution");
        let weight = |tap: usize, input: usize, output: usize| {
            let there = input < inputs && output < outputs;
            if there { weights[(tap * inputs + input) * outputs + output] } else { 0 }
        };
        let mut taps = Vec::new();
        for input in (0..inputs).step_by(4) {
            // What lies before an output lies behind it seen from the input.
            for tap in (0..side * side).rev() {
                for output in (0..outputs).step_by(4) {
                    let pair =
                        |pair: usize, o: usize| [0, 1].map(|i| weight(tap, input + 2 * pair + i, output + o));
                    taps.push(Tap([0, 1].map(|p| [0, 1, 2, 3].map(|o| pair(p, o)))));
                }
            }
        }
        Spread { taps, side, stride, outputs: outputs.div_ceil(4) }
    }

    /// The weights of four inputs by row around their cell.
    fn rows(&self, four: u16) -> impl Iterator<Item = &[Tap]> {
        let (all, row) = (self.side * self.side * self.outputs, self.side * self.outputs);
        self.taps[usize::from(four) * all..][..all].chunks_exact(row)
    }

    /// The sums that a cell goes to, by row.
    fn reached<'a>(&self, cell: u16, sums: &'a mut [Sums]) -> impl Iterator<Item = &'a mut [Sums]> {
        let reach = self.side / 2;
        let first = (usize::from(cell) - reach * (self.stride + 1)) * self.outputs;
        let row = self.side * self.outputs;
        sums[first..].chunks_mut(self.stride * self.outputs).take(self.side).map(move |sums| &mut sums[..row])
    }
}

/// Columns of a table that are worked on together.
pub const BLOCK: usize = 16;

/// Where the columns of a block stand: so that two rows of it, dovetailed by halves as the instructions do it, have their
/// columns in order.
const ORDER: [usize; BLOCK] = [0, 1, 2, 3, 8, 9, 10, 11, 4, 5, 6, 7, 12, 13, 14, 15];

/// The sums of some columns.
pub type BlockSums = [i32; BLOCK];

#[derive(Clone, Copy, PartialEq, Debug)]
#[repr(C, align(32))]
struct Block([i16; BLOCK]);

/// A table whose rows are added up, each times its number.
#[derive(Clone, PartialEq, Debug)]
pub struct RowTable {
    blocks: Vec<Block>,
    /// Columns of a line.
    columns: usize,
    /// Blocks of a row.
    width: usize,
}

impl RowTable {
    /// A table whose rows have so many lines of so many columns; each line begins a block.
    pub fn new(lines: usize, columns: usize, numbers: &[i16]) -> RowTable {
        let block = |part: &[i16]| Block(ORDER.map(|column| part.get(column).copied().unwrap_or(0)));
        let blocks = numbers.chunks(columns).flat_map(|line| line.chunks(BLOCK).map(block)).collect();
        RowTable { blocks, columns, width: lines * columns.div_ceil(BLOCK) }
    }

    /// The sums to begin with, from those of the columns.
    pub fn sums(&self, columns: &[i32]) -> Vec<BlockSums> {
        let block = |part: &[i32]| std::array::from_fn(|column| part.get(column).copied().unwrap_or(0));
        columns.chunks(self.columns).flat_map(|line| line.chunks(BLOCK).map(block)).collect()
    }

    fn row(&self, row: u32) -> &[Block] {
        &self.blocks[row as usize * self.width..][..self.width]
    }
}

impl Kernels {
    /// Adds what changed in the input of a convolution to its sums.
    pub fn spread(self, layer: &Spread, changes: &[Change], sums: &mut [Sums]) {
        dispatch!(self, scalar | avx2, spread(layer, changes, sums));
    }

    /// Shifts the sums of the given cells, which have so many fours of channels, to the right, clips them and writes to the
    /// front of `changes` where the numbers are now others. Answers how many changes there are.
    ///
    /// # Panics
    /// If there is less room for changes than cells may change.
    pub fn settle(
        self,
        cells: &[u16],
        fours: usize,
        shift: u32,
        sums: &[Sums],
        numbers: &mut [Numbers],
        changes: &mut [Change],
    ) -> usize {
        assert!(changes.len() > cells.len() * fours, "room for changes");
        dispatch!(self, scalar | avx2, settle(cells, fours, shift, sums, numbers, changes))
    }

    /// Adds rows of a table to the sums, each times its change.
    pub fn add_rows(self, table: &RowTable, changes: &[RowChange], sums: &mut [BlockSums]) {
        assert_eq!(sums.len(), table.width, "sums of a table");
        dispatch!(self, scalar | avx2, add_rows(table, changes, sums));
    }

    /// The column with the highest sum, the first of several, among those whose bit is set in their block's word.
    pub fn highest(self, sums: &[BlockSums], open: &[u16]) -> Option<usize> {
        assert_eq!(sums.len(), open.len(), "a word for each block");
        dispatch!(self, scalar | avx2, highest(sums, open))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Begin, Shape};
    use super::*;

    struct Random(u64);

    impl Random {
        fn below(&mut self, bound: u64) -> u64 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (self.0 >> 33) % bound
        }

        fn number(&mut self, most: i16) -> i16 {
            (self.below(2 * most as u64 + 1) as i64 - i64::from(most)) as i16
        }

        fn numbers<const N: usize>(&mut self, most: i16) -> [i16; N] {
            std::array::from_fn(|_| self.number(most))
        }
    }

    fn both() -> [Kernels; 2] {
        [Instructions::Scalar, Instructions::detect()].map(|set| Kernels::new(set).unwrap())
    }

    #[test]
    fn what_spreads_is_what_a_convolution_gathers() {
        let mut random = Random(1);
        let (stride, cells) = (9, 99);
        for (side, inputs, outputs) in [(5, 1, 4), (5, 4, 4), (3, 6, 5), (1, 3, 9), (3, 8, 12)] {
            let weights: Vec<i16> = (0..side * side * inputs * outputs).map(|_| random.number(200)).collect();
            let layer = Spread::new(stride, side, inputs, outputs, &weights);
            let fours = inputs.div_ceil(4);
            let changes: Vec<Change> = (22..77)
                .filter(|cell| cell % 9 > 1 && cell % 3 > 0)
                .flat_map(|cell| (0..fours as u16).map(move |four| (cell, four)))
                .map(|(cell, four)| Change { cell, four, by: random.numbers(100) })
                .collect();
            let found = both().map(|kernels| {
                let mut sums = vec![[7; 4]; cells * outputs.div_ceil(4)];
                kernels.spread(&layer, &changes, &mut sums);
                sums
            });
            assert_eq!(found[0], found[1]);

            let mut input = vec![0.0; cells * inputs];
            for change in &changes {
                for (channel, &by) in change.by.iter().enumerate() {
                    let channel = 4 * usize::from(change.four) + channel;
                    if channel < inputs {
                        input[usize::from(change.cell) * inputs + channel] = f32::from(by);
                    }
                }
            }
            let reach = side as i32 / 2;
            let row = |dy: i32| (-reach..=reach).map(move |dx| dy * stride as i32 + dx);
            let taps: Vec<i32> = (-reach..=reach).flat_map(row).collect();
            let shape = Shape { taps: &taps, inputs, outputs };
            let weights: Vec<f32> = weights.into_iter().map(f32::from).collect();
            let inner: Vec<u32> = (22..77).collect();
            let mut expected = vec![0.0; cells * outputs];
            let bias = vec![7.0; outputs];
            both()[0].convolve_frame(
                shape,
                &inner,
                &input,
                &weights,
                Begin::Bias(&bias),
                false,
                &mut expected,
            );
            for cell in 22..77 {
                let sums = &found[0].as_flattened()[cell * 4 * outputs.div_ceil(4)..];
                for channel in 0..outputs {
                    assert_eq!(sums[channel] as f32, expected[cell * outputs + channel]);
                }
            }
        }
    }

    #[test]
    fn settled_numbers_are_rectified_sums_and_every_change_is_told() {
        let mut random = Random(2);
        let fours = 2;
        let cells = [1, 2, 3, 5, 8];
        let before: Vec<Numbers> = (0..20).map(|_| random.numbers(3).map(i16::abs)).collect();
        let sums: Vec<Sums> = (0..20).map(|i| random.numbers(30).map(|n| i32::from(n) << (i + 1))).collect();
        let found = both().map(|kernels| {
            let (mut numbers, mut changes) = (before.clone(), [Change::default(); 11]);
            let count = kernels.settle(&cells, fours, 3, &sums, &mut numbers, &mut changes);
            (numbers, changes[..count].to_vec())
        });
        assert_eq!(found[0], found[1]);
        let (numbers, changes) = &found[0];
        for (i, (&now, &then)) in numbers.iter().zip(&before).enumerate() {
            let (cell, four) = ((i / fours) as u16, (i % fours) as u16);
            let change = changes.iter().find(|change| (change.cell, change.four) == (cell, four));
            let by = change.map_or([0; 4], |change| change.by);
            assert_eq!(std::array::from_fn(|channel| then[channel] + by[channel]), now);
            if cells.contains(&cell) {
                assert_eq!(now, sums[i].map(|sum| (sum >> 3).clamp(0, HIGHEST.into()) as i16));
            }
        }
    }

    #[test]
    fn rows_are_added_alike_by_all_instructions() {
        let mut random = Random(3);
        for columns in [225, 16, 5] {
            let table: Vec<Vec<i16>> =
                (0..30).map(|_| (0..columns).map(|_| random.number(i16::MAX)).collect()).collect();
            let rows = RowTable::new(1, columns, &table.concat());
            for count in 0..20 {
                let changes: Vec<RowChange> = (0..count)
                    .map(|_| RowChange { row: random.below(30) as u32, by: random.number(i16::MAX) })
                    .collect();
                let found = both().map(|kernels| {
                    let mut sums = rows.sums(&vec![7; columns]);
                    kernels.add_rows(&rows, &changes, &mut sums);
                    sums
                });
                assert_eq!(found[0], found[1]);
                for (column, &sum) in found[0].as_flattened()[..columns].iter().enumerate() {
                    let product = |change: &RowChange| {
                        i64::from(change.by) * i64::from(table[change.row as usize][column])
                    };
                    assert_eq!(sum, (7 + changes.iter().map(product).sum::<i64>()) as i32);
                }
            }
        }
    }

    #[test]
    fn the_highest_sum_is_the_first_of_its_kind_that_is_open() {
        let mut random = Random(4);
        for _ in 0..1000 {
            let mut sums: [BlockSums; 3] = Default::default();
            let mut open = [0; 3];
            let few = random.below(2) == 0;
            for (sums, open) in sums.iter_mut().zip(&mut open) {
                *sums = random.numbers(3).map(i32::from);
                *open = if few { 1 << random.below(20) } else { random.below(1 << 16) } as u16;
            }
            let mut expected: Option<usize> = None;
            let flat = sums.as_flattened();
            for column in (0..3 * BLOCK).filter(|column| open[column / BLOCK] >> (column % BLOCK) & 1 == 1) {
                if expected.is_none_or(|best| flat[column] > flat[best]) {
                    expected = Some(column);
                }
            }
            for kernels in both() {
                assert_eq!(kernels.highest(&sums, &open), expected);
            }
        }
    }
}
