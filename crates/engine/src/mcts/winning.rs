//! Playing a proven win to its end, so that the way to go never gets longer.

use crate::solver::ProofTree;
use fivestone_game::{Board, Point};

/// A proof and how far it was played.
pub(super) struct Winning {
    tree: ProofTree,
    /// The node that says what to play now.
    node: usize,
    board: Board,
}

impl Winning {
    /// A proof from its first move on.
    pub fn new(tree: ProofTree, board: &Board) -> Winning {
        Winning { tree, node: 0, board: board.clone() }
    }

    /// The proof in a position: the same as before, or that after the proof's move and a reply.
    pub fn follow(mut self, board: &Board) -> Option<Winning> {
        let before = self.board.moves().len();
        let moves = board.moves();
        let same_game = self.board.rule() == board.rule() && self.board.size() == board.size();
        if !same_game || moves.get(..before) != Some(self.board.moves()) {
            return None;
        }
        match moves[before..] {
            [] if self.board.hash() == board.hash() => return Some(self),
            [Some(own), Some(reply)] if own == self.tree.nodes()[self.node].point => {
                self.node = self.tree.answer(self.node, reply)?;
            }
            _ => return None,
        }
        // Set-up stones are not among the moves: the hash tells whether they are the same.
        self.board.play_unchecked(moves[before]?);
        self.board.play_unchecked(moves[before + 1]?);
        (self.board.hash() == board.hash()).then_some(self)
    }

    /// The line with the longest defence.
    pub fn line(&self) -> Vec<Point> {
        self.tree.line_at(&self.board, self.node)
    }

    /// The most plies to the win.
    pub fn plies(&self) -> usize {
        (self.tree.nodes()[self.node].plies as usize).min(self.board.empty().len())
    }
}
