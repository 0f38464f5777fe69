//! The smart game format, game 4.

use super::GameRecord;
use fivestone_game::Color;
use std::fmt::Write;

/// The game as one SGF tree, with time, evaluation and search size of each move in its comment.
pub fn write_sgf(game: &GameRecord) -> String {
    let result = match game.winner() {
        Some(Color::Black) => "B+",
        Some(Color::White) => "W+",
        None => "0",
    };
    let mut text = format!(
        "(;FF[4]CA[UTF-8]GM[4]AP[fivestone]SZ[{}]RU[{}]PB[{}]PW[{}]RO[{}]RE[{result}]C[{}]",
        game.size,
        game.rule,
        escaped(game.name_of(Color::Black)),
        escaped(game.name_of(Color::White)),
        game.round + 1,
        escaped(&game.ending.describe()),
    );
    for (ply, played) in game.moves.iter().enumerate() {
        let color = if ply % 2 == 0 { 'B' } else { 'W' };
        let letter = |index: usize| char::from(b'a' + index as u8);
        let (x, y) = (letter(played.point.x()), letter(played.point.y()));
        let _ = write!(text, ";{color}[{x}{y}]");
        if played.opening {
            text.push_str("C[opening]");
            continue;
        }
        let _ = write!(text, "C[{:.0}ms", played.milliseconds);
        if let Some(winrate) = played.winrate {
            let _ = write!(text, " winrate {winrate:.4}");
        }
        if let Some(visits) = played.visits {
            let _ = write!(text, " visits {visits}");
        }
        if let Some(depth) = played.depth {
            let _ = write!(text, " depth {depth}");
        }
        text.push(']');
    }
    text.push_str(")\n");
    text
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}
