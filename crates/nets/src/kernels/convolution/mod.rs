//! Convolutions over frames of cells, once in plain Rust and once with 256-bit vectors: for play and for training.
//!
//! A frame is a list of cells with the same number of channels each, the channels of a cell side by side. The cells to
//! work on are named by their numbers, and a kernel's taps by how far the cell they look at lies from there, so that any
//! board and any part of it is served and nothing has to be copied into columns first.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod scalar;

use super::{Instructions, Kernels};

pub mod following;
mod winograd;

pub use winograd::{BoardFrame, Winograd};

/// The shape of a convolution on a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shape<'a> {
    /// How far the cells that an output looks at lie from its own.
    pub taps: &'a [i32],
    /// Channels of an input cell.
    pub inputs: usize,
    /// Channels of an output cell.
    pub outputs: usize,
}

impl Shape<'_> {
    /// How many weights there are: by tap, then input channel, then output channel.
    pub fn weights(&self) -> usize {
        self.taps.len() * self.inputs * self.outputs
    }

    /// Whether every cell that the given cells look at is in a frame of so many.
    fn fits(&self, cells: &[u32], frame: usize) -> bool {
        let least = i64::from(self.taps.iter().copied().min().unwrap_or(0));
        let greatest = i64::from(self.taps.iter().copied().max().unwrap_or(0));
        cells.iter().all(|&cell| {
            let cell = i64::from(cell);
            cell + least >= 0 && cell + greatest < frame as i64 && cell < frame as i64
        })
    }
}

/// What the sums of a convolution begin with.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Begin<'a> {
    /// The bias of each output channel.
    Bias(&'a [f32]),
    /// What stands in the output, plus the bias of each output channel.
    Add(&'a [f32]),
}

impl<'a> Begin<'a> {
    fn bias(self) -> &'a [f32] {
        match self {
            Begin::Bias(bias) | Begin::Add(bias) => bias,
        }
    }
}

impl Kernels {
    /// Convolves the given cells of a frame; with `rectify` sums below zero become zero. Cells not given are left alone.
    ///
    /// # Panics
    /// If the lists do not fit the shape, or a cell looks outside its frame.
    #[expect(clippy::too_many_arguments, reason = "a kernel takes what it works on, nothing else")]
    pub fn convolve_frame(
        self,
        shape: Shape,
        cells: &[u32],
        input: &[f32],
        weights: &[f32],
        begin: Begin,
        rectify: bool,
        output: &mut [f32],
    ) {
        assert_eq!(weights.len(), shape.weights(), "weights of a convolution");
        assert_eq!(begin.bias().len(), shape.outputs, "bias of a convolution");
        let frame = input.len() / shape.inputs;
        assert!(shape.fits(cells, frame), "a convolution looks outside its frame");
        assert!(output.len() >= frame * shape.outputs, "output of a convolution");
        dispatch!(self, scalar | avx2, convolve_frame(shape, cells, input, weights, begin, rectify, output));
    }

    /// Adds to `gradients` those of the weights of a convolution, from its input and the gradients of its output.
    ///
    /// # Panics
    /// If the lists do not fit the shape, or a cell looks outside its frame.
    pub fn weight_gradients(
        self,
        shape: Shape,
        cells: &[u32],
        input: &[f32],
        output_gradients: &[f32],
        gradients: &mut [f32],
    ) {
        assert_eq!(gradients.len(), shape.weights(), "weights of a convolution");
        let frame = input.len() / shape.inputs;
        assert!(shape.fits(cells, frame), "a convolution looks outside its frame");
        assert!(output_gradients.len() >= frame * shape.outputs, "output of a convolution");
        dispatch!(self, scalar | avx2, weight_gradients(shape, cells, input, output_gradients, gradients));
    }

    /// Adds rows of a table, each times its number: `sums += numbers[i] * table[i]`. Rows whose number is zero are not
    /// looked at.
    pub fn add_scaled_rows(self, numbers: &[f32], table: &[f32], sums: &mut [f32]) {
        assert_eq!(table.len(), numbers.len() * sums.len(), "rows of a table");
        dispatch!(self, scalar | avx2, add_scaled_rows(numbers, table, sums));
    }

