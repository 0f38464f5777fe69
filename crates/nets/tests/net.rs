//! The net as a whole: instructions agree, symmetries do not matter, files are read back or refused.

use fivestone_game::{Board, Point, Rule, Size, Symmetry};
use fivestone_nets::architecture::{CELL, CHANNELS, CONVOLVED, HIDDEN};
use fivestone_nets::features::{Known, Threats};
use fivestone_nets::lines::{LINES, LineRows, canonical_line, inner_nine};
use fivestone_nets::{
    Convolution, Heads, Instructions, LineTable, Net, NetError, NetEvaluator, PolicyLayer, Row, SideNet,
};
use std::sync::Arc;

/// A small generator of random numbers, the same everywhere.
struct Rng(u64);

impl Rng {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    /// A number within `reach` of zero.
    fn within(&mut self, reach: i32) -> i32 {
        self.below(2 * reach as usize + 1) as i32 - reach
    }
}

/// A net of random weights whose activations often reach both ends of their range.
fn random_net(rule: Rule, seed: u64) -> Net {
    let mut rng = Rng(seed);
    let sets = (0..Net::sets_of(rule)).map(|_| random_set(&mut rng)).collect();
    Net { rule, sides: (15, 20), description: "random numbers".to_owned(), sets }
}

fn random_set(rng: &mut Rng) -> SideNet {
    let mut table = || {
        let mut pick = |of: fn(usize) -> usize, count: usize| {
            let mut numbers: Vec<u32> = (0..count).map(|_| of(rng.below(LINES)) as u32).collect();
            numbers.sort_unstable();
            numbers.dedup();
            numbers
        };
        let index = LineRows::new(pick(inner_nine, 900), pick(canonical_line, 2000)).unwrap();
        let rows = (0..index.rows())
            .map(|_| {
                Row([(); CHANNELS].map(|()| {
                    let reach = if rng.below(9) == 0 { 8000 } else { 600 };
                    (100 + rng.within(reach)) as i16
                }))
            })
            .collect();
        LineTable { index, rows }
    };
    let tables = [table(), table()];
    let mut kernel = |reach: i32| [(); CONVOLVED].map(|()| rng.within(reach) as i16);
    let convolution =
        Convolution { centre: kernel(20000), edge: kernel(9000), corner: kernel(9000), bias: kernel(500) };
    let policy = Box::new(PolicyLayer {
        weights: [(); CELL / 2].map(|()| [(); HIDDEN].map(|()| [(); 2].map(|()| rng.within(700) as i16))),
        bias: [(); HIDDEN].map(|()| rng.within(200_000)),
    });
    let heads: Vec<f32> = (0..Heads::NUMBERS).map(|_| rng.within(1000) as f32 / 8000.0).collect();
    SideNet { tables, convolution, policy, heads: Heads::from_numbers(&heads) }
}

/// A position after so many random moves near stones.
fn random_board(size: Size, rule: Rule, moves: usize, rng: &mut Rng) -> Board {
    let mut board = Board::new(size, rule);
    for _ in 0..moves {
        let near: Vec<Point> = board.near(2).iter().collect();
        board.play_unchecked(near[rng.below(near.len())]);
    }
    board
}

#[test]
fn all_instructions_give_the_same_bits() {
    let net = Arc::new(random_net(Rule::Renju, 5));
    let mut rng = Rng(6);
    for set in Instructions::ALL.into_iter().filter(|set| !set.available()) {
        eprintln!("skipped: this machine has no {}", set.name());
    }
    let mut evaluators: Vec<NetEvaluator> = Instructions::ALL
        .into_iter()
        .filter_map(|set| NetEvaluator::with_instructions(Arc::clone(&net), set))
        .collect();
    for side in [15, 17, 20, 22] {
        for moves in [0, 1, 2, 15, 60, 130] {
            let board = random_board(Size::new(side).unwrap(), Rule::Renju, moves, &mut rng);
            let candidates: Vec<Point> = board.empty().iter().collect();
            let mut answers = evaluators.iter_mut().map(|evaluator| {
                let mut logits = Vec::new();
                let flags = Threats { own: Known::None, other: Known::Win };
                evaluator.policy(&board, flags, &candidates, &mut logits);
                (evaluator.value(&board, flags), logits)
            });
            let scalar = answers.next().unwrap();
            assert_eq!(scalar.1.len(), candidates.len());
            assert!(scalar.1.iter().all(|logit| logit.is_finite()));
            for other in answers {
                assert_eq!(scalar, other, "{moves} moves on {side}");
            }
        }
    }
}

