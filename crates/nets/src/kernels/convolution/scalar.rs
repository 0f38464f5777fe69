//! The convolutions in plain Rust: what the others must agree with.

use super::{Begin, Shape};

fn input_of<'a>(shape: Shape, input: &'a [f32], cell: u32, tap: i32) -> &'a [f32] {
    let start = (i64::from(cell) + i64::from(tap)) as usize * shape.inputs;
    &input[start..start + shape.inputs]
}

pub(super) fn convolve_frame(
    shape: Shape,
    cells: &[u32],
    input: &[f32],
    weights: &[f32],
    begin: Begin,
    rectify: bool,
    output: &mut [f32],
) {
    for &cell in cells {
        let at = cell as usize * shape.outputs;
        let sums = &mut output[at..at + shape.outputs];
        match begin {
            Begin::Bias(bias) => sums.copy_from_slice(bias),
            Begin::Add(bias) => sums.iter_mut().zip(bias).for_each(|(sum, bias)| *sum += bias),
        }
        let mut rows = weights.chunks_exact(shape.outputs);
        for &tap in shape.taps {
            for (&number, row) in input_of(shape, input, cell, tap).iter().zip(&mut rows) {
                sums.iter_mut().zip(row).for_each(|(sum, weight)| *sum += number * weight);
            }
        }
        if rectify {
            for sum in sums {
                *sum = sum.max(0.0);
            }
        }
    }
}

pub(super) fn weight_gradients(
    shape: Shape,
    cells: &[u32],
    input: &[f32],
    output_gradients: &[f32],
    gradients: &mut [f32],
) {
    for &cell in cells {
        let at = cell as usize * shape.outputs;
        let slopes = &output_gradients[at..at + shape.outputs];
        let mut rows = gradients.chunks_exact_mut(shape.outputs);
        for &tap in shape.taps {
            for (&number, row) in input_of(shape, input, cell, tap).iter().zip(&mut rows) {
                row.iter_mut().zip(slopes).for_each(|(gradient, slope)| *gradient += number * slope);
            }
        }
    }
}

/// Rows that are added in one go, so that the sums are read and written less often.
const AT_ONCE: usize = 4;

#[inline(always)]
pub(super) fn add_scaled_rows(numbers: &[f32], table: &[f32], sums: &mut [f32]) {
    let width = sums.len();
    let row = |i: usize| &table[i * width..(i + 1) * width];
    let mut waiting = [0; AT_ONCE];
    let mut count = 0;
    for (i, &number) in numbers.iter().enumerate() {
        if number != 0.0 {
            waiting[count] = i;
            count += 1;
            if count == AT_ONCE {
                let [a, b, c, d] = waiting.map(row);
                let [p, q, r, s] = waiting.map(|i| numbers[i]);
                for ((((sum, a), b), c), d) in sums.iter_mut().zip(a).zip(b).zip(c).zip(d) {
                    *sum += (p * a + q * b) + (r * c + s * d);
                }
                count = 0;
            }
        }
    }
    for &i in &waiting[..count] {
        sums.iter_mut().zip(row(i)).for_each(|(sum, weight)| *sum += numbers[i] * weight);
    }
}

#[inline(always)]
pub(super) fn rectified_row_sum(table: &[f32], rows: &[u32], sums: &mut [f32]) {
    let width = sums.len();
    sums.fill(0.0);
    for &row in rows.iter().filter(|&&row| row != 0) {
        let row = &table[row as usize * width..(row as usize + 1) * width];
        sums.iter_mut().zip(row).for_each(|(sum, number)| *sum += number);
    }
    for sum in sums {
        *sum = sum.max(0.0);
    }
}

#[inline(always)]
pub(super) fn scaled_row_gradients(
    numbers: &[f32],
    table: &[f32],
    sum_gradients: &[f32],
    table_gradients: &mut [f32],
    number_gradients: &mut [f32],
) {
    const LANES: usize = 8;
    let width = sum_gradients.len();
    let rows = table.chunks_exact(width).zip(table_gradients.chunks_exact_mut(width));
    for ((&number, slope), (row, gradients)) in numbers.iter().zip(number_gradients).zip(rows) {
        *slope = 0.0;
        if number != 0.0 {
            let mut lanes = [0.0; LANES];
            let (chunks, rest) = row.as_chunks::<LANES>();
            let (slopes, slope_rest) = sum_gradients.as_chunks::<LANES>();
            for (a, b) in chunks.iter().zip(slopes) {
                for lane in 0..LANES {
                    lanes[lane] += a[lane] * b[lane];
                }
            }
            let tail: f32 = rest.iter().zip(slope_rest).map(|(a, b)| a * b).sum();
            *slope = lanes.iter().sum::<f32>() + tail;
            gradients.iter_mut().zip(sum_gradients).for_each(|(gradient, g)| *gradient += number * g);
        }
    }
}
