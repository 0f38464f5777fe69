//! The four steps: selection by `positive / sum + wins / visits`, expansion to at most three children, simulation,
//! backpropagation.

use super::situations::{gain, value};
use crate::Rng;
use fivestone_game::{Board, Class, Color, GameEnd, Point};

/// A node: the report's attributes that cannot be had from others.
pub struct Node {
    /// The move that led here.
    pub point: Option<Point>,
    /// Simulations through it (`simulation_t`).
    pub visits: u32,
    /// Simulations won by the side that moved here, a tie half (`beat_t`).
    pub wins: f32,
    /// The value of the board for the side that moved here (`score`).
    score: i32,
    /// The moves it may be expanded by and their scores (`optimal_pos`), once asked for.
    optimal: Option<Vec<(Point, i32)>>,
    /// Its children, in the order of `optimal`.
    pub children: Vec<usize>,
    /// How the game ended with the move.
    pub ending: Option<GameEnd>,
}

impl Node {
    fn new(point: Option<Point>, score: i32, ending: Option<GameEnd>) -> Node {
        Node { point, visits: 0, wins: 0.0, score, optimal: None, children: Vec::new(), ending }
    }

    /// The share of simulations won by the side that moved here.
    pub fn win_share(&self) -> f32 {
        self.wins / self.visits.max(1) as f32
    }
}

/// The numbers of the search.
#[derive(Clone, Copy, Debug)]
pub struct Numbers {
    /// The most children of a node.
    pub children: usize,
    /// How far from a stone a move may be.
    pub radius: usize,
    /// The most moves of a simulation.
    pub depth: usize,
}

/// The tree. Node 0 is the root.
pub struct Search {
    board: Board,
    numbers: Numbers,
    rng: Rng,
    /// Every node.
    pub nodes: Vec<Node>,
    capacity: usize,
    /// Simulations so far.
    pub simulations: u64,
    /// The longest line of the tree.
    pub depth: usize,
}

impl Search {
    /// A tree whose root has given moves to be expanded by.
    pub fn new(board: &Board, moves: Vec<(Point, i32)>, numbers: Numbers, bytes: usize, rng: Rng) -> Search {
        let mut root = Node::new(None, value(board, !board.to_move()), None);
        root.optimal = Some(moves);
        let capacity = bytes / 256;
        Search { board: board.clone(), numbers, rng, nodes: vec![root], capacity, simulations: 0, depth: 0 }
    }

    /// One simulation.
    pub fn iterate(&mut self) {
        let mut path = vec![0];
        let winner = loop {
            let at = path[path.len() - 1];
            if let Some(ending) = self.nodes[at].ending {
                break ending.winner();
            }
            if self.nodes[at].optimal.is_none() {
                let score = self.nodes[at].score;
                self.nodes[at].optimal = Some(self.optimal(-score));
            }
            let optimal = self.nodes[at].optimal.as_ref().map_or(0, Vec::len);
            if self.nodes[at].children.len() < optimal && (self.nodes.len() < self.capacity || at == 0) {
                let child = self.add_child(at);
                path.push(child);
                break match self.nodes[child].ending {
                    Some(ending) => ending.winner(),
                    None => self.simulate(),
                };
            }
            if self.nodes[at].children.is_empty() {
                break self.simulate();
            }
            let child = self.select(at);
            self.play(child);
            path.push(child);
        };
        let root_mover = !self.to_move_at_root(path.len() - 1);
        for _ in 1..path.len() {
            self.board.undo();
        }
        self.depth = self.depth.max(path.len() - 1);
        self.back_up(&path, root_mover, winner);
        self.simulations += 1;
    }

    fn to_move_at_root(&self, plies: usize) -> Color {
        if plies.is_multiple_of(2) { self.board.to_move() } else { !self.board.to_move() }
    }

    fn play(&mut self, node: usize) -> Option<GameEnd> {
        let point = self.nodes[node].point.expect("only the root has no move");
        self.board.play(point).expect("the moves of the tree are legal")
    }

    fn add_child(&mut self, parent: usize) -> usize {
        let number = self.nodes[parent].children.len();
        let (point, score) = self.nodes[parent].optimal.as_ref().expect("moves were looked for")[number];
        let child = self.nodes.len();
        self.nodes.push(Node::new(Some(point), score, None));
        self.nodes[parent].children.push(child);
        self.nodes[child].ending = self.play(child);
        child
    }

