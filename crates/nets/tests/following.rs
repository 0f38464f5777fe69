//! An evaluator that follows a game answers like one that works everything out, and never depends on what it was asked
//! before.

use fivestone_game::{Board, Point, Rule, Size};
use fivestone_nets::Instructions;
use fivestone_nets::policy::{FollowingEvaluator, PolicyArchitecture, PolicyEvaluator, PolicyNet};
use std::sync::Arc;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }

    /// A point near the stones, or any empty one.
    fn point(&mut self, board: &Board) -> Point {
        let near = board.near(2);
        let points: Vec<Point> =
            if self.below(4) > 0 && !near.is_empty() { near } else { *board.empty() }.iter().collect();
        points[self.below(points.len())]
    }

    fn play(&mut self, board: &mut Board, moves: usize) {
        for _ in 0..moves {
            if !board.empty().is_empty() {
                board.play_unchecked(self.point(board));
            }
        }
    }

    fn net(&mut self, words: &str, size: Size) -> PolicyNet {
        let architecture: PolicyArchitecture = words.parse().unwrap();
        let shapes = architecture.tensors(size.cells(), 0);
        let mut tensor = |count| (0..count).map(|_| self.below(2001) as f32 / 5000.0 - 0.2).collect();
        let tensors = shapes.iter().map(|shape| tensor(shape.count())).collect();
        PolicyNet::new(architecture, size, None, tensors, String::new()).unwrap()
    }
}

/// The net of the swap2 paper.
fn muzika() -> Arc<PolicyNet> {
    Arc::new(PolicyNet::from_bytes(fivestone_shipped_policies::MUZIKA).unwrap())
}

fn probabilities(logits: impl Iterator<Item = (Point, f32)>) -> Vec<(Point, f32)> {
    let logits: Vec<(Point, f32)> = logits.collect();
    let highest = logits.iter().fold(f32::MIN, |highest, logit| highest.max(logit.1));
    let total: f32 = logits.iter().map(|logit| (logit.1 - highest).exp()).sum();
    logits.into_iter().map(|(point, logit)| (point, (logit - highest).exp() / total)).collect()
}

#[test]
fn integers_give_nearly_the_probabilities_of_the_net() {
    let net = muzika();
    let mut whole = PolicyEvaluator::new(Arc::clone(&net));
    let mut following = FollowingEvaluator::new(&net).unwrap();
    let mut random = Random(1);
    let (mut worst, mut total, mut count) = (0.0_f32, 0.0, 0);
    for game in 0..60 {
        let size = Size::new([15, 15, 15, 9, 20][game % 5]).unwrap();
        let mut board = Board::new(size, Rule::Freestyle);
        for _ in 0..60 {
            let (points, logits) = whole.evaluate(&board);
            let known = points.iter().copied().zip(logits.iter().copied());
            let expected = probabilities(known.filter(|(point, _)| board.is_empty(*point)));
            let found = probabilities(following.logits(&board));
            assert_eq!(found.len(), expected.len());
            for (found, expected) in found.iter().zip(&expected) {
                assert_eq!(found.0, expected.0);
                let difference = (found.1 - expected.1).abs();
                worst = worst.max(difference);
                total += f64::from(difference);
            }
            count += 1;
            // Half of the moves are the net's own: its games are what it is asked about.
            match following.best(&board).filter(|_| random.below(2) == 0) {
                Some(best) => board.play_unchecked(best),
                None => random.play(&mut board, 1),
            }
        }
    }
    assert!(worst < 0.02, "{worst}");
    assert!(total / f64::from(count) < 0.01, "{}", total / f64::from(count));
}

