//! Victory by continuous fours: every move of the attacker threatens a five.

use super::table::HashSlots;
use super::{Budget, Verdict, threats};
use crate::Stop;
use fivestone_game::{Board, Class, Color, Point, Rule, Size};
use std::time::Instant;

/// A search for wins by continuous fours. Its table lasts from call to call: positions are told apart by their hash,
/// and what holds no win under a rule never will.
pub struct Vcf {
    /// Positions, attacker to move, without a win.
    barren: HashSlots,
    /// What the table speaks about: hashes tell neither rules nor sizes apart.
    game: Option<(Rule, Size)>,
    budget: Budget,
    nodes: u64,
    /// The winning line, last move first while the search unwinds.
    line: Vec<Point>,
}

impl Vcf {
    /// A search whose table fits into this many bytes.
    pub fn with_memory(bytes: usize) -> Vcf {
        Vcf {
            barren: HashSlots::with_memory(bytes),
            game: None,
            budget: Budget::new(0, None, &Stop::new()),
            nodes: 0,
            line: Vec::new(),
        }
    }

    /// Whether the side to move wins by fours, visiting at most this many positions.
    pub fn solve(&mut self, board: &mut Board, nodes: u64) -> Verdict {
        self.solve_until(board, nodes, None, &Stop::new())
    }

    /// As [`Vcf::solve`], also ending at a time or when told to stop.
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
                self.barren.clear();
            }
            self.game = game;
        }
        self.budget = Budget::new(nodes, deadline, stop);
        self.nodes = 0;
        self.line.clear();
        let verdict = board.with_threats_only(|board| self.attack(board));
        self.line.reverse();
        verdict
    }

    /// The line of the last win found, empty without one.
    pub fn line(&self) -> &[Point] {
        &self.line
    }

    /// Positions visited by the last call.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The attacker moves.
    fn attack(&mut self, board: &mut Board) -> Verdict {
        let attacker = board.to_move();
        if board.count(attacker, Class::Five) > 0 {
            self.line.extend(board.cells(attacker, Class::Five).first());
            return Verdict::Win;
        }
        if Class::FOURS.iter().all(|&class| board.count(attacker, class) == 0) {
            return Verdict::NoWin;
        }
        let hash = board.hash();
        if self.barren.contains(hash) {
            return Verdict::NoWin;
        }
        let mut verdict = Verdict::NoWin;
        // The move must also stop the defender's five, where there is one.
        let must_stop = board.count(!attacker, Class::Five) > 0;
        for class in [Class::OpenFour, Class::DoubleFour, Class::FourThree, Class::Four] {
            if board.count(attacker, class) == 0 {
                continue;
            }
            for four in board.cells(attacker, class).iter() {
                if self.budget.spent(self.nodes) {
                    return Verdict::Unknown;
                }
                if board.rule().restricts(attacker) && board.is_forbidden(four) {
                    continue;
                }
                if must_stop
                    && !board.cells(!attacker, Class::Five).contains(four)
                    && !board.rule().ends_matter()
                {
                    continue;
                }
                board.play_unchecked(four);
                self.nodes += 1;
                let answer = self.defend(board, attacker);
                board.undo();
                match answer {
                    Verdict::Win => {
                        self.line.push(four);
                        return Verdict::Win;
                    }
                    Verdict::Unknown => verdict = Verdict::Unknown,
                    Verdict::NoWin => {}
                }
            }
        }
        if verdict == Verdict::NoWin {
            self.barren.insert(hash);
        }
        verdict
    }

    /// The defender must stop a five.
    fn defend(&mut self, board: &mut Board, attacker: Color) -> Verdict {
        let defender = !attacker;
        if board.count(defender, Class::Five) > 0 {
            return Verdict::NoWin;
        }
        let stops = threats::stops(board, attacker);
        let mut longest: Option<Vec<Point>> = None;
        let kept = self.line.len();
        for stop in stops.iter() {
            if board.rule().restricts(defender) && board.is_forbidden(stop) {
                longest.get_or_insert_with(|| vec![stop]);
                continue;
            }
            board.play_unchecked(stop);
            self.nodes += 1;
            let answer = self.attack(board);
            board.undo();
            if answer != Verdict::Win {
                self.line.truncate(kept);
                return answer;
            }
            self.line.push(stop);
            let line = self.line.split_off(kept);
            if longest.as_ref().is_none_or(|longest| line.len() > longest.len()) {
                longest = Some(line);
            }
        }
        let ending = longest.unwrap_or_else(|| unstoppable_ending(board, attacker));
        self.line.extend(ending);
        Verdict::Win
    }
}

/// What happens, last move first, when nothing stops the five: the defender takes one completion and the attacker
/// another, unless the defender may not even do that.
fn unstoppable_ending(board: &mut Board, attacker: Color) -> Vec<Point> {
    let fives: Vec<Point> = board.cells(attacker, Class::Five).iter().collect();
    let restricted = board.rule().restricts(!attacker);
    let Some(taken) = fives.iter().position(|&point| !restricted || !board.is_forbidden(point)) else {
        return vec![fives[0]];
    };
    // In caro the stone taken can be in the way of another five as well, so look which one is left.
    board.play_unchecked(fives[taken]);
    let left = board.cells(attacker, Class::Five).first();
    board.undo();
    left.into_iter().chain([fives[taken]]).collect()
}
