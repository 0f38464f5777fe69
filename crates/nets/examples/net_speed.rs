//! Evaluations per second of a net file on positions of a fixed random game, by set of instructions:
//! `net_speed FILE`.

use fivestone_game::{Board, Point, Rule, Size};
use fivestone_nets::{Instructions, Net, NetEvaluator};
use std::error::Error;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Positions of one game with a stone near the others each move, by a fixed generator.
fn positions(size: Size, count: usize) -> Vec<Board> {
    let mut board = Board::new(size, Rule::Freestyle);
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
    let path = PathBuf::from(std::env::args().nth(1).ok_or("which net file?")?);
    let start = Instant::now();
    let net = Arc::new(Net::read_file(&path)?);
    println!(
        "{}: {}, loaded in {:.1} ms",
        path.display(),
        net.description,
        start.elapsed().as_secs_f64() * 1e3
    );
    let boards = positions(Size::STANDARD, 50);
    let moves: Vec<Vec<Point>> = boards.iter().map(|board| board.near(2).iter().collect()).collect();
    let mean = moves.iter().map(Vec::len).sum::<usize>() as f64 / boards.len() as f64;
    println!("{} positions, {mean:.0} moves each", boards.len());
    for instructions in Instructions::ALL {
        let Some(mut evaluator) = NetEvaluator::with_instructions(Arc::clone(&net), instructions) else {
            println!("{}: not on this machine", instructions.name());
            continue;
        };
        let mut logits = Vec::new();
        let mut fastest = f64::INFINITY;
        for _ in 0..200 {
            let start = Instant::now();
            for (board, moves) in boards.iter().zip(&moves) {
                std::hint::black_box(evaluator.evaluate(board, moves, &mut logits));
            }
            fastest = fastest.min(start.elapsed().as_secs_f64());
        }
        println!("{}: {:.0} evaluations/s", instructions.name(), boards.len() as f64 / fastest);
    }
    Ok(())
}
