//! Steps of training.

use super::Config;
use super::data::{Dataset, Position};
use super::folding::Folded;
use super::model::{Answer, Gradients, Parameters, Pass, PassOptions, VERDICTS, Weights};
use super::sample::{Sample, SampleBuilder};
use crate::layers::scale;
use crate::line_rows::RowParts;
use crate::optimiser::{Adam, Step};
use fivestone_engine::Rng;
use fivestone_nets::Net;
use fivestone_nets::architecture::CHANNELS;
use fivestone_nets::features::{Known, Threats};
use fivestone_nets::lines::LineRows;
use pulp::{Arch, NullaryFnOnce};

/// Steps between updates of the running average.
const AVERAGE_EVERY: usize = 8;
/// How much of the past the mean of the squared gradients keeps: rows that few batches touch should not wait for long.
const SQUARE: f32 = 0.99;
/// Move gradients below this are thinned out.
const THIN_BELOW: f32 = 0.02;

/// How often a verdict of the solver is kept from the net, which has to know what to say without.
const UNTOLD: f64 = 0.1;

/// One set of weights in training.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct SetState {
    pub parameters: Parameters,
    pub average: Parameters,
    pub table_memory: [Adam; 2],
    pub layer_memory: Adam,
}

/// A net in training.
pub struct Trainer {
    pub(super) config: Config,
    pub(super) rows: Vec<[LineRows; 2]>,
    pub(super) parts: Vec<[RowParts; 2]>,
    pub(super) sets: Vec<SetState>,
    pub(super) step: usize,
    gradients: Vec<Gradients>,
    /// Folded rows of the weights and of their average, by set.
    folded: Vec<[Folded; 2]>,
    pass: Pass,
    builder: SampleBuilder,
    sample: Sample,
    arch: Arch,
}

/// Mean losses of a batch.
#[derive(Clone, Copy, Default, PartialEq, Debug)]
pub struct BatchLoss {
    /// Cross-entropy of the outcome.
    pub outcome: f32,
    /// Cross-entropy of the moves.
    pub moves: f32,
}

impl Trainer {
    /// A net that knows nothing, with its rows chosen from the data.
    pub fn new(config: &Config, dataset: &Dataset) -> Trainer {
        let rows = dataset.choose_rows(config);
        let parts = parts_of(&rows, config.factorised);
        let mut rng = Rng::new(config.seed);
        let sets = parts.iter().map(|parts| SetState::new(Parameters::random(parts, &mut rng))).collect();
        Trainer::with_sets(config, rows, parts, sets, 0)
    }

    /// A net that begins as another does, with its rows or with rows chosen from the data.
    pub(super) fn adapted(config: &Config, dataset: &Dataset, other: &Trainer) -> Trainer {
        let keep_rows = config.keep_rows && other.sets.len() == Net::sets_of(dataset.rule());
        let rows = if keep_rows { other.rows.clone() } else { dataset.choose_rows(config) };
        let parts = parts_of(&rows, config.factorised);
        let adapt = |(set, (rows, parts)): (usize, (&[LineRows; 2], &[RowParts; 2]))| {
            let set = set % other.sets.len();
            let (average, old) = (&other.sets[set].average, (&other.rows[set], &other.parts[set]));
            let mut parameters =
                if old == (rows, parts) { average.clone() } else { average.with_rows(old, (rows, parts)) };
            if !config.threats {
                parameters.layers[VERDICTS..].fill(0.0);
            }
            SetState::new(parameters)
        };
        let sets = rows.iter().zip(&parts).enumerate().map(adapt).collect();
        Trainer::with_sets(config, rows, parts, sets, 0)
    }

    pub(super) fn with_sets(
        config: &Config,
        rows: Vec<[LineRows; 2]>,
        parts: Vec<[RowParts; 2]>,
        sets: Vec<SetState>,
        step: usize,
    ) -> Trainer {
        Trainer {
            config: config.clone(),
            gradients: parts.iter().map(Gradients::new).collect(),
            folded: parts.iter().map(|parts| [Folded::new(parts), Folded::new(parts)]).collect(),
            rows,
            parts,
            sets,
            step,
            pass: Pass::default(),
            builder: SampleBuilder::default(),
            sample: Sample::default(),
            arch: Arch::new(),
        }
    }

    /// Steps done.
    pub fn step_count(&self) -> usize {
        self.step
    }

