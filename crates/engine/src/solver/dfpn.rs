//! Victory by fours and threes, by depth-first proof-number search.
//!
//! A "three" is every move that threatens to win by fours: an open three, or a quieter move that prepares a four-three.
//! Positions with the attacker to move need one winning move, positions with the defender to move need every reply
//! answered. Both are stored from the mover's view: `own` is how much is left to do for the mover to reach what it
//! wants, `other` the same for the other side; 0 is done, [`NEVER`] impossible.

use super::threats::{answers_to_fours, forbidden_to_mover, legal_open_fours, stops, stops_of_open_fours};
use super::{Budget, Proof, Vcf, Verdict};
use crate::Stop;
use fivestone_game::{Board, Class, Color, Point, PointSet, Rule, Size};
use std::collections::HashMap;
use std::time::Instant;

const NEVER: u32 = 1 << 30;
/// Fours tried at each new position of the attacker before threes are.
const FOURS_FIRST: u64 = 120;

/// How much is left to do in a position, for the side to move there and for the other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Effort {
    own: u32,
    other: u32,
}

impl Effort {
    const ACHIEVED: Effort = Effort { own: 0, other: NEVER };
    const LOST: Effort = Effort { own: NEVER, other: 0 };

    fn decided(self) -> bool {
        self.own == 0 || self.other == 0
    }
}

/// A remembered position: its hash, both efforts (own low), and the nodes spent below it; the cheapest entry of a
/// bucket is replaced first. Plain numbers, so that a large table costs nothing until it is used.
type Entry = [u64; 3];

fn effort_of(entry: &Entry) -> Effort {
    Effort { own: entry[1] as u32, other: (entry[1] >> 32) as u32 }
}

const BUCKET: usize = 4;

/// Told apart in the table from positions in which Black attacks.
const WHITE_ATTACKS: u64 = 0x9e37_79b9_7f4a_7c15;

/// A search for wins by fours and threes. Its table lasts from call to call, so that a second, longer look at a position goes
/// on where the first one ended.
pub struct Vct {
    entries: Vec<Entry>,
    /// What the table speaks about: hashes tell neither rules nor sizes apart.
    game: Option<(Rule, Size)>,
    vcf: Vcf,
    attacker: Color,
    budget: Budget,
    out_of_budget: bool,
    nodes: u64,
    line: Vec<Point>,
    proof: Proof,
}

/// What a position offers.
enum Choice {
    Decided(Effort),
    Moves(Vec<Point>),
}

