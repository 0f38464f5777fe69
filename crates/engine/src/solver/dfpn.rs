//! Victory by fours and threes, by depth-first proof-number search.
//!
//! A threat is every move after which the attacker would complete a five or win by fours if he
//! moved again. Positions with the attacker to move need one winning threat, positions with the
//! defender to move need every reply answered. Both are stored from the mover's view: `own` is how
//! much is left to do for the mover to reach what it wants, `other` the same for the other side; 0
//! is done, [`NEVER`] impossible.
//!
//! Lines of play meet again, so efforts are not added up: a sum would count the same work many
//! times over and grow without bound. A position costs as much as its hardest child, and one more
//! for each other child that is open ("weak proof numbers").
//!
//! Proof numbers and deepening (`deepen.rs`) take turns at a position: each finds wins that the
//! other does not. Only proof numbers show that there is none.

use super::deepen::Deepening;
use super::lists::MoveLists;
use super::proof_table::{Effort, Known, NEVER, ProofTable};
use super::threats::{answers_to_fours, forbidden_to_mover, legal_open_fours, stops, stops_of_open_fours};
use super::{Budget, Vcf, Verdict};
use crate::Stop;
use fivestone_game::{Board, Class, Color, Point, PointSet};
use std::sync::Arc;
use std::time::Instant;

/// Fours tried at each new position of the attacker before threes are.
pub(super) const FOURS_FIRST: u64 = 60;
/// Fours tried against an answer to a threat before it counts as one that holds.
const FOURS_AT_ANSWER: u64 = 20;
/// How many answers have to hold before the others are left for later.
const ANSWERS_THAT_HOLD: usize = 2;
/// How many times more fours are tried each time a threat was neither found nor ruled out.
const FOURS_GROWTH: u64 = 4;
/// The highest level a position is stored with.
const TOP_LEVEL: u8 = 24;
/// The attacker's effort for a four that is not looked at yet. Fours alone were tried before.
const FOUR: u32 = 3;
/// The same for an open three: it leaves the defender a few answers.
const OPEN_THREE: u32 = 4;
/// The same for a move that makes a shape but no open three: if it threatens, it leaves many.
const QUIET: u32 = 6;
/// The same for all moves that make no shape.
const SHAPELESS: Effort = Effort { own: 1, other: 30 };

/// The attacker's forcing moves that promise a win; each one that is missing adds to the effort.
const MANY_FORCING: u32 = 12;
/// What counts as forcing here. More would win at once.
const FORCING: [Class; 5] =
    [Class::OpenThree, Class::OpenThreeThree, Class::DoubleThree, Class::Four, Class::FourThree];
/// What a four of the defender adds to the attacker's effort.
const COUNTER_FOUR: u32 = 2;
/// Nodes of the first turn of each kind of search; later turns are longer by [`TURN_GROWTH`].
const FIRST_TURN: u64 = 4000;
const TURN_GROWTH: u64 = 2;

/// Told apart in the table from positions in which Black attacks.
const WHITE_ATTACKS: u64 = 0x9e37_79b9_7f4a_7c15;

/// One thread of the search. Tables last from call to call, so that a second, longer look at a
/// position goes on where the first one ended.
pub(super) struct Prover {
    table: Arc<ProofTable>,
    lists: MoveLists,
    pub vcf: Vcf,
    pub attacker: Color,
    /// Fours tried at a new position of the attacker, and at first for a threat.
    pub first_fours: u64,
    /// Stones in the position that was asked about.
    root_stones: usize,
    budget: Budget,
    out_of_budget: bool,
    pub nodes: u64,
    /// The number of nodes at which the present turn ends.
    turn_ends: u64,
    pub deepening: Deepening,
    place: Place,
}

/// Who works on a question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// One thread alone.
    Alone,
    /// One of several threads: every second one begins with deepening.
    Among(usize),
}

/// What a position offers.
pub(super) enum Choice {
    Decided(Effort),
    /// Whether the attacker threatens anything is not known yet.
    Unclear,
    /// The moves to look at. Where `all` is false there are others, which make no shape.
    Moves {
        moves: Vec<Point>,
        all: bool,
    },
}

