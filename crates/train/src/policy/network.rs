//! A move predictor in training: forwards, and backwards with hand-derived gradients.
//!
//! The convolutions are the kernels that the finished net plays with.

use super::batch_norm::BatchNorm;
use super::config::FirstWeights;
use crate::layers::{cross_entropy, softmax};
use fivestone_engine::Rng;
use fivestone_game::{Board, Point, Size};
use fivestone_nets::kernels::convolution::{Begin, Shape, Winograd};
use fivestone_nets::kernels::{Instructions, Kernels};
use fivestone_nets::policy::{
    Frame, Input, InputRows, PolicyArchitecture, PolicyInput, PolicyNet, ShapeError, Step, TensorShape, Top,
};

/// A named list of numbers with its sides.
#[derive(Clone, PartialEq, Debug)]
pub struct Tensor {
    /// Its name and sides.
    pub shape: TensorShape,
    /// Its numbers.
    pub values: Vec<f32>,
}

/// Room for one sample on its way through the net and back.
struct Slot {
    input: PolicyInput,
    /// Shares of the cells in `input.moves`.
    targets: Vec<f32>,
    probabilities: Vec<f32>,
    /// Channels before the first convolution and after each.
    layers: Vec<Vec<f32>>,
    /// Gradients of the same.
    gradients: Vec<Vec<f32>>,
    /// What went into the rectifiers of layers with batch norm, without scale and shift.
    normalised: Vec<Vec<f32>>,
    /// The last layer without its margin, for a full top.
    flat: Vec<f32>,
    flat_gradients: Vec<f32>,
    full: Vec<f32>,
}

/// A net and its gradients.
pub struct Network {
    architecture: PolicyArchitecture,
    size: Size,
    rows: Option<InputRows>,
    steps: Vec<Step>,
    taps: Vec<Vec<i32>>,
    kernels: Kernels,
    /// The weights, in the order of [`PolicyArchitecture::tensors`]; then scale and shift of each batch norm.
    pub tensors: Vec<Tensor>,
    /// The gradients of the weights.
    pub gradients: Vec<Vec<f32>>,
    /// What the batch norms remember of the batches, by convolution.
    pub norms: Vec<Option<BatchNorm>>,
    turned: Vec<Vec<f32>>,
    /// Convolutions that are worked out Winograd's way, forwards and backwards: 3x3 on whole boards.
    winograd: Vec<Option<[Winograd; 2]>>,
    no_bias: Vec<f32>,
    slots: Vec<Slot>,
}

/// What the net said of a sample.
#[derive(Clone, Copy, Debug)]
pub struct Answer<'a> {
    /// The points that got probabilities.
    pub points: &'a [Point],
    /// The probabilities.
    pub probabilities: &'a [f32],
    /// The shares they should have.
    pub targets: &'a [f32],
}

/// Boards that Winograd's convolutions take at a time: enough to share the weights, few enough for the cache.
const BOARDS: usize = 8;

/// The loss of a move that got no probability at all.
pub const MISSED: f32 = 13.8;

impl Answer<'_> {
    /// The cross-entropy in nats; no number if the probabilities are none.
    pub fn loss(&self) -> f32 {
        if self.probabilities.iter().any(|probability| probability.is_nan()) {
            return f32::NAN;
        }
        let covered: f32 = self.targets.iter().sum();
        cross_entropy(self.probabilities, self.targets) + (1.0 - covered).max(0.0) * MISSED
    }
}

/// So many numbers of Glorot's uniform distribution.
fn glorot(rng: &mut Rng, count: usize, inputs: usize, outputs: usize) -> Vec<f32> {
    uniform(rng, count, (6.0 / (inputs + outputs) as f32).sqrt())
}

fn uniform(rng: &mut Rng, count: usize, reach: f32) -> Vec<f32> {
    (0..count).map(|_| (rng.unit() as f32 * 2.0 - 1.0) * reach).collect()
}

