//! Short wins by fours and threes, by deepening.
//!
//! Proof numbers go deep where the defender has little choice and lose their way among many moves.
//! Where a win is a few moves away it is quicker to try everything that near, then everything a
//! move further. What is proven here goes into the table of proofs; what fails is only remembered
//! as not won that near.

use super::Verdict;
use super::dfpn::{Choice, FOURS_FIRST, Prover};
use super::proof_table::Effort;
use fivestone_game::{Board, Class, GRID, Point};
use std::cmp::Reverse;

/// The furthest that a win is looked for, in moves of the attacker before the last fours.
const FURTHEST: u8 = 60;

/// How far the looks for short wins have come.
pub(super) struct Deepening {
    /// The moves of the attacker that are tried now.
    depth: u8,
    /// How often each cell held against a threat, later and deeper successes counting for more.
    held: Vec<u32>,
    failed: Failed,
}

impl Deepening {
    pub fn with_memory(bytes: usize) -> Deepening {
        Deepening { depth: 1, held: vec![0; GRID], failed: Failed::with_memory(bytes) }
    }

    /// Gets ready for another position.
    pub fn begin(&mut self) {
        self.depth = 1;
        self.held.fill(0);
    }

    fn next_depth(&mut self) {
        self.depth += 1;
        for held in &mut self.held {
            *held /= 2;
        }
    }
}

impl Prover {
    /// Looks further and further for a win, until one is found or the budget is spent.
    pub fn deepen(&mut self, board: &mut Board) {
        while self.deepening.depth <= FURTHEST {
            if self.wins_within(board, self.deepening.depth) || self.spent() {
                return;
            }
            self.deepening.next_depth();
        }
    }

    /// Whether the attacker, to move, wins by fours after at most this many other moves. False also
    /// when the budget is spent.
    fn wins_within(&mut self, board: &mut Board, moves: u8) -> bool {
        let key = self.key(board.hash());
        if let Some(effort) = self.decided(key) {
            return effort == Effort::ACHIEVED;
        }
        if self.deepening.failed.contains(key, moves) || self.spent() {
            return false;
        }
        self.nodes += 1;
        let started_at = self.nodes;
        let wins = self.attack_wins_within(board, moves);
        if wins {
            self.store_decided(key, Effort::ACHIEVED, self.nodes - started_at);
        } else if !self.spent() {
            self.deepening.failed.insert(key, moves);
        }
        wins
    }

    fn attack_wins_within(&mut self, board: &mut Board, moves: u8) -> bool {
        if board.count(!self.attacker, Class::Five) == 0 {
            let verdict = self.vcf.solve(board, FOURS_FIRST);
            self.nodes += self.vcf.nodes();
            if verdict == Verdict::Win {
                return true;
            }
        }
        if moves == 0 {
            return false;
        }
        let attacks = match self.choices(board) {
            Choice::Decided(effort) => return effort == Effort::ACHIEVED,
            Choice::Unclear => return false,
            Choice::Moves { moves, .. } => moves,
        };
        attacks.into_iter().any(|attack| {
            board.play_unchecked(attack);
            let wins = self.no_answer_holds(board, moves - 1);
            board.undo();
            wins
        })
    }

    /// Whether the attacker has an answer to whatever the defender, to move, does.
    fn no_answer_holds(&mut self, board: &mut Board, moves: u8) -> bool {
        let key = self.key(board.hash());
        if let Some(effort) = self.decided(key) {
            return effort == Effort::LOST;
        }
        if self.spent() {
            return false;
        }
        let started_at = self.nodes;
        let mut answers = match self.choices(board) {
            Choice::Decided(effort) => {
                self.store_decided(key, effort, 1);
                return effort == Effort::LOST;
            }
            Choice::Unclear => return false,
            Choice::Moves { moves, .. } => moves,
        };
        answers.sort_by_key(|answer: &Point| Reverse(self.deepening.held[answer.index()]));
        for answer in answers {
            board.play_unchecked(answer);
            let wins = self.wins_within(board, moves);
            board.undo();
            if !wins {
                self.deepening.held[answer.index()] += 1 + u32::from(moves).pow(2);
                return false;
            }
        }
        self.store_decided(key, Effort::LOST, self.nodes - started_at);
        true
    }
}

/// Positions without a win that near; a later one replaces an earlier one in its slot.
struct Failed {
    /// A position's key with the moves in its lowest byte.
    slots: Vec<u64>,
}

const MOVES: u64 = 0xff;

impl Failed {
    fn with_memory(bytes: usize) -> Failed {
        Failed { slots: vec![0; 1 << (bytes / size_of::<u64>()).max(16).ilog2()] }
    }

    fn contains(&self, key: u64, moves: u8) -> bool {
        let entry = self.slots[self.slot(key)];
        entry & !MOVES == key & !MOVES && entry & MOVES >= u64::from(moves)
    }

    fn insert(&mut self, key: u64, moves: u8) {
        let slot = self.slot(key);
        self.slots[slot] = key & !MOVES | u64::from(moves);
    }

    fn slot(&self, key: u64) -> usize {
        (key >> 8) as usize & (self.slots.len() - 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_failed_further_away_failed_nearer_too() {
        let mut failed = Failed::with_memory(1 << 10);
        assert!(!failed.contains(0x1234_5678, 0));
        failed.insert(0x1234_5678, 3);
        assert!(failed.contains(0x1234_5678, 3) && failed.contains(0x1234_5678, 2));
        assert!(!failed.contains(0x1234_5678, 4));
        assert!(!failed.contains(0x9234_5678, 3), "another key in the same slot");
    }
}
