//! Winograd's 3x3 convolution: two by two outputs at a time with sixteen products a channel instead of thirty-six.
//!
//! Four by four input cells are transformed by sums and differences, multiplied by transformed weights, and transformed
//! back. It serves whole boards; the products are those of [`Kernels::convolve_frame`] on a frame of tiles.

use super::{Begin, Kernels, Shape};
use crate::kernels::Instructions;

/// Cells of a transformed tile.
const TILE: usize = 16;
/// Channels that are transformed together.
const LANES: usize = 8;

type Lanes = [f32; LANES];

/// The weights of a 3x3 convolution, transformed, with room to work in.
#[derive(Clone, Debug)]
pub struct Winograd {
    inputs: usize,
    outputs: usize,
    /// By cell of a tile, then input channel, then output channel.
    weights: Vec<f32>,
    no_bias: Vec<f32>,
    tiles: Vec<u32>,
    transformed: Vec<f32>,
    products: Vec<f32>,
}

/// A board within its frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoardFrame {
    /// Cells along a side of the board.
    pub side: usize,
    /// From a cell of the frame to the one below it.
    pub stride: usize,
    /// The cell of the board's top left point.
    pub first: usize,
}

impl Winograd {
    /// Transforms weights by tap, input and output; nothing for channels that do not come in eights.
    pub fn new(inputs: usize, outputs: usize, weights: &[f32]) -> Option<Winograd> {
        if !inputs.is_multiple_of(LANES) || !outputs.is_multiple_of(LANES) {
            return None;
        }
        assert_eq!(weights.len(), 9 * inputs * outputs, "weights of a 3x3 convolution");
        let count = inputs * outputs;
        let mut transformed = vec![0.0; TILE * count];
        for at in 0..count {
            let rows: [[f32; 3]; 3] =
                std::array::from_fn(|y| std::array::from_fn(|x| weights[(3 * y + x) * count + at]));
            let spread = |g: [f32; 3]| {
                [g[0], f32::midpoint(g[0] + g[1], g[2]), f32::midpoint(g[0] - g[1], g[2]), g[2]]
            };
            let wide = rows.map(spread);
            for x in 0..4 {
                for (y, number) in spread([wide[0][x], wide[1][x], wide[2][x]]).into_iter().enumerate() {
                    transformed[(4 * y + x) * count + at] = number;
                }
            }
        }
        Some(Winograd {
            inputs,
            outputs,
            weights: transformed,
            no_bias: vec![0.0; outputs],
            tiles: Vec::new(),
            transformed: Vec::new(),
            products: Vec::new(),
        })
    }

