//! Speeds of the board and of the engines.

use crate::arguments::play_all;
use anyhow::{Context, Result};
use fivestone_engine::shipped::ShippedPolicy;
use fivestone_engine::solver::Vcf;
use fivestone_engine::{Limits, Rng, Stop};
use fivestone_game::{Board, Point, Rule, Size, notation};
use fivestone_nets::policy::{PolicyEvaluator, PolicyNet};
use std::hint::black_box;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The position that the swap2 paper measures from.
const MEASURED_POSITION: &str = "h8g7e11i7h6h7j7g6";

fn measured_position() -> Result<Board> {
    let size = Size::STANDARD;
    play_all(size, Rule::Standard, &notation::parse_moves(MEASURED_POSITION, size)?)
}

/// The first board of each rule builds its tables, a second one shows what the board itself takes.
pub fn table_build_ms() -> f64 {
    let boards = || {
        let started = Instant::now();
        for rule in Rule::ALL {
            black_box(Board::new(Size::STANDARD, rule));
        }
        started.elapsed().as_secs_f64() * 1e3
    };
    let with_tables = boards();
    (with_tables - boards()).max(0.0)
}

/// The median of many rounds over every point near the stones.
pub fn play_undo_ns() -> Result<f64> {
    let mut board = measured_position()?;
    let points: Vec<Point> = board.near(3).iter().collect();
    let rounds = 64;
    let mut samples: Vec<f64> = (0..201)
        .map(|_| {
            let started = Instant::now();
            for _ in 0..rounds {
                for &point in &points {
                    board.play_unchecked(black_box(point));
                    black_box(board.hash());
                    board.undo();
                }
            }
            started.elapsed().as_secs_f64() * 1e9 / (rounds * points.len()) as f64
        })
        .collect();
    samples.sort_by(f64::total_cmp);
    Ok(samples[samples.len() / 2])
}

/// What an engine counts, per second of a two-second search.
pub fn visits_per_s(engine: &str) -> Result<f64> {
    visits_per_s_with(engine, &[])
}

/// The same of an engine with some of its parameters set.
pub fn visits_per_s_with(engine: &str, settings: &[(&str, &str)]) -> Result<f64> {
    let board = measured_position()?;
    let mut engine = fivestone_engine::build(engine, settings.iter().copied())?;
    let limits = Limits { memory: 1 << 30, ..Limits::time(Duration::from_secs(2)) };
    let report = engine.think(&board, &limits, &Stop::new(), &mut |_| {});
    Ok(report.visits as f64 / report.elapsed.as_secs_f64())
}

/// Memory of the flagship's graph for each node, after as many visits as a second has.
pub fn graph_bytes_per_node() -> Result<f64> {
    Ok(fivestone_engine::bytes_per_node(&measured_position()?, 30_000))
}

/// The median time of a move of the network alone.
pub fn adp_move_us() -> Result<f64> {
    let board = measured_position()?;
    let mut engine = fivestone_engine::build("adp", [])?;
    Ok(median_us(|| {
        black_box(engine.think(&board, &Limits::default(), &Stop::new(), &mut |_| {}));
    }))
}

/// The median time of a question to a move predictor.
pub fn policy_query_us(net: Arc<PolicyNet>) -> Result<f64> {
    let board = measured_position()?;
    let mut evaluator = PolicyEvaluator::new(net);
    Ok(median_us(|| {
        black_box(evaluator.evaluate(&board));
    }))
}

/// The same for the net of the swap2 paper.
pub fn paper_query_us() -> Result<f64> {
    policy_query_us(ShippedPolicy::Muzika.net().context("this program was built without the nets")?)
}

fn median_us(mut work: impl FnMut()) -> f64 {
    let mut samples: Vec<f64> = (0..101)
        .map(|_| {
            let started = Instant::now();
            work();
            started.elapsed().as_secs_f64() * 1e6
        })
        .collect();
    samples.sort_by(f64::total_cmp);
    samples[samples.len() / 2]
}

/// Wins by fours in middle games of random moves near the stones: many fours, few of them winning.
pub fn vcf_nodes_per_s() -> f64 {
    const BUDGET: u64 = 20_000;
    let mut rng = Rng::new(1);
    let (mut nodes, mut seconds) = (0, 0.0);
    let mut vcf = Vcf::with_memory(1 << 20);
    while seconds < 1.0 {
        let mut board = Board::new(Size::STANDARD, Rule::Freestyle);
        while board.end().is_none() && board.stone_count() < 44 {
            let near: Vec<Point> = board.near(1).iter().collect();
            let _ = board.play(near[rng.below(near.len())]);
        }
        if board.end().is_none() {
            let started = Instant::now();
            black_box(vcf.solve(&mut board, BUDGET));
            seconds += started.elapsed().as_secs_f64();
            nodes += vcf.nodes();
        }
    }
    nodes as f64 / seconds
}