/// A move, or all moves not looked at yet.
struct Child {
    point: Option<Point>,
    key: u64,
    effort: Effort,
}

impl Prover {
    pub fn new(table: Arc<ProofTable>, bytes: usize, place: Place) -> Prover {
        Prover {
            table,
            lists: MoveLists::with_memory(bytes * 3 / 8),
            vcf: Vcf::with_memory(bytes / 2),
            attacker: Color::Black,
            first_fours: FOURS_FIRST,
            root_stones: 0,
            budget: Budget::new(0, None, &Stop::new()),
            out_of_budget: false,
            nodes: 0,
            turn_ends: u64::MAX,
            deepening: Deepening::with_memory(bytes / 8),
            place,
        }
    }

    /// Gets ready for a question about the side to move.
    pub fn begin(&mut self, board: &Board, nodes: u64, deadline: Option<Instant>, stop: &Stop) {
        self.attacker = board.to_move();
        self.root_stones = board.stone_count();
        self.nodes = 0;
        self.deepening.begin();
        self.allow(nodes, deadline, stop);
    }

    /// Sets how far the search may go on from here.
    pub fn allow(&mut self, nodes: u64, deadline: Option<Instant>, stop: &Stop) {
        self.budget = Budget::new(self.nodes.saturating_add(nodes), deadline, stop);
        self.out_of_budget = false;
    }

    /// Works on a position until it is decided or the budget is spent.
    pub fn prove(&mut self, board: &mut Board) -> Effort {
        let mut nodes = FIRST_TURN;
        if matches!(self.place, Place::Among(index) if index % 2 == 1) {
            self.for_a_turn(nodes, |prover| prover.deepen(board));
        }
        loop {
            let no_limit = Effort { own: NEVER, other: NEVER };
            let effort = self.for_a_turn(nodes, |prover| prover.search(board, no_limit));
            if effort.decided() || self.spent() {
                return effort;
            }
            self.for_a_turn(nodes, |prover| prover.deepen(board));
            nodes = nodes.saturating_mul(TURN_GROWTH);
        }
    }

    fn for_a_turn<T>(&mut self, nodes: u64, work: impl FnOnce(&mut Prover) -> T) -> T {
        self.turn_ends = self.nodes.saturating_add(nodes);
        let result = work(self);
        self.turn_ends = u64::MAX;
        self.out_of_budget = false;
        result
    }

    /// As [`Prover::prove`] beside other threads with the same question: the first answer ends them
    /// all.
    pub fn prove_together(&mut self, board: &mut Board) -> Effort {
        let effort = self.prove(board);
        if effort.decided() {
            self.table.set_answered(true);
        }
        effort
    }

    /// Whether the budget or the turn is over; asked now and then, it also looks at the clock.
    pub fn spent(&mut self) -> bool {
        self.out_of_budget |=
            self.nodes >= self.turn_ends || self.budget.spent(self.nodes) || self.table.answered();
        self.out_of_budget
    }

    /// What was decided about a position.
    pub fn decided(&self, key: u64) -> Option<Effort> {
        self.table.get(key).map(|known| known.effort).filter(|effort| effort.decided())
    }

    /// Stores a decision, with the nodes it took.
    pub fn store_decided(&self, key: u64, effort: Effort, work: u64) {
        let level = self.table.get(key).map_or(0, |known| known.level);
        self.table.store(key, Known { effort, level }, work);
    }

