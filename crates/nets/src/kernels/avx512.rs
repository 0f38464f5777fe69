//! The kernels with 512-bit vectors of thirty-two numbers, with or without the instruction that multiplies pairs and
//! adds them up in one go (VNNI).

use super::{CORNERS, CellRows, EDGES, neighbours};
use crate::architecture::{CELL, CHANNELS, CONVOLVED, HIDDEN, HIDDEN_SHIFT, HIGHEST, OUTCOMES, REGIONS};
use crate::heads::Heads;
use crate::net::{Cell, Convolution, PolicyLayer, Row};
use fivestone_game::GRID;
use std::arch::x86_64::{
    __m512i, _mm512_add_epi16, _mm512_add_epi32, _mm512_adds_epi16, _mm512_castsi512_si256,
    _mm512_cvtepi16_epi32, _mm512_dpwssd_epi32, _mm512_extracti64x4_epi64, _mm512_loadu_si512,
    _mm512_madd_epi16, _mm512_max_epi16, _mm512_max_epi32, _mm512_min_epi16, _mm512_min_epi32,
    _mm512_mulhrs_epi16, _mm512_set1_epi16, _mm512_set1_epi32, _mm512_setzero_si512, _mm512_slli_epi16,
    _mm512_srai_epi32, _mm512_storeu_si512,
};

/// Sixteen-bit numbers of a vector.
const SHORTS: usize = 32;
/// 32-bit numbers of a vector.
const LONGS: usize = 16;

