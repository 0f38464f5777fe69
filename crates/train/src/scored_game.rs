//! A game to learn from.

use fivestone_game::{Color, Point, Rule, Size};

/// A game with, where known, what a player thought of each position.
#[derive(Clone, PartialEq, Debug)]
pub struct ScoredGame {
    /// The rule played.
    pub rule: Rule,
    /// The board's size.
    pub size: Size,
    /// Who won; nobody in a draw.
    pub winner: Option<Color>,
    /// Moves that nobody chose: the opening.
    pub opening: Vec<Point>,
    /// Chosen moves, each with the win probability its player saw before playing it, if known.
    pub moves: Vec<(Point, Option<f64>)>,
}
