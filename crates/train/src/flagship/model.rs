//! The net in floating point: its numbers, what it answers, and the gradients.

use super::sample::Sample;
use crate::layers::{
    add, add_scaled, clip, clip_back, cross_entropy, dense, dense_back, dot, scale, softmax,
};
use crate::line_rows::RowParts;
use fivestone_engine::Rng;
use fivestone_nets::Heads;
use fivestone_nets::architecture::{
    CELL, CHANNELS, CONVOLVED, HIDDEN, HIGHEST, ONE, OUTCOMES, POOL_SCALE, POOLED, REGION, REGIONS, VALUE1,
    VALUE2,
};
use fivestone_nets::features::{HISTORY, Known, REGION_KINDS, THREATS, Threats};
use fivestone_nets::lines::SEVEN_ROWS;

/// The highest activation.
pub const TOP: f32 = HIGHEST as f32 / ONE as f32;

/// Where the layers' numbers begin in the common list. From [`HEADS`] on they are as in [`Heads::from_numbers`].
pub const CONVOLUTION: usize = 0;
/// The moves' hidden layer.
pub const POLICY: usize = CONVOLUTION + 4 * CONVOLVED;
/// The heads: region layers first.
pub const HEADS: usize = POLICY + (CELL + 1) * HIDDEN;
const REGION_NUMBERS: usize = (CELL + 1) * REGION;
const FIRST: usize = HEADS + 4 * REGION_NUMBERS;
const SECOND: usize = FIRST + (POOLED + 1) * VALUE1;
const OUTCOME: usize = SECOND + (VALUE1 + 1) * VALUE2;
const GENERATED: usize = OUTCOME + (VALUE2 + 1) * OUTCOMES;
const HISTORIES: usize = GENERATED + (VALUE1 + 1) * HIDDEN;
/// What the solver's verdicts add to the first value layer.
pub const VERDICTS: usize = HISTORIES + 2 * HISTORY;
/// How many numbers all layers have.
pub const NUMBERS: usize = VERDICTS + THREATS * VALUE1;
const _: () = assert!(NUMBERS - HEADS == Heads::NUMBERS);

/// Numbers of a table row.
pub type Channels = [f32; CHANNELS];
type Convolved = [f32; CONVOLVED];
/// Channels that are not convolved.
const STRAIGHT: usize = CHANNELS - CONVOLVED;

/// The numbers of one set of weights. A row is the sum of its parts; in the finished net they are
/// one.
#[derive(Clone, PartialEq, Debug)]
pub struct Parameters {
    /// Rows and parts of the lines along the sides and of the diagonals.
    pub tables: [Vec<Channels>; 2],
    /// All other numbers.
    pub layers: Vec<f32>,
}

impl Parameters {
    /// All zero.
    pub fn zero(parts: &[RowParts; 2]) -> Parameters {
        Parameters {
            tables: parts.each_ref().map(|parts| vec![[0.0; CHANNELS]; parts.count()]),
            layers: vec![0.0; NUMBERS],
        }
    }

    /// Small random numbers to start from.
    pub fn random(parts: &[RowParts; 2], rng: &mut Rng) -> Parameters {
        let mut parameters = Parameters::zero(parts);
        let mut uniform = |reach: f32| (rng.unit() as f32 * 2.0 - 1.0) * reach;
        for table in &mut parameters.tables {
            table[..SEVEN_ROWS].as_flattened_mut().iter_mut().for_each(|number| *number = uniform(0.15));
        }
        let layers = &mut parameters.layers;
        layers[CONVOLUTION..CONVOLUTION + 3 * CONVOLVED].iter_mut().for_each(|number| *number = uniform(0.3));
        let mut fill = |start: usize, inputs: usize, outputs: usize| {
            let reach = (3.0 / inputs as f32).sqrt();
            layers[start..start + inputs * outputs].iter_mut().for_each(|number| *number = uniform(reach));
        };
        fill(POLICY, CELL, HIDDEN);
        for kind in 0..4 {
            fill(HEADS + kind * REGION_NUMBERS, CELL, REGION);
        }
        fill(FIRST, POOLED, VALUE1);
        fill(SECOND, VALUE1, VALUE2);
        fill(OUTCOME, VALUE2, OUTCOMES);
        fill(GENERATED, 4 * VALUE1, HIDDEN / 4);
        let bias = GENERATED + VALUE1 * HIDDEN;
        layers[bias..bias + HIDDEN].iter_mut().for_each(|number| *number = uniform(0.3));
        parameters
    }
}

