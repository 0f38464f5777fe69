//! Engines answer every decision of an opening with nothing but their own win probabilities.
//!
//! A stone after which the other player may pick a side is put where the position is balanced; every other stone is put where the
//! engine would play it.

use crate::{Engine, Limits, Report, Rng, Stop};
use fivestone_game::opening::{Decision, Opening, OpeningState, Task};
use fivestone_game::{Board, Color, Point, PointSet};

/// Stones tried when a balanced one is looked for.
const TRIALS: usize = 16;
/// Below this expectation for White the second player of swap2 takes Black, above its complement White; between them
/// it adds two stones.
const SWAP2_MARGIN: f64 = 1.0 / 3.0;

/// Decides what `state` asks for, within the limits of one move. `rng` varies the
/// stones that begin a game.
pub fn decide(
    engine: &mut dyn Engine,
    state: &OpeningState,
    limits: &Limits,
    stop: &Stop,
    rng: &mut Rng,
) -> Decision {
    let mut adviser = Adviser { engine, limits, stop };
    let board = state.board();
    match state.task() {
        Task::PlaceStone { allowed, .. } => Decision::Place(place(&mut adviser, state, &allowed, rng)),
        Task::ChooseColor => Decision::Take(adviser.better_color(state)),
        Task::Swap2Choice => {
            let white = adviser.think(board, 1).winrate();
            if white < SWAP2_MARGIN {
                Decision::Take(Color::Black)
            } else if white > 1.0 - SWAP2_MARGIN {
                Decision::Take(Color::White)
            } else {
                Decision::AddTwo
            }
        }
        Task::DeclareFifths { most } => Decision::Declare(adviser.even_number_of_fifths(board, most)),
        Task::OfferFifth { remaining, allowed } => {
            Decision::Place(adviser.best_of(board, &allowed, remaining))
        }
        Task::PickFifth { offers } => Decision::Place(adviser.worst_for_mover(board, &offers)),
        // The opening is over: the engine plays.
        Task::Play => Decision::Place(adviser.think(board, 1).best()),
    }
}

/// Where a stone goes.
fn place(adviser: &mut Adviser, state: &OpeningState, allowed: &PointSet, rng: &mut Rng) -> Point {
    let board = state.board();
    if allowed.len() == 1 {
        return allowed.first().expect("one point");
    }
    match (state.opening(), board.stone_count()) {
        (Opening::Swap | Opening::Swap2 | Opening::Soosorv8, 0 | 1) => {
            let near = neighbourhood(board, allowed);
            near[rng.below(near.len())]
        }
        // The stone after which the other player picks a side.
        (Opening::Swap | Opening::Swap2 | Opening::Soosorv8, 2)
        | (Opening::Soosorv8, 3)
        | (Opening::Swap2, 4) => adviser.most_balanced(board, allowed, rng),
        _ => adviser.best_of(board, allowed, 1),
    }
}

/// The allowed points a few steps from the stones, or from the centre of an empty board.
fn neighbourhood(board: &Board, allowed: &PointSet) -> Vec<Point> {
    let size = board.size();
    let stones = board.stones(Color::Black).union(board.stones(Color::White));
    let seeds = if stones.is_empty() { PointSet::from_iter([size.centre()]) } else { stones };
    let near = seeds.grown(3).intersection(allowed);
    if near.is_empty() { allowed.iter().collect() } else { near.iter().collect() }
}

struct Adviser<'a> {
    engine: &'a mut dyn Engine,
    limits: &'a Limits,
    stop: &'a Stop,
}

impl Adviser<'_> {
    /// Thinks about a position with one of `shares` equal parts of the limits.
    fn think(&mut self, board: &Board, shares: usize) -> Report {
        let limits = share(self.limits, shares);
        self.engine.think(board, &limits, self.stop, &mut |_| {})
    }

    /// The engine's move among some points.
    fn best_of(&mut self, board: &Board, allowed: &PointSet, shares: usize) -> Point {
        let mut limits = share(self.limits, shares);
        limits.blocked = board.empty().difference(allowed);
        self.engine.think(board, &limits, self.stop, &mut |_| {}).best()
    }

    /// The side that is better off. Where fifth moves are to be offered White will pick Black's worst of them.
    fn better_color(&mut self, state: &OpeningState) -> Color {
        let board = state.board();
        let mover = board.to_move();
        let limits = Limits { lines: self.limits.lines.max(state.fifths()), ..self.limits.clone() };
        let report = self.engine.think(board, &limits, self.stop, &mut |_| {});
        let counted = state.fifths().clamp(1, report.lines.len());
        if report.lines[counted - 1].winrate >= 0.5 { mover } else { !mover }
    }

    /// So many fifth moves that the last of Black's best ones leaves an even game.
    fn even_number_of_fifths(&mut self, board: &Board, most: usize) -> usize {
        let limits = Limits { lines: self.limits.lines.max(most), ..self.limits.clone() };
        let report = self.engine.think(board, &limits, self.stop, &mut |_| {});
        let imbalance = |&count: &usize| (report.lines[count - 1].winrate - 0.5).abs();
        let counts = 1..=most.min(report.lines.len());
        counts.min_by(|a, b| imbalance(a).total_cmp(&imbalance(b))).expect("a report has a line")
    }

    /// The offered move after which the other side, who picks, is best off.
    fn worst_for_mover(&mut self, board: &Board, offers: &PointSet) -> Point {
        let shares = offers.len();
        let value = |adviser: &mut Self, point| adviser.think(&with_stone(board, point), shares).winrate();
        let valued = offers.iter().map(|point| (value(self, point), point));
        let best = valued.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        best.expect("something was offered").1
    }

    /// Of many stones the one that leaves the most even game: all get a short look, the most even half a longer one,
    /// and so on until one is left.
    fn most_balanced(&mut self, board: &Board, allowed: &PointSet, rng: &mut Rng) -> Point {
        let mut near = neighbourhood(board, allowed);
        let mut trials: Vec<(f64, Point)> = Vec::new();
        while !near.is_empty() && trials.len() < TRIALS {
            trials.push((0.0, near.swap_remove(rng.below(near.len()))));
        }
        let rounds = trials.len().next_power_of_two().ilog2().max(1) as usize;
        while trials.len() > 1 {
            let shares = rounds * trials.len();
            for (imbalance, point) in &mut trials {
                *imbalance = (self.think(&with_stone(board, *point), shares).winrate() - 0.5).abs();
            }
            trials.sort_by(|a, b| a.0.total_cmp(&b.0));
            trials.truncate(trials.len() / 2);
        }
        trials[0].1
    }
}

fn with_stone(board: &Board, point: Point) -> Board {
    let mut board = board.clone();
    board.play_unchecked(point);
    board
}

/// One of several equal parts of the limits.
fn share(limits: &Limits, parts: usize) -> Limits {
    Limits {
        turn: limits.turn.map(|turn| turn / parts as u32),
        match_left: limits.match_left.map(|left| left / parts as u32),
        visits: limits.visits.map(|visits| (visits / parts as u64).max(1)),
        ..limits.clone()
    }
}
