//! What the engines with a move predictor must do, under every rule, on small and large boards.

use fivestone_engine::{Engine, Limits, Report, Rng, Stop, build};
use fivestone_game::{Board, Point, PointSet, Rule, Size, notation};
use std::time::{Duration, Instant};

const ENGINES: [&str; 2] = ["policy-net", "mcts-nn"];

fn engine(name: &str) -> Box<dyn Engine> {
    build(name, []).unwrap()
}

fn think(engine: &mut dyn Engine, board: &Board, limits: &Limits) -> Report {
    engine.think(board, limits, &Stop::new(), &mut |_| {})
}

#[test]
fn moves_are_legal_on_every_board_under_every_rule() {
    let mut rng = Rng::new(8);
    for side in [5, 9, 22] {
        let size = Size::new(side).unwrap();
        for rule in Rule::ALL {
            for name in ENGINES {
                let mut player = engine(name);
                let mut board = Board::new(size, rule);
                // A few moves of the engine, and random ones between them, from the empty board on.
                while board.end().is_none() && board.stone_count() < 4 {
                    let report = think(&mut *player, &board, &Limits::visits(1));
                    assert!(board.is_empty(report.best()), "{name} {board:?}");
                    assert!(!board.is_forbidden(report.best()) || !rule.restricts(board.to_move()));
                    board.play(report.best()).unwrap();
                    let empty: Vec<Point> = board.empty().iter().collect();
                    if board.end().is_none() {
                        board.play(empty[rng.below(empty.len())]).unwrap();
                    }
                }
            }
        }
    }
}

#[test]
fn a_board_is_played_full() {
    let size = Size::new(5).unwrap();
    for name in ENGINES {
        let mut player = engine(name);
        let mut board = Board::new(size, Rule::Standard);
        while board.end().is_none() {
            let point = think(&mut *player, &board, &Limits::visits(2)).best();
            board.play(point).unwrap();
        }
    }
}

#[test]
fn blocked_moves_are_not_chosen_and_answers_are_the_same_again() {
    let size = Size::STANDARD;
    let board = Board::from_moves(size, Rule::Standard, &[size.centre()]).unwrap();
    for name in ENGINES {
        let limits = Limits::visits(10);
        let report = think(&mut *engine(name), &board, &limits);
        let again = think(&mut *engine(name), &board, &limits);
        assert_eq!(
            (report.best(), report.lines.len(), report.visits),
            (again.best(), again.lines.len(), again.visits)
        );
        assert!(report.lines[0].prior.is_some_and(|prior| prior > 0.0));
        let blocked = PointSet::from_iter([report.best()]);
        let other = think(&mut *engine(name), &board, &Limits { blocked, ..limits });
        assert_ne!(other.best(), report.best());
    }
}

#[test]
fn a_search_ends_when_it_is_told() {
    let board = Board::new(Size::STANDARD, Rule::Standard);
    let stop = Stop::new();
    stop.raise();
    let report = engine("mcts-nn").think(&board, &Limits::default(), &stop, &mut |_| {});
    assert_eq!(report.visits, 1);
    let started = Instant::now();
    think(&mut *engine("mcts-nn"), &board, &Limits::time(Duration::from_millis(50)));
    assert!(started.elapsed() >= Duration::from_millis(20), "it uses its time");
}

#[test]
fn more_memory_than_there_is_is_not_needed() {
    let board = Board::from_moves(Size::STANDARD, Rule::Standard, &[Size::STANDARD.centre()]).unwrap();
    let limits = Limits { memory: 1 << 20, ..Limits::visits(30) };
    let report = think(&mut *engine("mcts-nn"), &board, &limits);
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
