//! Files of move predictors, and their answers by set of instructions.

use fivestone_game::{Board, Rule, Size, Symmetry};
use fivestone_nets::policy::{PolicyEvaluator, PolicyNet};
use fivestone_nets::{Instructions, NetError};
use std::sync::Arc;

/// The net of the swap2 paper.
fn muzika() -> Arc<PolicyNet> {
    Arc::new(PolicyNet::from_bytes(fivestone_shipped_policies::MUZIKA).unwrap())
}

fn nets() -> [Arc<PolicyNet>; 2] {
    [muzika(), Arc::new(PolicyNet::deep_sample())]
}

fn board(size: Size) -> Board {
    let centre = size.centre();
    let moves: Vec<_> = [(0, 0), (1, 1), (1, 0), (-1, 0), (0, 2), (2, -1)]
        .iter()
        .map(|&(dx, dy)| centre.offset(dx, dy, size).unwrap())
        .collect();
    Board::from_moves(size, Rule::Renju, &moves).unwrap()
}

#[test]
fn all_instructions_give_the_same_answers() {
    for net in nets() {
        for side in [9, 15, 20] {
            let board = board(Size::new(side).unwrap());
            let answers: Vec<Vec<f32>> = Instructions::ALL
                .into_iter()
                .filter_map(|set| PolicyEvaluator::with_instructions(Arc::clone(&net), set))
                .map(|mut evaluator| evaluator.evaluate(&board).1.to_vec())
                .collect();
            for other in &answers[1..] {
                for (a, b) in answers[0].iter().zip(other) {
                    assert!((a - b).abs() < 1e-3 * (1.0 + a.abs()), "{} {a} {b}", net.architecture());
                }
            }
        }
    }
}

#[test]
fn an_evaluator_forgets_the_position_before() {
    for net in nets() {
        let mut used = PolicyEvaluator::new(Arc::clone(&net));
        let boards = [15, 20, 15].map(|side| board(Size::new(side).unwrap()));
        let mut turned = Board::new(Size::STANDARD, Rule::Renju);
        for point in boards[0].moves().iter().flatten() {
            turned.play_unchecked(Symmetry::ALL[1].apply(*point, Size::STANDARD));
        }
        for board in boards.iter().chain([&turned, &boards[0]]) {
            let mut fresh = PolicyEvaluator::new(Arc::clone(&net));
            assert_eq!(used.evaluate(board), fresh.evaluate(board));
        }
    }
}

#[test]
fn files_come_back_and_damaged_ones_are_refused() {
    let net = muzika();
    let bytes = net.to_bytes();
    assert_eq!(PolicyNet::from_bytes(&bytes).unwrap().to_bytes(), bytes);
    for at in [9, 15, 40, bytes.len() / 2, bytes.len() - 3] {
        let mut flipped = bytes.clone();
        flipped[at] ^= 4;
        assert!(PolicyNet::from_bytes(&flipped).is_err(), "byte {at}");
    }
    for cut in [4, 11, 30, bytes.len() / 2, bytes.len() - 1] {
        assert!(PolicyNet::from_bytes(&bytes[..cut]).is_err(), "cut at {cut}");
    }
    assert!(matches!(PolicyNet::from_bytes(b"FIVENET\0....."), Err(NetError::NotANet)));
    let mut newer = bytes;
    newer[8] = 9;
    assert!(matches!(PolicyNet::from_bytes(&newer), Err(NetError::Version(9))));
}
