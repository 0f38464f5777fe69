//! The flagship's contender: iterative deepening with principal-variation search over the pattern evaluation.

mod search;
mod table;

use crate::evaluation::{Evaluator, UNITS};
use crate::parameters::parameters;
use crate::solver::{self, Vct, Verdict};
use crate::{Budget, Engine, EngineKind, Event, Limits, Line, Proof, Report, Settings, Stop};
use fivestone_game::{Board, Class, Point, PointSet};
use search::{PROVEN, RootMove, Searcher, WIN};
use std::time::{Duration, Instant};
use table::Table;

/// The engine in the list.
pub const KIND: EngineKind = EngineKind {
    name: "fivestone-ab",
    paper: None,
    description: "the flagship's alpha-beta search: patterns fitted to games, wins by fours and threes",
    parameters: Parameters::TABLE,
    tuned: &[],
    takes_net: false,
    explain: None,
    build: |settings| Box::new(AlphaBeta::new("fivestone-ab", settings)),
};

parameters! {
    struct Parameters {
        vct: f64 = solver::SHARE,
    }
}

/// The deepest iteration.
const MAX_DEPTH: u32 = 60;

/// The alpha-beta engine.
pub struct AlphaBeta {
    name: &'static str,
    table: Table,
    vct_share: f64,
}

impl AlphaBeta {
    /// An engine listed under a name.
    pub fn new(name: &'static str, settings: &Settings) -> AlphaBeta {
        let parameters = Parameters::of(&settings.values());
        AlphaBeta { name, table: Table::with_memory(1 << 20), vct_share: parameters.vct }
    }

    /// Makes the table as large as the search can fill, within half of the memory; the rest is for the solvers' tables
    /// and the program itself.
    fn fit_table(&mut self, limits: &Limits, budget: &Budget) {
        const BYTES_A_SECOND: f64 = 24e6;
        let by_time = budget.hard.map_or(usize::MAX, |time| (time.as_secs_f64() * BYTES_A_SECOND) as usize);
        let wanted = by_time.min(limits.memory / 2).clamp(1 << 20, 1 << 30);
        let size = 1usize << wanted.ilog2();
        if self.table.bytes() < size || self.table.bytes() > limits.memory / 2 {
            self.table = Table::with_memory(size);
        }
        self.table.new_search();
    }
}

impl Engine for AlphaBeta {
    fn name(&self) -> &'static str {
        self.name
    }

    fn think(
        &mut self,
        board: &Board,
        limits: &Limits,
        stop: &Stop,
        events: &mut dyn FnMut(Event),
    ) -> Report {
        let budget = limits.budget(board.stone_count());
        let mut moves = root_moves(board, &limits.blocked);
        if moves.len() == 1 && limits.lines <= 1 {
            return report(&moves, limits, &budget, 1, 0);
        }
        self.fit_table(limits, &budget);
        let mut nodes = 0;
        if let Some(line) = self.win_by_threes(board, limits, &budget, stop, &mut nodes) {
            // Without the whole line the win is only known to come before the board is full.
            let plies = if line.len() > 1 { line.len() } else { board.empty().len() };
            let score = WIN - plies as i32;
            let at = moves.iter().position(|root| root.point == line[0]);
            if let Some(at) = at.filter(|_| !limits.blocked.contains(line[0])) {
                moves[at].score = score;
                moves[at].pv = line;
                moves[..=at].rotate_right(1);
                return report(&moves, limits, &budget, 1, nodes);
            }
        }
        let helpers = limits.threads.saturating_sub(1);
        let halt = Stop::new();
        std::thread::scope(|scope| {
            for number in 0..helpers {
                let (table, halt, mut moves) = (&self.table, &halt, moves.clone());
                let free = Budget { hard: None, soft: None, visits: None, ..budget };
                scope.spawn(move || {
                    let mut searcher = Searcher::new(board, table, free, halt, 1 << 20);
                    // Other depths than the main thread's, so that the threads do not all do the same.
                    for depth in (1..MAX_DEPTH as i32).map(|depth| depth + (number as i32 + depth) % 2) {
                        let guess = moves[0].score;
                        if !searcher.search_root(&mut moves, 0, depth, guess) || searcher.stopped() {
                            break;
                        }
                    }
                });
            }
            let report = self.deepen(board, moves, limits, &budget, stop, nodes, events);
            halt.raise();
            report
        })
    }

    fn new_game(&mut self) {
        self.table.clear();
    }
}

