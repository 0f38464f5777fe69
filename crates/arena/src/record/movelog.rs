//! A JSON object per move.

use super::GameRecord;
use fivestone_game::Color;
use serde_json::json;

/// The moves of a game as JSON lines, the last one with the result.
pub fn write_moves(game: &GameRecord) -> Vec<u8> {
    let mut text = String::new();
    for (ply, played) in game.moves.iter().enumerate() {
        let color = if ply % 2 == 0 { Color::Black } else { Color::White };
        let line = json!({
            "game": game.id + 1,
            "ply": ply + 1,
            "engine": game.name_of(color),
            "color": if color == Color::Black { "black" } else { "white" },
            "move": played.point.name(game.size),
            "opening": played.opening,
            "ms": played.milliseconds,
            "winrate": played.winrate,
            "visits": played.visits,
            "depth": played.depth,
        });
        text.push_str(&line.to_string());
        text.push('\n');
    }
    let line = json!({
        "game": game.id + 1,
        "black": game.name_of(Color::Black),
        "white": game.name_of(Color::White),
        "result": game.result(),
        "reason": game.ending.describe(),
    });
    text.push_str(&line.to_string());
    text.push('\n');
    text.into_bytes()
}
