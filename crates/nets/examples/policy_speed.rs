//! Microseconds per question of move predictors on positions of a fixed random game, by set of instructions:
//! `policy_speed [FILE]`; without a file the shipped net and the shape of the deep convolutional net.

use fivestone_game::{Board, Point, Rule, Size};
use fivestone_nets::Instructions;
use fivestone_nets::policy::{FollowingEvaluator, PolicyEvaluator, PolicyNet};
use std::error::Error;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

/// How often everything is measured.
const TRIES: usize = 40;

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

/// Plies that a net plays by itself from each position.
const PLIES: usize = 30;

/// Lets a net play on by itself from the positions, and keeps the fastest time for each best move, in microseconds.
fn play_on(positions: &[Board], fastest: &mut [f64], mut best: impl FnMut(&Board) -> Option<Point>) {
    for (position, fastest) in positions.iter().zip(fastest.chunks_mut(PLIES)) {
        let mut board = position.clone();
        for fastest in fastest {
            let start = Instant::now();
            let point = std::hint::black_box(best(&board));
            *fastest = fastest.min(start.elapsed().as_secs_f64() * 1e6);
            board.play_unchecked(point.expect("an empty point"));
        }
    }
}

/// The mean time of a best move with everything worked out anew for each position, and following.
fn along_games(mut whole: PolicyEvaluator, mut following: FollowingEvaluator) -> [f64; 2] {
    let positions = positions(20);
    let mut fastest = [(); 2].map(|()| vec![f64::INFINITY; positions.len() * PLIES]);
    for _ in 0..TRIES {
        play_on(&positions, &mut fastest[0], |board| {
            let (points, logits) = whole.evaluate(board);
            let open = points.iter().zip(logits).filter(|(point, _)| board.is_empty(**point));
            open.max_by(|a, b| a.1.total_cmp(b.1)).map(|(point, _)| *point)
        });
        play_on(&positions, &mut fastest[1], |board| following.best(board));
    }
    fastest.map(|times| times.iter().sum::<f64>() / times.len() as f64)
}

fn main() -> Result<(), Box<dyn Error>> {
    let nets = match std::env::args().nth(1) {
        Some(path) => vec![(path.clone(), Arc::new(PolicyNet::read_file(Path::new(&path))?))],
        None => vec![
            ("muzika".to_owned(), Arc::new(PolicyNet::from_bytes(fivestone_shipped_policies::MUZIKA)?)),
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
            let fastest = |board| (0..TRIES).map(|_| question(board)).fold(f64::INFINITY, f64::min);
            let total: f64 = boards.iter().map(fastest).sum();
            println!("  {}: {:.1} us a question", instructions.name(), total / boards.len() as f64);
            if let Some(following) = FollowingEvaluator::with_instructions(&net, instructions) {
                let [whole, followed] = along_games(evaluator, following);
                println!(
                    "  {}: {whole:.1} us a best move along its own games, {followed:.2} us following them: {:.1} times as fast",
                    instructions.name(),
                    whole / followed
                );
            }
        }
    }
    Ok(())
}
