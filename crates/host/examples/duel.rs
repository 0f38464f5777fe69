//! Plays a game between two engines, a second a move: `duel BLACK WHITE [RULE]`.

use fivestone_engine::{Limits, Stop};
use fivestone_game::{Board, Rule, Size};
use fivestone_host::{EngineChoice, EngineHost};
use std::error::Error;
use std::time::Duration;

fn hosted(name: Option<String>) -> Result<EngineHost, Box<dyn Error>> {
    let choice = match name {
        Some(name) => EngineChoice::named(&name, [])?,
        None => EngineChoice::default(),
    };
    Ok(EngineHost::start(choice.build())?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let players = [hosted(arguments.next())?, hosted(arguments.next())?];
    let rule: Rule = arguments.next().as_deref().unwrap_or("freestyle").parse()?;
    let mut board = Board::new(Size::STANDARD, rule);
    let limits = Limits::time(Duration::from_secs(1));
    while board.end().is_none() {
        let player = &players[board.to_move().index()];
        let report = player.think(&board, &limits, &Stop::new(), &mut |_| {})?;
        println!("{}: {}", board.to_move(), report.best().name(board.size()));
        board.play(report.best())?;
    }
    if let Some(end) = board.end() {
        println!("{board}{end}");
    }
    Ok(())
}
