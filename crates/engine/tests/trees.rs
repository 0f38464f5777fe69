//! Proof trees before the checker of `fivestone-formats`, which shares nothing with the solver.

mod positions;

use fivestone_engine::solver::{After, NoTree, ProofTree, TreeLimits, Vcf, Vct, Verdict};
use fivestone_engine::{Rng, Stop};
use fivestone_formats::proof;
use fivestone_game::{Board, Color, GameEnd, Point, Rule};
use positions::{cases, file_of, shared_puzzles, some_position};

/// Checks a tree, its line and its way through a file. Answers how many positions were played out.
fn check(board: &Board, tree: &ProofTree) -> usize {
    let file = file_of(board, tree);
    let checked = proof::check(&file).unwrap_or_else(|failure| panic!("{failure}\n{board:?}"));
    assert_eq!(checked.winner, board.to_move());
    assert!(checked.plies <= tree.plies(), "{board:?}");
    let line = tree.line(board);
    assert!(line.len() <= tree.plies() && line.len() <= board.empty().len(), "{line:?}\n{board:?}");
    check_line(board, &line);
    assert_eq!(proof::read(proof::write(&file).as_bytes()).as_ref(), Ok(&file));
    checked.positions
}

/// A winning line is legal and ends with the attacker's win.
fn check_line(board: &Board, line: &[Point]) {
    let mut board = board.clone();
    let attacker = board.to_move();
    let mut end = None;
    for &point in line {
        end = board.play(point).unwrap_or_else(|error| panic!("{error}: {line:?}\n{board:?}"));
    }
    assert_eq!(end.and_then(GameEnd::winner), Some(attacker), "{line:?}\n{board:?}");
}

#[test]
fn trees_of_wins_by_fours_hold_under_every_rule() {
    for rule in Rule::ALL {
        let mut rng = Rng::new(31 + rule as u64);
        let mut vcf = Vcf::with_memory(1 << 16);
        for _ in 0..cases(60) {
            let mut board = loop {
                let mut board = some_position(rule, &mut rng, 9..13, 8..40);
                if vcf.solve(&mut board, 10_000) == Verdict::Win {
                    break board;
                }
            };
            let tree = ProofTree::by_fours(&board, &TreeLimits::default()).unwrap();
            check(&board, &tree);
            assert!(tree.holds(&mut board));
        }
    }
}

#[test]
fn a_forbidden_block_is_named() {
    let drawing = "
        9 . . . . . . . . .
        8 . . . x . . . . .
        7 . . . . . . . . .
        6 . . . o . . . . .
        5 . . . o . . . . .
        4 . . . o . . . . .
        3 x x x . x x x . .
        2 . . . x . . . . .
        1 . . . . . . . . .";
    let board = Board::parse_drawing(drawing, Rule::Renju, Color::White).unwrap();
    let tree = ProofTree::by_fours(&board, &TreeLimits::default()).unwrap();
    check(&board, &tree);
    let After::Replies(replies) = &tree.nodes()[0].after else { panic!("there is no five yet") };
    let block = Point::parse("d3", board.size()).unwrap();
    assert_eq!((replies.listed.len(), &replies.forbidden), (0, &vec![block]));
    assert_eq!(tree.line(&board), [Point::parse("d7", board.size()).unwrap(), block]);
    // Under another rule the block is one, and the four comes to nothing.
    let board = Board::parse_drawing(drawing, Rule::Standard, Color::White).unwrap();
    assert!(ProofTree::by_fours(&board, &TreeLimits::default()).is_err());
}

#[test]
fn trees_of_wins_by_threes_hold_under_every_rule() {
    for rule in Rule::ALL {
        let mut rng = Rng::new(177 + rule as u64);
        let mut vct = Vct::with_memory(1 << 22);
        let mut wins = 0;
        while wins < cases(200) / 20 {
            let mut board = some_position(rule, &mut rng, 9..13, 8..20);
            if Vcf::with_memory(1 << 12).solve(&mut board, 10_000) != Verdict::NoWin
                || vct.solve(&mut board, 20_000) != Verdict::Win
            {
                continue;
            }
            wins += 1;
            assert!(vct.extract(&mut board, 10_000_000, None, &Stop::new()));
            let tree = ProofTree::build(&board, vct.proof(), &TreeLimits::default()).unwrap();
            let positions = check(&board, &tree);
            eprintln!("{rule}: {} nodes, {} plies, {positions} positions", tree.nodes().len(), tree.plies());
        }
    }
}

