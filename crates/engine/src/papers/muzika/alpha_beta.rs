//! `alpha-beta`: minimax with alpha-beta pruning and iterative deepening over a pattern evaluation.
//!
//! The paper describes the algorithm and leaves the evaluation open; here it is a hand-weighted sum over what each
//! side could make on the empty points. Values are those of the side to move (negamax).

use crate::parameters::{number, parameters};
use crate::random::playable;
use crate::registry::{EngineKind, NetUse};
use crate::report::{Line, Proof};
use crate::{Budget, Engine, Event, Limits, Report, Settings, Stop};
use fivestone_game::{Board, Class, Color, Point, PointSet};
use std::time::Duration;

/// The listing of the engine.
pub const KIND: EngineKind = EngineKind {
    name: "alpha-beta",
    paper: Some("Muzika 2017"),
    description: "minimax with alpha-beta pruning over a hand-weighted pattern evaluation",
    parameters: Parameters::TABLE,
    tuned: &[],
    nets: NetUse::None,
    explain: None,
    build: |settings| Box::new(AlphaBeta::new(settings)),
};

parameters! {
    struct Parameters {
        depth: u32 = number(20.0, 1.0..=60.0, "deepest search in plies"),
        width: usize = number(
            20.0,
            1.0..=484.0,
            "most moves looked at in a position, the most promising ones",
        ),
        radius: usize = number(2.0, 1.0..=22.0, "how far from a stone a move may be"),
    }
}

/// The value of a win at once; a win in n plies is worth n less.
const WIN: i32 = 1_000_000;
/// Values beyond this are proven wins or losses.
const PROVEN: i32 = WIN - 1000;
/// Nodes between two looks at the clock.
const CLOCK_STEP: u64 = 256;
const REPORT_STEP: Duration = Duration::from_millis(100);

/// What a point of each class is worth to the side that could play there, in the order of [`Class::ALL`].
const WEIGHTS: [i32; Class::COUNT] = [0, 1, 3, 8, 20, 14, 26, 55, 70, 170, 60, 420, 600, 700, 0, 0];

/// The engine.
#[derive(Clone, Debug)]
pub struct AlphaBeta {
    parameters: Parameters,
}

impl AlphaBeta {
    /// The engine with its settings.
    pub fn new(settings: &Settings) -> AlphaBeta {
        AlphaBeta { parameters: Parameters::of(&settings.values()) }
    }
}

impl Engine for AlphaBeta {
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
        let Parameters { depth: most_depth, width, radius } = self.parameters;
        let mut search = Search {
            board: board.clone(),
            width,
            radius,
            budget: limits.budget(board.stone_count()),
            stop,
            nodes: 0,
            stopped: false,
        };
        let mut moves = search.root_moves(limits);
        let deepest = limits.depth.unwrap_or(most_depth).clamp(1, most_depth);
        let mut reached = 0;
        let mut last_report = Duration::ZERO;
        for depth in 1..=deepest {
            search.deepen(&mut moves, depth);
            if search.stopped {
                break;
            }
            reached = depth;
            let progress = search.budget.progress(search.nodes);
            if progress.elapsed >= last_report + REPORT_STEP {
                last_report = progress.elapsed;
                events(Event::Report(search.report(&moves, limits, depth)));
            }
            // A deeper search costs several times as much: begin none that cannot come to its end.
            let half_used = search.budget.soft.is_some_and(|soft| progress.elapsed * 2 >= soft);
            if moves[0].value.abs() >= PROVEN || half_used {
                break;
            }
        }
        search.report(&moves, limits, reached)
    }
}

/// A root move with the value and line of the last search that finished it.
#[derive(Clone, Debug)]
struct RootMove {
    point: Point,
    value: i32,
    nodes: u64,
    line: Vec<Point>,
}

struct Search<'a> {
    board: Board,
    width: usize,
    radius: usize,
    budget: Budget,
    stop: &'a Stop,
    nodes: u64,
    stopped: bool,
}

