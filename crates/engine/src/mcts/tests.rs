//! The search as a whole.

use super::node::{NONE, Outcome};
use super::search::{Company, Task, Walker};
use super::select::Sums;
use super::*;
use crate::solver::{Kind, SolveLimits, solve};
use crate::{Proof, Rng};
use fivestone_game::{PointSet, notation};

fn position(moves: &str, rule: Rule) -> Board {
    let moves = notation::parse_moves(moves, Size::STANDARD).unwrap();
    Board::from_moves(Size::STANDARD, rule, &moves).unwrap()
}

fn engine(values: &[(&str, &str)]) -> Mcts {
    Mcts::flagship(&Settings::checked(&KIND, values.iter().copied()).unwrap())
}

fn search(engine: &mut Mcts, board: &Board, limits: &Limits) -> Report {
    engine.think(board, limits, &Stop::new(), &mut |_| {})
}

/// Runs over every expanded node that is not proven.
fn open_nodes(tree: &Tree) -> impl Iterator<Item = &node::Node> {
    let nodes = (0..tree.len() as u32).map(|id| tree.node(id));
    nodes.filter(|node| node.proof().is_none() && !tree.edges(node).is_empty())
}

#[test]
fn visits_of_a_node_are_its_own_and_those_of_its_moves() {
    for transposed in ["0", "1"] {
        for rule in Rule::ALL {
            let mut engine = engine(&[("transposed", transposed)]);
            search(&mut engine, &position("h8i9g10i7h6h7", rule), &Limits::visits(3000));
            let tree = &engine.game.as_ref().unwrap().tree;
            let mut compared = 0;
            for node in open_nodes(tree) {
                let through: u32 = tree.edges(node).iter().map(node::Edge::visits).sum();
                let own = u32::from(node.is_judged());
                assert_eq!(node.visits(), own + through, "{rule}, transposed {transposed}");
                compared += 1;
            }
            assert!(compared > 50, "{rule}: {compared} nodes");
        }
    }
}

#[test]
fn the_roots_value_is_the_mean_of_what_its_moves_are_worth_now() {
    let mut engine = engine(&[]);
    search(&mut engine, &position("h8i9g10i7h6h7", Rule::Freestyle), &Limits::visits(2000));
    let tree = &engine.game.as_ref().unwrap().tree;
    let root = tree.node(ROOT);
    let mut sum = Outcome { win: root.own().win, loss: root.own().loss };
    let mut visits = 1.0;
    for edge in tree.edges(root).iter().filter(|edge| edge.child() != NONE) {
        let outcome = tree.node(edge.child()).outcome().of_other_side();
        sum.win += edge.visits() as f32 * outcome.win;
        sum.loss += edge.visits() as f32 * outcome.loss;
        visits += edge.visits() as f32;
    }
    let outcome = root.outcome();
    assert!((sum.win / visits - outcome.win).abs() < 1e-3, "{sum:?} of {visits}, {outcome:?}");
    assert!((sum.loss / visits - outcome.loss).abs() < 1e-3, "{sum:?} of {visits}, {outcome:?}");
    assert!(outcome.draw() > 0.0, "draws are backed up");
}

#[test]
fn moves_that_are_proven_lost_stay_in_the_mean() {
    let tree = Tree::new();
    let own = Outcome { win: 0.5, loss: 0.5 };
    let facts = node::Facts { judged: true, ..node::Facts::default() };
    let root = tree.node(tree.insert(&node::NewNode { hash: 1, own, facts, ..Default::default() }));
    let moves: Vec<(Point, f32)> = Size::STANDARD.points().zip([0.6, 0.4]).collect();
    tree.set_edges(root, &moves);
    root.set_reach(2);
    for (hash, (edge, visits)) in (2..).zip(tree.edges(root).iter().zip([3, 1])) {
        let child = tree.insert(&node::NewNode { hash, own, facts, ..Default::default() });
        edge.set_child(child);
        edge.set_visits(visits);
    }
    let lost = tree.node(tree.edges(root)[0].child());
    lost.prove(Proof::Win(5), None);
    let (mean, _) = Sums::of_node(&tree, root).mean().unwrap();
    // The own evaluation and one even visit, and three visits that lose.
    assert!((mean.win - 1.0 / 5.0).abs() < 1e-6 && (mean.loss - 4.0 / 5.0).abs() < 1e-6, "{mean:?}");
}

