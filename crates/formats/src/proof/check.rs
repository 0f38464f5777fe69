//! Replays a proof against every reply on the board.
//!
//! What is taken from elsewhere is the board and its rules: who has won, what is forbidden. One
//! kind of reasoning spares most replies to a four: a stone that does not take the completing cell,
//! makes no five itself and (caro) does not stand in a line with that cell leaves the five as it
//! is.

use super::{After, ProofFile, Unplayable};
use fivestone_game::{Board, Class, Color, Direction, MARGIN, Point, PointSet, Rule};
use std::collections::HashMap;
use std::fmt;

/// A proof that holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Checked {
    /// Who wins.
    pub winner: Color,
    /// The most plies that the defender can hold out.
    pub plies: usize,
    /// How many positions were played out.
    pub positions: usize,
}

/// Where and why a proof fails.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Failure {
    /// The number of the node.
    pub node: u32,
    /// The moves from the position to where it fails, as text.
    pub moves: String,
    /// What is wrong there.
    pub reason: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let moves = if self.moves.is_empty() { "in the first position" } else { "after " };
        write!(f, "node {} {moves}{}: {}", self.node, self.moves, self.reason)
    }
}

impl std::error::Error for Failure {}

/// Checks that the side to move wins whatever the other side plays.
pub fn check(proof: &ProofFile) -> Result<Checked, Failure> {
    let root_fault = |reason: String| Failure { node: proof.nodes[0].id, moves: String::new(), reason };
    let mut board = proof.board().map_err(|error: Unplayable| root_fault(error.to_string()))?;
    let mut checker = Checker {
        proof,
        attacker: proof.to_move,
        defender_forbidden: proof.rule.restricts(!proof.to_move),
        known: HashMap::new(),
        unnamed: 0,
        positions: 0,
        line: Vec::new(),
    };
    // Only fives and forbidden points are asked for.
    let plies = board.with_threats_only(|board| checker.attack(board, 0))?;
    if plies > proof.plies {
        return Err(root_fault(format!("{} plies are promised, but {plies} are needed", proof.plies)));
    }
    Ok(Checked { winner: proof.to_move, plies, positions: checker.positions })
}

struct Checker<'a> {
    proof: &'a ProofFile,
    attacker: Color,
    defender_forbidden: bool,
    /// The most plies to the win from a node in a position. Positions after a reply that is left to
    /// `otherwise` are too many to be kept, and seldom met twice.
    known: HashMap<(u32, u64), u16>,
    /// How many replies of the line were answered by `otherwise`.
    unnamed: usize,
    positions: usize,
    line: Vec<Point>,
}

