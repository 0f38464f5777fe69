//! Samples a second that a move predictor learns from, without gathering and measuring: `policy_training_speed [NET]`.

use fivestone_engine::Rng;
use fivestone_game::{Board, Point, Rule, Size};
use fivestone_train::policy::{FirstWeights, Network};
use std::error::Error;
use std::time::Instant;

const BATCH: usize = 32;
const STEPS: usize = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let net = std::env::args().nth(1).unwrap_or_else(|| "colours 5x64 3x64 3x64 3x64 3x64 point".to_owned());
    let mut network = Network::new(&net.parse()?, Size::STANDARD, None, FirstWeights::Glorot, 1);
    let mut rng = Rng::new(1);
    let mut best = f64::INFINITY;
    for _ in 0..STEPS {
        for slot in 0..BATCH {
            let mut board = Board::new(Size::STANDARD, Rule::Renju);
            for _ in 0..20 {
                let near: Vec<Point> = board.near(2).iter().collect();
                board.play_unchecked(near[rng.below(near.len())]);
            }
            let near: Vec<Point> = board.near(1).iter().collect();
            network.show(slot, &board, &[(near[0], 1.0)]);
        }
        let started = Instant::now();
        network.weights_changed();
        network.forward(BATCH, true);
        network.backward(BATCH);
        best = best.min(started.elapsed().as_secs_f64());
    }
    println!("{net}: {:.0} samples a second (best of {STEPS} batches of {BATCH})", BATCH as f64 / best);
    Ok(())
}