impl Vct {
    /// A search whose tables fit into this many bytes.
    pub fn with_memory(bytes: usize) -> Vct {
        let buckets = (bytes * 3 / 4 / size_of::<Entry>() / BUCKET).max(64);
        Vct {
            entries: vec![[0; 3]; BUCKET << buckets.ilog2()],
            game: None,
            vcf: Vcf::with_memory(bytes / 8),
            attacker: Color::Black,
            budget: Budget::new(0, None, &Stop::new()),
            out_of_budget: false,
            nodes: 0,
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
                self.entries.fill([0; 3]);
            }
            self.game = game;
        }
        self.attacker = board.to_move();
        self.budget = Budget::new(nodes, deadline, stop);
        self.out_of_budget = false;
        self.nodes = 0;
        self.line.clear();
        self.proof = Proof::default();
        match self.search(board, Effort { own: NEVER, other: NEVER }) {
            Effort { own: 0, .. } => self.note_winning_move(board),
            Effort { other: 0, .. } => Verdict::NoWin,
            _ => Verdict::Unknown,
        }
    }

    /// Writes the proof of the win just found down and finds the line with the longest defence, within a budget of its
    /// own. Answers whether it got to the end; otherwise the line is only the winning move.
    pub fn extract(&mut self, board: &mut Board, nodes: u64, deadline: Option<Instant>, stop: &Stop) -> bool {
        self.budget = Budget::new(self.nodes.saturating_add(nodes), deadline, stop);
        self.out_of_budget = false;
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

    /// The line of the last win found, with the longest defence once it was extracted, before that at least its first
    /// move; empty without a win.
    pub fn line(&self) -> &[Point] {
        &self.line
    }

    /// The proof of the last win, once it was extracted.
    pub fn proof(&self) -> &Proof {
        &self.proof
    }

    /// Positions visited by the last call.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Works on a position until it is decided or either effort reaches its limit.
    fn search(&mut self, board: &mut Board, limit: Effort) -> Effort {
        let started_at = self.nodes;
        self.nodes += 1;
        let moves = match self.choices(board) {
            Choice::Decided(effort) => {
                self.store(board.hash(), effort, 0);
                return effort;
            }
            Choice::Moves(moves) => moves,
        };
        loop {
            let (effort, pick) = self.weigh(board, &moves);
            let reached = effort.own >= limit.own || effort.other >= limit.other;
            self.out_of_budget |= self.budget.spent(self.nodes);
            if effort.decided() || reached || self.out_of_budget {
                self.store(board.hash(), effort, self.nodes - started_at);
                return effort;
            }
            let others = effort.other.saturating_sub(pick.effort.own);
            let child_limit = Effort {
                own: limit.other.saturating_sub(others).min(NEVER),
                other: limit.own.min(pick.second.saturating_add(1 + pick.second / 4)).min(NEVER),
            };
            board.play_unchecked(pick.point);
            self.search(board, child_limit);
            board.undo();
        }
    }

    /// A position's effort from its children, and the child to work on.
    fn weigh(&self, board: &Board, moves: &[Point]) -> (Effort, Pick) {
        let mut effort = Effort { own: NEVER, other: 0 };
        let mut pick = Pick { point: moves[0], effort: Effort { own: 1, other: NEVER }, second: NEVER };
        for &point in moves {
            let child = self.look_up(board, point);
            effort.own = effort.own.min(child.other);
            effort.other = effort.other.saturating_add(child.own).min(NEVER);
            if child.other < pick.effort.other {
                pick = Pick { point, effort: child, second: pick.effort.other };
            } else {
                pick.second = pick.second.min(child.other);
            }
        }
        if effort.own == 0 {
            effort.other = NEVER;
        }
        (effort, pick)
    }

    fn choices(&mut self, board: &mut Board) -> Choice {
        if board.to_move() == self.attacker { self.attacks(board) } else { self.defences(board) }
    }

    fn attacks(&mut self, board: &mut Board) -> Choice {
        let attacker = self.attacker;
        if board.count(attacker, Class::Five) > 0 {
            return Choice::Decided(Effort::ACHIEVED);
        }
        let mut moves: Vec<Point> = if board.count(!attacker, Class::Five) > 0 {
            stops(board, !attacker).iter().collect()
        } else {
            if !self.is_known(board.hash()) {
                let verdict = self.vcf.solve(board, FOURS_FIRST);
                self.nodes += self.vcf.nodes();
                if verdict == Verdict::Win {
                    return Choice::Decided(Effort::ACHIEVED);
                }
            }
            let fours = board.cells_of(attacker, &Class::FOURS);
            let threes = board.cells_of(attacker, &Class::OPEN_THREES);
            let quiet = board.empty().iter().filter(|&point| is_quiet(board.class(attacker, point)));
            fours.iter().chain(threes.iter()).chain(quiet).collect()
        };
        if board.rule().restricts(attacker) {
            moves.retain(|&point| !board.is_forbidden(point));
        }
        if moves.is_empty() { Choice::Decided(Effort::LOST) } else { Choice::Moves(moves) }
    }

    fn defences(&mut self, board: &mut Board) -> Choice {
        let defender = !self.attacker;
        if board.count(defender, Class::Five) > 0 {
            return Choice::Decided(Effort::ACHIEVED);
        }
        let Some(candidates) = self.answers(board) else {
            return Choice::Decided(Effort::ACHIEVED);
        };
        let mut moves: Vec<Point> = candidates.iter().collect();
        if board.rule().restricts(defender) {
            moves.retain(|&point| !board.is_forbidden(point));
        }
        if moves.is_empty() { Choice::Decided(Effort::LOST) } else { Choice::Moves(moves) }
    }

    /// Every reply that may stop what the attacker threatens; nothing if the attacker threatens nothing. Any reply
    /// that is not among them loses to fours at once.
    fn answers(&mut self, board: &mut Board) -> Option<PointSet> {
        if board.count(self.attacker, Class::Five) > 0 {
            return Some(stops(board, self.attacker));
        }
        let open_fours = legal_open_fours(board, self.attacker);
        if !open_fours.is_empty() {
            return Some(self.answers_to_open_four(board, &open_fours));
        }
        board.pass();
        let threat = self.vcf.solve(board, FOURS_FIRST);
        board.undo();
        self.nodes += self.vcf.nodes();
        if threat != Verdict::Win {
            return None;
        }
        let line = self.vcf.line().to_vec();
        let answers = answers_to_fours(board, self.attacker, &line);
        if !self.is_known(board.hash()) {
            self.try_answers(board, &answers);
        }
        Some(answers)
    }

    /// Every reply after which the attacker cannot make an open four at once.
    fn answers_to_open_four(&self, board: &mut Board, open_fours: &PointSet) -> PointSet {
        let counter_fours = board.cells_of(!self.attacker, &Class::FOURS);
        let mut answers = counter_fours;
        for point in stops_of_open_fours(board, self.attacker, open_fours).difference(&counter_fours).iter() {
            board.play_unchecked(point);
            if legal_open_fours(board, self.attacker).is_empty() {
                answers.insert(point);
            }
            board.undo();
        }
        answers
    }

    /// Looks at once which answers lose to fours all the same, so that the effort is judged by those that hold.
    fn try_answers(&mut self, board: &mut Board, answers: &PointSet) {
        for answer in answers.iter() {
            if board.class(!self.attacker, answer) < Class::Four && !forbidden_to_mover(board, answer) {
                board.play_unchecked(answer);
                if self.vcf.solve(board, FOURS_FIRST) == Verdict::Win {
                    self.store(board.hash(), Effort::ACHIEVED, 1);
                }
                self.nodes += self.vcf.nodes();
                board.undo();
            }
        }
    }

    fn look_up(&self, board: &Board, point: Point) -> Effort {
        self.entry(board.hash_after(point)).map_or_else(
            || {
                // A four leaves the defender one answer, an open three a few, a quieter threat many.
                let other = match board.class(self.attacker, point) {
                    _ if board.to_move() != self.attacker => 1,
                    class if class >= Class::Four => 1,
                    class if class >= Class::OpenThree => 3,
                    _ => 10,
                };
                Effort { own: 1, other }
            },
            effort_of,
        )
    }

    fn is_known(&self, hash: u64) -> bool {
        self.entry(hash).is_some()
    }

    fn entry(&self, hash: u64) -> Option<&Entry> {
        let key = self.key(hash);
        let start = self.bucket_start(key);
        self.entries[start..start + BUCKET].iter().find(|entry| entry[0] == key)
    }

    fn key(&self, hash: u64) -> u64 {
        if self.attacker == Color::White { hash ^ WHITE_ATTACKS } else { hash }
    }

    fn bucket_start(&self, key: u64) -> usize {
        key as usize & (self.entries.len() - 1) & !(BUCKET - 1)
    }

    fn store(&mut self, hash: u64, effort: Effort, work: u64) {
        let key = self.key(hash);
        let start = self.bucket_start(key);
        let bucket = &mut self.entries[start..start + BUCKET];
        let known = bucket.iter().position(|entry| entry[0] == key);
        let slot = known
            .unwrap_or_else(|| (0..BUCKET).min_by_key(|&slot| bucket[slot][2]).expect("a bucket has slots"));
        let before = known.map_or(0, |slot| bucket[slot][2]);
        bucket[slot] = [key, u64::from(effort.own) | u64::from(effort.other) << 32, before + work.max(1)];
    }

    /// Remembers the move that wins; more of the line where fours alone do it.
    fn note_winning_move(&mut self, board: &mut Board) -> Verdict {
        if self.vcf.solve(board, FOURS_FIRST) == Verdict::Win {
            self.line = self.vcf.line().to_vec();
            self.proof.insert(board, self.line[0]);
            return Verdict::Win;
        }
        let Choice::Moves(moves) = self.choices(board) else { return Verdict::Unknown };
        self.line.extend(moves.iter().copied().find(|&point| self.look_up(board, point).other == 0));
        // Its entry may have been replaced while the search unwound; then nothing is claimed.
        if self.line.is_empty() { Verdict::Unknown } else { Verdict::Win }
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
        let by_fours = self.vcf.solve(board, FOURS_FIRST);
        self.nodes += 1 + self.vcf.nodes();
        if by_fours == Verdict::Win {
            let line = self.vcf.line();
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
            self.out_of_budget |= self.budget.spent(self.nodes);
            if self.out_of_budget {
                return None;
            }
            let Choice::Moves(moves) = self.choices(board) else { return None };
            let proven = moves.iter().copied().find(|&point| self.look_up(board, point).other == 0);
            if proven.is_some() {
                return proven;
            }
            self.search(board, Effort { own: NEVER, other: NEVER });
        }
    }

    fn extract_defence(&mut self, board: &mut Board, lengths: &mut HashMap<u64, u32>) -> Option<u32> {
        // Whatever else the defender plays, a five or an open four follows.
        let mut longest = if board.count(self.attacker, Class::Five) > 0 { 2 } else { 4 };
        if let Choice::Moves(replies) = self.choices(board) {
            for reply in replies {
                board.play_unchecked(reply);
                let length = self.extract_attack(board, lengths);
                board.undo();
                longest = longest.max(1 + length?);
            }
        }
        Some(longest)
    }

    /// Plays the proof through, the defender choosing what lasts longest.
    fn follow(&mut self, mut board: Board, lengths: &HashMap<u64, u32>) -> Option<Vec<Point>> {
        let board = &mut board;
        let mut line = Vec::new();
        loop {
            if self.vcf.solve(board, FOURS_FIRST) == Verdict::Win {
                line.extend_from_slice(self.vcf.line());
                return Some(line);
            }
            let answer = self.proof.answer(board)?;
            board.play_unchecked(answer);
            line.push(answer);
            let reply = match self.choices(board) {
                Choice::Moves(replies) => {
                    let lasting =
                        |&point: &Point| lengths.get(&board.hash_after(point)).copied().unwrap_or(0);
                    replies.into_iter().max_by_key(lasting)?
                }
                // Nothing helps any more: take a cell of the threat and go on to the end.
                Choice::Decided(_) => {
                    let cells = board.cells_of(self.attacker, &[Class::Five, Class::OpenFour]);
                    let Some(reply) = cells.iter().find(|&point| !forbidden_to_mover(board, point)) else {
                        line.extend(cells.first());
                        return Some(line);
                    };
                    reply
                }
            };
            board.play_unchecked(reply);
            line.push(reply);
        }
    }
}

struct Pick {
    point: Point,
    effort: Effort,
    /// The least effort among the other children.
    second: u32,
}

/// Whether a stone here may prepare fours without making a four or an open three itself.
fn is_quiet(class: Class) -> bool {
    (Class::OpenTwo..=Class::ThreeTwo).contains(&class)
}
