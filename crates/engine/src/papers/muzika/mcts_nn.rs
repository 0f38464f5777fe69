//! `mcts-nn`: the tree search of `mcts-basic` with the net in place of chance.
//!
//! A new node gets those moves as children that the net holds more probable than a threshold; its game is played with
//! the net's first choices. Beyond the paper, threats are seen without a net, and the children can come from a better
//! net than the one that has to be fast enough for the games.

use super::mcts_basic::{best_uct, cell_of, point_of};
use super::predictor::{Predictor, Source};
use super::tree::{Ending, Gains, Node, Tree};
use crate::pace::{Next, Pace};
use crate::parameters::{number, parameters};
use crate::registry::{EngineKind, NetUse};
use crate::report::{Line, Proof};
use crate::solver::{Vcf, Verdict, answers_to_open_fours, legal_open_fours, stops};
use crate::{Budget, Engine, Event, Limits, Report, Settings, Stop};
use fivestone_game::{Board, Class, Color, Point, PointSet};

/// The listing of the engine.
pub const KIND: EngineKind = EngineKind {
    name: "mcts-nn",
    paper: Some("Muzika 2017"),
    description: "Monte Carlo tree search with a convolutional net in expansion and rollouts",
    parameters: Parameters::TABLE,
    tuned: &[],
    nets: NetUse::Shipped,
    explain: None,
    build: |settings| Box::new(MctsNn::new(settings)),
};

parameters! {
    struct Parameters {
        own_net: Source = number(
            1.0,
            0.0..=1.0,
            "1 to take a node's moves from our own, larger net, 0 from the paper's",
        ),
        own_rollouts: Source =
            number(0.0, 0.0..=1.0, "1 to let our own net play the rollouts, 0 the paper's"),
        cp: f32 = number(0.15, 0.0..=10.0, "exploration constant Cp of UCT"),
        threshold: f32 = number(
            0.08,
            0.0..=1.0,
            "moves the net holds less probable are not looked at; 0.013 in the paper",
        ),
        rollout_moves: usize = number(
            15.0,
            0.0..=484.0,
            "moves after which a rollout counts as drawn; 0 to play it to the end, as in the paper",
        ),
        threats: u64 = number(
            3.0,
            0.0..=3.0,
            "completed or stopped without asking the net: 0 nothing, as in the paper, 1 fives, 2 open fours, 3 also wins by fours",
        ),
    }
}

/// What the search holds beside the tree.
const FIXED_MEMORY: usize = 1 << 20;
/// Of that, what wins by fours are found with.
const VCF_MEMORY: usize = 1 << 18;
/// Fours tried in a new position.
const FOURS_TRIED: u64 = 200;

/// The engine.
pub struct MctsNn {
    cp: f32,
    threshold: f32,
    longest_rollout: usize,
    threats: u64,
    predictor: Predictor,
    /// Plays the rollouts where another net does.
    rollouts: Option<Predictor>,
}

impl MctsNn {
    /// The engine with its settings.
    pub fn new(settings: &Settings) -> MctsNn {
        let parameters = Parameters::of(&settings.values());
        let Parameters { own_net, own_rollouts, .. } = parameters;
        MctsNn {
            cp: parameters.cp,
            threshold: parameters.threshold,
            longest_rollout: match parameters.rollout_moves {
                0 => usize::MAX,
                moves => moves,
            },
            threats: parameters.threats,
            predictor: Predictor::new(own_net),
            rollouts: (own_rollouts != own_net).then(|| Predictor::new(own_rollouts)),
        }
    }
}

impl Engine for MctsNn {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn think(
        &mut self,
        board: &Board,
        limits: &Limits,
        stop: &Stop,
        events: &mut dyn FnMut(Event),
    ) -> Report {
        let budget = limits.budget(board.stone_count());
        let mut search = Search::new(board, limits, self);
        let mut pace = Pace::new(&budget, stop, 1);
        loop {
            search.iterate();
            match pace.after(search.iterations) {
                Next::Step => {}
                Next::Report => events(Event::Report(search.report(limits, &budget))),
                Next::End => return search.report(limits, &budget),
            }
        }
    }
}

/// A search of one position.
struct Search<'a> {
    engine: &'a mut MctsNn,
    board: Board,
    tree: Tree,
    root_moves: Vec<(Point, f32)>,
    /// Finds wins by fours, if they are looked for.
    vcf: Option<Vcf>,
    path: Vec<usize>,
    iterations: u64,
    depth: usize,
}