#[test]
fn values_and_moves_apart_are_those_of_a_whole_evaluation() {
    let net = Arc::new(random_net(Rule::Renju, 15));
    let mut rng = Rng(16);
    let boards: Vec<Board> = [15, 15, 20, 15, 22]
        .into_iter()
        .enumerate()
        .map(|(i, side)| random_board(Size::new(side).unwrap(), Rule::Renju, 7 * i, &mut rng))
        .collect();
    let candidates: Vec<Vec<Point>> = boards.iter().map(|board| board.empty().iter().collect()).collect();
    let flags = Threats::NOT_KNOWN;
    let mut used = NetEvaluator::new(Arc::clone(&net));
    for step in 0..60 {
        let (board, moves) = (&boards[step * 7 % 5], &candidates[step * 7 % 5]);
        let (mut expected, mut found) = (Vec::new(), Vec::new());
        let value = NetEvaluator::new(Arc::clone(&net)).evaluate(board, moves, &mut expected);
        // Either alone, both in either order, and both with another position between them.
        if step % 3 != 0 {
            assert_eq!(used.value(board, flags), value, "step {step}");
        }
        if step % 5 == 0 {
            used.value(&boards[(step * 7 + 1) % 5], flags);
        }
        if step % 3 != 1 {
            used.policy(board, flags, moves, &mut found);
            assert_eq!(found, expected, "step {step}");
        }
        assert_eq!(used.value(board, flags), value, "step {step}");
    }
}

#[test]
fn turned_and_mirrored_positions_get_the_same_answers() {
    let net = Arc::new(random_net(Rule::Freestyle, 8));
    let mut evaluator = NetEvaluator::new(net);
    let mut rng = Rng(9);
    for side in [15, 16, 20] {
        let size = Size::new(side).unwrap();
        let board = random_board(size, Rule::Freestyle, 40, &mut rng);
        let candidates: Vec<Point> = board.near(3).iter().collect();
        let (mut expected, mut found) = (Vec::new(), Vec::new());
        let value = evaluator.evaluate(&board, &candidates, &mut expected);
        for symmetry in Symmetry::ALL {
            let image = |point: Point| symmetry.apply(point, size);
            let moves: Vec<Point> = board.moves().iter().map(|point| image(point.unwrap())).collect();
            let mut turned = Board::new(size, Rule::Freestyle);
            for &point in &moves {
                turned.play_unchecked(point);
            }
            let moves: Vec<Point> = candidates.iter().map(|&point| image(point)).collect();
            let turned_value = evaluator.evaluate(&turned, &moves, &mut found);
            // Sums of regions of one kind come in another order, so the last bits may differ.
            assert!((value.win - turned_value.win).abs() < 1e-4, "{symmetry:?}");
            for (expected, found) in expected.iter().zip(&found) {
                assert!((expected - found).abs() < 1e-3, "{symmetry:?}: {found} instead of {expected}");
            }
        }
    }
}

#[test]
fn each_side_to_move_has_its_own_weights_in_renju_only() {
    assert_eq!(random_net(Rule::Renju, 1).sets.len(), 2);
    assert_eq!(random_net(Rule::Standard, 1).sets.len(), 1);
}

#[test]
fn a_net_survives_its_file() {
    for rule in [Rule::Standard, Rule::Renju] {
        let net = random_net(rule, 3);
        assert_eq!(Net::from_bytes(&net.to_bytes()).unwrap(), net);
    }
}

