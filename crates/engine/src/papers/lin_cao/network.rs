//! The perceptron of three layers: pattern counts in, sigmoid units, one win probability out.

use super::patterns::COUNT;
use crate::Rng;
use fivestone_game::Color;
use std::fmt;

/// Inputs of one count (table II).
pub const CODE: usize = 5;
/// Inputs in all: the counts of both sides and who is to move. The paper does not say whose patterns it counts; a win
/// probability needs both.
pub const INPUTS: usize = 2 * COUNT * CODE + 2;
/// Units of the middle layer unless told otherwise.
pub const HIDDEN: usize = 32;

/// How often each side has each pattern.
pub type Counts = [[i16; COUNT]; 2];

/// Table II.
#[inline]
pub fn encode(count: i16) -> [f32; CODE] {
    let at_least = |n: i16| if count >= n { 1.0 } else { 0.0 };
    let beyond = if count > 4 { f32::from(count - 4) / 2.0 } else { 0.0 };
    [at_least(1), at_least(2), at_least(3), at_least(4), beyond]
}

/// Why bytes are no network.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotANetwork;

impl fmt::Display for NotANetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("not an ADP network, or a damaged one")
    }
}

impl std::error::Error for NotANetwork {}

const MAGIC: &[u8; 4] = b"ADP1";

/// The weights.
#[derive(Clone, PartialEq, Debug)]
pub struct Network {
    hidden: usize,
    /// From each input to every unit.
    pub first: Vec<f32>,
    /// Biases of the units.
    pub biases: Vec<f32>,
    /// From every unit to the output.
    pub second: Vec<f32>,
    /// The bias of the output.
    pub bias: f32,
}

impl Network {
    /// Small random weights.
    pub fn random(hidden: usize, rng: &mut Rng) -> Network {
        let mut small = |scale: f64| ((2.0 * rng.unit() - 1.0) * scale) as f32;
        Network {
            hidden,
            first: (0..INPUTS * hidden).map(|_| small(0.2)).collect(),
            biases: vec![0.0; hidden],
            second: (0..hidden).map(|_| small(0.4)).collect(),
            bias: 0.0,
        }
    }

    /// The network that comes with the program.
    pub fn shipped() -> Network {
        Network::from_bytes(include_bytes!("adp.net")).expect("the shipped network is sound")
    }

    /// Units of the middle layer.
    pub fn hidden(&self) -> usize {
        self.hidden
    }

    /// The weights as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend((self.hidden as u32).to_le_bytes());
        let numbers = self.first.iter().chain(&self.biases).chain(&self.second).chain([&self.bias]);
        bytes.extend(numbers.flat_map(|number| number.to_le_bytes()));
        bytes
    }

    /// The network of some bytes.
    pub fn from_bytes(bytes: &[u8]) -> Result<Network, NotANetwork> {
        let rest = bytes.strip_prefix(MAGIC).ok_or(NotANetwork)?;
        let (hidden, rest) = rest.split_first_chunk::<4>().ok_or(NotANetwork)?;
        let hidden = u32::from_le_bytes(*hidden) as usize;
        let (chunks, tail) = rest.as_chunks::<4>();
        let numbers: Vec<f32> = chunks.iter().map(|&chunk| f32::from_le_bytes(chunk)).collect();
        let expected = hidden.checked_mul(INPUTS + 2).and_then(|n| n.checked_add(1));
        if !tail.is_empty()
            || hidden == 0
            || expected != Some(numbers.len())
            || numbers.iter().any(|n| !n.is_finite())
        {
            return Err(NotANetwork);
        }
        let (first, numbers) = numbers.split_at(INPUTS * hidden);
        let (biases, numbers) = numbers.split_at(hidden);
        let (second, bias) = numbers.split_at(hidden);
        Ok(Network {
            hidden,
            first: first.to_vec(),
            biases: biases.to_vec(),
            second: second.to_vec(),
            bias: bias[0],
        })
    }

    /// The weights from one input.
    #[inline]
    pub fn row(&self, input: usize) -> &[f32] {
        &self.first[input * self.hidden..][..self.hidden]
    }

    /// What the middle layer sums up of a position, in `player`'s view, before its sigmoid.
    pub fn sums(&self, counts: &Counts, player: Color, to_move: Color) -> Vec<f32> {
        let mut sums = self.biases.clone();
        for_each_input(counts, player, to_move, |input, value| {
            add(&mut sums, self.row(input), value);
        });
        sums
    }

    /// Brings sums up to date with a change of one count.
    #[inline]
    pub fn change(&self, sums: &mut [f32], side: usize, pattern: usize, from: i16, to: i16) {
        let (before, after) = (encode(from), encode(to));
        for code in 0..CODE {
            let difference = after[code] - before[code];
            if difference != 0.0 {
                add(sums, self.row(input(side, pattern, code)), difference);
            }
        }
    }

    /// The output of sums: the win probability of the player in whose view they are.
    #[inline]
    pub fn output(&self, sums: &[f32]) -> f32 {
        let products = sums.iter().zip(&self.second).map(|(&sum, &weight)| weight * sigmoid(sum));
        sigmoid(products.sum::<f32>() + self.bias)
    }

    /// The win probability of `player`.
    pub fn value(&self, counts: &Counts, player: Color, to_move: Color) -> f32 {
        self.output(&self.sums(counts, player, to_move))
    }
}

