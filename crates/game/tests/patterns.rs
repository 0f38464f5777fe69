//! The board's patterns, classes and threat sets agree with the slow oracle in every cell of random games.

mod oracle;

use fivestone_game::{Board, Class, Color, Direction, Point, Rule, Size};
use oracle::Oracle;

struct Dice(u64);

impl Dice {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound as u64) as usize
    }
}

/// Mostly a move near the stones, as in a game; sometimes one where something is to be had, so that fours appear.
fn some_move(board: &Board, dice: &mut Dice) -> Option<Point> {
    let near: Vec<Point> = board.near(2).iter().collect();
    let sharp: Vec<Point> = Color::BOTH
        .into_iter()
        .flat_map(|color| {
            board
                .cells_of(color, &[Class::OpenThree, Class::Four, Class::DoubleThree])
                .iter()
                .collect::<Vec<_>>()
        })
        .collect();
    let pool = if !sharp.is_empty() && dice.below(3) == 0 { sharp } else { near };
    (!pool.is_empty()).then(|| pool[dice.below(pool.len())])
}

fn check_cells(board: &Board, oracle: &mut Oracle) -> usize {
    let size = board.size();
    let mut counts = [[0; Class::COUNT]; 2];
    for point in size.points() {
        for color in Color::BOTH {
            for direction in Direction::ALL {
                let expected = oracle.pattern(board, color, point, direction);
                let found = board.pattern(color, point, direction);
                assert_eq!(found, expected, "{color} at {} {direction:?}\n{board:?}", point.name(size));
            }
            let expected = oracle.class(board, color, point);
            assert_eq!(board.class(color, point), expected, "{color} at {}\n{board:?}", point.name(size));
            if board.is_empty(point) {
                counts[color.index()][expected.index()] += 1;
                assert!(board.cells(color, expected).contains(point));
            }
        }
    }
    for color in Color::BOTH {
        for class in Class::ALL {
            assert_eq!(
                board.count(color, class),
                counts[color.index()][class.index()],
                "{class:?}\n{board:?}"
            );
            assert_eq!(board.cells(color, class).len(), board.count(color, class));
        }
    }
    size.cells()
}

/// Plays random games, also back again, until this many cells have been compared.
fn compare(rule: Rule, cells: usize) {
    let mut oracle = Oracle::new(rule);
    for (seed, side) in [7, 15, 20, 22].into_iter().enumerate() {
        let size = Size::new(side).unwrap();
        let mut dice = Dice(0x1234_5678 + seed as u64);
        let mut compared = 0;
        while compared < cells / 4 {
            let mut board = Board::new(size, rule);
            compared += check_cells(&board, &mut oracle);
            let longest = 20 + dice.below(size.cells() - 19);
            while board.stone_count() < longest {
                let Some(point) = some_move(&board, &mut dice) else { break };
                board.play_unchecked(point);
                if dice.below(8) == 0 {
                    compared += check_cells(&board, &mut oracle);
                    for _ in 0..dice.below(4) {
                        board.undo();
                    }
                    compared += check_cells(&board, &mut oracle);
                }
            }
            while board.undo().is_some() {}
            compared += check_cells(&board, &mut oracle);
            assert_eq!(board.hash(), 0);
        }
    }
}

const CELLS: usize = 1_000_000;

#[test]
fn freestyle_agrees_with_the_oracle() {
    compare(Rule::Freestyle, CELLS);
}

#[test]
fn standard_agrees_with_the_oracle() {
    compare(Rule::Standard, CELLS);
}

#[test]
fn renju_agrees_with_the_oracle() {
    compare(Rule::Renju, CELLS);
}

#[test]
fn caro_agrees_with_the_oracle() {
    compare(Rule::Caro, CELLS);
}

#[test]
fn caro_with_overlines_agrees_with_the_oracle() {
    compare(Rule::CaroOverline, CELLS);
}

/// In a search for threats only, everything that threatens is as it would be otherwise.
#[test]
fn threats_are_kept_when_nothing_else_is() {
    for (seed, rule) in Rule::ALL.into_iter().enumerate() {
        let mut dice = Dice(0x9876_5432 + seed as u64);
        for _ in 0..60 {
            let mut board = Board::new(Size::STANDARD, rule);
            for _ in 0..12 + dice.below(20) {
                let Some(point) = some_move(&board, &mut dice) else { break };
                board.play_unchecked(point);
            }
            let before = board.clone();
            let mut full = board.clone();
            board.with_threats_only(|board| {
                for _ in 0..30 {
                    let Some(point) = some_move(&full, &mut dice) else { break };
                    board.play_unchecked(point);
                    full.play_unchecked(point);
                    for color in Color::BOTH {
                        for class in Class::ALL.into_iter().filter(|&class| class >= Class::OpenThree) {
                            assert_eq!(
                                board.cells(color, class),
                                full.cells(color, class),
                                "{class:?}\n{full:?}"
                            );
                        }
                    }
                    if dice.below(3) == 0 {
                        board.undo();
                        full.undo();
                    }
                }
                while board.moves().len() > before.moves().len() {
                    board.undo();
                }
            });
            assert_eq!(board.counts(), before.counts());
        }
    }
}
