//! The convolutions with 256-bit vectors of eight numbers: tiles of cells and output channels whose sums stay in
//! registers.

use super::{Begin, Shape};
use std::arch::x86_64::{
    __m256, __m256i, _mm256_add_ps, _mm256_broadcast_ss, _mm256_fmadd_ps, _mm256_loadu_ps,
    _mm256_loadu_si256, _mm256_maskload_ps, _mm256_maskstore_ps, _mm256_max_ps, _mm256_setzero_ps,
    _mm256_storeu_ps,
};

/// Numbers of a vector.
const LANES: usize = 8;

/// Vectors side by side, the last of which may have fewer lanes.
#[derive(Clone, Copy)]
struct Lanes<const VECTORS: usize> {
    /// The mask of the last vector, if it is not whole.
    mask: Option<__m256i>,
}

impl<const VECTORS: usize> Lanes<VECTORS> {
    #[target_feature(enable = "avx2,fma")]
    fn new(count: usize) -> Lanes<VECTORS> {
        const MASKS: [i32; 2 * LANES] = [-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0];
        let rest = count % LANES;
        // SAFETY: eight numbers from `LANES - rest` on are within the sixteen.
        let mask = (rest > 0).then(|| unsafe { _mm256_loadu_si256(MASKS[LANES - rest..].as_ptr().cast()) });
        Lanes { mask }
    }

    /// # Safety
    /// As many numbers as the lanes must be there to read.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    unsafe fn load(self, from: *const f32) -> [__m256; VECTORS] {
        let mut vectors = [_mm256_setzero_ps(); VECTORS];
        for (v, vector) in vectors.iter_mut().enumerate() {
            // SAFETY: the caller's promise.
            *vector = unsafe {
                let from = from.add(LANES * v);
                match self.mask {
                    Some(mask) if v + 1 == VECTORS => _mm256_maskload_ps(from, mask),
                    _ => _mm256_loadu_ps(from),
                }
            };
        }
        vectors
    }

    /// # Safety
    /// There must be room for as many numbers as the lanes.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    unsafe fn store(self, to: *mut f32, vectors: [__m256; VECTORS]) {
        for (v, vector) in vectors.into_iter().enumerate() {
            // SAFETY: the caller's promise.
            unsafe {
                let to = to.add(LANES * v);
                match self.mask {
                    Some(mask) if v + 1 == VECTORS => _mm256_maskstore_ps(to, mask, vector),
                    _ => _mm256_storeu_ps(to, vector),
                }
            }
        }
    }
}

/// # Safety
/// The machine has AVX2 and FMA, and the lists fit the shape.
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn convolve_frame(
    shape: Shape,
    cells: &[u32],
    input: &[f32],
    weights: &[f32],
    begin: Begin,
    rectify: bool,
    output: &mut [f32],
) {
    let job = Convolve { shape, input, weights, begin, rectify };
    let mut first = 0;
    // SAFETY: the caller's promise; the channels of a call are those that are left.
    unsafe {
        while shape.outputs - first >= 2 * LANES {
            job.columns::<6, 2>(cells, first, 2 * LANES, output);
            first += 2 * LANES;
        }
        let rest = shape.outputs - first;
        if rest > LANES {
            job.columns::<6, 2>(cells, first, rest, output);
        } else if rest > 0 {
            job.columns::<8, 1>(cells, first, rest, output);
        }
    }
}

struct Convolve<'a> {
    shape: Shape<'a>,
    input: &'a [f32],
    weights: &'a [f32],
    begin: Begin<'a>,
    rectify: bool,
}

impl Convolve<'_> {
    /// The output channels `first..first + count` of all cells.
    ///
    /// # Safety
    /// The lists fit the shape for these cells; the shape has the channels, and `count` is within
    /// the lanes.
    #[target_feature(enable = "avx2,fma")]
    unsafe fn columns<const CELLS: usize, const VECTORS: usize>(
        &self,
        cells: &[u32],
        first: usize,
        count: usize,
        output: &mut [f32],
    ) {
        let lanes = Lanes::<VECTORS>::new(count);
        let (tiles, rest) = cells.as_chunks::<CELLS>();
        let (fours, rest) = rest.as_chunks::<4>();
        // SAFETY: the caller's promise.
        unsafe {
            for tile in tiles {
                self.tile(tile, lanes, first, output);
            }
            for four in fours {
                self.tile(four, lanes, first, output);
            }
            for &cell in rest {
                self.tile(&[cell], lanes, first, output);
            }
        }
    }

    /// The output channels from `first` on that the lanes hold, of some cells.
    ///
    /// # Safety
    /// As for [`Convolve::columns`].
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    unsafe fn tile<const CELLS: usize, const VECTORS: usize>(
        &self,
        cells: &[u32; CELLS],
        lanes: Lanes<VECTORS>,
        first: usize,
        output: &mut [f32],
    ) {
        let Shape { taps, inputs, outputs } = self.shape;
        let from = cells.map(|cell| self.input.as_ptr().wrapping_add(cell as usize * inputs));
        let to = cells.map(|cell| output.as_mut_ptr().wrapping_add(cell as usize * outputs + first));
        // SAFETY: the caller has checked that every cell with every tap is in the frames, and that there are as many
        // weights as the shape says.
        unsafe {
            let bias = lanes.load(self.begin.bias().as_ptr().add(first));
            let mut sums = [bias; CELLS];
            if let Begin::Add(_) = self.begin {
                for (sums, &to) in sums.iter_mut().zip(&to) {
                    let before = lanes.load(to);
                    for (sum, before) in sums.iter_mut().zip(before) {
                        *sum = _mm256_add_ps(*sum, before);
                    }
                }
            }
            let mut weights = self.weights.as_ptr().add(first);
            for &tap in taps {
                let from = from.map(|from| from.offset(tap as isize * inputs as isize));
                for channel in 0..inputs {
                    let row = lanes.load(weights);
                    for (sums, from) in sums.iter_mut().zip(from) {
                        let number = _mm256_broadcast_ss(&*from.add(channel));
                        for (sum, row) in sums.iter_mut().zip(row) {
                            *sum = _mm256_fmadd_ps(number, row, *sum);
                        }
                    }
                    weights = weights.add(outputs);
                }
            }
            for (mut sums, to) in sums.into_iter().zip(to) {
                if self.rectify {
                    sums = sums.map(|sum| _mm256_max_ps(sum, _mm256_setzero_ps()));
                }
                lanes.store(to, sums);
            }
        }
    }
}