    /// Works on a position until it is decided or either effort reaches its limit.
    fn search(&mut self, board: &mut Board, limit: Effort) -> Effort {
        let started_at = self.nodes;
        self.nodes += 1;
        let key = self.key(board.hash());
        let mut level = self.table.get(key).map_or(0, |known| known.level);
        let (moves, all) = match self.choices(board) {
            Choice::Decided(effort) => {
                self.table.store(key, Known { effort, level }, self.nodes - started_at);
                return effort;
            }
            Choice::Unclear => {
                level = (level + 1).min(TOP_LEVEL);
                let times = 1 << level.min(16);
                let effort = Effort { own: times, other: times * QUIET };
                self.spent();
                self.table.store(key, Known { effort, level }, self.nodes - started_at);
                return effort;
            }
            Choice::Moves { moves, all } => (moves, all),
        };
        let mut children: Vec<Child> = self.children(board, &moves);
        if !all {
            children.push(Child { point: None, key: 0, effort: SHAPELESS });
        }
        loop {
            let (effort, mut pick) = weigh(&children);
            let reached = effort.own >= limit.own || effort.other >= limit.other;
            if effort.decided() || reached || self.spent() {
                self.table.store(key, Known { effort, level }, self.nodes - started_at);
                return effort;
            }
            if self.place != Place::Alone {
                self.step_aside(&children, limit.own, &mut pick);
            }
            let Some(point) = children[pick.index].point else {
                level = 1;
                children.pop();
                let more = self.shapeless_threats(board);
                children.extend(self.children(board, &more));
                let moves: Vec<Point> = children.iter().filter_map(|child| child.point).collect();
                self.lists.insert(key, level, &moves);
                if moves.is_empty() {
                    self.table.store(key, Known { effort: Effort::LOST, level }, self.nodes - started_at);
                    return Effort::LOST;
                }
                continue;
            };
            let child_limit = Effort {
                own: limit.other.saturating_sub(pick.others).min(NEVER),
                other: limit.own.min(pick.second.saturating_add(1 + pick.second / 4)).min(NEVER),
            };
            let child = &mut children[pick.index];
            board.play_unchecked(point);
            self.table.enter(child.key);
            child.effort = self.search(board, child_limit);
            self.table.leave(child.key);
            board.undo();
            if self.place != Place::Alone {
                self.refresh(&mut children);
            }
        }
    }

    fn children(&self, board: &Board, moves: &[Point]) -> Vec<Child> {
        let child = |&point| {
            let key = self.key(board.hash_after(point));
            Child { point: Some(point), key, effort: self.look_up(board, point) }
        };
        moves.iter().map(child).collect()
    }

    /// Picks a child at which no other thread works, where one is not much worse.
    fn step_aside(&self, children: &[Child], limit: u32, pick: &mut Pick) {
        if self.table.workers(children[pick.index].key) == 0 {
            return;
        }
        let best = children[pick.index].effort.other;
        let seeming = |child: &Child| {
            child.effort.other.saturating_mul(1 + 2 * u32::from(self.table.workers(child.key)))
        };
        let open = |child: &Child| child.point.is_some() && child.effort.other < limit;
        let free = children.iter().enumerate().filter(|(_, child)| open(child));
        let quietest = free.min_by_key(|(_, child)| seeming(child));
        if let Some((index, child)) = quietest.filter(|(index, _)| *index != pick.index) {
            // Its limit is its own effort then, which is more than the least of the others.
            *pick = Pick { index, second: child.effort.other.max(best), ..*pick };
        }
    }

    /// Takes over what other threads found out.
    fn refresh(&self, children: &mut [Child]) {
        for child in children.iter_mut().filter(|child| child.point.is_some()) {
            if let Some(known) = self.table.get(child.key) {
                child.effort = known.effort;
            }
        }
    }

    /// What a position offers, as far as it was examined so far.
    pub fn choices(&mut self, board: &mut Board) -> Choice {
        let attacks = board.to_move() == self.attacker;
        let key = self.key(board.hash());
        let known = self.table.get(key);
        let level = known.map_or(0, |known| known.level);
        if let Some(moves) = self.lists.get(key, level) {
            let all = !attacks || level > 0 || self.needs_shape(board);
            return Choice::Moves { moves: moves.to_vec(), all };
        }
        let choice = if attacks {
            self.attacks(board, known.is_none(), level)
        } else {
            self.defences(board, known.is_none(), level)
        };
        if let Choice::Moves { moves, .. } = &choice {
            self.lists.insert(key, level, moves);
        }
        choice
    }

