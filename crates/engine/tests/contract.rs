//! What every engine in the registry must do, under every rule and on small and large boards.

use fivestone_engine::{ENGINES, Engine, EngineKind, Event, Limits, Report, Rng, Stop, explain, kind};
use fivestone_engine::{Settings, explained};
use fivestone_game::{Board, Class, Color, GameEnd, Point, PointSet, Rule, Size, notation};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// Which fives an engine sees.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sight {
    /// Its own and the other side's.
    Both,
    /// Its own only, for this reason.
    Own(&'static str),
    /// None for certain, for this reason.
    Nothing(&'static str),
}

/// An engine of the registry and what it needs for its part of the contract.
struct Subject {
    name: &'static str,
    sight: Sight,
    /// Visits within which it sees so much; 1 for an engine that answers without a search.
    visits: u64,
}

impl Subject {
    const fn new(name: &'static str, sight: Sight, visits: u64) -> Subject {
        Subject { name, sight, visits }
    }

    fn kind(&self) -> &'static EngineKind {
        kind(self.name).expect("a listed engine")
    }

    fn engine(&self) -> Box<dyn Engine> {
        self.seeded(1)
    }

    fn seeded(&self, seed: u64) -> Box<dyn Engine> {
        (self.kind().build)(&Settings::defaults(self.kind()).with_seed(seed))
    }

    fn is_seeded(&self) -> bool {
        self.kind().parameters.iter().any(|parameter| parameter.name == "seed")
    }

    /// Whether it thinks for as long as it may.
    fn searches(&self) -> bool {
        // A level thinks no longer than a person of its strength would.
        self.visits > 1 && self.name != "levels"
    }
}

const SUBJECTS: &[Subject] = &[
    Subject::new("fivestone", Sight::Both, 60),
    Subject::new("fivestone-pattern", Sight::Both, 60),
    Subject::new("fivestone-ab", Sight::Both, 600),
    Subject::new("levels", Sight::Both, 120),
    Subject::new("random", Sight::Nothing("it looks at nothing"), 1),
    Subject::new("mcts-basic", Sight::Both, 20_000),
    Subject::new("policy-net", Sight::Nothing("the paper's net guesses what people play"), 1),
    Subject::new("mcts-nn", Sight::Both, 8),
    Subject::new("alpha-beta", Sight::Both, 2_000),
    Subject::new("monomial-v1", Sight::Both, 1),
    Subject::new("monomial-v2", Sight::Both, 200),
    Subject::new("monomial-v3", Sight::Both, 200),
    Subject::new("situation-mcts", Sight::Both, 60),
    Subject::new("adp", Sight::Own("one ply of the paper's network sees no reply"), 1),
    Subject::new("uct", Sight::Own("random simulations see a reply late; asked below"), 600),
    Subject::new("adp-uct", Sight::Both, 200),
];

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

/// The points that may be played; all empty ones where the rule forbids them all.
fn legal(board: &Board) -> PointSet {
    let legal = board.legal();
    if legal.is_empty() { *board.empty() } else { legal }
}

#[test]
fn the_suite_asks_every_engine_of_the_registry() {
    let asked: BTreeSet<&str> = SUBJECTS.iter().map(|subject| subject.name).collect();
    let listed: BTreeSet<&str> = ENGINES.iter().map(|kind| kind.name).collect();
    assert_eq!(asked, listed);
    for subject in SUBJECTS {
        assert_eq!(subject.engine().name(), subject.name);
    }
}

#[test]
fn moves_are_legal() {
    let mut forbidden_seen = 0;
    for subject in SUBJECTS {
        let mut rng = Rng::new(11);
        let mut engine = subject.engine();
        for rule in Rule::ALL {
            for size in sizes() {
                for share in [0, 1, 3, 5] {
                    let board = random_position(size, rule, size.cells() * share / 10, &mut rng);
                    forbidden_seen += board.forbidden_points().len();
                    let best = think(&mut *engine, &board, subject.visits.min(40)).best();
                    assert!(legal(&board).contains(best), "{} {board:?}", subject.name);
                }
            }
        }
    }
    assert!(forbidden_seen > 10 * SUBJECTS.len(), "{forbidden_seen}");
}

