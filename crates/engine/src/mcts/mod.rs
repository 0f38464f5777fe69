//! Monte-Carlo graph search with proofs: the flagship.
//!
//! A simulation walks `search.rs`: `select.rs` chooses a move, `expand.rs` makes the node at the
//! end, `backup.rs` carries the result up. `node.rs` and `tree.rs` hold the graph.

mod backup;
mod expand;
mod explore;
mod node;
mod parameters;
mod rank;
mod search;
mod select;
mod tree;
mod verify;
mod winning;

use crate::evaluation::{Judge, NetJudge, PatternJudge};
use crate::solver::{Kind, SolveLimits, TreeLimits, Vct, find};
use crate::{Budget, Engine, EngineKind, Event, Limits, Line, Progress, Proof, Report, Settings, Stop};
use expand::{Expander, complete, temper};
pub use explore::{Exploration, ExploreLimits, Explorer};
use fivestone_game::{Board, Class, Point, Rule, Size};
use fivestone_nets::Net;
use parameters::{Constants, SHORT_SIGHTED, TUNED};
use rank::Candidate;
use search::{Company, Simulated, Task, Walker, Worker};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tree::{ROOT, Tree};
use verify::Verification;
use winning::Winning;

/// The flagship in the list.
pub const KIND: EngineKind = EngineKind {
    name: "fivestone",
    paper: None,
    description: "the flagship: tree search with proofs, a net where the rule has one, wins by fours and threes",
    parameters: Constants::TABLE,
    tuned: TUNED,
    takes_net: true,
    explain: None,
    build: |settings| Box::new(Mcts::flagship(settings)),
};

/// The flagship without a net in the list.
pub const PATTERN_KIND: EngineKind = EngineKind {
    name: "fivestone-pattern",
    paper: None,
    description: "the flagship with patterns fitted to games instead of a net",
    parameters: Constants::TABLE,
    // The values were found with nets.
    tuned: &[],
    takes_net: false,
    explain: None,
    build: |settings| Box::new(Mcts::new("fivestone-pattern", Knowledge::Patterns, settings)),
};

/// What judges positions.
#[derive(Clone, PartialEq, Debug)]
pub enum Knowledge {
    /// The line patterns.
    Patterns,
    /// The net of the rule with the patterns, or the patterns alone where there is no net.
    Net,
    /// This net with the patterns; under another rule than the net's as without it.
    Given(Arc<Net>),
}

/// The tree-search engine.
pub struct Mcts {
    name: &'static str,
    knowledge: Knowledge,
    settings: Settings,
    /// What belongs to one rule and size.
    game: Option<Game>,
}

/// The state of a game: the constants of its rule, the graph and the threads' tools.
struct Game {
    rule: Rule,
    size: Size,
    constants: Constants,
    tree: Tree,
    workers: Vec<Worker>,
    /// A forced win that is being played.
    winning: Option<Winning>,
}

/// Bytes of a thread's solver tables.
const VCF_MEMORY: usize = 1 << 19;
const VCT_MEMORY: usize = 4 << 20;

impl Mcts {
    /// The flagship, with the net of its settings if they have one.
    pub fn flagship(settings: &Settings) -> Mcts {
        let knowledge = settings.net().map_or(Knowledge::Net, Knowledge::Given);
        Mcts::new(KIND.name, knowledge, settings)
    }

    /// The flagship without a look for forced wins.
    pub fn short_sighted() -> Mcts {
        Mcts::flagship(&Settings::defaults(&KIND).with(SHORT_SIGHTED))
    }

    /// An engine listed under a name.
    pub fn new(name: &'static str, knowledge: Knowledge, settings: &Settings) -> Mcts {
        Mcts { name, knowledge, settings: settings.clone(), game: None }
    }

    fn judge(&self, board: &Board, constants: &Constants) -> Box<dyn Judge> {
        let net = match &self.knowledge {
            Knowledge::Patterns => None,
            Knowledge::Given(net) if net.rule == board.rule() => Some(Arc::clone(net)),
            Knowledge::Given(_) | Knowledge::Net => Net::embedded(board.rule()),
        };
        match net {
            Some(net) => Box::new(NetJudge::new(net, board, constants.net_share)),
            None => Box::new(PatternJudge::new(board)),
        }
    }

    fn worker(&self, board: &Board, constants: &Constants) -> Worker {
        let judge = self.judge(board, constants);
        Worker { expander: Expander::new(judge, *constants, VCF_MEMORY), vct: Vct::with_memory(VCT_MEMORY) }
    }