    /// Whether every number of the layers is one.
    pub fn is_finite(&self) -> bool {
        self.sets.iter().all(|state| state.parameters.layers.iter().all(|number| number.is_finite()))
    }

    /// The rows of the tables, by set of weights.
    pub fn rows(&self) -> &[[LineRows; 2]] {
        &self.rows
    }

    /// Learns from a batch of positions at a step size.
    pub fn learn(&mut self, dataset: &Dataset, batch: &[Position], rate: f32) -> BatchLoss {
        let mut loss = BatchLoss::default();
        for (number, &position) in batch.iter().enumerate() {
            let options = PassOptions {
                move_weight: self.config.move_weight,
                thin_below: THIN_BELOW,
                seed: self.config.seed ^ ((self.step as u64) << 20 | number as u64),
            };
            dataset.fill(position, &self.rows, &self.config, &mut self.builder, &mut self.sample);
            keep_some_back(&mut self.sample.threats, options.seed);
            let set = self.sample.set;
            let answer = self.arch.dispatch(Evaluate {
                pass: &mut self.pass,
                folded: &mut self.folded[set][0],
                parameters: &self.sets[set].parameters,
                parts: &self.parts[set],
                sample: &self.sample,
                options,
                gradients: Some(&mut self.gradients[set]),
            });
            loss.outcome += answer.outcome_loss;
            loss.moves += answer.move_loss;
        }
        let share = 1.0 / batch.len() as f32;
        for (set, state) in self.sets.iter_mut().enumerate() {
            let gradients = &mut self.gradients[set];
            let parts = &self.parts[set];
            let [folded, folded_average] = &mut self.folded[set];
            let by = Step { rate, decay: self.config.decay, calm: self.config.calm, square: SQUARE };
            let shared = Step { rate: self.config.shared_rate * rate, ..by };
            self.arch.dispatch(StepSet { state, gradients, parts, share, steps: [by, shared] });
            folded.forget();
            if self.step.is_multiple_of(AVERAGE_EVERY) {
                // In the beginning the average looks back over what there is.
                let over = self.config.average_over.min(self.step as f32 / 4.0) / AVERAGE_EVERY as f32;
                self.arch.dispatch(UpdateAverage { state, share: 1.0 / (1.0 + over) });
                folded_average.forget();
            }
        }
        self.step += 1;
        BatchLoss { outcome: loss.outcome * share, moves: loss.moves * share }
    }

    /// Evaluates a position with the running average of the weights.
    pub(super) fn answer(&mut self, dataset: &Dataset, position: Position) -> (Answer, &Sample) {
        dataset.fill(position, &self.rows, &self.config, &mut self.builder, &mut self.sample);
        let set = self.sample.set;
        let answer = self.arch.dispatch(Evaluate {
            pass: &mut self.pass,
            folded: &mut self.folded[set][1],
            parameters: &self.sets[set].average,
            parts: &self.parts[set],
            sample: &self.sample,
            options: PassOptions::default(),
            gradients: None,
        });
        (answer, &self.sample)
    }

    /// The probabilities of the moves of the position evaluated last.
    pub(super) fn move_probabilities(&self) -> &[f32] {
        &self.pass.moves
    }
}

/// What is dispatched to the machine's vector instructions. Closures will not do: they are too large to be inlined there
/// unasked, and what is not inlined is compiled for every machine.
struct Evaluate<'a> {
    pass: &'a mut Pass,
    folded: &'a mut Folded,
    parameters: &'a Parameters,
    parts: &'a [RowParts; 2],
    sample: &'a Sample,
    options: PassOptions,
    gradients: Option<&'a mut Gradients>,
}

impl NullaryFnOnce for Evaluate<'_> {
    type Output = Answer;

    #[inline(always)]
    fn call(self) -> Answer {
        self.folded.read(self.parameters, self.parts, &self.sample.rows);
        let weights = Weights { tables: &self.folded.tables, layers: &self.parameters.layers };
        self.pass.run(weights, self.sample, &self.options, self.gradients)
    }
}

/// A step of a set of weights, dispatched likewise.
struct StepSet<'a> {
    state: &'a mut SetState,
    gradients: &'a mut Gradients,
    parts: &'a [RowParts; 2],
    share: f32,
    /// Of rows, and of parts that are none.
    steps: [Step; 2],
}

impl NullaryFnOnce for StepSet<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.state.step(self.gradients, self.parts, self.share, self.steps);
    }
}

/// The running average of a set of weights, dispatched likewise.
struct UpdateAverage<'a> {
    state: &'a mut SetState,
    share: f32,
}

