//! Every first move that wins, and every move that saves.
//!
//! Both ask the same question about many moves, and the moves share the limits: each gets a small
//! budget, and those that are not decided get a larger one in the next round, until all are or the
//! limits are reached. The tables last from round to round, so that little is searched twice.

use super::threats::{answers_to_fours, answers_to_open_fours, forbidden_to_mover, legal_open_fours, stops};
use super::{Kind, SolveLimits, Vcf, Vct, Verdict, prove};
use crate::Stop;
use fivestone_game::{Board, Class, Point, PointSet};
use std::time::{Duration, Instant};

/// A first move and what it leads to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FirstMove {
    /// The move.
    pub point: Point,
    /// Whether it wins.
    pub verdict: Verdict,
    /// The line with the longest defence, this move first; empty unless it wins, and where the
    /// limits left no room for it.
    pub line: Vec<Point>,
}

/// Every first move that may win.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FirstMoves {
    /// The moves that threaten something of the kind asked for, or may: wins first, the shortest
    /// before the others, then those that are not decided, then those that do not win.
    pub moves: Vec<FirstMove>,
    /// Positions visited.
    pub nodes: u64,
    /// Time used.
    pub elapsed: Duration,
}

/// What comes of a move against a threat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fate {
    /// The other side has no win of this kind any more.
    Saves,
    /// The limits were reached before it was decided.
    Unknown,
    /// The other side wins all the same, with this line; empty where the limits left no room for
    /// it.
    Loses(Vec<Point>),
    /// The point is forbidden to Black.
    Forbidden,
}

/// Every move of a side that faces a threat.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defences {
    /// Whether the other side would win if it were to move.
    pub threat: Verdict,
    /// Its winning line then.
    pub threat_line: Vec<Point>,
    /// Every empty point in reading order, and what a move there comes to; none without a threat.
    pub moves: Vec<(Point, Fate)>,
    /// Positions visited.
    pub nodes: u64,
    /// Time used.
    pub elapsed: Duration,
}

/// Finds every first move with which the side to move wins by force; where it can make five, those
/// moves alone. The position must not be over.
pub fn first_moves(board: &Board, kind: Kind, limits: &SolveLimits, stop: &Stop) -> FirstMoves {
    let mut seeker = Seeker::new(kind, limits, stop);
    let mut board = board.clone();
    let mut candidates: Vec<Candidate> = attacks(&mut board, kind).iter().map(Candidate::new).collect();
    seeker.rounds(&mut candidates, |seeker, candidate, nodes| {
        board.play_unchecked(candidate.point);
        let decided = candidate.advance(seeker, &mut board, nodes);
        board.undo();
        decided
    });
    let mut moves: Vec<FirstMove> = candidates
        .into_iter()
        .filter(|candidate| candidate.threatens || candidate.verdict != Verdict::NoWin)
        .map(Candidate::result)
        .collect();
    let rank = |verdict| match verdict {
        Verdict::Win => 0,
        Verdict::Unknown => 1,
        Verdict::NoWin => 2,
    };
    moves.sort_by_key(|first| (rank(first.verdict), first.line.is_empty(), first.line.len()));
    FirstMoves { moves, nodes: seeker.nodes, elapsed: seeker.started.elapsed() }
}

/// Finds every move after which the other side has no forced win, given that it threatens one. The
/// position must not be over.
pub fn defences(board: &Board, kind: Kind, limits: &SolveLimits, stop: &Stop) -> Defences {
    let mut seeker = Seeker::new(kind, limits, stop);
    let mut board = board.clone();
    board.pass();
    // The threat is written down as well: most moves do nothing against it, and that is seen at
    // once.
    let share = SolveLimits { time: limits.time.map(|time| time / 3), ..limits.clone() };
    let (threat, tree) = prove(&board, kind, &share, stop);
    board.undo();
    seeker.nodes += threat.nodes;
    let mut moves: Vec<(Point, Fate)> = Vec::new();
    if threat.verdict == Verdict::Win {
        moves = board.empty().iter().map(|point| (point, Fate::Unknown)).collect();
        for (point, fate) in &mut moves {
            let wins = board.class(board.to_move(), *point) == Class::Five;
            let forbidden = !wins && forbidden_to_mover(&mut board, *point);
            board.play_unchecked(*point);
            *fate = match &tree {
                _ if wins => Fate::Saves,
                _ if forbidden => Fate::Forbidden,
                Ok(tree) if tree.holds(&mut board) => Fate::Loses(tree.line(&board)),
                _ => Fate::Unknown,
            };
            board.undo();
        }
        seeker.rounds(&mut moves, |seeker, (point, fate), nodes| {
            if *fate != Fate::Unknown {
                return true;
            }
            board.play_unchecked(*point);
            *fate = match seeker.seek(&mut board, nodes) {
                _ if board.empty().is_empty() => Fate::Saves,
                (Verdict::Win, line) => Fate::Loses(line),
                (Verdict::NoWin, _) => Fate::Saves,
                (Verdict::Unknown, _) => Fate::Unknown,
            };
            board.undo();
            *fate != Fate::Unknown
        });
    }
    Defences {
        threat: threat.verdict,
        threat_line: threat.line,
        moves,
        nodes: seeker.nodes,
        elapsed: seeker.started.elapsed(),
    }
}

