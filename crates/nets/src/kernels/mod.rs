//! The integer work of an evaluation, once in plain Rust and once per set of instructions, with equal results.
//!
//! A further set of instructions is one more module with these seven functions and one more arm in
//! [`Instructions`].

/// Calls a kernel of the chosen instructions.
///
/// `name(arguments)` has a twin in `scalar`, `avx2` and `avx512`; `name | vnni_name(arguments)` has
/// one more for VNNI; and `plain | vectors, name(arguments)` names the modules of a kernel that
/// comes plain and with 256-bit vectors only.
macro_rules! dispatch {
    ($kernels:expr, $plain:ident | $vectors:ident, $function:ident($($argument:expr),* $(,)?)) => {
        dispatch!(
            @($kernels) $plain::$function, $vectors::$function, $vectors::$function,
            $vectors::$function, ($($argument),*)
        )
    };
    ($kernels:expr, $function:ident | $vnni:ident($($argument:expr),*)) => {
        dispatch!(
            @($kernels) scalar::$function, avx2::$function, avx512::$function, avx512::$vnni,
            ($($argument),*)
        )
    };
    ($kernels:expr, $function:ident($($argument:expr),*)) => {
        dispatch!($kernels, $function | $function($($argument),*))
    };
    (
        @($kernels:expr) $scalar:path, $avx2:path, $avx512:path, $vnni:path,
        ($($argument:expr),*)
    ) => {
        match $kernels.0 {
            // SAFETY: `Kernels::new` hands out a set of instructions only where the machine has it;
            // what else a kernel wants was checked by the caller of this macro.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => unsafe { $avx2($($argument),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => unsafe { $avx512($($argument),*) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Instructions::Vnni => unsafe { $vnni($($argument),*) },
            _ => $scalar($($argument),*),
        }
    };
}

#[cfg(target_arch = "x86_64")]
#[macro_use]
mod vectors;

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
pub mod convolution;
pub mod scalar;

use crate::architecture::{CELL, HIDDEN, OUTCOMES, REGIONS, VALUE1};
use crate::features::{Run, Threats};
use crate::heads::Heads;
use crate::net::{Cell, Convolution, PolicyLayer, Row};
use fivestone_game::{GRID, Point, STRIDE};

/// The table rows of a cell's four lines: two along the sides, two diagonals.
pub type CellRows = [u16; 4];

/// The grid offsets of a cell's neighbours: beside it, at its corners.
const EDGES: [usize; 4] = [STRIDE.wrapping_neg(), 1_usize.wrapping_neg(), 1, STRIDE];
const CORNERS: [usize; 4] =
    [(STRIDE + 1).wrapping_neg(), (STRIDE - 1).wrapping_neg(), STRIDE - 1, STRIDE + 1];

/// The neighbours' numbers of a cell on the grid.
#[inline(always)]
fn neighbours(numbers: &[u16; GRID], point: Point, offsets: [usize; 4]) -> [usize; 4] {
    offsets.map(|offset| usize::from(numbers[point.index().wrapping_add(offset) % GRID]))
}

/// A set of instructions to evaluate with.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Instructions {
    /// What every machine has.
    Scalar,
    /// 256-bit vectors, with fused multiplications.
    Avx2,
    /// 512-bit integer vectors.
    Avx512,
    /// The same with an instruction that multiplies pairs and adds them up.
    Vnni,
}

impl Instructions {
    /// All of them, slowest first.
    pub const ALL: [Instructions; 4] =
        [Instructions::Scalar, Instructions::Avx2, Instructions::Avx512, Instructions::Vnni];

    /// Whether this machine has them.
    pub fn available(self) -> bool {
        match self {
            Instructions::Scalar => true,
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx2 => is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma"),
            #[cfg(target_arch = "x86_64")]
            Instructions::Avx512 => {
                Instructions::Avx2.available()
                    && is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512bw")
            }
            #[cfg(target_arch = "x86_64")]
            Instructions::Vnni => Instructions::Avx512.available() && is_x86_feature_detected!("avx512vnni"),
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }

    /// The fastest this machine has.
    pub fn detect() -> Instructions {
        Instructions::ALL.into_iter().rev().find(|set| set.available()).unwrap_or(Instructions::Scalar)
    }

    /// The word for it in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Instructions::Scalar => "scalar",
            Instructions::Avx2 => "avx2",
            Instructions::Avx512 => "avx512",
            Instructions::Vnni => "avx512vnni",
        }
    }
}

/// Kernels that this machine can run.
#[derive(Clone, Copy, Debug)]
pub struct Kernels(Instructions);

impl Kernels {
    /// Kernels for a set of instructions, if this machine has them.
    pub fn new(instructions: Instructions) -> Option<Kernels> {
        instructions.available().then_some(Kernels(instructions))
    }

    /// Sums the four rows of each cell and clips the sums. Cell `i + 1` gets the rows `rows[i]`.
    pub fn sum_rows(self, tables: [&[Row]; 2], rows: &[CellRows], cells: &mut [Cell]) {
        dispatch!(self, sum_rows(tables, rows, cells));
    }

    /// Convolves the first channels of each cell with its neighbours. Cell `i + 1` stands at `points[i]` of the grid,
    /// whose cell numbers are `numbers`; cell 0 must be zero.
    pub fn convolve(self, layer: &Convolution, points: &[Point], numbers: &[u16; GRID], cells: &mut [Cell]) {
        dispatch!(self, convolve(layer, points, numbers, cells));
    }

    /// Sums the cells of each region, of which there is a run after the other from cell 1 on.
    pub fn pool(self, cells: &[Cell], runs: &[Run], sums: &mut [[i32; CELL]; REGIONS]) {
        dispatch!(self, pool(cells, runs, sums));
    }

    /// The hidden numbers of the moves in the given cells.
    pub fn hidden(self, layer: &PolicyLayer, cells: &[Cell], moves: &[u16], hidden: &mut [[i32; HIDDEN]]) {
        dispatch!(self, hidden | hidden_vnni(layer, cells, moves, hidden));
    }

    /// The first value layer's sums, before what the solver says is added.
    pub fn first(self, heads: &Heads, sums: &[[i32; CELL]; REGIONS], first: &mut [f32; VALUE1]) {
        dispatch!(self, first(heads, sums, first));
    }

    /// The outcome logits, given the first value layer's sums.
    pub fn outcome(self, heads: &Heads, first: &[f32; VALUE1], flags: Threats) -> [f32; OUTCOMES] {
        dispatch!(self, outcome(heads, first, flags))
    }

    /// The logits of the moves, given the first value layer's sums with the solver's verdicts and
    /// the moves' hidden numbers and history.
    pub fn logits(
        self,
        heads: &Heads,
        first: (&[f32; VALUE1], Threats),
        hidden: &[[i32; HIDDEN]],
        history: &[[u8; 2]],
        logits: &mut Vec<f32>,
    ) {
        dispatch!(self, logits(heads, first, hidden, history, logits));
    }
}
