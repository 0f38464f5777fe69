//! Every first move, every defence and shorter wins, against brute force and the checker of proofs.

mod brute;
mod positions;

use brute::Brute;
use fivestone_engine::solver::{
    Fate, Kind, SolveLimits, TreeLimits, Vct, Verdict, defences, first_moves, prove, shorter,
};
use fivestone_engine::solver::{ProofTree, Vcf};
use fivestone_engine::{Rng, Stop};
use fivestone_formats::proof;
use fivestone_game::{Board, Class, GameEnd, Point, Rule};
use positions::{cases, file_of, some_position};
use std::time::Duration;

fn limits(nodes: u64) -> SolveLimits {
    SolveLimits { nodes, memory: 1 << 22, ..SolveLimits::default() }
}

/// Plays a line and checks that the side to move wins by it.
fn check_line(board: &Board, line: &[Point]) {
    let mut board = board.clone();
    let attacker = board.to_move();
    let mut end = None;
    for &point in line {
        end = board.play(point).unwrap_or_else(|error| panic!("{error}: {line:?}\n{board:?}"));
    }
    assert_eq!(end.and_then(GameEnd::winner), Some(attacker), "{line:?}\n{board:?}");
}

/// Whether a move wins by fours, every reply tried. With a five at hand only fives count.
fn wins_by_fours(board: &Board, point: Point) -> bool {
    let attacker = board.to_move();
    let five_at_hand = board.count(attacker, Class::Five) > 0;
    let mut board = board.clone();
    if let Some(end) = board.play(point).unwrap() {
        return end.winner() == Some(attacker);
    }
    if five_at_hand {
        return false;
    }
    let threatens = board.count(attacker, Class::Five) > 0;
    threatens
        && board.empty().iter().all(|reply| {
            let mut board = board.clone();
            match board.play(reply).unwrap() {
                Some(end) => end.winner() == Some(attacker),
                None => Brute::of(&board).wins_by_fours(attacker),
            }
        })
}

#[test]
fn winning_fours_agree_with_brute_force() {
    for rule in Rule::ALL {
        let mut rng = Rng::new(400 + rule as u64);
        let mut wins = 0;
        while wins < cases(800) / 20 {
            let board = some_position(rule, &mut rng, 7..9, 8..26);
            let found = first_moves(&board, Kind::Vcf, &limits(u64::MAX), &Stop::new());
            for first in &found.moves {
                assert_ne!(first.verdict, Verdict::Unknown);
                if first.verdict == Verdict::Win {
                    check_line(&board, &first.line);
                    wins += 1;
                }
            }
            for point in board.empty().iter() {
                let won =
                    found.moves.iter().any(|first| first.point == point && first.verdict == Verdict::Win);
                assert_eq!(won, wins_by_fours(&board, point), "{point:?}\n{board:?}");
            }
        }
    }
}

#[test]
fn saving_moves_against_fours_agree_with_brute_force() {
    for rule in Rule::ALL {
        let mut rng = Rng::new(500 + rule as u64);
        let mut threats = 0;
        while threats < cases(200) / 20 {
            let board = some_position(rule, &mut rng, 7..10, 8..24);
            let found = defences(&board, Kind::Vcf, &limits(u64::MAX), &Stop::new());
            let side = board.to_move();
            assert_eq!(found.threat == Verdict::Win, Brute::of(&board).wins_by_fours(!side), "{board:?}");
            if found.threat != Verdict::Win {
                assert!(found.moves.is_empty());
                continue;
            }
            threats += 1;
            assert_eq!(found.moves.len(), board.empty().len());
            for (point, fate) in &found.moves {
                let mut next = board.clone();
                let end = next.play(*point).unwrap();
                let lost = match end {
                    Some(end) => end.winner() == Some(!side),
                    None => Brute::of(&next).wins_by_fours(!side),
                };
                match fate {
                    Fate::Saves => assert!(!lost, "{point:?}\n{board:?}"),
                    Fate::Loses(line) => {
                        assert!(lost, "{point:?}\n{board:?}");
                        check_line(&next, line);
                    }
                    Fate::Forbidden => assert!(matches!(end, Some(GameEnd::Forbidden(_)))),
                    Fate::Unknown => panic!("nothing is unknown without limits"),
                }
            }
        }
    }
}

