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
/// Numbers left free after each cell of a tile: without them the cells would lie powers of two apart, and all compete
/// for the same places in the cache.
const GAP: usize = 16;
/// Channels that are transformed together.
const LANES: usize = 8;

type Lanes = [f32; LANES];

/// Calls a function, compiled for vectors where the machine has them.
macro_rules! with_vectors {
    ($kernels:expr, $function:ident($($argument:expr),*)) => {
        match $kernels.0 {
            Instructions::Scalar => $function($($argument),*),
            // SAFETY: `Kernels::new` hands out vectors only where the machine has them.
            #[cfg(target_arch = "x86_64")]
            _ => unsafe { vectors::$function($($argument),*) },
            #[cfg(not(target_arch = "x86_64"))]
            _ => $function($($argument),*),
        }
    };
}

/// The transformations, compiled for 256-bit vectors.
#[cfg(target_arch = "x86_64")]
mod vectors {
    use super::{Begin, BoardFrame, Winograd};

    #[target_feature(enable = "avx2,fma")]
    pub(super) fn transform_weights(job: &mut Winograd, weights: &[f32]) {
        super::transform_weights(job, weights);
    }

    #[target_feature(enable = "avx2,fma")]
    pub(super) fn transform_weight_gradients(job: &Winograd, gradients: &mut [f32]) {
        super::transform_weight_gradients(job, gradients);
    }

    #[target_feature(enable = "avx2,fma")]
    pub(super) fn transform_input(job: &mut Winograd, board: BoardFrame, index: usize, input: &[f32]) {
        super::transform_input(job, board, index, input);
    }

    #[target_feature(enable = "avx2,fma")]
    pub(super) fn transform_output(
        job: &Winograd,
        board: BoardFrame,
        index: usize,
        begin: Begin,
        rectify: bool,
        output: &mut [f32],
    ) {
        super::transform_output(job, board, index, begin, rectify, output);
    }

    #[target_feature(enable = "avx2,fma")]
    pub(super) fn transform_output_gradients(
        job: &mut Winograd,
        board: BoardFrame,
        index: usize,
        slopes: &[f32],
    ) {
        super::transform_output_gradients(job, board, index, slopes);
    }
}

/// The weights of a 3x3 convolution, transformed, with room to work in.
#[derive(Clone, Debug)]
pub struct Winograd {
    inputs: usize,
    outputs: usize,
    /// By cell of a tile, then input channel, then output channel.
    weights: Vec<f32>,
    /// Gradients of the same.
    gradients: Vec<f32>,
    no_bias: Vec<f32>,
    tiles: Vec<u32>,
    /// Inputs by cell of a tile, then tile, then channel.
    transformed: Vec<f32>,
    /// Products, or gradients of them, likewise.
    products: Vec<f32>,
}

/// A board within its frame, which needs two empty cells around the board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoardFrame {
    /// Cells along a side of the board.
    pub side: usize,
    /// From a cell of the frame to the one below it.
    pub stride: usize,
    /// The cell of the board's top left point.
    pub first: usize,
}

impl BoardFrame {
    fn tiles(self) -> usize {
        self.side.div_ceil(OUT).pow(2)
    }

    /// Row and column of a tile's first output.
    fn corner(self, tile: usize) -> (usize, usize) {
        let across = self.side.div_ceil(OUT);
        (OUT * (tile / across), OUT * (tile % across))
    }
}

impl Winograd {
    /// Transforms weights by tap, input and output; nothing for channels that do not come in eights.
    pub fn new(kernels: Kernels, inputs: usize, outputs: usize, weights: &[f32]) -> Option<Winograd> {
        if !inputs.is_multiple_of(LANES) || !outputs.is_multiple_of(LANES) {
            return None;
        }
        let mut job = Winograd {
            inputs,
            outputs,
            weights: vec![0.0; TILE * (inputs * outputs + GAP)],
            gradients: Vec::new(),
            no_bias: vec![0.0; outputs],
            tiles: Vec::new(),
            transformed: Vec::new(),
            products: Vec::new(),
        };
        job.set_weights(kernels, weights);
        Some(job)
    }

    /// Takes other weights.
    pub fn set_weights(&mut self, kernels: Kernels, weights: &[f32]) {
        assert_eq!(weights.len(), 9 * self.inputs * self.outputs, "weights of a 3x3 convolution");
        with_vectors!(kernels, transform_weights(self, weights));
    }