    fn attacks(&mut self, board: &mut Board, is_new: bool, level: u8) -> Choice {
        let attacker = self.attacker;
        if board.count(attacker, Class::Five) > 0 {
            return Choice::Decided(Effort::ACHIEVED);
        }
        let all = level > 0 || self.needs_shape(board);
        let mut moves: Vec<Point> = if board.count(!attacker, Class::Five) > 0 {
            stops(board, !attacker).iter().collect()
        } else {
            if is_new {
                let verdict = self.vcf.solve(board, self.first_fours);
                self.nodes += self.vcf.nodes();
                if verdict == Verdict::Win {
                    return Choice::Decided(Effort::ACHIEVED);
                }
            }
            let fours = board.cells_of(attacker, &Class::FOURS);
            let threes = board.cells_of(attacker, &Class::OPEN_THREES);
            // Without a four at hand, a win by fours begins with one that this move prepares.
            let least = if fours.is_empty() { Class::Three } else { Class::OpenTwo };
            let prepares = |&point: &Point| (least..=Class::ThreeTwo).contains(&board.class(attacker, point));
            let quiet = board.empty().iter().filter(prepares);
            fours.iter().chain(threes.iter()).chain(quiet).collect()
        };
        if board.rule().restricts(attacker) {
            moves.retain(|&point| !board.is_forbidden(point));
        }
        if level > 0 && !self.needs_shape(board) {
            moves.extend(self.shapeless_threats(board));
        }
        if moves.is_empty() && all {
            return Choice::Decided(Effort::LOST);
        }
        Choice::Moves { moves, all }
    }

    /// Whether every threat of the attacker, to move, makes a shape: he has to stop a five, or
    /// there is no four at hand that a quiet move could support.
    fn needs_shape(&self, board: &Board) -> bool {
        let fours = Class::FOURS.iter().any(|&class| board.count(self.attacker, class) > 0);
        !fours || board.count(!self.attacker, Class::Five) > 0
    }

    /// The moves that make no shape and threaten all the same, by stopping a reply or by making one
    /// forbidden; also those of which that is not clear yet.
    fn shapeless_threats(&mut self, board: &mut Board) -> Vec<Point> {
        let attacker = self.attacker;
        let mut threats = Vec::new();
        for point in board.empty().iter().collect::<Vec<_>>() {
            let class = board.class(attacker, point);
            if class >= Class::OpenThree || is_quiet(class) || forbidden_to_mover(board, point) {
                continue;
            }
            if self.spent() {
                // Nothing may be ruled out any more.
                threats.push(point);
                continue;
            }
            board.play_unchecked(point);
            if self.threat(board, self.first_fours) != Verdict::NoWin {
                threats.push(point);
            }
            board.undo();
        }
        threats
    }

    /// Whether the attacker would win by fours if the defender passed.
    fn threat(&mut self, board: &mut Board, fours: u64) -> Verdict {
        board.pass();
        let Budget { deadline, stop, .. } = &self.budget;
        let threat = self.vcf.solve_until(board, fours, *deadline, stop);
        board.undo();
        self.nodes += self.vcf.nodes();
        threat
    }

