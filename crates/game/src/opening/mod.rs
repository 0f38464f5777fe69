//! Openings: how the two players come to a fair first position.
//!
//! [`OpeningState`] is a pure state machine. It says as data who decides what next ([`Task`]), checks every
//! [`Decision`], and ends by handing over a normal game. A person, an engine or a protocol can drive it.

mod names;
mod state;

pub use names::Named;
pub use state::OpeningState;

use crate::{Color, Point, PointSet, Size};
use std::fmt;
use std::ops::Not;
use std::str::FromStr;

/// How a game begins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Opening {
    /// Any first move; the first player is Black.
    Free,
    /// The first stone in the centre, the third outside the central 5x5 square.
    Pro,
    /// The first stone in the centre, the third outside the central 7x7 square.
    LongPro,
    /// The first player puts three stones anywhere, the second picks a side.
    Swap,
    /// As swap, but the second player may instead add a white and a black stone and let the first pick a side.
    Swap2,
    /// Renju's Soosõrv-8: one of the 26 openings, a swap, the fourth move with the number of fifth moves to be
    /// offered, a swap, the offers, and White's choice among them.
    Soosorv8,
}

impl Opening {
    /// Every opening.
    pub const ALL: [Opening; 6] =
        [Opening::Free, Opening::Pro, Opening::LongPro, Opening::Swap, Opening::Swap2, Opening::Soosorv8];

    /// The most fifth moves that may be declared in Soosõrv-8.
    pub const MOST_FIFTHS: usize = 8;

    /// The word for the opening in arguments and files.
    pub const fn name(self) -> &'static str {
        match self {
            Opening::Free => "free",
            Opening::Pro => "pro",
            Opening::LongPro => "long-pro",
            Opening::Swap => "swap",
            Opening::Swap2 => "swap2",
            Opening::Soosorv8 => "soosorv-8",
        }
    }

    /// One line for a list.
    pub const fn description(self) -> &'static str {
        match self {
            Opening::Free => "no restriction; the first player is Black",
            Opening::Pro => "first stone in the centre, third outside the central 5x5",
            Opening::LongPro => "first stone in the centre, third outside the central 7x7",
            Opening::Swap => "the first player puts three stones, the second picks a side",
            Opening::Swap2 => {
                "the first player puts three stones, the second picks a side or adds two stones and lets the first pick"
            }
            Opening::Soosorv8 => {
                "renju: one of the 26 openings, swap, fourth move and 1 to 8 fifth moves declared, swap, White picks"
            }
        }
    }
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that names no opening.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownOpening(pub String);

impl fmt::Display for UnknownOpening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Opening::ALL.map(Opening::name).join(", ");
        write!(f, "unknown opening \"{}\" (one of: {names})", self.0)
    }
}

impl std::error::Error for UnknownOpening {}

impl FromStr for Opening {
    type Err = UnknownOpening;

    fn from_str(word: &str) -> Result<Opening, UnknownOpening> {
        let lower = word.to_ascii_lowercase();
        Opening::ALL
            .into_iter()
            .find(|opening| opening.name() == lower)
            .ok_or_else(|| UnknownOpening(word.to_owned()))
    }
}

/// One of the two people or programs at the board, whatever colour they come to have.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Player {
    /// Puts the first stone.
    First,
    /// The other.
    Second,
}

impl Player {
    /// Both players, the first one first.
    pub const BOTH: [Player; 2] = [Player::First, Player::Second];

    /// 0 for the first, 1 for the second.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Player {
    type Output = Player;

    fn not(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Player::First => "the first player",
            Player::Second => "the second player",
        })
    }
}