/// The moves that may begin a forced win: fives where there are any, otherwise fours, and with
/// threes every legal move.
fn attacks(board: &mut Board, kind: Kind) -> PointSet {
    let attacker = board.to_move();
    let fives = board.cells(attacker, Class::Five);
    if !fives.is_empty() {
        return fives;
    }
    let mut moves = match kind {
        Kind::Vcf => board.cells_of(attacker, &Class::FOURS),
        Kind::Vct => *board.empty(),
    };
    if board.count(!attacker, Class::Five) > 0 {
        moves = moves.intersection(&stops(board, !attacker));
    }
    moves.iter().filter(|&point| !forbidden_to_mover(board, point)).collect()
}

/// A first move under examination.
struct Candidate {
    point: Point,
    verdict: Verdict,
    /// Whether anything is known to be threatened; without, it is no move of the kind asked for.
    threatens: bool,
    /// The replies that are not yet shown to lose, once they are known.
    replies: Option<Vec<Point>>,
    /// The longest line after the move so far.
    line: Vec<Point>,
    /// Whether a win was found without its line.
    line_missing: bool,
}

impl Candidate {
    fn new(point: Point) -> Candidate {
        Candidate {
            point,
            verdict: Verdict::Unknown,
            threatens: false,
            replies: None,
            line: Vec::new(),
            line_missing: false,
        }
    }

    fn result(self) -> FirstMove {
        let line = match self.verdict {
            Verdict::Win if !self.line_missing => [self.point].into_iter().chain(self.line).collect(),
            _ => Vec::new(),
        };
        FirstMove { point: self.point, verdict: self.verdict, line }
    }

    /// Goes on with a move that stands on the board. Answers whether it is decided.
    fn advance(&mut self, seeker: &mut Seeker, board: &mut Board, nodes: u64) -> bool {
        if self.verdict == Verdict::Unknown {
            self.verdict = self.judge(seeker, board, nodes);
        }
        self.verdict != Verdict::Unknown
    }

    fn judge(&mut self, seeker: &mut Seeker, board: &mut Board, nodes: u64) -> Verdict {
        let (attacker, defender) = (!board.to_move(), board.to_move());
        board.undo();
        let wins = board.class(attacker, self.point) == Class::Five;
        board.play_unchecked(self.point);
        if wins {
            self.threatens = true;
            return Verdict::Win;
        }
        if board.count(defender, Class::Five) > 0 || board.empty().is_empty() {
            return Verdict::NoWin;
        }
        if self.replies.is_none() {
            match seeker.replies(board, nodes) {
                Ok(replies) => self.replies = Some(replies),
                Err(verdict) => return verdict,
            }
            self.threatens = true;
        }
        let mut left = Vec::new();
        for &reply in self.replies.as_deref().unwrap_or_default() {
            board.play_unchecked(reply);
            let (verdict, line) = seeker.seek(board, nodes);
            board.undo();
            match verdict {
                Verdict::NoWin => return Verdict::NoWin,
                Verdict::Unknown => left.push(reply),
                Verdict::Win if line.is_empty() => self.line_missing = true,
                Verdict::Win if line.len() >= self.line.len() => {
                    self.line = [reply].into_iter().chain(line).collect();
                }
                Verdict::Win => {}
            }
        }
        let done = left.is_empty();
        self.replies = Some(left);
        if done && self.line.is_empty() && !self.line_missing {
            self.line = seeker.hopeless_line(board, nodes);
        }
        if done { Verdict::Win } else { Verdict::Unknown }
    }
}

/// Nodes that a line may always cost.
const LINE_NODES: u64 = 20_000;

