//! The same with vectors: 128 bits for four channels, 256 for the columns of a table.

use super::{BLOCK, Block, BlockSums, Change, HIGHEST, Numbers, RowChange, RowTable, Spread, Sums, Tap};
use std::arch::x86_64::{
    __m128i, __m256i, _mm_add_epi32, _mm_cvtsi32_si128, _mm_cvtsi128_si64, _mm_loadl_epi64, _mm_loadu_si128,
    _mm_madd_epi16, _mm_max_epi16, _mm_min_epi16, _mm_packs_epi32, _mm_set1_epi16, _mm_set1_epi32,
    _mm_setzero_si128, _mm_sra_epi32, _mm_storel_epi64, _mm_storeu_si128, _mm_sub_epi16, _mm256_add_epi32,
    _mm256_and_si256, _mm256_blendv_epi8, _mm256_castsi256_ps, _mm256_cmpeq_epi32, _mm256_loadu_si256,
    _mm256_madd_epi16, _mm256_max_epi32, _mm256_movemask_ps, _mm256_set1_epi32, _mm256_setr_epi32,
    _mm256_storeu_si256, _mm256_unpackhi_epi16, _mm256_unpacklo_epi16,
};

/// Two numbers side by side in the 32 bits of one lane.
fn pair(first: i16, second: i16) -> i32 {
    i32::from(first as u16) | i32::from(second) << 16
}