impl Network {
    /// A net that knows nothing yet.
    pub fn new(
        architecture: &PolicyArchitecture,
        size: Size,
        rows: Option<InputRows>,
        first: FirstWeights,
        seed: u64,
    ) -> Network {
        let mut rng = Rng::new(seed);
        let steps = architecture.steps();
        let mut tensors: Vec<Tensor> = architecture
            .tensors(size.cells(), rows.as_ref().map_or(0, InputRows::count))
            .into_iter()
            .map(|shape| Tensor { values: first_weights(&shape, architecture, first, &mut rng), shape })
            .collect();
        let mut norms = Vec::new();
        for (i, step) in steps.iter().enumerate() {
            norms.push(step.batch_norm.then(|| BatchNorm::new(step.outputs)));
            if step.batch_norm {
                for (name, value) in [("scale", 1.0), ("shift", 0.0)] {
                    tensors.push(Tensor {
                        shape: TensorShape {
                            name: format!("convolution{i}.{name}"),
                            sides: vec![step.outputs],
                        },
                        values: vec![value; step.outputs],
                    });
                }
            }
        }
        let frame = Frame::new(size);
        let kernels = Kernels::new(Instructions::detect()).expect("detected instructions are available");
        let winograd = steps.iter().map(|step| {
            let layer =
                |inputs, outputs| Winograd::new(kernels, inputs, outputs, &vec![0.0; 9 * inputs * outputs]);
            if rows.is_some() || step.side != 3 {
                return None;
            }
            Some([layer(step.inputs, step.outputs)?, layer(step.outputs, step.inputs)?])
        });
        let most = steps.iter().map(|step| step.inputs).max().unwrap_or(0);
        let mut network = Network {
            architecture: architecture.clone(),
            size,
            taps: steps.iter().map(|step| frame.taps(step.side)).collect(),
            kernels,
            gradients: tensors.iter().map(|tensor| vec![0.0; tensor.values.len()]).collect(),
            turned: vec![Vec::new(); steps.len()],
            winograd: winograd.collect(),
            no_bias: vec![0.0; most],
            rows,
            steps,
            tensors,
            norms,
            slots: Vec::new(),
        };
        network.weights_changed();
        network
    }

    /// Its shape.
    pub fn architecture(&self) -> &PolicyArchitecture {
        &self.architecture
    }

    /// The rows of its input tables.
    pub fn rows(&self) -> Option<&InputRows> {
        self.rows.as_ref()
    }

    /// Which list of weights is the input tables'.
    pub fn is_table(&self, tensor: usize) -> bool {
        tensor < self.tables()
    }

    fn tables(&self) -> usize {
        usize::from(self.rows.is_some())
    }

    fn weights_of(&self, step: usize) -> usize {
        self.tables() + 2 * step
    }

    fn top_at(&self) -> usize {
        self.weights_of(self.steps.len())
    }

    /// Where the scale and shift of a convolution's batch norm are.
    fn norm_at(&self, step: usize) -> usize {
        let before = self.steps[..step].iter().filter(|step| step.batch_norm).count();
        self.top_at() + 2 + 2 * before
    }

    /// Works out what follows from the weights; to be called after they were changed.
    pub fn weights_changed(&mut self) {
        for i in 1 - self.tables().min(1)..self.steps.len() {
            let step = self.steps[i];
            let weights = &self.tensors[self.tables() + 2 * i].values;
            let turned = &mut self.turned[i];
            turned.resize(weights.len(), 0.0);
            let taps = step.side * step.side;
            for tap in 0..taps {
                for input in 0..step.inputs {
                    let row = &weights[(tap * step.inputs + input) * step.outputs..][..step.outputs];
                    for (output, &weight) in row.iter().enumerate() {
                        turned[((taps - 1 - tap) * step.outputs + output) * step.inputs + input] = weight;
                    }
                }
            }
            if let Some([forwards, backwards]) = &mut self.winograd[i] {
                forwards.set_weights(self.kernels, weights);
                backwards.set_weights(self.kernels, turned);
            }
        }
    }

    /// Puts a sample into a slot: a position and the shares its moves should have.
    pub fn show(&mut self, slot: usize, board: &Board, answers: &[(Point, f32)]) {
        let frame = Frame::new(self.size);
        while self.slots.len() <= slot {
            self.slots.push(Slot::new(frame, &self.architecture, &self.steps));
        }
        let slot = &mut self.slots[slot];
        slot.input.read(board, self.architecture.input, self.rows.as_ref());
        slot.targets.clear();
        slot.targets.resize(slot.input.moves.len(), 0.0);
        for &(point, share) in answers {
            if let Some(at) = slot.input.points.iter().position(|&known| known == point) {
                slot.targets[at] += share;
            }
        }
    }

