//! Winograd's transformations there and back, of weights, boards and their gradients.
//!
//! Each goes along the rows of a tile and then along its columns, for the channels of one [`Lanes`] at a time.

use super::BoardFrame;
use super::planes::{IN, LANES, Lanes, OUT, Planes, lanes};
use crate::kernels::convolution::Begin;

#[inline(always)]
fn sum(a: &Lanes, b: &Lanes) -> Lanes {
    let mut result = [0.0; LANES];
    for i in 0..LANES {
        result[i] = a[i] + b[i];
    }
    result
}

#[inline(always)]
fn difference(a: &Lanes, b: &Lanes) -> Lanes {
    let mut result = [0.0; LANES];
    for i in 0..LANES {
        result[i] = a[i] - b[i];
    }
    result
}

/// `a + factor * b`.
#[inline(always)]
fn plus(a: &Lanes, factor: f32, b: &Lanes) -> Lanes {
    let mut result = [0.0; LANES];
    for i in 0..LANES {
        result[i] = a[i] + factor * b[i];
    }
    result
}

#[inline(always)]
fn times(factor: f32, a: &Lanes) -> Lanes {
    let mut result = [0.0; LANES];
    for i in 0..LANES {
        result[i] = factor * a[i];
    }
    result
}

/// A row of inputs at the six points.
#[inline(always)]
fn spread_input([a, b, c, d, e, f]: [Lanes; IN]) -> [Lanes; IN] {
    let (even, odd) = (plus(&e, -4.0, &c), plus(&d, -4.0, &b));
    let (far_even, half_far_odd) = (difference(&e, &c), difference(&d, &b));
    [
        plus(&plus(&e, -5.0, &c), 4.0, &a),
        sum(&even, &odd),
        difference(&even, &odd),
        plus(&far_even, 2.0, &half_far_odd),
        plus(&far_even, -2.0, &half_far_odd),
        plus(&plus(&f, -5.0, &d), 4.0, &b),
    ]
}

/// A row of products at the six points, back to the outputs.
#[inline(always)]
fn gather_products([a, b, c, d, e, f]: [Lanes; IN]) -> [Lanes; OUT] {
    let (even, odd) = (sum(&b, &c), difference(&b, &c));
    let (far_even, far_odd) = (sum(&d, &e), difference(&d, &e));
    [
        sum(&a, &sum(&even, &far_even)),
        plus(&odd, 2.0, &far_odd),
        plus(&even, 4.0, &far_even),
        sum(&f, &plus(&odd, 8.0, &far_odd)),
    ]
}

/// A row of weights at the six points.
#[inline(always)]
fn spread_weights([a, b, c]: [Lanes; 3]) -> [Lanes; IN] {
    let even = sum(&a, &c);
    let far_even = plus(&a, 4.0, &c);
    [
        times(0.25, &a),
        times(-1.0 / 6.0, &sum(&even, &b)),
        times(-1.0 / 6.0, &difference(&even, &b)),
        times(1.0 / 24.0, &plus(&far_even, 2.0, &b)),
        times(1.0 / 24.0, &plus(&far_even, -2.0, &b)),
        c,
    ]
}

/// The way back of [`spread_weights`].
#[inline(always)]
fn gather_weights([a, b, c, d, e, f]: [Lanes; IN]) -> [Lanes; 3] {
    let even = times(-1.0 / 6.0, &sum(&b, &c));
    let odd = times(1.0 / 6.0, &difference(&c, &b));
    let (far_even, far_odd) = (sum(&d, &e), difference(&d, &e));
    [
        plus(&plus(&even, 0.25, &a), 1.0 / 24.0, &far_even),
        plus(&odd, 1.0 / 12.0, &far_odd),
        sum(&plus(&even, 1.0 / 6.0, &far_even), &f),
    ]
}

/// The way back of [`gather_products`].
#[inline(always)]
fn spread_slopes([a, b, c, d]: [Lanes; OUT]) -> [Lanes; IN] {
    let (even, odd) = (sum(&a, &c), sum(&b, &d));
    let (far_even, half_far_odd) = (plus(&a, 4.0, &c), plus(&b, 4.0, &d));
    [
        a,
        sum(&even, &odd),
        difference(&even, &odd),
        plus(&far_even, 2.0, &half_far_odd),
        plus(&far_even, -2.0, &half_far_odd),
        d,
    ]
}

#[inline(always)]
pub(super) fn transform_weights(weights: &[f32], to: &mut Planes) {
    let count = to.length();
    for at in (0..count).step_by(LANES) {
        let row = |y: usize| {
            let weight = |x: usize| lanes(weights, (3 * y + x) * count + at);
            spread_weights([weight(0), weight(1), weight(2)])
        };
        let rows = [row(0), row(1), row(2)];
        for x in 0..IN {
            let [a, b, c] = &rows;
            for (y, numbers) in spread_weights([a[x], b[x], c[x]]).iter().enumerate() {
                to.set_lanes(y, x, at, numbers);
            }
        }
    }
}

