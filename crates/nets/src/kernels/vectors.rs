//! The kernels in vectors, written once for every width. A module that uses them brings the vector type `Numbers`, its
//! instructions under the names below, how many numbers a vector has, and how it is cut into halves.

/// All kernels but the hidden layer, for the instructions that the calling module named.
macro_rules! vector_kernels {
    ($features:literal) => {
        #[target_feature(enable = $features)]
        #[inline]
        fn load(numbers: &[i16], vector: usize) -> Numbers {
            let numbers = &numbers[SHORTS * vector..SHORTS * (vector + 1)];
            // SAFETY: the slice has exactly the vector's numbers.
            unsafe { load_unaligned(numbers.as_ptr().cast()) }
        }

        #[target_feature(enable = $features)]
        #[inline]
        fn store(numbers: &mut [i16], vector: usize, value: Numbers) {
            let numbers = &mut numbers[SHORTS * vector..SHORTS * (vector + 1)];
            // SAFETY: the slice has exactly the vector's numbers.
            unsafe { store_unaligned(numbers.as_mut_ptr().cast(), value) }
        }

        #[target_feature(enable = $features)]
        #[inline]
        fn load_longs(numbers: &[i32], vector: usize) -> Numbers {
            let numbers = &numbers[LONGS * vector..LONGS * (vector + 1)];
            // SAFETY: the slice has exactly the vector's numbers.
            unsafe { load_unaligned(numbers.as_ptr().cast()) }
        }

        #[target_feature(enable = $features)]
        #[inline]
        fn store_longs(numbers: &mut [i32], vector: usize, value: Numbers) {
            let numbers = &mut numbers[LONGS * vector..LONGS * (vector + 1)];
            // SAFETY: the slice has exactly the vector's numbers.
            unsafe { store_unaligned(numbers.as_mut_ptr().cast(), value) }
        }

        #[target_feature(enable = $features)]
        #[inline]
        fn clip(value: Numbers) -> Numbers {
            min_shorts(max_shorts(value, zero()), all_shorts(HIGHEST))
        }

        #[target_feature(enable = $features)]
        pub(super) fn sum_rows(tables: [&[Row]; 2], rows: &[CellRows], cells: &mut [Cell]) {
            for (rows, cell) in rows.iter().zip(&mut cells[1..]) {
                let [a, b, c, d] = rows.map(usize::from);
                let (a, b, c, d) = (&tables[0][a].0, &tables[0][b].0, &tables[1][c].0, &tables[1][d].0);
                for vector in 0..CHANNELS / SHORTS {
                    let sides = add_shorts(load(a, vector), load(b, vector));
                    let diagonals = add_shorts(load(c, vector), load(d, vector));
                    store(&mut cell.0, vector, clip(add_shorts(sides, diagonals)));
                }
            }
        }

        /// Vectors of the convolved channels.
        const WIDTH: usize = CONVOLVED / SHORTS;

        /// A column of three cells: the middle one, and the sum of those above and below it.
        #[derive(Clone, Copy)]
        struct Column {
            middle: [Numbers; WIDTH],
            ends: [Numbers; WIDTH],
        }

        #[target_feature(enable = $features)]
        #[inline]
        fn column(cells: &[Cell], numbers: &[u16; GRID], at: usize) -> Column {
            let cell = |at: usize| &cells[usize::from(numbers[at % GRID])].0;
            let (above, middle, below) = (cell(at.wrapping_sub(STRIDE)), cell(at), cell(at + STRIDE));
            let mut column = Column { middle: [zero(); WIDTH], ends: [zero(); WIDTH] };
            for vector in 0..WIDTH {
                column.middle[vector] = load(middle, vector);
                column.ends[vector] = add_shorts(load(above, vector), load(below, vector));
            }
            column
        }

        #[target_feature(enable = $features)]
        pub(super) fn convolve(
            layer: &Convolution,
            points: &[Point],
            numbers: &[u16; GRID],
            cells: &mut [Cell],
        ) {
            // Cells come in reading order: beside the last one only one column is new.
            let nothing = Column { middle: [zero(); WIDTH], ends: [zero(); WIDTH] };
            let (mut centre, mut right, mut next) = (nothing, nothing, 0);
            for (i, &point) in points.iter().enumerate() {
                let at = point.index();
                let left = if at == next { centre } else { column(cells, numbers, at - 1) };
                centre = if at == next { right } else { column(cells, numbers, at) };
                right = column(cells, numbers, at + 1);
                next = at + 1;
                let cell = &mut cells[i + 1].0;
                for vector in 0..WIDTH {
                    let own = shift_shorts_left::<2>(centre.middle[vector]);
                    let beside = add_shorts(left.middle[vector], right.middle[vector]);
                    let edges = shift_shorts_left::<2>(add_shorts(beside, centre.ends[vector]));
                    let corners = shift_shorts_left::<2>(add_shorts(left.ends[vector], right.ends[vector]));
                    let own = multiply_high(own, load(&layer.centre, vector));
                    let edge = multiply_high(edges, load(&layer.edge, vector));
                    let corner = multiply_high(corners, load(&layer.corner, vector));
                    let sum = add_saturating(add_saturating(own, edge), corner);
                    let sum = add_saturating(sum, load(&layer.bias, vector));
                    store(cell, CHANNELS / SHORTS + vector, clip(sum));
                }
            }
        }

        #[target_feature(enable = $features)]
        pub(super) fn pool(cells: &[Cell], runs: &[Run], sums: &mut [[i32; CELL]; REGIONS]) {
            const WIDTH: usize = CELL / SHORTS;
            // The cells of a run are few enough for sixteen bits.
            const { assert!(8 * HIGHEST as usize <= i16::MAX as usize) };
            *sums = [[0; CELL]; REGIONS];
            let mut rest = &cells[1..];
            for &Run { region, length } in runs {
                let (run, after) = rest.split_at(usize::from(length));
                rest = after;
                let mut sum = [zero(); WIDTH];
                for cell in run {
                    for (vector, sum) in sum.iter_mut().enumerate() {
                        *sum = add_shorts(*sum, load(cell.output(), vector));
                    }
                }
                let sums = &mut sums[usize::from(region)];
                for (vector, sum) in sum.into_iter().enumerate() {
                    let [low, high] = halves_as_longs(sum);
                    for (at, part) in [(2 * vector, low), (2 * vector + 1, high)] {
                        let total = add_longs(load_longs(sums, at), part);
                        store_longs(sums, at, total);
                    }
                }
            }
        }

        #[target_feature(enable = $features)]
        #[inline]
        fn multiply_and_add(sum: Numbers, pairs: Numbers, weights: Numbers) -> Numbers {
            add_longs(sum, multiply_pairs(pairs, weights))
        }

        #[target_feature(enable = $features)]
        pub(super) fn first(heads: &Heads, sums: &[[i32; CELL]; REGIONS], first: &mut [f32; VALUE1]) {
            super::scalar::first(heads, sums, first);
        }

        #[target_feature(enable = $features)]
        pub(super) fn outcome(heads: &Heads, first: &[f32; VALUE1], flags: Threats) -> [f32; OUTCOMES] {
            super::scalar::outcome(heads, first, flags)
        }

        #[target_feature(enable = $features)]
        pub(super) fn logits(
            heads: &Heads,
            (first, flags): (&[f32; VALUE1], Threats),
            hidden: &[[i32; HIDDEN]],
            history: &[[u8; 2]],
            logits: &mut Vec<f32>,
        ) {
            let weights = heads.move_weights(first, flags);
            logits.clear();
            logits.resize(hidden.len(), 0.0);
            for ((hidden, &history), logit) in hidden.iter().zip(history).zip(logits) {
                *logit = heads.logit(product(hidden, &weights), history);
            }
        }

        /// Numbers times weights, summed in lanes. Fused multiplications would give other bits.
        #[target_feature(enable = $features)]
        #[inline]
        fn product(numbers: &[i32; HIDDEN], weights: &[f32; HIDDEN]) -> [f32; LANES] {
            use std::arch::x86_64 as x86;
            let mut sum = x86::_mm256_setzero_ps();
            let (numbers, weights) = (numbers.as_chunks::<LANES>().0, weights.as_chunks::<LANES>().0);
            for (numbers, weights) in numbers.iter().zip(weights) {
                // SAFETY: both arrays have exactly the vector's numbers.
                let (numbers, weights) = unsafe {
                    let numbers = x86::_mm256_loadu_si256(numbers.as_ptr().cast());
                    (x86::_mm256_cvtepi32_ps(numbers), x86::_mm256_loadu_ps(weights.as_ptr()))
                };
                sum = x86::_mm256_add_ps(sum, x86::_mm256_mul_ps(numbers, weights));
            }
            let mut lanes = [0.0; LANES];
            // SAFETY: the array has exactly the vector's numbers.
            unsafe { x86::_mm256_storeu_ps(lanes.as_mut_ptr(), sum) };
            lanes
        }
    };
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
            // The weights of a pair are loaded once for two moves. Skipping zeros would cost more in wrong guesses than it saves.
            const VECTORS: usize = HIDDEN / LONGS;
            let (twos, last) = moves.as_chunks::<2>();
            let (hidden_twos, hidden_last) = hidden.as_chunks_mut::<2>();
            let both = |pair: &[i16; 2]| all_longs(i32::from(pair[0]) & 0xffff | i32::from(pair[1]) << 16);
            let pairs = |cell: u16| cells[usize::from(cell)].output().as_chunks::<2>().0;
            let finished = |sum| {
                let scaled = shift_longs_right::<{ HIDDEN_SHIFT as _ }>(sum);
                min_longs(max_longs(scaled, zero()), all_longs(HIGHEST.into()))
            };
            let mut bias = [zero(); VECTORS];
            for (vector, bias) in bias.iter_mut().enumerate() {
                *bias = load_longs(&layer.bias, vector);
            }
            for (&[a, b], [hidden_a, hidden_b]) in twos.iter().zip(hidden_twos) {
                let (mut sums_a, mut sums_b) = (bias, bias);
                for ((a, b), weights) in pairs(a).iter().zip(pairs(b)).zip(&layer.weights) {
                    let (a, b) = (both(a), both(b));
                    for vector in 0..VECTORS {
                        let weights = load(weights.as_flattened(), vector);
                        sums_a[vector] = $add_products(sums_a[vector], a, weights);
                        sums_b[vector] = $add_products(sums_b[vector], b, weights);
                    }
                }
                for vector in 0..VECTORS {
                    store_longs(hidden_a, vector, finished(sums_a[vector]));
                    store_longs(hidden_b, vector, finished(sums_b[vector]));
                }
            }
            for (&cell, hidden) in last.iter().zip(hidden_last) {
                let mut sums = bias;
                for (pair, weights) in pairs(cell).iter().zip(&layer.weights) {
                    let pair = both(pair);
                    for (vector, sum) in sums.iter_mut().enumerate() {
                        *sum = $add_products(*sum, pair, load(weights.as_flattened(), vector));
                    }
                }
                for (vector, sum) in sums.into_iter().enumerate() {
                    store_longs(hidden, vector, finished(sum));
                }
            }
        }
    };
}