    /// The child of the largest `positive / sum of positives + wins / visits`.
    fn select(&self, node: usize) -> usize {
        let children = &self.nodes[node].children;
        let lowest = children.iter().map(|&child| self.nodes[child].score).min().unwrap_or(0).min(0);
        let positive = |child: usize| (self.nodes[child].score - lowest) as f32;
        let sum: f32 = children.iter().map(|&child| positive(child)).sum();
        let mut best = (f32::NEG_INFINITY, children[0]);
        for &child in children {
            let share = if sum > 0.0 { positive(child) / sum } else { 0.0 };
            let worth = share + self.nodes[child].win_share();
            if worth > best.0 {
                best = (worth, child);
            }
        }
        best.1
    }

    /// The best moves next to the stones, each with the value of the board after it for the side to move.
    fn optimal(&self, value: i32) -> Vec<(Point, i32)> {
        let moves = best_moves(&self.board, self.numbers);
        moves.into_iter().map(|(point, gain)| (point, value + gain)).collect()
    }

    /// Plays on until the game ends, mostly by the best move and sometimes by the second or third; answers the winner. At the
    /// cap the side with the better board is taken to win.
    fn simulate(&mut self) -> Option<Color> {
        let mut plies = 0;
        let mut winner = None;
        let mut ended = false;
        while plies < self.numbers.depth && !ended {
            let moves = best_moves(&self.board, self.numbers);
            let me = self.board.to_move();
            let urgent =
                |point| Color::BOTH.iter().any(|&color| self.board.class(color, point) == Class::Five);
            let Some(&(first, _)) = moves.first() else { break };
            let pick = if urgent(first) || self.board.class(me, first) == Class::OpenFour {
                0
            } else {
                match self.rng.below(10) {
                    0 => 2,
                    1..=3 => 1,
                    _ => 0,
                }
            };
            let point = moves[pick.min(moves.len() - 1)].0;
            let end = self.board.play(point).expect("moves are on empty points");
            plies += 1;
            if let Some(end) = end {
                winner = end.winner();
                ended = true;
            }
        }
        if !ended {
            winner = match value(&self.board, Color::Black) {
                0 => None,
                value if value > 0 => Some(Color::Black),
                _ => Some(Color::White),
            };
        }
        for _ in 0..plies {
            self.board.undo();
        }
        winner
    }

    fn back_up(&mut self, path: &[usize], root_mover: Color, winner: Option<Color>) {
        let mut mover = root_mover;
        for &at in path {
            let node = &mut self.nodes[at];
            node.visits += 1;
            node.wins += match winner {
                None => 0.5,
                Some(color) if color == mover => 1.0,
                Some(_) => 0.0,
            };
            mover = !mover;
        }
    }
}

/// Ways to win or not to lose at once come before anything the scores say.
const WINS: i32 = 10_000_000;

/// The points next to stones that change the value of the board most by either side's stone: a point is worth what it gives
/// and what it takes. With each its gain for the side to move.
pub fn best_moves(board: &Board, numbers: Numbers) -> Vec<(Point, i32)> {
    let near = board.near(numbers.radius);
    let points = if near.is_empty() { *board.empty() } else { near };
    let moves = ranked_moves(board, points.iter(), numbers.children);
    // Every near point may be forbidden.
    if moves.is_empty() { ranked_moves(board, board.empty().iter(), numbers.children) } else { moves }
}

/// The best of given points; forbidden ones are left out.
pub fn ranked_moves(board: &Board, points: impl Iterator<Item = Point>, count: usize) -> Vec<(Point, i32)> {
    let (me, you) = (board.to_move(), !board.to_move());
    // The few best so far, best first: (rank, point, gain).
    let mut best: Vec<(i32, Point, i32)> = Vec::with_capacity(count + 1);
    for point in points {
        let own = gain(board, me, point);
        let mut rank = own + gain(board, you, point);
        rank += if board.class(me, point) == Class::Five { WINS } else { 0 };
        rank += if board.class(you, point) == Class::Five { WINS / 4 } else { 0 };
        if best.len() == count && rank <= best[count - 1].0 {
            continue;
        }
        if board.forbidden_to(me, point).is_some() {
            continue;
        }
        let place = best.partition_point(|entry| entry.0 >= rank);
        best.insert(place, (rank, point, own));
        best.truncate(count);
    }
    best.into_iter().map(|(_, point, own)| (point, own)).collect()
}