#[test]
fn winning_threes_and_their_defences_are_right() {
    for rule in Rule::ALL {
        let mut rng = Rng::new(600 + rule as u64);
        let mut wins = 0;
        while wins < cases(60) / 20 {
            let mut board = some_position(rule, &mut rng, 9..11, 8..18);
            if Vcf::with_memory(1 << 12).solve(&mut board, 10_000) != Verdict::NoWin
                || Vct::with_memory(1 << 20).solve(&mut board, 5_000) != Verdict::Win
            {
                continue;
            }
            wins += 1;
            let found = first_moves(&board, Kind::Vct, &limits(300_000), &Stop::new());
            let won: Vec<_> = found.moves.iter().filter(|first| first.verdict == Verdict::Win).collect();
            assert!(!won.is_empty(), "{board:?}");
            for first in won.iter().filter(|first| !first.line.is_empty()) {
                assert_eq!(first.line[0], first.point);
                check_line(&board, &first.line);
            }
            // The other side's view of the same threat.
            board.pass();
            let found = defences(&board, Kind::Vct, &limits(300_000), &Stop::new());
            assert_eq!(found.threat, Verdict::Win);
            for (point, fate) in &found.moves {
                let mut next = board.clone();
                next.play(*point).unwrap();
                match fate {
                    Fate::Loses(line) if !line.is_empty() => check_line(&next, line),
                    Fate::Saves if next.end().is_none() => {
                        let verdict = Vct::with_memory(1 << 20).solve(&mut next, 20_000);
                        assert_ne!(verdict, Verdict::Win, "{point:?}\n{board:?}");
                    }
                    _ => {}
                }
            }
        }
    }
}

#[test]
fn shorter_wins_hold_and_are_the_shortest() {
    let mut shortened = 0;
    for rule in Rule::ALL {
        let mut rng = Rng::new(700 + rule as u64);
        let mut wins = 0;
        while wins < cases(160) / 20 {
            let mut board = some_position(rule, &mut rng, 9..12, 8..20);
            if Vct::with_memory(1 << 20).solve(&mut board, 5_000) != Verdict::Win {
                continue;
            }
            wins += 1;
            let (solution, tree) = prove(&board, Kind::Vct, &limits(1_000_000), &Stop::new());
            assert_eq!(solution.verdict, Verdict::Win);
            let plies = tree.unwrap().plies();
            let found = shorter(&board, Kind::Vct, plies, &limits(200_000), &Stop::new());
            let Some(tree) = found.tree else { continue };
            shortened += 1;
            assert!(tree.plies() < plies && found.is_shortest, "{board:?}");
            let checked = proof::check(&file_of(&board, &tree)).unwrap();
            assert!(checked.plies <= tree.plies());
            check_line(&board, &tree.line(&board));
            let again = shorter(&board, Kind::Vct, tree.plies(), &limits(200_000), &Stop::new());
            assert!(again.tree.is_none() && again.is_shortest, "{board:?}");
        }
    }
    assert!(shortened > 0);
}

#[test]
fn the_limits_are_shared_and_stopping_is_obeyed() {
    let mut rng = Rng::new(9);
    let board = loop {
        let board = some_position(Rule::Freestyle, &mut rng, 11..13, 10..20);
        let mut next = board.clone();
        next.pass();
        let kinds = [&board, &next].map(|board| {
            Vcf::with_memory(1 << 12).solve(&mut board.clone(), 10_000) == Verdict::NoWin
                && Vct::with_memory(1 << 20).solve(&mut board.clone(), 5_000) == Verdict::Win
        });
        if kinds == [true, true] {
            break board;
        }
    };
    let stop = Stop::new();
    stop.raise();
    let found = first_moves(&board, Kind::Vct, &limits(u64::MAX), &stop);
    assert!(found.moves.iter().all(|first| first.verdict == Verdict::Unknown) && found.nodes == 0);
    assert_eq!(defences(&board, Kind::Vct, &limits(u64::MAX), &stop).threat, Verdict::Unknown);
    let no_time = SolveLimits { time: Some(Duration::ZERO), ..limits(u64::MAX) };
    let found = first_moves(&board, Kind::Vct, &no_time, &Stop::new());
    assert!(found.moves.iter().all(|first| first.verdict == Verdict::Unknown));
    let few = first_moves(&board, Kind::Vct, &limits(100), &Stop::new());
    assert!(few.nodes < 30_000, "{}", few.nodes);
    assert!(!shorter(&board, Kind::Vct, 99, &limits(1), &Stop::new()).is_shortest);
    assert!(ProofTree::by_fours(&board, &TreeLimits::default()).is_err());
}
