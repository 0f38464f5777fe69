//! Threats and their defences against exhaustive search on small boards.

#[path = "../../tests/brute/mod.rs"]
mod brute;

use super::threats::{answers_to_fours, answers_to_open_fours, legal_open_fours, stops};
use super::{Vcf, Vct, Verdict};
use crate::Rng;
use brute::{Exhaustive, built_position};
use fivestone_game::{Board, Class, Point, PointSet, Rule};

/// What the attacker threatens, having moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Threat {
    Five,
    OpenFour,
    Fours,
}

/// A position with a threat, the defender to move, and the set of its answers.
fn threatened(rule: Rule, rng: &mut Rng, vcf: &mut Vcf) -> (Board, Threat, PointSet) {
    loop {
        let mut board = built_position(rule, rng, 7..9);
        let attacker = board.to_move();
        let moves: Vec<Point> = board.empty().iter().collect();
        let point = moves[rng.below(moves.len())];
        let legal = board.class(attacker, point) != Class::Five
            && !(rule.restricts(attacker) && board.is_forbidden(point));
        if !legal {
            continue;
        }
        board.play_unchecked(point);
        if board.count(!attacker, Class::Five) > 0 {
            continue;
        }
        if board.count(attacker, Class::Five) > 0 {
            let answers = stops(&mut board, attacker);
            return (board, Threat::Five, answers);
        }
        let open_fours = legal_open_fours(&mut board, attacker);
        if !open_fours.is_empty() {
            let answers = answers_to_open_fours(&board, attacker, &open_fours);
            return (board, Threat::OpenFour, answers);
        }
        board.pass();
        let verdict = vcf.solve(&mut board, u64::MAX);
        board.undo();
        if verdict == Verdict::Win {
            let answers = answers_to_fours(&mut board, attacker, vcf.line());
            return (board, Threat::Fours, answers);
        }
    }
}

#[test]
fn every_reply_outside_the_defences_loses_to_fours() {
    for rule in Rule::ALL {
        let mut rng = Rng::new(rule as u64 + 900);
        let mut vcf = Vcf::with_memory(1 << 16);
        let mut counts = [0; 3];
        // In caro a defence is any cell, so that a set that leaves some out is rare.
        let mut left_out = 0;
        while counts.iter().any(|&count| count < brute::cases(60)) {
            let (board, threat, answers) = threatened(rule, &mut rng, &mut vcf);
            counts[threat as usize] += 1;
            let mut exhaustive = Exhaustive::of(&board, !board.to_move());
            for reply in board.empty().difference(&answers).iter() {
                left_out += 1;
                let name = reply.name(board.size());
                assert!(!exhaustive.saves(reply), "{rule}, {threat:?}: {name} saves\n{board:?}");
            }
        }
        assert!(left_out > 1000, "{rule}: only {left_out} replies were left out");
    }
}

#[test]
fn a_threat_that_is_not_examined_to_the_end_is_not_called_no_threat() {
    for rule in Rule::ALL {
        let mut rng = Rng::new(rule as u64 + 950);
        let mut vct = Vct::with_memory(1 << 20);
        // With so few fours hardly any threat is clear at first.
        vct.prover.first_fours = 1;
        let (mut checked, mut wins) = (0, 0);
        while checked < brute::cases(200) {
            let mut board = built_position(rule, &mut rng, 7..9);
            let mut exhaustive = Exhaustive::of(&board, board.to_move());
            let Some(truth) = exhaustive.wins_by_threes(3000) else { continue };
            if exhaustive.wins_by_fours() || !exhaustive.has_threat() {
                continue;
            }
            let expected = if truth { Verdict::Win } else { Verdict::NoWin };
            assert_eq!(vct.solve(&mut board, u64::MAX), expected, "{board:?}");
            checked += 1;
            wins += usize::from(truth);
        }
        assert!(wins * 20 > checked, "{rule}: only {wins} wins by threes");
    }
}