/// The numbers that evaluate a sample.
#[derive(Clone, Copy)]
pub struct Weights<'a> {
    /// Rows of the lines along the sides and of the diagonals, folded.
    pub tables: &'a [Vec<Channels>; 2],
    /// All other numbers.
    pub layers: &'a [f32],
}

/// The gradients of a batch, with the parts it touched.
#[derive(Clone, Debug)]
pub struct Gradients {
    rows: [TouchedRows; 2],
    /// Gradients of rows and parts, once they were handed on.
    pub tables: [TouchedRows; 2],
    /// Gradients of the layers.
    pub layers: Vec<f32>,
}

/// Gradients of a table, of which a batch touches only some.
#[derive(Clone, Debug)]
pub struct TouchedRows {
    /// The gradients.
    pub gradients: Vec<Channels>,
    /// Those that may not be zero, in the order of touching.
    pub touched: Vec<u32>,
    is_touched: Vec<bool>,
}

impl TouchedRows {
    fn new(count: usize) -> TouchedRows {
        TouchedRows {
            gradients: vec![[0.0; CHANNELS]; count],
            touched: Vec::new(),
            is_touched: vec![false; count],
        }
    }

    #[inline(always)]
    fn touch(&mut self, row: usize) -> &mut Channels {
        let flag = &mut self.is_touched[row];
        if !*flag {
            *flag = true;
            self.touched.push(row as u32);
        }
        &mut self.gradients[row]
    }

    /// Forgets which were touched; their gradients must be zero again.
    fn forget(&mut self) {
        self.touched.drain(..).for_each(|row| self.is_touched[row as usize] = false);
    }
}

impl Gradients {
    /// No gradients yet.
    pub fn new(parts: &[RowParts; 2]) -> Gradients {
        Gradients {
            rows: parts.each_ref().map(|parts| TouchedRows::new(parts.rows())),
            tables: parts.each_ref().map(|parts| TouchedRows::new(parts.count())),
            layers: vec![0.0; NUMBERS],
        }
    }

    /// Hands the gradients of folded rows on to all of their parts.
    #[inline(always)]
    pub fn hand_on(&mut self, parts: &[RowParts; 2]) {
        for ((rows, table), parts) in self.rows.iter_mut().zip(&mut self.tables).zip(parts) {
            for &row in &rows.touched {
                let gradient = std::mem::replace(&mut rows.gradients[row as usize], [0.0; CHANNELS]);
                for &part in parts.of(row as usize) {
                    add(table.touch(part as usize), &gradient);
                }
            }
            rows.forget();
        }
    }

    /// Forgets which parts were touched; their gradients must be zero again.
    pub fn forget(&mut self) {
        self.tables.iter_mut().for_each(TouchedRows::forget);
    }
}

/// The numbers of the verdicts that teach. Where nothing is known the layer's bias stands for it: a
/// net that never saw a verdict answers the same whatever it is told.
fn taught(threats: Threats) -> impl Iterator<Item = usize> {
    let verdicts = [threats.own, threats.other].into_iter().zip(threats.rows());
    verdicts.filter(|(known, _)| *known != Known::NotKnown).map(|(_, row)| VERDICTS + row * VALUE1)
}

/// What the net said of a sample, and how far off that was.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct Answer {
    /// Win, draw and loss.
    pub outcome: [f32; OUTCOMES],
    /// Cross-entropy of the outcome.
    pub outcome_loss: f32,
    /// Cross-entropy of the moves.
    pub move_loss: f32,
    /// Whether the move with the highest share also got the highest probability.
    pub top1: bool,
}

