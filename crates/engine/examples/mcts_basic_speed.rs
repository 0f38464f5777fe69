//! Measures `mcts-basic` in iterations per second on one core, under every rule or the one named:
//! `cargo run --release -p fivestone-engine --example mcts_basic_speed [rule]`.

use fivestone_engine::{Limits, Stop, build};
use fivestone_game::{Board, Rule, Size, notation};
use std::time::Duration;

fn main() {
    let moves = notation::parse_moves("h8g7e11i7h6h7j7g6", Size::STANDARD).expect("the paper's position");
    let wanted = std::env::args().nth(1);
    for rule in Rule::ALL.into_iter().filter(|rule| wanted.as_ref().is_none_or(|name| name == rule.name())) {
        for selection in ["0", "1"] {
            let board = Board::from_moves(Size::STANDARD, rule, &moves).expect("legal moves");
            let mut engine = build("mcts-basic", [("selection", selection)]).expect("a listed engine");
            let limits = Limits::time(Duration::from_secs(3));
            let report = engine.think(&board, &limits, &Stop::new(), &mut |_| {});
            let speed = report.visits as f64 / report.elapsed.as_secs_f64();
            let best = report.best().name(Size::STANDARD);
            println!("{rule} selection {selection}: {speed:.0} iterations/s, {best}, depth {}", report.depth);
        }
    }
}
