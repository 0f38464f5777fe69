//! Monte-Carlo tree search on a graph of positions, with proofs.

mod expand;
mod explore;
mod search;
mod tree;

use crate::evaluation::{Judge, NetJudge, PatternJudge};
use crate::solver::{self, Kind, SolveLimits, Vct, solve};
use crate::{
    Budget, Engine, EngineKind, Event, Limits, Line, Parameter, Progress, Proof, Report, Settings, Stop,
};
use expand::{ExpandSettings, Expander, complete};
pub use explore::{Exploration, ExploreLimits, Explorer};
use fivestone_game::{Board, Class, Point, Rule, Size};
use fivestone_nets::Net;
use search::{SelectSettings, Walker, node_mean};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};
use tree::{Edge, NONE, NodeId, Tree};

const PARAMETERS: &[Parameter] = &[
    Parameter { name: "exploration", meaning: "weight of the prior", default: 1.4, range: (0.0, 10.0) },
    Parameter {
        name: "exploration-growth",
        meaning: "growth of that weight with visits",
        default: 0.4,
        range: (0.0, 5.0),
    },
    Parameter {
        name: "first-play",
        meaning: "how much worse an untried move is thought than its parent",
        default: 0.3,
        range: (0.0, 2.0),
    },
    Parameter { name: "temperature", meaning: "flattens the priors", default: 1.2, range: (0.1, 5.0) },
    Parameter {
        name: "net-share",
        meaning: "the net's part of the value; below 0: what suits the rule",
        default: -1.0,
        range: (-1.0, 1.0),
    },
    Parameter { name: "width", meaning: "most moves of a quiet node", default: 40.0, range: (2.0, 484.0) },
    Parameter { name: "own-fours", meaning: "fours tried at a leaf", default: 120.0, range: (0.0, 1e5) },
    Parameter {
        name: "other-fours",
        meaning: "enemy fours tried at a leaf",
        default: 60.0,
        range: (0.0, 1e5),
    },
    Parameter {
        name: "deeper-after",
        meaning: "visits after which a node is searched for a win by threes",
        default: 200.0,
        range: (1.0, 1e9),
    },
    Parameter {
        name: "hopeful",
        meaning: "expected result below which such a search comes much later",
        default: 0.4,
        range: (-1.0, 1.0),
    },
    Parameter {
        name: "deeper-nodes",
        meaning: "positions of such a search",
        default: 600.0,
        range: (0.0, 1e6),
    },
    Parameter {
        name: "deeper-growth",
        meaning: "how many times as many in the next such search, after eight times the visits",
        default: 4.0,
        range: (0.0, 100.0),
    },
    solver::SHARE,
];

/// The flagship in the list.
pub const KIND: EngineKind = EngineKind {
    name: "fivestone",
    paper: None,
    description: "the flagship: tree search with proofs, a net where the rule has one, wins by fours and threes",
    parameters: PARAMETERS,
    build: |settings| Box::new(Mcts::flagship(settings)),
};

/// The flagship without a net in the list.
pub const PATTERN_KIND: EngineKind = EngineKind {
    name: "fivestone-pattern",
    paper: None,
    description: "the flagship with patterns fitted to games instead of a net",
    parameters: PARAMETERS,
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
    net_share: f32,
    expand: ExpandSettings,
    select: SelectSettings,
    vct_share: f64,
    tree: Tree,
    game: Option<(Rule, Size)>,
}

impl Mcts {
    /// The flagship, with the net of its settings if they have one.
    fn flagship(settings: &Settings) -> Mcts {
        let knowledge = settings.net().map_or(Knowledge::Net, Knowledge::Given);
        Mcts::new(KIND.name, knowledge, settings)
    }