#[test]
fn trees_of_shared_puzzles_hold() {
    for (_, board) in shared_puzzles("vcf.jsonl").into_iter().step_by(40) {
        check(&board, &ProofTree::by_fours(&board, &TreeLimits::default()).unwrap());
    }
    for (id, mut board) in shared_puzzles("vct.jsonl").into_iter().step_by(60) {
        let mut vct = Vct::with_memory(1 << 24);
        if vct.solve(&mut board, 100_000) == Verdict::Win {
            assert!(vct.extract(&mut board, 10_000_000, None, &Stop::new()));
            let started = std::time::Instant::now();
            let tree = ProofTree::build(&board, vct.proof(), &TreeLimits::default()).unwrap();
            let (built, checking) = (started.elapsed(), std::time::Instant::now());
            let positions = check(&board, &tree);
            eprintln!(
                "{id}: {} nodes, {} plies, built in {built:?}, {positions} positions checked in {:?}",
                tree.nodes().len(),
                tree.plies(),
                checking.elapsed()
            );
        }
    }
}

/// Appends a node and copies of all that it leads to; answers its place.
fn unfold(proof: &proof::ProofFile, node: usize, nodes: &mut Vec<proof::Node>) -> usize {
    let place = nodes.len();
    nodes.push(proof::Node { id: place as u32 + 1, ..proof.nodes[node].clone() });
    if let proof::After::Replies { listed, forbidden, otherwise } = &proof.nodes[node].after {
        let listed = listed.iter().map(|&(reply, child)| (reply, unfold(proof, child, nodes))).collect();
        let otherwise = otherwise.map(|child| unfold(proof, child, nodes));
        nodes[place].after = proof::After::Replies { listed, forbidden: forbidden.clone(), otherwise };
    }
    place
}

#[test]
fn a_large_tree_without_shared_nodes_holds() {
    let puzzles = shared_puzzles("vct.jsonl");
    for (id, mut board) in puzzles.into_iter().filter(|(id, _)| id == "vct-70540864") {
        let mut vct = Vct::with_memory(1 << 24);
        if vct.solve(&mut board, 400_000) != Verdict::Win {
            continue;
        }
        assert!(vct.extract(&mut board, 10_000_000, None, &Stop::new()));
        let tree = ProofTree::build(&board, vct.proof(), &TreeLimits::default()).unwrap();
        let mut proof = file_of(&board, &tree);
        let mut nodes = Vec::new();
        unfold(&proof, 0, &mut nodes);
        proof.nodes = nodes;
        let started = std::time::Instant::now();
        let checked = proof::check(&proof).unwrap();
        eprintln!("{id}: {} nodes, {checked:?} in {:?}", proof.nodes.len(), started.elapsed());
    }
}

#[test]
fn a_tree_that_cannot_be_built_says_why() {
    let quiet = Board::parse_drawing(&"...............\n".repeat(15), Rule::Renju, Color::Black).unwrap();
    let nothing = ProofTree::by_fours(&quiet, &TreeLimits::default());
    assert_eq!(nothing, Err(NoTree::Gap(Vec::new())));

    let mut rng = Rng::new(8);
    let board = loop {
        let mut board = some_position(Rule::Freestyle, &mut rng, 9..13, 8..40);
        let mut vcf = Vcf::with_memory(1 << 16);
        if vcf.solve(&mut board, 10_000) == Verdict::Win && vcf.line().len() > 5 {
            break board;
        }
    };
    let few = TreeLimits { positions: 1, ..TreeLimits::default() };
    assert_eq!(ProofTree::by_fours(&board, &few), Err(NoTree::OutOfBudget));
    let stopped = TreeLimits::default();
    stopped.stop.raise();
    assert_eq!(ProofTree::by_fours(&board, &stopped), Err(NoTree::OutOfBudget));
}
