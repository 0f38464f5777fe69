//! Draws a position with what a stone of the side to move would make: `threats MOVES [RULE]`.
//!
//! `5` five, `4` open four, `f` a four, `3` open three, `!` forbidden.

use fivestone_game::{Board, Class, Color, Point, Rule, Size, notation};
use std::error::Error;

fn mark(board: &Board, point: Point) -> char {
    match board.stone(point) {
        Some(Color::Black) => return 'x',
        Some(Color::White) => return 'o',
        None if board.forbidden(point).is_some() => return '!',
        None => {}
    }
    match board.class(board.to_move(), point) {
        Class::Five => '5',
        Class::OpenFour => '4',
        Class::Four | Class::FourThree | Class::DoubleFour => 'f',
        Class::OpenThree | Class::OpenThreeThree | Class::DoubleThree => '3',
        _ => '.',
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let moves = notation::parse_moves(&arguments.next().unwrap_or_default(), Size::STANDARD)?;
    let rule: Rule = arguments.next().as_deref().unwrap_or("renju").parse()?;
    let board = Board::from_moves(Size::STANDARD, rule, &moves)?;
    match board.end() {
        Some(end) => println!("{board}{end}"),
        None => println!("{}{} to move", board.draw(|point| mark(&board, point)), board.to_move()),
    }
    Ok(())
}