    /// An engine listed under a name.
    pub fn new(name: &'static str, knowledge: Knowledge, settings: &Settings) -> Mcts {
        let number = |name: &str| settings.number(name) as f32;
        Mcts {
            name,
            knowledge,
            net_share: number("net-share"),
            expand: ExpandSettings {
                own_fours: settings.whole("own-fours"),
                other_fours: settings.whole("other-fours"),
                width: settings.whole("width") as usize,
                temperature: number("temperature"),
            },
            select: SelectSettings {
                exploration: number("exploration"),
                exploration_growth: number("exploration-growth"),
                first_play: number("first-play"),
                deeper_after: settings.whole("deeper-after") as u32,
                hopeful: number("hopeful"),
                deeper_nodes: settings.whole("deeper-nodes"),
                deeper_growth: number("deeper-growth"),
            },
            vct_share: settings.number(solver::SHARE.name),
            tree: Tree::new(),
            game: None,
        }
    }

    /// The net's part of the value. The renju net still needs the patterns more than the others do.
    fn net_share(&self, rule: Rule) -> f32 {
        let of_rule = if rule == Rule::Renju { 0.5 } else { 0.8 };
        if self.net_share < 0.0 { of_rule } else { self.net_share }
    }

    fn judge(&self, board: &Board) -> Box<dyn Judge> {
        let net = match &self.knowledge {
            Knowledge::Patterns => None,
            Knowledge::Given(net) if net.rule == board.rule() => Some(Arc::clone(net)),
            Knowledge::Given(_) | Knowledge::Net => Net::embedded(board.rule()),
        };
        let net = net.map(|net| NetJudge::new(net, board, self.net_share(board.rule())));
        net.map_or_else(|| Box::new(PatternJudge::new(board)) as Box<dyn Judge>, |net| Box::new(net))
    }

