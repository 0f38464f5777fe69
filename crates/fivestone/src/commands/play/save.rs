//! A finished or unfinished game as a file.

use super::table::Table;
use anyhow::{Result, anyhow};
use fivestone_game::opening::Player;
use fivestone_game::{Board, Color, Point, notation};
use std::fmt::Write as _;
use std::path::Path;

/// Writes the game: SGF if the file's name ends so, otherwise the moves and a drawing as text.
pub fn save(table: &Table, names: [&str; 2], path: &Path) -> Result<()> {
    let sgf = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("sgf"));
    let text = if sgf { sgf_text(table, names) } else { plain_text(table) };
    // Only words: an error of the game's own output ends the game, this one does not.
    std::fs::write(path, text).map_err(|error| anyhow!("cannot write {}: {error}", path.display()))
}

fn moves(board: &Board) -> impl Iterator<Item = Point> + '_ {
    board.moves().iter().flatten().copied()
}

fn winner(table: &Table) -> Option<Color> {
    let by_resignation = table.resigned().and_then(|loser| table.color(!loser));
    by_resignation.or_else(|| table.end().and_then(fivestone_game::GameEnd::winner))
}

fn plain_text(table: &Table) -> String {
    let board = table.board();
    let game = notation::format_moves(moves(board), board.size());
    let result = table.end().map_or(String::new(), |end| format!("{end}\n"));
    format!("{game}\n{} {}x{}\n{result}\n{board}", board.rule(), board.size(), board.size())
}

fn sgf_text(table: &Table, names: [&str; 2]) -> String {
    let board = table.board();
    let name = |color: Color| {
        let player = Player::BOTH.into_iter().find(|&player| table.color(player) == Some(color));
        player.map_or("?", |player| names[player.index()])
    };
    let result = match (winner(table), table.end()) {
        (Some(Color::Black), _) => "RE[B+]",
        (Some(Color::White), _) => "RE[W+]",
        (None, Some(_)) => "RE[0]",
        (None, None) => "",
    };
    let mut text = format!(
        "(;FF[4]GM[4]SZ[{}]RU[{}]PB[{}]PW[{}]{result}",
        board.size(),
        board.rule(),
        name(Color::Black),
        name(Color::White)
    );
    for (ply, point) in moves(board).enumerate() {
        let side = if ply % 2 == 0 { 'B' } else { 'W' };
        let letter = |number: usize| char::from(b'a' + number as u8);
        write!(text, ";{side}[{}{}]", letter(point.x()), letter(point.y())).expect("writing to a string");
    }
    text + ")\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use fivestone_game::{Opening, Rule, Size};

    #[test]
    fn a_game_is_written_as_sgf_and_as_text() {
        let mut table = Table::new(Opening::Free, Size::STANDARD, Rule::Standard);
        for point in notation::parse_moves("h8i9", Size::STANDARD).expect("moves") {
            table.place(point).expect("legal");
        }
        table.resign();
        let expected = "(;FF[4]GM[4]SZ[15]RU[standard]PB[you]PW[engine]RE[W+];B[hh];W[ig])\n";
        assert_eq!(sgf_text(&table, ["you", "engine"]), expected);
        assert!(plain_text(&table).starts_with("h8i9\nstandard 15x15\n"));
    }
}
