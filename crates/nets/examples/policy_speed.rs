//! Microseconds per question of move predictors on positions of a fixed random game, by set of instructions:
//! `policy_speed [FILE]`; without a file the shipped net and the shape of the deep convolutional net.

use fivestone_game::{Board, Point, Rule, Size};
use fivestone_nets::Instructions;
use fivestone_nets::policy::{PolicyEvaluator, PolicyNet, ShippedPolicy};
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

fn positions(count: usize) -> Vec<Board> {
    let mut board = Board::new(Size::STANDARD, Rule::Standard);
    let mut state = 1_u64;
    let mut positions = Vec::new();
    while positions.len() < count {
        let near: Vec<Point> = board.near(1).iter().collect();
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        board.play_unchecked(near[(state >> 33) as usize % near.len()]);
        positions.push(board.clone());
    }
    positions
}

fn main() -> Result<(), Box<dyn Error>> {
    let nets = match std::env::args().nth(1) {
        Some(path) => vec![(path.clone(), Arc::new(PolicyNet::read_file(Path::new(&path))?))],
        None => vec![
            ("muzika".to_owned(), ShippedPolicy::Muzika.net()),
            ("N = 4, F = 64".to_owned(), Arc::new(PolicyNet::deep_sample())),
        ],
    };
    let boards = positions(40);
    for (name, net) in nets {
        println!("{name}: {} ({})", net.architecture(), net.description);
        for instructions in Instructions::ALL {
            let Some(mut evaluator) = PolicyEvaluator::with_instructions(Arc::clone(&net), instructions)
            else {
                println!("  {}: not on this machine", instructions.name());
                continue;
            };
            // The fastest of many tries for each position: other work on the machine only ever adds time.
            let mut question = |board: &Board| {
                let start = Instant::now();
                std::hint::black_box(evaluator.evaluate(board));
                start.elapsed().as_secs_f64() * 1e6
            };
            let fastest = |board| (0..40).map(|_| question(board)).fold(f64::INFINITY, f64::min);
            let total: f64 = boards.iter().map(fastest).sum();
            println!("  {}: {:.1} us a question", instructions.name(), total / boards.len() as f64);
        }
    }
    Ok(())
}