impl Search<'_> {
    /// The moves to choose from, most promising first. Never empty.
    fn root_moves(&mut self, limits: &Limits) -> Vec<RootMove> {
        let allowed: PointSet = playable(&self.board, limits).into_iter().collect();
        let mut near = self.candidates(usize::MAX);
        near.retain(|&point| allowed.contains(point));
        if near.is_empty() {
            near = allowed.iter().collect();
            near.sort_by_key(|&point| std::cmp::Reverse(self.promise(point)));
        }
        near.truncate(self.width);
        let value = self.evaluate();
        near.into_iter().map(|point| RootMove { point, value, nodes: 0, line: vec![point] }).collect()
    }

    /// Searches every root move to a depth and sorts them, best first. When the search is stopped the moves it
    /// finished are sorted among themselves if the best one of before is among them.
    fn deepen(&mut self, moves: &mut [RootMove], depth: u32) {
        let mut alpha = -WIN;
        let mut finished = 0;
        for entry in moves.iter_mut() {
            let before = self.nodes;
            let mut line = Vec::new();
            let value = self.after(entry.point, depth, -WIN, -alpha, 1, &mut line);
            if self.stopped {
                break;
            }
            // A move that fails against the best so far only has an upper bound: enough to stand behind it.
            entry.value = value;
            entry.nodes += self.nodes - before;
            line.push(entry.point);
            line.reverse();
            entry.line = line;
            alpha = alpha.max(value);
            finished += 1;
        }
        moves[..finished].sort_by_key(|entry| std::cmp::Reverse(entry.value));
    }

    /// The value of a move for the side that makes it.
    fn after(
        &mut self,
        point: Point,
        depth: u32,
        alpha: i32,
        beta: i32,
        ply: i32,
        line: &mut Vec<Point>,
    ) -> i32 {
        if self.board.class(self.board.to_move(), point) == Class::Five {
            return WIN - ply;
        }
        if !self.board.is_legal(point) {
            return ply - WIN;
        }
        self.board.play_unchecked(point);
        let value = -self.negamax(depth - 1, alpha, beta, ply, line);
        self.board.undo();
        value
    }

    /// The value of the position for the side to move, within `alpha` and `beta`. `line` receives the best line in
    /// reverse.
    fn negamax(&mut self, depth: u32, alpha: i32, beta: i32, ply: i32, line: &mut Vec<Point>) -> i32 {
        self.nodes += 1;
        if self.must_stop() {
            return 0;
        }
        if self.board.empty().is_empty() {
            return 0;
        }
        if let Some(value) = self.settled(ply) {
            return value;
        }
        // A five in sight is answered before the position is judged.
        let threatened = self.board.count(!self.board.to_move(), Class::Five) > 0;
        if depth == 0 && !threatened {
            return self.evaluate();
        }
        let depth = depth.max(1);
        let mut best = -WIN;
        let mut alpha = alpha;
        let mut reply = Vec::new();
        for point in self.candidates(self.width) {
            reply.clear();
            let value = self.after(point, depth, -beta, -alpha, ply + 1, &mut reply);
            if self.stopped {
                return 0;
            }
            if value > best {
                best = value;
                line.clone_from(&reply);
                line.push(point);
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// The value of a position that the patterns decide: somebody completes a five.
    fn settled(&self, ply: i32) -> Option<i32> {
        let us = self.board.to_move();
        if self.board.count(us, Class::Five) > 0 {
            return Some(WIN - ply - 1);
        }
        (self.board.count(!us, Class::Five) > 1 && !self.board.rule().ends_matter()).then_some(ply + 2 - WIN)
    }

    /// The moves worth a look, most promising first: the five, else the block of a five, else what is near stones.
    fn candidates(&mut self, width: usize) -> Vec<Point> {
        let us = self.board.to_move();
        for color in [us, !us] {
            let decisive = color == us || !self.board.rule().ends_matter();
            if decisive && self.board.count(color, Class::Five) > 0 {
                return self.board.cells(color, Class::Five).iter().collect();
            }
        }
        let mut points: Vec<Point> = self.board.near(self.radius).iter().collect();
        if points.is_empty() {
            points = self.board.empty().iter().collect();
        }
        points.sort_by_key(|&point| std::cmp::Reverse(self.promise(point)));
        let legal = points.iter().copied().filter(|&point| self.board.is_legal(point));
        let mut legal: Vec<Point> = legal.take(width).collect();
        if legal.is_empty() {
            legal = points;
        }
        legal
    }

    /// How early a move is tried: what it makes, and what it keeps the enemy from.
    fn promise(&self, point: Point) -> i32 {
        let us = self.board.to_move();
        let worth = |color: Color| match self.board.class(color, point) {
            Class::Five => WIN,
            class => WEIGHTS[class.index()],
        };
        2 * worth(us) + worth(!us)
    }

    /// The hand-weighted value of the position for the side to move, far below a win.
    fn evaluate(&self) -> i32 {
        let counts = self.board.counts();
        let sum = |color: Color| -> i32 {
            let weighted = counts[color.index()].iter().zip(WEIGHTS);
            weighted.map(|(&count, weight)| i32::from(count) * weight).sum()
        };
        let us = self.board.to_move();
        // Having the move is worth about half of what one has.
        (3 * sum(us) - 2 * sum(!us)) / 2
    }

    fn must_stop(&mut self) -> bool {
        let out_of_nodes = self.budget.visits.is_some_and(|visits| self.nodes >= visits);
        if out_of_nodes || self.nodes.is_multiple_of(CLOCK_STEP) {
            let progress = self.budget.progress(self.nodes);
            self.stopped |= self.stop.raised() || self.budget.spent(&progress);
        }
        self.stopped
    }

    fn report(&self, moves: &[RootMove], limits: &Limits, depth: u32) -> Report {
        let lines = moves.iter().take(limits.lines.max(1)).map(|entry| Line {
            point: entry.point,
            winrate: winrate(entry.value),
            visits: entry.nodes,
            pv: entry.line.clone(),
            proof: proof(entry.value),
            prior: None,
        });
        Report { lines: lines.collect(), visits: self.nodes, depth, elapsed: self.budget.started.elapsed() }
    }
}

/// A value as a win probability: the usual logistic curve, with a scale at which two open threes are nearly a win.
fn winrate(value: i32) -> f64 {
    if value.abs() >= PROVEN {
        return if value > 0 { 1.0 } else { 0.0 };
    }
    1.0 / (1.0 + (-f64::from(value) / 400.0).exp())
}

/// The proof that a value stands for: a five at once. Longer wins were only tried against the most promising replies.
fn proof(value: i32) -> Option<Proof> {
    (value == WIN - 1).then_some(Proof::Win(1))
}
