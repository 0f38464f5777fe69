//! Wins by fours and threes: the question, the answer, and how the win goes.

use super::dfpn::{Choice, FOURS_FIRST, Place, Prover};
use super::proof_table::{Effort, ProofTable};
use super::threats::forbidden_to_mover;
use super::{Proof, Verdict};
use crate::Stop;
use fivestone_game::{Board, Class, Color, Point, Rule, Size};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

/// A search for wins by fours and threes. Its tables last from call to call, so that a second,
/// longer look at a position goes on where the first one ended.
pub struct Vct {
    table: Arc<ProofTable>,
    pub(super) prover: Prover,
    /// The provers of the other threads.
    others: Vec<Prover>,
    bytes: usize,
    /// What the tables speak about: hashes tell neither rules nor sizes apart.
    game: Option<(Rule, Size)>,
    attacker: Color,
    line: Vec<Point>,
    proof: Proof,
}

impl Vct {
    /// A search whose tables fit into this many bytes.
    pub fn with_memory(bytes: usize) -> Vct {
        Vct::with_threads(bytes, 1)
    }

    /// As [`Vct::with_memory`] for a search by several threads. Which proof they find first is a
    /// matter of chance.
    pub fn with_threads(bytes: usize, threads: usize) -> Vct {
        let threads = threads.max(1);
        let table = Arc::new(ProofTable::with_memory(bytes * 3 / 4));
        let prover = |index| {
            let place = if threads == 1 { Place::Alone } else { Place::Among(index) };
            Prover::new(table.clone(), bytes / 4 / threads, place)
        };
        Vct {
            prover: prover(0),
            others: (1..threads).map(prover).collect(),
            table,
            bytes,
            game: None,
            attacker: Color::Black,
            line: Vec::new(),
            proof: Proof::default(),
        }
    }

    /// Whether the side to move wins by fours and threes, visiting at most this many positions.
    pub fn solve(&mut self, board: &mut Board, nodes: u64) -> Verdict {
        self.solve_until(board, nodes, None, &Stop::new())
    }

    /// As [`Vct::solve`], also ending at a time or when told to stop.
    pub fn solve_until(
        &mut self,
        board: &mut Board,
        nodes: u64,
        deadline: Option<Instant>,
        stop: &Stop,
    ) -> Verdict {
        let game = Some((board.rule(), board.size()));
        if self.game != game {
            if self.game.is_some() {
                *self = Vct::with_threads(self.bytes, 1 + self.others.len());
            }
            self.game = game;
        }
        self.attacker = board.to_move();
        self.line.clear();
        self.proof = Proof::default();
        match self.prove(board, nodes, deadline, stop) {
            Effort { own: 0, .. } => self.note_winning_move(board),
            Effort { other: 0, .. } => Verdict::NoWin,
            _ => Verdict::Unknown,
        }
    }

    fn prove(&mut self, board: &mut Board, nodes: u64, deadline: Option<Instant>, stop: &Stop) -> Effort {
        if self.others.is_empty() {
            self.prover.begin(board, nodes, deadline, stop);
            return self.prover.prove(board);
        }
        let board = &*board;
        let share = nodes.div_ceil(1 + self.others.len() as u64);
        let start = |prover: &mut Prover| {
            let mut board = board.clone();
            prover.begin(&board, share, deadline, stop);
            prover.prove_together(&mut board)
        };
        let start = &start;
        let effort = std::thread::scope(|scope| {
            // Where a thread cannot be started the others do its work.
            let begin = |prover| std::thread::Builder::new().spawn_scoped(scope, move || start(prover)).ok();
            let threads: Vec<_> = self.others.iter_mut().filter_map(begin).collect();
            let mut effort = start(&mut self.prover);
            for thread in threads {
                let other = thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
                if other.decided() {
                    effort = other;
                }
            }
            effort
        });
        self.table.set_answered(false);
        let used: u64 = self.others.iter().map(|prover| prover.nodes).sum();
        self.prover.nodes += used;
        self.prover.allow(nodes.saturating_sub(self.prover.nodes).max(share), deadline, stop);
        effort
    }

    /// Writes the proof of the win just found down and finds the line with the longest defence,
    /// within a budget of its own. Returns whether it got to the end; otherwise the line is only
    /// the winning move.
    pub fn extract(&mut self, board: &mut Board, nodes: u64, deadline: Option<Instant>, stop: &Stop) -> bool {
        self.prover.allow(nodes, deadline, stop);
        if self.line.len() != 1 {
            // The line by fours is there already.
            return !self.line.is_empty();
        }
        let mut lengths = HashMap::new();
        let line =
            self.extract_attack(board, &mut lengths).and_then(|_| self.follow(board.clone(), &lengths));
        let found = line.is_some();
        self.line = line.unwrap_or_else(|| self.line.clone());
        found
    }