impl Checker<'_> {
    /// The attacker plays a node's move. Answers the most plies to the end.
    fn attack(&mut self, board: &mut Board, node: usize) -> Result<usize, Failure> {
        let place = &self.proof.nodes[node];
        let point = place.point;
        self.positions += 1;
        if !board.is_empty(point) {
            return Err(self.failure(node, format!("{} is occupied", self.name(point))));
        }
        if board.class(self.attacker, point) == Class::Five {
            return Ok(1);
        }
        if place.after == After::Five {
            return Err(self.failure(node, format!("{} makes no five", self.name(point))));
        }
        let key = (node as u32, board.hash());
        if let Some(&plies) = self.known.get(&key) {
            return Ok(plies.into());
        }
        if self.proof.rule.restricts(self.attacker) && board.is_forbidden(point) {
            return Err(self.failure(node, format!("{} is forbidden", self.name(point))));
        }
        board.play_unchecked(point);
        self.line.push(point);
        let replied = self.defend(board, node);
        board.undo();
        // After a failure the line stays, to be told.
        let plies = 1 + replied?;
        self.line.pop();
        if self.unnamed == 0 {
            self.known.insert(key, plies as u16);
        }
        Ok(plies)
    }

    /// The defender tries every reply to a node's move.
    fn defend(&mut self, board: &mut Board, node: usize) -> Result<usize, Failure> {
        let After::Replies { listed, forbidden, otherwise } = &self.proof.nodes[node].after else {
            unreachable!("a five has no replies");
        };
        if board.empty().is_empty() {
            return Err(self.failure(node, "the board is full".to_owned()));
        }
        let mut plies = 0;
        let mut rest = *board.empty();
        if let Some(five) = otherwise.filter(|&other| self.threatens(board, other)) {
            let cell = self.proof.nodes[five].point;
            let contested = self.contested(board, cell, listed, forbidden);
            if contested.len() < rest.len() {
                plies = 2;
            }
            rest = contested;
        }
        for &reply in forbidden {
            if board.is_empty(reply) && !(self.defender_forbidden && board.is_forbidden(reply)) {
                let reason = format!("the reply {} is not forbidden", self.name(reply));
                return Err(self.failure(node, reason));
            }
        }
        for reply in rest.iter() {
            if board.class(!self.attacker, reply) == Class::Five {
                let reason = format!("the reply {} makes five", self.name(reply));
                return Err(self.failure(node, reason));
            }
            if self.defender_forbidden && board.is_forbidden(reply) {
                plies = plies.max(1);
                continue;
            }
            let own = listed.iter().find(|&&(point, _)| point == reply).map(|&(_, child)| child);
            let Some(answer) = own.or(*otherwise) else {
                let reason = format!("the reply {} is not answered", self.name(reply));
                return Err(self.failure(node, reason));
            };
            board.play_unchecked(reply);
            self.line.push(reply);
            self.unnamed += usize::from(own.is_none());
            let depth = self.line.len();
            let won = self.attack(board, answer);
            board.undo();
            let after =
                won.map_err(
                    |failure| {
                        if own.is_some() { failure } else { self.unanswered(node, depth, &failure) }
                    },
                )?;
            self.unnamed -= usize::from(own.is_none());
            self.line.pop();
            plies = plies.max(1 + after);
        }
        Ok(plies)
    }

    /// Whether a node completes a five in this position.
    fn threatens(&self, board: &Board, node: usize) -> bool {
        board.class(self.attacker, self.proof.nodes[node].point) == Class::Five
    }

    /// The replies that have to be tried against a threatened five: those named, the completing
    /// cell, the defender's own fives, and in caro what can come to stand at an end of the row.
    fn contested(
        &self,
        board: &Board,
        five: Point,
        listed: &[(Point, usize)],
        forbidden: &[Point],
    ) -> PointSet {
        let mut replies = board.cells(!self.attacker, Class::Five);
        replies.insert(five);
        for reply in listed.iter().map(|&(reply, _)| reply).chain(forbidden.iter().copied()) {
            replies.insert(reply);
        }
        if matches!(self.proof.rule, Rule::Caro | Rule::CaroOverline) {
            for direction in Direction::ALL {
                let (dx, dy) = direction.delta();
                for distance in -(MARGIN as isize)..=MARGIN as isize {
                    if let Some(cell) = five.offset(distance * dx, distance * dy, board.size()) {
                        replies.insert(cell);
                    }
                }
            }
        }
        replies.intersection(board.empty())
    }

    fn name(&self, point: Point) -> String {
        point.name(self.proof.size)
    }

    fn names(&self, line: &[Point]) -> String {
        line.iter().map(|&point| self.name(point)).collect::<Vec<_>>().join(" ")
    }

    fn failure(&self, node: usize, reason: String) -> Failure {
        Failure { node: self.proof.nodes[node].id, moves: self.names(&self.line), reason }
    }

    /// A reply that was left to `otherwise`, which does not win against it.
    fn unanswered(&mut self, node: usize, depth: usize, failure: &Failure) -> Failure {
        let (before, reply) = (&self.line[..depth - 1], self.line[depth - 1]);
        let deeper = if self.line.len() > depth {
            format!(" after {}", self.names(&self.line[depth..]))
        } else {
            String::new()
        };
        // One level of explanation is enough.
        let because = failure.reason.split(" (").next().unwrap_or_default();
        let reason = format!(
            "the reply {} is not answered (node {} does not win{deeper}: {because})",
            self.name(reply),
            failure.node,
        );
        let moves = self.names(before);
        self.line.truncate(depth - 1);
        Failure { node: self.proof.nodes[node].id, moves, reason }
    }
}
