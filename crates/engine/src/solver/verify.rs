//! Replays a claimed win against every reply there is.
//!
//! Uses nothing of the search but the attacker's answers: who has won is told by [`Board::play`] alone.

use super::{Proof, Vcf, Verdict};
use fivestone_game::{Board, Color, Point};
use std::collections::HashSet;
use std::fmt;

/// A line on which a claimed win is not one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refutation {
    /// The moves from the claimed position.
    pub line: Vec<Point>,
    /// What goes wrong at its end.
    pub reason: &'static str,
}

impl fmt::Display for Refutation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} after {:?}", self.reason, self.line)
    }
}

impl std::error::Error for Refutation {}

/// Checks that the side to move wins with the moves of a proof (and with fours where it is silent) whatever the other
/// side plays. Answers how many positions were checked.
pub fn verify(board: &Board, proof: &Proof) -> Result<usize, Refutation> {
    let mut verifier = Verifier {
        attacker: board.to_move(),
        proof,
        vcf: Vcf::with_memory(1 << 20),
        checked: HashSet::new(),
        line: Vec::new(),
    };
    verifier.attack(&mut board.clone())?;
    Ok(verifier.checked.len())
}

struct Verifier<'a> {
    attacker: Color,
    proof: &'a Proof,
    vcf: Vcf,
    checked: HashSet<u64>,
    line: Vec<Point>,
}

impl Verifier<'_> {
    fn attack(&mut self, board: &mut Board) -> Result<(), Refutation> {
        const FOURS_AT_MOST: u64 = 1_000_000;
        if !self.checked.insert(board.hash()) {
            return Ok(());
        }
        let by_fours = |vcf: &mut Vcf, board: &mut Board| {
            (vcf.solve(board, FOURS_AT_MOST) == Verdict::Win).then(|| vcf.line()[0])
        };
        let answer = self.proof.answer(board).or_else(|| by_fours(&mut self.vcf, board));
        let Some(answer) = answer else { return Err(self.refutation("the attacker has no answer")) };
        self.line.push(answer);
        let end = board.play(answer).map_err(|_| self.refutation("the attacker's move is illegal"))?;
        match end {
            Some(end) if end.winner() == Some(self.attacker) => {}
            Some(_) => return Err(self.refutation("the attacker's move does not win")),
            None => self.defend(board)?,
        }
        board.undo();
        self.line.pop();
        Ok(())
    }

    fn defend(&mut self, board: &mut Board) -> Result<(), Refutation> {
        for reply in board.empty().iter().collect::<Vec<_>>() {
            self.line.push(reply);
            let end = board.play(reply).map_err(|_| self.refutation("an empty point was refused"))?;
            match end {
                Some(end) if end.winner() == Some(self.attacker) => {}
                Some(_) => return Err(self.refutation("the defender escapes")),
                None => self.attack(board)?,
            }
            board.undo();
            self.line.pop();
        }
        Ok(())
    }

    fn refutation(&self, reason: &'static str) -> Refutation {
        Refutation { line: self.line.clone(), reason }
    }
}
