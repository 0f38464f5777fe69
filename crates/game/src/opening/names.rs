//! The names of renju's 26 openings: a stone in the centre, White beside it, and Black's second within two points of the centre.

use super::Opening;
use crate::{Board, Point, Size, Symmetry};

/// One of the 26 openings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Named {
    /// `D1` to `D13` where White stands straight beside the centre, `I1` to `I13` where it stands diagonally.
    pub number: &'static str,
    /// The Japanese name.
    pub name: &'static str,
    /// Black's second stone, from the centre to the right and up; White stands above the centre, or above to the right.
    black: (isize, isize),
}

const fn named(number: &'static str, name: &'static str, x: isize, y: isize) -> Named {
    Named { number, name, black: (x, y) }
}

/// White straight above the centre.
const DIRECT: [Named; 13] = [
    named("D1", "Kansei", 0, 2),
    named("D2", "Keigetsu", 1, 2),
    named("D3", "Sosei", 2, 2),
    named("D4", "Kagetsu", 1, 1),
    named("D5", "Zangetsu", 2, 1),
    named("D6", "Ugetsu", 1, 0),
    named("D7", "Kinsei", 2, 0),
    named("D8", "Shogetsu", 0, -1),
    named("D9", "Kyugetsu", 1, -1),
    named("D10", "Shingetsu", 2, -1),
    named("D11", "Zuisei", 0, -2),
    named("D12", "Sangetsu", 1, -2),
    named("D13", "Yusei", 2, -2),
];

/// White above the centre to the right.
const INDIRECT: [Named; 13] = [
    named("I1", "Chosei", 2, 2),
    named("I2", "Kyogetsu", 2, 1),
    named("I3", "Kosei", 2, 0),
    named("I4", "Suigetsu", 2, -1),
    named("I5", "Ryusei", 2, -2),
    named("I6", "Ungetsu", 1, 0),
    named("I7", "Hogetsu", 1, -1),
    named("I8", "Rangetsu", 1, -2),
    named("I9", "Gingetsu", 0, -1),
    named("I10", "Myojo", 0, -2),
    named("I11", "Shagetsu", -1, -1),
    named("I12", "Meigetsu", -1, -2),
    named("I13", "Suisei", -2, -2),
];

impl Opening {
    /// The name of the opening that a game began with: by the first three stones, turned, mirrored and in either order of
    /// Black's. Nothing when it has none, or the board has no centre.
    pub fn named(board: &Board) -> Option<Named> {
        let size = board.size();
        let [Some(first), Some(white), Some(third)] = *board.moves().get(..3)? else { return None };
        let centre = size.centre();
        let black = match (first == centre, third == centre) {
            (true, _) => third,
            (_, true) => first,
            _ => return None,
        };
        (size.side() % 2 == 1).then_some(())?;
        Symmetry::ALL.into_iter().find_map(|symmetry| {
            let place = |point: Point| from_centre(symmetry.apply(point, size), size);
            let list = match place(white) {
                (0, 1) => &DIRECT,
                (1, 1) => &INDIRECT,
                _ => return None,
            };
            list.iter().find(|named| named.black == place(black)).copied()
        })
    }
}

/// How far a point is from the centre, to the right and up.
fn from_centre(point: Point, size: Size) -> (isize, isize) {
    let centre = size.centre();
    (point.x() as isize - centre.x() as isize, centre.y() as isize - point.y() as isize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Color, Rule, notation};
    use std::collections::HashSet;

    fn name_of(moves: &str) -> Option<&'static str> {
        let size = Size::new(15).unwrap();
        let mut board = Board::new(size, Rule::Renju);
        for point in notation::parse_moves(moves, size).unwrap() {
            board.play(point).unwrap();
        }
        Opening::named(&board).map(|named| named.name)
    }

    #[test]
    fn openings_are_known_by_their_stones() {
        assert_eq!(name_of("h8h9i9"), Some("Kagetsu"));
        assert_eq!(name_of("h8i9i7"), Some("Hogetsu"));
        assert_eq!(name_of("h8i9f6"), Some("Suisei"));
        assert_eq!(name_of("h8h9h10a1"), Some("Kansei"));
        // Turned, mirrored, and Black's stones the other way round.
        assert_eq!(name_of("h8g8g7"), Some("Kagetsu"));
        assert_eq!(name_of("g7g8h8"), Some("Kagetsu"));
        assert_eq!(name_of("h8g7g9"), Some("Hogetsu"));
        for nameless in ["", "h8h9", "h8h9h11", "h8h10h9", "g8h8i8", "a1h8h9"] {
            assert_eq!(name_of(nameless), None, "{nameless}");
        }
    }

    #[test]
    fn every_third_stone_near_the_centre_has_one_name() {
        let size = Size::new(15).unwrap();
        let near = |limit: usize| {
            size.points().filter(move |point| (1..=limit).contains(&point.distance(size.centre())))
        };
        let mut numbers = HashSet::new();
        for white in near(1) {
            for black in near(2).filter(|&black| black != white) {
                let mut board = Board::new(size, Rule::Renju);
                for point in [size.centre(), white, black] {
                    board.play(point).unwrap();
                }
                let named = Opening::named(&board).expect("all of them have names");
                assert_eq!(board.stone(white), Some(Color::White));
                numbers.insert(named.number);
            }
        }
        assert_eq!(numbers.len(), 26);
    }
}
