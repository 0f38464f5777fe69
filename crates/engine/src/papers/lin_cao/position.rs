//! A board whose patterns are counted.

use super::network::{Counts, Network};
use super::patterns::{COUNT, SHAPES};
use fivestone_game::{Board, Color, Direction, GameEnd, Played, Point};

/// The position.
#[derive(Clone)]
pub struct Position {
    board: Board,
    counts: Counts,
    /// Whether the counts are kept up to date.
    counted: bool,
}

/// How far from a stone the paper looks for moves.
pub const RADIUS: usize = 2;

impl Position {
    /// Counts the patterns of a board.
    pub fn new(board: &Board) -> Position {
        let mut counts = [[0; COUNT]; 2];
        for color in Color::BOTH {
            SHAPES.count(board, color, &mut counts[color.index()]);
        }
        Position { board: board.clone(), counts, counted: true }
    }

    /// A position for a search that does not ask for the counts, which stay 0.
    pub fn uncounted(board: &Board) -> Position {
        Position { board: board.clone(), counts: [[0; COUNT]; 2], counted: false }
    }

    /// The board.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// The counts of both sides.
    pub fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Plays a move on an empty point.
    pub fn play(&mut self, point: Point) -> Option<GameEnd> {
        self.count(point, 1);
        self.board.play(point).expect("moves are on empty points of a game that goes on")
    }

    /// Takes the last move back.
    pub fn undo(&mut self) {
        if let Some(Played::Stone(point)) = self.board.undo() {
            self.count(point, -1);
        }
    }

    /// Adds (or with -1 takes away) what a stone of the side to move does to the counts.
    fn count(&mut self, point: Point, sign: i16) {
        if self.counted {
            let counts = &mut self.counts;
            for_each_change(&self.board, point, self.board.to_move(), |color, pattern, change| {
                counts[color.index()][pattern] += sign * change;
            });
        }
    }

    /// The points within two of a stone that are not forbidden to the side to move; every other empty point where there
    /// is none.
    pub fn candidates(&self) -> Vec<Point> {
        let board = &self.board;
        let near = board.near(RADIUS);
        let legal = |point: &Point| board.forbidden_to(board.to_move(), *point).is_none();
        let close: Vec<Point> = near.iter().filter(legal).collect();
        if !close.is_empty() {
            return close;
        }
        let legal: Vec<Point> = board.empty().iter().filter(legal).collect();
        if legal.is_empty() { board.empty().iter().collect() } else { legal }
    }

    /// The win probability of `player` as the network sees it.
    pub fn value(&self, network: &Network, player: Color) -> f32 {
        network.value(&self.counts, player, self.board.to_move())
    }

    /// The win probability of the side to move after each of some moves.
    pub fn values_after(&self, network: &Network, points: &[Point]) -> Vec<f32> {
        let me = self.board.to_move();
        let before = network.sums(&self.counts, me, !me);
        let mut sums = before.clone();
        let mut changes = [[0i16; COUNT]; 2];
        points
            .iter()
            .map(|&point| {
                sums.copy_from_slice(&before);
                for_each_change(&self.board, point, me, |color, pattern, change| {
                    changes[color.index()][pattern] += change;
                });
                for (side, color) in [me, !me].into_iter().enumerate() {
                    for (pattern, change) in changes[color.index()].iter_mut().enumerate() {
                        if *change != 0 {
                            let count = self.counts[color.index()][pattern];
                            network.change(&mut sums, side, pattern, count, count + *change);
                            *change = 0;
                        }
                    }
                }
                network.output(&sums)
            })
            .collect()
    }
}

/// What a stone of `mover` on an empty point does to the counts of both sides.
#[inline]
fn for_each_change(board: &Board, point: Point, mover: Color, mut found: impl FnMut(Color, usize, i16)) {
    for color in Color::BOTH {
        for direction in Direction::ALL {
            let around = SHAPES.around(board, point, direction, color);
            for &(pattern, change) in SHAPES.changes(around, color == mover) {
                found(color, pattern.into(), change.into());
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;
    use fivestone_game::{Rule, Size};

    #[test]
    fn counts_follow_moves_and_undone_moves() {
        let mut rng = Rng::new(9);
        let network = Network::random(8, &mut rng);
        let mut position = Position::new(&Board::new(Size::new(10).unwrap(), Rule::Renju));
        for _ in 0..40 {
            let points = position.candidates();
            let values = position.values_after(&network, &points);
            let pick = rng.below(points.len());
            let me = position.board().to_move();
            let end = position.play(points[pick]);
            assert!((position.value(&network, me) - values[pick]).abs() < 1e-4);
            assert_eq!(position.counts(), Position::new(position.board()).counts());
            if end.is_some() || rng.below(4) == 0 {
                position.undo();
                assert_eq!(position.counts(), Position::new(position.board()).counts());
            }
        }
    }
}