#[test]
fn nearly_full_boards_are_played_to_the_end() {
    // A colouring without five in a row anywhere.
    let dark = |point: &Point| (point.x() + 2 * point.y()) % 4 < 2;
    for rule in Rule::ALL {
        for size in sizes() {
            let kept = size.points().skip(3);
            let black: Vec<Point> = kept.clone().filter(dark).collect();
            let white: Vec<Point> = kept.filter(|point| !dark(point)).collect();
            for subject in SUBJECTS {
                let mut board = Board::from_stones(size, rule, &black, &white, Color::Black).unwrap();
                while board.end().is_none() {
                    let best = think(&mut *subject.engine(), &board, subject.visits.min(20)).best();
                    assert!(legal(&board).contains(best), "{} {board:?}", subject.name);
                    board.play(best).unwrap();
                }
            }
        }
    }
}

#[test]
fn the_last_point_is_played_even_if_it_is_forbidden() {
    let rows = ["xoxooxx", "ooxoxox", "xxoooxx", "xxx.xxo", "xoxxxox", "xooooxo", "oooxooo"];
    let size = Size::new(7).unwrap();
    let stones = |stone: u8| -> Vec<Point> {
        size.points().filter(|point| rows[point.y()].as_bytes()[point.x()] == stone).collect()
    };
    let (black, white) = (stones(b'x'), stones(b'o'));
    let board = Board::from_stones(size, Rule::Renju, &black, &white, Color::Black).unwrap();
    assert_eq!(board.forbidden_points(), *board.empty());
    for subject in SUBJECTS {
        let best = think(&mut *subject.engine(), &board, 20).best();
        assert_eq!(Some(best), board.empty().first(), "{}", subject.name);
    }
}

#[test]
fn a_five_is_made() {
    let sighted = SUBJECTS.iter().filter(|subject| !matches!(subject.sight, Sight::Nothing(_)));
    for subject in sighted {
        for rule in Rule::ALL {
            for size in sizes() {
                for color in Color::BOTH {
                    let mut board = four(size, rule, color, color);
                    let report = think(&mut *subject.engine(), &board, subject.visits);
                    let end = board.play(report.best()).unwrap();
                    assert_eq!(end, Some(GameEnd::Five(color)), "{} {board:?}", subject.name);
                }
            }
        }
    }
}

/// Asks an engine to stop a four that threatens one five. Returns whether there was one.
fn assert_stops(subject: &Subject, visits: u64, four: &Board) -> bool {
    let mut board = four.clone();
    let attacker = !board.to_move();
    let threatened = board.count(attacker, Class::Five) == 1;
    if threatened {
        let report = think(&mut *subject.engine(), &board, visits);
        board.play(report.best()).unwrap();
        assert_eq!(board.count(attacker, Class::Five), 0, "{} {board:?}", subject.name);
    }
    threatened
}

#[test]
fn a_five_is_stopped() {
    for subject in SUBJECTS.iter().filter(|subject| subject.sight == Sight::Both) {
        let mut stopped = 0;
        for rule in Rule::ALL {
            for size in sizes() {
                for color in Color::BOTH {
                    let board = four(size, rule, color, !color);
                    stopped += usize::from(assert_stops(subject, subject.visits, &board));
                }
            }
        }
        assert!(stopped > 16, "{}: {stopped} positions", subject.name);
    }
    // Plain random simulations need many more: they are asked once.
    let uct = SUBJECTS.iter().find(|subject| subject.name == "uct").unwrap();
    for color in Color::BOTH {
        assert!(assert_stops(uct, 20_000, &four(Size::STANDARD, Rule::Freestyle, color, !color)));
    }
}

#[test]
fn a_forbidden_point_is_not_chosen_from_two() {
    let size = Size::STANDARD;
    let points = |names: &str| notation::parse_moves(names, size).unwrap();
    let (black, white) = (points("e8f8g8h5h6h7"), points("d8h4l8h11a1o15"));
    let board = Board::from_stones(size, Rule::Renju, &black, &white, Color::Black).unwrap();
    let [double_four, other] = ["h8", "b2"].map(|name| Point::parse(name, size).unwrap());
    assert!(board.forbidden(double_four).is_some());
    let blocked = board.empty().difference(&PointSet::from_iter([double_four, other]));
    for subject in SUBJECTS {
        for seed in 1..5 {
            let limits = Limits { blocked, ..Limits::visits(20) };
            let report = subject.seeded(seed).think(&board, &limits, &Stop::new(), &mut |_| {});
            assert_eq!(report.best(), other, "{}", subject.name);
        }
    }
}

