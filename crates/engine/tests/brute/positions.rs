//! Positions to ask about: small boards, nobody has won yet.

// From whoever includes this module: the library's tests and the library itself name it
// differently.
use super::super::Rng;
use fivestone_game::{Board, Class, Color, Direction, Point, PointSet, Rule, Size};
use std::ops::Range;

/// A board as random play with a taste for threes leaves it.
pub fn some_position(rule: Rule, rng: &mut Rng, side: Range<usize>, stones: Range<usize>) -> Board {
    loop {
        let size = Size::new(side.start + rng.below(side.len())).unwrap();
        let mut board = Board::new(size, rule);
        let wanted = (stones.start + rng.below(stones.len())).min(size.cells() - 6);
        while board.end().is_none() && board.stone_count() < wanted {
            let side = board.to_move();
            let sharp: Vec<Point> = board.cells_of(side, &Class::OPEN_THREES).iter().collect();
            let near: Vec<Point> =
                board.near(1).iter().filter(|&p| board.class(side, p) != Class::Five).collect();
            let pool = if !sharp.is_empty() && rng.below(4) == 0 { &sharp } else { &near };
            let Some(&point) = pool.get(rng.below(pool.len().max(1))) else { break };
            if board.forbidden(point).is_none() || side == Color::White {
                board.play(point).unwrap();
            }
        }
        if board.end().is_none() {
            return board;
        }
    }
}

/// A board with shapes of both sides set up: rows of the side to move that cross in one or two
/// cells, some of them blocked, rows of the other side that may become fours, and loose stones,
/// most of them elsewhere.
pub fn built_position(rule: Rule, rng: &mut Rng, side: Range<usize>) -> Board {
    loop {
        let size = Size::new(side.start + rng.below(side.len())).unwrap();
        let attacker = Color::BOTH[rng.below(2)];
        let mut draft = Draft::new(size);
        for _ in 0..2 {
            let pivot = draft.some_empty(rng);
            for _ in 0..2 {
                let stones = 2 + usize::from(rng.below(8) == 0);
                draft.put_row(rng, pivot, attacker, stones);
            }
        }
        for _ in 0..rng.below(3) {
            let pivot = draft.some_empty(rng);
            let stones = 1 + rng.below(3);
            draft.put_row(rng, pivot, !attacker, stones);
        }
        // A crowded small board keeps a few cells empty.
        let loose = (10 + rng.below(16)).min(size.cells() - 6 - draft.stone_count());
        for _ in 0..loose {
            let color = if rng.below(4) == 0 { attacker } else { !attacker };
            let point = draft.some_empty(rng);
            if !draft.in_rows.contains(point) || rng.below(8) == 0 {
                draft.put(point, color);
            }
        }
        let board = draft.board(rule, attacker);
        let five_at_hand = board.count(attacker, Class::Five) > 0;
        if !draft.has_five() && (!five_at_hand || rng.below(20) == 0) {
            return board;
        }
    }
}

/// Stones set up one by one.
struct Draft {
    size: Size,
    cells: Vec<Option<Color>>,
    /// The cells of rows, stones or not, with their ends.
    in_rows: PointSet,
}

impl Draft {
    fn stone_count(&self) -> usize {
        self.cells.iter().flatten().count()
    }

    fn new(size: Size) -> Draft {
        Draft { size, cells: vec![None; size.cells()], in_rows: PointSet::EMPTY }
    }

    fn some_empty(&self, rng: &mut Rng) -> Point {
        let empty: Vec<Point> = self.size.points().filter(|&point| self.at(point).is_none()).collect();
        empty[rng.below(empty.len())]
    }

    fn at(&self, point: Point) -> Option<Color> {
        self.cells[point.dense(self.size)]
    }

    /// Puts a stone if the cell is empty.
    fn put(&mut self, point: Point, color: Color) {
        self.cells[point.dense(self.size)].get_or_insert(color);
    }

    /// Stones of one side within reach of an empty pivot on some line, at times with an enemy stone
    /// at an end. Cells that are taken stay as they are.
    fn put_row(&mut self, rng: &mut Rng, pivot: Point, color: Color, stones: usize) {
        let at = |line: Direction, distance: isize| {
            pivot.offset(distance * line.delta().0, distance * line.delta().1, self.size)
        };
        let (line, first, mut row) = loop {
            let (line, first) = (Direction::ALL[rng.below(4)], rng.below(4) as isize - 3);
            let cells = (first..first + 4).filter(|&distance| distance != 0);
            let row: Option<Vec<Point>> = cells.map(|distance| at(line, distance)).collect();
            let open = at(line, first - 1).is_some() && at(line, first + 4).is_some();
            if let Some(row) = row
                && (open || rng.below(4) == 0)
            {
                break (line, first, row);
            }
        };
        let ends = [at(line, first - 1), at(line, first + 4)];
        for &point in row.iter().chain([&pivot]).chain(ends.iter().flatten()) {
            self.in_rows.insert(point);
        }
        for _ in 0..stones {
            let point = row.swap_remove(rng.below(row.len()));
            self.put(point, color);
        }
        if rng.below(8) == 0
            && let Some(end) = ends[rng.below(2)]
        {
            self.put(end, !color);
        }
    }

    /// Whether five of one side stand in a row, whatever the rule makes of it.
    fn has_five(&self) -> bool {
        let five_from = |point: Point, (dx, dy): (isize, isize)| {
            let color_at = |distance| self.at(point.offset(distance * dx, distance * dy, self.size)?);
            self.at(point).is_some() && (1..5).all(|distance| color_at(distance) == self.at(point))
        };
        self.size.points().any(|point| Direction::ALL.iter().any(|line| five_from(point, line.delta())))
    }

    fn board(&self, rule: Rule, to_move: Color) -> Board {
        let stones = |color: Color| -> Vec<Point> {
            self.size.points().filter(|&point| self.at(point) == Some(color)).collect()
        };
        Board::from_stones(self.size, rule, &stones(Color::Black), &stones(Color::White), to_move)
            .expect("stones on a grid do not overlap")
    }
}