#[inline(always)]
pub(super) fn add_weight_gradients(from: &Planes, gradients: &mut [f32]) {
    let count = from.length();
    for at in (0..count).step_by(LANES) {
        let row = |y: usize| {
            let number = |x: usize| from.lanes(y, x, at);
            gather_weights([number(0), number(1), number(2), number(3), number(4), number(5)])
        };
        let rows = [row(0), row(1), row(2), row(3), row(4), row(5)];
        for x in 0..3 {
            let [a, b, c, d, e, f] = &rows;
            let column = gather_weights([a[x], b[x], c[x], d[x], e[x], f[x]]);
            for (y, numbers) in column.iter().enumerate() {
                let to = &mut gradients[(3 * y + x) * count + at..][..LANES];
                to.iter_mut().zip(numbers).for_each(|(to, from)| *to += from);
            }
        }
    }
}

/// Transforms the input of the board with a number, among those that are worked on together.
#[inline(always)]
pub(super) fn transform_input(
    board: BoardFrame,
    index: usize,
    channels: usize,
    input: &[f32],
    to: &mut Planes,
) {
    for tile in 0..board.tiles() {
        let (top, left) = board.corner(tile);
        let corner = board.first + top * board.stride + left - board.stride - 1;
        for channel in (0..channels).step_by(LANES) {
            let cell = |y: usize, x: usize| {
                // The last tiles reach beyond the margin of the frame.
                if top + y > board.side + 1 || left + x > board.side + 1 {
                    return [0.0; LANES];
                }
                lanes(input, (corner + y * board.stride + x) * channels + channel)
            };
            let row = |y: usize| {
                spread_input([cell(y, 0), cell(y, 1), cell(y, 2), cell(y, 3), cell(y, 4), cell(y, 5)])
            };
            let rows = [row(0), row(1), row(2), row(3), row(4), row(5)];
            let at = (index * board.tiles() + tile) * channels + channel;
            for x in 0..IN {
                let [a, b, c, d, e, f] = &rows;
                let column = spread_input([a[x], b[x], c[x], d[x], e[x], f[x]]);
                for (y, numbers) in column.iter().enumerate() {
                    to.set_lanes(y, x, at, numbers);
                }
            }
        }
    }
}

/// Transforms products back to the output of the board with a number.
#[inline(always)]
pub(super) fn transform_output(
    board: BoardFrame,
    index: usize,
    from: &Planes,
    begin: Begin,
    rectify: bool,
    output: &mut [f32],
) {
    let channels = begin.bias().len();
    let adds = matches!(begin, Begin::Add(_));
    for tile in 0..board.tiles() {
        let (top, left) = board.corner(tile);
        for channel in (0..channels).step_by(LANES) {
            let at = (index * board.tiles() + tile) * channels + channel;
            let row = |y: usize| {
                let product = |x: usize| from.lanes(y, x, at);
                gather_products([product(0), product(1), product(2), product(3), product(4), product(5)])
            };
            let rows = [row(0), row(1), row(2), row(3), row(4), row(5)];
            let bias = lanes(begin.bias(), channel);
            for x in 0..OUT.min(board.side - left) {
                let [a, b, c, d, e, f] = &rows;
                let column = gather_products([a[x], b[x], c[x], d[x], e[x], f[x]]);
                for (y, numbers) in column.iter().enumerate().take(board.side - top) {
                    let at = (board.first + (top + y) * board.stride + left + x) * channels + channel;
                    let to = &mut output[at..at + LANES];
                    for i in 0..LANES {
                        let number = numbers[i] + bias[i] + if adds { to[i] } else { 0.0 };
                        to[i] = if rectify { number.max(0.0) } else { number };
                    }
                }
            }
        }
    }
}

/// Transforms the gradients of the output of the board with a number to those of the products.
#[inline(always)]
pub(super) fn transform_output_gradients(
    board: BoardFrame,
    index: usize,
    channels: usize,
    slopes: &[f32],
    to: &mut Planes,
) {
    for tile in 0..board.tiles() {
        let (top, left) = board.corner(tile);
        for channel in (0..channels).step_by(LANES) {
            let slope = |y: usize, x: usize| {
                if top + y >= board.side || left + x >= board.side {
                    return [0.0; LANES];
                }
                lanes(slopes, (board.first + (top + y) * board.stride + left + x) * channels + channel)
            };
            let row = |y: usize| spread_slopes([slope(y, 0), slope(y, 1), slope(y, 2), slope(y, 3)]);
            let rows = [row(0), row(1), row(2), row(3)];
            let at = (index * board.tiles() + tile) * channels + channel;
            for x in 0..IN {
                let [a, b, c, d] = &rows;
                for (y, numbers) in spread_slopes([a[x], b[x], c[x], d[x]]).iter().enumerate() {
                    to.set_lanes(y, x, at, numbers);
                }
            }
        }
    }
}