    fn make_room(&mut self, tiles: usize) {
        self.tiles.clear();
        self.tiles.extend(0..tiles as u32);
        self.transformed.resize(TILE * (tiles * self.inputs + GAP), 0.0);
        self.products.resize(TILE * (tiles * self.outputs + GAP), 0.0);
    }

    /// Convolves whole boards, each given with room for its result; with `rectify` sums below zero become zero. Several
    /// boards at a time share the way of the weights into the processor.
    ///
    /// # Panics
    /// If a list is too short for the board's frame.
    pub fn convolve(
        &mut self,
        kernels: Kernels,
        board: BoardFrame,
        boards: &mut [(&[f32], &mut [f32])],
        begin: Begin,
        rectify: bool,
    ) {
        let tiles = board.tiles() * boards.len();
        self.make_room(tiles);
        for (i, (input, _)) in boards.iter().enumerate() {
            with_vectors!(kernels, transform_input(self, board, i, input));
        }
        let shape = Shape { taps: &[0], inputs: self.inputs, outputs: self.outputs };
        let weights = self.weights.chunks_exact(self.inputs * self.outputs + GAP);
        let from = self.transformed.chunks_exact(tiles * self.inputs + GAP);
        let to = self.products.chunks_exact_mut(tiles * self.outputs + GAP);
        for ((weights, from), to) in weights.zip(from).zip(to) {
            let (from, weights) = (&from[..tiles * self.inputs], &weights[..self.inputs * self.outputs]);
            kernels.convolve_frame(shape, &self.tiles, from, weights, Begin::Bias(&self.no_bias), false, to);
        }
        for (i, (_, output)) in boards.iter_mut().enumerate() {
            with_vectors!(kernels, transform_output(self, board, i, begin, rectify, output));
        }
    }

    /// Gathers the gradients of the weights, from the inputs of boards and the gradients of their outputs.
    ///
    /// # Panics
    /// If a list is too short for the board's frame.
    pub fn gather_weight_gradients(
        &mut self,
        kernels: Kernels,
        board: BoardFrame,
        boards: &[(&[f32], &[f32])],
    ) {
        let tiles = board.tiles() * boards.len();
        self.make_room(tiles);
        self.gradients.resize(self.weights.len(), 0.0);
        for (i, (input, output_gradients)) in boards.iter().enumerate() {
            with_vectors!(kernels, transform_input(self, board, i, input));
            with_vectors!(kernels, transform_output_gradients(self, board, i, output_gradients));
        }
        let shape = Shape { taps: &[0], inputs: self.inputs, outputs: self.outputs };
        let gradients = self.gradients.chunks_exact_mut(self.inputs * self.outputs + GAP);
        let from = self.transformed.chunks_exact(tiles * self.inputs + GAP);
        let slopes = self.products.chunks_exact(tiles * self.outputs + GAP);
        for ((gradients, from), slopes) in gradients.zip(from).zip(slopes) {
            let gradients = &mut gradients[..self.inputs * self.outputs];
            let from = &from[..tiles * self.inputs];
            kernels.weight_gradients(shape, &self.tiles, from, slopes, gradients);
        }
    }

    /// Adds what was gathered to the gradients of the weights, and begins anew.
    pub fn add_weight_gradients(&mut self, kernels: Kernels, gradients: &mut [f32]) {
        assert_eq!(gradients.len(), 9 * self.inputs * self.outputs, "weights of a 3x3 convolution");
        if self.gradients.is_empty() {
            return;
        }
        with_vectors!(kernels, transform_weight_gradients(self, gradients));
        self.gradients.fill(0.0);
    }
}