/// How a sample goes through the net.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct PassOptions {
    /// How much the moves count against the outcome.
    pub move_weight: f32,
    /// Most moves have hardly any gradient. Those below this are left out by chance, so that what remains of them is
    /// right on average; 0 leaves none out.
    pub thin_below: f32,
    /// Seed of that chance.
    pub seed: u64,
}

struct Thinning {
    below: f32,
    rng: Rng,
}

impl Thinning {
    /// The gradient to go on with, if any.
    #[inline(always)]
    fn keep(&mut self, gradient: f32) -> Option<f32> {
        if gradient.abs() >= self.below {
            return Some(gradient);
        }
        let kept = (self.rng.unit() as f32) * self.below < gradient.abs();
        kept.then(|| self.below * gradient.signum())
    }
}

/// Room for the numbers of one sample on their way through the net and back.
#[derive(Default)]
pub struct Pass {
    cells: Vec<Channels>,
    convolved: Vec<Convolved>,
    edges: Vec<Convolved>,
    corners: Vec<Convolved>,
    hidden: Vec<[f32; HIDDEN]>,
    /// The logits of the moves, then their probabilities.
    pub moves: Vec<f32>,
    cell_gradients: Vec<Channels>,
    convolved_gradients: Vec<Convolved>,
}

struct Value {
    sums: [[f32; CELL]; REGIONS + 1],
    reduced: [[f32; REGION]; REGIONS + 1],
    pooled: [f32; POOLED],
    first: [f32; VALUE1],
    second: [f32; VALUE2],
    weights: [f32; HIDDEN],
}

#[inline(always)]
fn part<const N: usize>(numbers: &[f32], start: usize) -> &[f32; N] {
    numbers[start..].first_chunk().expect("the layers' numbers are all there")
}

#[inline(always)]
fn part_mut<const N: usize>(numbers: &mut [f32], start: usize) -> &mut [f32; N] {
    numbers[start..].first_chunk_mut().expect("the layers' numbers are all there")
}

#[inline(always)]
fn cell_input(cell: &Channels, convolved: &Convolved) -> [f32; CELL] {
    let mut input = [0.0; CELL];
    input[..STRAIGHT].copy_from_slice(&cell[CONVOLVED..]);
    input[STRAIGHT..].copy_from_slice(convolved);
    input
}

const REGION_LAYER: [usize; REGIONS + 1] = {
    let mut layers = [3; REGIONS + 1];
    let mut region = 0;
    while region < REGIONS {
        layers[region] = REGION_KINDS[region];
        region += 1;
    }
    layers
};

impl Pass {
    /// Evaluates a sample; with gradients, adds the sample's.
    #[inline(always)]
    pub fn run(
        &mut self,
        weights: Weights,
        sample: &Sample,
        options: &PassOptions,
        gradients: Option<&mut Gradients>,
    ) -> Answer {
        self.sum_rows(weights, sample);
        self.convolve(weights, sample);
        let value = self.value(weights, sample);
        let mut outcome = dense::<VALUE2, OUTCOMES>(&weights.layers[OUTCOME..], &value.second);
        softmax(&mut outcome);
        self.move_logits(weights, sample, &value.weights);
        softmax(&mut self.moves);
        let outcome_loss = cross_entropy(&outcome, &sample.outcome);
        let (mut move_loss, mut top1) = (0.0, false);
        if !sample.shares.is_empty() {
            move_loss = cross_entropy(&self.moves, &sample.shares);
            let best = |numbers: &[f32]| {
                (0..numbers.len()).fold(0, |best, i| if numbers[i] > numbers[best] { i } else { best })
            };
            top1 = best(&self.moves) == best(&sample.shares);
        }
        if let Some(gradients) = gradients {
            let outcome_gradient =
                std::array::from_fn(|i| sample.outcome_weight * (outcome[i] - sample.outcome[i]));
            self.back(weights, sample, &value, &outcome_gradient, options, gradients);
        }
        Answer { outcome, outcome_loss, move_loss, top1 }
    }

