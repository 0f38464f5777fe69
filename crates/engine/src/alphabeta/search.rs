//! One thread's principal-variation search.

use super::question::{Attempt, PROVEN, Question, Sight, Situation, to_table};
use super::table::{Bound, Known, Table};
use crate::evaluation::Evaluator;
use crate::solver::{Vcf, Verdict, answers_to_open_fours, legal_open_fours, stops};
use crate::{Budget, Stop};
use fivestone_game::{Board, Class, Color, GRID, Point, PointSet};

const INFINITE: i32 = 32_000;
const MAX_PLY: usize = 128;
/// Fours tried where the search ends, and where it goes on.
const HORIZON_FOURS: u64 = 100;
const INNER_FOURS: u64 = 250;

/// A thread's state.
pub(super) struct Searcher<'a> {
    pub board: Board,
    table: &'a Table,
    vcf: Vcf,
    evaluators: [Evaluator; 2],
    history: Vec<[i32; 2]>,
    killers: [[Option<Point>; 2]; MAX_PLY],
    /// The move that refuted the last one, by the last one's grid index.
    replies: Vec<Option<Point>>,
    reductions: Vec<i32>,
    budget: Budget,
    stop: &'a Stop,
    pub nodes: u64,
    stopped: bool,
    pv: Vec<Vec<Point>>,
}

/// A move at the root with its last score.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub point: Point,
    pub score: i32,
    pub nodes: u64,
    pub pv: Vec<Point>,
}

impl<'a> Searcher<'a> {
    pub fn new(board: &Board, table: &'a Table, budget: Budget, stop: &'a Stop, vcf_memory: usize) -> Self {
        let reduction = |depth: usize, order: usize| {
            (0.4 + (depth.max(1) as f64).ln() * (order.max(1) as f64).ln() / 2.1) as i32
        };
        Searcher {
            board: board.clone(),
            table,
            vcf: Vcf::with_memory(vcf_memory),
            evaluators: Color::BOTH.map(|color| Evaluator::new(board, color)),
            history: vec![[0; 2]; GRID],
            killers: [[None; 2]; MAX_PLY],
            replies: vec![None; GRID],
            reductions: (0..64 * 64).map(|i| reduction(i / 64, i % 64)).collect(),
            budget,
            stop,
            nodes: 0,
            stopped: false,
            pv: vec![Vec::new(); MAX_PLY + 1],
        }
    }

    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// Searches the root moves to a depth, best moves first. Answers false when it was stopped before the first move
    /// was judged. `from` leaves the first ones out: they are already chosen as better lines.
    pub fn search_root(&mut self, moves: &mut [RootMove], from: usize, depth: i32, guess: i32) -> bool {
        let mut window = if depth >= 4 { 60 } else { INFINITE };
        let (mut alpha, mut beta) = ((guess - window).max(-INFINITE), (guess + window).min(INFINITE));
        loop {
            let question = Question { alpha, beta, depth, ply: 0 };
            let Some(best) = self.search_root_window(moves, from, question) else { return false };
            if self.stopped || best > alpha && best < beta || window >= INFINITE {
                return true;
            }
            window *= 4;
            if best <= alpha {
                alpha = (best - window).max(-INFINITE);
            } else {
                beta = (best + window).min(INFINITE);
            }
        }
    }

    fn search_root_window(&mut self, moves: &mut [RootMove], from: usize, question: Question) -> Option<i32> {
        let Question { mut alpha, beta, depth, .. } = question;
        let mut best = -INFINITE;
        for order in from..moves.len() {
            let point = moves[order].point;
            let before = self.nodes;
            self.board.play_unchecked(point);
            let mut score = -INFINITE;
            if order > from {
                let late = order > from + 3 && depth > 2;
                let reduction = if late { self.reduction(depth, order - from) } else { 0 };
                score = self.scout(alpha, depth - 1, reduction, 1);
            }
            if order == from || score > alpha && !self.stopped {
                score = -self.search(Question { alpha: -beta, beta: -alpha, depth: depth - 1, ply: 1 });
            }
            self.board.undo();
            moves[order].nodes += self.nodes - before;
            if self.stopped {
                return (order > from).then_some(best);
            }
            if score > best {
                best = score;
                moves[order].score = score;
                moves[order].pv = [&[point], &self.pv[1][..]].concat();
                // Keep the best in front, the rest in their order.
                moves[from..=order].rotate_right(1);
            } else {
                moves[order].score = moves[order].score.min(best).min(score);
            }
            alpha = alpha.max(score);
            if alpha >= beta {
                break;
            }
        }
        Some(best)
    }

