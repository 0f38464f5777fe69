//! The winning tree search: moves that force the opponent alone, until a win is certain or nothing is left.
//!
//! A node is pruned as soon as it fails: an attacker's move needs a win against every reply, an opponent's reply is
//! answered if one attack against it wins. What remains when the root is won is the proof tree.

use super::primary::Position;
use super::ranks::Ranked;
use super::{Cell, Outcome};
use fivestone_game::{Board, Class, Color, Point, Rule};
use std::collections::HashMap;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Status {
    Open,
    /// The attacker wins in this many plies from the node's position.
    Won(u16),
    /// Pruned: no forcing win for the attacker.
    Refuted,
}

/// A position of the tree. At an even depth the attacker is to move.
#[derive(Clone, Copy, Debug)]
struct Node {
    cell: Cell,
    visits: u32,
    /// Sum of what leaves promised the attacker.
    total: f32,
    first: u32,
    count: u16,
    expanded: bool,
    status: Status,
}

impl Node {
    fn new(cell: Cell) -> Node {
        Node { cell, visits: 0, total: 0.0, first: 0, count: 0, expanded: false, status: Status::Open }
    }
}

/// A win that was found.
#[derive(Clone, Debug)]
pub struct Win {
    /// Plies to the five, against the longest defence.
    pub plies: u16,
    /// The moves of the longest defence.
    pub line: Vec<Point>,
    /// The move for every position of the attacker in the proof tree, by hash.
    pub moves: HashMap<u64, Point>,
}

/// Whose move it is at a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mover {
    Attacker,
    Defender,
}

/// What the attacker tries.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Means {
    /// Fours alone.
    Fours,
    /// Fours and open threes.
    FoursAndThrees,
}

/// The search for a certain win of the side to move.
pub struct Winning {
    root: Ranked,
    scratch: Ranked,
    /// Knows forbidden points and which fours are open; freestyle does not need it.
    board: Option<Board>,
    attacker: Color,
    rule: Rule,
    /// What is tried.
    means: Means,
    depth: usize,
    nodes: Vec<Node>,
    path: Vec<usize>,
    /// Nodes expanded so far.
    pub expansions: u64,
}

/// How much the search explores beside the mean of what it found.
const EXPLORATION: f32 = 0.5;

impl Winning {
    /// The search from a position, by some means; no line is longer than `depth`.
    pub fn new(board: &Board, root: &Ranked, means: Means, depth: usize) -> Winning {
        Winning {
            root: root.clone(),
            scratch: root.clone(),
            board: (board.rule() != Rule::Freestyle).then(|| board.clone()),
            attacker: board.to_move(),
            rule: board.rule(),
            means,
            depth,
            nodes: vec![Node::new(0)],
            path: Vec::new(),
            expansions: 0,
        }
    }

    /// Whether there is nothing more to find: the root is won or pruned.
    pub fn is_over(&self) -> bool {
        self.nodes[0].status != Status::Open
    }

    /// How many nodes there are.
    pub fn size(&self) -> usize {
        self.nodes.len()
    }

    /// Goes down to a leaf, expands it and takes what it says back up.
    pub fn step(&mut self) {
        self.scratch.clone_from(&self.root);
        self.path.clear();
        self.path.push(0);
        let mut at = 0;
        while self.nodes[at].expanded {
            at = self.select(at);
            self.path.push(at);
            self.scratch.play(self.nodes[at].cell);
        }
        let promise = self.expand(at);
        self.expansions += 1;
        self.back_up(promise);
    }

    /// The child that is neither won nor pruned with the best mean for the side to move, and some exploration.
    fn select(&self, node: usize) -> usize {
        let attacks = self.path.len() % 2 == 1;
        let Node { first, count, visits, .. } = self.nodes[node];
        let weight = EXPLORATION * (visits.max(1) as f32).sqrt();
        let mut best = (f32::NEG_INFINITY, 0);
        for at in first as usize..first as usize + usize::from(count) {
            let child = &self.nodes[at];
            if child.status != Status::Open {
                continue;
            }
            let mean = child.total / child.visits.max(1) as f32;
            let value = if attacks { mean } else { -mean } + weight / (1 + child.visits) as f32;
            if value > best.0 {
                best = (value, at);
            }
        }
        best.1
    }

