//! A move predictor: its shape and its weights.

use super::architecture::{PolicyArchitecture, TensorShape, Top};
use super::input::InputRows;
use fivestone_game::Size;

/// A finished net that predicts moves.
#[derive(Clone, PartialEq, Debug)]
pub struct PolicyNet {
    pub(super) architecture: PolicyArchitecture,
    pub(super) size: Size,
    pub(super) rows: Option<InputRows>,
    pub(super) tensors: Vec<Vec<f32>>,
    /// What it was trained on, for people.
    pub description: String,
}

/// Weights that do not make a net.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShapeError(pub(super) String);

impl std::fmt::Display for ShapeError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for ShapeError {}

impl PolicyNet {
    /// A net of weights in the order of [`PolicyArchitecture::tensors`], trained on boards of a size.
    pub fn new(
        architecture: PolicyArchitecture,
        size: Size,
        rows: Option<InputRows>,
        tensors: Vec<Vec<f32>>,
        description: String,
    ) -> Result<PolicyNet, ShapeError> {
        if architecture.has_batch_norm() {
            return Err(ShapeError(
                "batch norm must be worked into the weights of a finished net".to_owned(),
            ));
        }
        let has_tables = matches!(architecture.input, super::architecture::Input::Lines(_));
        if has_tables != rows.is_some() {
            return Err(ShapeError("input tables and input do not belong together".to_owned()));
        }
        let net = PolicyNet { architecture, size, rows, tensors, description };
        let shapes = net.shapes();
        if shapes.len() != net.tensors.len() {
            return Err(ShapeError(format!(
                "{} lists of weights instead of {}",
                net.tensors.len(),
                shapes.len()
            )));
        }
        for (shape, tensor) in shapes.iter().zip(&net.tensors) {
            if shape.count() != tensor.len() {
                return Err(ShapeError(format!(
                    "{} has {} numbers instead of {}",
                    shape.name,
                    tensor.len(),
                    shape.count()
                )));
            }
            if tensor.iter().any(|number| !number.is_finite()) {
                return Err(ShapeError(format!("{} has numbers that are none", shape.name)));
            }
        }
        Ok(net)
    }

    /// A net with the shape of the deep convolutional net (N = 4, F = 64) and arbitrary weights, to measure its speed with.
    pub fn deep_sample() -> PolicyNet {
        let architecture: PolicyArchitecture =
            "colours 5x64 3x64 3x64 3x64 3x64 point".parse().expect("a net's words");
        let size = Size::STANDARD;
        let mut state = 1_u32;
        let mut weight = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32 * 0.1 - 0.05
        };
        let tensors = architecture.tensors(size.cells(), 0);
        let tensors = tensors.iter().map(|shape| (0..shape.count()).map(|_| weight()).collect()).collect();
        PolicyNet::new(architecture, size, None, tensors, "arbitrary weights".to_owned())
            .expect("as many weights as the shape says")
    }

    /// Its shape.
    pub fn architecture(&self) -> &PolicyArchitecture {
        &self.architecture
    }

    /// The board it was trained on.
    pub fn size(&self) -> Size {
        self.size
    }

    /// The rows of its input tables, if it has such.
    pub fn rows(&self) -> Option<&InputRows> {
        self.rows.as_ref()
    }

    /// The names and sides of its weights.
    pub fn shapes(&self) -> Vec<TensorShape> {
        let rows = self.rows.as_ref().map_or(0, InputRows::count);
        self.architecture.tensors(self.size.cells(), rows)
    }

    /// Its weights, in the order of [`PolicyNet::shapes`].
    pub fn tensors(&self) -> &[Vec<f32>] {
        &self.tensors
    }

    /// The board whose cells it works on when asked about one of this size: its own if every cell has weights of its own.
    pub(super) fn frame_size(&self, size: Size) -> Size {
        match self.architecture.top {
            Top::Full => self.size,
            Top::Point => size,
        }
    }
}
