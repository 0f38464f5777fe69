//! Games, their ends, notation, drawings and symmetry.

use fivestone_game::{Board, Color, GameEnd, IllegalMove, IllegalSequence, Played, Point, Rule};
use fivestone_game::{Size, Symmetry, notation};
use proptest::prelude::*;

fn play(rule: Rule, side: usize, moves: &str) -> Result<Board, IllegalSequence> {
    let size = Size::new(side).unwrap();
    Board::from_moves(size, rule, &notation::parse_moves(moves, size).unwrap())
}

fn end(rule: Rule, moves: &str) -> Option<GameEnd> {
    play(rule, 15, moves).unwrap().end()
}

#[test]
fn five_in_a_row_wins_under_every_rule() {
    for rule in Rule::ALL {
        assert_eq!(end(rule, "h8a1i8a2j8a4k8a5l8"), Some(GameEnd::Five(Color::Black)), "{rule}");
        assert_eq!(end(rule, "h8a1i8a2j8a4k8"), None, "{rule}");
        assert_eq!(end(rule, "o15a1o13b2o11c3o9d4o7e5"), Some(GameEnd::Five(Color::White)), "{rule}");
    }
}

#[test]
fn six_in_a_row_wins_only_where_overlines_count() {
    let six = "a1o1b1o3c1o5e1o7f1o9d1";
    assert_eq!(end(Rule::Freestyle, six), Some(GameEnd::Five(Color::Black)));
    assert_eq!(end(Rule::CaroOverline, six), Some(GameEnd::Five(Color::Black)));
    assert_eq!(end(Rule::Standard, six), None);
    assert_eq!(end(Rule::Caro, six), None);
    assert_eq!(end(Rule::Renju, six).and_then(GameEnd::winner), Some(Color::White));
    let white_six = "h8a1j8b1l8c1n8e1h12f1j12d1";
    assert_eq!(end(Rule::Renju, white_six), Some(GameEnd::Five(Color::White)));
}

#[test]
fn caro_needs_an_end_without_an_enemy_stone() {
    let blocked = "b8a8c8g8d8o1e8o3f8";
    assert_eq!(end(Rule::Caro, blocked), None);
    assert_eq!(end(Rule::CaroOverline, blocked), None);
    assert_eq!(end(Rule::Standard, blocked), Some(GameEnd::Five(Color::Black)));
    let at_the_edge = "a8f8b8o5c8o1d8o3e8";
    assert_eq!(end(Rule::Caro, at_the_edge), Some(GameEnd::Five(Color::Black)));
}

#[test]
fn illegal_moves_leave_the_position_as_it_was() {
    let mut board = play(Rule::Freestyle, 7, "d4").unwrap();
    let before = (board.hash(), board.to_string());
    assert_eq!(board.play(Size::new(7).unwrap().centre()), Err(IllegalMove::Occupied));
    let outside = Point::new(10, 3, Size::STANDARD).unwrap();
    assert_eq!(board.play(outside), Err(IllegalMove::OffBoard));
    assert_eq!((board.hash(), board.to_string()), before);
    let mut finished = play(Rule::Freestyle, 15, "h8a1i8a2j8a4k8a5l8").unwrap();
    assert_eq!(finished.play(Point::parse("o15", Size::STANDARD).unwrap()), Err(IllegalMove::GameOver));
    assert_eq!(finished.undo(), Some(Played::Stone(Point::parse("l8", Size::STANDARD).unwrap())));
    assert_eq!(finished.end(), None);
    finished.pass();
    assert_eq!(finished.undo(), Some(Played::Pass));
    assert_eq!(Board::new(Size::STANDARD, Rule::Freestyle).undo(), None);
}

#[test]
fn a_sequence_that_cannot_be_played_says_where_and_why() {
    let point = |name| Point::parse(name, Size::STANDARD).unwrap();
    let twice = play(Rule::Freestyle, 15, "h8i9h8a1").unwrap_err();
    assert_eq!(twice, IllegalSequence { ply: 2, point: point("h8"), reason: IllegalMove::Occupied });
    assert_eq!(twice.to_string(), "move 3: the point is occupied");
    let over = play(Rule::Freestyle, 15, "h8a1i8a2j8a4k8a5l8o15").unwrap_err();
    assert_eq!((over.ply, over.reason), (9, IllegalMove::GameOver));
}