    /// The way back of [`Kernels::add_scaled_rows`]: adds to the gradients of the table, and sets those of the numbers. Rows
    /// whose number is zero are not looked at: their number came out of a rectifier, and its gradient would go no further.
    pub fn scaled_row_gradients(
        self,
        numbers: &[f32],
        table: &[f32],
        sum_gradients: &[f32],
        table_gradients: &mut [f32],
        number_gradients: &mut [f32],
    ) {
        assert_eq!(table.len(), numbers.len() * sum_gradients.len(), "rows of a table");
        dispatch!(
            self,
            scalar | avx2,
            scaled_row_gradients(numbers, table, sum_gradients, table_gradients, number_gradients)
        );
    }

    /// Sets `sums` to the sum of rows of a table, zero where that is below; row 0 stands for none.
    pub fn rectified_row_sum(self, table: &[f32], rows: &[u32], sums: &mut [f32]) {
        dispatch!(self, scalar | avx2, rectified_row_sum(table, rows, sums));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) struct Numbers(pub(super) u64);

    impl Numbers {
        pub(super) fn list(&mut self, count: usize) -> Vec<f32> {
            (0..count)
                .map(|_| {
                    self.0 = self
                        .0
                        .wrapping_mul(6_364_136_223_846_793_005)
                        .wrapping_add(1_442_695_040_888_963_407);
                    (self.0 >> 40) as f32 / (1 << 23) as f32 - 1.0
                })
                .collect()
        }
    }

    pub(super) fn assert_close(found: &[f32], expected: &[f32]) {
        assert_eq!(found.len(), expected.len());
        for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
            assert!(
                (found - expected).abs() <= 1e-4 * (1.0 + expected.abs()),
                "{i}: {found}, not {expected}"
            );
        }
    }

    #[test]
    fn all_instructions_agree() {
        let taps = [-8, -7, -6, -1, 0, 1, 6, 7, 8];
        let cells: Vec<u32> = (8..40).filter(|cell| cell % 7 < 5).collect();
        let fastest = Kernels::new(Instructions::detect()).unwrap();
        let plain = Kernels::new(Instructions::Scalar).unwrap();
        let mut numbers = Numbers(1);
        for (inputs, outputs) in [(1, 4), (3, 16), (4, 4), (7, 8), (13, 24), (16, 33), (5, 1), (8, 12)] {
            let shape = Shape { taps: &taps, inputs, outputs };
            let input = numbers.list(48 * inputs);
            let weights = numbers.list(shape.weights());
            let bias = numbers.list(outputs);
            let before = numbers.list(48 * outputs);
            for (begin, rectify) in [(Begin::Bias(&bias), true), (Begin::Add(&bias), false)] {
                let (mut found, mut expected) = (before.clone(), before.clone());
                fastest.convolve_frame(shape, &cells, &input, &weights, begin, rectify, &mut found);
                plain.convolve_frame(shape, &cells, &input, &weights, begin, rectify, &mut expected);
                assert_close(&found, &expected);
            }
            let (mut found, mut expected) = (weights.clone(), weights.clone());
            fastest.weight_gradients(shape, &cells, &input, &before, &mut found);
            plain.weight_gradients(shape, &cells, &input, &before, &mut expected);
            assert_close(&found, &expected);
        }
    }

    #[test]
    #[should_panic(expected = "looks outside its frame")]
    fn a_cell_at_the_edge_of_the_frame_is_refused() {
        let shape = Shape { taps: &[-1, 0, 1], inputs: 1, outputs: 1 };
        let kernels = Kernels::new(Instructions::detect()).unwrap();
        kernels.convolve_frame(
            shape,
            &[9],
            &[0.0; 10],
            &[0.0; 3],
            Begin::Bias(&[0.0]),
            false,
            &mut [0.0; 10],
        );
    }
}
