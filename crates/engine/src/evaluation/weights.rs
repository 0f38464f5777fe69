//! The fitted numbers, and the file they come in.

use super::shape::{SHAPES, shape};
use fivestone_game::{Class, Color, Rule};
use std::fmt;
use std::sync::OnceLock;

/// Distances told apart: 1 to 6, farther, and "no such move".
pub const DISTANCES: usize = 8;
const CLASS_PAIRS: usize = Class::COUNT * Class::COUNT;
const MAGIC: &[u8; 8] = b"FSPATT01";
/// Numbers of one set in the file.
pub(crate) const NUMBERS: usize = 1 + 4 * SHAPES + 2 * CLASS_PAIRS + 2 * DISTANCES;

/// Which games a set of weights was fitted to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetName {
    /// Freestyle, either side to move.
    Freestyle,
    /// Exactly five, either side; also used for caro.
    Standard,
    /// Renju with Black to move.
    RenjuBlack,
    /// Renju with White to move.
    RenjuWhite,
}

impl SetName {
    /// All sets in the order of the file.
    pub const ALL: [SetName; 4] =
        [SetName::Freestyle, SetName::Standard, SetName::RenjuBlack, SetName::RenjuWhite];

    /// The set for a side to move under a rule.
    pub fn of(rule: Rule, mover: Color) -> SetName {
        match (rule, mover) {
            (Rule::Freestyle | Rule::CaroOverline, _) => SetName::Freestyle,
            (Rule::Standard | Rule::Caro, _) => SetName::Standard,
            (Rule::Renju, Color::Black) => SetName::RenjuBlack,
            (Rule::Renju, Color::White) => SetName::RenjuWhite,
        }
    }
}

/// One set of weights as fitted: all in logit units.
#[derive(Clone, PartialEq, Debug)]
pub struct Weights {
    /// The value of having the move.
    pub bias: i16,
    /// Value of a shape for the mover, and for the other side.
    pub value: [Vec<i16>; 2],
    /// Prior of a shape for the mover, and for the other side.
    pub prior: [Vec<i16>; 2],
    /// Value of a pair of classes: mover's times sixteen plus the other side's.
    pub joint_value: Vec<i16>,
    /// Prior of a pair of classes.
    pub joint_prior: Vec<i16>,
    /// Prior of the distance from the last move, and from the one before.
    pub distance: [Vec<i16>; 2],
}

impl Weights {
    fn from_numbers(numbers: &[i16]) -> Weights {
        let mut rest = numbers;
        let mut take = |count: usize| {
            let (head, tail) = rest.split_at(count);
            rest = tail;
            head.to_vec()
        };
        Weights {
            bias: take(1)[0],
            value: [take(SHAPES), take(SHAPES)],
            prior: [take(SHAPES), take(SHAPES)],
            joint_value: take(CLASS_PAIRS),
            joint_prior: take(CLASS_PAIRS),
            distance: [take(DISTANCES), take(DISTANCES)],
        }
    }

    fn numbers(&self) -> Vec<i16> {
        let lists = [
            &self.value[0],
            &self.value[1],
            &self.prior[0],
            &self.prior[1],
            &self.joint_value,
            &self.joint_prior,
            &self.distance[0],
            &self.distance[1],
        ];
        std::iter::once(self.bias).chain(lists.into_iter().flatten().copied()).collect()
    }

    /// The bytes of a weights file with all four sets.
    pub fn write_file(sets: &[Weights; 4]) -> Vec<u8> {
        let numbers = sets.iter().flat_map(Weights::numbers).flat_map(i16::to_le_bytes);
        MAGIC.iter().copied().chain(numbers).collect()
    }

    /// Reads a weights file.
    pub fn read_file(bytes: &[u8]) -> Result<[Weights; 4], WeightsError> {
        let body = bytes.strip_prefix(MAGIC).ok_or(WeightsError::NotWeights)?;
        let expected = 4 * NUMBERS * size_of::<i16>();
        if body.len() != expected {
            return Err(WeightsError::Length { found: body.len(), expected });
        }
        let numbers: Vec<i16> =
            body.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect();
        let mut sets = numbers.chunks_exact(NUMBERS).map(Weights::from_numbers);
        Ok([(); 4].map(|()| sets.next().expect("the length was checked")))
    }
}

/// Why a weights file cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WeightsError {
    /// It does not begin as one.
    NotWeights,
    /// It is cut off or too long.
    Length {
        /// Bytes found after the head.
        found: usize,
        /// Bytes there should be.
        expected: usize,
    },
}

impl fmt::Display for WeightsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WeightsError::NotWeights => f.write_str("not a file of pattern weights"),
            WeightsError::Length { found, expected } => {
                write!(f, "a weights file of {found} bytes instead of {expected}")
            }
        }
    }
}

impl std::error::Error for WeightsError {}

/// A set of weights spread out for fast look-ups by pattern key.
pub struct WeightSet {
    bias: i32,
    /// By key: value for the mover, value for the other side, prior for the mover, prior for the other side.
    by_key: Vec<[i16; 4]>,
    joint: Vec<[i16; 2]>,
    distance: [Vec<i16>; 2],
}

impl WeightSet {
    fn new(weights: &Weights) -> WeightSet {
        let by_key = (0..=u16::MAX).map(|key| {
            let shape = shape(key);
            [
                weights.value[0][shape],
                weights.value[1][shape],
                weights.prior[0][shape],
                weights.prior[1][shape],
            ]
        });
        let joint =
            weights.joint_value.iter().zip(&weights.joint_prior).map(|(&value, &prior)| [value, prior]);
        WeightSet {
            bias: weights.bias.into(),
            by_key: by_key.collect(),
            joint: joint.collect(),
            distance: weights.distance.clone(),
        }
    }

    #[inline]
    pub(super) fn bias(&self) -> i32 {
        self.bias
    }

    #[inline]
    pub(super) fn cell_value(&self, own: u16, other: u16) -> i32 {
        i32::from(self.by_key[usize::from(own)][0]) + i32::from(self.by_key[usize::from(other)][1])
    }

    #[inline]
    pub(super) fn cell_prior(&self, own: u16, other: u16) -> i32 {
        i32::from(self.by_key[usize::from(own)][2]) + i32::from(self.by_key[usize::from(other)][3])
    }

    #[inline]
    pub(super) fn joint_value(&self, own: Class, other: Class) -> i32 {
        self.joint[own.index() * Class::COUNT + other.index()][0].into()
    }

    #[inline]
    pub(super) fn joint_prior(&self, own: Class, other: Class) -> i32 {
        self.joint[own.index() * Class::COUNT + other.index()][1].into()
    }

    #[inline]
    pub(super) fn distance_prior(&self, distances: [usize; 2]) -> i32 {
        i32::from(self.distance[0][distances[0]]) + i32::from(self.distance[1][distances[1]])
    }
}

/// The shipped weights.
pub fn weights() -> &'static Sets {
    static SETS: OnceLock<Sets> = OnceLock::new();
    SETS.get_or_init(|| {
        let sets =
            Weights::read_file(include_bytes!("patterns.weights")).expect("the shipped weights are whole");
        Sets(sets.each_ref().map(WeightSet::new))
    })
}

/// All sets of weights.
pub struct Sets([WeightSet; 4]);

impl Sets {
    /// One set.
    pub fn set(&self, name: SetName) -> &WeightSet {
        &self.0[name as usize]
    }
}
