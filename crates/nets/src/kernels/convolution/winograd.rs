//! Winograd's 3x3 convolution: four by four outputs at a time with 36 products a channel instead of 144.
//!
//! Six by six input cells are transformed by weighted sums, multiplied by transformed weights, and transformed back:
//! polynomials are multiplied by way of their values at 0, 1, -1, 2, -2 and infinity. It serves whole boards; the
//! products are those of [`Kernels::convolve_frame`] on a frame of tiles.

use super::{Begin, Kernels, Shape};
use crate::kernels::Instructions;

/// Outputs along a side of a tile.
const OUT: usize = 4;
/// Inputs along a side of a tile: the outputs and one cell around them.
const IN: usize = OUT + 2;
/// Cells of a transformed tile.
const TILE: usize = IN * IN;
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
            let wide = rows.map(spread_weights);
            for x in 0..IN {
                for (y, number) in spread_weights(wide.map(|row| row[x])).into_iter().enumerate() {
                    transformed[(IN * y + x) * count + at] = number;
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
        let across = board.side.div_ceil(OUT);
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

/// A row of weights at the six points.
fn spread_weights(g: [f32; 3]) -> [f32; IN] {
    let (even, odd) = (g[0] + g[2], g[1]);
    let (far_even, far_odd) = (g[0] + 4.0 * g[2], 2.0 * g[1]);
    [
        g[0] / 4.0,
        -(even + odd) / 6.0,
        (odd - even) / 6.0,
        (far_even + far_odd) / 24.0,
        (far_even - far_odd) / 24.0,
        g[2],
    ]
}

#[inline(always)]
fn sum(a: &Lanes, b: &Lanes) -> Lanes {
    let mut result = [0.0; LANES];
    for i in 0..LANES {
        result[i] = a[i] + b[i];
    }
    result
}

#[inline(always)]
fn difference(a: &Lanes, b: &Lanes) -> Lanes {
    let mut result = [0.0; LANES];
    for i in 0..LANES {
        result[i] = a[i] - b[i];
    }
    result
}

/// `a + factor * b`.
#[inline(always)]
fn plus(a: &Lanes, factor: f32, b: &Lanes) -> Lanes {
    let mut result = [0.0; LANES];
    for i in 0..LANES {
        result[i] = a[i] + factor * b[i];
    }
    result
}

/// A row of inputs at the six points.
#[inline(always)]
fn spread_input([a, b, c, d, e, f]: [Lanes; IN]) -> [Lanes; IN] {
    let (even, odd) = (plus(&e, -4.0, &c), plus(&d, -4.0, &b));
    let (far_even, half_far_odd) = (difference(&e, &c), difference(&d, &b));
    [
        plus(&plus(&e, -5.0, &c), 4.0, &a),
        sum(&even, &odd),
        difference(&even, &odd),
        plus(&far_even, 2.0, &half_far_odd),
        plus(&far_even, -2.0, &half_far_odd),
        plus(&plus(&f, -5.0, &d), 4.0, &b),
    ]
}

/// A row of products at the six points, back to the outputs.
#[inline(always)]
fn gather_products([a, b, c, d, e, f]: [Lanes; IN]) -> [Lanes; OUT] {
    let (even, odd) = (sum(&b, &c), difference(&b, &c));
    let (far_even, far_odd) = (sum(&d, &e), difference(&d, &e));
    [
        sum(&a, &sum(&even, &far_even)),
        plus(&odd, 2.0, &far_odd),
        plus(&even, 4.0, &far_even),
        sum(&f, &plus(&odd, 8.0, &far_odd)),
    ]
}

#[inline(always)]
fn transform_input(job: &mut Winograd, board: BoardFrame, input: &[f32]) {
    let across = board.side.div_ceil(OUT);
    let plane = across * across * job.inputs;
    for tile in 0..across * across {
        let (top, left) = (OUT * (tile / across), OUT * (tile % across));
        let corner = board.first + top * board.stride + left - board.stride - 1;
        for channel in (0..job.inputs).step_by(LANES) {
            let cell = |y: usize, x: usize| {
                // The last tiles reach beyond the margin of the frame.
                if top + y > board.side + 1 || left + x > board.side + 1 {
                    return [0.0; LANES];
                }
                *lanes(input, (corner + y * board.stride + x) * job.inputs + channel)
            };
            let mut rows = [[[0.0; LANES]; IN]; IN];
            for (y, row) in rows.iter_mut().enumerate() {
                *row = spread_input([cell(y, 0), cell(y, 1), cell(y, 2), cell(y, 3), cell(y, 4), cell(y, 5)]);
            }
            for x in 0..IN {
                let [a, b, c, d, e, f] = &rows;
                let column = spread_input([a[x], b[x], c[x], d[x], e[x], f[x]]);
                for (y, numbers) in column.iter().enumerate() {
                    let at = (IN * y + x) * plane + tile * job.inputs + channel;
                    job.transformed[at..at + LANES].copy_from_slice(numbers);
                }
            }
        }
    }
}

#[inline(always)]
fn transform_output(job: &Winograd, board: BoardFrame, begin: Begin, rectify: bool, output: &mut [f32]) {
    let across = board.side.div_ceil(OUT);
    let plane = across * across * job.outputs;
    let adds = matches!(begin, Begin::Add(_));
    for tile in 0..across * across {
        let (top, left) = (OUT * (tile / across), OUT * (tile % across));
        for channel in (0..job.outputs).step_by(LANES) {
            let product = |y: usize, x: usize| {
                *lanes(&job.products, (IN * y + x) * plane + tile * job.outputs + channel)
            };
            let mut rows = [[[0.0; LANES]; OUT]; IN];
            for (y, row) in rows.iter_mut().enumerate() {
                let product = |x| product(y, x);
                *row =
                    gather_products([product(0), product(1), product(2), product(3), product(4), product(5)]);
            }
            let bias = lanes(begin.bias(), channel);
            for x in 0..OUT.min(board.side - left) {
                let [a, b, c, d, e, f] = &rows;
                let column = gather_products([a[x], b[x], c[x], d[x], e[x], f[x]]);
                for (y, numbers) in column.iter().enumerate().take(board.side - top) {
                    let at = (board.first + (top + y) * board.stride + left + x) * job.outputs + channel;
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