    /// Settles a leaf or gives it children; answers how promising it is to the attacker, in [-1, 1].
    fn expand(&mut self, node: usize) -> f32 {
        self.nodes[node].expanded = true;
        let attacks = self.path.len() % 2 == 1;
        let mut cells = Vec::new();
        self.follow_path();
        let status = if self.path.len() > self.depth {
            Status::Refuted
        } else if attacks {
            self.attacks(&mut cells)
        } else {
            self.replies(&mut cells)
        };
        self.leave_path();
        self.nodes[node].status = status;
        match status {
            Status::Won(_) => return 1.0,
            Status::Refuted => return -1.0,
            Status::Open => {}
        }
        self.nodes[node].first = self.nodes.len() as u32;
        self.nodes[node].count = cells.len() as u16;
        self.nodes.extend(cells.iter().map(|&cell| Node::new(cell)));
        // The fewer replies are left, the better for the attacker.
        if attacks { 0.0 } else { 0.6 - 0.3 * cells.len().min(5) as f32 }
    }

    /// The attacker's forcing moves, or what is certain already.
    fn attacks(&self, cells: &mut Vec<Cell>) -> Status {
        let (me, you) = (self.attacker, !self.attacker);
        let position = &self.scratch;
        position.fives(me, cells);
        if !cells.is_empty() {
            return Status::Won(1);
        }
        let mut threats = Vec::new();
        position.fives(you, &mut threats);
        if threats.is_empty() {
            position.open_fours(me, cells);
            if self.has_open_four(cells) {
                return Status::Won(3);
            }
            position.fours(me, cells);
            if self.tries_threes() && self.threes_force() {
                position.open_threes(me, cells);
            }
        } else if threats.len() == 1 {
            // The only move, which has to force something as well.
            let mut forcing = Vec::new();
            position.fours(me, &mut forcing);
            if self.tries_threes() && self.threes_force() {
                position.open_threes(me, &mut forcing);
            }
            cells.extend(threats.into_iter().filter(|cell| forcing.contains(cell)));
        }
        self.drop_forbidden(me, cells);
        if cells.is_empty() { Status::Refuted } else { Status::Open }
    }

    /// The opponent's replies that may hold, or what is certain already.
    fn replies(&mut self, cells: &mut Vec<Cell>) -> Status {
        let (me, you) = (self.attacker, !self.attacker);
        let position = &self.scratch;
        let mut fives = Vec::new();
        position.fives(you, &mut fives);
        if !fives.is_empty() {
            return Status::Refuted;
        }
        position.fives(me, cells);
        match cells.len() {
            0 => {
                let mut open_fours = Vec::new();
                position.open_fours(me, &mut open_fours);
                if !self.tries_threes() || !self.has_open_four(&open_fours) {
                    return Status::Refuted;
                }
                position.stoppers(me, 2..=2, cells);
                position.fours(you, cells);
                self.add_spoilers(&open_fours, cells);
            }
            // A five between two enemy stones does not win there: a stone behind the row may hold as well.
            _ if self.rule.ends_matter() => position.stoppers(me, 0..=1, cells),
            1 => {}
            _ => return Status::Won(2),
        }
        self.drop_forbidden(you, cells);
        if cells.is_empty() { Status::Won(2) } else { Status::Open }
    }

    fn tries_threes(&self) -> bool {
        self.means == Means::FoursAndThrees
    }

    /// Whether an open three has to be answered: in caro a four with two free sides may still be held.
    fn threes_force(&self) -> bool {
        !self.rule.ends_matter()
    }

    /// Whether one of the attacker's open fours is one under the rule, too.
    fn has_open_four(&self, cells: &[Cell]) -> bool {
        self.threes_force()
            && match &self.board {
                Some(board) => has_permitted_open_four(board, self.attacker, cells),
                None => !cells.is_empty(),
            }
    }

    /// Renju: adds the replies elsewhere after which every open four is forbidden or none any more. A white stone can make
    /// a three real by freeing its way to a four, and with it a double three of a point that was allowed before.
    fn add_spoilers(&mut self, open_fours: &[Cell], cells: &mut Vec<Cell>) {
        let attacker = self.attacker;
        let Some(board) = self.board.as_mut().filter(|board| board.rule().restricts(attacker)) else {
            return;
        };
        for point in board.empty().clone().iter() {
            let cell = point.dense(board.size());
            if cells.contains(&cell) {
                continue;
            }
            board.play_unchecked(point);
            if !has_permitted_open_four(board, attacker, open_fours) {
                cells.push(cell);
            }
            board.undo();
        }
    }

    /// Renju: takes away the moves that are forbidden to a side.
    fn drop_forbidden(&self, color: Color, cells: &mut Vec<Cell>) {
        let Some(board) = self.board.as_ref() else { return };
        let point = |cell: Cell| Point::from_dense(cell, board.size());
        cells.retain(|&cell| board.forbidden_to(color, point(cell)).is_none());
    }

