//! What every engine must do, under every rule and on small and large boards.

use fivestone_engine::{Engine, Event, Limits, Report, Rng, Stop, build, kind};
use fivestone_game::{Board, Class, Color, GameEnd, Point, PointSet, Rule, Size, notation};
use std::time::Duration;

type Values = &'static [(&'static str, &'static str)];

/// The engines that look ahead, with visits in which they see two plies.
const THINKERS: [(&str, Values, u64); 5] = [
    ("fivestone", &[], 60),
    ("fivestone-ab", &[], 600),
    ("mcts-basic", &[], 20_000),
    ("mcts-basic", &[("selection", "1")], 20_000),
    ("alpha-beta", &[], 2_000),
];
const ALL: [&str; 5] = ["fivestone", "fivestone-ab", "random", "mcts-basic", "alpha-beta"];

fn engine(name: &str, values: &[(&str, &str)]) -> Box<dyn Engine> {
    build(name, values.iter().copied()).unwrap()
}

fn think(engine: &mut dyn Engine, board: &Board, visits: u64) -> Report {
    engine.think(board, &Limits::visits(visits), &Stop::new(), &mut |_| {})
}

fn sizes() -> [Size; 3] {
    [5, 15, 22].map(|side| Size::new(side).unwrap())
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
    for (name, values, visits) in THINKERS {
        for rule in Rule::ALL {
            for size in sizes() {
                for color in Color::BOTH {
                    let mut board = four(size, rule, color, color);
                    let report = think(&mut *engine(name, values), &board, visits);
                    let end = board.play(report.best()).unwrap();
                    assert_eq!(end, Some(GameEnd::Five(color)), "{name} {board:?}");
                    assert!(report.winrate() > 0.9);
                }
            }
        }
    }
}

fn assert_blocks(name: &str, values: Values, visits: u64, rule: Rule, size: Size) {
    for color in Color::BOTH {
        let mut board = four(size, rule, color, !color);
        assert_eq!(board.count(color, Class::Five), 1);
        let report = think(&mut *engine(name, values), &board, visits);
        board.play(report.best()).unwrap();
        assert_eq!(board.count(color, Class::Five), 0, "{name} {values:?} {board:?}");
    }
}

