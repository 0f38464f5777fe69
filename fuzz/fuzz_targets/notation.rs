//! Any text as moves and as a drawing: read or refused, and what is read is written the same.
#![no_main]

use fivestone_game::{Board, Color, Rule, Size, notation};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    for side in [5, 15, 22] {
        let size = Size::new(side).expect("a board size");
        if let Ok(moves) = notation::parse_moves(text, size) {
            let written = notation::format_moves(moves.clone(), size);
            assert_eq!(notation::parse_moves(&written, size), Ok(moves));
        }
    }
    if let Ok(board) = Board::parse_drawing(text, Rule::Standard, Color::Black) {
        let again = Board::parse_drawing(&board.to_string(), Rule::Standard, Color::Black).expect("our own drawing");
        assert_eq!(board.hash(), again.hash());
    }
});
