//! Games as trees of plain nodes.

#[cfg(test)]
use crate::records::Format;
#[cfg(test)]
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What to know about bytes that do not tell it themselves.
#[derive(Deserialize, Debug)]
pub struct Hints {
    /// The board of games that do not tell theirs.
    pub size: Option<usize>,
}

/// What was read.
#[derive(Serialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct Imported {
    /// The games.
    pub games: Vec<GameTree>,
    /// What could not be read, one line each.
    pub problems: Vec<String>,
}

/// A game as nodes, each after its parent.
#[derive(Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct GameTree {
    /// The rule, where it is told.
    #[serde(default)]
    pub rule: Option<String>,
    /// The board's side.
    pub size: usize,
    /// What is said of the whole game.
    #[serde(default)]
    pub comment: String,
    /// The players (`black`, `white`) and the `event`, where they are told.
    #[serde(default)]
    pub header: BTreeMap<String, String>,
    /// The moves of all variations.
    pub nodes: Vec<TreeNode>,
}

/// A move of a game.
#[derive(Serialize, Deserialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TreeNode {
    /// The parent's place: 0 is the start, 1 the first of the nodes.
    pub parent: usize,
    /// The move.
    pub r#move: String,
    /// What is said of it.
    #[serde(default)]
    pub comment: String,
}

/// A game to be written.
#[derive(Deserialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
pub struct ExportRequest {
    /// The format of the file.
    #[cfg_attr(test, schemars(extend("enum" = Format::ALL.map(Format::name))))]
    pub format: String,
    /// The game.
    #[serde(flatten)]
    pub game: GameTree,
}