    /// Evaluates the first `count` slots. In training batch norms look at these samples, else at what they remember.
    pub fn forward(&mut self, count: usize, training: bool) {
        self.read_inputs(count);
        for i in 0..self.steps.len() {
            self.convolve(i, count);
            if let Some(mut norm) = self.norms[i].take() {
                let at = self.norm_at(i);
                let (scale, shift) = (&self.tensors[at].values, &self.tensors[at + 1].values);
                let mut samples: Vec<_> = self.slots[..count]
                    .iter_mut()
                    .map(|slot| {
                        (slot.input.cells.as_slice(), &mut slot.layers[i + 1], &mut slot.normalised[i])
                    })
                    .collect();
                norm.forward(&mut samples, scale, shift, training);
                self.norms[i] = Some(norm);
            }
        }
        for slot in 0..count {
            self.top(slot);
        }
    }

    /// What the net said of a slot's sample.
    pub fn answer(&self, slot: usize) -> Answer<'_> {
        let slot = &self.slots[slot];
        Answer { points: &slot.input.points, probabilities: &slot.probabilities, targets: &slot.targets }
    }

    fn read_inputs(&mut self, count: usize) {
        for slot in &mut self.slots[..count] {
            let Input::Lines(channels) = self.architecture.input else {
                slot.layers[0].clone_from(&slot.input.planes);
                continue;
            };
            for layer in &mut slot.layers {
                layer.fill(0.0);
            }
            for (&cell, rows) in slot.input.cells.iter().zip(&slot.input.rows) {
                let sums = &mut slot.layers[0][cell as usize * channels..][..channels];
                self.kernels.rectified_row_sum(&self.tensors[0].values, rows, sums);
            }
        }
    }

    fn convolve(&mut self, i: usize, count: usize) {
        let step = self.steps[i];
        let shape = Shape { taps: &self.taps[i], inputs: step.inputs, outputs: step.outputs };
        let at = self.tables() + 2 * i;
        let (weights, bias) = (&self.tensors[at].values, &self.tensors[at + 1].values);
        let begin = if step.adds_earlier { Begin::Add(bias) } else { Begin::Bias(bias) };
        let rectify = !step.batch_norm;
        if step.adds_earlier {
            for slot in &mut self.slots[..count] {
                let (before, after) = slot.layers.split_at_mut(i + 1);
                after[0].copy_from_slice(&before[i - 1]);
            }
        }
        if let Some([forwards, _]) = &mut self.winograd[i] {
            let board = Frame::new(self.size).board();
            for slots in self.slots[..count].chunks_mut(BOARDS) {
                let mut boards: Vec<(&[f32], &mut [f32])> = slots
                    .iter_mut()
                    .map(|slot| {
                        let (before, after) = slot.layers.split_at_mut(i + 1);
                        (before[i].as_slice(), after[0].as_mut_slice())
                    })
                    .collect();
                forwards.convolve(self.kernels, board, &mut boards, begin, rectify);
            }
            return;
        }
        for slot in &mut self.slots[..count] {
            let (before, after) = slot.layers.split_at_mut(i + 1);
            let output = &mut after[0];
            self.kernels.convolve_frame(
                shape,
                &slot.input.cells,
                &before[i],
                weights,
                begin,
                rectify,
                output,
            );
        }
    }

    fn top(&mut self, slot: usize) {
        let at = self.top_at();
        let (weights, bias) = (&self.tensors[at].values, &self.tensors[at + 1].values);
        let slot = &mut self.slots[slot];
        let channels = self.architecture.top_channels();
        let last = slot.layers.last().expect("there is a first layer");
        let of_cell = |cell: u32| &last[cell as usize * channels..][..channels];
        slot.probabilities.clear();
        match self.architecture.top {
            Top::Point => {
                let dot = |cell: &u32| {
                    of_cell(*cell).iter().zip(weights).map(|(a, b)| a * b).sum::<f32>() + bias[0]
                };
                slot.probabilities.extend(slot.input.moves.iter().map(dot));
            }
            Top::Full => {
                slot.flat.clear();
                slot.input.cells.iter().for_each(|&cell| slot.flat.extend_from_slice(of_cell(cell)));
                slot.full.clone_from(bias);
                self.kernels.add_scaled_rows(&slot.flat, weights, &mut slot.full);
                slot.probabilities.clone_from(&slot.full);
            }
        }
        softmax(&mut slot.probabilities);
    }

    /// Adds the gradients of the first `count` slots, which were evaluated before.
    pub fn backward(&mut self, count: usize) {
        for slot in 0..count {
            self.top_back(slot);
        }
        for i in (0..self.steps.len()).rev() {
            self.rectify_back(i, count);
            if let Some(norm) = self.norms[i].take() {
                let at = self.norm_at(i);
                let (first, second) = self.gradients.split_at_mut(at + 1);
                let mut samples: Vec<_> = self.slots[..count]
                    .iter_mut()
                    .map(|slot| {
                        let cells = slot.input.cells.as_slice();
                        (cells, &mut slot.gradients[i + 1], &mut slot.normalised[i])
                    })
                    .collect();
                norm.backward(&mut samples, &self.tensors[at].values, &mut first[at], &mut second[0]);
                self.norms[i] = Some(norm);
            }
            self.convolve_back(i, count);
        }
        self.read_back(count);
    }

    fn top_back(&mut self, slot: usize) {
        let at = self.top_at();
        let weights = &self.tensors[at].values;
        let (first, second) = self.gradients.split_at_mut(at + 1);
        let (weight_gradients, bias_gradients) = (&mut first[at], &mut second[0]);
        let slot = &mut self.slots[slot];
        slot.gradients.iter_mut().for_each(|layer| layer.fill(0.0));
        let channels = self.architecture.top_channels();
        let last = slot.layers.last().expect("there is a first layer");
        let last_gradients = slot.gradients.last_mut().expect("there is a first layer");
        // What no move was given cannot be learned: only the covered share pulls.
        let covered: f32 = slot.targets.iter().sum();
        let slopes = slot.probabilities.iter().zip(&slot.targets).map(|(p, t)| p * covered - t);
        match self.architecture.top {
            Top::Point => {
                for (&cell, slope) in slot.input.moves.iter().zip(slopes) {
                    let range = cell as usize * channels..(cell as usize + 1) * channels;
                    bias_gradients[0] += slope;
                    let numbers = last[range.clone()].iter().zip(&mut last_gradients[range]);
                    for (((number, gradient), weight), of_weight) in
                        numbers.zip(weights).zip(weight_gradients.iter_mut())
                    {
                        *gradient += slope * weight;
                        *of_weight += slope * number;
                    }
                }
            }
            Top::Full => {
                slot.full.clear();
                slot.full.extend(slopes);
                bias_gradients.iter_mut().zip(&slot.full).for_each(|(gradient, slope)| *gradient += slope);
                slot.flat_gradients.resize(slot.flat.len(), 0.0);
                self.kernels.scaled_row_gradients(
                    &slot.flat,
                    weights,
                    &slot.full,
                    weight_gradients,
                    &mut slot.flat_gradients,
                );
                for (&cell, from) in slot.input.cells.iter().zip(slot.flat_gradients.chunks_exact(channels)) {
                    last_gradients[cell as usize * channels..][..channels].copy_from_slice(from);
                }
            }
        }
    }

    /// The gradients through a convolution's rectifier, and those of what was added before it.
    fn rectify_back(&mut self, i: usize, count: usize) {
        for slot in &mut self.slots[..count] {
            let (earlier, later) = slot.gradients.split_at_mut(i + 1);
            let gradients = &mut later[0];
            for (gradient, &number) in gradients.iter_mut().zip(&slot.layers[i + 1]) {
                *gradient = if number > 0.0 { *gradient } else { 0.0 };
            }
            if self.steps[i].adds_earlier {
                earlier[i - 1].iter_mut().zip(gradients.iter()).for_each(|(to, from)| *to += from);
            }
        }
    }

    fn convolve_back(&mut self, i: usize, count: usize) {
        let step = self.steps[i];
        let shape = Shape { taps: &self.taps[i], inputs: step.inputs, outputs: step.outputs };
        let turned = Shape { taps: &self.taps[i], inputs: step.outputs, outputs: step.inputs };
        let at = self.weights_of(i);
        let (first, second) = self.gradients.split_at_mut(at + 1);
        let (weight_gradients, bias_gradients) = (&mut first[at], &mut second[0]);
        let needed = i > 0 || self.rows.is_some();
        for slot in &self.slots[..count] {
            for &cell in &slot.input.cells {
                let of_cell = &slot.gradients[i + 1][cell as usize * step.outputs..][..step.outputs];
                bias_gradients.iter_mut().zip(of_cell).for_each(|(to, from)| *to += from);
            }
        }
        if let Some([forwards, backwards]) = &mut self.winograd[i] {
            let board = Frame::new(self.size).board();
            for slots in self.slots[..count].chunks_mut(BOARDS) {
                let boards: Vec<(&[f32], &[f32])> = slots
                    .iter()
                    .map(|slot| (slot.layers[i].as_slice(), slot.gradients[i + 1].as_slice()))
                    .collect();
                forwards.gather_weight_gradients(self.kernels, board, &boards);
                if needed {
                    let mut boards: Vec<(&[f32], &mut [f32])> = slots
                        .iter_mut()
                        .map(|slot| {
                            let (earlier, later) = slot.gradients.split_at_mut(i + 1);
                            (later[0].as_slice(), earlier[i].as_mut_slice())
                        })
                        .collect();
                    let begin = Begin::Add(&self.no_bias[..step.inputs]);
                    backwards.convolve(self.kernels, board, &mut boards, begin, false);
                }
            }
            forwards.add_weight_gradients(self.kernels, weight_gradients);
            return;
        }
        for slot in &mut self.slots[..count] {
            let (earlier, later) = slot.gradients.split_at_mut(i + 1);
            let cells = &slot.input.cells;
            self.kernels.weight_gradients(shape, cells, &slot.layers[i], &later[0], weight_gradients);
            if needed {
                let begin = Begin::Add(&self.no_bias[..step.inputs]);
                self.kernels.convolve_frame(
                    turned,
                    cells,
                    &later[0],
                    &self.turned[i],
                    begin,
                    false,
                    &mut earlier[i],
                );
            }
        }
    }

    fn read_back(&mut self, count: usize) {
        let Input::Lines(channels) = self.architecture.input else { return };
        let gradients = &mut self.gradients[0];
        for slot in &mut self.slots[..count] {
            for (&cell, rows) in slot.input.cells.iter().zip(&slot.input.rows) {
                let range = cell as usize * channels..(cell as usize + 1) * channels;
                let slopes = &mut slot.gradients[0][range.clone()];
                for (slope, &number) in slopes.iter_mut().zip(&slot.layers[0][range]) {
                    *slope = if number > 0.0 { *slope } else { 0.0 };
                }
                for &row in rows.iter().filter(|&&row| row != 0) {
                    let to = &mut gradients[row as usize * channels..][..channels];
                    to.iter_mut().zip(slopes.iter()).for_each(|(to, from)| *to += from);
                }
            }
        }
    }

    /// The finished net of these weights: batch norms are worked into the convolutions.
    pub fn finished(&self, tensors: &[Vec<f32>], description: String) -> Result<PolicyNet, ShapeError> {
        let mut folded: Vec<Vec<f32>> = tensors[..self.top_at() + 2].to_vec();
        for (i, norm) in self.norms.iter().enumerate() {
            if let Some(norm) = norm {
                let (weights, norm_at) = (self.weights_of(i), self.norm_at(i));
                let (first, second) = folded.split_at_mut(weights + 1);
                norm.fold(&tensors[norm_at], &tensors[norm_at + 1], &mut first[weights], &mut second[0]);
            }
        }
        let architecture = self.architecture.without_batch_norm();
        PolicyNet::new(architecture, self.size, self.rows.clone(), folded, description)
    }
}