    #[inline(always)]
    fn sum_rows(&mut self, weights: Weights, sample: &Sample) {
        self.cells.clear();
        self.cells.push([0.0; CHANNELS]);
        for cell_rows in &sample.rows {
            let mut sum = [0.0; CHANNELS];
            for (line, &row) in cell_rows.iter().enumerate() {
                add(&mut sum, &weights.tables[line / 2][usize::from(row)]);
            }
            clip(&mut sum, TOP);
            self.cells.push(sum);
        }
    }

    #[inline(always)]
    fn convolve(&mut self, parameters: Weights, sample: &Sample) {
        let [centre, edge, corner, bias]: [&Convolved; 4] =
            [0, 1, 2, 3].map(|kind| part(parameters.layers, CONVOLUTION + kind * CONVOLVED));
        self.convolved.clear();
        self.convolved.push([0.0; CONVOLVED]);
        self.edges.clear();
        self.corners.clear();
        for (i, neighbours) in sample.neighbours.iter().enumerate() {
            let edges = self.sum_of_cells(&neighbours[..4]);
            let corners = self.sum_of_cells(&neighbours[4..]);
            let cell = &self.cells[i + 1];
            let mut output = *bias;
            for c in 0..CONVOLVED {
                output[c] += centre[c] * cell[c] + edge[c] * edges[c] + corner[c] * corners[c];
            }
            clip(&mut output, TOP);
            self.convolved.push(output);
            self.edges.push(edges);
            self.corners.push(corners);
        }
    }

    #[inline(always)]
    fn sum_of_cells(&self, cells: &[u16]) -> Convolved {
        let mut sum = [0.0; CONVOLVED];
        for &cell in cells {
            add(&mut sum, part(&self.cells[usize::from(cell)], 0));
        }
        sum
    }

    #[inline(always)]
    fn value(&self, parameters: Weights, sample: &Sample) -> Value {
        let layers = parameters.layers;
        let mut sums = [[0.0; CELL]; REGIONS + 1];
        for (i, &region) in sample.regions.iter().enumerate() {
            add(&mut sums[usize::from(region)], &cell_input(&self.cells[i + 1], &self.convolved[i + 1]));
        }
        for region in 0..REGIONS {
            scale(&mut sums[region], POOL_SCALE);
            let sum = sums[region];
            add_scaled(&mut sums[REGIONS], 0.25, &sum);
        }
        let mut reduced = [[0.0; REGION]; REGIONS + 1];
        let mut pooled = [0.0; POOLED];
        for region in 0..=REGIONS {
            let kind = REGION_LAYER[region];
            reduced[region] = dense::<CELL, REGION>(&layers[HEADS + kind * REGION_NUMBERS..], &sums[region]);
            clip(&mut reduced[region], f32::INFINITY);
            add(part_mut(&mut pooled, kind * REGION), &reduced[region]);
        }
        let mut first = dense::<POOLED, VALUE1>(&layers[FIRST..], &pooled);
        for row in sample.threats.rows() {
            add(&mut first, part(layers, VERDICTS + row * VALUE1));
        }
        clip(&mut first, f32::INFINITY);
        let mut second = dense::<VALUE1, VALUE2>(&layers[SECOND..], &first);
        clip(&mut second, f32::INFINITY);
        let weights = dense::<VALUE1, HIDDEN>(&layers[GENERATED..], &first);
        Value { sums, reduced, pooled, first, second, weights }
    }

    #[inline(always)]
    fn move_logits(&mut self, parameters: Weights, sample: &Sample, weights: &[f32; HIDDEN]) {
        let layers = parameters.layers;
        self.hidden.clear();
        self.moves.clear();
        for (&cell, history) in sample.moves.iter().zip(&sample.history) {
            let cell = usize::from(cell);
            let input = cell_input(&self.cells[cell], &self.convolved[cell]);
            let mut hidden = dense::<CELL, HIDDEN>(&layers[POLICY..], &input);
            clip(&mut hidden, TOP);
            let before: f32 =
                (0..2).map(|back| layers[HISTORIES + back * HISTORY + usize::from(history[back])]).sum();
            self.moves.push(dot(&hidden, weights) + before);
            self.hidden.push(hidden);
        }
    }

