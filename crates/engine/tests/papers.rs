//! What every engine of Garcia, Lin & Cao and Wang & Shen must do, under every rule and on small and large boards.

use fivestone_engine::{Engine, Event, Limits, Report, Rng, Stop, build};
use fivestone_game::{Board, Class, Color, GameEnd, Point, PointSet, Rule, Size, notation};
use std::time::Duration;

/// The engines, with visits in which they see two plies.
const ENGINES: &[(&str, u64)] = &[
    ("monomial-v1", 1),
    ("monomial-v2", 200),
    ("monomial-v3", 200),
    ("situation-mcts", 60),
    ("adp", 1),
    ("uct", 600),
    ("adp-uct", 200),
];
/// Those of them whose thinking takes as long as it may.
const SEARCHERS: &[&str] = &["monomial-v2", "monomial-v3", "situation-mcts", "uct", "adp-uct"];

fn engine(name: &str) -> Box<dyn Engine> {
    build(name, []).unwrap()
}

fn think(engine: &mut dyn Engine, board: &Board, visits: u64) -> Report {
    engine.think(board, &Limits::visits(visits), &Stop::new(), &mut |_| {})
}

fn sizes() -> [Size; 4] {
    [5, 6, 15, 22].map(|side| Size::new(side).unwrap())
}

/// A four of `attacker` with one open end, four other stones, and `to_move` to move.
fn four(size: Size, rule: Rule, attacker: Color, to_move: Color) -> Board {
    let shift = (size.side() - 5) / 2;
    let at = |x: usize, y: usize| Point::new(x + shift, y + shift, size).unwrap();
    let row = [at(0, 2), at(1, 2), at(2, 2), at(3, 2)];
    // On the larger boards the row's other end is stopped by a stone, on the smallest by the edge.
    let stopper = if shift == 0 { at(4, 4) } else { Point::new(shift - 1, 2 + shift, size).unwrap() };
    let others = [at(0, 0), at(4, 0), at(0, 4), stopper];
    let (black, white) = if attacker == Color::Black { (row, others) } else { (others, row) };
    Board::from_stones(size, rule, &black, &white, to_move).unwrap()
}

#[test]
fn a_five_is_made() {
    for &(name, visits) in ENGINES {
        for rule in Rule::ALL {
            for size in sizes() {
                for color in Color::BOTH {
                    let mut board = four(size, rule, color, color);
                    let report = think(&mut *engine(name), &board, visits);
                    let end = board.play(report.best()).unwrap();
                    assert_eq!(end, Some(GameEnd::Five(color)), "{name} {board:?}");
                    assert!(report.winrate() > 0.8, "{name} {}", report.winrate());
                }
            }
        }
    }
}

#[test]
fn a_five_is_blocked() {
    // One ply of the network alone sees no reply: `adp` knows only what its training taught it.
    for &(name, visits) in ENGINES.iter().filter(|(name, _)| *name != "adp") {
        // Plain random simulations need many more to see a reply: they are asked once.
        let (visits, rules) =
            if name == "uct" { (20_000, &Rule::ALL[..1]) } else { (visits, &Rule::ALL[..]) };
        for &rule in rules {
            for size in sizes().into_iter().filter(|&size| name != "uct" || size == Size::STANDARD) {
                for color in Color::BOTH {
                    let mut board = four(size, rule, color, !color);
                    if board.count(color, Class::Five) != 1 {
                        continue;
                    }
                    let report = think(&mut *engine(name), &board, visits);
                    board.play(report.best()).unwrap();
                    assert_eq!(board.count(color, Class::Five), 0, "{name} {board:?}");
                }
            }
        }
    }
}

/// A position after some random stones in which the game is not over.
fn random_position(size: Size, rule: Rule, stones: usize, rng: &mut Rng) -> Board {
    let mut board = Board::new(size, rule);
    while board.stone_count() < stones {
        let empty: Vec<Point> = board.empty().iter().collect();
        if board.play(empty[rng.below(empty.len())]).unwrap().is_some() {
            board.undo();
        }
    }
    board
}

