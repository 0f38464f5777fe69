//! What single engines do beyond the contract of them all.

use fivestone_engine::{Engine, Limits, Report, Stop, build};
use fivestone_game::{Board, Class, Color, GameEnd, Point, Rule, Size, notation};
use std::time::{Duration, Instant};

fn think(engine: &mut dyn Engine, board: &Board, limits: &Limits) -> Report {
    engine.think(board, limits, &Stop::new(), &mut |_| {})
}

/// `mcts-basic` with the other way to select moves.
fn exp3() -> Box<dyn Engine> {
    build("mcts-basic", [("selection", "1")]).unwrap()
}

fn mcts_nn() -> Box<dyn Engine> {
    build("mcts-nn", []).unwrap()
}

/// A black four that White has stopped at one end.
fn four(rule: Rule, to_move: Color) -> Board {
    let points = |names: &str| notation::parse_moves(names, Size::STANDARD).unwrap();
    let (black, white) = (points("f8g8h8i8"), points("e8f6j6f10"));
    Board::from_stones(Size::STANDARD, rule, &black, &white, to_move).unwrap()
}

#[test]
fn exp3_makes_and_stops_a_five() {
    for rule in Rule::ALL {
        let mut board = four(rule, Color::Black);
        let best = think(&mut *exp3(), &board, &Limits::visits(20_000)).best();
        assert_eq!(board.play(best).unwrap(), Some(GameEnd::Five(Color::Black)), "{rule}");
        // It settles on a reply more slowly.
        let mut board = four(rule, Color::White);
        let best = think(&mut *exp3(), &board, &Limits::visits(60_000)).best();
        board.play(best).unwrap();
        assert_eq!(board.count(Color::Black, Class::Five), 0, "{rule}");
    }
}

#[test]
fn a_full_tree_does_not_end_the_search() {
    let board = Board::from_moves(Size::STANDARD, Rule::Standard, &[Size::STANDARD.centre()]).unwrap();
    for memory in [0, 1 << 20, (1 << 20) + 4096] {
        let limits = Limits { memory, ..Limits::visits(20_000) };
        for mut engine in [exp3(), build("mcts-basic", []).unwrap()] {
            let report = think(&mut *engine, &board, &limits);
            assert_eq!(report.visits, 20_000);
            assert!(board.is_empty(report.best()));
        }
    }
}

#[test]
fn move_predictors_tell_how_probable_their_moves_are() {
    let board = Board::from_moves(Size::STANDARD, Rule::Standard, &[Size::STANDARD.centre()]).unwrap();
    for name in ["policy-net", "mcts-nn"] {
        let report = think(&mut *build(name, []).unwrap(), &board, &Limits::visits(10));
        assert!(report.lines[0].prior.is_some_and(|prior| prior > 0.0), "{name}");
    }
}

#[test]
fn a_search_ends_when_it_is_told() {
    let board = Board::new(Size::STANDARD, Rule::Standard);
    let stop = Stop::new();
    stop.raise();
    let report = mcts_nn().think(&board, &Limits::default(), &stop, &mut |_| {});
    assert_eq!(report.visits, 1);
    let started = Instant::now();
    think(&mut *mcts_nn(), &board, &Limits::time(Duration::from_millis(50)));
    assert!(started.elapsed() >= Duration::from_millis(20), "it uses its time");
}

#[test]
fn more_memory_than_there_is_is_not_needed() {
    let board = Board::from_moves(Size::STANDARD, Rule::Standard, &[Size::STANDARD.centre()]).unwrap();
    let limits = Limits { memory: 1 << 20, ..Limits::visits(30) };
    let report = think(&mut *mcts_nn(), &board, &limits);
    assert_eq!(report.visits, 30);
    assert!(board.is_empty(report.best()));
}

#[test]
fn mcts_nn_plays_wins_by_fours_unless_told_otherwise() {
    let size = Size::STANDARD;
    // A four at k8 has to be answered at j8, and makes three of the two stones below it.
    let moves = notation::parse_moves("g8f8h8a1i8c15k6o1k7o15", size).unwrap();
    for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju] {
        let board = Board::from_moves(size, rule, &moves).unwrap();
        let limits = Limits { lines: 5, ..Limits::visits(20) };
        let curious = |threats| build("mcts-nn", [("threshold", "0"), ("threats", threats)]).unwrap();
        let report = think(&mut *curious("3"), &board, &limits);
        assert_eq!(report.best(), Point::parse("k8", size).unwrap(), "{rule}");
        assert_eq!(report.lines.len(), 1, "{rule}: nothing else is worth a look");
        let blind = think(&mut *curious("2"), &board, &limits);
        assert!(blind.lines.len() > 1, "{rule}: {blind:?}");
    }
}