    /// The state of the board's game with tools for this many threads.
    fn take_game(&mut self, board: &Board, threads: usize) -> Game {
        let (rule, size) = (board.rule(), board.size());
        let same = |game: &Game| game.rule == rule && game.size == size;
        let mut game = self.game.take().filter(same).unwrap_or_else(|| {
            let constants = Constants::under(rule, &self.settings);
            Game { rule, size, constants, tree: Tree::new(), workers: Vec::new(), winning: None }
        });
        while game.workers.len() < threads {
            game.workers.push(self.worker(board, &game.constants));
        }
        game.workers.truncate(threads);
        game
    }
}

/// Bytes of the flagship's graph for each of its nodes, after a search with this many visits.
pub fn bytes_per_node(board: &Board, visits: u64) -> f64 {
    let mut mcts = Mcts::flagship(&Settings::defaults(&KIND));
    mcts.think(board, &Limits::visits(visits), &Stop::new(), &mut |_| {});
    mcts.game.map_or(0.0, |game| game.tree.bytes() as f64 / game.tree.len().max(1) as f64)
}

impl Engine for Mcts {
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
        let mut game = self.take_game(board, limits.threads.max(1));
        game.take_root(board);
        let report = Thinking { board, limits, budget, stop }.run(&mut game, events);
        self.game = Some(game);
        report
    }

    fn new_game(&mut self) {
        if let Some(game) = &mut self.game {
            game.tree = Tree::new();
            game.winning = None;
        }
    }

    fn refusal(&self, rule: Rule, size: Size) -> Option<String> {
        let Knowledge::Given(net) = &self.knowledge else { return None };
        net.check(rule, size).err().map(|error| error.to_string())
    }
}

impl Game {
    /// Keeps what is known about the position, drops the rest, and makes its node if it is new.
    fn take_root(&mut self, board: &Board) {
        let known = self.tree.find(board.hash());
        if known == Some(ROOT) {
            // The same position again: everything known is about it.
            return self.show_moves(board);
        }
        self.tree = known.map_or_else(Tree::new, |root| self.tree.keep(root, 0));
        let expander = &mut self.workers[0].expander;
        let mut board = board.clone();
        if known.is_none() {
            let (new, moves) = expander.new_node(&mut board, false);
            self.tree.insert(&new);
            if let Some(moves) = moves {
                self.tree.set_edges(self.tree.node(ROOT), moves);
            }
        }
        let root = self.tree.node(ROOT);
        if root.proof().is_none() && root.begin_expanding() {
            let moves = expander.open_moves(&mut board, root.facts().threats);
            self.tree.set_edges(root, moves);
        }
        let flatter = self.constants.root_temperature / self.constants.temperature;
        if flatter != 1.0 {
            temper(self.tree.edges(root), flatter);
        }
        self.show_moves(&board);
    }

    /// Makes sure that the root has moves to show, whatever is proven about it.
    fn show_moves(&self, board: &Board) {
        let root = self.tree.node(ROOT);
        if self.tree.edges(root).is_empty() {
            // Of moves that all lose, those that at least stop one five come first.
            let mover = board.to_move();
            let fives = board.cells(mover, Class::Five).union(&board.cells(!mover, Class::Five));
            let fives = fives.iter().chain(root.winning()).map(|point| (point, 1.0));
            let mut fives: Vec<(Point, f32)> = fives.collect();
            fives.dedup_by_key(|(point, _)| *point);
            self.tree.set_edges(root, &fives);
            complete(&self.tree, &mut board.clone(), root);
        }
        if self.tree.edges(root).is_empty() {
            // Every empty point is forbidden; one has to be played.
            let points: Vec<(Point, f32)> = board.empty().iter().map(|point| (point, 1.0)).collect();
            self.tree.set_edges(root, &points);
        }
    }

    /// Makes room: keeps the most visited nodes in less than half of the bytes.
    fn shrink(&mut self, most_bytes: usize) {
        let least = self.tree.least_visits_within(most_bytes * 2 / 5);
        self.tree = self.tree.keep(ROOT, least);
    }
}

/// One search.
struct Thinking<'a> {
    board: &'a Board,
    limits: &'a Limits,
    budget: Budget,
    stop: &'a Stop,
}

/// How far a search has come.
struct Count {
    simulations: AtomicU64,
    full: AtomicBool,
}

