//! From sums to a value, and from hidden numbers to move logits: the few numbers that stay floating point.
//!
//! No sum is ever reordered, so every set of instructions gives the same bits.

use crate::architecture::{CELL, HIDDEN, ONE, OUTCOMES, POOL_SCALE, POOLED, REGION, REGIONS, VALUE1, VALUE2};
use crate::features::{HISTORY, REGION_KINDS, THREATS, Threats};

/// Lanes that a product of numbers with their weights is summed in.
pub(crate) const LANES: usize = 8;

/// A full layer: weights by input and then output, then the bias.
#[derive(Clone, PartialEq, Debug)]
pub struct Dense<const IN: usize, const OUT: usize> {
    /// Weights from each input to all outputs.
    pub weights: Vec<[f32; OUT]>,
    /// What is added.
    pub bias: [f32; OUT],
}

impl<const IN: usize, const OUT: usize> Dense<IN, OUT> {
    /// Numbers of such a layer.
    pub const NUMBERS: usize = (IN + 1) * OUT;

    /// The layer from its numbers: the weights, then the bias.
    pub fn from_numbers(numbers: &[f32]) -> Dense<IN, OUT> {
        assert_eq!(numbers.len(), Self::NUMBERS, "a layer of {IN} times {OUT}");
        let mut rows = numbers.chunks_exact(OUT).map(|row| std::array::from_fn(|i| row[i]));
        let weights = rows.by_ref().take(IN).collect();
        Dense { weights, bias: rows.next().expect("the length was checked") }
    }

    /// The layer's numbers in the order of [`Dense::from_numbers`].
    pub fn numbers(&self) -> impl Iterator<Item = f32> + '_ {
        self.weights.iter().flatten().chain(&self.bias).copied()
    }

    #[inline(always)]
    fn apply(&self, input: &[f32; IN]) -> [f32; OUT] {
        let mut sums = self.bias;
        for (weights, &number) in self.weights.iter().zip(input) {
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += number * weight;
            }
        }
        sums
    }
}

impl<const IN: usize, const OUT: usize> Dense<IN, OUT> {
    /// The same for inputs of which most are zero: their weights are left out.
    #[inline(always)]
    fn apply_sparse(&self, input: &[f32; IN]) -> [f32; OUT] {
        let (mut places, mut count) = ([0_u16; IN], 0);
        for (place, &number) in input.iter().enumerate() {
            places[count % IN] = place as u16;
            count += usize::from(number != 0.0);
        }
        let weights: &[[f32; OUT]] = &self.weights[..IN];
        let mut sums = self.bias;
        for &place in &places[..count.min(IN)] {
            let place = usize::from(place) % IN;
            let number = input[place];
            for (sum, weight) in sums.iter_mut().zip(&weights[place]) {
                *sum += number * weight;
            }
        }
        sums
    }

    /// The same for two inputs at once, whose sums do not wait for each other.
    #[inline(always)]
    fn apply_to_two(&self, a: &[f32; IN], b: &[f32; IN]) -> [[f32; OUT]; 2] {
        let mut sums = [self.bias; 2];
        for (weights, (a, b)) in self.weights.iter().zip(a.iter().zip(b)) {
            for (out, weight) in weights.iter().enumerate() {
                sums[0][out] += a * weight;
                sums[1][out] += b * weight;
            }
        }
        sums
    }
}

#[inline(always)]
fn positive<const N: usize>(mut numbers: [f32; N]) -> [f32; N] {
    for number in &mut numbers {
        *number = number.max(0.0);
    }
    numbers
}

#[inline(always)]
fn scaled<const N: usize>(numbers: &[i32; N], scale: f32) -> [f32; N] {
    let mut products = [0.0; N];
    for (product, &number) in products.iter_mut().zip(numbers) {
        *product = number as f32 * scale;
    }
    products
}

/// The floating point end of the net.
#[derive(Clone, PartialEq, Debug)]
pub struct Heads {
    /// Regions by kind (corner, edge, centre), then the whole board.
    pub regions: [Dense<CELL, REGION>; 4],
    /// The first value layer.
    pub value1: Dense<POOLED, VALUE1>,
    /// The second value layer.
    pub value2: Dense<VALUE1, VALUE2>,
    /// Logits of win, draw and loss.
    pub outcome: Dense<VALUE2, OUTCOMES>,
    /// The weights of the moves' hidden numbers, generated from the first value layer.
    pub generated: Dense<VALUE1, HIDDEN>,
    /// Logits by how a move lies to the last move and the one before.
    pub history: [[f32; HISTORY]; 2],
    /// What the solver's verdicts add to the first value layer's sums: zeros where the net was not
    /// trained with them.
    pub threats: [[f32; VALUE1]; THREATS],
}

impl Heads {
    /// Numbers of the heads in a file.
    pub const NUMBERS: usize = 4 * Dense::<CELL, REGION>::NUMBERS
        + Dense::<POOLED, VALUE1>::NUMBERS
        + Dense::<VALUE1, VALUE2>::NUMBERS
        + Dense::<VALUE2, OUTCOMES>::NUMBERS
        + Dense::<VALUE1, HIDDEN>::NUMBERS
        + 2 * HISTORY
        + THREATS * VALUE1;
    /// Numbers of heads that see no verdicts.
    pub const NUMBERS_WITHOUT_THREATS: usize = Heads::NUMBERS - THREATS * VALUE1;

