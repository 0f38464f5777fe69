//! Making openings and the shipped sets.

use fivestone_arena::openings::{
    FileFormat, Judge, Made, MakeError, PartFile, Wanted, generate, go_on, judge_all, read_openings, shipped,
};
use fivestone_arena::player::BuiltIn;
use fivestone_arena::{EngineSpec, Source};
use fivestone_artifacts::FileError;
use fivestone_engine::Stop;
use fivestone_game::{Board, Rule, Size};
use std::collections::BTreeSet;
use std::io;

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
    let problem = generate(&wanted, &never, &Stop::new(), |_| {}).unwrap_err().to_string();
    assert!(problem.contains("only 0 balanced openings"), "{problem}");
}

#[test]
fn shipped_sets_are_sound() {
    for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju] {
        for side in [15, 20] {
            let size = Size::new(side).unwrap();
            let file = read_openings(shipped(rule, size).unwrap(), FileFormat::Offset, size, rule).unwrap();
            let least = if side == 15 { 1000 } else { 400 };
            assert!(file.openings.len() >= least, "{rule} {side} has {}", file.openings.len());
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

#[test]
fn a_set_is_gone_on_with_after_any_batch_and_kept_openings_head_it() {
    let (rule, size) = (Rule::Standard, Size::STANDARD);
    let wanted = Wanted { count: 12, plies: 4, rule, size, seed: 8, confirm: 300 };
    let stop = Stop::new();
    let random = generate(&wanted, &judge(1), &stop, |_| {}).unwrap();
    // Two to keep, one of them twice, and one that is won for Black.
    let won = read_openings("h8 a1 h9 a15 h10 o1 h11", FileFormat::Moves, size, rule).unwrap();
    let (first, last) = (random[0].moves.clone(), random[11].moves.clone());
    let keep = [won.openings[0].clone(), last.clone(), first.clone(), first.clone()];
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("openings.part");
    let _ = std::fs::remove_file(&path);
    let made = go_on(&wanted, &keep, &judge(2), Made::default(), &stop, &mut |_| Ok(())).unwrap();
    assert_eq!(made.len(), 12);
    assert!([&last, &first].contains(&&made[0].moves), "kept openings come first: {made:?}");
    assert!(made.iter().all(|opening| opening.moves != won.openings[0]));
    // One batch for each run.
    let finished = loop {
        let (mut part, past) = PartFile::open(&path, "twelve", rule, size).unwrap();
        let mut batches = 0;
        let result = go_on(&wanted, &keep, &judge(1), past, &stop, &mut |made| {
            part.add(made)?;
            batches += 1;
            if batches == 2 { Err(FileError::at(&path)(io::ErrorKind::Interrupted.into())) } else { Ok(()) }
        });
        match result {
            Ok(finished) => break finished,
            Err(problem) => assert!(matches!(problem, MakeError::File(_)), "{problem}"),
        }
        // A kill in the middle of a line.
        let mut text = std::fs::read_to_string(&path).unwrap();
        text.push_str("0.5012 0,0, 1,");
        std::fs::write(&path, text).unwrap();
    };
    let moves = |set: &[fivestone_arena::openings::Judged]| -> Vec<_> {
        set.iter().map(|opening| opening.moves.clone()).collect()
    };
    assert_eq!(moves(&finished), moves(&made));
    let error = PartFile::open(&path, "thirteen", rule, size).unwrap_err().to_string();
    assert!(error.contains("openings.part: line 1: of another set (twelve)"), "{error}");
    std::fs::write(&path, "# twelve\n0.5 0,0, 0,0\n# tried 16\n").unwrap();
    let error = PartFile::open(&path, "twelve", rule, size).unwrap_err().to_string();
    assert!(error.contains("line 2: move 2: the point is occupied"), "{error}");
}

#[test]
fn openings_made_while_stopping_do_not_count() {
    let wanted =
        Wanted { count: 2, plies: 4, rule: Rule::Freestyle, size: Size::STANDARD, seed: 1, confirm: 0 };
    let stop = Stop::new();
    stop.raise();
    let mut told = 0;
    let result = go_on(&wanted, &[], &judge(1), Made::default(), &stop, &mut |_| {
        told += 1;
        Ok(())
    });
    assert!(matches!(result, Err(MakeError::Stopped)) && told == 0, "{result:?}, {told}");
}

/// 2,000 games are 1,000 openings with both colours.
#[test]
fn two_thousand_games_from_the_shipped_set_repeat_nothing() {
    let book = |words: &str| {
        let line = format!("-engine name=a visits=1 -engine name=b visits=1 -openings {words}");
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        fivestone_arena::grammar::parse(&words).unwrap().config.unwrap().book().unwrap()
    };
    let first = |words: &str| -> Vec<_> {
        let book = book(words);
        (0..1000).map(|number| book.opening(number)).collect()
    };
    let shuffled = first("shipped=on -srand 4");
    let hashes = shuffled
        .iter()
        .map(|moves| Board::from_moves(Size::STANDARD, Rule::Freestyle, moves).unwrap().canonical_hash().0);
    assert_eq!(hashes.collect::<BTreeSet<_>>().len(), 1000);
    assert_eq!(shuffled, first("shipped=on srand=4"), "the match's seed is the order's unless told");
    assert_ne!(shuffled, first("shipped=on -srand 5"));
    assert_ne!(shuffled, first("shipped=on order=sequential -srand 4"));
}