#[test]
fn blocked_points_are_avoided_while_others_are_left() {
    let board = random_position(Size::STANDARD, Rule::Standard, 6, &mut Rng::new(8));
    let corner = Point::new(0, 0, Size::STANDARD).unwrap();
    for subject in SUBJECTS {
        let mut limits = Limits::visits(50);
        let ask = |limits: &Limits| subject.engine().think(&board, limits, &Stop::new(), &mut |_| {}).best();
        limits.blocked = PointSet::from_iter([ask(&limits)]);
        assert!(!limits.blocked.contains(ask(&limits)), "{}", subject.name);
        limits.blocked = board.empty().difference(&PointSet::from_iter([corner]));
        assert_eq!(ask(&limits), corner, "{}", subject.name);
        limits.blocked = *board.empty();
        assert!(board.is_empty(ask(&limits)), "{}", subject.name);
    }
}

#[test]
fn a_blocked_five_is_not_made() {
    for subject in SUBJECTS {
        let board = four(Size::STANDARD, Rule::Standard, Color::Black, Color::Black);
        let blocked = board.cells(Color::Black, Class::Five);
        let limits = Limits { blocked, ..Limits::visits(subject.visits.min(600)) };
        let best = subject.engine().think(&board, &limits, &Stop::new(), &mut |_| {}).best();
        assert!(board.is_empty(best) && !blocked.contains(best), "{}", subject.name);
    }
}

#[test]
fn the_same_seed_gives_the_same_answer_and_another_may_differ() {
    let board = random_position(Size::STANDARD, Rule::Renju, 14, &mut Rng::new(5));
    for subject in SUBJECTS {
        let answer = |seed: u64| {
            let report = think(&mut *subject.seeded(seed), &board, subject.visits.min(2_000));
            (report.lines, report.visits, report.depth)
        };
        assert_eq!(answer(8), answer(8), "{}", subject.name);
        let differs = (1..5).any(|seed| answer(seed) != answer(8));
        assert!(!differs || subject.is_seeded(), "{}", subject.name);
        assert!(differs || subject.name != "random");
    }
}

#[test]
fn visits_are_not_exceeded_and_lines_can_be_played() {
    let board = random_position(Size::STANDARD, Rule::Standard, 9, &mut Rng::new(6));
    for subject in SUBJECTS {
        let most = subject.visits.min(2_000);
        let limits = Limits { lines: 3, ..Limits::visits(most) };
        let report = subject.engine().think(&board, &limits, &Stop::new(), &mut |_| {});
        assert!(report.visits <= most, "{}: {} of {most}", subject.name, report.visits);
        assert!((1..=3).contains(&report.lines.len()), "{}", subject.name);
        for line in &report.lines {
            assert_eq!(line.pv[0], line.point, "{}", subject.name);
            assert!((0.0..=1.0).contains(&line.winrate), "{} {line:?}", subject.name);
            let mut board = board.clone();
            for &point in &line.pv {
                assert!(board.play(point).is_ok(), "{} {line:?}", subject.name);
            }
        }
    }
}

/// Far more than an engine needs to notice that it has to end, also on a busy machine.
const PATIENCE: Duration = Duration::from_secs(5);

#[test]
fn time_is_used_and_kept() {
    let turn = Duration::from_millis(80);
    for (size, stones) in [(Size::STANDARD, 9), (Size::MAX, 40)] {
        let board = random_position(size, Rule::Renju, stones, &mut Rng::new(7));
        for subject in SUBJECTS {
            let mut engine = subject.engine();
            let started = Instant::now();
            let report = engine.think(&board, &Limits::time(turn), &Stop::new(), &mut |_| {});
            assert!(started.elapsed() < turn + PATIENCE, "{}: {:?}", subject.name, started.elapsed());
            assert!(legal(&board).contains(report.best()), "{}", subject.name);
            let proven = report.lines[0].proof.is_some();
            let idle = subject.searches() && !proven && started.elapsed() < turn / 4;
            assert!(!idle, "{} ended after {:?}", subject.name, started.elapsed());
        }
    }
}

