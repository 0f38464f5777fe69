//! How the managers number the points.

use fivestone_game::{Point, Size};
use std::fmt;

/// Two numbers as they stand in a message: `first,second`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Coordinates {
    /// The number before the comma.
    pub first: u16,
    /// The number after the comma.
    pub second: u16,
}

impl Coordinates {
    /// Reads `first,second`; spaces around the numbers are not allowed.
    pub fn parse(text: &str) -> Option<Coordinates> {
        let (first, second) = text.split_once(',')?;
        Some(Coordinates { first: number(first)?, second: number(second)? })
    }
}

fn number(text: &str) -> Option<u16> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

impl fmt::Display for Coordinates {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.first, self.second)
    }
}

/// What the two numbers mean; all count from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Convention {
    /// Column, then row from the top: Piskvork and everything made for Gomocup.
    #[default]
    ColumnRow,
    /// Row from the top, then column: Yixin-Board.
    RowColumn,
    /// Column, then row from the bottom: Gomocalc.
    ColumnRowFromBottom,
}

impl Convention {
    /// The point that is meant, if it is on the board.
    pub fn point(self, at: Coordinates, size: Size) -> Option<Point> {
        let (first, second) = (usize::from(at.first), usize::from(at.second));
        match self {
            Convention::ColumnRow => Point::new(first, second, size),
            Convention::RowColumn => Point::new(second, first, size),
            Convention::ColumnRowFromBottom => {
                Point::new(first, (size.side() - 1).checked_sub(second)?, size)
            }
        }
    }

    /// How a point is written.
    pub fn coordinates(self, point: Point, size: Size) -> Coordinates {
        let (x, y) = (point.x() as u16, point.y() as u16);
        match self {
            Convention::ColumnRow => Coordinates { first: x, second: y },
            Convention::RowColumn => Coordinates { first: y, second: x },
            Convention::ColumnRowFromBottom => Coordinates { first: x, second: size.side() as u16 - 1 - y },
        }
    }

    /// The row and the column, in the order of the swap2 messages.
    pub fn row_column(self, point: Point, size: Size) -> (u16, u16) {
        let at = self.coordinates(point, size);
        if self == Convention::RowColumn { (at.first, at.second) } else { (at.second, at.first) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_convention_reads_what_it_writes_and_refuses_points_off_the_board() {
        for convention in [Convention::ColumnRow, Convention::RowColumn, Convention::ColumnRowFromBottom] {
            for size in [Size::MIN, Size::STANDARD, Size::MAX] {
                for point in size.points() {
                    assert_eq!(convention.point(convention.coordinates(point, size), size), Some(point));
                }
                let side = size.side() as u16;
                for (first, second) in [(side, 0), (0, side), (u16::MAX, u16::MAX)] {
                    assert_eq!(convention.point(Coordinates { first, second }, size), None);
                }
            }
        }
    }

    #[test]
    fn conventions_name_the_same_point_differently() {
        let size = Size::STANDARD;
        let point = Point::parse("d13", size).expect("on the board");
        let written = |convention: Convention| convention.coordinates(point, size).to_string();
        assert_eq!(written(Convention::ColumnRow), "3,2");
        assert_eq!(written(Convention::RowColumn), "2,3");
        assert_eq!(written(Convention::ColumnRowFromBottom), "3,12");
        assert_eq!(Convention::ColumnRow.row_column(point, size), (2, 3));
        assert_eq!(Convention::RowColumn.row_column(point, size), (2, 3));
    }

    #[test]
    fn only_plain_numbers_are_coordinates() {
        for bad in ["", ",", "7", "7,", ",7", "-1,3", "+1,3", "7,7,1", "a,b", "7, 7", "99999,1", "1.0,2"] {
            assert_eq!(Coordinates::parse(bad), None, "{bad}");
        }
    }
}