    /// The score of the position for the side to move.
    fn search(&mut self, question: Question) -> i32 {
        self.enter(question.ply);
        if self.stopped {
            return 0;
        }
        // 1. Wins and losses that can be seen.
        let stops = match self.sight(&question) {
            Sight::Decided(score) => return score,
            Sight::Threatened(stops) => Some(stops),
            Sight::Open => None,
        };
        if question.ply >= MAX_PLY - 1 {
            return self.evaluate();
        }
        let question = question.narrowed();
        if question.alpha >= question.beta {
            return question.alpha;
        }
        // 2. What is remembered.
        let known = self.table.look_up(self.board.hash());
        if let Some(score) = known.and_then(|known| question.answered_by(known)) {
            return score;
        }
        // 3. Fours, and the end of the search.
        if stops.is_none()
            && let Some(score) = self.leaf(&question, known)
        {
            return score;
        }
        // 4. A position far above beta with nothing threatened against it stays there.
        let situation = stops.map_or_else(|| self.situation(), Situation::Threatened);
        if situation == Situation::Quiet
            && let Some(score) = self.far_above(&question)
        {
            return score;
        }
        // 5. The moves, in order.
        let moves = self.ordered(&self.candidates(&situation), known, question.ply);
        self.search_moves(question, &situation, &moves)
    }

    /// Counts a node and asks whether the search has to end.
    fn enter(&mut self, ply: usize) {
        self.nodes += 1;
        self.pv[ply].clear();
        self.stopped |= self.budget.visits.is_some_and(|visits| self.nodes >= visits);
        if self.nodes.is_multiple_of(256) {
            self.stopped |= self.stop.raised() || self.budget.spent(&self.budget.progress(self.nodes));
        }
    }

    /// What the patterns alone say.
    fn sight(&mut self, question: &Question) -> Sight {
        let mover = self.board.to_move();
        if let Some(five) = self.first_of(mover, Class::Five) {
            self.pv[question.ply].push(five);
            return Sight::Decided(question.win_in(1));
        }
        if self.board.empty().is_empty() {
            return Sight::Decided(0);
        }
        if self.board.count(!mover, Class::Five) > 0 {
            let stops = stops(&mut self.board, !mover);
            let stops: PointSet = stops.iter().filter(|&point| self.board.is_legal(point)).collect();
            let lost = Sight::Decided(-question.win_in(2));
            return if stops.is_empty() { lost } else { Sight::Threatened(stops) };
        }
        match legal_open_fours(&mut self.board, mover).first() {
            Some(four) => {
                self.pv[question.ply].push(four);
                Sight::Decided(question.win_in(3))
            }
            None => Sight::Open,
        }
    }

    /// The score of a position that is won by fours, or where the search ends.
    fn leaf(&mut self, question: &Question, known: Option<Known>) -> Option<i32> {
        let &Question { depth, ply, .. } = question;
        let fours = if depth <= 0 { HORIZON_FOURS } else { INNER_FOURS };
        if known.is_none() && self.vcf.solve(&mut self.board, fours) == Verdict::Win {
            let line = self.vcf.line();
            let score = question.win_in(line.len());
            let point = line[0].index() as u16;
            self.pv[ply] = line.to_vec();
            self.remember(ply, Known { point, score: score as i16, depth: 100, bound: Bound::Lower });
            return Some(score);
        }
        if depth > 0 {
            return None;
        }
        let score = self.evaluate();
        if known.is_none() {
            self.remember(ply, Known { point: 0, score: score as i16, depth: 0, bound: Bound::Exact });
        }
        Some(score)
    }

    /// What the moves have to reckon with where no five is threatened.
    fn situation(&mut self) -> Situation {
        let mover = self.board.to_move();
        let open_fours = legal_open_fours(&mut self.board, !mover);
        if open_fours.is_empty() { Situation::Quiet } else { Situation::Pressed(open_fours) }
    }

    /// The value of a quiet position so far above beta that no move needs to be tried.
    fn far_above(&self, question: &Question) -> Option<i32> {
        if question.is_pv() || question.depth > 5 || question.beta.abs() >= PROVEN {
            return None;
        }
        let value = self.evaluate();
        let enough = value - 110 * question.depth >= question.beta;
        let other = !self.board.to_move();
        (enough && self.board.cells_of(other, &Class::FOURS).is_empty()).then_some(value)
    }

    fn candidates(&self, situation: &Situation) -> PointSet {
        match situation {
            Situation::Threatened(stops) => *stops,
            Situation::Pressed(open_fours) => {
                answers_to_open_fours(&self.board, !self.board.to_move(), open_fours)
            }
            Situation::Quiet => self.board.near(2),
        }
    }

    /// Searches moves in order and remembers what comes of it.
    fn search_moves(&mut self, question: Question, situation: &Situation, moves: &[(i32, Point)]) -> i32 {
        let (mut best, mut alpha, mut searched) = (None, question.alpha, 0);
        for &(_, point) in moves.iter().take(situation.width(&question)) {
            if !self.board.is_legal(point) {
                continue;
            }
            let score = self.try_move(&question, situation, &Attempt { point, alpha, searched });
            if self.stopped {
                return 0;
            }
            searched += 1;
            if best.is_some_and(|(highest, _)| score <= highest) {
                continue;
            }
            best = Some((score, point));
            if question.is_pv() && score > alpha {
                self.lead_with(point, question.ply);
            }
            alpha = alpha.max(score);
            if alpha >= question.beta {
                self.reward(point, question.depth, question.ply);
                break;
            }
        }
        match best {
            Some((score, point)) => self.conclude(&question, situation, score, point),
            // Every candidate is forbidden: nothing can be said about the rest.
            None => self.evaluate(),
        }
    }

