//! The kernels with 256-bit vectors of sixteen numbers.

use super::CellRows;
use crate::architecture::{
    CELL, CHANNELS, CONVOLVED, HIDDEN, HIDDEN_SHIFT, HIGHEST, OUTCOMES, REGIONS, VALUE1,
};
use crate::features::{Run, Threats};
use crate::heads::{Heads, LANES};
use crate::net::{Cell, Convolution, PolicyLayer, Row};
use fivestone_game::{GRID, Point, STRIDE};
use std::arch::x86_64::{
    __m256i as Numbers, _mm256_add_epi16 as add_shorts, _mm256_add_epi32 as add_longs,
    _mm256_adds_epi16 as add_saturating, _mm256_castsi256_si128, _mm256_cvtepi16_epi32,
    _mm256_extracti128_si256, _mm256_loadu_si256 as load_unaligned, _mm256_madd_epi16 as multiply_pairs,
    _mm256_max_epi16 as max_shorts, _mm256_max_epi32 as max_longs, _mm256_min_epi16 as min_shorts,
    _mm256_min_epi32 as min_longs, _mm256_mulhrs_epi16 as multiply_high, _mm256_set1_epi16 as all_shorts,
    _mm256_set1_epi32 as all_longs, _mm256_setzero_si256 as zero, _mm256_slli_epi16 as shift_shorts_left,
    _mm256_srai_epi32 as shift_longs_right, _mm256_storeu_si256 as store_unaligned,
};

/// Sixteen-bit numbers of a vector.
const SHORTS: usize = 16;
/// 32-bit numbers of a vector.
const LONGS: usize = 8;

#[target_feature(enable = "avx2")]
#[inline]
fn halves_as_longs(shorts: Numbers) -> [Numbers; 2] {
    [
        _mm256_cvtepi16_epi32(_mm256_castsi256_si128(shorts)),
        _mm256_cvtepi16_epi32(_mm256_extracti128_si256::<1>(shorts)),
    ]
}

vector_kernels!("avx2");
hidden_layer!(hidden, "avx2", multiply_and_add);
