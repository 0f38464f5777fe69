//! Adam, for full layers and for tables of which a batch touches only some rows.

/// How much of the past the mean of the gradients keeps.
pub const MEAN: f32 = 0.9;

/// What Adam remembers of a list of numbers.
#[derive(Clone, PartialEq, Debug)]
pub struct Adam {
    /// Running means of the gradients.
    pub means: Vec<f32>,
    /// Running means of their squares.
    pub squares: Vec<f32>,
}

/// How a step is made.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step {
    /// The size of a step along a steady gradient.
    pub rate: f32,
    /// Pull towards zero.
    pub decay: f32,
    /// Gradients below this count for less: a row that few samples touch must not run as far as one that many do.
    pub calm: f32,
    /// How much of the past the mean of the squares keeps.
    pub square: f32,
}

impl Step {
    /// The same step with Adam's correction for averages that look back over `steps` only, this one included.
    pub fn corrected(self, steps: usize) -> Step {
        let steps = steps as i32;
        let spread = (1.0 - self.square.powi(steps)).sqrt();
        Step { rate: self.rate * spread / (1.0 - MEAN.powi(steps)), calm: self.calm * spread, ..self }
    }
}

impl Adam {
    /// No memory yet, for this many numbers.
    pub fn new(count: usize) -> Adam {
        Adam { means: vec![0.0; count], squares: vec![0.0; count] }
    }

    /// One step on the numbers from `start`, with their gradients, which are left zero.
    ///
    /// The short past of the averages is corrected by [`Step::corrected`] alone: a schedule that warms up does the same, and
    /// rows that are seldom touched have no common clock.
    #[inline(always)]
    pub fn step(&mut self, start: usize, numbers: &mut [f32], gradients: &mut [f32], by: Step) {
        let count = numbers.len();
        let means = &mut self.means[start..start + count];
        let squares = &mut self.squares[start..start + count];
        let gradients = &mut gradients[..count];
        for i in 0..count {
            let gradient = gradients[i];
            means[i] = MEAN * means[i] + (1.0 - MEAN) * gradient;
            squares[i] = by.square * squares[i] + (1.0 - by.square) * gradient * gradient;
            numbers[i] -= by.rate * (means[i] / (squares[i].sqrt() + by.calm) + by.decay * numbers[i]);
            gradients[i] = 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_lowest_point_of_a_bowl() {
        let mut adam = Adam::new(2);
        let mut numbers = [3.0, -2.0];
        for step in 0..2000 {
            let mut gradients = [2.0 * (numbers[0] - 1.0), 20.0 * (numbers[1] - 0.5)];
            let by = Step { rate: 0.05 * (1.0 - step as f32 / 2000.0), decay: 0.0, calm: 1e-8, square: 0.99 };
            adam.step(0, &mut numbers, &mut gradients, by);
            assert_eq!(gradients, [0.0; 2]);
        }
        assert!((numbers[0] - 1.0).abs() < 0.01 && (numbers[1] - 0.5).abs() < 0.01, "{numbers:?}");
    }
    #[test]
    fn the_first_corrected_step_is_of_full_size() {
        let mut adam = Adam::new(1);
        let mut numbers = [0.0];
        let by = Step { rate: 0.1, decay: 0.0, calm: 1e-8, square: 0.999 };
        adam.step(0, &mut numbers, &mut [0.003], by.corrected(1));
        assert!((numbers[0] + 0.1).abs() < 1e-4, "{numbers:?}");
    }
}