    #[inline(always)]
    fn back(
        &mut self,
        parameters: Weights,
        sample: &Sample,
        value: &Value,
        outcome_gradient: &[f32; OUTCOMES],
        options: &PassOptions,
        gradients: &mut Gradients,
    ) {
        self.cell_gradients.clear();
        self.cell_gradients.resize(self.cells.len(), [0.0; CHANNELS]);
        self.convolved_gradients.clear();
        self.convolved_gradients.resize(self.cells.len(), [0.0; CONVOLVED]);
        let layers = parameters.layers;

        // 1. The outcome, down to the first value layer.
        let of = &mut gradients.layers;
        let mut second = dense_back::<VALUE2, OUTCOMES>(
            &layers[OUTCOME..],
            &mut of[OUTCOME..],
            &value.second,
            outcome_gradient,
        );
        clip_back(&value.second, f32::INFINITY, &mut second);
        let mut first =
            dense_back::<VALUE1, VALUE2>(&layers[SECOND..], &mut of[SECOND..], &value.first, &second);

        // 2. The moves, down to the cells; the weights generated for them join the first value layer.
        if !sample.shares.is_empty() {
            let weights = self.back_moves(parameters, sample, &value.weights, options, gradients);
            let of = &mut gradients.layers;
            let generated = dense_back::<VALUE1, HIDDEN>(
                &layers[GENERATED..],
                &mut of[GENERATED..],
                &value.first,
                &weights,
            );
            add(&mut first, &generated);
        }

        // 3. From the first value layer to the regions and their cells.
        let of = &mut gradients.layers;
        clip_back(&value.first, f32::INFINITY, &mut first);
        for verdict in taught(sample.threats) {
            add(part_mut(of, verdict), &first);
        }
        let pooled = dense_back::<POOLED, VALUE1>(&layers[FIRST..], &mut of[FIRST..], &value.pooled, &first);
        let mut sums = [[0.0; CELL]; REGIONS + 1];
        for region in 0..=REGIONS {
            let kind = REGION_LAYER[region];
            let mut gradient: [f32; REGION] = *part(&pooled, kind * REGION);
            clip_back(&value.reduced[region], f32::INFINITY, &mut gradient);
            let at = HEADS + kind * REGION_NUMBERS;
            sums[region] =
                dense_back::<CELL, REGION>(&layers[at..], &mut of[at..], &value.sums[region], &gradient);
        }
        let whole = sums[REGIONS];
        for sum in &mut sums[..REGIONS] {
            add_scaled(sum, 0.25, &whole);
            scale(sum, POOL_SCALE);
        }
        for (i, &region) in sample.regions.iter().enumerate() {
            let sum = &sums[usize::from(region)];
            self.add_output_gradient(i + 1, sum);
        }

        // 4. Through the convolution, and from the cells to the rows of their lines.
        self.back_convolution(parameters, sample, gradients);
        for (i, cell_rows) in sample.rows.iter().enumerate() {
            let gradient = &mut self.cell_gradients[i + 1];
            clip_back(&self.cells[i + 1], TOP, gradient);
            for (line, &row) in cell_rows.iter().enumerate() {
                add(gradients.rows[line / 2].touch(row.into()), gradient);
            }
        }
    }

    #[inline(always)]
    fn back_moves(
        &mut self,
        parameters: Weights,
        sample: &Sample,
        weights: &[f32; HIDDEN],
        options: &PassOptions,
        gradients: &mut Gradients,
    ) -> [f32; HIDDEN] {
        let mut thinning = Thinning { below: options.thin_below, rng: Rng::new(options.seed) };
        let layers = parameters.layers;
        let of = &mut gradients.layers;
        let mut weights_gradient = [0.0; HIDDEN];
        for (at, &cell) in sample.moves.iter().enumerate() {
            let Some(gradient) = thinning.keep(self.moves[at] - sample.shares[at]) else { continue };
            let gradient = options.move_weight * gradient;
            for back in 0..2 {
                of[HISTORIES + back * HISTORY + usize::from(sample.history[at][back])] += gradient;
            }
            add_scaled(&mut weights_gradient, gradient, &self.hidden[at]);
            let mut hidden = weights.map(|weight| gradient * weight);
            clip_back(&self.hidden[at], TOP, &mut hidden);
            let cell = usize::from(cell);
            let input = cell_input(&self.cells[cell], &self.convolved[cell]);
            let input_gradient =
                dense_back::<CELL, HIDDEN>(&layers[POLICY..], &mut of[POLICY..], &input, &hidden);
            self.add_output_gradient(cell, &input_gradient);
        }
        weights_gradient
    }

