//! The solver against brute force, against the proof verifier, and on the shared puzzles when present.
//!
//! `FIVESTONE_CASES=100000 cargo test --release -p fivestone-engine --test solver` runs the long comparison.

mod brute;

use brute::{Brute, cases, some_position};
use fivestone_engine::solver::{Proof, Vcf, Vct, Verdict, saving_moves, verify};
use fivestone_engine::{Rng, Stop};
use fivestone_game::{Board, Color, Point, Rule, Size};
use std::path::PathBuf;

fn compare_with_brute_force(rule: Rule) {
    let mut rng = Rng::new(rule as u64 + 10);
    let mut vcf = Vcf::with_memory(1 << 16);
    let (mut wins, mut fours) = (0, 0);
    for _ in 0..cases(4000) {
        let mut board = some_position(rule, &mut rng, 6..9, 8..26);
        let expected = Brute::of(&board).wins_by_fours(board.to_move());
        let verdict = vcf.solve(&mut board, u64::MAX);
        assert_eq!(verdict == Verdict::Win, expected, "{board:?}");
        assert_ne!(verdict, Verdict::Unknown);
        wins += usize::from(expected);
        fours += usize::from(vcf.line().len() > 3);
        if expected {
            check_line(&board, vcf.line());
        }
    }
    assert!(wins * 20 > cases(4000) && fours > 0, "{wins} wins, {fours} of them longer than an open four");
}

/// A winning line is legal and ends with the attacker's win.
fn check_line(board: &Board, line: &[Point]) {
    let mut board = board.clone();
    let attacker = board.to_move();
    let mut end = None;
    for &point in line {
        end = board.play(point).unwrap_or_else(|error| panic!("{error}: {line:?}\n{board:?}"));
    }
    assert_eq!(end.and_then(fivestone_game::GameEnd::winner), Some(attacker), "{line:?}\n{board:?}");
}

#[test]
fn freestyle_fours_agree_with_brute_force() {
    compare_with_brute_force(Rule::Freestyle);
}

#[test]
fn standard_fours_agree_with_brute_force() {
    compare_with_brute_force(Rule::Standard);
}

#[test]
fn renju_fours_agree_with_brute_force() {
    compare_with_brute_force(Rule::Renju);
}

#[test]
fn caro_fours_agree_with_brute_force() {
    compare_with_brute_force(Rule::Caro);
}

#[test]
fn caro_overline_fours_agree_with_brute_force() {
    compare_with_brute_force(Rule::CaroOverline);
}

#[test]
fn wins_by_threes_stand_up_to_every_reply() {
    for rule in Rule::ALL {
        let mut rng = Rng::new(77 + rule as u64);
        let mut vct = Vct::with_memory(1 << 22);
        let (mut wins, mut tried) = (0, 0);
        while wins < cases(400) / 20 {
            tried += 1;
            let mut board = some_position(rule, &mut rng, 9..13, 8..20);
            if Vcf::with_memory(1 << 12).solve(&mut board, 10_000) != Verdict::NoWin {
                continue;
            }
            if vct.solve(&mut board, 20_000) == Verdict::Win {
                wins += 1;
                assert!(vct.extract(&mut board, 10_000_000, None, &Stop::new()));
                verify::verify(&board, vct.proof()).unwrap_or_else(|error| panic!("{error}\n{board:?}"));
                check_line(&board, vct.line());
            }
        }
        assert!(tried < 100_000);
    }
}

#[test]
fn only_saving_moves_stop_a_threatened_win() {
    let mut rng = Rng::new(5);
    let mut vcf = Vcf::with_memory(1 << 16);
    let mut checked = 0;
    while checked < 30 {
        let rule = Rule::ALL[rng.below(5)];
        let mut board = some_position(rule, &mut rng, 7..10, 8..20);
        if vcf.solve(&mut board, 10_000) == Verdict::Win {
            continue;
        }
        let Some(saving) = saving_moves(&mut board, &mut vcf, 10_000) else { continue };
        checked += 1;
        for point in board.empty().iter().collect::<Vec<_>>() {
            let mut next = board.clone();
            if next.play(point).unwrap().is_some() {
                continue;
            }
            let lost = Brute::of(&next).wins_by_fours(next.to_move());
            assert!(lost != saving.contains(point), "{}\n{board:?}", point.name(board.size()));
        }
    }
}

fn shared_puzzles(file: &str) -> Vec<(String, Board)> {
    let folder = std::env::var_os("FIVESTONE_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let Ok(text) = std::fs::read_to_string(folder.join("puzzles").join(file)) else {
        eprintln!("skipped: data not present ({file})");
        return Vec::new();
    };
    text.lines()
        .map(|line| {
            let puzzle: serde_json::Value = serde_json::from_str(line).unwrap();
            let size = Size::new(puzzle["size"].as_u64().unwrap() as usize).unwrap();
            let stones = |key: &str| -> Vec<Point> {
                let words = puzzle[key].as_array().unwrap().iter();
                words.map(|word| Point::parse(word.as_str().unwrap(), size).unwrap()).collect()
            };
            let side = if puzzle["side"] == "black" { Color::Black } else { Color::White };
            let board =
                Board::from_stones(size, Rule::Renju, &stones("black"), &stones("white"), side).unwrap();
            (puzzle["id"].as_str().unwrap().to_owned(), board)
        })
        .collect()
}

#[test]
fn shared_puzzles_by_fours_are_solved_and_verified() {
    for (id, mut board) in shared_puzzles("vcf.jsonl") {
        let mut vcf = Vcf::with_memory(1 << 20);
        assert_eq!(vcf.solve(&mut board, 10_000_000), Verdict::Win, "{id}\n{board:?}");
        check_line(&board, vcf.line());
        verify::verify(&board, &Proof::default()).unwrap_or_else(|error| panic!("{id}: {error}\n{board:?}"));
    }
}

#[test]
fn shared_puzzles_by_threes_hold_no_false_win() {
    let (mut solved, mut tried) = (0, 0);
    for (id, mut board) in shared_puzzles("vct.jsonl").into_iter().step_by(24) {
        tried += 1;
        let mut vct = Vct::with_memory(1 << 24);
        match vct.solve(&mut board, 100_000) {
            Verdict::Win => {
                solved += 1;
                assert!(vct.extract(&mut board, 10_000_000, None, &Stop::new()));
                check_line(&board, vct.line());
                verify::verify(&board, vct.proof())
                    .unwrap_or_else(|error| panic!("{id}: {error}\n{board:?}"));
            }
            Verdict::NoWin => panic!("{id} is said to hold no win\n{board:?}"),
            Verdict::Unknown => {}
        }
    }
    assert!(solved * 2 >= tried, "{solved} of {tried}");
}