    /// Keeps what is known about the position, drops the rest, and makes its node if it is new.
    fn take_root(&mut self, board: &Board, expander: &mut Expander) -> NodeId {
        let game = Some((board.rule(), board.size()));
        if self.game != game {
            self.tree = Tree::new();
            self.game = game;
        }
        match self.tree.find(board.hash()) {
            // The same position again: everything known is about it.
            Some(0) => {}
            Some(root) => self.tree = self.tree.keep(root),
            None => {
                self.tree = Tree::new();
                self.tree.insert(expander.expand(&mut board.clone(), false));
            }
        }
        0
    }
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
        let threads = limits.threads.max(1);
        let new_expander = || Expander::new(self.judge(board), self.expand, 1 << 19);
        let mut expanders: Vec<Expander> = (0..threads).map(|_| new_expander()).collect();
        let root = self.take_root(board, &mut expanders[0]);
        self.show_moves(board, root);
        let only_move = self.tree.node(root).edges.len() == 1 && limits.lines <= 1;
        let most_bytes = (limits.memory * 3 / 5).max(1 << 20);
        let simulations = AtomicU64::new(0);
        let halt = Stop::new();
        let mut walkers: Vec<Walker> = expanders
            .into_iter()
            .map(|expander| {
                let vct = Vct::with_memory(4 << 20);
                Walker::new(&self.tree, board, expander, self.select, vct, limits.blocked, most_bytes)
            })
            .collect();
        let mut main = walkers.remove(0);
        std::thread::scope(|scope| {
            let mut simulating_since = Instant::now();
            for mut walker in walkers {
                let (simulations, halt) = (&simulations, &halt);
                scope.spawn(move || {
                    while !halt.raised() && walker.simulate(root) {
                        simulations.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
            // The other threads simulate while this one looks for a forced win.
            let proven =
                if only_move { None } else { self.proven_at_once(board, limits, &budget, stop, root) };
            if threads == 1 {
                simulating_since = Instant::now();
            }
            let mut told = Instant::now();
            if !only_move && proven.is_none() {
                while main.simulate(root) {
                    let done = simulations.fetch_add(1, Ordering::Relaxed) + 1;
                    let progress = budget.progress(done);
                    if stop.raised() || budget.spent(&progress) {
                        break;
                    }
                    if done.is_multiple_of(64) {
                        if told.elapsed() > Duration::from_millis(100) {
                            told = Instant::now();
                            events(Event::Report(self.report(root, limits, &budget, done, main.deepest)));
                        }
                        if limits.lines <= 1
                            && self.settled(root, &budget, &progress, simulating_since.elapsed())
                        {
                            break;
                        }
                    }
                }
            }
            halt.raise();
            proven.unwrap_or_else(|| {
                self.report(root, limits, &budget, simulations.load(Ordering::Relaxed), main.deepest)
            })
        })
    }

    fn new_game(&mut self) {
        self.tree = Tree::new();
    }

    fn refusal(&self, rule: Rule, size: Size) -> Option<String> {
        let Knowledge::Given(net) = &self.knowledge else { return None };
        net.check(rule, size).err().map(|error| error.to_string())
    }
}

impl Mcts {
    /// Makes sure that the root has moves to show, whatever is proven about it.
    fn show_moves(&self, board: &Board, root: NodeId) {
        let mut node = self.tree.node(root);
        if node.edges.is_empty() {
            // Of moves that all lose, those that at least stop one five come first.
            let mover = board.to_move();
            let fives = board.cells(mover, Class::Five).union(&board.cells(!mover, Class::Five));
            node.edges = fives.iter().map(|point| Edge::new(point, 1.0)).collect();
            complete(&mut board.clone(), &mut node);
        }
        if node.edges.is_empty() {
            // Every empty point is forbidden; one has to be played.
            node.edges = board.empty().iter().map(|point| Edge::new(point, 1.0)).collect();
        }
    }

    /// A win by fours or threes of the side to move, found before any simulation.
    fn proven_at_once(
        &self,
        board: &Board,
        limits: &Limits,
        budget: &Budget,
        stop: &Stop,
        root: NodeId,
    ) -> Option<Report> {
        let deadline = budget.soft.map(|soft| budget.started + soft.mul_f64(self.vct_share.max(0.01)));
        let most = if deadline.is_some() { u64::MAX } else { limits.visits.unwrap_or(200_000) };
        let solve_limits = SolveLimits {
            time: deadline.map(|deadline| deadline.saturating_duration_since(Instant::now())),
            nodes: most,
            memory: solve_memory(limits, deadline),
        };
        let kind = if self.vct_share > 0.0 { Kind::Vct } else { Kind::Vcf };
        let solution = solve(board, kind, &solve_limits, stop);
        let first = *solution.line.first()?;
        if limits.blocked.contains(first) {
            return None;
        }
        let length = if solution.line.len() > 1 || board.empty().len() < 2 {
            solution.line.len()
        } else {
            // One move can be a five; otherwise the win is only known to come before the board is full.
            if board.class(board.to_move(), first) == Class::Five { 1 } else { board.empty().len() }
        };
        let line = Line {
            point: first,
            winrate: 1.0,
            visits: solution.nodes,
            pv: solution.line,
            proof: Some(Proof::Win(length as u16)),
            prior: None,
        };
        let mut report = self.report(root, limits, budget, solution.nodes, length);
        report.lines.retain(|line| line.point != first);
        report.lines.insert(0, line);
        report.lines.truncate(limits.lines.max(1));
        Some(report)
    }

    /// Whether to keep the rest of the time for later moves: what was planned is used, or no other move can catch up. Where
    /// nothing can be kept, all of it is used: what the tree learns now helps the next move.
    fn settled(&self, root: NodeId, budget: &Budget, progress: &Progress, simulating: Duration) -> bool {
        let Some(soft) = budget.soft.filter(|_| budget.soft < budget.hard) else { return false };
        let node = self.tree.node(root);
        let mut visits: Vec<u32> = node.edges.iter().map(|edge| edge.visits).collect();
        visits.sort_unstable_by(|a, b| b.cmp(a));
        let lead = f64::from(visits[0] - visits.get(1).copied().unwrap_or(0));
        let left = soft.saturating_sub(progress.elapsed).as_secs_f64();
        // Before the simulations the solver had its share, which says nothing about their pace.
        let rate = progress.visits as f64 / simulating.as_secs_f64().max(1e-6);
        budget.planned_time_used(progress) || lead > rate * left
    }

    fn report(&self, root: NodeId, limits: &Limits, budget: &Budget, visits: u64, depth: usize) -> Report {
        let node = self.tree.node(root);
        let blocked = |edge: &&Edge| limits.blocked.contains(edge.point);
        let mut edges: Vec<Edge> = node.edges.iter().filter(|edge| !blocked(edge)).cloned().collect();
        if edges.is_empty() {
            edges.clone_from(&node.edges);
        }
        let mean = node_mean(&node);
        drop(node);
        rank(&mut edges);
        let line = |edge: &Edge| Line {
            point: edge.point,
            winrate: f64::from(f32::midpoint(
                if edge.visits > 0 || edge.proof.is_some() { edge.mean() } else { mean },
                1.0,
            )),
            visits: edge.visits.into(),
            pv: std::iter::once(edge.point).chain(self.expected(edge.child)).collect(),
            proof: edge.proof,
            prior: Some(edge.prior.into()),
        };
        Report {
            lines: edges.iter().take(limits.lines.max(1)).map(line).collect(),
            visits,
            depth: depth as u32,
            elapsed: budget.started.elapsed(),
        }
    }

    /// What the search expects after a node.
    fn expected(&self, mut id: NodeId) -> Vec<Point> {
        let mut line = Vec::new();
        while id != NONE && line.len() < 60 {
            let node = self.tree.node(id);
            let mut edges: Vec<Edge> = node.edges.iter().filter(|edge| edge.visits > 0).cloned().collect();
            drop(node);
            if edges.is_empty() {
                break;
            }
            rank(&mut edges);
            line.push(edges[0].point);
            id = edges[0].child;
        }
        line
    }
}

/// A table that a search for forced wins can fill until its deadline: untouched memory is cheap, a large table that is
/// touched everywhere is not.
fn solve_memory(limits: &Limits, deadline: Option<Instant>) -> usize {
    const BYTES_A_SECOND: f64 = 40e6;
    let seconds =
        deadline.map_or(1.0, |deadline| deadline.saturating_duration_since(Instant::now()).as_secs_f64());
    ((seconds * BYTES_A_SECOND) as usize).clamp(1 << 20, 64 << 20).min((limits.memory / 8).max(1 << 20))
}

/// Best first: proven wins (fastest first), then by a lower bound of the mean, lost moves last (slowest first).
fn rank(edges: &mut [Edge]) {
    let most = edges.iter().map(|edge| edge.visits).max().unwrap_or(0);
    let key = |edge: &Edge| -> f64 {
        match edge.proof {
            Some(Proof::Win(plies)) => 1e6 - f64::from(plies),
            Some(Proof::Loss(plies)) => -1e6 + f64::from(plies),
            _ if edge.visits == 0 => -1e3 + f64::from(edge.prior),
            // Rarely tried moves are not trusted, however good they look.
            _ if edge.visits < most / 8 => -1e2 + f64::from(edge.visits) / f64::from(most),
            _ => lower_bound(edge),
        }
    };
    edges.sort_by(|a, b| key(b).total_cmp(&key(a)).then(a.point.cmp(&b.point)));
}

/// The mean less twice its standard error.
fn lower_bound(edge: &Edge) -> f64 {
    let visits = f64::from(edge.visits);
    let mean = f64::from(edge.mean());
    let variance = (f64::from(edge.square_sum) / visits - mean * mean).max(0.0) + 1.0 / visits;
    mean - 2.0 * (variance / visits).sqrt()
}