#[test]
fn moves_are_legal() {
    let mut rng = Rng::new(11);
    let mut forbidden_seen = 0;
    for &(name, _) in ENGINES {
        let mut engine = engine(name);
        for rule in Rule::ALL {
            for size in sizes() {
                for share in [0, 1, 3, 5] {
                    let board = random_position(size, rule, size.cells() * share / 10, &mut rng);
                    let forbidden = board.forbidden_points();
                    forbidden_seen += forbidden.len();
                    let best = think(&mut *engine, &board, 40).best();
                    assert!(board.is_empty(best), "{name} {board:?}");
                    assert!(board.to_move() == Color::White || !forbidden.contains(best), "{name} {board:?}");
                }
            }
        }
    }
    assert!(forbidden_seen > 10, "{forbidden_seen}");
}

#[test]
fn a_forbidden_point_is_not_chosen_from_two() {
    let size = Size::STANDARD;
    let points = |names: &str| notation::parse_moves(names, size).unwrap();
    let (black, white) = (points("e8f8g8h5h6h7"), points("d8h4l8h11a1o15"));
    let board = Board::from_stones(size, Rule::Renju, &black, &white, Color::Black).unwrap();
    let [double_four, other] = ["h8", "b2"].map(|name| Point::parse(name, size).unwrap());
    assert!(board.forbidden(double_four).is_some());
    let mut limits = Limits::visits(50);
    limits.blocked = board.empty().difference(&PointSet::from_iter([double_four, other]));
    for &(name, _) in ENGINES {
        let report = engine(name).think(&board, &limits, &Stop::new(), &mut |_| {});
        assert_eq!(report.best(), other, "{name}");
    }
}

#[test]
fn a_seed_and_visits_give_the_same_answer() {
    let board = random_position(Size::STANDARD, Rule::Renju, 14, &mut Rng::new(5));
    for &(name, _) in ENGINES {
        let [one, two] = [(); 2].map(|()| think(&mut *engine(name), &board, 300));
        assert_eq!((one.lines, one.visits, one.depth), (two.lines, two.visits, two.depth), "{name}");
    }
}

#[test]
fn visits_are_not_exceeded_and_lines_are_filled() {
    let board = random_position(Size::STANDARD, Rule::Standard, 9, &mut Rng::new(6));
    for &(name, _) in ENGINES {
        let limits = Limits { lines: 3, ..Limits::visits(500) };
        let report = engine(name).think(&board, &limits, &Stop::new(), &mut |_| {});
        assert!(report.visits <= 500 && report.visits > 0, "{name}: {}", report.visits);
        assert_eq!(report.lines.len(), 3, "{name}");
        for line in &report.lines {
            assert_eq!(line.pv[0], line.point);
            assert!((0.0..=1.0).contains(&line.winrate));
            let mut board = board.clone();
            for &point in &line.pv {
                assert!(board.play(point).is_ok(), "{name} {line:?}");
            }
        }
    }
}

#[test]
fn a_raised_flag_ends_an_endless_search() {
    let board = random_position(Size::MAX, Rule::Renju, 40, &mut Rng::new(7));
    for &name in SEARCHERS {
        let stop = Stop::new();
        let raiser = stop.clone();
        let raising = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(30));
            raiser.raise();
        });
        let report = engine(name).think(&board, &Limits::default(), &stop, &mut |_| {});
        raising.join().unwrap();
        assert!(board.is_empty(report.best()), "{name}");
        // Raised before the search begins: still an answer.
        let report = engine(name).think(&board, &Limits::default(), &stop, &mut |_| {});
        assert!(board.is_empty(report.best()), "{name}");
    }
}

