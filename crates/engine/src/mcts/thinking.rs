//! One search from its first look to its report: time, threads and memory.

use super::Game;
use super::node::Edge;
use super::parameters::Constants;
use super::rank::{self, Candidate};
use super::search::{Company, Simulated, Task, Walker};
use super::tree::{ROOT, Tree};
use super::verify::Verification;
use super::winning::Winning;
use crate::solver::{Kind, SolveLimits, TreeLimits, find};
use crate::{Budget, Event, Limits, Line, Progress, Proof, Report, Stop};
use fivestone_game::{Board, Class, Point};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Simulations between two looks at anything but the limits.
const PAUSE: u64 = 64;
/// Time between two reports.
const REPORT_STEP: Duration = Duration::from_millis(100);

/// One search.
pub(super) struct Thinking<'a> {
    pub board: &'a Board,
    pub limits: &'a Limits,
    pub budget: Budget,
    pub stop: &'a Stop,
}

/// What the threads of a search count together.
#[derive(Default)]
struct Count {
    simulations: AtomicU64,
    /// Whether there is no room for more nodes.
    full: AtomicBool,
}

/// Whether a search begins, or goes on after it made room.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Round {
    First,
    Further,
}

/// A win with its report, and its proof where that was written down.
type Found = (Report, Option<Winning>);

impl Thinking<'_> {
    /// Searches the game's graph from its root.
    pub fn run(&self, game: &mut Game, events: &mut dyn FnMut(Event)) -> Report {
        game.winning = game.winning.take().and_then(|winning| winning.follow(self.board));
        if let Some(report) = self.report_of_win(game) {
            return report;
        }
        let only_move = game.tree.edges(game.tree.node(ROOT)).len() == 1 && self.limits.lines <= 1;
        if only_move {
            return self.report(game, 0, 0);
        }
        let count = Count::default();
        let (mut round, mut deepest) = (Round::First, 0);
        loop {
            count.full.store(false, Ordering::Relaxed);
            let (found, depth) = self.search(game, round, &count, events);
            if let Some((report, winning)) = found {
                game.winning = winning;
                return report;
            }
            deepest = deepest.max(depth);
            if !count.full.load(Ordering::Relaxed) {
                return self.report(game, count.simulations.load(Ordering::Relaxed), deepest);
            }
            game.shrink(self.most_bytes());
            round = Round::Further;
        }
    }

    /// Bytes that the graph may hold; the rest is for solvers and nets.
    fn most_bytes(&self) -> usize {
        (self.limits.memory * 3 / 5).max(1 << 20)
    }

    /// Simulates with all threads until the search is over or the memory is full. Returns a win
    /// found before any simulation, and the length of the longest line.
    fn search(
        &self,
        game: &mut Game,
        round: Round,
        count: &Count,
        events: &mut dyn FnMut(Event),
    ) -> (Option<Found>, usize) {
        let Game { tree, constants, workers, .. } = game;
        let (first, others) = workers.split_first_mut().expect("a game has a worker");
        let task = Task {
            tree,
            board: self.board,
            constants,
            blocked: self.limits.blocked,
            most_bytes: self.most_bytes(),
            company: if others.is_empty() { Company::Alone } else { Company::Others },
        };
        let halt = Stop::new();
        std::thread::scope(|scope| {
            let begun = Instant::now();
            for worker in others {
                let (mut walker, halt) = (Walker::new(task, worker), &halt);
                scope.spawn(move || {
                    while !halt.raised() && walker.simulate() == Simulated::Open {
                        count.simulations.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
            // The other threads simulate while this one looks for a forced win.
            let found = match round {
                Round::First => self.proven_at_once(task.tree, task.constants),
                Round::Further => None,
            };
            let since = if task.company == Company::Alone { Instant::now() } else { begun };
            let mut main = Walker::new(task, first);
            if found.is_none() {
                self.simulate(&mut main, count, since, events);
            }
            halt.raise();
            (found, main.deepest)
        })
    }

    /// The main thread's simulations. `since` is when the first thread began to simulate.
    fn simulate(&self, main: &mut Walker, count: &Count, since: Instant, events: &mut dyn FnMut(Event)) {
        let (tree, constants) = (main.task.tree, main.task.constants);
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
            if !done.is_multiple_of(PAUSE) {
                continue;
            }
            if told.elapsed() > REPORT_STEP {
                told = Instant::now();
                events(Event::Report(self.report_of(tree, constants, done, main.deepest)));
            }
            if verification.is_due(&progress) {
                self.verify(main, &mut verification);
                if tree.node(ROOT).proof().is_some() {
                    return;
                }
            }
            if self.limits.lines <= 1 && self.settled(tree, &progress, since.elapsed()) {
                return;
            }
        }
    }

    /// Looks for a refutation of the best move.
    fn verify(&self, main: &mut Walker, verification: &mut Verification) {
        let Task { tree, constants, .. } = main.task;
        let best = rank::candidates(tree, tree.node(ROOT), constants);
        if let Some(best) = best.first() {
            verification.run(best, main, self.stop);
        }
    }

    /// A win by fours or threes of the side to move, found before any simulation, with its proof
    /// where there was time to write it down.
    fn proven_at_once(&self, tree: &Tree, constants: &Constants) -> Option<Found> {
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
        for visits in edges.iter().map(Edge::visits) {
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
