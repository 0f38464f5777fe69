//! Proofs of forced wins as files: the attacker's whole strategy, with every defence answered.
//!
//! [`read`] and [`write()`] are the text format (`docs/solver.md` describes it), [`check`] replays
//! a proof against every reply there is, [`variations`] turns it into a game tree for SGF. Nothing
//! in here knows the solver: a proof is judged by the rules alone.

mod check;
mod error;
mod graph;
mod read;
mod variations;
mod write;

pub use check::{Checked, Failure, check};
pub use error::{ProofError, Unplayable};
pub use read::read;
pub use variations::variations;
pub use write::write;

use fivestone_game::{Board, Color, Direction, Point, Rule, Size};

/// The version of the text format that is written and read.
pub const VERSION: u32 = 1;

/// A position and how its side to move wins.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProofFile {
    /// The rule of play.
    pub rule: Rule,
    /// The board.
    pub size: Size,
    /// Black's stones.
    pub black: Vec<Point>,
    /// White's stones.
    pub white: Vec<Point>,
    /// Who is to move, and wins.
    pub to_move: Color,
    /// The most plies to the win, as the writer counted them.
    pub plies: usize,
    /// The nodes; the first is what is played in the position.
    pub nodes: Vec<Node>,
}

/// A move of the attacker and what follows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Node {
    /// The node's number in the file.
    pub id: u32,
    /// The attacker's move.
    pub point: Point,
    /// What follows it.
    pub after: After,
}

/// What follows a move of the attacker. Nodes are named by their place in [`ProofFile::nodes`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum After {
    /// Nothing: the move wins.
    Five,
    /// The defender replies.
    Replies {
        /// Replies with an answer of their own.
        listed: Vec<(Point, usize)>,
        /// Replies on points that are forbidden to Black, which lose.
        forbidden: Vec<Point>,
        /// The answer to every other reply, if there is one.
        otherwise: Option<usize>,
    },
}

impl ProofFile {
    /// The position.
    pub fn board(&self) -> Result<Board, Unplayable> {
        let board = Board::from_stones(self.size, self.rule, &self.black, &self.white, self.to_move)
            .map_err(Unplayable::Stones)?;
        if let Some(color) = Color::BOTH.into_iter().find(|&color| has_won(&board, color)) {
            return Err(Unplayable::Won(color));
        }
        if board.end().is_some() { Err(Unplayable::Full) } else { Ok(board) }
    }

    /// What the file's position has that another has not, in a few words; nothing if they are the
    /// same.
    pub fn difference(&self, board: &Board) -> Option<String> {
        if self.rule != board.rule() {
            return Some(format!("its rule is {}, not {}", self.rule, board.rule()));
        }
        if self.size != board.size() {
            return Some(format!("its board is {0}x{0}, not {1}x{1}", self.size, board.size()));
        }
        for (color, stones) in [(Color::Black, &self.black), (Color::White, &self.white)] {
            let other = board.stones(color);
            if let Some(extra) = stones.iter().find(|&&stone| !other.contains(stone)) {
                return Some(format!("it has a stone of {color} on {}", extra.name(self.size)));
            }
            if let Some(missing) = other.iter().find(|stone| !stones.contains(stone)) {
                return Some(format!("it has no stone of {color} on {}", missing.name(self.size)));
            }
        }
        (self.to_move != board.to_move())
            .then(|| format!("it is {}'s turn, not {}'s", self.to_move, board.to_move()))
    }
}

/// Whether a winning row of this colour stands on the board.
fn has_won(board: &Board, color: Color) -> bool {
    let size = board.size();
    board.stones(color).iter().any(|stone| {
        Direction::ALL.into_iter().any(|direction| {
            let (dx, dy) = direction.delta();
            let run_from = |sign: isize| {
                let mut at = stone;
                let mut stones = 0;
                loop {
                    match at.offset(sign * dx, sign * dy, size) {
                        Some(next) if board.stone(next) == Some(color) => (at, stones) = (next, stones + 1),
                        next => return (stones, next.and_then(|end| board.stone(end)) == Some(!color)),
                    }
                }
            };
            let ((after, blocked_after), (before, blocked_before)) = (run_from(1), run_from(-1));
            board.rule().winning(color).wins(1 + after + before, blocked_after && blocked_before)
        })
    })
}