    fn follow_path(&mut self) {
        let Some(board) = self.board.as_mut() else { return };
        for &at in &self.path[1..] {
            board.play_unchecked(Point::from_dense(self.nodes[at].cell, board.size()));
        }
    }

    fn leave_path(&mut self) {
        let Some(board) = self.board.as_mut() else { return };
        for _ in 1..self.path.len() {
            board.undo();
        }
    }

    fn back_up(&mut self, promise: f32) {
        for depth in (0..self.path.len()).rev() {
            let at = self.path[depth];
            self.nodes[at].visits += 1;
            self.nodes[at].total += promise;
            if self.nodes[at].status == Status::Open {
                let mover = if depth % 2 == 0 { Mover::Attacker } else { Mover::Defender };
                self.nodes[at].status = self.settled(at, mover);
            }
        }
    }

    /// What the children say about a node.
    fn settled(&self, node: usize, mover: Mover) -> Status {
        let Node { first, count, .. } = self.nodes[node];
        let children = &self.nodes[first as usize..][..count.into()];
        let wins = children.iter().filter_map(|child| match child.status {
            Status::Won(plies) => Some(plies),
            _ => None,
        });
        if mover == Mover::Attacker {
            match wins.min() {
                Some(plies) => Status::Won(plies + 1),
                None if children.iter().all(|child| child.status == Status::Refuted) => Status::Refuted,
                None => Status::Open,
            }
        } else if children.iter().any(|child| child.status == Status::Refuted) {
            Status::Refuted
        } else if wins.clone().count() == children.len() {
            Status::Won(wins.max().unwrap_or(1) + 1)
        } else {
            Status::Open
        }
    }

    /// The proof tree, if the root is won.
    pub fn win(&mut self, board: &Board) -> Option<Win> {
        let Status::Won(plies) = self.nodes[0].status else { return None };
        let mut win = Win { plies, line: Vec::new(), moves: HashMap::new() };
        let mut board = board.clone();
        let root = self.root.clone();
        win.line = self.collect(0, &root, &mut board, &mut win.moves);
        Some(win)
    }

    /// Notes the attacker's move in every position below a won one; answers the longest line.
    fn collect(
        &self,
        node: usize,
        position: &Ranked,
        board: &mut Board,
        moves: &mut HashMap<u64, Point>,
    ) -> Vec<Point> {
        let size = board.size();
        let children = |node: usize| {
            let Node { first, count, .. } = self.nodes[node];
            first as usize..first as usize + usize::from(count)
        };
        let plies = |node: usize| match self.nodes[node].status {
            Status::Won(plies) => Some(plies),
            _ => None,
        };
        let chosen = children(node).filter(|&child| plies(child).is_some()).min_by_key(|&child| plies(child));
        let Some(attack) = chosen else {
            // Certain without a search: a five, or a four that cannot be blocked.
            let mut cells = Vec::new();
            position.fives(self.attacker, &mut cells);
            position.open_fours(self.attacker, &mut cells);
            let wins = |cell: &Cell| {
                let point = Point::from_dense(*cell, size);
                let class = board.class(self.attacker, point);
                let legal = board.forbidden_to(self.attacker, point).is_none();
                class == Class::Five || class == Class::OpenFour && legal
            };
            let cell = cells.iter().copied().find(wins).unwrap_or(cells[0]);
            let point = Point::from_dense(cell, size);
            moves.insert(board.hash(), point);
            return vec![point];
        };
        let point = Point::from_dense(self.nodes[attack].cell, size);
        moves.insert(board.hash(), point);
        let mut longest = Vec::new();
        board.play_unchecked(point);
        let mut after = position.clone();
        after.play(self.nodes[attack].cell);
        for reply in children(attack) {
            let answer = Point::from_dense(self.nodes[reply].cell, size);
            let mut next = after.clone();
            if next.play(self.nodes[reply].cell) != Outcome::Open {
                continue;
            }
            board.play_unchecked(answer);
            let mut line = vec![answer];
            line.extend(self.collect(reply, &next, board, moves));
            board.undo();
            if line.len() > longest.len() {
                longest = line;
            }
        }
        board.undo();
        longest.insert(0, point);
        longest
    }
}