#[test]
fn a_search_in_little_memory_makes_room_and_goes_on() {
    let mut engine = engine(&[]);
    let memory = 4 << 20;
    let limits = Limits { memory, ..Limits::visits(40_000) };
    let report = search(&mut engine, &position("h8i9g10i7h6h7", Rule::Freestyle), &limits);
    assert_eq!(report.visits, 40_000);
    let tree = &engine.game.as_ref().unwrap().tree;
    assert!(tree.bytes() <= memory * 3 / 5 + 4096, "{} bytes", tree.bytes());
    assert!(tree.len() > 1000);
}

#[test]
fn two_threads_keep_within_the_memory_and_lose_nothing() {
    let mut engine = engine(&[]);
    let memory = 4 << 20;
    let limits = Limits { memory, threads: 2, ..Limits::visits(40_000) };
    let report = search(&mut engine, &position("h8i9g10i7h6h7", Rule::Freestyle), &limits);
    assert!(report.visits >= 40_000, "{}", report.visits);
    let tree = &engine.game.as_ref().unwrap().tree;
    // Each thread may have one node more under way.
    assert!(tree.bytes() <= memory * 3 / 5 + 2 * 4096, "{} bytes", tree.bytes());
    assert!(tree.len() > 1000);
    let root = tree.node(ROOT);
    let through: u32 = tree.edges(root).iter().map(node::Edge::visits).sum();
    assert_eq!(root.visits(), 1 + through);
}

#[test]
fn what_was_learned_about_the_next_position_is_kept() {
    for rule in Rule::ALL {
        let mut engine = engine(&[]);
        let mut board = position("h8i9g10i7h6h7", rule);
        let report = search(&mut engine, &board, &Limits::visits(4000));
        for &point in &report.lines[0].pv[..2] {
            board.play(point).unwrap();
        }
        let tree = &engine.game.as_ref().unwrap().tree;
        let known = tree.node(tree.find(board.hash()).unwrap());
        let (visits, outcome) = (known.visits(), known.outcome());
        assert!(visits > 50, "{rule}: {visits}");
        let mut game = engine.take_game(&board, 1);
        game.take_root(&board);
        let root = game.tree.node(ROOT);
        assert_eq!((root.hash(), root.visits(), root.outcome()), (board.hash(), visits, outcome));
        // Another position of the same game begins anew, and so does a new game.
        game.take_root(&position("a1b2c3", rule));
        assert!(game.tree.find(board.hash()).is_none());
        assert!(game.tree.node(ROOT).visits() <= 1);
        engine.game = Some(game);
        engine.new_game();
        assert_eq!(engine.game.as_ref().unwrap().tree.len(), 0);
    }
}

#[test]
fn the_same_question_has_the_same_answer() {
    for rule in Rule::ALL {
        let board = position("h8i9g10i7h6h7", rule);
        let ask = || {
            let report = search(&mut engine(&[]), &board, &Limits::visits(1500));
            report.lines.iter().map(|line| (line.point, line.visits, line.winrate)).collect::<Vec<_>>()
        };
        assert_eq!(ask(), ask(), "{rule}");
    }
}

#[test]
fn two_threads_leave_no_visit_pending() {
    let mut engine = engine(&[]);
    let board = position("h8i9g10i7h6h7", Rule::Renju);
    let limits = Limits { threads: 2, ..Limits::visits(4000) };
    let report = search(&mut engine, &board, &limits);
    assert!(report.visits >= 4000);
    let tree = &engine.game.as_ref().unwrap().tree;
    for id in 0..tree.len() as u32 {
        assert!(tree.edges(tree.node(id)).iter().all(|edge| edge.pending() == 0));
    }
}

