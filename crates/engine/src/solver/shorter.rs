//! Shorter wins than the one that was found first.
//!
//! The search asks for a win within one ply, three, five and so on, each time over the same fours
//! and threes, and remembers for each position within how many plies it is won or not won. The
//! first answer is the shortest win of its kind; the win that is known bounds the search from
//! above.

use super::threats::{answers_to_fours, answers_to_open_fours, forbidden_to_mover, legal_open_fours, stops};
use super::{Budget, Kind, Proof, ProofTree, SolveLimits, TreeLimits};
use crate::Stop;
use fivestone_game::{Board, Class, Color, Point, PointSet};
use std::collections::HashMap;
use std::time::{Duration, Instant};

/// What a search for a shorter win found.
#[derive(Clone, Debug)]
pub struct Shorter {
    /// The shorter win, if there is one.
    pub tree: Option<ProofTree>,
    /// Whether no win of this kind takes fewer plies than the best one known now.
    pub is_shortest: bool,
    /// Positions visited.
    pub nodes: u64,
    /// Time used.
    pub elapsed: Duration,
}

/// Looks for a win of the side to move that takes fewer than `plies` plies.
pub fn shorter(board: &Board, kind: Kind, plies: usize, limits: &SolveLimits, stop: &Stop) -> Shorter {
    let started = Instant::now();
    let deadline = limits.time.and_then(|time| started.checked_add(time));
    let mut search = Search {
        attacker: board.to_move(),
        budget: Budget::new(limits.nodes, deadline, stop),
        nodes: 0,
        most_known: (limits.memory / BYTES_A_POSITION).max(1 << 10),
        known: [HashMap::new(), HashMap::new()],
        proof: Proof::default(),
    };
    let mut found = Some(false);
    for within in (1..plies).step_by(2) {
        found = search.attack(&mut board.clone(), within as u32, kind);
        if found != Some(false) {
            break;
        }
    }
    let mut tree = None;
    if found == Some(true) {
        let tree_limits = TreeLimits { deadline, stop: stop.clone(), ..TreeLimits::default() };
        let built = ProofTree::build(board, &search.proof, &tree_limits).ok();
        tree = built.filter(|tree| tree.plies() < plies);
    }
    Shorter {
        is_shortest: found == Some(false) || tree.is_some(),
        tree,
        nodes: search.nodes,
        elapsed: started.elapsed(),
    }
}

/// What one remembered position takes, tables and proof together.
const BYTES_A_POSITION: usize = 96;

/// Within how many plies a position is won, and within how many it is not.
#[derive(Clone, Copy)]
struct Known {
    won_within: u32,
    not_within: u32,
    /// What wins.
    point: Option<Point>,
}

/// What the attacker threatens.
enum Threat {
    None,
    /// Something, and every defence is among these replies.
    Answers(PointSet),
}

struct Search {
    attacker: Color,
    budget: Budget,
    nodes: u64,
    most_known: usize,
    /// Positions of the attacker by [`Kind`].
    known: [HashMap<u64, Known>; 2],
    /// The attacker's moves in positions that are won.
    proof: Proof,
}

impl Search {
    /// Whether the attacker, who is to move, wins within so many plies; nothing when the budget is
    /// spent.
    fn attack(&mut self, board: &mut Board, plies: u32, kind: Kind) -> Option<bool> {
        if board.count(self.attacker, Class::Five) > 0 {
            return Some(plies >= 1);
        }
        if plies < 3 {
            return Some(false);
        }
        let hash = board.hash();
        if let Some(known) = self.known[kind as usize].get(&hash) {
            if plies >= known.won_within {
                return Some(true);
            }
            if plies <= known.not_within {
                return Some(false);
            }
        }
        self.nodes += 1;
        let full = self.known.iter().map(HashMap::len).sum::<usize>() > self.most_known;
        if full || self.budget.spent(self.nodes) {
            return None;
        }
        if kind == Kind::Vct && self.attack(board, plies, Kind::Vcf)? {
            return Some(true);
        }
        let mut winner = None;
        for point in self.attacks(board, plies, kind) {
            board.play_unchecked(point);
            let won = self.defend(board, plies - 1, kind);
            board.undo();
            if won? {
                winner = Some(point);
                break;
            }
        }
        self.note(board, plies, kind, winner);
        Some(winner.is_some())
    }