/// Searches for wins of one kind under limits that many searches share.
struct Seeker {
    kind: Kind,
    vcf: Vcf,
    vct: Vct,
    started: Instant,
    deadline: Option<Instant>,
    stop: Stop,
    most_nodes: u64,
    nodes: u64,
}

impl Seeker {
    fn new(kind: Kind, limits: &SolveLimits, stop: &Stop) -> Seeker {
        let started = Instant::now();
        let for_threes = if kind == Kind::Vct { limits.memory / 2 } else { 0 };
        Seeker {
            kind,
            vcf: Vcf::with_memory(limits.memory / 8),
            vct: Vct::with_memory(for_threes),
            started,
            deadline: limits.time.and_then(|time| started.checked_add(time)),
            stop: stop.clone(),
            most_nodes: limits.nodes,
            nodes: 0,
        }
    }

    fn spent(&self) -> bool {
        let late = self.deadline.is_some_and(|deadline| Instant::now() >= deadline);
        late || self.stop.raised() || self.nodes >= self.most_nodes
    }

    /// Works on all items with growing budgets until each is decided or the limits are reached.
    fn rounds<T>(&mut self, items: &mut [T], mut decide: impl FnMut(&mut Seeker, &mut T, u64) -> bool) {
        let mut nodes: u64 = 500;
        loop {
            let mut undecided = false;
            for item in &mut *items {
                if self.spent() {
                    return;
                }
                undecided |= !decide(self, item, nodes);
            }
            if !undecided || nodes == u64::MAX {
                return;
            }
            nodes = nodes.saturating_mul(8);
        }
    }

    /// Whether the side to move wins, within so many nodes; its line if it does.
    fn seek(&mut self, board: &mut Board, nodes: u64) -> (Verdict, Vec<Point>) {
        let allowed = nodes.min(self.most_nodes.saturating_sub(self.nodes));
        let verdict = self.vcf.solve_until(board, allowed, self.deadline, &self.stop);
        self.nodes += self.vcf.nodes();
        if verdict == Verdict::Win || self.kind == Kind::Vcf {
            return (verdict, self.vcf.line().to_vec());
        }
        let allowed = nodes.min(self.most_nodes.saturating_sub(self.nodes));
        let verdict = self.vct.solve_until(board, allowed, self.deadline, &self.stop);
        if verdict == Verdict::Win {
            // The win is certain, whether or not the limits leave room for its line.
            let most = allowed.saturating_mul(4).max(LINE_NODES);
            if !self.vct.extract(board, most, self.deadline, &self.stop) {
                self.nodes += self.vct.nodes();
                return (verdict, Vec::new());
            }
        }
        self.nodes += self.vct.nodes();
        (verdict, self.vct.line().to_vec())
    }

    /// The legal replies among which every defence against the attacker's last move is. Instead, a
    /// verdict: `NoWin` where nothing is threatened, `Unknown` where that is not decided.
    fn replies(&mut self, board: &mut Board, nodes: u64) -> Result<Vec<Point>, Verdict> {
        let attacker = !board.to_move();
        let answers = if board.count(attacker, Class::Five) > 0 {
            stops(board, attacker)
        } else if self.kind == Kind::Vcf {
            return Err(Verdict::NoWin);
        } else {
            let open_fours = legal_open_fours(board, attacker);
            if open_fours.is_empty() {
                board.pass();
                let allowed = nodes.min(self.most_nodes.saturating_sub(self.nodes));
                let threat = self.vcf.solve_until(board, allowed, self.deadline, &self.stop);
                board.undo();
                self.nodes += self.vcf.nodes();
                if threat != Verdict::Win {
                    return Err(threat);
                }
                let line = self.vcf.line().to_vec();
                answers_to_fours(board, attacker, &line)
            } else {
                answers_to_open_fours(board, attacker, &open_fours)
            }
        };
        Ok(answers.iter().filter(|&reply| !forbidden_to_mover(board, reply)).collect())
    }

    /// How the game ends when no reply helps: with one on a cell of the threat and what follows, or
    /// with a forbidden one.
    fn hopeless_line(&mut self, board: &mut Board, nodes: u64) -> Vec<Point> {
        let cells = board.cells_of(!board.to_move(), &[Class::Five, Class::OpenFour]);
        let Some(reply) = cells.iter().find(|&point| !forbidden_to_mover(board, point)) else {
            return cells.first().into_iter().collect();
        };
        board.play_unchecked(reply);
        let (_, line) = self.seek(board, nodes);
        board.undo();
        [reply].into_iter().chain(line).collect()
    }
}
