//! The same in plain Rust: what the vectors must agree with. Sums may leave their range on the way, never in the end.

use super::{BLOCK, BlockSums, Change, HIGHEST, Numbers, ORDER, RowChange, RowTable, Spread, Sums};

fn pair_product(by: [i16; 2], weights: [i16; 2]) -> i32 {
    i32::from(by[0]) * i32::from(weights[0]) + i32::from(by[1]) * i32::from(weights[1])
}

pub(super) fn spread(layer: &Spread, changes: &[Change], sums: &mut [Sums]) {
    for &Change { cell, four, by: [a, b, c, d] } in changes {
        for (sums, taps) in layer.reached(cell, sums).zip(layer.rows(four)) {
            for (sums, tap) in sums.iter_mut().zip(taps) {
                for (channel, sum) in sums.iter_mut().enumerate() {
                    let product = pair_product([a, b], tap.0[0][channel])
                        .wrapping_add(pair_product([c, d], tap.0[1][channel]));
                    *sum = sum.wrapping_add(product);
                }
            }
        }
    }
}

pub(super) fn settle(
    cells: &[u16],
    fours: usize,
    shift: u32,
    sums: &[Sums],
    numbers: &mut [Numbers],
    changes: &mut [Change],
) -> usize {
    let mut count = 0;
    for &cell in cells {
        for four in 0..fours {
            let at = usize::from(cell) * fours + four;
            let now = sums[at].map(|sum| (sum >> shift).clamp(0, HIGHEST.into()) as i16);
            let by = std::array::from_fn(|channel| now[channel] - numbers[at][channel]);
            numbers[at] = now;
            changes[count] = Change { cell, four: four as u16, by };
            count += usize::from(by != [0; 4]);
        }
    }
    count
}

pub(super) fn add_rows(table: &RowTable, changes: &[RowChange], sums: &mut [BlockSums]) {
    for change in changes {
        for (sums, block) in sums.iter_mut().zip(table.row(change.row)) {
            for (column, weight) in ORDER.into_iter().zip(block.0) {
                sums[column] = sums[column].wrapping_add(i32::from(change.by) * i32::from(weight));
            }
        }
    }
}

pub(super) fn highest(sums: &[BlockSums], open: &[u16]) -> Option<usize> {
    let mut best: Option<(usize, i32)> = None;
    for (block, (sums, open)) in sums.iter().zip(open).enumerate() {
        for (column, &sum) in sums.iter().enumerate() {
            if open >> column & 1 == 1 && best.is_none_or(|(_, highest)| sum > highest) {
                best = Some((BLOCK * block + column, sum));
            }
        }
    }
    best.map(|(column, _)| column)
}
