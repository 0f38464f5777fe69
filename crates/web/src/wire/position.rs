//! What can be said of a position at once.

use super::word::Word;
use fivestone_game::opening::Player;
use fivestone_game::{Class, Color, Forbidden, Pattern};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Serialize;

/// A position explained.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Position {
    /// All stones in their order.
    pub moves: Vec<String>,
    /// Whose stone comes next.
    pub to_move: Word<Color>,
    /// Which player decides.
    pub turn: Word<Player>,
    /// What the first and the second player have, where it is decided.
    pub colors: [Option<Word<Color>>; 2],
    /// What is asked.
    pub task: TaskView,
    /// How the game ended.
    pub end: Option<End>,
    /// What the opening is called.
    pub named: Option<NamedOpening>,
    /// The points that are forbidden to Black.
    pub forbidden: Vec<ForbiddenPoint>,
    /// What the patterns say, where it was asked for and the game is not over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub layers: Option<Layers>,
}

/// What the game asks of the player whose turn it is.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema), schemars(rename = "Task"))]
#[serde(rename_all = "camelCase", tag = "kind")]
pub enum TaskView {
    /// A stone of the opening.
    Place {
        /// Its color.
        color: Word<Color>,
        /// Where it may stand.
        allowed: Vec<String>,
    },
    /// Black or white.
    ChooseColor,
    /// Black, white or two more stones.
    Swap2,
    /// A number of fifth moves.
    Declare {
        /// The most.
        most: usize,
    },
    /// A fifth move to choose from.
    Offer {
        /// How many are still to be offered.
        remaining: usize,
        /// Which may be offered.
        allowed: Vec<String>,
        /// Which were.
        offers: Vec<String>,
    },
    /// One of the fifth moves.
    Pick {
        /// Which were offered.
        offers: Vec<String>,
    },
    /// A move; the opening is over.
    Play,
}

/// An opening of renju by its name.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct NamedOpening {
    /// Its number in the lists, such as `D4`.
    pub number: &'static str,
    /// Its name.
    pub name: &'static str,
}

/// How a game ended.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct End {
    /// In which way.
    pub kind: EndKind,
    /// Who won.
    pub winner: Option<Word<Color>>,
    /// Why the last move was forbidden.
    pub why: Option<Word<Forbidden>>,
    /// The winning row.
    pub row: Vec<String>,
}

/// In which way a game ended.
#[derive(Serialize, Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(test, derive(JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase")]
pub enum EndKind {
    /// By a row of five.
    Five,
    /// By a forbidden move.
    Forbidden,
    /// The board is full.
    Draw,
}

/// A forbidden point.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct ForbiddenPoint {
    /// The point.
    pub point: String,
    /// What a stone would make.
    pub why: Word<Forbidden>,
}

/// What the line patterns say about the empty points near the stones.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Layers {
    /// Win probability of the side to move by the patterns alone.
    pub judged: f64,
    /// The points.
    pub cells: Vec<Cell>,
}

/// What the patterns say about one point.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Cell {
    /// The point.
    pub point: String,
    /// Probability that the side to move plays here, by the patterns.
    pub policy: f64,
    /// What the point adds to the value of the position for the side to move, in natural-logarithm
    /// units of the odds.
    pub value: f64,
    /// What a black stone would make.
    pub black: Shape,
    /// What a white stone would make.
    pub white: Shape,
}

/// What a stone would make.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Shape {
    /// All lines together.
    pub class: Word<Class>,
    /// Across, down, falling, rising.
    pub lines: [Word<Pattern>; 4],
}