impl NullaryFnOnce for UpdateAverage<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.state.update_average(self.share);
    }
}

impl SetState {
    pub fn new(parameters: Parameters) -> SetState {
        SetState {
            average: parameters.clone(),
            table_memory: parameters.tables.each_ref().map(|table| Adam::new(table.len() * CHANNELS)),
            layer_memory: Adam::new(parameters.layers.len()),
            parameters,
        }
    }

    #[inline(always)]
    fn step(&mut self, gradients: &mut Gradients, parts: &[RowParts; 2], share: f32, steps: [Step; 2]) {
        let [own, shared] = steps;
        let layers = Step { decay: 0.0, calm: 1e-7, ..own };
        gradients.hand_on(parts);
        for (table, parts) in parts.iter().enumerate() {
            let rows = &mut gradients.tables[table];
            for &row in &rows.touched {
                let row = row as usize;
                let gradient = &mut rows.gradients[row];
                scale(gradient, share);
                let numbers = &mut self.parameters.tables[table][row];
                let by = if row < parts.rows() { own } else { shared };
                self.table_memory[table].step(row * CHANNELS, numbers, gradient, by);
            }
        }
        gradients.forget();
        scale(&mut gradients.layers, share);
        self.layer_memory.step(0, &mut self.parameters.layers, &mut gradients.layers, layers);
    }

    #[inline(always)]
    fn update_average(&mut self, share: f32) {
        for (average, numbers) in self.average.tables.iter_mut().zip(&self.parameters.tables) {
            blend(average.as_flattened_mut(), numbers.as_flattened(), share);
        }
        blend(&mut self.average.layers, &self.parameters.layers, share);
    }
}

/// The parts of the rows, by set of weights.
pub(super) fn parts_of(rows: &[[LineRows; 2]], factorised: bool) -> Vec<[RowParts; 2]> {
    let of = |rows: &LineRows| RowParts::new(rows, factorised);
    rows.iter().map(|rows| rows.each_ref().map(of)).collect()
}

/// Keeps some verdicts from the net.
fn keep_some_back(threats: &mut Threats, seed: u64) {
    let mut rng = Rng::new(!seed);
    for verdict in [&mut threats.own, &mut threats.other] {
        if rng.unit() < UNTOLD {
            *verdict = Known::NotKnown;
        }
    }
}

/// Moves a running average by a share towards numbers.
#[inline(always)]
fn blend(average: &mut [f32], numbers: &[f32], share: f32) {
    for (average, number) in average.iter_mut().zip(numbers) {
        *average += share * (number - *average);
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::samples::{SampleGame, SamplePly};
    use fivestone_game::{Board, Point, Rule, Size};

    /// Games of random moves near stones, with made-up judgements.
    pub fn random_games(count: usize, seed: u64) -> Vec<SampleGame> {
        let mut rng = Rng::new(seed);
        let size = Size::STANDARD;
        let mut game = || {
            let mut board = Board::new(size, Rule::Freestyle);
            let mut plies = Vec::new();
            while board.end().is_none() && plies.len() < 60 {
                let near: Vec<Point> = board.near(2).iter().collect();
                let point = near[rng.below(near.len())];
                let value = Some(rng.unit() as f32);
                plies.push(SamplePly::played(point, value));
                board.play(point).unwrap();
            }
            let winner = board.end().and_then(fivestone_game::GameEnd::winner);
            SampleGame {
                rule: Rule::Freestyle,
                size,
                winner,
                result_known: true,
                opening: Vec::new(),
                plies,
                harvest: Vec::new(),
            }
        };
        (0..count).map(|_| game()).collect()
    }

    #[test]
    fn learns_a_few_positions_by_heart() {
        let config = Config { lines: 300, nines: 100, rate: 5e-3, ..Config::default() };
        let dataset = Dataset::new(Rule::Freestyle, vec![random_games(4, 1)], 2);
        let mut trainer = Trainer::new(&config, &dataset);
        let batch: Vec<Position> = dataset.training().iter().step_by(4).copied().take(16).collect();
        let first = trainer.learn(&dataset, &batch, 5e-3);
        let mut last = first;
        for _ in 0..150 {
            last = trainer.learn(&dataset, &batch, 5e-3);
        }
        assert!(last.moves < 0.3 * first.moves, "{first:?} {last:?}");
        assert!(last.outcome < first.outcome, "{first:?} {last:?}");
    }
}
