//! Levels: the lowest really loses, none misses what everybody sees, and each plays legal moves.

use fivestone_engine::levels::LEVELS;
use fivestone_engine::{Engine, Limits, Stop, build};
use fivestone_game::{Board, Color, Point, Rule, Size, notation};

fn level(number: usize, seed: u64) -> Box<dyn Engine> {
    let values = [("level", number.to_string()), ("seed", seed.to_string())];
    build("levels", values.iter().map(|(name, value)| (*name, value.as_str()))).expect("a level")
}

fn answer(engine: &mut dyn Engine, board: &Board) -> Point {
    let limits = Limits { lines: 1, memory: 16 << 20, ..Limits::visits(300) };
    engine.think(board, &limits, &Stop::new(), &mut |_| {}).best()
}

fn position(rule: Rule, moves: &str) -> Board {
    let moves = notation::parse_moves(moves, Size::STANDARD).expect("moves");
    Board::from_moves(Size::STANDARD, rule, &moves).expect("a position")
}

/// Who wins between a level with Black and one with White.
fn winner(black: usize, white: usize, seed: u64) -> Option<Color> {
    let mut players = [level(black, seed), level(white, seed + 1000)];
    let mut board = Board::new(Size::STANDARD, Rule::Freestyle);
    while board.end().is_none() {
        let point = answer(players[board.to_move().index()].as_mut(), &board);
        board.play(point).expect("a legal move");
    }
    board.end().and_then(fivestone_game::GameEnd::winner)
}

#[test]
fn the_lowest_level_really_loses() {
    let lost = (0..10).filter(|&seed| winner(1, 3, seed) == Some(Color::White)).count();
    assert!(lost >= 8, "level 1 with Black lost only {lost} of 10 games against level 3");
}

#[test]
fn nobody_misses_a_five() {
    let board = position(Rule::Freestyle, "h8a1h9a3h10c1h11c3");
    let fives = ["h7", "h12"].map(|name| Point::parse(name, Size::STANDARD).expect("a point"));
    for number in 1..=LEVELS.len() {
        for seed in 0..5 {
            assert!(
                fives.contains(&answer(level(number, seed).as_mut(), &board)),
                "level {number}, seed {seed}"
            );
        }
    }
}

#[test]
fn higher_levels_always_stop_a_four() {
    let board = position(Rule::Freestyle, "h8h7h9a3h10c1h11");
    let stop = Point::parse("h12", Size::STANDARD).expect("a point");
    for number in 4..=LEVELS.len() {
        for seed in 0..5 {
            assert_eq!(answer(level(number, seed).as_mut(), &board), stop, "level {number}, seed {seed}");
        }
    }
}

#[test]
fn the_same_seed_plays_the_same_move() {
    let board = position(Rule::Renju, "h8h9i10");
    for number in 1..=LEVELS.len() {
        let [first, second] = [7, 7].map(|seed| answer(level(number, seed).as_mut(), &board));
        assert_eq!(first, second, "level {number}");
    }
}
