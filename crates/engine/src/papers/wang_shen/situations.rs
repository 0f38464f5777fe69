//! The nine situations, their scores, and what a stone changes.

use crate::papers::shapes::Shapes;
use fivestone_game::{Board, Class, Color, Direction, Point, Rule};
use std::sync::LazyLock;

/// A situation of table 1.
pub struct Situation {
    /// Its name here.
    pub name: &'static str,
    /// Its name in the report.
    pub original: &'static str,
    /// Its score.
    pub score: i32,
    /// How it is drawn: the report's example, its mirror image, and the shapes with a gap that fit its definition.
    pub drawings: &'static [&'static str],
}

/// Table 1.
pub const SITUATIONS: [Situation; 9] = [
    Situation { name: "five", original: "活五", score: 100_000, drawings: &["xxxxx"] },
    Situation { name: "open four", original: "活四", score: 50_000, drawings: &[".xxxx."] },
    Situation {
        name: "open three", original: "活三", score: 500, drawings: &[".xxx.", ".x.xx.", ".xx.x."]
    },
    Situation {
        name: "four",
        original: "死四",
        score: 300,
        drawings: &["#xxxx.", ".xxxx#", "xxx.x", "x.xxx", "xx.xx"],
    },
    Situation { name: "open two", original: "活二", score: 100, drawings: &[".xx.", ".x.x.", ".x..x."] },
    Situation {
        name: "three",
        original: "死三",
        score: 50,
        drawings: &["#xxx..", "..xxx#", "#xx.x.", ".x.xx#", "#x.xx.", ".xx.x#", "xx..x", "x..xx", "x.x.x"],
    },
    Situation { name: "two", original: "死二", score: 5, drawings: &["#xx..", "..xx#", "#x.x.", ".x.x#"] },
    Situation { name: "open one", original: "活一", score: 2, drawings: &[".x."] },
    Situation { name: "one", original: "死一", score: 1, drawings: &["#x.", ".x#"] },
];

struct Tables {
    shapes: Shapes,
    /// What an own or an enemy stone in the middle changes, in the view of a side.
    changes: Vec<[i32; 2]>,
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let drawings = SITUATIONS.map(|situation| situation.drawings);
    let shapes = Shapes::new(&drawings);
    let weights = SITUATIONS.map(|situation| situation.score as f32);
    // Whole numbers below 2^24: exact in single precision.
    let changes =
        shapes.weighted(&weights).into_iter().map(|both| both.map(|change| change as i32)).collect();
    Tables { shapes, changes }
});

/// How often a side has each situation.
pub fn counts(board: &Board, color: Color) -> [i16; 9] {
    let mut counts = [0; 9];
    TABLES.shapes.count(board, color, &mut counts);
    counts
}

/// The value of the board for a side: the scores of its own situations less those of the opponent.
pub fn value(board: &Board, color: Color) -> i32 {
    let side = |color| -> i32 {
        counts(board, color)
            .iter()
            .zip(&SITUATIONS)
            .map(|(&n, situation)| i32::from(n) * situation.score)
            .sum()
    };
    side(color) - side(!color)
}

/// How much the value of the board for a side grows by its stone on an empty point.
#[inline]
pub fn gain(board: &Board, color: Color, point: Point) -> i32 {
    let Tables { shapes, changes } = &*TABLES;
    let mut gain = 0;
    for direction in Direction::ALL {
        gain += changes[shapes.around(board, point, direction, color)][0];
        gain -= changes[shapes.around(board, point, direction, !color)][1];
    }
    if board.rule() != Rule::Freestyle && board.class(color, point) != Class::Five {
        // A row of five that does not win under the rule.
        gain = gain.min(SITUATIONS[1].score);
    }
    gain
}

#[cfg(test)]
mod tests {
    use super::*;
    use fivestone_game::{Size, notation};

    fn board(moves: &str) -> Board {
        let size = Size::STANDARD;
        Board::from_moves(size, Rule::Freestyle, &notation::parse_moves(moves, size).unwrap()).unwrap()
    }

    #[test]
    fn situations_are_counted_as_in_table_1() {
        let three = board("h8a1i8a15j8o1");
        let [five, open_four, open_three, ..] = counts(&three, Color::Black);
        assert_eq!((five, open_four, open_three), (0, 0, 1));
        let four = board("h8g8i8a15j8o1k8o15");
        assert_eq!(counts(&four, Color::Black)[3], 1);
        assert_eq!(counts(&four, Color::Black)[1], 0);
    }

    #[test]
    fn gains_are_differences_of_values() {
        let mut position = board("h8g7e11i7h6h7j7g6i9");
        for point in position.near(2).iter().collect::<Vec<_>>() {
            let color = position.to_move();
            let expected = gain(&position, color, point) + value(&position, color);
            position.play_unchecked(point);
            assert_eq!(value(&position, color), expected);
            position.undo();
        }
    }
}