#[test]
fn a_full_board_without_a_row_is_a_draw() {
    let size = Size::MIN;
    let mut board = Board::new(size, Rule::Freestyle);
    // Columns in the order that never lines up five of one colour on a 5x5 board.
    let order = "a1b1c1d1e1b2a2d2c2a3e2c3b3e3d3b4a4d4c4a5e4c5b5e5d5";
    let mut last = None;
    for point in notation::parse_moves(order, size).unwrap() {
        last = board.play(point).unwrap();
    }
    assert_eq!(last, Some(GameEnd::Draw), "{board:?}");
}

#[test]
fn sizes_outside_five_to_twenty_two_do_not_exist() {
    assert!([0, 4, 23, 1000].iter().all(|&side| Size::new(side).is_none()));
    assert!((5..=22).all(|side| Size::new(side).is_some()));
}

#[test]
fn notation_errors_say_what_and_where() {
    let error = |text: &str| notation::parse_moves(text, Size::STANDARD).unwrap_err().to_string();
    assert_eq!(error("h8q3"), "q3 at character 3 is off the 15x15 board");
    assert_eq!(error("h8 i0"), "i0 at character 4 is off the 15x15 board");
    assert_eq!(error("h8h"), "\"h\" at character 3 is not a move (write a letter and a number: h8)");
    assert_eq!(error("h8é9"), "\"é9\" at character 3 is not a move (write a letter and a number: h8)");
    assert_eq!(error("h99999"), "\"h99999\" at character 1 is not a move (write a letter and a number: h8)");
}

#[test]
fn drawings_show_columns_from_the_left_and_rows_from_the_bottom() {
    let board = play(Rule::Freestyle, 5, "b4c3").unwrap();
    let drawing = "   a b c d e\n 5 . . . . .\n 4 . x . . .\n 3 . . o . .\n 2 . . . . .\n 1 . . . . .\n";
    assert_eq!(board.to_string(), drawing);
    let read = Board::parse_drawing(drawing, Rule::Freestyle, Color::Black).unwrap();
    assert_eq!(read.hash(), board.hash());
    let wrong = Board::parse_drawing("x o\n. .", Rule::Freestyle, Color::Black).unwrap_err();
    assert_eq!(wrong.to_string(), "a drawing of 2 rows: boards have 5 to 22");
}

#[test]
fn symmetries_are_undone_by_their_inverses() {
    for symmetry in Symmetry::ALL {
        for point in Size::STANDARD.points() {
            let there = symmetry.apply(point, Size::STANDARD);
            assert_eq!(symmetry.inverse().apply(there, Size::STANDARD), point);
        }
    }
}

fn games() -> impl Strategy<Value = (Size, Vec<Point>)> {
    (5usize..=22, prop::collection::vec(any::<u16>(), 0..80)).prop_map(|(side, numbers)| {
        let size = Size::new(side).unwrap();
        let mut seen = fivestone_game::PointSet::EMPTY;
        let points =
            numbers.into_iter().map(|number| Point::from_dense(usize::from(number) % size.cells(), size));
        let fresh = points.filter(|&point| {
            !seen.contains(point) && {
                seen.insert(point);
                true
            }
        });
        (size, fresh.collect())
    })
}

proptest! {
    #[test]
    fn moves_survive_writing_and_reading((size, moves) in games()) {
        let text = notation::format_moves(moves.iter().copied(), size);
        prop_assert_eq!(notation::parse_moves(&text, size).unwrap(), moves);
    }

    #[test]
    fn any_text_is_read_or_refused(text in "\\PC*", side in 5usize..=22) {
        let _ = notation::parse_moves(&text, Size::new(side).unwrap());
        let _ = Board::parse_drawing(&text, Rule::Renju, Color::Black);
    }

    #[test]
    fn undo_restores_everything((size, moves) in games(), rule in prop::sample::select(&Rule::ALL)) {
        let mut board = Board::new(size, rule);
        let mut trail = Vec::new();
        for point in moves {
            trail.push((board.hash(), board.to_string(), board.counts()));
            if board.play(point).is_err() {
                trail.pop();
                break;
            }
        }
        while let Some(before) = trail.pop() {
            board.undo();
            let after = (board.hash(), board.to_string(), board.counts());
            prop_assert_eq!(after, before);
        }
    }

    #[test]
    fn images_share_the_canonical_hash((size, moves) in games(), number in 0usize..8) {
        let symmetry = Symmetry::new(number).unwrap();
        let (mut board, mut image) = (Board::new(size, Rule::Freestyle), Board::new(size, Rule::Freestyle));
        for point in moves {
            board.play_unchecked(point);
            image.play_unchecked(symmetry.apply(point, size));
        }
        prop_assert_eq!(board.canonical_hash().0, image.canonical_hash().0);
    }
}