/// # Safety
/// The machine has AVX2 and FMA, and the lists fit the shape.
#[target_feature(enable = "avx2,fma")]
pub(super) unsafe fn weight_gradients(
    shape: Shape,
    cells: &[u32],
    input: &[f32],
    output_gradients: &[f32],
    gradients: &mut [f32],
) {
    let job = WeightGradients { shape, cells, input, output_gradients };
    for tap in 0..shape.taps.len() {
        let mut first = 0;
        // SAFETY: the caller's promise; the channels of a call are those that are left.
        unsafe {
            while shape.outputs - first >= 2 * LANES {
                job.columns::<6, 2>(tap, first, 2 * LANES, gradients);
                first += 2 * LANES;
            }
            let rest = shape.outputs - first;
            if rest > LANES {
                job.columns::<6, 2>(tap, first, rest, gradients);
            } else if rest > 0 {
                job.columns::<8, 1>(tap, first, rest, gradients);
            }
        }
    }
}

struct WeightGradients<'a> {
    shape: Shape<'a>,
    cells: &'a [u32],
    input: &'a [f32],
    output_gradients: &'a [f32],
}

impl WeightGradients<'_> {
    /// One tap's weights from all input channels to the output channels `first..first + count`.
    ///
    /// # Safety
    /// The lists fit the shape for these cells; the shape has the tap and the channels, and `count`
    /// is within the lanes.
    #[target_feature(enable = "avx2,fma")]
    unsafe fn columns<const ROWS: usize, const VECTORS: usize>(
        &self,
        tap: usize,
        first: usize,
        count: usize,
        gradients: &mut [f32],
    ) {
        let lanes = Lanes::<VECTORS>::new(count);
        let mut channel = 0;
        // SAFETY: the caller's promise.
        unsafe {
            while self.shape.inputs - channel >= ROWS {
                self.tile::<ROWS, VECTORS>(tap, channel, lanes, first, gradients);
                channel += ROWS;
            }
            while self.shape.inputs - channel >= 2 {
                self.tile::<2, VECTORS>(tap, channel, lanes, first, gradients);
                channel += 2;
            }
            if channel < self.shape.inputs {
                self.tile::<1, VECTORS>(tap, channel, lanes, first, gradients);
            }
        }
    }

    /// One tap's weights from some input channels to the output channels that the lanes hold.
    ///
    /// # Safety
    /// As for [`WeightGradients::columns`], and the shape has the input channels.
    #[target_feature(enable = "avx2,fma")]
    #[inline]
    unsafe fn tile<const ROWS: usize, const VECTORS: usize>(
        &self,
        tap: usize,
        channel: usize,
        lanes: Lanes<VECTORS>,
        first: usize,
        gradients: &mut [f32],
    ) {
        let Shape { taps, inputs, outputs } = self.shape;
        let row = (tap * inputs + channel) * outputs + first;
        // SAFETY: the caller has checked that every cell with every tap is in the frames, and that there are as many
        // weights as the shape says.
        unsafe {
            let to = gradients.as_mut_ptr().add(row);
            let mut sums = [[_mm256_setzero_ps(); VECTORS]; ROWS];
            for (r, sums) in sums.iter_mut().enumerate() {
                *sums = lanes.load(to.add(r * outputs));
            }
            let input = self
                .input
                .as_ptr()
                .wrapping_offset(taps[tap] as isize * inputs as isize)
                .wrapping_add(channel);
            let slopes = self.output_gradients.as_ptr().add(first);
            for &cell in self.cells {
                let slope = lanes.load(slopes.add(cell as usize * outputs));
                let from = input.wrapping_add(cell as usize * inputs);
                for (r, sums) in sums.iter_mut().enumerate() {
                    let number = _mm256_broadcast_ss(&*from.add(r));
                    for (sum, slope) in sums.iter_mut().zip(slope) {
                        *sum = _mm256_fmadd_ps(number, slope, *sum);
                    }
                }
            }
            for (r, sums) in sums.into_iter().enumerate() {
                lanes.store(to.add(r * outputs), sums);
            }
        }
    }
}

#[target_feature(enable = "avx2,fma")]
pub(super) fn add_scaled_rows(numbers: &[f32], table: &[f32], sums: &mut [f32]) {
    super::scalar::add_scaled_rows(numbers, table, sums);
}

#[target_feature(enable = "avx2,fma")]
pub(super) fn rectified_row_sum(table: &[f32], rows: &[u32], sums: &mut [f32]) {
    super::scalar::rectified_row_sum(table, rows, sums);
}

#[target_feature(enable = "avx2,fma")]
pub(super) fn scaled_row_gradients(
    numbers: &[f32],
    table: &[f32],
    sum_gradients: &[f32],
    table_gradients: &mut [f32],
    number_gradients: &mut [f32],
) {
    super::scalar::scaled_row_gradients(numbers, table, sum_gradients, table_gradients, number_gradients);
}