impl<'a> Search<'a> {
    fn new(board: &Board, limits: &Limits, engine: &'a mut MctsNn) -> Search<'a> {
        let root_moves = engine.predictor.root_moves(board, limits);
        let wanted = limits.visits.map_or(usize::MAX, |visits| 512 * visits.min(1 << 40) as usize + 1024);
        let vcf = (engine.threats >= 3).then(|| Vcf::with_memory(VCF_MEMORY));
        let mut search = Search {
            engine,
            board: board.clone(),
            tree: Tree::new(limits.memory.saturating_sub(FIXED_MEMORY), wanted, Gains::None),
            root_moves,
            vcf,
            path: Vec::new(),
            iterations: 0,
            depth: 0,
        };
        search.leave_worthy_root_moves();
        let moves: Vec<Point> = search.root_moves.iter().map(|entry| entry.0).collect();
        search.add_children(0, moves.into_iter());
        search
    }

    /// Drops root moves that leave a threat alone, or that the net holds improbable. One always stays.
    fn leave_worthy_root_moves(&mut self) {
        if let Some(moves) = self.forced()
            && self.root_moves.iter().any(|entry| moves.contains(entry.0))
        {
            self.root_moves.retain(|entry| moves.contains(entry.0));
            return;
        }
        if let Some(first) = self.win_by_fours()
            && self.root_moves.iter().any(|entry| entry.0 == first)
        {
            self.root_moves.retain(|entry| entry.0 == first);
            return;
        }
        let probable = self.root_moves.iter().filter(|entry| entry.1 > self.engine.threshold).count();
        self.root_moves.truncate(probable.max(1));
    }

    /// Selection, expansion, rollout and back-up.
    fn iterate(&mut self) {
        self.iterations += 1;
        self.path.clear();
        self.path.push(0);
        let plies = self.board.moves().len();
        let mut node = 0;

        // 1. Down the tree, unvisited moves first and in the order of their probabilities.
        while self.tree.node(node).is_complete() && self.tree.node(node).ending().is_none() {
            node = self.select(node);
            self.path.push(node);
            self.board.play_unchecked(point_of(self.tree.node(node).cell, self.board.size()));
        }

        // 2. Children for the new node and a game from there; the result is the last mover's.
        let score = match self.tree.node(node).ending() {
            Some(ending) => ending.score(),
            None => self.expand_and_roll_out(node),
        };

        // 3. Up again.
        while self.board.moves().len() > plies {
            self.board.undo();
        }
        self.depth = self.depth.max(self.path.len() - 1);
        let mut score = score;
        for &node in self.path.iter().rev() {
            let node = self.tree.node_mut(node);
            node.visits = node.visits.saturating_add(1);
            node.score = node.score.saturating_add(score);
            score = -score;
        }
    }

    fn select(&self, node: usize) -> usize {
        let children = self.tree.children(node);
        let first = self.tree.first_child(node);
        if let Some(new) = children.iter().position(|child| child.visits == 0) {
            return first + new;
        }
        let visits = self.tree.node(node).visits as f32;
        first + best_uct(children, 2.0 * self.engine.cp * (2.0 * visits.ln()).sqrt())
    }

    /// Adds the moves as children of a node; where the memory ends the node stays without.
    fn add_children(&mut self, node: usize, moves: impl ExactSizeIterator<Item = Point>) {
        let count = moves.len();
        for point in moves {
            let ending = self.ending_of(point);
            if self.tree.add_child(node, Node::new(cell_of(point), ending), count).is_none() {
                return;
            }
        }
    }

    /// What a move itself brings, for the side that makes it.
    fn ending_of(&mut self, point: Point) -> Option<Ending> {
        let mover = self.board.to_move();
        if self.board.class(mover, point) == Class::Five {
            Some(Ending::Win)
        } else if !self.board.is_legal(point) {
            Some(Ending::Loss)
        } else {
            (self.board.stone_count() + 1 == self.board.size().cells()).then_some(Ending::Draw)
        }
    }

    /// Asks the net about the position, gives the node its children and plays the game to its end with the net's first
    /// choices. Answers the result for the side that moved last.
    fn expand_and_roll_out(&mut self, node: usize) -> i32 {
        let waiting = self.board.to_move();
        let forced = self.forced();
        if forced.is_none() && self.win_by_fours().is_some() {
            return Ending::Loss.score();
        }
        let moves = self.probable_moves(forced.as_ref());
        let first = moves[0];
        if self.tree.node(node).children() == 0 {
            self.add_children(node, moves.into_iter());
        }
        match self.roll_out(first) {
            None => 0,
            Some(winner) => 1 - 2 * i32::from(winner == waiting),
        }
    }

    /// The first move of a win by fours for the side to move, if they are looked for and there is one.
    fn win_by_fours(&mut self) -> Option<Point> {
        let vcf = self.vcf.as_mut()?;
        (vcf.solve(&mut self.board, FOURS_TRIED) == Verdict::Win).then(|| vcf.line()[0])
    }

    /// The moves that complete a five or an open four, or stop the other side's, where there is one. Never empty.
    fn forced(&mut self) -> Option<PointSet> {
        if self.engine.threats == 0 {
            return None;
        }
        let board = &mut self.board;
        let mover = board.to_move();
        if board.count(mover, Class::Five) > 0 {
            return Some(board.cells(mover, Class::Five));
        }
        if board.count(!mover, Class::Five) > 0 {
            let stops = stops(board, !mover);
            return Some(if stops.is_empty() { board.cells(!mover, Class::Five) } else { stops });
        }
        if self.engine.threats == 1 {
            return None;
        }
        let own = legal_open_fours(board, mover);
        if !own.is_empty() {
            return Some(own);
        }
        let other = legal_open_fours(board, !mover);
        (!other.is_empty()).then(|| answers_to_open_fours(board, !mover, &other))
    }

    /// The moves that the net holds probable, among the forced ones where there are, the most probable first. Never
    /// empty.
    fn probable_moves(&mut self, forced: Option<&PointSet>) -> Vec<Point> {
        if let Some(only) = forced.filter(|forced| forced.len() == 1) {
            return only.iter().collect();
        }
        let threshold = if forced.is_some() { 0.0 } else { self.engine.threshold };
        let allowed = |point: Point| forced.is_none_or(|forced| forced.contains(point));
        let known = self.engine.predictor.ask(&self.board);
        let known = known.iter().copied().filter(|&(point, _)| allowed(point));
        let mut probable: Vec<(Point, f32)> =
            known.clone().filter(|&(_, probability)| probability > threshold).collect();
        if probable.is_empty() {
            probable.extend(known.max_by(|a, b| a.1.total_cmp(&b.1)));
        }
        if probable.is_empty() {
            let any = forced.unwrap_or(self.board.empty()).first();
            probable.extend(any.map(|point| (point, 1.0)));
        }
        probable.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        probable.into_iter().map(|(point, _)| point).collect()
    }

    /// The winner of the game that begins with a move and goes on with the net's first choices.
    fn roll_out(&mut self, first: Point) -> Option<Color> {
        let mut point = first;
        for _ in 0..self.engine.longest_rollout {
            let mover = self.board.to_move();
            match self.ending_of(point) {
                Some(Ending::Win) => return Some(mover),
                Some(Ending::Loss) => return Some(!mover),
                Some(Ending::Draw) => return None,
                None => self.board.play_unchecked(point),
            }
            let forced = self.forced();
            let board = &self.board;
            let net = self.engine.rollouts.as_mut().unwrap_or(&mut self.engine.predictor);
            point = match forced {
                Some(moves) if moves.len() == 1 => moves.first()?,
                Some(moves) => net.best_among(board, &moves)?,
                None => net.best(board)?,
            };
        }
        None
    }

    fn report(&self, limits: &Limits, budget: &Budget) -> Report {
        let first = self.tree.first_child(0);
        let mut order: Vec<usize> = (0..self.tree.children(0).len()).collect();
        order.sort_by_key(|&i| {
            let node = self.tree.node(first + i);
            (std::cmp::Reverse((node.visits, node.score)), node.cell)
        });
        let mut lines: Vec<Line> =
            order.into_iter().take(limits.lines.max(1)).map(|i| self.line(first + i)).collect();
        if lines.is_empty() {
            // Not even the root's first move found room in the memory.
            lines = Report::of_move(self.root_moves[0].0).lines;
        }
        Report { lines, visits: self.iterations, depth: self.depth as u32, elapsed: budget.started.elapsed() }
    }

    fn line(&self, child: usize) -> Line {
        let size = self.board.size();
        let node = self.tree.node(child);
        let mut pv = vec![point_of(node.cell, size)];
        let mut at = child;
        while self.tree.node(at).ending().is_none()
            && let Some(next) = self.tree.favourite(at).filter(|&next| self.tree.node(next).visits > 0)
        {
            at = next;
            pv.push(point_of(self.tree.node(at).cell, size));
        }
        let proof = node.ending().map(|ending| match ending {
            Ending::Win => Proof::Win(1),
            Ending::Draw => Proof::Draw,
            Ending::Loss => Proof::Loss(1),
        });
        let prior = self.root_moves.iter().find(|entry| entry.0 == pv[0]).map(|entry| f64::from(entry.1));
        Line {
            point: pv[0],
            winrate: f64::midpoint(f64::from(node.mean()), 1.0),
            visits: node.visits.into(),
            pv,
            proof,
            prior,
        }
    }
}