#[test]
fn a_five_is_blocked() {
    for rule in Rule::ALL {
        for size in sizes() {
            assert_blocks("mcts-basic", &[], 20_000, rule, size);
            assert_blocks("alpha-beta", &[], 2_000, rule, size);
        }
        // Exp3 settles on a reply more slowly.
        assert_blocks("mcts-basic", &[("selection", "1")], 60_000, rule, Size::STANDARD);
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
    for name in ALL {
        let mut engine = engine(name, &[]);
        for rule in Rule::ALL {
            for size in sizes() {
                for share in [0, 1, 3, 5] {
                    let board = random_position(size, rule, size.cells() * share / 10, &mut rng);
                    let forbidden = board.forbidden_points();
                    forbidden_seen += forbidden.len();
                    let best = think(&mut *engine, &board, 300).best();
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
    let mut limits = Limits::visits(200);
    limits.blocked = board.empty().difference(&PointSet::from_iter([double_four, other]));
    for name in ALL {
        for seed in ["1", "2", "3", "4"] {
            let seeded = kind(name).unwrap().parameters.iter().any(|parameter| parameter.name == "seed");
            let values: &[_] = if seeded { &[("seed", seed)] } else { &[] };
            let report = engine(name, values).think(&board, &limits, &Stop::new(), &mut |_| {});
            assert_eq!(report.best(), other, "{name}");
        }
    }
}

#[test]
fn a_seed_and_visits_give_the_same_answer() {
    let board = random_position(Size::STANDARD, Rule::Renju, 14, &mut Rng::new(5));
    for (name, values, _) in THINKERS {
        let [one, two] = [(); 2].map(|()| think(&mut *engine(name, values), &board, 5_000));
        assert_eq!((one.lines, one.visits, one.depth), (two.lines, two.visits, two.depth), "{name}");
    }
    let best = |seed| think(&mut *engine("random", &[("seed", seed)]), &board, 1).best();
    assert_eq!(best("8"), best("8"));
    assert!(["1", "2", "3", "4"].iter().any(|&seed| best(seed) != best("8")));
}

#[test]
fn visits_are_not_exceeded_and_lines_are_filled() {
    let board = random_position(Size::STANDARD, Rule::Standard, 9, &mut Rng::new(6));
    for (name, values, _) in THINKERS {
        let limits = Limits { lines: 3, ..Limits::visits(3_000) };
        let report = engine(name, values).think(&board, &limits, &Stop::new(), &mut |_| {});
        assert!(report.visits <= 3_000 && report.visits > 100, "{name}: {}", report.visits);
        assert_eq!(report.lines.len(), 3);
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
fn a_listener_hears_how_far_the_search_is() {
    let board = random_position(Size::STANDARD, Rule::Standard, 9, &mut Rng::new(6));
    let (stop, mut heard) = (Stop::new(), Vec::new());
    let report = engine("mcts-basic", &[]).think(&board, &Limits::default(), &stop, &mut |event| {
        let Event::Report(report) = event;
        assert!(board.is_empty(report.best()));
        heard.push(report.visits);
        if heard.len() == 2 {
            stop.raise();
        }
    });
    assert!(heard[0] < heard[1] && heard[1] <= report.visits);
}

#[test]
fn a_raised_flag_ends_an_endless_search() {
    let board = random_position(Size::MAX, Rule::Renju, 40, &mut Rng::new(7));
    for (name, values, _) in THINKERS {
        let stop = Stop::new();
        let raiser = stop.clone();
        let raising = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(30));
            raiser.raise();
        });
        let report = engine(name, values).think(&board, &Limits::default(), &stop, &mut |_| {});
        raising.join().unwrap();
        assert!(board.is_empty(report.best()), "{name}");
        // Raised before the search begins: still an answer.
        let report = engine(name, values).think(&board, &Limits::default(), &stop, &mut |_| {});
        assert!(board.is_empty(report.best()), "{name}");
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
                for name in ALL {
                    let mut board = Board::from_stones(size, rule, &black, &white, Color::Black).unwrap();
                    while board.end().is_none() {
                        let best = think(&mut *engine(name, &[]), &board, 50).best();
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
    for name in ALL {
        let mut limits = Limits::visits(500);
        limits.blocked = board.empty().difference(&PointSet::from_iter([corner]));
        let report = engine(name, &[]).think(&board, &limits, &Stop::new(), &mut |_| {});
        assert_eq!(report.best(), corner, "{name}");
        limits.blocked = *board.empty();
        let report = engine(name, &[]).think(&board, &limits, &Stop::new(), &mut |_| {});
        assert!(board.is_empty(report.best()), "{name}");
    }
}

#[test]
fn a_small_memory_is_enough() {
    let board = random_position(Size::STANDARD, Rule::Standard, 6, &mut Rng::new(9));
    for memory in [0, 1 << 20, (1 << 20) + 4096] {
        for selection in ["0", "1"] {
            let limits = Limits { memory, ..Limits::visits(20_000) };
            let mut engine = engine("mcts-basic", &[("selection", selection)]);
            let report = engine.think(&board, &limits, &Stop::new(), &mut |_| {});
            assert_eq!(report.visits, 20_000);
            assert!(board.is_empty(report.best()));
        }
    }
}

#[test]
fn thinking_engines_beat_the_random_one() {
    for (name, values, _) in THINKERS {
        for color in Color::BOTH {
            let mut thinker = engine(name, values);
            let mut random = engine("random", &[]);
            let mut board = Board::new(Size::new(9).unwrap(), Rule::Standard);
            while board.end().is_none() {
                let mover = if board.to_move() == color { &mut thinker } else { &mut random };
                let best = think(&mut **mover, &board, 10_000).best();
                board.play(best).unwrap();
            }
            assert_eq!(board.end(), Some(GameEnd::Five(color)), "{name} {board:?}");
        }
    }
}

#[test]
fn a_net_file_is_played_with_or_refused() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("played.fsnet");
    let mut net = (*fivestone_nets::Net::embedded(Rule::Freestyle).unwrap()).clone();
    std::fs::write(&path, net.to_bytes()).unwrap();
    let with_net = |engine: &str| fivestone_engine::build(engine, [("net", path.to_str().unwrap())]);
    let board = Board::from_moves(Size::STANDARD, Rule::Freestyle, &[Size::STANDARD.centre()]).unwrap();
    let search = |mut engine: Box<dyn fivestone_engine::Engine>| {
        let report = engine.think(&board, &Limits::visits(50), &Stop::new(), &mut |_| {});
        report.lines.iter().map(|line| (line.point, line.visits)).collect::<Vec<_>>()
    };
    // The shipped net from a file plays as the shipped net does; a silenced one does not.
    let shipped = search(fivestone_engine::build("fivestone", []).unwrap());
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