/// What is to be decided next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// Put a stone of this colour on one of these points: [`Decision::Place`].
    PlaceStone {
        /// The stone's colour, which need not be the player's own.
        color: Color,
        /// Where it may go.
        allowed: PointSet,
    },
    /// Pick a side: [`Decision::Take`].
    ChooseColor,
    /// Pick a side or add two stones: [`Decision::Take`] or [`Decision::AddTwo`].
    Swap2Choice,
    /// Say how many fifth moves are to be offered, from 1 to `most`: [`Decision::Declare`].
    DeclareFifths {
        /// The largest number.
        most: usize,
    },
    /// Offer one more fifth move: [`Decision::Place`].
    OfferFifth {
        /// How many are still to be offered, this one included.
        remaining: usize,
        /// The empty points that are not mirror images of an earlier offer.
        allowed: PointSet,
    },
    /// Pick one of the offered fifth moves: [`Decision::Place`].
    PickFifth {
        /// The offers.
        offers: PointSet,
    },
    /// The opening is over: play a normal game.
    Play,
}

impl Task {
    /// The points the task can be answered with; none where it does not ask for a point.
    pub fn points(&self) -> PointSet {
        match *self {
            Task::PlaceStone { allowed, .. } | Task::OfferFifth { allowed, .. } => allowed,
            Task::PickFifth { offers } => offers,
            Task::ChooseColor | Task::Swap2Choice | Task::DeclareFifths { .. } | Task::Play => {
                PointSet::EMPTY
            }
        }
    }
}

impl fmt::Display for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Task::PlaceStone { color: Color::Black, .. } => f.write_str("put a black stone"),
            Task::PlaceStone { color: Color::White, .. } => f.write_str("put a white stone"),
            Task::ChooseColor => f.write_str("choose black or white"),
            Task::Swap2Choice => f.write_str("choose black, white, or to add two stones"),
            Task::DeclareFifths { most } => {
                write!(f, "declare how many fifth moves are offered (1 to {most})")
            }
            Task::OfferFifth { remaining, .. } => write!(f, "offer a fifth move ({remaining} to go)"),
            Task::PickFifth { .. } => f.write_str("pick one of the offered fifth moves"),
            Task::Play => f.write_str("play: the opening is over"),
        }
    }
}

/// An answer to a [`Task`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Decision {
    /// A point: for a stone, an offered fifth move, or the picked one.
    Place(Point),
    /// Play this colour.
    Take(Color),
    /// Add a white and a black stone; the other player then picks a side.
    AddTwo,
    /// So many fifth moves will be offered.
    Declare(usize),
}

/// Why a decision is refused. The state is then unchanged.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OpeningError {
    /// Something else is to be decided now.
    NotAsked {
        /// The task at hand, in words.
        task: String,
    },
    /// The point is not on the board.
    OffBoard {
        /// The board's size.
        size: Size,
    },
    /// A stone stands there.
    Occupied {
        /// The point's name.
        point: String,
    },
    /// The opening does not allow this point now.
    NotAllowed {
        /// The point's name.
        point: String,
        /// Where the stone has to go.
        wanted: &'static str,
    },
    /// The number of fifth moves is out of range.
    BadCount {
        /// The number declared.
        count: usize,
        /// The largest number.
        most: usize,
    },
    /// A position of this many stones is none that the opening asks about.
    BadStoneCount {
        /// How many stones there are.
        count: usize,
    },
}

impl fmt::Display for OpeningError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpeningError::NotAsked { task } => write!(f, "that is not asked for now; {task}"),
            OpeningError::OffBoard { size } => write!(f, "the point is off the {size}x{size} board"),
            OpeningError::Occupied { point } => write!(f, "{point} is occupied"),
            OpeningError::NotAllowed { point, wanted } => write!(f, "{point} is not allowed here: {wanted}"),
            OpeningError::BadCount { count, most } => {
                write!(f, "{count} fifth moves cannot be declared (1 to {most})")
            }
            OpeningError::BadStoneCount { count } => {
                write!(f, "swap2 has no decision with {count} stones on the board (0, 3 or 5)")
            }
        }
    }
}

impl std::error::Error for OpeningError {}