#[test]
fn a_found_win_is_played_without_thinking() {
    let size = Size::STANDARD;
    let moves = notation::parse_moves("h8a1i8a15j10o1j11o15", size).unwrap();
    let mut board = Board::from_moves(size, Rule::Freestyle, &moves).unwrap();
    let mut engine = build("monomial-v3", []).unwrap();
    let first = think(&mut *engine, &board, &Limits::visits(4_000));
    assert!(first.lines[0].proof.is_some(), "{first:?}");
    let mut pv = first.lines[0].pv.clone().into_iter();
    board.play(pv.next().unwrap()).unwrap();
    board.play(pv.next().unwrap()).unwrap();
    let second = think(&mut *engine, &board, &Limits::visits(4_000));
    assert_eq!((second.visits, second.winrate()), (0, 1.0));
}

#[test]
fn a_net_file_is_played_with_or_refused() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("played.fsnet");
    let mut net = (*fivestone_engine::shipped::net(Rule::Freestyle).unwrap()).clone();
    std::fs::write(&path, net.to_bytes()).unwrap();
    let with_net = |engine: &str| build(engine, [("net", path.to_str().unwrap())]);
    let board = Board::from_moves(Size::STANDARD, Rule::Freestyle, &[Size::STANDARD.centre()]).unwrap();
    let search = |mut engine: Box<dyn Engine>| {
        let report = engine.think(&board, &Limits::visits(50), &Stop::new(), &mut |_| {});
        report.lines.iter().map(|line| (line.point, line.visits)).collect::<Vec<_>>()
    };
    // The shipped net from a file plays as the shipped net does; a silenced one does not.
    let shipped = search(build("fivestone", []).unwrap());
    assert_eq!(search(with_net("fivestone").unwrap()), shipped);
    net.sets[0].tables.iter_mut().for_each(|table| table.rows.iter_mut().for_each(|row| row.0 = [0; 64]));
    std::fs::write(&path, net.to_bytes()).unwrap();
    assert_ne!(search(with_net("fivestone").unwrap()), shipped);

    let engine = with_net("fivestone").unwrap();
    assert_eq!(engine.refusal(Rule::Freestyle, Size::STANDARD), None);
    assert!(engine.refusal(Rule::Renju, Size::STANDARD).unwrap().contains("freestyle"));
    assert!(engine.refusal(Rule::Freestyle, Size::new(9).unwrap()).unwrap().contains("9x9"));
    assert!(with_net("fivestone-pattern").is_err());
    std::fs::write(&path, "no net").unwrap();
    let error = with_net("fivestone").err().unwrap().to_string();
    assert!(error.contains("played.fsnet: not a net file"), "{error}");
}

/// Play changes only on purpose: the line that the alpha-beta engine finds with 4,000 nodes, and
/// its win probability.
#[test]
fn the_alpha_beta_engine_plays_as_recorded() {
    const FEW: &str = "h8";
    const SOME: &str = "h8i9g10i7h6h7";
    const WON: &str = "h8i8i9g7j10g10h9h10g8j8i10k9";
    let recorded = [
        (Rule::Freestyle, FEW, "h10f8j8i9", "0.3082"),
        (Rule::Freestyle, SOME, "i8j7k7g8", "0.3858"),
        (Rule::Freestyle, WON, "j11k12f7", "1.0000"),
        (Rule::Standard, FEW, "f10g7f6f8", "0.3886"),
        (Rule::Standard, SOME, "i8j7k7g8", "0.3933"),
        (Rule::Renju, FEW, "g9h10h7i9", "0.3785"),
        (Rule::Renju, SOME, "i10h10g7g11", "0.3666"),
        (Rule::Renju, WON, "j11k12f7", "1.0000"),
        (Rule::Caro, FEW, "f10f6e5h6", "0.4083"),
        (Rule::Caro, SOME, "i8j7k7k8", "0.4893"),
        (Rule::CaroOverline, FEW, "h10j8f8g9", "0.3531"),
        (Rule::CaroOverline, SOME, "g7i8i5f8", "0.5000"),
    ];
    for (rule, moves, line, winrate) in recorded {
        let points = notation::parse_moves(moves, Size::STANDARD).unwrap();
        let board = Board::from_moves(Size::STANDARD, rule, &points).unwrap();
        let mut engine = build("fivestone-ab", []).unwrap();
        let report = think(&mut *engine, &board, &Limits::visits(4_000));
        let found = notation::format_moves(report.lines[0].pv.iter().copied(), Size::STANDARD);
        let said = format!("{:.4}", report.winrate());
        assert_eq!((found.as_str(), said.as_str()), (line, winrate), "{rule} after {moves}");
    }
}
