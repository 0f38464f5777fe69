//! The kernels with 512-bit vectors of thirty-two numbers, with or without the instruction that multiplies pairs and
//! adds them up in one go (VNNI).

use super::CellRows;
use crate::architecture::{
    CELL, CHANNELS, CONVOLVED, HIDDEN, HIDDEN_SHIFT, HIGHEST, OUTCOMES, REGIONS, VALUE1,
};
use crate::features::{Run, Threats};
use crate::heads::{Heads, LANES};
use crate::net::{Cell, Convolution, PolicyLayer, Row};
use fivestone_game::{GRID, Point, STRIDE};
use std::arch::x86_64::{
    __m512i as Numbers, _mm512_add_epi16 as add_shorts, _mm512_add_epi32 as add_longs,
    _mm512_adds_epi16 as add_saturating, _mm512_castsi512_si256, _mm512_cvtepi16_epi32, _mm512_dpwssd_epi32,
    _mm512_extracti64x4_epi64, _mm512_loadu_si512 as load_unaligned, _mm512_madd_epi16 as multiply_pairs,
    _mm512_max_epi16 as max_shorts, _mm512_max_epi32 as max_longs, _mm512_min_epi16 as min_shorts,
    _mm512_min_epi32 as min_longs, _mm512_mulhrs_epi16 as multiply_high, _mm512_set1_epi16 as all_shorts,
    _mm512_set1_epi32 as all_longs, _mm512_setzero_si512 as zero, _mm512_slli_epi16 as shift_shorts_left,
    _mm512_srai_epi32 as shift_longs_right, _mm512_storeu_si512 as store_unaligned,
};

/// Sixteen-bit numbers of a vector.
const SHORTS: usize = 32;
/// 32-bit numbers of a vector.
const LONGS: usize = 16;

#[target_feature(enable = "avx512f,avx512bw")]
#[inline]
fn halves_as_longs(shorts: Numbers) -> [Numbers; 2] {
    [
        _mm512_cvtepi16_epi32(_mm512_castsi512_si256(shorts)),
        _mm512_cvtepi16_epi32(_mm512_extracti64x4_epi64::<1>(shorts)),
    ]
}

vector_kernels!("avx512f,avx512bw");
hidden_layer!(hidden, "avx512f,avx512bw", multiply_and_add);
hidden_layer!(hidden_vnni, "avx512f,avx512bw,avx512vnni", _mm512_dpwssd_epi32);
