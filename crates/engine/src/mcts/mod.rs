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
mod thinking;
mod tree;
mod verify;
mod winning;

use crate::evaluation::{Judge, NetJudge, PatternJudge};
use crate::solver::Vct;
use crate::{Engine, EngineKind, Event, Limits, NetUse, Report, Settings, Stop, shipped};
use expand::{Expander, Fours, complete, temper};
pub use explore::{Exploration, ExploreLimits, Explorer};
use fivestone_game::{Board, Class, Point, Rule, Size};
use fivestone_nets::Net;
use parameters::{Constants, SHORT_SIGHTED, TUNED};
use search::Worker;
use std::sync::Arc;
use thinking::Thinking;
use tree::{ROOT, Tree};
use winning::Winning;

/// The flagship in the list.
pub const KIND: EngineKind = EngineKind {
    name: "fivestone",
    paper: None,
    description: "the flagship: tree search with proofs, a net where the rule has one, wins by fours and threes",
    parameters: Constants::TABLE,
    tuned: TUNED,
    nets: NetUse::Optional,
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
    nets: NetUse::None,
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
            Knowledge::Given(_) | Knowledge::Net => shipped::net(board.rule()),
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
        // The same position again: everything known is about it.
        if known != Some(ROOT) {
            self.tree = known.map_or_else(Tree::new, |root| self.tree.keep(root, 0));
            self.open_root(&mut board.clone());
        }
        self.show_moves(board);
    }

    /// Gives the root its node and its moves, with priors as flat as the root's are to be.
    fn open_root(&mut self, board: &mut Board) {
        let expander = &mut self.workers[0].expander;
        if self.tree.len() == 0 {
            let (new, moves) = expander.new_node(board, Fours::NotKnown);
            self.tree.insert(&new);
            if let Some(moves) = moves {
                self.tree.set_edges(self.tree.node(ROOT), moves);
            }
        }
        let root = self.tree.node(ROOT);
        if root.proof().is_none() && root.begin_expanding() {
            let moves = expander.open_moves(board, root.facts().threats);
            self.tree.set_edges(root, moves);
        }
        let flatter = self.constants.root_temperature / self.constants.temperature;
        if flatter != 1.0 {
            temper(self.tree.edges(root), flatter);
        }
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

#[cfg(test)]
mod tests;
