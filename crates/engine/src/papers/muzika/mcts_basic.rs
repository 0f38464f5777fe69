//! `mcts-basic`: Monte Carlo tree search with random rollouts, both confined to the neighbourhood polygon.
//!
//! Each iteration goes down the tree, adds one node, plays one random game and adds its result (+1, 0, -1) to every
//! node on the way. The most visited move is played. A move that makes five ends the game in the tree, and so does
//! a forbidden one, which loses.

use super::polygon::{Cell, CellList, Polygon};
use super::rollout::{Outcome, Position};
use super::tree::{Ending, Gains, Node, Tree};
use crate::pace::{Next, Pace};
use crate::parameters::{SEED, number, parameters};
use crate::random::playable;
use crate::registry::{EngineKind, NetUse};
use crate::report::{Line, Proof};
use crate::{Budget, Engine, Event, Limits, Report, Rng, Settings, Stop};
use fivestone_game::{Board, Color, Point, Rule, Size};

/// The listing of the engine.
pub const KIND: EngineKind = EngineKind {
    name: "mcts-basic",
    paper: Some("Muzika 2017"),
    description: "Monte Carlo tree search with random rollouts inside the polygon around the stones",
    parameters: Parameters::TABLE,
    tuned: &[],
    nets: NetUse::None,
    explain: None,
    build: |settings| Box::new(MctsBasic::new(settings)),
};

parameters! {
    struct Parameters {
        // The paper names neither this value nor how far the polygon reaches; these were the
        // strongest of a few.
        cp: f32 = number(0.2, 0.0..=10.0, "exploration constant Cp of UCT"),
        selection: u64 = number(0.0, 0.0..=1.0, "how a move is selected: 0 UCT, 1 Exp3"),
        gamma: f32 =
            number(0.1, 0.001..=1.0, "share of Exp3's selections that is uniformly random"),
        radius: i32 = number(1.0, 1.0..=22.0, "how far the polygon reaches beyond the stones"),
        seed: u64 = SEED,
    }
}

/// How often the clock and the stop flag are asked, in iterations: well below a millisecond.
const CLOCK_STEP: u64 = 64;

/// How a move is selected where all moves have been tried.
#[derive(Clone, Copy, Debug)]
enum Selection {
    Uct { cp: f32 },
    Exp3 { gamma: f32 },
}

/// The engine.
pub struct MctsBasic {
    selection: Selection,
    radius: i32,
    rng: Rng,
}

impl MctsBasic {
    /// The engine with its settings.
    pub fn new(settings: &Settings) -> MctsBasic {
        let Parameters { cp, selection, gamma, radius, seed } = Parameters::of(&settings.values());
        let selection = if selection == 0 { Selection::Uct { cp } } else { Selection::Exp3 { gamma } };
        MctsBasic { selection, radius, rng: Rng::new(seed) }
    }
}

impl Engine for MctsBasic {
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
        let mut pace = Pace::new(&budget, stop, CLOCK_STEP);
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

/// One node on the way down and, under Exp3, how probable it was to be selected.
#[derive(Clone, Copy)]
struct Step {
    node: usize,
    probability: f32,
}

/// A search of one position.
struct Search<'a> {
    size: Size,
    rule: Rule,
    selection: Selection,
    radius: i32,
    rng: &'a mut Rng,
    tree: Tree,
    root: Position,
    root_cells: CellList,
    /// Renju: the root's board, to ask for forbidden points on.
    patterns: Option<Board>,
    path: Vec<Step>,
    cells: CellList,
    iterations: u64,
    depth: usize,
}