impl Slot {
    fn new(frame: Frame, architecture: &PolicyArchitecture, steps: &[Step]) -> Slot {
        let channels = std::iter::once(architecture.input.channels()).chain(steps.iter().map(|s| s.outputs));
        let layers: Vec<Vec<f32>> = channels.map(|channels| vec![0.0; frame.cells() * channels]).collect();
        Slot {
            input: PolicyInput::new(frame),
            targets: Vec::new(),
            probabilities: Vec::new(),
            gradients: layers.clone(),
            layers,
            normalised: steps
                .iter()
                .map(|step| vec![0.0; if step.batch_norm { frame.cells() * step.outputs } else { 0 }])
                .collect(),
            flat: Vec::new(),
            flat_gradients: Vec::new(),
            full: Vec::new(),
        }
    }
}

fn first_weights(
    shape: &TensorShape,
    architecture: &PolicyArchitecture,
    first: FirstWeights,
    rng: &mut Rng,
) -> Vec<f32> {
    let count = shape.count();
    match (shape.name.as_str(), shape.sides.as_slice()) {
        ("rows", &[_, channels]) => {
            let mut values = uniform(rng, count, 0.15);
            values[..channels].fill(0.0);
            values
        }
        ("top.weights", &[cells, channels, outputs]) => glorot(rng, count, cells * channels, outputs),
        ("top.weights", _) => glorot(rng, count, architecture.top_channels(), 1),
        (_, &[taps, inputs, outputs]) => match first {
            FirstWeights::Glorot => glorot(rng, count, taps * inputs, taps * outputs),
            FirstWeights::He => uniform(rng, count, (6.0 / (taps * inputs) as f32).sqrt()),
        },
        _ => vec![0.0; count],
    }
}