#[test]
fn nets_that_see_no_verdicts_are_files_of_version_1_and_ignore_them() {
    let mut net = random_net(Rule::Renju, 3);
    assert_eq!(net.to_bytes()[8], 2);
    net.sets.iter_mut().for_each(|set| set.heads.threats.as_flattened_mut().fill(0.0));
    let bytes = net.to_bytes();
    assert_eq!(bytes[8], 1);
    assert_eq!(Net::from_bytes(&bytes).unwrap(), net);
    let shipped = fivestone_shipped::FREESTYLE;
    assert_eq!(Net::from_bytes(shipped).unwrap().to_bytes(), shipped);

    let mut evaluator = NetEvaluator::new(Arc::new(net));
    let board = random_board(Size::STANDARD, Rule::Renju, 20, &mut Rng(4));
    let told = Threats { own: Known::None, other: Known::Win };
    assert_eq!(evaluator.value(&board, told), evaluator.value(&board, Threats::NOT_KNOWN));
}

#[test]
fn every_verdict_on_either_side_makes_a_difference() {
    let mut evaluator = NetEvaluator::new(Arc::new(random_net(Rule::Freestyle, 21)));
    let board = random_board(Size::STANDARD, Rule::Freestyle, 20, &mut Rng(4));
    let moves: Vec<Point> = board.near(2).iter().collect();
    let all = [Known::Win, Known::None, Known::NotKnown];
    let mut seen: Vec<(f32, Vec<f32>)> = Vec::new();
    for flags in all.into_iter().flat_map(|own| all.map(|other| Threats { own, other })) {
        let mut logits = Vec::new();
        evaluator.policy(&board, flags, &moves, &mut logits);
        let answer = (evaluator.value(&board, flags).win, logits);
        assert!(seen.iter().all(|(win, logits)| *win != answer.0 && *logits != answer.1), "{flags:?}");
        seen.push(answer);
    }
}

#[test]
fn damaged_files_are_refused_with_a_reason() {
    let bytes = random_net(Rule::Freestyle, 4).to_bytes();
    for cut in [1, 9, 1000, bytes.len() / 2, bytes.len() - 20, bytes.len() - 9] {
        let error = Net::from_bytes(&bytes[..bytes.len() - cut]).unwrap_err();
        assert!(matches!(error, NetError::Truncated { .. }), "{cut} bytes less: {error}");
    }
    assert!(matches!(Net::from_bytes(&bytes[..4]), Err(NetError::NotANet)));
    assert!(matches!(Net::from_bytes(b"PNG"), Err(NetError::NotANet)));
    let flipped = |at: usize| {
        let mut bytes = bytes.clone();
        bytes[at] ^= 0x10;
        Net::from_bytes(&bytes).unwrap_err()
    };
    assert!(matches!(flipped(8), NetError::Version(_)));
    assert!(matches!(flipped(12), NetError::Architecture));
    for at in [20, 21, 28, bytes.len() / 3, bytes.len() / 2, bytes.len() - 20, bytes.len() - 3] {
        assert!(matches!(flipped(at), NetError::Checksum), "byte {at}: {}", flipped(at));
    }
    let longer = [&bytes[..], &[0]].concat();
    assert!(matches!(Net::from_bytes(&longer), Err(NetError::Checksum)));
    assert!(!flipped(30).to_string().contains('\n'));
}

#[test]
fn files_are_read_or_refused() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("read.fsnet");
    let net = random_net(Rule::Standard, 12);
    std::fs::write(&path, net.to_bytes()).unwrap();
    assert_eq!(Net::read_file(&path).unwrap(), net);
    std::fs::write(&path, []).unwrap();
    assert!(matches!(Net::read_file(&path), Err(NetError::NotANet)));
    assert!(matches!(Net::read_file(path.parent().unwrap()), Err(NetError::NotANet)));
    assert!(matches!(Net::read_file(&path.with_extension("missing")), Err(NetError::Io(_))));
}

#[test]
fn a_net_knows_its_rule_and_its_boards() {
    let net = random_net(Rule::Standard, 12);
    let check = |rule, side| net.check(rule, Size::new(side).unwrap()).map_err(|error| error.to_string());
    assert_eq!(check(Rule::Standard, 15), Ok(()));
    assert_eq!(check(Rule::Standard, 20), Ok(()));
    assert_eq!(check(Rule::Renju, 15), Err("the net is for standard, not for renju".to_owned()));
    let other = "the net is for boards of 15x15 to 20x20, not of 22x22".to_owned();
    assert_eq!(check(Rule::Standard, 22), Err(other));
}