#[test]
fn the_best_move_is_the_first_with_the_highest_logit() {
    let net = muzika();
    let mut following = FollowingEvaluator::new(&net).unwrap();
    let mut random = Random(2);
    for side in [5, 9, 15, 16, 20, 22] {
        let mut board = Board::new(Size::new(side).unwrap(), Rule::Freestyle);
        for _ in 0..board.size().cells().min(120) {
            let mut expected: Option<(Point, f32)> = None;
            for (point, logit) in following.logits(&board) {
                if expected.is_none_or(|(_, highest)| logit > highest) {
                    expected = Some((point, logit));
                }
            }
            assert_eq!(following.best(&board), expected.map(|(point, _)| point));
            random.play(&mut board, 1);
        }
    }
}

/// Plays, takes back and jumps, and compares every answer with those of an evaluator that never saw anything.
fn walk(net: &PolicyNet, sides: &[usize], questions: usize, random: &mut Random) {
    let sets: Vec<Instructions> = Instructions::ALL.into_iter().filter(|set| set.available()).collect();
    let fresh: Vec<FollowingEvaluator> =
        sets.iter().map(|&set| FollowingEvaluator::with_instructions(net, set).unwrap()).collect();
    let mut used = fresh.clone();
    let mut boards: Vec<Board> =
        sides.iter().map(|&side| Board::new(Size::new(side).unwrap(), Rule::Renju)).collect();
    for _ in 0..questions {
        let at = if random.below(5) == 0 { random.below(boards.len()) } else { 0 };
        let board = &mut boards[at];
        match random.below(8) {
            0 => *board = Board::new(board.size(), Rule::Renju),
            1 => random.play(board, 20),
            2 => board.pass(),
            3 => {
                for _ in 0..random.below(6) {
                    board.undo();
                }
            }
            _ => random.play(board, 1),
        }
        let expected: Vec<(Point, f32)> = fresh[0].clone().logits(board).collect();
        for (used, fresh) in used.iter_mut().zip(&fresh) {
            assert!(used.logits(board).eq(expected.iter().copied()));
            assert!(fresh.clone().logits(board).eq(expected.iter().copied()));
            assert_eq!(used.best(board), fresh.clone().best(board));
        }
        let at = random.below(boards.len());
        boards.swap(0, at);
    }
}

#[test]
fn answers_do_not_depend_on_what_was_asked_before() {
    let mut random = Random(3);
    let net = muzika();
    walk(&net, &[15, 15], 400, &mut random);
    walk(&net, &[15, 9, 20, 5, 22], 400, &mut random);
}

#[test]
fn nets_of_other_widths_and_depths_are_followed_too() {
    let mut random = Random(4);
    for (words, side) in [
        ("stones full", 9),
        ("stones 3x5 full", 8),
        ("stones 5x9 1x2 3x12 full", 11),
        ("stones 3x4 3x4 full", 20),
    ] {
        let size = Size::new(side).unwrap();
        let net = random.net(words, size);
        walk(&net, &[side, 15], 60, &mut random);
        let mut whole = PolicyEvaluator::new(Arc::new(net.clone()));
        let mut board = Board::new(size, Rule::Freestyle);
        random.play(&mut board, 12);
        let (points, logits) = whole.evaluate(&board);
        let mut following = FollowingEvaluator::new(&net).unwrap();
        for (point, logit) in following.logits(&board) {
            let expected = logits[points.iter().position(|&known| known == point).unwrap()];
            assert!((logit - expected).abs() < 0.02 * (1.0 + expected.abs()), "{words}: {logit} {expected}");
        }
    }
}

#[test]
fn nets_of_other_shapes_are_not_followed() {
    let lines = PolicyNet::from_bytes(fivestone_shipped_policies::LINES).unwrap();
    assert!(FollowingEvaluator::new(&lines).is_none());
    assert!(FollowingEvaluator::new(&PolicyNet::deep_sample()).is_none());
    for words in ["stones 3x4 point", "colours 3x4 full", "stones 3x4 residual full"] {
        assert!(FollowingEvaluator::new(&Random(5).net(words, Size::STANDARD)).is_none(), "{words}");
    }
}