#[inline(always)]
fn lanes(numbers: &[f32], at: usize) -> &Lanes {
    numbers[at..].first_chunk().expect("channels come in eights")
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

#[inline(always)]
fn times(factor: f32, a: &Lanes) -> Lanes {
    let mut result = [0.0; LANES];
    for i in 0..LANES {
        result[i] = factor * a[i];
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

/// A row of weights at the six points.
#[inline(always)]
fn spread_weights([a, b, c]: [Lanes; 3]) -> [Lanes; IN] {
    let even = sum(&a, &c);
    let far_even = plus(&a, 4.0, &c);
    [
        times(0.25, &a),
        times(-1.0 / 6.0, &sum(&even, &b)),
        times(-1.0 / 6.0, &difference(&even, &b)),
        times(1.0 / 24.0, &plus(&far_even, 2.0, &b)),
        times(1.0 / 24.0, &plus(&far_even, -2.0, &b)),
        c,
    ]
}

/// The way back of [`spread_weights`].
#[inline(always)]
fn gather_weights([a, b, c, d, e, f]: [Lanes; IN]) -> [Lanes; 3] {
    let even = times(-1.0 / 6.0, &sum(&b, &c));
    let odd = times(1.0 / 6.0, &difference(&c, &b));
    let (far_even, far_odd) = (sum(&d, &e), difference(&d, &e));
    [
        plus(&plus(&even, 0.25, &a), 1.0 / 24.0, &far_even),
        plus(&odd, 1.0 / 12.0, &far_odd),
        sum(&plus(&even, 1.0 / 6.0, &far_even), &f),
    ]
}

/// The way back of [`gather_products`].
#[inline(always)]
fn spread_slopes([a, b, c, d]: [Lanes; OUT]) -> [Lanes; IN] {
    let (even, odd) = (sum(&a, &c), sum(&b, &d));
    let (far_even, half_far_odd) = (plus(&a, 4.0, &c), plus(&b, 4.0, &d));
    [
        a,
        sum(&even, &odd),
        difference(&even, &odd),
        plus(&far_even, 2.0, &half_far_odd),
        plus(&far_even, -2.0, &half_far_odd),
        d,
    ]
}

#[inline(always)]
fn transform_weights(job: &mut Winograd, weights: &[f32]) {
    let count = job.inputs * job.outputs;
    for at in (0..count).step_by(LANES) {
        let row = |y: usize| {
            let weight = |x: usize| *lanes(weights, (3 * y + x) * count + at);
            spread_weights([weight(0), weight(1), weight(2)])
        };
        let rows = [row(0), row(1), row(2)];
        for x in 0..IN {
            let [a, b, c] = &rows;
            for (y, numbers) in spread_weights([a[x], b[x], c[x]]).iter().enumerate() {
                job.weights[(IN * y + x) * (count + GAP) + at..][..LANES].copy_from_slice(numbers);
            }
        }
    }
}

#[inline(always)]
fn transform_weight_gradients(job: &Winograd, gradients: &mut [f32]) {
    let count = job.inputs * job.outputs;
    for at in (0..count).step_by(LANES) {
        let row = |y: usize| {
            let number = |x: usize| *lanes(&job.gradients, (IN * y + x) * (count + GAP) + at);
            gather_weights([number(0), number(1), number(2), number(3), number(4), number(5)])
        };
        let rows = [row(0), row(1), row(2), row(3), row(4), row(5)];
        for x in 0..3 {
            let [a, b, c, d, e, f] = &rows;
            let column = gather_weights([a[x], b[x], c[x], d[x], e[x], f[x]]);
            for (y, numbers) in column.iter().enumerate() {
                let to = &mut gradients[(3 * y + x) * count + at..][..LANES];
                to.iter_mut().zip(numbers).for_each(|(to, from)| *to += from);
            }
        }
    }
}

#[inline(always)]
fn transform_input(job: &mut Winograd, board: BoardFrame, index: usize, input: &[f32]) {
    let plane = job.tiles.len() * job.inputs + GAP;
    for tile in 0..board.tiles() {
        let (top, left) = board.corner(tile);
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
            let first = (index * board.tiles() + tile) * job.inputs + channel;
            for x in 0..IN {
                let [a, b, c, d, e, f] = &rows;
                let column = spread_input([a[x], b[x], c[x], d[x], e[x], f[x]]);
                for (y, numbers) in column.iter().enumerate() {
                    let at = (IN * y + x) * plane + first;
                    job.transformed[at..at + LANES].copy_from_slice(numbers);
                }
            }
        }
    }
}

#[inline(always)]
fn transform_output(
    job: &Winograd,
    board: BoardFrame,
    index: usize,
    begin: Begin,
    rectify: bool,
    output: &mut [f32],
) {
    let plane = job.tiles.len() * job.outputs + GAP;
    let adds = matches!(begin, Begin::Add(_));
    for tile in 0..board.tiles() {
        let (top, left) = board.corner(tile);
        for channel in (0..job.outputs).step_by(LANES) {
            let first = (index * board.tiles() + tile) * job.outputs + channel;
            let row = |y: usize| {
                let product = |x: usize| *lanes(&job.products, (IN * y + x) * plane + first);
                gather_products([product(0), product(1), product(2), product(3), product(4), product(5)])
            };
            let rows = [row(0), row(1), row(2), row(3), row(4), row(5)];
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

#[inline(always)]
fn transform_output_gradients(job: &mut Winograd, board: BoardFrame, index: usize, slopes: &[f32]) {
    let plane = job.tiles.len() * job.outputs + GAP;
    for tile in 0..board.tiles() {
        let (top, left) = board.corner(tile);
        for channel in (0..job.outputs).step_by(LANES) {
            let slope = |y: usize, x: usize| {
                if top + y >= board.side || left + x >= board.side {
                    return [0.0; LANES];
                }
                *lanes(slopes, (board.first + (top + y) * board.stride + left + x) * job.outputs + channel)
            };
            let row = |y: usize| spread_slopes([slope(y, 0), slope(y, 1), slope(y, 2), slope(y, 3)]);
            let rows = [row(0), row(1), row(2), row(3)];
            let first = (index * board.tiles() + tile) * job.outputs + channel;
            for x in 0..IN {
                let [a, b, c, d] = &rows;
                for (y, numbers) in spread_slopes([a[x], b[x], c[x], d[x]]).iter().enumerate() {
                    let at = (IN * y + x) * plane + first;
                    job.products[at..at + LANES].copy_from_slice(numbers);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that look random, and a frame in which only the board is other than zero.
    fn numbers(count: usize, seed: usize) -> Vec<f32> {
        (0..count).map(|i| ((i * 7919 + seed * 104_729) % 2003) as f32 / 1001.5 - 1.0).collect()
    }

    fn on_board(board: BoardFrame, channels: usize, seed: usize) -> Vec<f32> {
        let mut frame = vec![0.0; (board.side + 4) * board.stride * channels];
        let values = numbers(frame.len(), seed);
        for cell in cells(board) {
            let range = cell as usize * channels..(cell as usize + 1) * channels;
            frame[range.clone()].copy_from_slice(&values[range]);
        }
        frame
    }

    fn cells(board: BoardFrame) -> Vec<u32> {
        (0..board.side)
            .flat_map(|y| (0..board.side).map(move |x| (board.first + y * board.stride + x) as u32))
            .collect()
    }

    fn assert_close(found: &[f32], expected: &[f32]) {
        for (i, (found, expected)) in found.iter().zip(expected).enumerate() {
            assert!(
                (found - expected).abs() <= 1e-3 * (1.0 + expected.abs()),
                "{i}: {found}, not {expected}"
            );
        }
    }

    #[test]
    fn both_ways_are_those_of_the_plain_convolution() {
        let (inputs, outputs) = (8, 16);
        for instructions in [Instructions::Scalar, Instructions::detect()] {
            let kernels = Kernels::new(instructions).unwrap();
            for side in [5, 15, 16, 17] {
                let stride = side + 2;
                let board = BoardFrame { side, stride, first: 2 * stride + 1 };
                let s = stride as i32;
                let taps = [-s - 1, -s, -s + 1, -1, 0, 1, s - 1, s, s + 1];
                let shape = Shape { taps: &taps, inputs, outputs };
                let weights = numbers(shape.weights(), 1);
                let bias = numbers(outputs, 2);
                let mut winograd = Winograd::new(kernels, inputs, outputs, &weights).unwrap();
                let given = [on_board(board, inputs, 3), on_board(board, inputs, 4)];
                let slopes = [on_board(board, outputs, 5), on_board(board, outputs, 6)];
                for (begin, rectify) in [(Begin::Bias(&bias), true), (Begin::Add(&bias), false)] {
                    let mut found = slopes.clone();
                    let [first, second] = &mut found;
                    let mut boards = [(&given[0][..], &mut first[..]), (&given[1][..], &mut second[..])];
                    winograd.convolve(kernels, board, &mut boards, begin, rectify);
                    for i in 0..2 {
                        let mut expected = slopes[i].clone();
                        let cells = cells(board);
                        kernels.convolve_frame(
                            shape,
                            &cells,
                            &given[i],
                            &weights,
                            begin,
                            rectify,
                            &mut expected,
                        );
                        assert_close(&found[i], &expected);
                    }
                }
                let (mut found, mut expected) = (weights.clone(), weights.clone());
                let boards = [(&given[0][..], &slopes[0][..]), (&given[1][..], &slopes[1][..])];
                winograd.gather_weight_gradients(kernels, board, &boards);
                winograd.add_weight_gradients(kernels, &mut found);
                for (given, slopes) in boards {
                    kernels.weight_gradients(shape, &cells(board), given, slopes, &mut expected);
                }
                assert_close(&found, &expected);
            }
        }
    }
}
