//! What is asked for.

#[cfg(test)]
use super::word::words;
#[cfg(test)]
use fivestone_game::{Opening, Rule, Size};
#[cfg(test)]
use schemars::JsonSchema;
use serde::Deserialize;
use std::collections::BTreeMap;

/// What a page asks for on the live stream. Answers carry the number of their request.
#[derive(Deserialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(tag = "do", rename_all = "camelCase")]
pub enum Request {
    /// Analyse a position until told to stop.
    Analyse(AnalyseRequest<u64>),
    /// Let a player decide what the game asks for.
    Act(ActRequest<u64>),
    /// Let a player think while the other side does. Nothing is answered until it ends.
    Ponder(ActRequest<u64>),
    /// Judge every move of a game.
    Review(ReviewRequest<u64>),
    /// Look for a forced win of the side to move.
    Solve(SolveRequest<u64>),
    /// End what was asked for under a number.
    Stop(StopRequest),
}

impl Request {
    /// The number that answers carry.
    pub const fn id(&self) -> u64 {
        match self {
            Request::Analyse(request) => request.id,
            Request::Act(request) | Request::Ponder(request) => request.id,
            Request::Review(request) => request.id,
            Request::Solve(request) => request.id,
            Request::Stop(request) => request.id,
        }
    }
}

/// Candidates for a position. The number is a `u64` on the stream and may be left out elsewhere, as
/// in all searches.
#[derive(Deserialize, Debug)]
#[cfg_attr(test, derive(JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct AnalyseRequest<Id> {
    /// The number that answers carry.
    pub id: Id,
    /// The position.
    pub game: GameSpec,
    /// The engine that judges.
    #[serde(default)]
    pub engine: Option<String>,
    /// How many candidates; 8 unless told.
    #[serde(default)]
    pub lines: Option<usize>,
    /// The most time in milliseconds.
    #[serde(default)]
    pub time_ms: Option<u64>,
    /// The most visits.
    #[serde(default)]
    pub visits: Option<u64>,
}

/// A decision of a player.
#[derive(Deserialize, Debug)]
#[cfg_attr(test, derive(JsonSchema), schemars(inline))]
#[serde(deny_unknown_fields)]
pub struct ActRequest<Id> {
    /// The number that the answer carries.
    pub id: Id,
    /// The game; for pondering, the other side is to move.
    pub game: GameSpec,
    /// Who decides.
    pub player: PlayerSpec,
}

/// A judgement of every move of a game.
#[derive(Deserialize, Debug)]
#[cfg_attr(test, derive(JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct ReviewRequest<Id> {
    /// The number that answers carry.
    pub id: Id,
    /// The game.
    pub game: GameSpec,
    /// The engine that judges.
    #[serde(default)]
    pub engine: Option<String>,
    /// Time for each position in milliseconds; 400 unless told.
    #[serde(default)]
    pub time_ms: Option<u64>,
}

/// A forced win of the side to move.
#[derive(Deserialize, Debug)]
#[cfg_attr(test, derive(JsonSchema), schemars(inline))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct SolveRequest<Id> {
    /// The number that the answer carries.
    pub id: Id,
    /// The position.
    pub game: GameSpec,
    /// The most time in milliseconds; 2000 unless told.
    #[serde(default)]
    pub time_ms: Option<u64>,
}

/// The end of a search.
#[derive(Deserialize, Debug)]
#[cfg_attr(test, derive(JsonSchema), schemars(inline))]
#[serde(deny_unknown_fields)]
pub struct StopRequest {
    /// The number of what is to end.
    pub id: u64,
}

/// A position, with what the patterns say about it when asked.
#[derive(Deserialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct PositionRequest {
    /// The game.
    pub game: GameSpec,
    /// Whether the patterns of the empty points are wanted.
    #[serde(default)]
    pub layers: bool,
}

/// What an engine of the papers sees in a position.
#[derive(Deserialize, Debug)]
#[cfg_attr(test, derive(JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ExplainRequest {
    /// The game.
    pub game: GameSpec,
    /// One of `explained` in the catalogue.
    pub engine: String,
}

/// A game in a request.
#[derive(Clone, Deserialize, Debug)]
#[cfg_attr(test, derive(JsonSchema), schemars(rename = "Game"))]
#[serde(deny_unknown_fields)]
pub struct GameSpec {
    /// The rule of play by name.
    #[cfg_attr(test, schemars(extend("enum" = words::<Rule>())))]
    #[serde(default = "freestyle")]
    pub rule: String,
    /// The board's side.
    #[cfg_attr(test, schemars(range(min = Size::MIN.side(), max = Size::MAX.side())))]
    #[serde(default = "fifteen")]
    pub size: usize,
    /// How the game begins; free unless told.
    #[cfg_attr(test, schemars(extend("enum" = opening_words())))]
    #[serde(default)]
    pub opening: Option<String>,
    /// What was decided in the opening, one word each: a point, `black`, `white`, `add`, or a
    /// number of fifth moves.
    #[serde(default)]
    pub steps: Vec<String>,
    /// The moves after the opening as `h8h9i10`.
    #[serde(default)]
    pub moves: String,
}

/// The openings, or none.
#[cfg(test)]
fn opening_words() -> Vec<Option<&'static str>> {
    words::<Opening>().into_iter().map(Some).chain([None]).collect()
}

fn freestyle() -> String {
    "freestyle".to_owned()
}

const fn fifteen() -> usize {
    15
}

/// A player in a request: a level, an engine or a program that was named when the server was
/// started; the strongest engine when none is told.
#[derive(Clone, Deserialize, Debug, Default)]
#[cfg_attr(test, derive(JsonSchema), schemars(rename = "Player"))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct PlayerSpec {
    /// A level from 1.
    #[serde(default)]
    pub level: Option<usize>,
    /// An engine by name.
    #[serde(default)]
    pub engine: Option<String>,
    /// A program that was named when the server was started.
    #[serde(default)]
    pub external: Option<String>,
    /// Time for the move in milliseconds.
    #[serde(default)]
    pub time_ms: Option<u64>,
    /// Time left for the game in milliseconds.
    #[serde(default)]
    pub left_ms: Option<u64>,
    /// The most visits.
    #[serde(default)]
    pub visits: Option<u64>,
    /// Parameters of the engine.
    #[serde(default)]
    pub settings: BTreeMap<String, String>,
    /// Seed of the random numbers; different each time unless given.
    #[serde(default)]
    pub seed: Option<u64>,
}
