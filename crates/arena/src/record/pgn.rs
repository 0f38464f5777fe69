//! A text in the manner of chess PGN, for tools that count results.

use super::GameRecord;
use fivestone_game::Color;
use std::fmt::Write;

/// The game as tags and numbered moves, each with `{winrate/depth seconds}`. Black moves first, so the first number of the result
/// is Black's.
pub fn write_pgn(game: &GameRecord) -> Vec<u8> {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    tag("Event", "fivestone match");
    tag("Round", &format!("{}.{}", game.round + 1, game.id + 1));
    tag("Black", game.name_of(Color::Black));
    tag("White", game.name_of(Color::White));
    tag("Result", game.result());
    tag("Rule", game.rule.name());
    tag("Size", &game.size.to_string());
    tag("Termination", &game.ending.describe());
    tag("PlyCount", &game.moves.len().to_string());
    text.push('\n');
    let mut line = String::new();
    let mut words = Vec::new();
    for (ply, played) in game.moves.iter().enumerate() {
        if ply % 2 == 0 {
            words.push(format!("{}.", ply / 2 + 1));
        }
        words.push(played.point.name(game.size));
        words.push(match (played.opening, played.winrate) {
            (true, _) => "{book}".to_owned(),
            (false, winrate) => {
                let winrate = winrate.map_or("-".to_owned(), |p| format!("{p:.4}"));
                let depth = played.depth.map_or("-".to_owned(), |depth| depth.to_string());
                format!("{{{winrate}/{depth} {:.3}s}}", played.milliseconds / 1e3)
            }
        });
    }
    words.push(game.result().to_owned());
    for word in words {
        if line.len() + word.len() > 99 {
            text.push_str(line.trim_end());
            text.push('\n');
            line.clear();
        }
        line.push_str(&word);
        line.push(' ');
    }
    text.push_str(line.trim_end());
    text.push_str("\n\n");
    text.into_bytes()
}
