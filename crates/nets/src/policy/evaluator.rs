//! Asking a move predictor.

use super::architecture::{Input, Step, Top};
use super::frame::Frame;
use super::input::PolicyInput;
use super::net::PolicyNet;
use crate::kernels::convolution::{Begin, Shape, Winograd};
use crate::kernels::{Instructions, Kernels};
use fivestone_game::{Board, Point};
use std::sync::Arc;

/// A move predictor with room to work in: one per thread.
#[derive(Clone)]
pub struct PolicyEvaluator {
    net: Arc<PolicyNet>,
    steps: Vec<Step>,
    kernels: Kernels,
    input: PolicyInput,
    taps: Vec<Vec<i32>>,
    /// Convolutions that are worked out Winograd's way: 3x3 on whole boards.
    winograd: Vec<Option<Winograd>>,
    /// The channels of every cell after the input tables, if there are any, and after each convolution.
    layers: Vec<Vec<f32>>,
    flat: Vec<f32>,
    full: Vec<f32>,
    logits: Vec<f32>,
}

impl PolicyEvaluator {
    /// An evaluator with the fastest instructions of this machine.
    pub fn new(net: Arc<PolicyNet>) -> PolicyEvaluator {
        PolicyEvaluator::with_instructions(net, Instructions::detect())
            .expect("detected instructions are available")
    }

    /// An evaluator with chosen instructions, if this machine has them.
    pub fn with_instructions(net: Arc<PolicyNet>, instructions: Instructions) -> Option<PolicyEvaluator> {
        let kernels = Kernels::new(instructions)?;
        let steps = net.architecture.steps();
        let fast = instructions != Instructions::Scalar && net.rows.is_none();
        let winograd = steps.iter().enumerate().map(|(i, step)| {
            let suits = fast && step.side == 3;
            suits.then(|| Winograd::new(kernels, step.inputs, step.outputs, &net.tensors[2 * i])).flatten()
        });
        let mut evaluator = PolicyEvaluator {
            winograd: winograd.collect(),
            steps,
            input: PolicyInput::new(Frame::new(net.size)),
            net,
            kernels,
            taps: Vec::new(),
            layers: Vec::new(),
            flat: Vec::new(),
            full: Vec::new(),
            logits: Vec::new(),
        };
        evaluator.make_room();
        Some(evaluator)
    }

    /// The net in use.
    pub fn net(&self) -> &PolicyNet {
        &self.net
    }

    fn make_room(&mut self) {
        let frame = self.input.frame;
        let first = match self.net.architecture.input {
            Input::Lines(channels) => channels,
            Input::Stones | Input::Colours => 0,
        };
        let outputs = self.steps.iter().map(|step| step.outputs);
        self.layers = std::iter::once(first).chain(outputs).map(|c| vec![0.0; frame.cells() * c]).collect();
        self.taps = self.steps.iter().map(|step| frame.taps(step.side)).collect();
    }

    /// The points it gives probabilities to, occupied ones among them where the net has no notion of that, and their
    /// logits. On an empty board at least the centre is among them.
    pub fn evaluate(&mut self, board: &Board) -> (&[Point], &[f32]) {
        let size = self.net.frame_size(board.size());
        if self.input.frame.size() != size {
            self.input = PolicyInput::new(Frame::new(size));
            self.make_room();
        }
        self.input.read(board, self.net.architecture.input, self.net.rows.as_ref());
        let tables = self.read_tables();
        for i in 0..self.steps.len() {
            self.convolve(i, &self.net.clone().tensors[tables + 2 * i..]);
        }
        self.top(tables + 2 * self.steps.len());
        (&self.input.points, &self.logits)
    }

    /// Sums the rows of the input tables; answers how many lists of weights belong to the input.
    fn read_tables(&mut self) -> usize {
        let Input::Lines(channels) = self.net.architecture.input else { return 0 };
        for layer in &mut self.layers {
            layer.fill(0.0);
        }
        let table = &self.net.tensors[0];
        for (&cell, rows) in self.input.cells.iter().zip(&self.input.rows) {
            let sums = &mut self.layers[0][cell as usize * channels..][..channels];
            self.kernels.rectified_row_sum(table, rows, sums);
        }
        1
    }

    fn convolve(&mut self, i: usize, tensors: &[Vec<f32>]) {
        let step = self.steps[i];
        let shape = Shape { taps: &self.taps[i], inputs: step.inputs, outputs: step.outputs };
        let (before, after) = self.layers.split_at_mut(i + 1);
        let planes = i == 0 && before[0].is_empty();
        let input = if planes { &self.input.planes } else { &before[i] };
        let output = &mut after[0];
        let bias = &tensors[1];
        let begin = if step.adds_earlier {
            // Only cells that are worked on are ever other than zero.
            output.copy_from_slice(&before[i - 1]);
            Begin::Add(bias)
        } else {
            Begin::Bias(bias)
        };
        if let Some(winograd) = &mut self.winograd[i] {
            let board = self.input.frame.board();
            winograd.convolve(self.kernels, board, &mut [(input, output)], begin, true);
            return;
        }
        self.kernels.convolve_frame(shape, &self.input.cells, input, &tensors[0], begin, true, output);
    }

    fn top(&mut self, first: usize) {
        let (weights, bias) = (&self.net.tensors[first], &self.net.tensors[first + 1]);
        let last = self.layers.last().expect("there is a first layer");
        let numbers = if last.is_empty() { &self.input.planes } else { last };
        let channels = numbers.len() / self.input.frame.cells();
        let of_cell = |cell: u32| &numbers[cell as usize * channels..][..channels];
        self.logits.clear();
        match self.net.architecture.top {
            Top::Point => {
                let dot = |cell: &u32| {
                    of_cell(*cell).iter().zip(weights).map(|(a, b)| a * b).sum::<f32>() + bias[0]
                };
                self.logits.extend(self.input.moves.iter().map(dot));
            }
            Top::Full => {
                self.flat.clear();
                self.input.cells.iter().for_each(|&cell| self.flat.extend_from_slice(of_cell(cell)));
                self.full.clone_from(bias);
                self.kernels.add_scaled_rows(&self.flat, weights, &mut self.full);
                let frame = self.input.frame;
                let number = |cell: &u32| self.full[frame.point(*cell).dense(frame.size())];
                self.logits.extend(self.input.moves.iter().map(number));
            }
        }
    }
}