    fn defences(&mut self, board: &mut Board, is_new: bool, level: u8) -> Choice {
        let (attacker, defender) = (self.attacker, !self.attacker);
        if board.count(defender, Class::Five) > 0 {
            return Choice::Decided(Effort::ACHIEVED);
        }
        let candidates = if board.count(attacker, Class::Five) > 0 {
            stops(board, attacker)
        } else {
            let open_fours = legal_open_fours(board, attacker);
            if open_fours.is_empty() {
                match self.threat(board, self.first_fours.saturating_mul(FOURS_GROWTH.pow(level.into()))) {
                    Verdict::NoWin => return Choice::Decided(Effort::ACHIEVED),
                    Verdict::Unknown => return Choice::Unclear,
                    Verdict::Win => {}
                }
                let line = self.vcf.line().to_vec();
                let answers = answers_to_fours(board, attacker, &line);
                if is_new {
                    self.try_answers(board, &answers);
                }
                answers
            } else {
                self.answers_to_open_four(board, &open_fours)
            }
        };
        let mut moves: Vec<Point> = candidates.iter().collect();
        if board.rule().restricts(defender) {
            moves.retain(|&point| !board.is_forbidden(point));
        }
        if moves.is_empty() {
            return Choice::Decided(Effort::LOST);
        }
        Choice::Moves { moves, all: true }
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

    /// Looks at once which answers lose to fours all the same, until some hold, so that the effort
    /// is judged by those.
    fn try_answers(&mut self, board: &mut Board, answers: &PointSet) {
        let mut held = 0;
        for answer in answers.iter() {
            if board.class(!self.attacker, answer) >= Class::Four || forbidden_to_mover(board, answer) {
                continue;
            }
            board.play_unchecked(answer);
            if self.vcf.solve(board, FOURS_AT_ANSWER) == Verdict::Win {
                let known = Known { effort: Effort::ACHIEVED, level: 0 };
                self.table.store(self.key(board.hash()), known, 1);
            } else {
                held += 1;
            }
            self.nodes += self.vcf.nodes();
            board.undo();
            if held == ANSWERS_THAT_HOLD {
                break;
            }
        }
    }

    /// What is known of the position after a move, or else thought of it.
    pub fn look_up(&self, board: &Board, point: Point) -> Effort {
        if let Some(known) = self.table.get(self.key(board.hash_after(point))) {
            return known.effort;
        }
        // Each ply costs one more, or forcing moves that lead nowhere would be tried in every order
        // before a short win with a quiet move is.
        let plies = board.stone_count().saturating_sub(self.root_stones) as u32;
        if board.to_move() != self.attacker {
            return Effort { own: 1, other: 1 + plies };
        }
        let other = match board.class(self.attacker, point) {
            class if class >= Class::Four => FOUR,
            class if class >= Class::OpenThree => OPEN_THREE,
            _ => QUIET,
        };
        Effort { own: 1, other: other + plies + self.lack_of_threats(board) }
    }

    /// The effort that is added where the attacker has few forcing moves, or the defender fours.
    fn lack_of_threats(&self, board: &Board) -> u32 {
        let count = |color: Color, classes: &[Class]| -> u32 {
            classes.iter().map(|&class| board.count(color, class) as u32).sum()
        };
        let forcing = count(self.attacker, &FORCING);
        MANY_FORCING.saturating_sub(forcing) + COUNTER_FOUR * count(!self.attacker, &Class::FOURS)
    }

    pub fn key(&self, hash: u64) -> u64 {
        if self.attacker == Color::White { hash ^ WHITE_ATTACKS } else { hash }
    }
}

/// The child to work on.
struct Pick {
    index: usize,
    /// What the other open children add to the effort.
    others: u32,
    /// The least effort among the other children.
    second: u32,
}

/// A position's effort from its children, and the child to work on.
fn weigh(children: &[Child]) -> (Effort, Pick) {
    let mut effort = Effort { own: NEVER, other: 0 };
    let mut pick = Pick { index: 0, others: 0, second: NEVER };
    let mut open = 0;
    for (index, child) in children.iter().enumerate() {
        let child = child.effort;
        if child.other < effort.own {
            pick = Pick { index, second: effort.own, ..pick };
            effort.own = child.other;
        } else {
            pick.second = pick.second.min(child.other);
        }
        if child.own > 0 {
            open += 1;
            effort.other = effort.other.max(child.own);
        }
    }
    if effort.own == 0 {
        effort.other = NEVER;
    } else if open > 0 {
        pick.others = open - 1;
        effort.other = (effort.other + pick.others).min(NEVER - 1);
    }
    (effort, pick)
}

/// Whether a stone here may prepare fours without making a four or an open three itself.
fn is_quiet(class: Class) -> bool {
    (Class::OpenTwo..=Class::ThreeTwo).contains(&class)
}
