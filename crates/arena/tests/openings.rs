//! Making openings and the shipped sets.

use fivestone_arena::openings::{FileFormat, Judge, Wanted, generate, judge_all, read_openings, shipped};
use fivestone_arena::player::BuiltIn;
use fivestone_arena::{EngineSpec, Source};
use fivestone_engine::Stop;
use fivestone_game::{Board, Rule, Size};
use std::collections::BTreeSet;

fn judge(threads: usize) -> Judge {
    let spec = EngineSpec::new("alpha-beta", Source::BuiltIn("alpha-beta".to_owned()));
    Judge { factory: BuiltIn::factory(&spec).unwrap(), visits: 200, margin: 0.05, threads }
}

#[test]
fn made_openings_are_balanced_different_and_the_same_for_any_number_of_threads() {
    let wanted = Wanted { count: 8, plies: 4, rule: Rule::Renju, size: Size::STANDARD, seed: 3, confirm: 0 };
    let make = |threads| generate(&wanted, &judge(threads), &Stop::new(), |_| {}).unwrap();
    let made = make(1);
    assert_eq!(made, make(2));
    assert_eq!(made.len(), 8);
    assert!(made.iter().all(|opening| judge(1).is_balanced(opening.black)));
    let boards =
        made.iter().map(|opening| Board::from_moves(wanted.size, wanted.rule, &opening.moves).unwrap());
    assert_eq!(boards.map(|board| board.canonical_hash().0).collect::<BTreeSet<_>>().len(), 8);
    let moves: Vec<_> = made.iter().map(|opening| opening.moves.clone()).collect();
    let judged = judge_all(&moves, wanted.rule, wanted.size, &judge(2), &Stop::new());
    assert!(judged.iter().zip(&moves).all(|(judged, moves)| judged.moves == *moves));
}

#[test]
fn impossible_wishes_end_with_an_answer() {
    let wanted =
        Wanted { count: 2, plies: 0, rule: Rule::Freestyle, size: Size::STANDARD, seed: 1, confirm: 0 };
    assert!(generate(&wanted, &judge(1), &Stop::new(), |_| {}).is_err());
    let never = Judge { margin: -1.0, visits: 1, ..judge(2) };
    let wanted = Wanted { count: 1, plies: 2, size: Size::new(7).unwrap(), ..wanted };
    let problem = generate(&wanted, &never, &Stop::new(), |_| {}).unwrap_err();
    assert!(problem.contains("only 0 balanced openings"), "{problem}");
}

#[test]
fn shipped_sets_are_sound() {
    for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju] {
        for side in [15, 20] {
            let size = Size::new(side).unwrap();
            let file = read_openings(shipped(rule, size).unwrap(), FileFormat::Offset, size, rule).unwrap();
            assert!(file.openings.len() >= 100, "{rule} {side} has {}", file.openings.len());
            assert!(file.too_large.is_empty());
            let boards = file.openings.iter().map(|moves| Board::from_moves(size, rule, moves).unwrap());
            let different: BTreeSet<_> = boards.map(|board| board.canonical_hash().0).collect();
            assert_eq!(different.len(), file.openings.len(), "{rule} {side}");
        }
    }
    assert_eq!(shipped(Rule::Caro, Size::STANDARD), None);
}

#[test]
fn openings_that_a_longer_search_calls_unbalanced_are_left_out() {
    let wanted =
        Wanted { count: 6, plies: 4, rule: Rule::Freestyle, size: Size::STANDARD, seed: 5, confirm: 2000 };
    let made = generate(&wanted, &judge(2), &Stop::new(), |_| {}).unwrap();
    let moves: Vec<_> = made.iter().map(|opening| opening.moves.clone()).collect();
    let longer = Judge { visits: 2000, ..judge(2) };
    let judged = judge_all(&moves, wanted.rule, wanted.size, &longer, &Stop::new());
    assert!(judged.iter().all(|opening| longer.is_balanced(opening.black)), "{judged:?}");
}
