//! A game as a request tells it: rule, size, what was decided in the opening, and the moves.

use crate::fault::Fault;
use crate::wire::GameSpec;
use fivestone_game::opening::{Decision, OpeningState};
use fivestone_game::{Board, Color, Opening, Point, Rule, Size, notation};
use fivestone_host::views::color_word;

/// A game that was checked.
#[derive(Clone, Debug)]
pub struct Game {
    /// The opening and how far it is.
    pub opening: OpeningState,
    /// The position.
    pub board: Board,
}

impl GameSpec {
    /// Checks and replays the game.
    pub fn replay(&self) -> Result<Game, Fault> {
        let rule: Rule = self.rule.parse().map_err(bad)?;
        let size = Size::new(self.size)
            .ok_or_else(|| Fault::bad(format!("a board has {} to {} points a side", Size::MIN, Size::MAX)))?;
        let opening = self.opening.as_deref().map_or(Ok(Opening::Free), str::parse).map_err(bad)?;
        let mut state = OpeningState::new(opening, size, rule);
        if self.steps.len() > size.cells() {
            return Err(Fault::bad("more decisions than an opening can have"));
        }
        for (index, word) in self.steps.iter().enumerate() {
            let decision = read_decision(word, size)?;
            let decided = state.decide(decision);
            decided
                .map_err(|error| Fault::bad(format!("decision {} ({}): {error}", index + 1, shown(word))))?;
        }
        let moves = notation::parse_moves(&self.moves, size).map_err(bad)?;
        if !moves.is_empty() && !state.is_over() {
            return Err(Fault::bad(format!("the opening is not over: {}", state.task())));
        }
        let mut board = state.board().clone();
        for (index, &point) in moves.iter().enumerate() {
            let played = board.play(point);
            played
                .map_err(|error| Fault::bad(format!("move {} ({}): {error}", index + 1, point.name(size))))?;
        }
        Ok(Game { opening: state, board })
    }

    /// The position, which must not be over.
    pub fn open_position(&self) -> Result<Game, Fault> {
        let game = self.replay()?;
        match game.board.end() {
            Some(end) => Err(Fault::bad(format!("the game is over: {end}"))),
            None => Ok(game),
        }
    }
}

/// Reads a decision of an opening.
pub fn read_decision(word: &str, size: Size) -> Result<Decision, Fault> {
    Ok(match word {
        "black" => Decision::Take(Color::Black),
        "white" => Decision::Take(Color::White),
        "add" => Decision::AddTwo,
        _ if !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()) => {
            Decision::Declare(word.parse().map_err(|_| Fault::bad("too large a number of fifth moves"))?)
        }
        _ => Decision::Place(Point::parse(word, size).map_err(bad)?),
    })
}

/// A decision as a word of a request.
pub fn decision_word(decision: Decision, size: Size) -> String {
    match decision {
        Decision::Place(point) => point.name(size),
        Decision::Take(color) => color_word(color).to_owned(),
        Decision::AddTwo => "add".to_owned(),
        Decision::Declare(count) => count.to_string(),
    }
}

#[allow(clippy::needless_pass_by_value, reason = "errors are mapped by value")]
fn bad<E: ToString>(error: E) -> Fault {
    Fault::bad(error.to_string())
}

/// The beginning of a word for a message.
fn shown(word: &str) -> String {
    word.chars().take(12).filter(|c| !c.is_control()).collect()
}
