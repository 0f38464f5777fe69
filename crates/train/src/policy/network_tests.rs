//! Every gradient of every kind of layer against finite differences.

use super::config::FirstWeights;
use super::network::Network;
use fivestone_engine::Rng;
use fivestone_game::{Board, Point, Rule, Size};
use fivestone_nets::lines::LineRows;
use fivestone_nets::policy::{InputRows, PolicyEvaluator};
use std::sync::Arc;

fn positions(count: usize) -> Vec<(Board, Vec<(Point, f32)>)> {
    let size = Size::new(6).unwrap();
    let mut rng = Rng::new(3);
    (0..count)
        .map(|_| {
            let mut board = Board::new(size, Rule::Freestyle);
            for _ in 0..7 {
                let near: Vec<Point> = board.near(1).iter().collect();
                board.play_unchecked(near[rng.below(near.len())]);
            }
            let near: Vec<Point> = board.near(1).iter().collect();
            let answers = vec![(near[0], 0.75), (near[near.len() - 1], 0.25)];
            (board, answers)
        })
        .collect()
}

fn network(text: &str) -> Network {
    network_from(text, FirstWeights::Glorot)
}

fn network_from(text: &str, first: FirstWeights) -> Network {
    let architecture = text.parse().unwrap();
    let rows = text.starts_with("lines").then(|| {
        let rows = || LineRows::new(Vec::new(), vec![0, 1, 2]).unwrap();
        InputRows { lines: [rows(), rows()] }
    });
    Network::new(&architecture, Size::new(6).unwrap(), rows, first, 5)
}

fn loss(network: &mut Network, positions: &[(Board, Vec<(Point, f32)>)]) -> f64 {
    for (slot, (board, answers)) in positions.iter().enumerate() {
        network.show(slot, board, answers);
    }
    network.weights_changed();
    network.forward(positions.len(), true);
    (0..positions.len()).map(|slot| f64::from(network.answer(slot).loss())).sum()
}

fn assert_gradients(text: &str) {
    let positions = positions(3);
    let mut network = network(text);
    // Biases and the like begin at values where a wrong gradient would not show.
    let mut rng = Rng::new(9);
    for tensor in network.tensors.iter_mut().filter(|tensor| tensor.shape.sides.len() == 1) {
        tensor.values.iter_mut().for_each(|value| *value += rng.unit() as f32 * 0.4 - 0.1);
    }
    let here = loss(&mut network, &positions);
    network.backward(positions.len());
    let gradients = network.gradients.clone();
    let (mut checked, mut moved, mut bends) = (0, 0, 0);
    for (tensor, gradients) in gradients.iter().enumerate() {
        // All numbers of small lists; of large ones those that matter most, and some others.
        let mut order: Vec<usize> = (0..gradients.len()).collect();
        order.sort_by(|&a, &b| gradients[b].abs().total_cmp(&gradients[a].abs()));
        let chosen = order.iter().take(12).chain(order.iter().step_by(order.len() / 12 + 1));
        for &i in chosen {
            const STEP: f32 = 1.0 / 512.0;
            let value = network.tensors[tensor].values[i];
            network.tensors[tensor].values[i] = value + STEP;
            let up = loss(&mut network, &positions);
            network.tensors[tensor].values[i] = value - STEP;
            let down = loss(&mut network, &positions);
            network.tensors[tensor].values[i] = value;
            let slope = (up - down) / f64::from(2.0 * STEP);
            let found = f64::from(gradients[i]);
            let name = &network.tensors[tensor].shape.name;
            // Where a rectifier turns within the step there is no slope to compare with.
            let bend = (up - here) - (here - down);
            if bend.abs() > f64::from(STEP) * (0.01 + 0.05 * slope.abs()) {
                bends += 1;
                continue;
            }
            assert!(
                (found - slope).abs() < 0.01 + 0.04 * slope.abs(),
                "{text}: {name}[{i}] {found}, not {slope}"
            );
            checked += 1;
            moved += usize::from(slope.abs() > 0.02);
        }
    }
    assert!(
        moved * 4 > checked && bends < checked,
        "{text}: of {checked} gradients {moved} say anything; {bends} bends"
    );
}

#[test]
fn a_convolution_with_a_point_top() {
    assert_gradients("colours 5x6 3x5 point");
}

#[test]
fn a_full_top() {
    assert_gradients("stones 5x4 5x4 full");
}

#[test]
fn batch_norm() {
    assert_gradients("colours 5x4bn 3x4bn point");
}

#[test]
fn residual_blocks() {
    assert_gradients("colours 3x8 residual residual point");
}

#[test]
fn convolutions_in_eights() {
    assert_gradients("colours 5x8bn 3x16bn 3x8 full");
}

#[test]
fn line_tables() {
    assert_gradients("lines:12 3x8 residual point");
}

#[test]
fn the_finished_net_says_what_the_trained_one_does() {
    for text in [
        "colours 5x6 3x6 point",
        "stones 5x4 5x4 full",
        "colours 5x8 3x16 3x8 point",
        "colours 5x4bn 3x4bn point",
        "lines:12 3x8 residual point",
    ] {
        let positions = positions(3);
        let mut network = network(text);
        loss(&mut network, &positions);
        let tensors: Vec<Vec<f32>> = network.tensors.iter().map(|tensor| tensor.values.clone()).collect();
        let net = network.finished(&tensors, "a test".to_owned()).unwrap();
        let net = fivestone_nets::policy::PolicyNet::from_bytes(&net.to_bytes()).unwrap();
        let mut evaluator = PolicyEvaluator::new(Arc::new(net));
        network.forward(positions.len(), false);
        for (slot, (board, _)) in positions.iter().enumerate() {
            let answer = network.answer(slot);
            let (points, logits) = evaluator.evaluate(board);
            assert_eq!(points, answer.points);
            let mut found = logits.to_vec();
            crate::layers::softmax(&mut found);
            for (found, expected) in found.iter().zip(answer.probabilities) {
                assert!((found - expected).abs() < 1e-3, "{text}: {found}, not {expected}");
            }
        }
    }
}

#[test]
fn he_lets_differences_pass_through_many_layers() {
    // How far the least and the most likely move of a new net are apart.
    let spread = |text: &str, first| {
        let mut network = network_from(text, first);
        loss(&mut network, &positions(1));
        let logits = network.answer(0).probabilities.iter().map(|p| p.ln());
        logits.clone().fold(f32::MIN, f32::max) - logits.fold(f32::MAX, f32::min)
    };
    let (shallow, deep) =
        ("colours 3x24 point", "colours 3x24 3x24 3x24 3x24 3x24 3x24 3x24 3x24 3x24 point");
    assert!(spread(deep, FirstWeights::Glorot) < 0.2 * spread(shallow, FirstWeights::Glorot));
    assert!(spread(deep, FirstWeights::He) > 0.3 * spread(shallow, FirstWeights::He));
}