#[test]
fn a_raised_flag_ends_an_endless_search() {
    let board = random_position(Size::MAX, Rule::Renju, 40, &mut Rng::new(7));
    for subject in SUBJECTS {
        let stop = Stop::new();
        let raiser = stop.clone();
        let raising = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(30));
            raiser.raise();
        });
        let started = Instant::now();
        let report = subject.engine().think(&board, &Limits::default(), &stop, &mut |_| {});
        assert!(started.elapsed() < PATIENCE, "{}: {:?}", subject.name, started.elapsed());
        raising.join().unwrap();
        assert!(legal(&board).contains(report.best()), "{}", subject.name);
        // Raised before the search begins: still an answer, and at once.
        let report = subject.engine().think(&board, &Limits::default(), &stop, &mut |_| {});
        assert!(legal(&board).contains(report.best()), "{}", subject.name);
    }
}

#[test]
fn a_listener_hears_how_far_the_search_is() {
    let board = random_position(Size::STANDARD, Rule::Standard, 9, &mut Rng::new(6));
    for subject in SUBJECTS.iter().filter(|subject| subject.searches()) {
        let (stop, mut heard) = (Stop::new(), Vec::new());
        let report = subject.engine().think(&board, &Limits::default(), &stop, &mut |event| {
            let Event::Report(report) = event;
            assert!(board.is_empty(report.best()));
            heard.push(report.visits);
            if heard.len() == 2 {
                stop.raise();
            }
        });
        assert!(heard[0] < heard[1] && heard[1] <= report.visits, "{}", subject.name);
    }
}

#[test]
fn a_small_memory_is_enough() {
    let board = random_position(Size::STANDARD, Rule::Standard, 6, &mut Rng::new(9));
    for subject in SUBJECTS {
        for memory in [0, 1 << 20, (1 << 20) + 4096] {
            let limits = Limits { memory, ..Limits::visits(subject.visits) };
            let report = subject.engine().think(&board, &limits, &Stop::new(), &mut |_| {});
            assert!(board.is_empty(report.best()), "{}", subject.name);
        }
    }
}

#[test]
fn two_threads_think_as_well_as_one() {
    for subject in SUBJECTS.iter().filter(|subject| subject.sight == Sight::Both) {
        for rule in Rule::ALL {
            let board = four(Size::STANDARD, rule, Color::Black, Color::White);
            let limits = Limits { threads: 2, ..Limits::visits(subject.visits) };
            let report = subject.engine().think(&board, &limits, &Stop::new(), &mut |_| {});
            let mut after = board.clone();
            after.play(report.best()).unwrap();
            assert_eq!(after.count(Color::Black, Class::Five), 0, "{} {board:?}", subject.name);
        }
    }
}

#[test]
fn an_engine_explains_a_position_or_says_that_it_cannot() {
    let board = random_position(Size::new(9).unwrap(), Rule::Renju, 7, &mut Rng::new(10));
    for subject in SUBJECTS {
        let explanation = explain(subject.name, &board);
        assert_eq!(explanation.is_some(), explained().contains(&subject.name), "{}", subject.name);
        let Some(explanation) = explanation else { continue };
        assert!(!explanation.layers.is_empty(), "{}", subject.name);
        for layer in explanation.layers {
            assert!(!layer.values.is_empty(), "{}: {}", subject.name, layer.name);
            let sound = |&(point, value): &(Point, f64)| board.is_empty(point) && value.is_finite();
            assert!(layer.values.iter().all(sound), "{}: {}", subject.name, layer.name);
        }
    }
    assert_eq!(explained().len(), 7);
    assert_eq!(explain("no such engine", &board), None);
}

#[test]
fn every_engine_that_sees_a_five_beats_the_random_one() {
    let random = SUBJECTS.iter().find(|subject| subject.name == "random").unwrap();
    let sighted = SUBJECTS.iter().filter(|subject| !matches!(subject.sight, Sight::Nothing(_)));
    for subject in sighted {
        for color in Color::BOTH {
            let mut players = [subject.engine(), random.engine()];
            if color == Color::White {
                players.reverse();
            }
            let mut board = Board::new(Size::new(9).unwrap(), Rule::Standard);
            while board.end().is_none() {
                let player = &mut players[board.to_move().index()];
                let best = think(&mut **player, &board, subject.visits.min(2_000)).best();
                board.play(best).unwrap();
            }
            assert_eq!(board.end(), Some(GameEnd::Five(color)), "{} {board:?}", subject.name);
        }
    }
}