    /// Convolves a whole board; with `rectify` sums below zero become zero.
    ///
    /// # Panics
    /// If a list is too short for the board's frame, which needs two empty cells around the board.
    pub fn convolve(
        &mut self,
        kernels: Kernels,
        board: BoardFrame,
        input: &[f32],
        begin: Begin,
        rectify: bool,
        output: &mut [f32],
    ) {
        let across = board.side.div_ceil(2);
        let count = across * across;
        if self.tiles.len() != count {
            self.tiles = (0..count as u32).collect();
            self.transformed = vec![0.0; TILE * count * self.inputs];
            self.products = vec![0.0; TILE * count * self.outputs];
        }
        match kernels.0 {
            Instructions::Scalar => transform_input(self, board, input),
            // SAFETY: `Kernels::new` hands out vectors only where the machine has them.
            #[cfg(target_arch = "x86_64")]
            _ => unsafe { transform_input_avx2(self, board, input) },
            #[cfg(not(target_arch = "x86_64"))]
            _ => transform_input(self, board, input),
        }
        let shape = Shape { taps: &[0], inputs: self.inputs, outputs: self.outputs };
        let weights = self.weights.chunks_exact(self.inputs * self.outputs);
        let from = self.transformed.chunks_exact(count * self.inputs);
        let to = self.products.chunks_exact_mut(count * self.outputs);
        for ((weights, from), to) in weights.zip(from).zip(to) {
            kernels.convolve_frame(shape, &self.tiles, from, weights, Begin::Bias(&self.no_bias), false, to);
        }
        match kernels.0 {
            Instructions::Scalar => transform_output(self, board, begin, rectify, output),
            // SAFETY: `Kernels::new` hands out vectors only where the machine has them.
            #[cfg(target_arch = "x86_64")]
            _ => unsafe { transform_output_avx2(self, board, begin, rectify, output) },
            #[cfg(not(target_arch = "x86_64"))]
            _ => transform_output(self, board, begin, rectify, output),
        }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn transform_input_avx2(job: &mut Winograd, board: BoardFrame, input: &[f32]) {
    transform_input(job, board, input);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn transform_output_avx2(job: &Winograd, board: BoardFrame, begin: Begin, rectify: bool, output: &mut [f32]) {
    transform_output(job, board, begin, rectify, output);
}

#[inline(always)]
fn lanes(numbers: &[f32], at: usize) -> &Lanes {
    numbers[at..].first_chunk().expect("channels come in eights")
}

#[inline(always)]
fn sum(a: &Lanes, b: &Lanes) -> Lanes {
    std::array::from_fn(|i| a[i] + b[i])
}

#[inline(always)]
fn difference(a: &Lanes, b: &Lanes) -> Lanes {
    std::array::from_fn(|i| a[i] - b[i])
}

#[inline(always)]
fn transform_input(job: &mut Winograd, board: BoardFrame, input: &[f32]) {
    let across = board.side.div_ceil(2);
    let plane = across * across * job.inputs;
    let spread = |d: [Lanes; 4]| {
        [difference(&d[0], &d[2]), sum(&d[1], &d[2]), difference(&d[2], &d[1]), difference(&d[1], &d[3])]
    };
    for tile in 0..across * across {
        let (ty, tx) = (tile / across, tile % across);
        let corner = board.first + 2 * ty * board.stride + 2 * tx - board.stride - 1;
        for channel in (0..job.inputs).step_by(LANES) {
            let cell =
                |y: usize, x: usize| *lanes(input, (corner + y * board.stride + x) * job.inputs + channel);
            let rows: [[Lanes; 4]; 4] = std::array::from_fn(|y| spread(std::array::from_fn(|x| cell(y, x))));
            for x in 0..4 {
                let column = spread(rows.map(|row| row[x]));
                for (y, numbers) in column.iter().enumerate() {
                    let at = (4 * y + x) * plane + tile * job.inputs + channel;
                    job.transformed[at..at + LANES].copy_from_slice(numbers);
                }
            }
        }
    }
}

#[inline(always)]
fn transform_output(job: &Winograd, board: BoardFrame, begin: Begin, rectify: bool, output: &mut [f32]) {
    let across = board.side.div_ceil(2);
    let plane = across * across * job.outputs;
    let gather =
        |m: [Lanes; 4]| [sum(&sum(&m[0], &m[1]), &m[2]), difference(&difference(&m[1], &m[2]), &m[3])];
    let adds = matches!(begin, Begin::Add(_));
    for tile in 0..across * across {
        let (ty, tx) = (tile / across, tile % across);
        for channel in (0..job.outputs).step_by(LANES) {
            let product = |y: usize, x: usize| {
                *lanes(&job.products, (4 * y + x) * plane + tile * job.outputs + channel)
            };
            let rows: [[Lanes; 2]; 4] =
                std::array::from_fn(|y| gather(std::array::from_fn(|x| product(y, x))));
            let bias = lanes(begin.bias(), channel);
            for x in 0..2 {
                let column = gather(rows.map(|row| row[x]));
                for (y, numbers) in column.iter().enumerate() {
                    let (row, point) = (2 * ty + y, 2 * tx + x);
                    if row >= board.side || point >= board.side {
                        continue;
                    }
                    let at = (board.first + row * board.stride + point) * job.outputs + channel;
                    let to = &mut output[at..at + LANES];
                    for i in 0..LANES {
                        let number = numbers[i] + bias[i] + if adds { to[i] } else { 0.0 };
                        to[i] = if rectify { number.max(0.0) } else { number };
                    }
                }
            }
        }
    }
}
