//! Speeds of the flagship's net.

use anyhow::{Context, Result};
use fivestone_engine::{Rng, shipped};
use fivestone_game::{Board, Point, Rule, Size};
use fivestone_nets::{Instructions, Net, NetEvaluator};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

fn shipped() -> Result<Arc<Net>> {
    shipped::net(Rule::Freestyle).context("this program was built without the nets")
}

/// Full evaluations a second with a set of instructions, the best of many rounds over the first fifty positions of a random
/// game with all moves near its stones; no number where the machine lacks the instructions.
pub fn evaluations_per_s(instructions: Instructions) -> Result<f64> {
    let Some(mut evaluator) = NetEvaluator::with_instructions(shipped()?, instructions) else {
        return Ok(f64::NAN);
    };
    let mut rng = Rng::new(1);
    let mut board = Board::new(Size::STANDARD, Rule::Freestyle);
    let mut positions: Vec<(Board, Vec<Point>)> = Vec::new();
    while positions.len() < 50 {
        let near: Vec<Point> = board.near(1).iter().collect();
        board.play_unchecked(near[rng.below(near.len())]);
        positions.push((board.clone(), board.near(2).iter().collect()));
    }
    let mut logits = Vec::new();
    let mut fastest = f64::INFINITY;
    for _ in 0..200 {
        let started = Instant::now();
        for (board, moves) in &positions {
            black_box(evaluator.evaluate(board, moves, &mut logits));
        }
        fastest = fastest.min(started.elapsed().as_secs_f64());
    }
    Ok(positions.len() as f64 / fastest)
}

/// The median time to read a net file, after the first reading.
pub fn load_ms() -> Result<f64> {
    let directory = tempfile::tempdir()?;
    let path = directory.path().join("shipped.fsnet");
    std::fs::write(&path, shipped()?.to_bytes())?;
    let mut samples = Vec::new();
    for _ in 0..21 {
        let started = Instant::now();
        black_box(Net::read_file(&path)?);
        samples.push(started.elapsed().as_secs_f64() * 1e3);
    }
    samples.sort_by(f64::total_cmp);
    Ok(samples[samples.len() / 2])
}
