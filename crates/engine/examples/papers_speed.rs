//! Measures the monomial engines: rollouts per second, and forced wins of the tactical suite.
//!
//! The suite is looked for in `$FIVESTONE_DATA/puzzles`.

use fivestone_engine::{Limits, Stop, build};
use fivestone_game::{Board, Color, Point, Rule, Size, notation};
use std::time::{Duration, Instant};

fn main() {
    let size = Size::STANDARD;
    let moves = notation::parse_moves("h8g7e11i7h6h7j7g6", size).expect("moves");
    let board = Board::from_moves(size, Rule::Freestyle, &moves).expect("a position");
    for (name, settings) in [("monomial-v2", vec![]), ("monomial-v3", vec![("winning", "0")])] {
        let mut engine = build(name, settings).expect("an engine");
        let report = engine.think(&board, &Limits::time(Duration::from_secs(2)), &Stop::new(), &mut |_| {});
        println!("{name}: {:.0} rollouts/s", report.visits as f64 / report.elapsed.as_secs_f64());
    }
    let Ok(data) = std::env::var("FIVESTONE_DATA") else {
        println!("skipped: data not present");
        return;
    };
    for file in ["vcf", "vct"] {
        suite(&format!("{data}/puzzles/{file}.jsonl"));
    }
}

/// Solves every puzzle of a file with at most two seconds each.
fn suite(path: &str) {
    let Ok(text) = std::fs::read_to_string(path) else {
        println!("skipped: {path} not present");
        return;
    };
    let step = std::env::args().nth(1).and_then(|step| step.parse().ok()).unwrap_or(1);
    let (mut solved, mut times) = (0, Vec::new());
    for line in text.lines().step_by(step) {
        let puzzle: serde_json::Value = serde_json::from_str(line).expect("JSON");
        let size = Size::new(puzzle["size"].as_u64().expect("a size") as usize).expect("a size");
        let stones = |side: &str| -> Vec<Point> {
            let names = puzzle[side].as_array().expect("stones").iter();
            names.map(|name| Point::parse(name.as_str().expect("a name"), size).expect("a point")).collect()
        };
        let to_move = if puzzle["side"] == "black" { Color::Black } else { Color::White };
        let board = Board::from_stones(size, Rule::Renju, &stones("black"), &stones("white"), to_move)
            .expect("a position");
        let mut engine = build("monomial-v3", [("winning", "1000000000")]).expect("an engine");
        let started = Instant::now();
        let limits = Limits::time(Duration::from_secs(2));
        let report = engine.think(&board, &limits, &Stop::new(), &mut |_| {});
        if report.lines[0].proof.is_some_and(|proof| matches!(proof, fivestone_engine::Proof::Win(_))) {
            solved += 1;
            times.push(started.elapsed().as_secs_f64() * 1e3);
        } else {
            times.push(f64::INFINITY);
        }
    }
    times.sort_by(f64::total_cmp);
    println!("{path}: {solved} of {} solved, median {:.2} ms", times.len(), times[times.len() / 2]);
}