    /// The heads from their numbers, in the order of the fields.
    pub fn from_numbers(numbers: &[f32]) -> Heads {
        assert_eq!(numbers.len(), Heads::NUMBERS, "the numbers of the heads");
        let mut rest = numbers;
        let mut take = |count: usize| {
            let (head, tail) = rest.split_at(count);
            rest = tail;
            head
        };
        Heads {
            regions: [(); 4].map(|()| Dense::from_numbers(take(Dense::<CELL, REGION>::NUMBERS))),
            value1: Dense::from_numbers(take(Dense::<POOLED, VALUE1>::NUMBERS)),
            value2: Dense::from_numbers(take(Dense::<VALUE1, VALUE2>::NUMBERS)),
            outcome: Dense::from_numbers(take(Dense::<VALUE2, OUTCOMES>::NUMBERS)),
            generated: Dense::from_numbers(take(Dense::<VALUE1, HIDDEN>::NUMBERS)),
            history: [(); 2].map(|()| {
                let logits = take(HISTORY);
                std::array::from_fn(|i| logits[i])
            }),
            threats: [(); THREATS].map(|()| {
                let added = take(VALUE1);
                std::array::from_fn(|i| added[i])
            }),
        }
    }

    /// The numbers of the heads in the order of [`Heads::from_numbers`].
    pub fn numbers(&self) -> Vec<f32> {
        let regions = self.regions.iter().flat_map(Dense::numbers);
        let values = self.value1.numbers().chain(self.value2.numbers()).chain(self.outcome.numbers());
        regions
            .chain(values)
            .chain(self.generated.numbers())
            .chain(self.history.as_flattened().iter().copied())
            .chain(self.threats.as_flattened().iter().copied())
            .collect()
    }

    /// The first value layer's sums from those of the regions.
    #[inline(always)]
    pub(crate) fn first(&self, sums: &[[i32; CELL]; REGIONS]) -> [f32; VALUE1] {
        let scale = POOL_SCALE / f32::from(ONE);
        let mut pooled = [0.0; POOLED];
        let mut whole = [0; CELL];
        for sum in sums {
            for (to, from) in whole.iter_mut().zip(sum) {
                *to += from;
            }
        }
        // Corners and edges two at a time, each kind in the order of its regions.
        for [a, b] in [[0, 2], [1, 3], [5, 7], [6, 8]] {
            let kind = REGION_KINDS[a];
            let both = self.regions[kind].apply_to_two(&scaled(&sums[a], scale), &scaled(&sums[b], scale));
            for reduced in both.map(positive) {
                for (to, from) in pooled[kind * REGION..].iter_mut().zip(reduced) {
                    *to += from;
                }
            }
        }
        let centre = positive(self.regions[2].apply(&scaled(&sums[4], scale)));
        pooled[2 * REGION..3 * REGION].copy_from_slice(&centre);
        // The whole board is four times less per cell: there are nine regions.
        let whole = scaled(&whole, scale * 0.25);
        pooled[3 * REGION..].copy_from_slice(&positive(self.regions[3].apply(&whole)));
        self.value1.apply_sparse(&pooled)
    }

    /// Whether the solver's verdicts make a difference.
    pub fn sees_threats(&self) -> bool {
        self.threats.as_flattened().iter().any(|&number| number != 0.0)
    }

    /// The first value layer from its sums and the solver's verdicts.
    #[inline(always)]
    fn told(&self, first: &[f32; VALUE1], flags: Threats) -> [f32; VALUE1] {
        let [own, other] = flags.rows();
        let mut told = *first;
        for (number, added) in told.iter_mut().zip(self.threats[own].iter().zip(&self.threats[other])) {
            *number = (*number + added.0 + added.1).max(0.0);
        }
        told
    }

    /// The logits of win, draw and loss from the first value layer's sums.
    #[inline(always)]
    pub(crate) fn outcome(&self, first: &[f32; VALUE1], flags: Threats) -> [f32; OUTCOMES] {
        let second = positive(self.value2.apply_sparse(&self.told(first, flags)));
        self.outcome.apply(&second)
    }

    /// The weights of the moves' hidden numbers from the first value layer's sums.
    #[inline(always)]
    pub(crate) fn move_weights(&self, first: &[f32; VALUE1], flags: Threats) -> [f32; HIDDEN] {
        self.generated.apply_sparse(&self.told(first, flags))
    }

    /// The logit of a move from the lanes of its hidden numbers' product with their weights.
    #[inline(always)]
    pub(crate) fn logit(&self, lanes: [f32; LANES], history: [u8; 2]) -> f32 {
        let sum =
            ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
        sum / f32::from(ONE)
            + self.history[0][usize::from(history[0])]
            + self.history[1][usize::from(history[1])]
    }
}