#[target_feature(enable = "avx2")]
pub(super) fn spread(layer: &Spread, changes: &[Change], sums: &mut [Sums]) {
    for &Change { cell, four, by: [a, b, c, d] } in changes {
        let by = [_mm_set1_epi32(pair(a, b)), _mm_set1_epi32(pair(c, d))];
        for (sums, taps) in layer.reached(cell, sums).zip(layer.rows(four)) {
            // Five fours are what a 5x5 kernel with four filters has; loops of a known length are unrolled.
            if let (Ok(taps), Ok(sums)) =
                (<&[Tap; 5]>::try_from(taps), <&mut [Sums; 5]>::try_from(&mut *sums))
            {
                spread_row(by, taps, sums);
            } else {
                spread_row(by, taps, sums);
            }
        }
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn spread_row(by: [__m128i; 2], taps: &[Tap], sums: &mut [Sums]) {
    for (sums, tap) in sums.iter_mut().zip(taps) {
        let sums: *mut __m128i = sums.as_mut_ptr().cast();
        // SAFETY: sums are four numbers of 32 bits, a tap's pairs twice eight of 16.
        unsafe {
            let first = _mm_loadu_si128(tap.0[0].as_ptr().cast());
            let second = _mm_loadu_si128(tap.0[1].as_ptr().cast());
            let products = _mm_add_epi32(_mm_madd_epi16(by[0], first), _mm_madd_epi16(by[1], second));
            _mm_storeu_si128(sums, _mm_add_epi32(_mm_loadu_si128(sums), products));
        }
    }
}

#[target_feature(enable = "avx2")]
pub(super) fn settle(
    cells: &[u16],
    fours: usize,
    shift: u32,
    sums: &[Sums],
    numbers: &mut [Numbers],
    changes: &mut [Change],
) -> usize {
    let shift = _mm_cvtsi32_si128(shift as i32);
    let mut count = 0;
    for &cell in cells {
        for four in 0..fours {
            let at = usize::from(cell) * fours + four;
            let (sums, numbers) = (&sums[at], &mut numbers[at]);
            // SAFETY: sums are four numbers of 32 bits, numbers four of 16.
            let before = unsafe { _mm_loadl_epi64(numbers.as_ptr().cast()) };
            // SAFETY: as above.
            let sums = unsafe { _mm_loadu_si128(sums.as_ptr().cast()) };
            let shifted = _mm_sra_epi32(sums, shift);
            let rectified = _mm_max_epi16(_mm_packs_epi32(shifted, shifted), _mm_setzero_si128());
            let now = _mm_min_epi16(rectified, _mm_set1_epi16(HIGHEST));
            // SAFETY: as above.
            unsafe { _mm_storel_epi64(numbers.as_mut_ptr().cast(), now) };
            let by = _mm_cvtsi128_si64(_mm_sub_epi16(now, before));
            changes[count] =
                Change { cell, four: four as u16, by: [0, 16, 32, 48].map(|bit| (by >> bit) as i16) };
            count += usize::from(by != 0);
        }
    }
    count
}

/// Rows that are added in one go, so that the sums are read and written less often.
const AT_ONCE: usize = 4;

#[target_feature(enable = "avx2")]
pub(super) fn add_rows(table: &RowTable, changes: &[RowChange], sums: &mut [BlockSums]) {
    let (groups, rest) = changes.as_chunks::<AT_ONCE>();
    for &group in groups {
        add_group(table, group, sums);
    }
    if !rest.is_empty() {
        // The first row no times fills the group up.
        let mut group = [RowChange::default(); AT_ONCE];
        group[..rest.len()].copy_from_slice(rest);
        add_group(table, group, sums);
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn add_group(table: &RowTable, group: [RowChange; AT_ONCE], sums: &mut [BlockSums]) {
    let [a, b, c, d] = group;
    let first = _mm256_set1_epi32(pair(a.by, b.by));
    let second = _mm256_set1_epi32(pair(c.by, d.by));
    let (a, b, c, d) = (table.row(a.row), table.row(b.row), table.row(c.row), table.row(d.row));
    for ((((sums, a), b), c), d) in sums.iter_mut().zip(a).zip(b).zip(c).zip(d) {
        let (a, b, c, d) = (load(a), load(b), load(c), load(d));
        let low = _mm256_add_epi32(
            _mm256_madd_epi16(first, _mm256_unpacklo_epi16(a, b)),
            _mm256_madd_epi16(second, _mm256_unpacklo_epi16(c, d)),
        );
        let high = _mm256_add_epi32(
            _mm256_madd_epi16(first, _mm256_unpackhi_epi16(a, b)),
            _mm256_madd_epi16(second, _mm256_unpackhi_epi16(c, d)),
        );
        let sums: *mut __m256i = sums.as_mut_ptr().cast();
        // SAFETY: the sums of a block are twice eight numbers of 32 bits.
        unsafe {
            _mm256_storeu_si256(sums, _mm256_add_epi32(_mm256_loadu_si256(sums), low));
            let sums = sums.add(1);
            _mm256_storeu_si256(sums, _mm256_add_epi32(_mm256_loadu_si256(sums), high));
        }
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn load(block: &Block) -> __m256i {
    // SAFETY: a block is sixteen numbers of 16 bits.
    unsafe { _mm256_loadu_si256(block.0.as_ptr().cast()) }
}

/// The sums of a block that are open, the least number there is for others.
#[target_feature(enable = "avx2")]
#[inline]
fn open_sums(sums: &BlockSums, open: u16) -> [__m256i; 2] {
    let bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    let least = _mm256_set1_epi32(i32::MIN);
    let (low, high) = (i32::from(open), i32::from(open >> 8));
    let low = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(low), bits), bits);
    let high = _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32(high), bits), bits);
    let from: *const __m256i = sums.as_ptr().cast();
    // SAFETY: the sums of a block are twice eight numbers of 32 bits.
    let (first, second) = unsafe { (_mm256_loadu_si256(from), _mm256_loadu_si256(from.add(1))) };
    [_mm256_blendv_epi8(least, first, low), _mm256_blendv_epi8(least, second, high)]
}

#[target_feature(enable = "avx2")]
pub(super) fn highest(sums: &[BlockSums], open: &[u16]) -> Option<usize> {
    // 1. The highest sum.
    let mut lanes = _mm256_set1_epi32(i32::MIN);
    for (sums, &open) in sums.iter().zip(open) {
        let [first, second] = open_sums(sums, open);
        lanes = _mm256_max_epi32(lanes, _mm256_max_epi32(first, second));
    }
    let mut numbers = [0_i32; 8];
    // SAFETY: a vector is eight numbers of 32 bits.
    unsafe { _mm256_storeu_si256(numbers.as_mut_ptr().cast(), lanes) };
    let highest = _mm256_set1_epi32(numbers.into_iter().fold(i32::MIN, i32::max));

    // 2. Where it stands first.
    for (block, (sums, &open)) in sums.iter().zip(open).enumerate() {
        let [first, second] = open_sums(sums, open);
        let low = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(first, highest)));
        let high = _mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpeq_epi32(second, highest)));
        let found = (low | high << 8) as u16 & open;
        if found != 0 {
            return Some(BLOCK * block + found.trailing_zeros() as usize);
        }
    }
    None
}