    fn note(&mut self, board: &Board, plies: u32, kind: Kind, winner: Option<Point>) {
        let hash = board.hash();
        // A win by fours may be longer than one by threes that is known already.
        let shortest =
            self.known.iter().filter_map(|known| known.get(&hash)).map(|known| known.won_within).min();
        if let Some(point) = winner.filter(|_| shortest.is_none_or(|shortest| plies < shortest)) {
            self.proof.insert(board, point);
        }
        let fresh = Known { won_within: u32::MAX, not_within: 0, point: None };
        let known = self.known[kind as usize].entry(hash).or_insert(fresh);
        match winner {
            Some(_) => (known.won_within, known.point) = (plies, winner),
            None => known.not_within = plies,
        }
    }

    /// The moves worth trying for the attacker. A three needs five plies: the open four follows,
    /// and the five.
    fn attacks(&self, board: &mut Board, plies: u32, kind: Kind) -> Vec<Point> {
        let attacker = self.attacker;
        let fours = board.cells_of(attacker, &Class::FOURS);
        let mut moves: Vec<Point> = fours.iter().collect();
        if kind == Kind::Vct && plies >= 5 {
            let threes = board.cells_of(attacker, &Class::OPEN_THREES);
            let is_quiet =
                |&point: &Point| (Class::OpenTwo..=Class::ThreeTwo).contains(&board.class(attacker, point));
            let is_shapeless = |&point: &Point| board.class(attacker, point) < Class::OpenTwo;
            moves.extend(threes.iter().chain(board.empty().iter().filter(is_quiet)));
            moves.extend(board.empty().iter().filter(is_shapeless));
        }
        if board.count(!attacker, Class::Five) > 0 {
            let must = stops(board, !attacker);
            moves.retain(|&point| must.contains(point));
        }
        if board.rule().restricts(attacker) {
            moves.retain(|&point| !board.is_forbidden(point));
        }
        moves
    }

    /// Whether every reply loses within so many plies, the reply counted.
    fn defend(&mut self, board: &mut Board, plies: u32, kind: Kind) -> Option<bool> {
        if board.count(!self.attacker, Class::Five) > 0 || board.empty().is_empty() {
            return Some(false);
        }
        let Threat::Answers(replies) = self.threat(board, plies, kind)? else { return Some(false) };
        for reply in replies.iter() {
            if forbidden_to_mover(board, reply) {
                continue;
            }
            board.play_unchecked(reply);
            let won = self.attack(board, plies - 1, kind);
            board.undo();
            if !won? {
                return Some(false);
            }
        }
        Some(true)
    }

    /// What the attacker threatens to win within so many plies, the reply counted.
    fn threat(&mut self, board: &mut Board, plies: u32, kind: Kind) -> Option<Threat> {
        if board.count(self.attacker, Class::Five) > 0 {
            let in_time = plies >= 2;
            return Some(if in_time { Threat::Answers(stops(board, self.attacker)) } else { Threat::None });
        }
        if kind == Kind::Vcf || plies < 4 {
            return Some(Threat::None);
        }
        let open_fours = legal_open_fours(board, self.attacker);
        if !open_fours.is_empty() {
            return Some(Threat::Answers(answers_to_open_fours(board, self.attacker, &open_fours)));
        }
        board.pass();
        let threatened = self.attack(board, plies - 1, Kind::Vcf);
        let line = if threatened == Some(true) { self.line_of_fours(board) } else { Vec::new() };
        board.undo();
        if !threatened? {
            return Some(Threat::None);
        }
        Some(Threat::Answers(answers_to_fours(board, self.attacker, &line)))
    }

    /// A line of the win by fours that was just found. In caro, where a four may have several
    /// answers, every reply is tried and the line does not matter.
    fn line_of_fours(&self, board: &mut Board) -> Vec<Point> {
        let (attacker, before) = (self.attacker, board.moves().len());
        let mut line = Vec::new();
        loop {
            if let Some(five) = board.cells(attacker, Class::Five).first() {
                line.push(five);
                break;
            }
            let known = self.known[Kind::Vcf as usize].get(&board.hash());
            let Some(four) = known.and_then(|known| known.point) else { break };
            board.play_unchecked(four);
            line.push(four);
            let fives = board.cells(attacker, Class::Five);
            let Some(reply) = fives.iter().find(|&point| !forbidden_to_mover(board, point)) else {
                line.extend(fives.first());
                break;
            };
            board.play_unchecked(reply);
            line.push(reply);
        }
        while board.moves().len() > before {
            board.undo();
        }
        line
    }
}
