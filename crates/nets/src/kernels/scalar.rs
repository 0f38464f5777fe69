//! The kernels in plain Rust: what the others must agree with.

use super::{CORNERS, CellRows, EDGES, neighbours};
use crate::architecture::{
    CELL, CHANNELS, CONVOLVED, HIDDEN, HIDDEN_SHIFT, HIGHEST, OUTCOMES, REGIONS, VALUE1,
};
use crate::features::{Run, Threats};
use crate::heads::{Heads, LANES};
use crate::net::{Cell, Convolution, PolicyLayer, Row};
use fivestone_game::{GRID, Point};

pub(super) fn sum_rows(tables: [&[Row]; 2], rows: &[CellRows], cells: &mut [Cell]) {
    for (rows, cell) in rows.iter().zip(&mut cells[1..]) {
        let [a, b, c, d] = rows.map(usize::from);
        let lines = [&tables[0][a].0, &tables[0][b].0, &tables[1][c].0, &tables[1][d].0];
        for channel in 0..CHANNELS {
            let sum: i16 = lines.iter().map(|line| line[channel]).sum();
            cell.0[channel] = sum.clamp(0, HIGHEST);
        }
    }
}

/// The product of two numbers in units of 2^-15, rounded; as the vector instruction defines it.
fn scaled_product(a: i16, b: i16) -> i16 {
    ((i32::from(a) * i32::from(b) + 0x4000) >> 15) as i16
}

pub(super) fn convolve(layer: &Convolution, points: &[Point], numbers: &[u16; GRID], cells: &mut [Cell]) {
    for (i, &point) in points.iter().enumerate() {
        let edges = neighbours(numbers, point, EDGES);
        let corners = neighbours(numbers, point, CORNERS);
        for channel in 0..CONVOLVED {
            let sum =
                |around: [usize; 4]| around.iter().map(|&cell| cells[cell].0[channel]).sum::<i16>() << 2;
            let centre = scaled_product(cells[i + 1].0[channel] << 2, layer.centre[channel]);
            let edge = scaled_product(sum(edges), layer.edge[channel]);
            let corner = scaled_product(sum(corners), layer.corner[channel]);
            let total =
                centre.saturating_add(edge).saturating_add(corner).saturating_add(layer.bias[channel]);
            cells[i + 1].0[CHANNELS + channel] = total.clamp(0, HIGHEST);
        }
    }
}

pub(super) fn pool(cells: &[Cell], runs: &[Run], sums: &mut [[i32; CELL]; REGIONS]) {
    *sums = [[0; CELL]; REGIONS];
    let mut rest = &cells[1..];
    for &Run { region, length } in runs {
        let (run, after) = rest.split_at(usize::from(length));
        rest = after;
        let sums = &mut sums[usize::from(region)];
        for cell in run {
            for (sum, &number) in sums.iter_mut().zip(cell.output()) {
                *sum += i32::from(number);
            }
        }
    }
}

pub(super) fn hidden(layer: &PolicyLayer, cells: &[Cell], moves: &[u16], hidden: &mut [[i32; HIDDEN]]) {
    for (&cell, hidden) in moves.iter().zip(hidden) {
        let mut sums = layer.bias;
        for (pair, weights) in cells[usize::from(cell)].output().as_chunks::<2>().0.iter().zip(&layer.weights)
        {
            for (sum, weights) in sums.iter_mut().zip(weights) {
                *sum +=
                    i32::from(pair[0]) * i32::from(weights[0]) + i32::from(pair[1]) * i32::from(weights[1]);
            }
        }
        *hidden = sums.map(|sum| (sum >> HIDDEN_SHIFT).clamp(0, i32::from(HIGHEST)));
    }
}

// The heads' arithmetic is compiled once per set of instructions.

#[inline(always)]
pub(super) fn first(heads: &Heads, sums: &[[i32; CELL]; REGIONS], first: &mut [f32; VALUE1]) {
    *first = heads.first(sums);
}

#[inline(always)]
pub(super) fn outcome(heads: &Heads, first: &[f32; VALUE1], flags: Threats) -> [f32; OUTCOMES] {
    heads.outcome(first, flags)
}

pub(super) fn logits(
    heads: &Heads,
    (first, flags): (&[f32; VALUE1], Threats),
    hidden: &[[i32; HIDDEN]],
    history: &[[u8; 2]],
    logits: &mut Vec<f32>,
) {
    let move_weights = heads.move_weights(first, flags);
    logits.clear();
    logits.resize(hidden.len(), 0.0);
    for ((hidden, &history), logit) in hidden.iter().zip(history).zip(logits) {
        let mut lanes = [0.0; LANES];
        for (hidden, weights) in hidden.chunks_exact(LANES).zip(move_weights.chunks_exact(LANES)) {
            for lane in 0..LANES {
                lanes[lane] += hidden[lane] as f32 * weights[lane];
            }
        }
        *logit = heads.logit(lanes, history);
    }
}
