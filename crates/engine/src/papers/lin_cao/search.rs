//! The tree search of section III with section IV's additions, each of which can be left out.

use super::heuristic::Heuristic;
use super::network::Network;
use super::position::Position;
use crate::Rng;
use fivestone_game::{Board, Class, Color, GameEnd, Point};

/// How the search goes about it.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// The constant C of UCB.
    pub c: f64,
    /// The weight of the progressive bias; 0 for plain UCB.
    pub bias: f64,
    /// How many moves of the best heuristic a node keeps; 0 for all.
    pub width: usize,
    /// `MAX_DEPTH`: moves of a simulation before it is cut off.
    pub depth: usize,
    /// Draws simulated moves by their heuristic; without one all are alike.
    pub heuristic: Option<Heuristic>,
}

/// A position of the tree, seen by the side whose move led to it.
#[derive(Clone, Copy)]
pub struct Node {
    /// The move.
    pub point: Point,
    /// Simulations through it.
    pub visits: u32,
    total: f32,
    bias: f32,
    first: u32,
    count: u16,
    /// How the game ended with the move.
    pub ending: Option<GameEnd>,
}

impl Node {
    /// The mean result in [0, 1].
    pub fn mean(&self) -> f32 {
        self.total / self.visits.max(1) as f32
    }
}

/// The tree. Node 0 stands for the root, whose own move does not matter.
pub struct Search<'a> {
    position: Position,
    network: Option<&'a Network>,
    manner: Manner,
    rng: Rng,
    nodes: Vec<Node>,
    capacity: usize,
    /// Simulations so far.
    pub simulations: u64,
    /// The longest line of the tree.
    pub depth: usize,
}

