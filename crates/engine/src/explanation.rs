//! Why an engine plays what it plays: its tables as data.

use fivestone_game::{Board, Point};

/// A number for every point that has one.
#[derive(Clone, PartialEq, Debug)]
pub struct Layer {
    /// Its name.
    pub name: String,
    /// What the numbers mean.
    pub meaning: &'static str,
    /// The numbers.
    pub values: Vec<(Point, f64)>,
}

/// How often each side has something.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tally {
    /// What is counted.
    pub name: String,
    /// Black's and White's.
    pub counts: [usize; 2],
}

/// What an engine sees in a position.
#[derive(Clone, PartialEq, Debug)]
pub struct Explanation {
    /// Numbers on the board.
    pub layers: Vec<Layer>,
    /// Counts of the whole board.
    pub tallies: Vec<Tally>,
}

/// A layer with a number for each empty point.
pub(crate) fn layer(
    board: &Board,
    name: impl Into<String>,
    meaning: &'static str,
    value: impl Fn(Point) -> f64,
) -> Layer {
    let values = board.empty().iter().map(|point| (point, value(point))).collect();
    Layer { name: name.into(), meaning, values }
}
