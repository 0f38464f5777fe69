//! Measures `mcts-basic` in iterations per second on one core, under every rule and selection or the ones named:
//! `cargo run --release -p fivestone-engine --example mcts_basic_speed [rule] [selection]`.

use fivestone_engine::{Limits, Stop, build};
use fivestone_game::{Board, Rule, Size, notation};
use std::time::Duration;

fn main() {
    let moves = notation::parse_moves("h8g7e11i7h6h7j7g6", Size::STANDARD).expect("the paper's position");
    let mut arguments = std::env::args().skip(1);
    let (wanted, selection) = (arguments.next(), arguments.next());
    let selections = selection.map_or(vec!["0".to_owned(), "1".to_owned()], |one| vec![one]);
    for rule in Rule::ALL.into_iter().filter(|rule| wanted.as_ref().is_none_or(|name| name == rule.name())) {
        for selection in &selections {
            let board = Board::from_moves(Size::STANDARD, rule, &moves).expect("legal moves");
            let mut engine =
                build("mcts-basic", [("selection", selection.as_str())]).expect("a listed engine");
            let limits = Limits::time(Duration::from_secs(3));
            let report = engine.think(&board, &limits, &Stop::new(), &mut |_| {});
            let speed = report.visits as f64 / report.elapsed.as_secs_f64();
            let best = report.best().name(Size::STANDARD);
            println!("{rule} selection {selection}: {speed:.0} iterations/s, {best}, depth {}", report.depth);
        }
    }
}