impl Thinking<'_> {
    fn run(&self, game: &mut Game, events: &mut dyn FnMut(Event)) -> Report {
        game.winning = game.winning.take().and_then(|winning| winning.follow(self.board));
        if let Some(report) = self.report_of_win(game) {
            return report;
        }
        let only_move = game.tree.edges(game.tree.node(ROOT)).len() == 1 && self.limits.lines <= 1;
        if only_move {
            return self.report(game, 0, 0);
        }
        let most_bytes = (self.limits.memory * 3 / 5).max(1 << 20);
        let count = Count { simulations: AtomicU64::new(0), full: AtomicBool::new(false) };
        let mut deepest = 0;
        let mut first_time = true;
        loop {
            count.full.store(false, Ordering::Relaxed);
            let (proven, depth) = self.search(game, most_bytes, &count, first_time, events);
            if let Some((report, winning)) = proven {
                game.winning = winning;
                return report;
            }
            deepest = deepest.max(depth);
            first_time = false;
            if !count.full.load(Ordering::Relaxed) {
                return self.report(game, count.simulations.load(Ordering::Relaxed), deepest);
            }
            game.shrink(most_bytes);
        }
    }

    /// Simulates with all threads until the search is over or the memory is full. Returns a win
    /// found before any simulation, and the length of the longest line.
    fn search(
        &self,
        game: &mut Game,
        most_bytes: usize,
        count: &Count,
        first_time: bool,
        events: &mut dyn FnMut(Event),
    ) -> (Option<(Report, Option<Winning>)>, usize) {
        let Game { tree, constants, workers, .. } = game;
        let (tree, constants) = (&*tree, &*constants);
        let threads = workers.len();
        let task = Task {
            tree,
            board: self.board,
            constants,
            blocked: self.limits.blocked,
            most_bytes,
            company: if threads > 1 { Company::Others } else { Company::Alone },
        };
        let mut walkers: Vec<Walker> = workers.iter_mut().map(|worker| Walker::new(task, worker)).collect();
        let mut main = walkers.remove(0);
        let halt = Stop::new();
        std::thread::scope(|scope| {
            let mut simulating_since = Instant::now();
            for mut walker in walkers {
                let halt = &halt;
                scope.spawn(move || {
                    while !halt.raised() && walker.simulate() == Simulated::Open {
                        count.simulations.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
            // The other threads simulate while this one looks for a forced win.
            let proven = if first_time { self.proven_at_once(tree, constants) } else { None };
            if threads == 1 && first_time {
                simulating_since = Instant::now();
            }
            if proven.is_none() {
                self.simulate(&mut main, constants, count, simulating_since, events);
            }
            halt.raise();
            (proven, main.deepest)
        })
    }

    /// The main thread's simulations.
    fn simulate(
        &self,
        main: &mut Walker,
        constants: &Constants,
        count: &Count,
        since: Instant,
        events: &mut dyn FnMut(Event),
    ) {
        let mut told = Instant::now();
        let mut verification = Verification::new(&self.budget, constants.verify);
        loop {
            match main.simulate() {
                Simulated::Open => {}
                Simulated::Proven => return,
                Simulated::Full => return count.full.store(true, Ordering::Relaxed),
            }
            let done = count.simulations.fetch_add(1, Ordering::Relaxed) + 1;
            let progress = self.budget.progress(done);
            if self.stop.raised() || self.budget.spent(&progress) {
                return;
            }
            if done.is_multiple_of(64) {
                if told.elapsed() > Duration::from_millis(100) {
                    told = Instant::now();
                    let report = self.report_of(main.task.tree, constants, done, main.deepest);
                    events(Event::Report(report));
                }
                if verification.is_due(&progress) {
                    let best = rank::candidates(main.task.tree, main.task.tree.node(ROOT), constants);
                    if let Some(best) = best.first() {
                        verification.run(best, main, self.stop);
                    }
                    if main.task.tree.node(ROOT).proof().is_some() {
                        return;
                    }
                }
                if self.limits.lines <= 1 && self.settled(main.task.tree, &progress, since.elapsed()) {
                    return;
                }
            }
        }
    }

    /// A win by fours or threes of the side to move, found before any simulation, with its proof
    /// where there was time to write it down.
    fn proven_at_once(&self, tree: &Tree, constants: &Constants) -> Option<(Report, Option<Winning>)> {
        /// Positions in a proof that is written down.
        const MOST_POSITIONS: usize = 50_000;
        let Thinking { board, limits, budget, stop } = self;
        let share = constants.vct;
        let deadline = budget.soft.map(|soft| budget.started + soft.mul_f64(share.max(0.01)));
        let most = if deadline.is_some() { u64::MAX } else { limits.visits.unwrap_or(200_000) };
        let solve_limits = SolveLimits {
            time: deadline.map(|deadline| deadline.saturating_duration_since(Instant::now())),
            nodes: most,
            memory: solve_memory(limits, deadline),
            threads: limits.threads,
        };
        let kind = if share > 0.0 { Kind::Vct } else { Kind::Vcf };
        let found = find(board, kind, &solve_limits, stop);
        let first = *found.solution.line.first()?;
        if limits.blocked.contains(first) {
            return None;
        }
        // The game is won: what is left of the time goes into the proof.
        let tree_limits = TreeLimits {
            positions: MOST_POSITIONS,
            deadline: budget.soft.map(|soft| budget.started + soft.mul_f64(0.8)),
            stop: (*stop).clone(),
        };
        let (solution, proof) = found.with_tree(board, most, &tree_limits);
        let winning = proof.ok().map(|proof| Winning::new(proof, board));
        let length = match &winning {
            Some(winning) => winning.plies(),
            None if solution.line.len() > 1 => solution.line.len(),
            None if board.class(board.to_move(), first) == Class::Five => 1,
            // The win is only known to come before the board is full.
            None => board.empty().len(),
        };
        Some((self.report_with_win(tree, constants, solution.line, solution.nodes, length), winning))
    }

    /// The next move of a win that is being played, unless it may not be played.
    fn report_of_win(&self, game: &Game) -> Option<Report> {
        let winning = game.winning.as_ref()?;
        let (pv, length) = (winning.line(), winning.plies());
        let allowed = !self.limits.blocked.contains(*pv.first()?);
        allowed.then(|| self.report_with_win(&game.tree, &game.constants, pv, 1, length))
    }

    /// A report that begins with a line which wins in so many plies.
    fn report_with_win(
        &self,
        tree: &Tree,
        constants: &Constants,
        pv: Vec<Point>,
        visits: u64,
        length: usize,
    ) -> Report {
        let first = pv[0];
        let proof = Some(Proof::Win(length as u16));
        let line = Line { point: first, winrate: 1.0, visits, pv, proof, prior: None };
        let mut report = self.report_of(tree, constants, visits, length);
        report.lines.retain(|line| line.point != first);
        report.lines.insert(0, line);
        report.lines.truncate(self.limits.lines.max(1));
        report
    }

    /// Whether to keep the rest of the time for later moves: what was planned is used, or no other
    /// move can catch up. Where nothing can be kept, all of it is used: what the tree learns now
    /// helps the next move.
    fn settled(&self, tree: &Tree, progress: &Progress, simulating: Duration) -> bool {
        let budget = &self.budget;
        let Some(soft) = budget.soft.filter(|_| budget.soft < budget.hard) else { return false };
        let edges = tree.edges(tree.node(ROOT));
        let (mut most, mut second) = (0, 0);
        for visits in edges.iter().map(node::Edge::visits) {
            second = second.max(most.min(visits));
            most = most.max(visits);
        }
        let lead = f64::from(most - second);
        let left = soft.saturating_sub(progress.elapsed).as_secs_f64();
        // Before the simulations the solver had its share, which says nothing about their pace.
        let rate = progress.visits as f64 / simulating.as_secs_f64().max(1e-6);
        budget.planned_time_used(progress) || lead > rate * left
    }

    fn report(&self, game: &Game, visits: u64, depth: usize) -> Report {
        self.report_of(&game.tree, &game.constants, visits, depth)
    }

    fn report_of(&self, tree: &Tree, constants: &Constants, visits: u64, depth: usize) -> Report {
        let root = tree.node(ROOT);
        let all = rank::candidates(tree, root, constants);
        let allowed = |of: &&Candidate| !self.limits.blocked.contains(of.point);
        let mut candidates: Vec<Candidate> = all.iter().filter(allowed).cloned().collect();
        if candidates.is_empty() {
            candidates = all;
        }
        let mean = root.outcome();
        let line = |of: &Candidate| Line {
            point: of.point,
            winrate: of.outcome.unwrap_or(mean).winrate(),
            visits: of.visits.into(),
            pv: std::iter::once(of.point).chain(rank::expected(tree, of.child, constants)).collect(),
            proof: of.proof,
            prior: Some(of.prior.into()),
        };
        Report {
            lines: candidates.iter().take(self.limits.lines.max(1)).map(line).collect(),
            visits,
            depth: depth as u32,
            elapsed: self.budget.started.elapsed(),
        }
    }
}

/// A table that a search for forced wins can fill until its deadline: untouched memory is cheap, a
/// large table that is touched everywhere is not.
fn solve_memory(limits: &Limits, deadline: Option<Instant>) -> usize {
    const BYTES_A_SECOND: f64 = 40e6;
    let seconds =
        deadline.map_or(1.0, |deadline| deadline.saturating_duration_since(Instant::now()).as_secs_f64());
    let wanted = (seconds * BYTES_A_SECOND) as usize;
    wanted.clamp(1 << 20, 64 << 20).min((limits.memory / 8).max(1 << 20))
}

#[cfg(test)]
mod tests;
