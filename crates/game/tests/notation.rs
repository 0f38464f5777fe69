//! Moves as text, both ways, and whatever else people type.

use fivestone_game::{Point, Size, notation};
use proptest::collection::vec;
use proptest::prelude::*;

fn sizes() -> impl Strategy<Value = Size> {
    (5..=22usize).prop_map(|side| Size::new(side).expect("a board size"))
}

proptest! {
    #[test]
    fn games_are_read_as_they_are_written(size in sizes(), cells in vec(0..484usize, 0..60), spaced in any::<bool>()) {
        let moves: Vec<Point> = cells.iter().map(|cell| Point::from_dense(cell % size.cells(), size)).collect();
        let names: Vec<String> = moves.iter().map(|point| point.name(size)).collect();
        let text = if spaced { names.join(", ").to_uppercase() } else { notation::format_moves(moves.clone(), size) };
        prop_assert_eq!(notation::parse_moves(&text, size), Ok(moves));
    }

    #[test]
    fn any_text_is_read_or_refused_in_one_line(size in sizes(), text in "\\PC{0,40}|([a-z]{0,2}[0-9]{0,6}[ ,;\n\u{0}é]?){0,8}") {
        if let Err(error) = notation::parse_moves(&text, size) {
            prop_assert!(!error.to_string().contains('\n'));
        }
        let _ = Point::parse(&text, size);
    }
}