#[test]
fn a_listener_hears_how_far_the_search_is() {
    let board = random_position(Size::STANDARD, Rule::Standard, 9, &mut Rng::new(6));
    for &name in SEARCHERS {
        let (stop, mut heard) = (Stop::new(), Vec::new());
        let report = engine(name).think(&board, &Limits::default(), &stop, &mut |event| {
            let Event::Report(report) = event;
            assert!(board.is_empty(report.best()));
            heard.push(report.visits);
            if heard.len() == 2 {
                stop.raise();
            }
        });
        assert!(heard[0] < heard[1] && heard[1] <= report.visits, "{name}");
    }
}

#[test]
fn nearly_full_boards_are_played_to_the_end() {
    // A colouring without five in a row anywhere.
    let dark = |point: &Point| (point.x() + 2 * point.y()) % 4 < 2;
    for rule in Rule::ALL {
        for size in sizes() {
            for holes in 1..4 {
                let kept = size.points().skip(holes);
                let black: Vec<Point> = kept.clone().filter(dark).collect();
                let white: Vec<Point> = kept.filter(|point| !dark(point)).collect();
                for &(name, _) in ENGINES {
                    let mut board = Board::from_stones(size, rule, &black, &white, Color::Black).unwrap();
                    while board.end().is_none() {
                        let best = think(&mut *engine(name), &board, 20).best();
                        board.play(best).unwrap();
                    }
                }
            }
        }
    }
}

#[test]
fn blocked_points_are_avoided_while_others_are_left() {
    let board = random_position(Size::STANDARD, Rule::Standard, 6, &mut Rng::new(8));
    let corner = Point::new(0, 0, Size::STANDARD).unwrap();
    for &(name, _) in ENGINES {
        let mut limits = Limits::visits(50);
        limits.blocked = board.empty().difference(&PointSet::from_iter([corner]));
        let report = engine(name).think(&board, &limits, &Stop::new(), &mut |_| {});
        assert_eq!(report.best(), corner, "{name}");
        limits.blocked = *board.empty();
        let report = engine(name).think(&board, &limits, &Stop::new(), &mut |_| {});
        assert!(board.is_empty(report.best()), "{name}");
    }
}

#[test]
fn a_small_memory_is_enough() {
    let board = random_position(Size::STANDARD, Rule::Standard, 6, &mut Rng::new(9));
    for &name in SEARCHERS {
        let limits = Limits { memory: 0, ..Limits::visits(300) };
        let report = engine(name).think(&board, &limits, &Stop::new(), &mut |_| {});
        assert!(board.is_empty(report.best()), "{name}");
    }
}

#[test]
fn every_engine_beats_the_random_one() {
    for &(name, visits) in ENGINES {
        for color in Color::BOTH {
            let mut thinker = engine(name);
            let mut random = engine("random");
            let mut board = Board::new(Size::new(9).unwrap(), Rule::Standard);
            while board.end().is_none() {
                let mover = if board.to_move() == color { &mut thinker } else { &mut random };
                let best = think(&mut **mover, &board, visits).best();
                board.play(best).unwrap();
            }
            assert_eq!(board.end(), Some(GameEnd::Five(color)), "{name} {board:?}");
        }
    }
}

#[test]
fn a_found_win_is_played_without_thinking() {
    let size = Size::STANDARD;
    let moves = notation::parse_moves("h8a1i8a15j10o1j11o15", size).unwrap();
    let mut board = Board::from_moves(size, Rule::Freestyle, &moves).unwrap();
    let mut engine = engine("monomial-v3");
    let first = think(&mut *engine, &board, 4_000);
    assert!(first.lines[0].proof.is_some(), "{first:?}");
    let mut pv = first.lines[0].pv.clone().into_iter();
    board.play(pv.next().unwrap()).unwrap();
    board.play(pv.next().unwrap()).unwrap();
    let second = think(&mut *engine, &board, 4_000);
    assert_eq!((second.visits, second.winrate()), (0, 1.0));
}