    /// The line of the last win found, with the longest defence once it was extracted, before that
    /// at least its first move; empty without a win.
    pub fn line(&self) -> &[Point] {
        &self.line
    }

    /// The proof of the last win, once it was extracted.
    pub fn proof(&self) -> &Proof {
        &self.proof
    }

    /// Positions visited by the last call.
    pub fn nodes(&self) -> u64 {
        self.prover.nodes
    }

    /// Remembers the move that wins; more of the line where fours alone do it.
    fn note_winning_move(&mut self, board: &mut Board) -> Verdict {
        let vcf = &mut self.prover.vcf;
        if vcf.solve(board, FOURS_FIRST) == Verdict::Win {
            self.line = vcf.line().to_vec();
            self.proof.insert(board, self.line[0]);
            return Verdict::Win;
        }
        // The entry of the winning move may have been replaced while the search unwound.
        match self.proven_move(board) {
            Some(point) => {
                self.line.push(point);
                Verdict::Win
            }
            None => Verdict::Unknown,
        }
    }

    /// Plies to the end from a position of the attacker; nothing when the budget is spent.
    fn extract_attack(&mut self, board: &mut Board, lengths: &mut HashMap<u64, u32>) -> Option<u32> {
        if let Some(&length) = lengths.get(&board.hash()) {
            return Some(length);
        }
        let length = self.extract_new_attack(board, lengths)?;
        lengths.insert(board.hash(), length);
        Some(length)
    }

    fn extract_new_attack(&mut self, board: &mut Board, lengths: &mut HashMap<u64, u32>) -> Option<u32> {
        let by_fours = self.prover.vcf.solve(board, FOURS_FIRST);
        self.prover.nodes += 1 + self.prover.vcf.nodes();
        if by_fours == Verdict::Win {
            let line = self.prover.vcf.line();
            self.proof.insert(board, line[0]);
            return Some(line.len() as u32);
        }
        let point = self.proven_move(board)?;
        self.proof.insert(board, point);
        board.play_unchecked(point);
        let length = self.extract_defence(board, lengths);
        board.undo();
        Some(1 + length?)
    }

    /// A move that is proven to win, searched again where its entry was replaced.
    fn proven_move(&mut self, board: &mut Board) -> Option<Point> {
        loop {
            if let Choice::Moves { moves, .. } = self.prover.choices(board) {
                let proven = |point: &Point| self.prover.look_up(board, *point).other == 0;
                if let Some(point) = moves.iter().copied().find(proven) {
                    return Some(point);
                }
            }
            if self.prover.spent() {
                return None;
            }
            self.prover.prove(board);
        }
    }

    fn extract_defence(&mut self, board: &mut Board, lengths: &mut HashMap<u64, u32>) -> Option<u32> {
        // Whatever else the defender plays, a five or an open four follows.
        let mut longest = if board.count(self.attacker, Class::Five) > 0 { 2 } else { 4 };
        for reply in self.replies(board)? {
            board.play_unchecked(reply);
            let length = self.extract_attack(board, lengths);
            board.undo();
            longest = longest.max(1 + length?);
        }
        Some(longest)
    }

    /// The replies to look at in a position that is proven, empty where none helps; nothing when
    /// the budget is spent.
    fn replies(&mut self, board: &mut Board) -> Option<Vec<Point>> {
        loop {
            match self.prover.choices(board) {
                Choice::Moves { moves, .. } => return Some(moves),
                Choice::Decided(_) => return Some(Vec::new()),
                // The entry that said how far to look was replaced.
                Choice::Unclear if self.prover.spent() => return None,
                Choice::Unclear => {
                    self.prover.prove(board);
                }
            }
        }
    }

    /// Plays the proof through, the defender choosing what lasts longest.
    fn follow(&mut self, mut board: Board, lengths: &HashMap<u64, u32>) -> Option<Vec<Point>> {
        let board = &mut board;
        let mut line = Vec::new();
        loop {
            if self.prover.vcf.solve(board, FOURS_FIRST) == Verdict::Win {
                line.extend_from_slice(self.prover.vcf.line());
                return Some(line);
            }
            let answer = self.proof.answer(board)?;
            board.play_unchecked(answer);
            line.push(answer);
            let replies = self.replies(board)?;
            let lasting = |&point: &Point| lengths.get(&board.hash_after(point)).copied().unwrap_or(0);
            let reply = replies.into_iter().max_by_key(lasting).or_else(|| {
                // Nothing helps any more: take a cell of the threat and go on to the end.
                let cells = board.cells_of(self.attacker, &[Class::Five, Class::OpenFour]);
                cells.iter().find(|&point| !forbidden_to_mover(board, point))
            });
            let Some(reply) = reply else {
                line.extend(board.cells_of(self.attacker, &[Class::Five, Class::OpenFour]).first());
                return Some(line);
            };
            board.play_unchecked(reply);
            line.push(reply);
        }
    }
}
