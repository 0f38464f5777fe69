//! Prints what the flagship thinks of a position, candidates and the play it expects:
//! `analyse MOVES [RULE] [SECONDS]`.

use fivestone_engine::{DEFAULT_ENGINE, Limits, Report, Stop, build};
use fivestone_game::{Board, Rule, Size, notation};
use std::error::Error;
use std::time::Duration;

fn print(report: &Report, size: Size) {
    println!("{} visits, depth {}", report.visits, report.depth);
    for line in &report.lines {
        let expected: Vec<String> = line.pv.iter().map(|point| point.name(size)).collect();
        println!("  {:5.1} %  {:8}  {}", 100.0 * line.winrate, line.visits, expected.join(" "));
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let moves = notation::parse_moves(&arguments.next().unwrap_or_default(), Size::STANDARD)?;
    let rule: Rule = arguments.next().as_deref().unwrap_or("freestyle").parse()?;
    let seconds: f64 = arguments.next().as_deref().unwrap_or("5").parse()?;
    let board = Board::from_moves(Size::STANDARD, rule, &moves)?;
    if let Some(end) = board.end() {
        println!("{end}");
        return Ok(());
    }
    let limits = Limits::time(Duration::try_from_secs_f64(seconds)?);
    let mut engine = build(DEFAULT_ENGINE, [])?;
    let report = engine.think(&board, &limits, &Stop::new(), &mut |_| {});
    print(&report, board.size());
    Ok(())
}
