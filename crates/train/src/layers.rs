//! Layers with hand-derived gradients, on arrays small enough to live in registers and the first cache.
//!
//! Everything is `inline(always)`: the trainer calls it inside one dispatch to the machine's vector instructions.
//! A layer's numbers are its weights by input and then output, followed by its bias.

const LANES: usize = 8;

/// The scalar product, summed in eight lanes.
#[inline(always)]
pub fn dot<const N: usize>(a: &[f32; N], b: &[f32; N]) -> f32 {
    let mut lanes = [0.0; LANES];
    let (a_chunks, a_rest) = a.as_chunks::<LANES>();
    let (b_chunks, b_rest) = b.as_chunks::<LANES>();
    for (a, b) in a_chunks.iter().zip(b_chunks) {
        for lane in 0..LANES {
            lanes[lane] += a[lane] * b[lane];
        }
    }
    lanes.iter().sum::<f32>() + a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum::<f32>()
}

/// Adds a multiple: `to += factor * from`.
#[inline(always)]
pub fn add_scaled<const N: usize>(to: &mut [f32; N], factor: f32, from: &[f32; N]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += factor * from;
    }
}

/// Adds: `to += from`.
#[inline(always)]
pub fn add<const N: usize>(to: &mut [f32; N], from: &[f32; N]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += from;
    }
}

/// Multiplies: `numbers *= factor`.
#[inline(always)]
pub fn scale(numbers: &mut [f32], factor: f32) {
    for number in numbers {
        *number *= factor;
    }
}

/// A full layer.
#[inline(always)]
pub fn dense<const IN: usize, const OUT: usize>(numbers: &[f32], input: &[f32; IN]) -> [f32; OUT] {
    let rows = &numbers.as_chunks::<OUT>().0[..=IN];
    let mut output = rows[IN];
    for (row, &number) in rows.iter().zip(input) {
        if number != 0.0 {
            add_scaled(&mut output, number, row);
        }
    }
    output
}

/// The gradients of a full layer: adds to those of its numbers and answers that of its input. An input that is zero
/// must have come out of a rectifier (or be a sum of such): its gradient would go no further and is left zero.
#[inline(always)]
pub fn dense_back<const IN: usize, const OUT: usize>(
    numbers: &[f32],
    gradients: &mut [f32],
    input: &[f32; IN],
    output_gradient: &[f32; OUT],
) -> [f32; IN] {
    let rows = &numbers.as_chunks::<OUT>().0[..=IN];
    let row_gradients = &mut gradients.as_chunks_mut::<OUT>().0[..=IN];
    let mut input_gradient = [0.0; IN];
    add(&mut row_gradients[IN], output_gradient);
    for i in 0..IN {
        if input[i] != 0.0 {
            add_scaled(&mut row_gradients[i], input[i], output_gradient);
            input_gradient[i] = dot(&rows[i], output_gradient);
        }
    }
    input_gradient
}

/// Clips numbers to `[0, highest]`.
#[inline(always)]
pub fn clip<const N: usize>(numbers: &mut [f32; N], highest: f32) {
    for number in numbers {
        *number = number.max(0.0).min(highest);
    }
}

/// The gradient through [`clip`], from what it answered.
#[inline(always)]
pub fn clip_back<const N: usize>(clipped: &[f32; N], highest: f32, gradient: &mut [f32; N]) {
    for (gradient, &number) in gradient.iter_mut().zip(clipped) {
        *gradient = if number > 0.0 && number < highest { *gradient } else { 0.0 };
    }
}

/// Turns logits into probabilities in place.
#[inline(always)]
pub fn softmax(logits: &mut [f32]) {
    let highest = logits.iter().copied().fold(f32::MIN, f32::max);
    let mut total = 0.0;
    for logit in logits.iter_mut() {
        *logit = (*logit - highest).exp();
        total += *logit;
    }
    for logit in logits {
        *logit /= total;
    }
}

/// The cross-entropy of probabilities against a target that sums to one, in nats. Its gradient by the logits is
/// the probabilities minus the target.
#[inline(always)]
pub fn cross_entropy(probabilities: &[f32], target: &[f32]) -> f32 {
    let term = |(&p, &t): (&f32, &f32)| if t > 0.0 { -t * p.max(1e-9).ln() } else { 0.0 };
    probabilities.iter().zip(target).map(term).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use fivestone_engine::Rng;

    fn numbers<const N: usize>(rng: &mut Rng) -> [f32; N] {
        std::array::from_fn(|_| rng.unit() as f32 * 2.0 - 1.0)
    }

    /// The slope of `f` along each number in turn.
    fn slopes<const N: usize>(at: &[f32; N], mut f: impl FnMut(&[f32; N]) -> f32) -> [f32; N] {
        const STEP: f32 = 1.0 / 64.0;
        std::array::from_fn(|i| {
            let (mut up, mut down) = (*at, *at);
            up[i] += STEP;
            down[i] -= STEP;
            (f(&up) - f(&down)) / (2.0 * STEP)
        })
    }

    fn assert_close(found: &[f32], expected: &[f32]) {
        for (found, expected) in found.iter().zip(expected) {
            assert!((found - expected).abs() < 2e-3, "{found} instead of {expected}");
        }
    }

    #[test]
    fn dense_gradients_are_the_slopes() {
        let mut rng = Rng::new(1);
        let (layer, input, weights): ([f32; 60], [f32; 5], [f32; 10]) =
            (numbers(&mut rng), numbers(&mut rng), numbers(&mut rng));
        let loss = |layer: &[f32; 60], input: &[f32; 5]| dot(&dense::<5, 10>(layer, input), &weights);
        let mut gradients = [0.0; 60];
        let input_gradient = dense_back::<5, 10>(&layer, &mut gradients, &input, &weights);
        assert_close(&gradients, &slopes(&layer, |layer| loss(layer, &input)));
        assert_close(&input_gradient, &slopes(&input, |input| loss(&layer, input)));
    }

    #[test]
    fn clipped_gradients_are_the_slopes() {
        let weights = [0.5, -0.25, 2.0, 1.0];
        let input = [-0.5, 0.25, 0.75, 1.5];
        let clipped = |input: &[f32; 4]| {
            let mut output = *input;
            clip(&mut output, 1.0);
            output
        };
        let mut gradient = weights;
        clip_back(&clipped(&input), 1.0, &mut gradient);
        assert_close(&gradient, &slopes(&input, |input| dot(&clipped(input), &weights)));
    }

    #[test]
    fn softmax_cross_entropy_gradients_are_the_slopes() {
        let mut rng = Rng::new(2);
        let logits: [f32; 6] = numbers(&mut rng);
        let target = [0.5, 0.0, 0.2, 0.3, 0.0, 0.0];
        let probabilities = |logits: &[f32; 6]| {
            let mut output = *logits;
            softmax(&mut output);
            output
        };
        let p = probabilities(&logits);
        let gradient: [f32; 6] = std::array::from_fn(|i| p[i] - target[i]);
        assert_close(&gradient, &slopes(&logits, |logits| cross_entropy(&probabilities(logits), &target)));
    }
}
