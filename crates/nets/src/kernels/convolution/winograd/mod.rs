//! Winograd's 3x3 convolution: four by four outputs at a time with 36 products a channel instead of 144.
//!
//! Six by six input cells are transformed by weighted sums, multiplied by transformed weights, and transformed back:
//! polynomials are multiplied by way of their values at 0, 1, -1, 2, -2 and infinity. It serves whole boards; the
//! products are those of [`Kernels::convolve_frame`] on a frame of tiles.

mod planes;
mod transforms;
#[cfg(target_arch = "x86_64")]
mod vectors;

use super::{Begin, Kernels, Shape};
use crate::kernels::Instructions;
use planes::{LANES, OUT, Planes};

/// The weights of a 3x3 convolution, transformed, with room to work in.
#[derive(Clone, Debug)]
pub struct Winograd {
    inputs: usize,
    outputs: usize,
    /// By input channel, then output channel.
    weights: Planes,
    /// Gradients of the same.
    gradients: Planes,
    no_bias: Vec<f32>,
    tiles: Vec<u32>,
    /// Inputs by tile, then channel.
    transformed: Planes,
    /// Products, or gradients of them, likewise.
    products: Planes,
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
            weights: Planes::zeros(inputs * outputs),
            gradients: Planes::default(),
            no_bias: vec![0.0; outputs],
            tiles: Vec::new(),
            transformed: Planes::default(),
            products: Planes::default(),
        };
        job.set_weights(kernels, weights);
        Some(job)
    }

    /// Takes other weights.
    pub fn set_weights(&mut self, kernels: Kernels, weights: &[f32]) {
        assert_eq!(weights.len(), 9 * self.inputs * self.outputs, "weights of a 3x3 convolution");
        dispatch!(kernels, transforms | vectors, transform_weights(weights, &mut self.weights));
    }

    /// The products' shape: each cell of the tiles for itself.
    fn shape(&self) -> Shape<'static> {
        Shape { taps: &[0], inputs: self.inputs, outputs: self.outputs }
    }

    fn make_room(&mut self, tiles: usize) {
        self.tiles.clear();
        self.tiles.extend(0..tiles as u32);
        self.transformed.make_room(tiles * self.inputs);
        self.products.make_room(tiles * self.outputs);
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
        self.make_room(board.tiles() * boards.len());
        for (i, (input, _)) in boards.iter().enumerate() {
            let to = &mut self.transformed;
            dispatch!(kernels, transforms | vectors, transform_input(board, i, self.inputs, input, to));
        }
        let shape = self.shape();
        let cells = self.weights.iter().zip(self.transformed.iter()).zip(self.products.iter_mut());
        for ((weights, from), to) in cells {
            kernels.convolve_frame(shape, &self.tiles, from, weights, Begin::Bias(&self.no_bias), false, to);
        }
        for (i, (_, output)) in boards.iter_mut().enumerate() {
            let from = &self.products;
            dispatch!(
                kernels,
                transforms | vectors,
                transform_output(board, i, from, begin, rectify, output)
            );
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
        self.make_room(board.tiles() * boards.len());
        self.gradients.make_room(self.weights.length());
        for (i, (input, slopes)) in boards.iter().enumerate() {
            let to = &mut self.transformed;
            dispatch!(kernels, transforms | vectors, transform_input(board, i, self.inputs, input, to));
            let to = &mut self.products;
            dispatch!(
                kernels,
                transforms | vectors,
                transform_output_gradients(board, i, self.outputs, slopes, to)
            );
        }
        let shape = self.shape();
        let cells = self.gradients.iter_mut().zip(self.transformed.iter()).zip(self.products.iter());
        for ((gradients, from), slopes) in cells {
            kernels.weight_gradients(shape, &self.tiles, from, slopes, gradients);
        }
    }

    /// Adds what was gathered to the gradients of the weights, and begins anew.
    pub fn add_weight_gradients(&mut self, kernels: Kernels, gradients: &mut [f32]) {
        assert_eq!(gradients.len(), 9 * self.inputs * self.outputs, "weights of a 3x3 convolution");
        dispatch!(kernels, transforms | vectors, add_weight_gradients(&self.gradients, gradients));
        self.gradients.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::convolution::tests::{Numbers, assert_close};

    /// A frame in which only the board is other than zero.
    fn on_board(board: BoardFrame, channels: usize, numbers: &mut Numbers) -> Vec<f32> {
        let mut frame = vec![0.0; (board.side + 4) * board.stride * channels];
        let values = numbers.list(frame.len());
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

    #[test]
    fn both_ways_are_those_of_the_plain_convolution() {
        let (inputs, outputs) = (8, 16);
        let mut numbers = Numbers(1);
        for instructions in [Instructions::Scalar, Instructions::detect()] {
            let kernels = Kernels::new(instructions).unwrap();
            for side in [5, 15, 16, 17] {
                let stride = side + 2;
                let board = BoardFrame { side, stride, first: 2 * stride + 1 };
                let s = stride as i32;
                let taps = [-s - 1, -s, -s + 1, -1, 0, 1, s - 1, s, s + 1];
                let shape = Shape { taps: &taps, inputs, outputs };
                let weights = numbers.list(shape.weights());
                let bias = numbers.list(outputs);
                let mut winograd = Winograd::new(kernels, inputs, outputs, &weights).unwrap();
                let given = [on_board(board, inputs, &mut numbers), on_board(board, inputs, &mut numbers)];
                let slopes = [on_board(board, outputs, &mut numbers), on_board(board, outputs, &mut numbers)];
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
