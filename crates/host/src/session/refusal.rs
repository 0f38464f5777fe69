//! Why a command is refused.

use fivestone_formats::gomocup::{Coordinates, Problem};
use fivestone_game::opening::OpeningError;
use fivestone_game::{Color, GameEnd, IllegalMove, Point, Size};
use std::fmt;

/// Why a command is refused, in the words that the manager gets.
#[derive(Clone, PartialEq, Debug)]
pub enum Refusal {
    Malformed(Problem),
    NoGame,
    NotSquare,
    BadSize,
    OffBoard(Coordinates, Size),
    TwoStones(Point, Size),
    OutOfPlay,
    NoStone,
    Illegal(IllegalMove),
    Over(GameEnd),
    /// A set-up position in which a side has won already.
    HasFive(Color),
    Full,
    TooFullToBalance,
    Swap2Stones(usize),
    Opening(OpeningError),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::Malformed(problem) => problem.fmt(f),
            Refusal::NoGame => f.write_str("no game has been started (START 15)"),
            Refusal::NotSquare => f.write_str("only square boards are supported"),
            Refusal::BadSize => {
                write!(f, "boards of {} to {} points a side are supported", Size::MIN, Size::MAX)
            }
            Refusal::OffBoard(at, size) => write!(f, "{at} is off the {size}x{size} board"),
            Refusal::TwoStones(point, size) => write!(f, "two stones on {}", point.name(*size)),
            Refusal::OutOfPlay => f.write_str("the point is out of play"),
            Refusal::NoStone => f.write_str("no stone stands there"),
            Refusal::Illegal(why) => why.fmt(f),
            Refusal::Over(end) => write!(f, "the game is over: {end}"),
            Refusal::HasFive(color) => write!(f, "the game is over: {color} has five in a row"),
            Refusal::Full => f.write_str("the board is full"),
            Refusal::TooFullToBalance => f.write_str("the board is too full to balance"),
            Refusal::Swap2Stones(stones) => {
                write!(f, "this step of swap2 needs {stones} stones on the board")
            }
            Refusal::Opening(why) => why.fmt(f),
        }
    }
}

impl std::error::Error for Refusal {}