    /// Hands the gradient of a cell's output on to its channels and its convolved ones.
    #[inline(always)]
    fn add_output_gradient(&mut self, cell: usize, gradient: &[f32; CELL]) {
        add::<STRAIGHT>(part_mut(&mut self.cell_gradients[cell], CONVOLVED), part(gradient, 0));
        add(&mut self.convolved_gradients[cell], part(gradient, STRAIGHT));
    }

    #[inline(always)]
    fn back_convolution(&mut self, parameters: Weights, sample: &Sample, gradients: &mut Gradients) {
        let [centre, edge, corner]: [Convolved; 3] =
            [0, 1, 2].map(|kind| *part(parameters.layers, CONVOLUTION + kind * CONVOLVED));
        let mut sums = [[0.0; CONVOLVED]; 4];
        self.convolved_gradients[0] = [0.0; CONVOLVED];
        for i in 0..sample.neighbours.len() {
            let gradient = &mut self.convolved_gradients[i + 1];
            clip_back(&self.convolved[i + 1], TOP, gradient);
            for c in 0..CONVOLVED {
                sums[0][c] += gradient[c] * self.cells[i + 1][c];
                sums[1][c] += gradient[c] * self.edges[i][c];
                sums[2][c] += gradient[c] * self.corners[i][c];
                sums[3][c] += gradient[c];
            }
        }
        for (kind, sum) in sums.iter().enumerate() {
            add(part_mut(&mut gradients.layers, CONVOLUTION + kind * CONVOLVED), sum);
        }
        // The kernel is symmetric, so gradients spread as activations do.
        for (i, neighbours) in sample.neighbours.iter().enumerate() {
            let to: &mut Convolved = part_mut(&mut self.cell_gradients[i + 1], 0);
            let own = &self.convolved_gradients[i + 1];
            for c in 0..CONVOLVED {
                to[c] += centre[c] * own[c];
            }
            for (at, &neighbour) in neighbours.iter().enumerate() {
                let weights = if at < 4 { &edge } else { &corner };
                let from = &self.convolved_gradients[usize::from(neighbour)];
                for c in 0..CONVOLVED {
                    to[c] += weights[c] * from[c];
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flagship::folding::Folded;
    use crate::flagship::sample::SampleBuilder;
    use crate::flagship::trainer::tests::random_games;
    use crate::flagship::{Config, Dataset};
    use fivestone_game::Rule;

    const OPTIONS: PassOptions = PassOptions { move_weight: 0.75, thin_below: 0.0, seed: 0 };

    /// The loss over some samples.
    fn loss(parameters: &Parameters, parts: &[RowParts; 2], samples: &[Sample], pass: &mut Pass) -> f64 {
        let mut folded = Folded::new(parts);
        let each = samples.iter().map(|sample| {
            folded.read(parameters, parts, &sample.rows);
            let weights = Weights { tables: &folded.tables, layers: &parameters.layers };
            let answer = pass.run(weights, sample, &OPTIONS, None);
            f64::from(sample.outcome_weight * answer.outcome_loss + 0.75 * answer.move_loss)
        });
        each.sum()
    }

    /// Along random directions, within each part of the net in turn, the slope of the loss is what the gradients say.
    #[test]
    fn gradients_are_the_slopes_of_the_loss() {
        let config = Config { lines: 300, nines: 100, ..Config::default() };
        let dataset = Dataset::new(Rule::Freestyle, vec![random_games(6, 3)], 2);
        let rows = dataset.choose_rows(&config).remove(0);
        let mut rng = Rng::new(7);
        let parts = rows.each_ref().map(|rows| RowParts::new(rows, true));
        let mut parameters = Parameters::random(&parts, &mut rng);
        for table in &mut parameters.tables {
            table.as_flattened_mut().iter_mut().for_each(|n| *n += (rng.unit() as f32 - 0.4) * 0.1);
        }
        let (mut builder, mut samples) = (SampleBuilder::default(), Vec::new());
        for &position in dataset.training().iter().step_by(9).take(6) {
            let mut sample = Sample::default();
            dataset.fill(position, std::slice::from_ref(&rows), &config, &mut builder, &mut sample);
            let known = [Known::Win, Known::None, Known::NotKnown];
            sample.threats = Threats { own: known[samples.len() % 3], other: known[samples.len() / 2] };
            samples.push(sample);
        }
        let mut pass = Pass::default();
        let mut gradients = Gradients::new(&parts);
        let mut folded = Folded::new(&parts);
        for sample in &samples {
            folded.read(&parameters, &parts, &sample.rows);
            let weights = Weights { tables: &folded.tables, layers: &parameters.layers };
            pass.run(weights, sample, &OPTIONS, Some(&mut gradients));
        }
        gradients.hand_on(&parts);

        let layers = [
            ("convolution", CONVOLUTION, POLICY),
            ("policy", POLICY, HEADS),
            ("regions", HEADS, FIRST),
            ("first", FIRST, SECOND),
            ("second", SECOND, OUTCOME),
            ("outcome", OUTCOME, GENERATED),
            ("generated", GENERATED, HISTORIES),
            ("history", HISTORIES, VERDICTS),
            ("own win", VERDICTS, VERDICTS + VALUE1),
            ("no own win", VERDICTS + VALUE1, VERDICTS + 2 * VALUE1),
            ("other's win", VERDICTS + 3 * VALUE1, VERDICTS + 4 * VALUE1),
            ("no other's win", VERDICTS + 4 * VALUE1, VERDICTS + 5 * VALUE1),
        ];
        let mut check = |name: &str,
                         parameters: &Parameters,
                         numbers: &dyn Fn(&mut Parameters) -> &mut [f32],
                         gradient: &[f32]| {
            // A step against the sign of the gradient makes every part of it count.
            let direction: Vec<f32> = gradient
                .iter()
                .map(|g| if *g == 0.0 { 0.0 } else { g.signum() * (0.5 + rng.unit() as f32) })
                .collect();
            let expected: f64 = direction.iter().zip(gradient).map(|(d, g)| f64::from(d * g)).sum();
            let size = (2e-3 / expected.abs()).min(1e-3);
            let mut at = |sign: f64| {
                let mut moved = parameters.clone();
                for (number, d) in numbers(&mut moved).iter_mut().zip(&direction) {
                    *number += (sign * size) as f32 * d;
                }
                loss(&moved, &parts, &samples, &mut pass)
            };
            let found = (at(1.0) - at(-1.0)) / (2.0 * size);
            assert!(
                (found - expected).abs() < 0.01 * expected.abs() + 1e-3,
                "{name}: {found} instead of {expected}"
            );
            assert!(expected > 0.0, "{name} has no gradient");
        };
        for (name, start, end) in layers {
            check(name, &parameters, &|p| &mut p.layers[start..end], &gradients.layers[start..end]);
        }
        for table in 0..2 {
            let of = &parts[table];
            let kinds = [
                ("sevens", 0, SEVEN_ROWS),
                ("nines", SEVEN_ROWS, SEVEN_ROWS + rows[table].nines().len()),
                ("lines", SEVEN_ROWS + rows[table].nines().len(), of.rows()),
                ("shared nines and windows", of.rows(), of.count()),
            ];
            for (name, start, end) in kinds {
                let range = start * CHANNELS..end * CHANNELS;
                let gradient = &gradients.tables[table].gradients.as_flattened()[range.clone()];
                check(
                    name,
                    &parameters,
                    &|p| &mut p.tables[table].as_flattened_mut()[range.clone()],
                    gradient,
                );
            }
        }
    }
}
