//! Looks for a forced win of the side to move by fours and threes: `solve MOVES [RULE] [SECONDS]`.

use fivestone_engine::Stop;
use fivestone_engine::solver::{Kind, SolveLimits, solve};
use fivestone_game::{Board, Rule, Size, notation};
use std::error::Error;
use std::time::Duration;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let moves = notation::parse_moves(&arguments.next().unwrap_or_default(), Size::STANDARD)?;
    let rule: Rule = arguments.next().as_deref().unwrap_or("freestyle").parse()?;
    let seconds: f64 = arguments.next().as_deref().unwrap_or("10").parse()?;
    let board = Board::from_moves(Size::STANDARD, rule, &moves)?;
    if let Some(end) = board.end() {
        println!("{end}");
        return Ok(());
    }
    let time = Some(Duration::try_from_secs_f64(seconds)?);
    let limits = SolveLimits { time, ..SolveLimits::default() };
    let solution = solve(&board, Kind::Vct, &limits, &Stop::new());
    let line: Vec<String> = solution.line.iter().map(|point| point.name(board.size())).collect();
    println!("{board}{} to move: {} {}", board.to_move(), solution.verdict.name(), line.join(" "));
    println!("{} nodes in {:.2} s", solution.nodes, solution.elapsed.as_secs_f64());
    Ok(())
}