impl<'a> Search<'a> {
    fn new(board: &Board, limits: &Limits, engine: &'a mut MctsBasic) -> Search<'a> {
        let root = Position::new(board, engine.radius);
        let size = board.size();
        let mut polygon = CellList::new();
        root.polygon.cells(&root, size, &mut polygon);
        let playable = playable(board, limits);
        let mut root_cells = CellList::new();
        let inside = |point: &&Point| polygon.as_slice().contains(&cell_of(**point));
        for &point in playable.iter().filter(inside) {
            root_cells.push(cell_of(point));
        }
        if root_cells.len() == 0 {
            // Every move in the polygon is taken or blocked: look at the whole board.
            for &point in &playable {
                root_cells.push(cell_of(point));
            }
        }
        // A block is at most half empty and as much again may wait for reuse.
        let nodes_wanted = limits.visits.map_or(usize::MAX, |visits| 4 * visits.min(1 << 40) as usize + 1024);
        let gains = match engine.selection {
            Selection::Uct { .. } => Gains::None,
            Selection::Exp3 { .. } => Gains::Kept,
        };
        Search {
            size,
            rule: board.rule(),
            selection: engine.selection,
            radius: engine.radius,
            rng: &mut engine.rng,
            tree: Tree::new(limits.memory.saturating_sub(FIXED_MEMORY), nodes_wanted, gains),
            root,
            root_cells,
            patterns: board.rule().restricts(Color::Black).then(|| board.clone()),
            path: Vec::new(),
            cells: CellList::new(),
            iterations: 0,
            depth: 0,
        }
    }

    /// Selection, expansion, rollout and back-up.
    fn iterate(&mut self) {
        self.iterations += 1;
        let mut position = self.root.clone();
        self.path.clear();
        self.path.push(Step { node: 0, probability: 1.0 });
        let mut node = 0;
        let mut path_hash = 0u32;

        // 1. Down the tree while every move has been tried.
        while self.tree.node(node).is_complete() {
            let (child, probability) = self.select(node);
            node = child;
            self.path.push(Step { node, probability });
            let entry = self.tree.node(node);
            if let Some(ending) = entry.ending() {
                return self.back_up(ending.score());
            }
            let cell = entry.cell;
            path_hash = (path_hash ^ cell.index() as u32).wrapping_mul(0x9e37_79b1);
            position.play(cell, self.rule);
            position.polygon.include(cell.x(), cell.y(), self.radius);
        }

        // 2. One new node.
        let (cell, count) = self.next_move(node, &position, path_hash);
        let mover = position.to_move;
        let forbidden = self.is_forbidden(cell, mover);
        let ending = match position.play(cell, self.rule) {
            Outcome::Win => Some(Ending::Win),
            Outcome::Loss => Some(Ending::Loss),
            Outcome::Open if forbidden => Some(Ending::Loss),
            Outcome::Open => position.is_full().then_some(Ending::Draw),
        };
        // Once the memory is used up the result counts for the nodes there are.
        let child = self.tree.add_child(node, Node::new(cell, ending), count).unwrap_or(NOT_KEPT);
        self.path.push(Step { node: child, probability: 1.0 / count as f32 });

        // 3. A random game from there.
        let score = ending.map_or_else(|| self.roll_out(position, cell, mover), Ending::score);
        self.back_up(score);
    }

    /// The next untried move of a node, and how many moves there are.
    fn next_move(&self, node: usize, position: &Position, path_hash: u32) -> (Cell, usize) {
        let tried = self.tree.node(node).children();
        if node == 0 {
            let cells = self.root_cells.as_slice();
            return (cells[untried(tried, cells.len(), path_hash)], cells.len());
        }
        let (polygon, count) = match position.polygon.count(position, self.size) {
            // Every cell of the polygon is taken: look at the whole board.
            0 => (&Polygon::WHOLE, Polygon::WHOLE.count(position, self.size)),
            count => (&position.polygon, count),
        };
        let number = untried(tried, count, path_hash);
        let cell = polygon.nth(position, self.size, number).expect("an open position has an empty cell");
        (cell, count)
    }

    /// The result of a random game after `cell`, for the side that moved there.
    fn roll_out(&mut self, mut position: Position, cell: Cell, mover: Color) -> i32 {
        position.polygon.include(cell.x(), cell.y(), self.radius);
        match position.roll_out(&mut self.cells, self.size, self.rule, self.radius, self.rng) {
            None => 0,
            Some(winner) => 1 - 2 * i32::from(winner != mover),
        }
    }

    /// Selects a child of a node where every move has been tried.
    fn select(&mut self, node: usize) -> (usize, f32) {
        let first = self.tree.first_child(node);
        match self.selection {
            Selection::Uct { cp } => {
                let visits = self.tree.node(node).visits as f32;
                let exploration = 2.0 * cp * (2.0 * visits.ln()).sqrt();
                (first + best_uct(self.tree.children(node), exploration), 1.0)
            }
            Selection::Exp3 { gamma } => {
                let (offset, probability) = draw_exp3(self.tree.gains(node), gamma, self.rng);
                (first + offset, probability)
            }
        }
    }

    /// Adds a result of the last mover to every node on the path.
    fn back_up(&mut self, score: i32) {
        let exp3 = matches!(self.selection, Selection::Exp3 { .. });
        let mut score = score;
        for step in self.path.iter().rev() {
            if step.node != NOT_KEPT {
                let node = self.tree.node_mut(step.node);
                node.visits = node.visits.saturating_add(1);
                node.score = node.score.saturating_add(score);
                if exp3 {
                    // Exp3 counts gains in [0, 1], weighted by how seldom the move is selected.
                    self.tree.gain(step.node, (score + 1) as f32 / 2.0 / step.probability);
                }
            }
            score = -score;
        }
        self.depth = self.depth.max(self.path.len() - 1);
    }

    /// Renju: whether a move at the end of the path is forbidden to the side that makes it.
    fn is_forbidden(&mut self, cell: Cell, mover: Color) -> bool {
        let Some(board) = self.patterns.as_mut().filter(|board| board.rule().restricts(mover)) else {
            return false;
        };
        for step in &self.path[1..] {
            board.play_unchecked(point_of(self.tree.node(step.node).cell, self.size));
        }
        let forbidden = board.is_forbidden(point_of(cell, self.size));
        for _ in 1..self.path.len() {
            board.undo();
        }
        forbidden
    }

    fn report(&self, limits: &Limits, budget: &Budget) -> Report {
        let first = self.tree.first_child(0);
        let children = self.tree.children(0);
        let mut order: Vec<usize> = (0..children.len()).collect();
        order.sort_by_key(|&i| {
            let node = &children[i];
            (std::cmp::Reverse((node.visits, node.score)), node.cell)
        });
        let lines = order.into_iter().take(limits.lines.max(1)).map(|i| self.line(first + i));
        let mut lines: Vec<Line> = lines.collect();
        if lines.is_empty() {
            // Not even the root's first move found room in the memory.
            lines = Report::of_move(point_of(self.root_cells.as_slice()[0], self.size)).lines;
        }
        Report { lines, visits: self.iterations, depth: self.depth as u32, elapsed: budget.started.elapsed() }
    }

    fn line(&self, child: usize) -> Line {
        let node = self.tree.node(child);
        let mut pv = vec![point_of(node.cell, self.size)];
        let mut at = child;
        while self.tree.node(at).ending().is_none()
            && let Some(next) = self.tree.favourite(at)
        {
            at = next;
            pv.push(point_of(self.tree.node(at).cell, self.size));
        }
        let proof = node.ending().map(|ending| match ending {
            Ending::Win => Proof::Win(1),
            Ending::Draw => Proof::Draw,
            Ending::Loss => Proof::Loss(1),
        });
        Line {
            point: pv[0],
            winrate: f64::midpoint(f64::from(node.mean()), 1.0),
            visits: node.visits.into(),
            pv,
            proof,
            prior: None,
        }
    }
}

/// Stands for a node that found no room in the memory.
const NOT_KEPT: usize = usize::MAX;
/// What the search holds beside the tree: the engine itself, boards, lists.
const FIXED_MEMORY: usize = 1 << 20;

/// The next move to try where `tried` of `count` have been: each node goes through its moves in a scattered order of
/// its own, so that no list of untried moves need be kept.
fn untried(tried: usize, count: usize, path_hash: u32) -> usize {
    // Primes above the number of cells of any board have no factor in common with a count of moves.
    const STRIDES: [usize; 8] = [523, 601, 701, 809, 907, 1009, 1103, 1201];
    let hash = path_hash ^ path_hash >> 15;
    let start = (hash >> 8) as usize;
    (start + tried * STRIDES[hash as usize % STRIDES.len()]) % count
}

/// The child of the largest `mean + exploration / sqrt(visits)`; the first among equals.
pub(super) fn best_uct(children: &[Node], exploration: f32) -> usize {
    const LANES: usize = 8;
    let value = |visits: f32, score: f32| {
        let inverse = 1.0 / visits;
        score * inverse + exploration * inverse.sqrt()
    };
    // Several children at a time, each lane with a best of its own, so that the compiler uses vectors.
    let (chunks, rest) = children.as_chunks::<LANES>();
    let mut best = [f32::NEG_INFINITY; LANES];
    let mut chunk_of = [0u32; LANES];
    for (number, chunk) in chunks.iter().enumerate() {
        let visits = chunk.each_ref().map(|child| child.visits as i32 as f32);
        let scores = chunk.each_ref().map(|child| child.score as f32);
        for lane in 0..LANES {
            let value = value(visits[lane], scores[lane]);
            let better = value > best[lane];
            best[lane] = if better { value } else { best[lane] };
            chunk_of[lane] = if better { number as u32 } else { chunk_of[lane] };
        }
    }
    let mut winner = (f32::NEG_INFINITY, 0);
    for lane in 0..LANES {
        let index = chunk_of[lane] as usize * LANES + lane;
        if best[lane] > winner.0 || best[lane] == winner.0 && index < winner.1 {
            winner = (best[lane], index);
        }
    }
    for (offset, child) in rest.iter().enumerate() {
        let value = value(child.visits as f32, child.score as f32);
        if value > winner.0 {
            winner = (value, chunks.len() * LANES + offset);
        }
    }
    winner.1
}

/// Draws a child by Exp3: a softmax of the estimated gains mixed with a uniform choice. Answers its index and how
/// probable it was.
fn draw_exp3(gains: &[f32], gamma: f32, rng: &mut Rng) -> (usize, f32) {
    let count = gains.len() as f32;
    let rate = gamma / count;
    let top = gains.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weight = |gain: f32| (rate * (gain - top)).exp();
    let total: f32 = gains.iter().map(|&gain| weight(gain)).sum();
    let probability = |gain: f32| (1.0 - gamma) * weight(gain) / total + gamma / count;
    let mut rest = rng.unit() as f32;
    for (index, &gain) in gains.iter().enumerate() {
        rest -= probability(gain);
        if rest < 0.0 {
            return (index, probability(gain));
        }
    }
    // Rounding may leave a little of the unit over.
    (gains.len() - 1, probability(gains[gains.len() - 1]))
}

pub(super) fn cell_of(point: Point) -> Cell {
    Cell::new(point.x(), point.y())
}

pub(super) fn point_of(cell: Cell, size: Size) -> Point {
    Point::new(cell.x(), cell.y(), size).expect("a cell of the board")
}