impl<'a> Search<'a> {
    /// A tree of the root and some of its moves.
    pub fn new(
        board: &Board,
        points: Vec<Point>,
        network: Option<&'a Network>,
        manner: Manner,
        bytes: usize,
        rng: Rng,
    ) -> Search<'a> {
        let nothing =
            Node { point: points[0], visits: 0, total: 0.0, bias: 0.0, first: 0, count: 0, ending: None };
        let mut search = Search {
            position: if network.is_some() { Position::new(board) } else { Position::uncounted(board) },
            network,
            manner,
            rng,
            nodes: vec![nothing],
            capacity: bytes / size_of::<Node>(),
            simulations: 0,
            depth: 0,
        };
        search.add_children(0, points);
        search
    }

    /// The children of a node.
    pub fn children(&self, node: usize) -> &[Node] {
        let Node { first, count, .. } = self.nodes[node];
        &self.nodes[first as usize..][..count.into()]
    }

    /// A root's move and the most visited moves after it.
    pub fn line(&self, child: usize) -> Vec<Point> {
        let mut at = self.nodes[0].first as usize + child;
        let mut line = vec![self.nodes[at].point];
        loop {
            let children = self.children(at).iter().enumerate().filter(|(_, node)| node.visits > 0);
            let best = children.max_by_key(|&(number, node)| (node.visits, usize::MAX - number));
            let Some((number, _)) = best else { return line };
            at = self.nodes[at].first as usize + number;
            line.push(self.nodes[at].point);
        }
    }

    /// One simulation: selection, expansion, simulation, back-propagation.
    pub fn iterate(&mut self) {
        let mut path = vec![0];
        let black = loop {
            let at = path[path.len() - 1];
            if let Some(ending) = self.nodes[at].ending {
                break black_points(ending);
            }
            if self.nodes[at].count == 0 {
                if self.nodes[at].visits == 0 || self.nodes.len() >= self.capacity {
                    break self.simulate();
                }
                let points = self.position.candidates();
                self.add_children(at, points);
            }
            let child = self.select(at);
            let ending = self.position.play(self.nodes[child].point);
            self.nodes[child].ending = ending;
            path.push(child);
        };
        for _ in 1..path.len() {
            self.position.undo();
        }
        self.depth = self.depth.max(path.len() - 1);
        let mut mover = !self.position.board().to_move();
        for at in path {
            let node = &mut self.nodes[at];
            node.visits += 1;
            node.total += if mover == Color::Black { black } else { 1.0 - black };
            mover = !mover;
        }
        self.simulations += 1;
    }

    /// Adds moves as children: the best by heuristic first and, with pruning, alone.
    fn add_children(&mut self, node: usize, points: Vec<Point>) {
        let board = self.position.board();
        let me = board.to_move();
        let heuristic = self.manner.heuristic;
        let worth = |point| heuristic.map_or(0.0, |heuristic| heuristic.of(board, me, point));
        let mut moves: Vec<(f32, Point)> = points.into_iter().map(|point| (worth(point), point)).collect();
        if heuristic.is_some() {
            moves.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        } else {
            for last in (1..moves.len()).rev() {
                moves.swap(last, self.rng.below(last + 1));
            }
        }
        if self.manner.width > 0 {
            moves.truncate(self.manner.width);
        }
        let best = moves.iter().map(|&(worth, _)| worth).fold(1.0, f32::max);
        let first = self.nodes.len() as u32;
        let children = moves.iter().map(|&(worth, point)| Node {
            point,
            visits: 0,
            total: 0.0,
            bias: worth / best,
            first: 0,
            count: 0,
            ending: None,
        });
        self.nodes.extend(children);
        self.nodes[node].first = first;
        self.nodes[node].count = moves.len() as u16;
    }

    /// The child of the largest `mean + C sqrt(ln N / n) + bias H / (n + 1)`; one that was never tried comes first.
    fn select(&self, node: usize) -> usize {
        let first = self.nodes[node].first as usize;
        let logarithm = (self.nodes[node].visits.max(1) as f32).ln();
        let (c, bias) = (self.manner.c as f32, self.manner.bias as f32);
        let mut best = (f32::NEG_INFINITY, first);
        for (number, child) in self.children(node).iter().enumerate() {
            if child.visits == 0 {
                return first + number;
            }
            let visits = child.visits as f32;
            let worth = child.mean() + c * (logarithm / visits).sqrt() + bias * child.bias / (visits + 1.0);
            if worth > best.0 {
                best = (worth, first + number);
            }
        }
        best.1
    }

    /// Plays on to the end or to `MAX_DEPTH`; answers Black's points. What is cut off is valued by the network, and is a tie
    /// without one.
    fn simulate(&mut self) -> f32 {
        let mut plies = 0;
        let mut points = None;
        while plies < self.manner.depth && points.is_none() {
            let Some(point) = self.simulated_move() else { break };
            points = self.position.play(point).map(black_points);
            plies += 1;
        }
        let points = points.unwrap_or_else(|| match self.network {
            Some(network) => self.position.value(network, Color::Black),
            None => 0.5,
        });
        for _ in 0..plies {
            self.position.undo();
        }
        points
    }

    fn simulated_move(&mut self) -> Option<Point> {
        let board = self.position.board();
        let near = board.near(super::position::RADIUS);
        let Some(heuristic) = self.manner.heuristic else {
            let points = if near.is_empty() { board.empty() } else { &near };
            let count = points.len();
            return (count > 0).then(|| points.iter().nth(self.rng.below(count))).flatten();
        };
        let (me, you) = (board.to_move(), !board.to_move());
        for color in [me, you] {
            if board.count(color, Class::Five) > 0 {
                return board.cells(color, Class::Five).first();
            }
        }
        let mut sum = 0.0;
        let mut drawn = None;
        for point in near.iter() {
            if board.class(me, point) == Class::Forbidden {
                continue;
            }
            // The values are exponential: drawing in proportion to them is mostly playing the best.
            let worth = heuristic.of(board, me, point) + 1.0;
            sum += worth;
            if self.rng.unit() as f32 * sum < worth {
                drawn = Some(point);
            }
        }
        drawn.or_else(|| board.empty().first())
    }
}

fn black_points(ending: GameEnd) -> f32 {
    match ending.winner() {
        Some(Color::Black) => 1.0,
        Some(Color::White) => 0.0,
        None => 0.5,
    }
}