#[test]
fn a_move_that_loses_by_force_is_refuted_before_it_is_played() {
    // Black has an open three; a white stone far away loses to the open four.
    let board = position("h8a1i8a3j8", Rule::Freestyle);
    let far = notation::parse_moves("o15", Size::STANDARD).unwrap()[0];
    let mut engine = engine(&[]);
    let mut game = engine.take_game(&board, 1);
    game.take_root(&board);
    complete(&game.tree, &mut board.clone(), game.tree.node(ROOT));
    let blocked = board.empty().difference(&PointSet::from_iter([far]));
    let task = Task {
        tree: &game.tree,
        board: &board,
        constants: &game.constants,
        blocked,
        most_bytes: 1 << 24,
        company: Company::Alone,
    };
    let mut walker = Walker::new(task, &mut game.workers[0]);
    walker.simulate();
    walker.try_to_refute(far, 1000, None, &Stop::new());
    let root = game.tree.node(ROOT);
    let edge = game.tree.edges(root).iter().find(|edge| edge.point() == far).unwrap();
    assert!(matches!(backup::edge_proof(&game.tree, edge), Some(Proof::Loss(_))));
}

#[test]
fn a_given_value_outweighs_the_rules_default() {
    let of_rule = Constants::under(Rule::Renju, &Settings::defaults(&KIND));
    let other = Constants::under(Rule::Freestyle, &Settings::defaults(&KIND));
    assert_ne!(of_rule, other);
    let settings = Settings::checked(&KIND, [("net-share", "0.25")]).unwrap();
    for rule in Rule::ALL {
        assert_eq!(Constants::under(rule, &settings).net_share, 0.25);
    }
}

/// A position with a forced win that is not by fours alone, from random play with a taste for
/// threes.
fn position_with_a_win_by_threes(rule: Rule, rng: &mut Rng) -> Board {
    loop {
        let mut board = Board::new(Size::STANDARD, rule);
        while board.end().is_none() && board.stone_count() < 14 {
            let side = board.to_move();
            let sharp = board.cells_of(side, &Class::OPEN_THREES);
            let pool = if !sharp.is_empty() && rng.below(3) == 0 { sharp } else { board.near(1) };
            let pool: Vec<Point> = pool.iter().collect();
            let point = pool[rng.below(pool.len())];
            if board.forbidden(point).is_none() {
                board.play(point).unwrap();
            }
        }
        let limits = SolveLimits { nodes: 5_000, memory: 1 << 20, ..SolveLimits::default() };
        let solution = solve(&board, Kind::Vct, &limits, &Stop::new());
        if board.end().is_none() && solution.kind == Kind::Vct && solution.line.len() > 6 {
            return board;
        }
    }
}

#[test]
fn a_forced_win_is_played_to_its_end_and_never_gets_longer() {
    for rule in [Rule::Freestyle, Rule::Standard, Rule::Renju] {
        let mut rng = Rng::new(rule as u64 + 3);
        for game in 0..4 {
            let mut board = position_with_a_win_by_threes(rule, &mut rng);
            let winner = board.to_move();
            let mut engine = engine(&[]);
            let mut left = usize::MAX;
            let end = loop {
                let report = search(&mut engine, &board, &Limits::visits(20_000));
                let Some(Proof::Win(plies)) = report.lines[0].proof else { panic!("no win\n{board:?}") };
                assert!(usize::from(plies) < left, "{plies} plies after {left}\n{board:?}");
                left = plies.into();
                if let Some(end) = board.play(report.lines[0].point).unwrap() {
                    break end;
                }
                // The defence that holds out longest, or any move at all.
                let expected = report.lines[0].pv.get(1).copied().filter(|_| game % 2 == 0);
                let free: Vec<Point> = board.empty().iter().collect();
                let reply = expected.unwrap_or_else(|| free[rng.below(free.len())]);
                if let Some(end) = board.play(reply).unwrap() {
                    break end;
                }
                left -= 1;
            };
            assert_eq!(end.winner(), Some(winner), "{board:?}");
        }
    }
}
