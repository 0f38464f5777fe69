//! What a search says.

use fivestone_game::Point;
use std::time::Duration;

/// A result that is certain, with the number of plies to the end of the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Proof {
    /// The side to move wins in this many plies.
    Win(u16),
    /// The side to move loses in this many plies.
    Loss(u16),
    /// Nobody can win any more.
    Draw,
}

impl Proof {
    /// The same result seen one ply earlier by the other side.
    pub fn one_ply_earlier(self) -> Proof {
        match self {
            Proof::Win(plies) => Proof::Loss(plies + 1),
            Proof::Loss(plies) => Proof::Win(plies + 1),
            Proof::Draw => Proof::Draw,
        }
    }
}

/// A candidate move and what the search thinks of it.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// The move.
    pub point: Point,
    /// Win probability in [0, 1] for the side to move at the root; a draw counts half.
    pub winrate: f64,
    /// Visits, iterations or nodes spent on it.
    pub visits: u64,
    /// What the engine expects, beginning with the move.
    pub pv: Vec<Point>,
    /// The certain result for the side to move at the root, if known.
    pub proof: Option<Proof>,
    /// The prior probability of the move, where the engine has one.
    pub prior: Option<f64>,
}

/// The state of a search or its result. The first line is the choice.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// Candidates, best first; never empty.
    pub lines: Vec<Line>,
    /// Visits, iterations or nodes in all.
    pub visits: u64,
    /// Plies searched: the depth of a deepening search, the longest line of a tree.
    pub depth: u32,
    /// Time since the start.
    pub elapsed: Duration,
}

impl Report {
    /// The chosen move.
    pub fn best(&self) -> Point {
        self.lines[0].point
    }

    /// Win probability of the choice for the side to move.
    pub fn winrate(&self) -> f64 {
        self.lines[0].winrate
    }

    /// A report of one move with nothing known about it.
    pub fn of_move(point: Point) -> Report {
        let line = Line { point, winrate: 0.5, visits: 0, pv: vec![point], proof: None, prior: None };
        Report { lines: vec![line], visits: 0, depth: 0, elapsed: Duration::ZERO }
    }
}

/// What a running search tells whoever listens.
#[derive(Clone, PartialEq, Debug)]
pub enum Event {
    /// The state so far; sent some ten times a second.
    Report(Report),
}