    /// The score of a move for the side that makes it: the first is searched in full, the others to
    /// show that they are no better.
    fn try_move(&mut self, question: &Question, situation: &Situation, attempt: &Attempt) -> i32 {
        let &Question { beta, depth, ply, .. } = question;
        let &Attempt { point, alpha, searched } = attempt;
        let is_pv = question.is_pv();
        let next_depth = situation.next_depth(question);
        let class = self.board.class(self.board.to_move(), point);
        self.board.play_unchecked(point);
        let mut score = -INFINITE;
        if searched > 0 {
            let late = searched > 1 && depth > 1 && !situation.is_threatened();
            let reduction = if late {
                let less = i32::from(is_pv) + i32::from(class >= Class::OpenThree);
                (self.reduction(depth, searched) - less).clamp(0, depth - 1)
            } else {
                0
            };
            score = self.scout(alpha, next_depth, reduction, ply + 1);
        }
        if searched == 0 || is_pv && score > alpha && !self.stopped {
            let full = Question { alpha: -beta, beta: -alpha, depth: next_depth, ply: ply + 1 };
            score = -self.search(full);
        }
        self.board.undo();
        score
    }

    /// Whether the move just played is better than `alpha`, asked at a reduced depth first.
    fn scout(&mut self, alpha: i32, depth: i32, reduction: i32, ply: usize) -> i32 {
        let question = Question { alpha: -alpha - 1, beta: -alpha, depth: depth - reduction, ply };
        let score = -self.search(question);
        if score > alpha && reduction > 0 && !self.stopped {
            return -self.search(Question { depth, ..question });
        }
        score
    }

    /// Puts a move before the line that was found after it.
    fn lead_with(&mut self, point: Point, ply: usize) {
        let (here, below) = self.pv.split_at_mut(ply + 1);
        here[ply].clear();
        here[ply].push(point);
        here[ply].extend_from_slice(&below[0]);
    }

    /// The score of a position from its best move, which is remembered.
    fn conclude(&mut self, question: &Question, situation: &Situation, best: i32, point: Point) -> i32 {
        let bound = if best >= question.beta {
            Bound::Lower
        } else if best > question.alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        // Moves far from the stones were left out, so a loss is not proven.
        let unproven = best < -PROVEN && *situation == Situation::Quiet;
        let least = -PROVEN + 500 - question.ply as i32;
        let score = if unproven { best.max(least) } else { best };
        let known = Known {
            point: point.index() as u16,
            score: to_table(score, question.ply),
            depth: question.depth.clamp(-1, 99) as i8,
            bound,
        };
        self.table.store(self.board.hash(), known);
        score
    }

    /// Stores what is known about the position, its score being counted from the root.
    fn remember(&self, ply: usize, known: Known) {
        let hash = self.board.hash();
        self.table.store(hash, Known { score: to_table(known.score.into(), ply), ..known });
    }

    fn evaluate(&self) -> i32 {
        self.evaluators[self.board.to_move().index()].value(&self.board).clamp(-5000, 5000)
    }

    fn first_of(&self, color: Color, class: Class) -> Option<Point> {
        (self.board.count(color, class) > 0).then(|| self.board.cells(color, class).first()).flatten()
    }

    fn reduction(&self, depth: i32, order: usize) -> i32 {
        self.reductions[(depth.clamp(0, 63) as usize) * 64 + order.min(63)]
    }

    fn ordered(&self, candidates: &PointSet, known: Option<Known>, ply: usize) -> Vec<(i32, Point)> {
        let mover = self.board.to_move();
        let evaluator = &self.evaluators[mover.index()];
        let reply = self.board.last_move().and_then(|last| self.replies[last.index()]);
        let mut moves: Vec<(i32, Point)> = candidates
            .iter()
            .map(|point| {
                let mut order = evaluator.prior(&self.board, point);
                order += self.history[point.index()][mover.index()] / 8;
                order += if self.killers[ply].contains(&Some(point)) { 300 } else { 0 };
                order += if reply == Some(point) { 200 } else { 0 };
                order += if known.is_some_and(|known| known.is_move(point)) { 1_000_000 } else { 0 };
                (order, point)
            })
            .collect();
        moves.sort_unstable_by_key(|&(order, point)| (-order, point));
        moves
    }

    fn reward(&mut self, point: Point, depth: i32, ply: usize) {
        const MOST: i32 = 4096;
        let mover = self.board.to_move();
        let entry = &mut self.history[point.index()][mover.index()];
        let bonus = (depth * depth * 16).min(MOST / 4);
        *entry += bonus - *entry * bonus / MOST;
        if self.killers[ply][0] != Some(point) {
            self.killers[ply] = [Some(point), self.killers[ply][0]];
        }
        if let Some(last) = self.board.last_move() {
            self.replies[last.index()] = Some(point);
        }
    }
}
