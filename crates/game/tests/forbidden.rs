//! Renju's forbidden points: against the slow oracle on random games, and against the shared cases when present.

mod oracle;

use fivestone_game::{Board, Class, Color, Forbidden, GameEnd, Point, PointSet, Rule, Size, notation};
use oracle::Renju;
use std::path::PathBuf;

fn shared(file: &str) -> Option<String> {
    let folder = std::env::var_os("FIVESTONE_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let text = std::fs::read_to_string(folder.join(file)).ok();
    if text.is_none() {
        eprintln!("skipped: data not present ({file})");
    }
    text
}

fn kind(word: &str) -> Forbidden {
    match word {
        "overline" => Forbidden::Overline,
        "double_four" => Forbidden::DoubleFour,
        "double_three" => Forbidden::DoubleThree,
        _ => panic!("unknown kind {word}"),
    }
}

fn points(list: &serde_json::Value, size: Size) -> Vec<Point> {
    let words = list.as_array().unwrap().iter().map(|word| word.as_str().unwrap());
    words.map(|word| Point::parse(word, size).unwrap()).collect()
}

#[test]
fn drawn_positions_have_the_shared_forbidden_points() {
    let Some(text) = shared("forbidden/points.jsonl") else { return };
    for line in text.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let size = Size::new(case["size"].as_u64().unwrap() as usize).unwrap();
        let (black, white) = (points(&case["black"], size), points(&case["white"], size));
        let board = Board::from_stones(size, Rule::Renju, &black, &white, Color::Black).unwrap();
        let expected: Vec<(Point, Forbidden)> = case["forbidden"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(point, why)| (Point::parse(point, size).unwrap(), kind(why.as_str().unwrap())))
            .collect();
        let set: PointSet = expected.iter().map(|&(point, _)| point).collect();
        assert_eq!(board.forbidden_points(), set, "{board:?}");
        for (point, why) in expected {
            assert_eq!(board.forbidden(point), Some(why), "{}\n{board:?}", point.name(size));
        }
    }
}

#[test]
fn games_end_on_the_forbidden_move_and_not_before() {
    let Some(text) = shared("forbidden/game-endings.jsonl") else { return };
    for line in text.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let size = Size::new(case["size"].as_u64().unwrap() as usize).unwrap();
        let moves = notation::parse_moves(case["moves"].as_str().unwrap(), size).unwrap();
        let mut board = Board::from_moves(size, Rule::Renju, &moves).unwrap();
        assert_eq!(board.end(), None, "{board:?}");
        let candidate = Point::parse(case["candidate"].as_str().unwrap(), size).unwrap();
        let why = kind(case["forbidden"].as_str().unwrap());
        assert_eq!(board.play(candidate), Ok(Some(GameEnd::Forbidden(why))), "{board:?}");
    }
}

#[test]
fn random_games_agree_with_the_oracle() {
    let mut state = 99u64;
    let mut below = |bound: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % bound as u64) as usize
    };
    let (mut compared, mut found) = (0, [0; 3]);
    for game in 0..160 {
        let size = Size::new([9, 15, 15, 19][game % 4]).unwrap();
        let mut board = Board::new(size, Rule::Renju);
        while board.stone_count() < size.cells() * 2 / 3 {
            // Black crowds together so that threes and fours meet; White is scattered.
            let pool: Vec<Point> = if board.to_move() == Color::Black {
                board.stones(Color::Black).grown(2).intersection(board.empty()).iter().collect()
            } else {
                board.empty().iter().collect()
            };
            let pool = if pool.is_empty() { board.empty().iter().collect() } else { pool };
            board.play_unchecked(pool[below(pool.len())]);
            if below(4) > 0 {
                continue;
            }
            let oracle = Renju::of(&board);
            let (forbidden, legal, mut scratch) = (board.forbidden_points(), board.legal(), board.clone());
            for point in board.empty().iter() {
                let plain = board.class(Color::Black, point) < Class::OpenThree;
                if plain && below(10) > 0 {
                    continue;
                }
                let expected = oracle.forbidden(point);
                assert_eq!(board.forbidden(point), expected, "{}\n{board:?}", point.name(size));
                assert_eq!(forbidden.contains(point), expected.is_some());
                assert_eq!(board.forbidden_to(Color::Black, point), expected);
                assert_eq!(board.forbidden_to(Color::White, point), None);
                let allowed = expected.is_none() || board.to_move() == Color::White;
                assert_eq!(scratch.is_legal(point), allowed);
                assert_eq!(legal.contains(point), allowed);
                compared += 1;
                if let Some(why) = expected {
                    found[why as usize] += 1;
                }
            }
        }
    }
    assert!(
        compared > 20_000 && found.iter().all(|&count| count > 100),
        "{compared} points, {found:?} forbidden"
    );
}
