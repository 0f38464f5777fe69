//! Games as lines of text: `rule size result opening move:score move:score ...`.

use super::{SampleSink, Searched, SelfPlayGame, Throughput};
use fivestone_engine::Proof;
use fivestone_game::{Color, notation};
use std::fmt::Write as _;
use std::io::Write;

/// Scores beyond this are proven: `PROVEN` less the plies to the end.
const PROVEN: i32 = 30_000;
/// Centi-units per natural unit of log odds.
const SCALE: f64 = 200.0;
const LARGEST: f64 = 20_000.0;

/// Writes one line per game. The score of a move is the mover's view in centi-units, 30000 less the plies for a proven win, the
/// negative of that for a loss; a move that was not searched fully has none. An empty opening is written as `-`.
pub struct TextSink<W>(pub W);

impl<W: Write + Send> SampleSink for TextSink<W> {
    fn take(&mut self, game: &SelfPlayGame, _: &Throughput) -> Result<(), String> {
        self.0.write_all(line(game).as_bytes()).map_err(|error| format!("cannot write the games: {error}"))
    }
}

fn line(game: &SelfPlayGame) -> String {
    let result = match game.winner {
        Some(Color::Black) => "1-0",
        Some(Color::White) => "0-1",
        None => "1/2-1/2",
    };
    let opening = notation::format_moves(game.opening.iter().copied(), game.size);
    let opening = if opening.is_empty() { "-" } else { &opening };
    let mut line = format!("{} {} {result} {opening}", game.rule, game.size);
    for position in &game.positions {
        let _ = write!(line, " {}", position.played.name(game.size));
        if position.full {
            let _ = write!(line, ":{}", score(position));
        }
    }
    line.push('\n');
    line
}

fn score(position: &Searched) -> i32 {
    match position.judgement.proof {
        Some(Proof::Win(plies)) => PROVEN - i32::from(plies),
        Some(Proof::Loss(plies)) => i32::from(plies) - PROVEN,
        Some(Proof::Draw) => 0,
        None => {
            let winrate = position.judgement.winrate();
            let odds = winrate / (1.0 - winrate);
            (SCALE * odds.ln()).clamp(-LARGEST, LARGEST).round() as i32
        }
    }
}
