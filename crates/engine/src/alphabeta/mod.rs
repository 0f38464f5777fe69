//! The flagship's contender: iterative deepening with principal-variation search over the pattern evaluation.

mod question;
mod search;
mod table;

use crate::evaluation::{Evaluator, UNITS};
use crate::parameters::parameters;
use crate::solver::{self, Vct, Verdict};
use crate::{Budget, Engine, EngineKind, Event, Limits, Line, NetUse, Proof, Report, Settings, Stop};
use fivestone_game::{Board, Class, Point, PointSet};
use question::{PROVEN, WIN};
use search::{RootMove, Searcher};
use std::time::{Duration, Instant};
use table::Table;

/// The engine in the list.
pub const KIND: EngineKind = EngineKind {
    name: "fivestone-ab",
    paper: None,
    description: "the flagship's alpha-beta search: patterns fitted to games, wins by fours and threes",
    parameters: Parameters::TABLE,
    tuned: &[],
    nets: NetUse::None,
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
        let task = Task { board, limits, budget: limits.budget(board.stone_count()), stop };
        let mut moves = root_moves(board, &limits.blocked);
        if moves.len() == 1 && limits.lines <= 1 {
            return task.report(&moves, Reached { depth: 1, nodes: 0 });
        }
        self.fit_table(limits, &task.budget);
        let (win, nodes) = task.win_by_threes(self.vct_share);
        if let Some(line) = win
            && task.begin_with_win(&mut moves, line)
        {
            return task.report(&moves, Reached { depth: 1, nodes });
        }
        self.search(&task, moves, nodes, events)
    }

    fn new_game(&mut self) {
        self.table.clear();
    }
}

impl AlphaBeta {
    /// Deepens with the main thread while the others fill the table.
    fn search(&self, task: &Task, moves: Vec<RootMove>, nodes: u64, events: &mut dyn FnMut(Event)) -> Report {
        let halt = Stop::new();
        std::thread::scope(|scope| {
            for number in 1..task.limits.threads {
                let (table, halt, moves) = (&self.table, &halt, moves.clone());
                scope.spawn(move || task.accompany(table, moves, number, halt));
            }
            let report = task.deepen(&self.table, moves, nodes, events);
            halt.raise();
            report
        })
    }
}

/// One search.
struct Task<'a> {
    board: &'a Board,
    limits: &'a Limits,
    budget: Budget,
    stop: &'a Stop,
}

/// How far a search has come.
#[derive(Clone, Copy)]
struct Reached {
    depth: u32,
    nodes: u64,
}

impl Task<'_> {
    /// A win by fours and threes for the side to move, looked for with a part of the budget, and
    /// the nodes that took.
    fn win_by_threes(&self, share: f64) -> (Option<Vec<Point>>, u64) {
        if share <= 0.0 {
            return (None, 0);
        }
        let Task { board, limits, budget, stop } = self;
        let deadline = budget.soft.map(|soft| budget.started + soft.mul_f64(share));
        let most = limits.visits.map_or(u64::MAX, |visits| (visits as f64 * share) as u64);
        let most = most.min(if deadline.is_some() { u64::MAX } else { 200_000 });
        let mut vct = Vct::with_memory((limits.memory / 8).clamp(1 << 20, 8 << 20));
        let verdict = vct.solve_until(&mut (*board).clone(), most, deadline, stop);
        if verdict == Verdict::Win {
            vct.extract(&mut (*board).clone(), most, deadline, stop);
        }
        let line = (verdict == Verdict::Win).then(|| vct.line().to_vec());
        (line, vct.nodes().min(most))
    }

    /// Puts the first move of a win before the others. Returns false where it may not be played.
    fn begin_with_win(&self, moves: &mut [RootMove], line: Vec<Point>) -> bool {
        let at = moves.iter().position(|root| root.point == line[0]);
        let Some(at) = at.filter(|_| !self.limits.blocked.contains(line[0])) else { return false };
        // Without the whole line the win is only known to come before the board is full.
        let plies = if line.len() > 1 { line.len() } else { self.board.empty().len() };
        moves[at].score = WIN - plies as i32;
        moves[at].pv = line;
        moves[..=at].rotate_right(1);
        true
    }

    /// Deepens until the limits are spent.
    fn deepen(
        &self,
        table: &Table,
        mut moves: Vec<RootMove>,
        nodes_before: u64,
        events: &mut dyn FnMut(Event),
    ) -> Report {
        let Task { board, limits, budget, stop } = self;
        let mut searcher = Searcher::new(board, table, *budget, stop, 2 << 20);
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
            if told.elapsed() > Duration::from_millis(50) || depth > 4 {
                told = Instant::now();
                let reached = Reached { depth, nodes: searcher.nodes };
                events(Event::Report(self.report(&moves, reached)));
            }
            let settled = moves[0].score.abs() > PROVEN && lines == 1;
            // The next depth takes about twice as long; a changed mind is a reason to look further.
            let patience = if moves[0].point == best_before { 0.5 } else { 0.8 };
            if settled || self.is_enough(searcher.nodes, patience) {
                break;
            }
        }
        self.report(&moves, Reached { depth: depth_done, nodes: searcher.nodes })
    }

    /// Whether no deeper search is begun: this part of the planned time is used, or all visits.
    fn is_enough(&self, nodes: u64, patience: f64) -> bool {
        let progress = self.budget.progress(nodes);
        let late = self.budget.soft.is_some_and(|soft| progress.elapsed > soft.mul_f64(patience));
        late || self.budget.spent(&progress)
    }

    /// Searches beside the main thread, for what both write into the table.
    fn accompany(&self, table: &Table, mut moves: Vec<RootMove>, number: usize, halt: &Stop) {
        let free = Budget { hard: None, soft: None, visits: None, ..self.budget };
        let mut searcher = Searcher::new(self.board, table, free, halt, 1 << 20);
        // Other depths than the main thread's, so that the threads do not all do the same.
        for depth in (1..MAX_DEPTH as i32).map(|depth| depth + (number as i32 - 1 + depth) % 2) {
            let guess = moves[0].score;
            if !searcher.search_root(&mut moves, 0, depth, guess) || searcher.stopped() {
                break;
            }
        }
    }

    fn report(&self, moves: &[RootMove], reached: Reached) -> Report {
        Report {
            lines: moves.iter().take(self.limits.lines.max(1)).map(line).collect(),
            visits: reached.nodes,
            depth: reached.depth,
            elapsed: self.budget.started.elapsed(),
        }
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

fn line(root: &RootMove) -> Line {
    let (winrate, proof) = if root.score > PROVEN {
        (1.0, Some(Proof::Win((WIN - root.score) as u16)))
    } else if root.score < -PROVEN {
        (0.0, Some(Proof::Loss((WIN + root.score) as u16)))
    } else {
        (1.0 / (1.0 + (-f64::from(root.score) / UNITS).exp()), None)
    };
    let (visits, pv) = (root.nodes, root.pv.clone());
    Line { point: root.point, winrate, visits, pv, proof, prior: None }
}