/// The number of an input: `side` 0 is the player in whose view the position is seen.
#[inline]
const fn input(side: usize, pattern: usize, code: usize) -> usize {
    (side * COUNT + pattern) * CODE + code
}

/// Every input of a position that is not 0, in `player`'s view.
pub fn for_each_input(counts: &Counts, player: Color, to_move: Color, mut found: impl FnMut(usize, f32)) {
    for (side, color) in [player, !player].into_iter().enumerate() {
        for (pattern, &count) in counts[color.index()].iter().enumerate() {
            if count > 0 {
                for (code, value) in encode(count).into_iter().enumerate().filter(|&(_, value)| value != 0.0)
                {
                    found(input(side, pattern, code), value);
                }
            }
        }
    }
    found(INPUTS - 2 + usize::from(to_move != player), 1.0);
}

#[inline]
fn add(sums: &mut [f32], row: &[f32], factor: f32) {
    for (sum, &weight) in sums.iter_mut().zip(row) {
        *sum += factor * weight;
    }
}

/// 1 / (1 + e^-x)
#[inline]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_coded_as_in_table_2() {
        assert_eq!(encode(0), [0.0; 5]);
        assert_eq!(encode(2), [1.0, 1.0, 0.0, 0.0, 0.0]);
        assert_eq!(encode(4), [1.0, 1.0, 1.0, 1.0, 0.0]);
        assert_eq!(encode(7), [1.0, 1.0, 1.0, 1.0, 1.5]);
    }

    #[test]
    fn changed_sums_are_those_of_the_changed_counts() {
        let network = Network::random(8, &mut Rng::new(1));
        let mut counts: Counts = [[0; COUNT]; 2];
        let mut sums = network.sums(&counts, Color::White, Color::Black);
        for (color, pattern, to) in [(Color::White, 3, 2), (Color::Black, 28, 7), (Color::White, 3, 1)] {
            let side = usize::from(color != Color::White);
            network.change(&mut sums, side, pattern, counts[color.index()][pattern], to);
            counts[color.index()][pattern] = to;
        }
        let fresh = network.sums(&counts, Color::White, Color::Black);
        assert!(sums.iter().zip(&fresh).all(|(a, b)| (a - b).abs() < 1e-5));
    }

    #[test]
    fn bytes_give_the_network_back_and_damage_is_seen() {
        let network = Network::random(3, &mut Rng::new(1));
        let bytes = network.to_bytes();
        assert_eq!(Network::from_bytes(&bytes), Ok(network));
        assert_eq!(Network::from_bytes(&bytes[..bytes.len() - 1]), Err(NotANetwork));
        assert_eq!(Network::from_bytes(b"ADP1\xff\xff\xff\xff"), Err(NotANetwork));
        assert!(Network::shipped().hidden() > 0);
    }
}