impl AlphaBeta {
    #[allow(clippy::too_many_arguments, reason = "one loop over one search's state")]
    fn deepen(
        &self,
        board: &Board,
        mut moves: Vec<RootMove>,
        limits: &Limits,
        budget: &Budget,
        stop: &Stop,
        nodes_before: u64,
        events: &mut dyn FnMut(Event),
    ) -> Report {
        let mut searcher = Searcher::new(board, &self.table, *budget, stop, 2 << 20);
        searcher.nodes = nodes_before;
        let deepest = limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH);
        let lines = limits.lines.clamp(1, moves.len());
        let (mut depth_done, mut told) = (0, Instant::now());
        for depth in 1..=deepest {
            let best_before = moves[0].point;
            for line in 0..lines {
                let guess = moves[line].score;
                if !searcher.search_root(&mut moves, line, depth as i32, guess) || searcher.stopped() {
                    break;
                }
            }
            if searcher.stopped() {
                break;
            }
            depth_done = depth;
            let progress = budget.progress(searcher.nodes);
            if told.elapsed() > Duration::from_millis(50) || depth > 4 {
                told = Instant::now();
                events(Event::Report(report(&moves, limits, budget, depth, searcher.nodes)));
            }
            let settled = moves[0].score.abs() > PROVEN && lines == 1;
            // The next depth takes about twice as long; a changed mind is a reason to look further.
            let patience = if moves[0].point == best_before { 0.5 } else { 0.8 };
            let enough = budget.soft.is_some_and(|soft| progress.elapsed > soft.mul_f64(patience));
            if settled || enough || budget.spent(&progress) {
                break;
            }
        }
        report(&moves, limits, budget, depth_done, searcher.nodes)
    }

    /// A win by fours and threes for the side to move, looked for with a part of the budget.
    fn win_by_threes(
        &self,
        board: &Board,
        limits: &Limits,
        budget: &Budget,
        stop: &Stop,
        nodes: &mut u64,
    ) -> Option<Vec<Point>> {
        if self.vct_share <= 0.0 {
            return None;
        }
        let deadline = budget.soft.map(|soft| budget.started + soft.mul_f64(self.vct_share));
        let most = limits.visits.map_or(u64::MAX, |visits| (visits as f64 * self.vct_share) as u64);
        let most = most.min(if deadline.is_some() { u64::MAX } else { 200_000 });
        let mut vct = Vct::with_memory((limits.memory / 8).clamp(1 << 20, 8 << 20));
        let verdict = vct.solve_until(&mut board.clone(), most, deadline, stop);
        if verdict == Verdict::Win {
            vct.extract(&mut board.clone(), most, deadline, stop);
        }
        *nodes += vct.nodes().min(most);
        (verdict == Verdict::Win).then(|| vct.line().to_vec())
    }
}

/// The moves to choose from, likely ones first: what is legal and near the stones, or what stops a five.
fn root_moves(board: &Board, blocked: &PointSet) -> Vec<RootMove> {
    let mut board = board.clone();
    let mover = board.to_move();
    let all = if board.count(mover, Class::Five) > 0 {
        board.cells(mover, Class::Five)
    } else if board.count(!mover, Class::Five) > 0 {
        let stops = crate::solver::stops(&mut board, !mover);
        if stops.is_empty() { board.cells(!mover, Class::Five) } else { stops }
    } else {
        board.near(2)
    };
    let everywhere = *board.empty();
    let mut allowed = |points: PointSet| -> Vec<Point> {
        let points = points.difference(blocked);
        points.iter().filter(|&point| board.is_legal(point)).collect()
    };
    let mut points = allowed(all);
    if points.is_empty() {
        points = allowed(everywhere);
    }
    if points.is_empty() {
        // Nothing legal is left: any empty point has to do.
        points = everywhere.iter().collect();
    }
    let evaluator = Evaluator::new(&board, mover);
    points.sort_by_key(|&point| (-evaluator.prior(&board, point), point));
    points.into_iter().map(|point| RootMove { point, score: 0, nodes: 0, pv: vec![point] }).collect()
}

fn report(moves: &[RootMove], limits: &Limits, budget: &Budget, depth: u32, nodes: u64) -> Report {
    let line = |root: &RootMove| Line {
        point: root.point,
        winrate: if root.score > PROVEN {
            1.0
        } else if root.score < -PROVEN {
            0.0
        } else {
            1.0 / (1.0 + (-f64::from(root.score) / UNITS).exp())
        },
        visits: root.nodes,
        pv: root.pv.clone(),
        proof: if root.score > PROVEN {
            Some(Proof::Win((WIN - root.score) as u16))
        } else if root.score < -PROVEN {
            Some(Proof::Loss((WIN + root.score) as u16))
        } else {
            None
        },
        prior: None,
    };
    Report {
        lines: moves.iter().take(limits.lines.max(1)).map(line).collect(),
        visits: nodes,
        depth,
        elapsed: budget.started.elapsed(),
    }
}
