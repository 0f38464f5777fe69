//! Evaluations per second of a net file on positions of a fixed random game, and of values alone,
//! by set of instructions or with one of them: `net_speed FILE [INSTRUCTIONS]`.

use fivestone_game::{Board, Point, Rule, Size};
use fivestone_nets::features::Threats;
use fivestone_nets::{Instructions, Net, NetEvaluator};
use std::error::Error;
use std::hint::black_box;
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
    let only = std::env::args().nth(2);
    let chosen = |set: &Instructions| only.as_ref().is_none_or(|name| name == set.name());
    for instructions in Instructions::ALL.into_iter().filter(chosen) {
        let Some(mut evaluator) = NetEvaluator::with_instructions(Arc::clone(&net), instructions) else {
            println!("{}: not on this machine", instructions.name());
            continue;
        };
        let mut logits = Vec::new();
        let evaluations = fastest(boards.len(), |i| {
            black_box(evaluator.evaluate(&boards[i], &moves[i], &mut logits));
        });
        let values = fastest(boards.len(), |i| {
            black_box(evaluator.value(&boards[i], Threats::NOT_KNOWN));
        });
        println!("{}: {evaluations:.0} evaluations/s, {values:.0} values/s", instructions.name());
    }
    Ok(())
}

/// The highest number of calls per second in many rounds over all positions.
fn fastest(positions: usize, mut call: impl FnMut(usize)) -> f64 {
    let mut fastest = f64::INFINITY;
    for _ in 0..200 {
        let start = Instant::now();
        (0..positions).for_each(&mut call);
        fastest = fastest.min(start.elapsed().as_secs_f64());
    }
    positions as f64 / fastest
}
