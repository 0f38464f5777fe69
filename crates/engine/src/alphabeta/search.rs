//! One thread's principal-variation search.
//!
//! Scores are logit units for the side to move; a win in n plies is `WIN - n`.

use super::table::{Bound, Known, Table};
use crate::evaluation::Evaluator;
use crate::solver::{Vcf, Verdict, answers_to_open_fours, legal_open_fours, stops};
use crate::{Budget, Stop};
use fivestone_game::{Board, Class, Color, GRID, Point, PointSet};

pub(super) const WIN: i32 = 30_000;
/// Scores beyond this are proven wins.
pub(super) const PROVEN: i32 = WIN - 1_000;
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
    pub deepest: usize,
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
            deepest: 0,
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
            let Some(best) = self.search_root_window(moves, from, depth, alpha, beta) else { return false };
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

    fn search_root_window(
        &mut self,
        moves: &mut [RootMove],
        from: usize,
        depth: i32,
        mut alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        let mut best = -INFINITE;
        for order in from..moves.len() {
            let point = moves[order].point;
            let before = self.nodes;
            self.board.play_unchecked(point);
            let mut score = -INFINITE;
            if order > from {
                let reduction =
                    if order > from + 3 && depth > 2 { self.reduction(depth, order - from) } else { 0 };
                score = -self.search(-alpha - 1, -alpha, depth - 1 - reduction, 1);
                if score > alpha && reduction > 0 && !self.stopped {
                    score = -self.search(-alpha - 1, -alpha, depth - 1, 1);
                }
            }
            if order == from || score > alpha && !self.stopped {
                score = -self.search(-beta, -alpha, depth - 1, 1);
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

    fn search(&mut self, mut alpha: i32, mut beta: i32, depth: i32, ply: usize) -> i32 {
        self.nodes += 1;
        self.pv[ply].clear();
        self.deepest = self.deepest.max(ply);
        self.stopped |= self.budget.visits.is_some_and(|visits| self.nodes >= visits);
        if self.nodes.is_multiple_of(256) {
            self.stopped |= self.stop.raised() || self.budget.spent(&self.budget.progress(self.nodes));
        }
        if self.stopped {
            return 0;
        }
        let mover = self.board.to_move();
        let win_in = |plies: usize| WIN - (ply + plies) as i32;

        // 1. Wins and losses that can be seen.
        if let Some(five) = self.first_of(mover, Class::Five) {
            self.pv[ply].push(five);
            return win_in(1);
        }
        if self.board.empty().is_empty() {
            return 0;
        }
        let threatened = self.board.count(!mover, Class::Five) > 0;
        let forced = if threatened {
            let stops = stops(&mut self.board, !mover);
            let stops: PointSet = stops.iter().filter(|&point| self.board.is_legal(point)).collect();
            if stops.is_empty() {
                return -win_in(2);
            }
            Some(stops)
        } else {
            if let Some(four) = legal_open_fours(&mut self.board, mover).first() {
                self.pv[ply].push(four);
                return win_in(3);
            }
            None
        };
        if ply >= MAX_PLY - 1 {
            return self.evaluate();
        }
        alpha = alpha.max(-win_in(2));
        beta = beta.min(win_in(3));
        if alpha >= beta {
            return alpha;
        }

        // 2. What is remembered.
        let is_pv = beta - alpha > 1;
        let hash = self.board.hash();
        let known = self.table.look_up(hash);
        if let Some(known) = known.filter(|known| i32::from(known.depth) >= depth && !is_pv) {
            let score = from_table(known.score, ply);
            let cuts = match known.bound {
                Bound::Exact => true,
                Bound::Lower => score >= beta,
                Bound::Upper => score <= alpha,
            };
            if cuts {
                return score;
            }
        }

        // 3. Fours, and the end of the search.
        if !threatened {
            let fours = if depth <= 0 { HORIZON_FOURS } else { INNER_FOURS };
            if known.is_none() && self.vcf.solve(&mut self.board, fours) == Verdict::Win {
                let score = win_in(self.vcf.line().len());
                self.pv[ply] = self.vcf.line().to_vec();
                let point = self.vcf.line()[0].index() as u16;
                self.remember(
                    hash,
                    ply,
                    Known { point, score: score as i16, depth: 100, bound: Bound::Lower },
                );
                return score;
            }
        }
        if depth <= 0 && !threatened {
            let score = self.evaluate();
            if known.is_none() {
                self.remember(
                    hash,
                    ply,
                    Known { point: 0, score: score as i16, depth: 0, bound: Bound::Exact },
                );
            }
            return score;
        }

        // 4. A position far above beta with nothing threatened against it stays there.
        let open_fours = if threatened { PointSet::EMPTY } else { legal_open_fours(&mut self.board, !mover) };
        let quiet = !threatened && open_fours.is_empty();
        if quiet && !is_pv && depth <= 5 && beta.abs() < PROVEN {
            let value = self.evaluate();
            if value - 110 * depth >= beta && self.board.cells_of(!mover, &Class::FOURS).is_empty() {
                return value;
            }
        }

        // 5. The moves, in order.
        let candidates = match forced {
            Some(stops) => stops,
            None if quiet => self.board.near(2),
            None => answers_to_open_fours(&self.board, !mover, &open_fours),
        };
        let moves = self.ordered(&candidates, known, ply);
        let width = if quiet { 10 + 5 * depth as usize + if is_pv { 10 } else { 0 } } else { usize::MAX };

        // 6. Each move: the first in full, the others to show that they are no better.
        let (mut best, mut best_move, mut searched) = (-INFINITE, None, 0);
        let old_alpha = alpha;
        let next_depth =
            if threatened { depth.max(1) } else { depth } - 1 + i32::from(threatened && ply < 60);
        for &(_, point) in moves.iter().take(width) {
            if !self.board.is_legal(point) {
                continue;
            }
            let class = self.board.class(mover, point);
            self.board.play_unchecked(point);
            let mut score = -INFINITE;
            let mut reduction = 0;
            if searched > 1 && depth > 1 && !threatened {
                reduction =
                    self.reduction(depth, searched) - i32::from(is_pv) - i32::from(class >= Class::OpenThree);
                reduction = reduction.clamp(0, depth - 1);
            }
            if searched > 0 {
                score = -self.search(-alpha - 1, -alpha, next_depth - reduction, ply + 1);
                if score > alpha && reduction > 0 && !self.stopped {
                    score = -self.search(-alpha - 1, -alpha, next_depth, ply + 1);
                }
            }
            if searched == 0 || is_pv && score > alpha && !self.stopped {
                score = -self.search(-beta, -alpha, next_depth, ply + 1);
            }
            self.board.undo();
            if self.stopped {
                return 0;
            }
            searched += 1;
            if score > best {
                best = score;
                best_move = Some(point);
                if is_pv && score > alpha {
                    let (here, below) = self.pv.split_at_mut(ply + 1);
                    here[ply].clear();
                    here[ply].push(point);
                    here[ply].extend_from_slice(&below[0]);
                }
                alpha = alpha.max(score);
                if alpha >= beta {
                    self.reward(point, depth, ply);
                    break;
                }
            }
        }
        let Some(best_move) = best_move else {
            // Every candidate is forbidden: nothing can be said about the rest.
            return self.evaluate();
        };
        let bound = if best >= beta {
            Bound::Lower
        } else if best > old_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        };
        // Moves far from the stones were left out, so a loss is not proven.
        if best < -PROVEN && quiet {
            best = best.max(-PROVEN + 500 - ply as i32);
        }
        let known = Known {
            point: best_move.index() as u16,
            score: to_table(best, ply),
            depth: depth.clamp(-1, 99) as i8,
            bound,
        };
        self.table.store(hash, known);
        best
    }

    fn remember(&self, hash: u64, ply: usize, known: Known) {
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

/// Wins are stored by their distance from the position, not from the root.
fn to_table(score: i32, ply: usize) -> i16 {
    let plies = ply as i32;
    (if score > PROVEN {
        score + plies
    } else if score < -PROVEN {
        score - plies
    } else {
        score
    }) as i16
}

fn from_table(score: i16, ply: usize) -> i32 {
    let (score, plies) = (i32::from(score), ply as i32);
    if score > PROVEN {
        score - plies
    } else if score < -PROVEN {
        score + plies
    } else {
        score
    }
}
