//! Finished games and the files they are written to.

mod exchange;
mod files;
mod movelog;
mod pgn;

pub use exchange::{record_of, write_psq, write_sgf};
pub use files::{Outputs, RecordFiles};
pub use movelog::write_moves;
pub use pgn::write_pgn;

use crate::game::Ending;
use crate::player::Answer;
use crate::stats::Score;
use fivestone_game::notation::{format_moves, parse_moves};
use fivestone_game::{Color, Point, Rule, Size};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// One move of a recorded game.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct MoveRecord {
    /// The move.
    pub point: Point,
    /// Whether it belongs to the given opening.
    pub opening: bool,
    /// Wall-clock time in milliseconds.
    pub milliseconds: f64,
    /// Win probability for the mover, if told.
    pub winrate: Option<f64>,
    /// Visits, iterations or nodes, if told.
    pub visits: Option<u64>,
    /// Depth in plies, if told.
    pub depth: Option<u32>,
}

impl MoveRecord {
    /// A move of a given opening.
    pub fn of_opening(point: Point) -> MoveRecord {
        MoveRecord { point, opening: true, milliseconds: 0.0, winrate: None, visits: None, depth: None }
    }

    /// A move that a player answered.
    pub fn of_answer(answer: &Answer) -> MoveRecord {
        MoveRecord {
            point: answer.point,
            opening: false,
            milliseconds: answer.elapsed.as_micros() as f64 / 1e3,
            winrate: answer.winrate.map(|p| (p * 1e4).round() / 1e4),
            visits: answer.visits,
            depth: answer.depth,
        }
    }
}

/// A finished game of a match.
#[derive(Clone, PartialEq, Debug)]
pub struct GameRecord {
    /// The number of the game in the schedule, from 0.
    pub id: u64,
    /// The round it belongs to, from 0.
    pub round: usize,
    /// Which pair of games it belongs to.
    pub pair: Option<u64>,
    /// The two engines as indices, the one that had the first move at the table first.
    pub engines: [usize; 2],
    /// Their names.
    pub names: [String; 2],
    /// Which of the two was Black.
    pub black: usize,
    /// The rule of play.
    pub rule: Rule,
    /// The board's size.
    pub size: Size,
    /// Every move, the opening's first.
    pub moves: Vec<MoveRecord>,
    /// The result of the first of the two.
    pub score: Score,
    /// Why it ended.
    pub ending: Ending,
    /// Seconds since 1970 when it ended.
    pub ended: u64,
}

impl GameRecord {
    /// The name of the player of a colour.
    pub fn name_of(&self, color: Color) -> &str {
        let side = if color == Color::Black { self.black } else { 1 - self.black };
        &self.names[side]
    }

    /// Black's result.
    pub fn black_score(&self) -> Score {
        if self.black == 0 { self.score } else { self.score.reversed() }
    }

    /// The winner's colour.
    pub fn winner(&self) -> Option<Color> {
        match self.black_score() {
            Score::Win => Some(Color::Black),
            Score::Loss => Some(Color::White),
            Score::Draw => None,
        }
    }

    /// The result as `1-0` (Black won), `0-1` or `1/2-1/2`.
    pub fn result(&self) -> &'static str {
        match self.black_score() {
            Score::Win => "1-0",
            Score::Loss => "0-1",
            Score::Draw => "1/2-1/2",
        }
    }
}

/// A game as it stands in the journal: columns instead of one object per move.
#[derive(Serialize, Deserialize)]
struct Stored {
    id: u64,
    round: usize,
    pair: Option<u64>,
    engines: [usize; 2],
    names: [String; 2],
    black: usize,
    rule: Rule,
    size: Size,
    moves: String,
    opening: usize,
    milliseconds: Vec<f64>,
    winrates: Vec<Option<f64>>,
    visits: Vec<Option<u64>>,
    depths: Vec<Option<u32>>,
    score: Score,
    ending: Ending,
    ended: u64,
}

impl Serialize for GameRecord {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Stored {
            id: self.id,
            round: self.round,
            pair: self.pair,
            engines: self.engines,
            names: self.names.clone(),
            black: self.black,
            rule: self.rule,
            size: self.size,
            moves: format_moves(self.moves.iter().map(|m| m.point), self.size),
            opening: self.moves.iter().take_while(|m| m.opening).count(),
            milliseconds: self.moves.iter().map(|m| m.milliseconds).collect(),
            winrates: self.moves.iter().map(|m| m.winrate).collect(),
            visits: self.moves.iter().map(|m| m.visits).collect(),
            depths: self.moves.iter().map(|m| m.depth).collect(),
            score: self.score,
            ending: self.ending.clone(),
            ended: self.ended,
        }
        .serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for GameRecord {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<GameRecord, D::Error> {
        let stored = Stored::deserialize(deserializer)?;
        let size = stored.size;
        let points = parse_moves(&stored.moves, size).map_err(D::Error::custom)?;
        let columns =
            [stored.milliseconds.len(), stored.winrates.len(), stored.visits.len(), stored.depths.len()];
        if columns.iter().any(|&len| len != points.len()) || stored.black > 1 {
            return Err(D::Error::custom("the columns of the game do not fit together"));
        }
        let moves = points.into_iter().enumerate().map(|(ply, point)| MoveRecord {
            point,
            opening: ply < stored.opening,
            milliseconds: stored.milliseconds[ply],
            winrate: stored.winrates[ply],
            visits: stored.visits[ply],
            depth: stored.depths[ply],
        });
        Ok(GameRecord {
            id: stored.id,
            round: stored.round,
            pair: stored.pair,
            engines: stored.engines,
            black: stored.black,
            rule: stored.rule,
            size,
            moves: moves.collect(),
            names: stored.names,
            score: stored.score,
            ending: stored.ending,
            ended: stored.ended,
        })
    }
}