/// Whether one of the cells is an open four under the board's rule, and not forbidden.
fn has_permitted_open_four(board: &Board, color: Color, cells: &[Cell]) -> bool {
    cells.iter().any(|&cell| {
        let point = Point::from_dense(cell, board.size());
        board.class(color, point) == Class::OpenFour && board.forbidden_to(color, point).is_none()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;
    use crate::solver::{Vcf, Verdict};

    fn search(drawing: &str, rule: Rule, to_move: Color, steps: u64) -> (Board, Winning) {
        let board = Board::parse_drawing(drawing, rule, to_move).unwrap();
        let mut winning = Winning::new(&board, &Ranked::new(&board), Means::FoursAndThrees, 30);
        while !winning.is_over() && winning.expansions < steps {
            winning.step();
        }
        (board, winning)
    }

    /// Two twos that meet: a three on one line makes a four-three or double three possible.
    const FORK: &str = ". . . . . . . . . . .\n. . . . . . . . . . .\n. . . . . x . . . . .\n. . . . . x . . . . .\n\
                        . . . . . . . . . . .\n. . x x . . . . . . .\n. . . . . . . . . . .\n. . . . . . . . . . .\n\
                        . . . . . . . . . . .\n. . . . . . . o . . .\n. . . . . . o . o . .";

    #[test]
    fn a_double_three_is_proved_and_played_out() {
        let (board, mut winning) = search(FORK, Rule::Freestyle, Color::Black, 20_000);
        let win = winning.win(&board).expect("a win");
        assert!(win.plies >= 5 && usize::from(win.plies) < 12, "{win:?}");
        assert_eq!(win.moves[&board.hash()], win.line[0]);
    }

    #[test]
    fn a_double_three_wins_only_where_the_rule_lets_it() {
        for (rule, wins) in [(Rule::Standard, true), (Rule::Caro, false)] {
            let (board, mut winning) = search(FORK, rule, Color::Black, 20_000);
            assert!(winning.is_over());
            assert_eq!(winning.win(&board).is_some(), wins, "{rule}");
        }
    }

    /// Every reply in the proof is answered by the proof, or loses to fours at once.
    fn assert_proved(win: &Win, board: &mut Board, vcf: &mut Vcf) {
        board.play(win.moves[&board.hash()]).unwrap();
        if board.end().is_none() {
            for reply in board.empty().clone().iter() {
                if board.play(reply).is_err() {
                    continue;
                }
                if board.end().is_none() && win.moves.contains_key(&board.hash()) {
                    assert_proved(win, board, vcf);
                } else if board.end().is_none() {
                    assert_eq!(vcf.solve(board, 10_000), Verdict::Win, "a reply was overlooked:\n{board}");
                }
                board.undo();
            }
        }
        board.undo();
    }

    #[test]
    fn renju_proofs_know_every_reply() {
        let mut rng = Rng::new(20);
        let mut vcf = Vcf::with_memory(1 << 20);
        let mut proofs = 0;
        for _ in 0..400 {
            let mut board = Board::new(fivestone_game::Size::new(11).unwrap(), Rule::Renju);
            while board.stone_count() < 16 && board.end().is_none() {
                let near: Vec<Point> = board.near(1).iter().collect();
                let _ = board.play(near[rng.below(near.len())]);
            }
            if board.end().is_some() {
                continue;
            }
            let mut winning = Winning::new(&board, &Ranked::new(&board), Means::FoursAndThrees, 30);
            while !winning.is_over() && winning.expansions < 400 {
                winning.step();
            }
            if let Some(win) = winning.win(&board) {
                assert_proved(&win, &mut board, &mut vcf);
                proofs += 1;
            }
        }
        assert!(proofs > 20, "only {proofs} proofs");
    }

    #[test]
    fn a_white_stone_elsewhere_can_forbid_the_open_four() {
        let drawing = ". . . . . . . . . . .\n. . . . . . . . . . .\n. . o x . . o x o . .\n. . x x . . o x . . .\n\
                       . . x . x x . . . . .\n. . . . . . . . . . .\n. . . . x x o o x . .\n. . . . . . . x . . .\n\
                       . . . . x x . o o . .\n. . . . . . . . . . .\n. . . . . . . . . . .";
        let board = Board::parse_drawing(drawing, Rule::Renju, Color::White).unwrap();
        let mut winning = Winning::new(&board, &Ranked::new(&board), Means::FoursAndThrees, 30);
        winning.attacker = Color::Black;
        let mut replies = Vec::new();
        assert_eq!(winning.replies(&mut replies), Status::Open);
        let spoiler = Point::new(4, 7, board.size()).unwrap();
        assert!(replies.contains(&spoiler.dense(board.size())), "{replies:?}");
        assert_eq!(winning.board.as_ref().map(Board::hash), Some(board.hash()));
    }

    #[test]
    fn an_empty_board_has_no_forcing_move() {
        let board = Board::new(fivestone_game::Size::STANDARD, Rule::Freestyle);
        let mut winning = Winning::new(&board, &Ranked::new(&board), Means::FoursAndThrees, 30);
        winning.step();
        assert!(winning.is_over() && winning.win(&board).is_none());
    }
}