#[target_feature(enable = "avx512f")]
#[inline]
fn load(numbers: &[i16], vector: usize) -> __m512i {
    let numbers = &numbers[SHORTS * vector..SHORTS * (vector + 1)];
    // SAFETY: the slice has exactly the vector's thirty-two numbers.
    unsafe { _mm512_loadu_si512(numbers.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn store(numbers: &mut [i16], vector: usize, value: __m512i) {
    let numbers = &mut numbers[SHORTS * vector..SHORTS * (vector + 1)];
    // SAFETY: the slice has exactly the vector's thirty-two numbers.
    unsafe { _mm512_storeu_si512(numbers.as_mut_ptr().cast(), value) }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn load_longs(numbers: &[i32], vector: usize) -> __m512i {
    let numbers = &numbers[LONGS * vector..LONGS * (vector + 1)];
    // SAFETY: the slice has exactly the vector's sixteen numbers.
    unsafe { _mm512_loadu_si512(numbers.as_ptr().cast()) }
}

#[target_feature(enable = "avx512f")]
#[inline]
fn store_longs(numbers: &mut [i32], vector: usize, value: __m512i) {
    let numbers = &mut numbers[LONGS * vector..LONGS * (vector + 1)];
    // SAFETY: the slice has exactly the vector's sixteen numbers.
    unsafe { _mm512_storeu_si512(numbers.as_mut_ptr().cast(), value) }
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn clip(value: __m512i) -> __m512i {
    _mm512_min_epi16(_mm512_max_epi16(value, _mm512_setzero_si512()), _mm512_set1_epi16(HIGHEST))
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn sum_rows(tables: [&[Row]; 2], rows: &[CellRows], cells: &mut [Cell]) {
    for (rows, cell) in rows.iter().zip(&mut cells[1..]) {
        let [a, b, c, d] = rows.map(usize::from);
        let (a, b, c, d) = (&tables[0][a].0, &tables[0][b].0, &tables[1][c].0, &tables[1][d].0);
        for vector in 0..CHANNELS / SHORTS {
            let sides = _mm512_add_epi16(load(a, vector), load(b, vector));
            let diagonals = _mm512_add_epi16(load(c, vector), load(d, vector));
            store(&mut cell.0, vector, clip(_mm512_add_epi16(sides, diagonals)));
        }
    }
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn sum_of_four(cells: &[Cell], around: [usize; 4], vector: usize) -> __m512i {
    let [a, b, c, d] = around.map(|cell| &cells[cell].0);
    let first = _mm512_add_epi16(load(a, vector), load(b, vector));
    let second = _mm512_add_epi16(load(c, vector), load(d, vector));
    _mm512_slli_epi16::<2>(_mm512_add_epi16(first, second))
}

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn convolve(layer: &Convolution, points: &[u16], numbers: &[u16; GRID], cells: &mut [Cell]) {
    for (i, &point) in points.iter().enumerate() {
        let edges = neighbours(numbers, point, EDGES);
        let corners = neighbours(numbers, point, CORNERS);
        for vector in 0..CONVOLVED / SHORTS {
            let own = _mm512_slli_epi16::<2>(load(&cells[i + 1].0, vector));
            let centre = _mm512_mulhrs_epi16(own, load(&layer.centre, vector));
            let edge = _mm512_mulhrs_epi16(sum_of_four(cells, edges, vector), load(&layer.edge, vector));
            let corner =
                _mm512_mulhrs_epi16(sum_of_four(cells, corners, vector), load(&layer.corner, vector));
            let sum = _mm512_adds_epi16(_mm512_adds_epi16(centre, edge), corner);
            let sum = _mm512_adds_epi16(sum, load(&layer.bias, vector));
            store(&mut cells[i + 1].0, CHANNELS / SHORTS + vector, clip(sum));
        }
    }
}

/// Cells whose sum still fits into sixteen bits.
const RUN: usize = (i16::MAX / HIGHEST) as usize;

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn pool(cells: &[Cell], regions: &[u8], sums: &mut [[i32; CELL]; REGIONS]) {
    *sums = [[0; CELL]; REGIONS];
    let mut start = 0;
    while start < regions.len() {
        let region = regions[start];
        let length = regions[start..].iter().take(RUN).take_while(|&&other| other == region).count();
        let run = &cells[start + 1..=start + length];
        let sums = &mut sums[usize::from(region)];
        for vector in 0..CELL / SHORTS {
            let mut sum = _mm512_setzero_si512();
            for cell in run {
                sum = _mm512_add_epi16(sum, load(cell.output(), vector));
            }
            let low = _mm512_cvtepi16_epi32(_mm512_castsi512_si256(sum));
            let high = _mm512_cvtepi16_epi32(_mm512_extracti64x4_epi64::<1>(sum));
            for (at, part) in [(2 * vector, low), (2 * vector + 1, high)] {
                let total = _mm512_add_epi32(load_longs(sums, at), part);
                store_longs(sums, at, total);
            }
        }
        start += length;
    }
}

/// The hidden layer, given how the products of pairs are added to a sum. The instructions differ, the integers do not: no
/// sum leaves its 32 bits.
macro_rules! hidden_layer {
    ($name:ident, $features:literal, $add_products:expr) => {
        #[target_feature(enable = $features)]
        pub(super) fn $name(
            layer: &PolicyLayer,
            cells: &[Cell],
            moves: &[u16],
            hidden: &mut [[i32; HIDDEN]],
        ) {
            const VECTORS: usize = HIDDEN / LONGS;
            let highest = _mm512_set1_epi32(HIGHEST.into());
            for (&cell, hidden) in moves.iter().zip(hidden) {
                let mut sums = [_mm512_setzero_si512(); VECTORS];
                for (vector, sum) in sums.iter_mut().enumerate() {
                    *sum = load_longs(&layer.bias, vector);
                }
                let pairs = cells[usize::from(cell)].output().as_chunks::<2>().0;
                for (pair, weights) in pairs.iter().zip(&layer.weights) {
                    let pair = i32::from(pair[0]) | i32::from(pair[1]) << 16;
                    if pair != 0 {
                        let both = _mm512_set1_epi32(pair);
                        for (vector, sum) in sums.iter_mut().enumerate() {
                            *sum = $add_products(*sum, both, load(weights.as_flattened(), vector));
                        }
                    }
                }
                for (vector, sum) in sums.into_iter().enumerate() {
                    let scaled = _mm512_srai_epi32::<{ HIDDEN_SHIFT }>(sum);
                    let clipped = _mm512_min_epi32(_mm512_max_epi32(scaled, _mm512_setzero_si512()), highest);
                    store_longs(hidden, vector, clipped);
                }
            }
        }
    };
}

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn multiply_and_add(sum: __m512i, pairs: __m512i, weights: __m512i) -> __m512i {
    _mm512_add_epi32(sum, _mm512_madd_epi16(pairs, weights))
}

hidden_layer!(hidden, "avx512f,avx512bw", multiply_and_add);
hidden_layer!(hidden_vnni, "avx512f,avx512bw,avx512vnni", _mm512_dpwssd_epi32);

#[target_feature(enable = "avx512f,avx512bw")]
pub(super) fn finish(
    heads: &Heads,
    sums: &[[i32; CELL]; REGIONS],
    hidden: &[[i32; HIDDEN]],
    history: &[[u8; 2]],
    logits: &mut Vec<f32>,
) -> [f32; OUTCOMES] {
    super::finish_with(heads, sums, hidden, history, logits)
}
