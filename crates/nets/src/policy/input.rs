//! What a move predictor is shown of a position. Training and play both come through here.

use super::architecture::Input;
use super::frame::Frame;
use crate::features::{Features, HISTORY, history};
use crate::lines::LineRows;
use fivestone_game::{Board, Class, Color, Point, PointSet, Size};

/// Moves back that the table input knows.
const MOVES_BACK: usize = 2;
/// Rows for what a stone would make: by side to move, its own class and the other's.
const CLASS_ROWS: usize = 2 * Class::COUNT * Class::COUNT;
/// Rows that a cell's numbers are summed from: four lines with their inner sevens, the classes, the last moves.
pub const ROWS_OF_CELL: usize = 8 + 1 + MOVES_BACK;

/// The rows of a table input: which lines have rows of their own.
#[derive(Clone, PartialEq, Debug)]
pub struct InputRows {
    /// Rows of lines along the sides, and of diagonals.
    pub lines: [LineRows; 2],
}

impl InputRows {
    /// Rows in all. The first is always zero: it stands for no row.
    pub fn count(&self) -> usize {
        self.classes() + CLASS_ROWS + MOVES_BACK * HISTORY
    }

    fn table(&self, diagonal: bool) -> usize {
        1 + if diagonal { self.lines[0].rows() } else { 0 }
    }

    fn classes(&self) -> usize {
        1 + self.lines[0].rows() + self.lines[1].rows()
    }

    /// The rows of a cell, zeros where there are fewer.
    fn of_cell(
        &self,
        board: &Board,
        point: Point,
        lines: [usize; 4],
        empty: bool,
        rows: &mut [u32; ROWS_OF_CELL],
    ) {
        for (i, line) in lines.into_iter().enumerate() {
            let (table, start) = (&self.lines[i / 2], self.table(i >= 2));
            let row = table.row(line);
            let seven = table.seven_of(row);
            rows[2 * i] = (start + usize::from(row)) as u32;
            rows[2 * i + 1] = if seven == row { 0 } else { (start + usize::from(seven)) as u32 };
        }
        let mover = board.to_move();
        let class = |color: Color| board.class(color, point).index();
        let classes = (mover.index() * Class::COUNT + class(mover)) * Class::COUNT + class(!mover);
        rows[8] = if empty { (self.classes() + classes) as u32 } else { 0 };
        let histories = self.classes() + CLASS_ROWS;
        for (back, at) in history(board, point).into_iter().enumerate() {
            rows[9 + back] = (histories + back * HISTORY + usize::from(at)) as u32;
        }
    }
}

/// A position as a net is shown it.
#[derive(Clone, Debug)]
pub struct PolicyInput {
    /// The cells with their margin.
    pub frame: Frame,
    /// The cells that are worked on.
    pub cells: Vec<u32>,
    /// The cells that get a probability.
    pub moves: Vec<u32>,
    /// The points of those cells.
    pub points: Vec<Point>,
    /// The planes: channels of every cell of the frame. Empty for a table input.
    pub planes: Vec<f32>,
    /// The rows of every cell that is worked on. Empty for planes.
    pub rows: Vec<[u32; ROWS_OF_CELL]>,
    features: Features,
    lines: Vec<[usize; 4]>,
}

impl PolicyInput {
    /// Room for positions in a frame.
    pub fn new(frame: Frame) -> PolicyInput {
        PolicyInput {
            frame,
            cells: Vec::new(),
            moves: Vec::new(),
            points: Vec::new(),
            planes: Vec::new(),
            rows: Vec::new(),
            features: Features::default(),
            lines: Vec::new(),
        }
    }

    /// Reads a position. `rows` must be given for a table input. A board of another size than the frame is seen through a
    /// window around its stones, or stands in the frame's middle.
    ///
    /// # Panics
    /// For a table input without rows, or a board of another size with one.
    pub fn read(&mut self, board: &Board, input: Input, rows: Option<&InputRows>) {
        self.cells.clear();
        self.moves.clear();
        self.points.clear();
        match input {
            Input::Lines(_) => self.read_lines(board, rows.expect("a table input has rows")),
            Input::Stones | Input::Colours => self.read_planes(board, input),
        }
    }

    fn read_planes(&mut self, board: &Board, input: Input) {
        let frame = self.frame;
        let channels = input.channels();
        self.planes.clear();
        self.planes.resize(frame.cells() * channels, 0.0);
        self.cells.extend(frame.size().points().map(|point| frame.cell(point)));
        let window = Window::new(board, frame.size());
        for point in board.size().points() {
            if let Some(seen) = window.seen(point) {
                self.moves.push(frame.cell(seen));
                self.points.push(point);
            }
        }
        let mover = board.to_move();
        let sets: [(usize, &PointSet, f32); 3] = if input == Input::Stones {
            [(0, board.stones(mover), 1.0), (0, board.stones(!mover), -1.0), (0, &PointSet::EMPTY, 0.0)]
        } else {
            let [black, white] = Color::BOTH.map(|color| board.stones(color));
            [(0, black, 1.0), (1, white, 1.0), (2, board.empty(), 1.0)]
        };
        for (plane, set, value) in sets {
            for seen in set.iter().filter_map(|point| window.seen(point)) {
                self.planes[frame.cell(seen) as usize * channels + plane] = value;
            }
        }
    }

    fn read_lines(&mut self, board: &Board, rows: &InputRows) {
        assert_eq!(self.frame.size(), board.size(), "a table input reads boards of its frame's size");
        self.rows.clear();
        if board.stone_count() == 0 {
            // Nothing stands near anything yet: the first stone goes to the centre.
            let centre = board.size().centre();
            self.cells.push(self.frame.cell(centre));
            self.moves.push(self.frame.cell(centre));
            self.points.push(centre);
            self.rows.push([0; ROWS_OF_CELL]);
            return;
        }
        self.lines.clear();
        self.features.read(board, |numbers| self.lines.push(numbers));
        for point in board.size().points() {
            let Some(number) = usize::from(self.features.number(point)).checked_sub(1) else { continue };
            let empty = board.is_empty(point);
            let cell = self.frame.cell(point);
            self.cells.push(cell);
            if empty {
                self.moves.push(cell);
                self.points.push(point);
            }
            let mut of_cell = [0; ROWS_OF_CELL];
            rows.of_cell(board, point, self.lines[number], empty, &mut of_cell);
            self.rows.push(of_cell);
        }
    }
}

/// The part of a board that a frame of another size shows.
pub(super) struct Window {
    size: Size,
    board: Size,
    shift: [isize; 2],
}

impl Window {
    pub(super) fn new(board: &Board, size: Size) -> Window {
        let (shown, side) = (size.side() as isize, board.size().side() as isize);
        if shown >= side {
            let shift = (shown - side) / 2;
            return Window { size, board: board.size(), shift: [shift; 2] };
        }
        let stones = board.stones(Color::Black).union(board.stones(Color::White));
        let middle = |of: fn(Point) -> usize| {
            let least = stones.iter().map(of).min().unwrap_or(side as usize / 2);
            let greatest = stones.iter().map(of).max().unwrap_or(side as usize / 2);
            (least + greatest) as isize / 2
        };
        let shift = [Point::x, Point::y].map(|of| -(middle(of) - shown / 2).clamp(0, side - shown));
        Window { size, board: board.size(), shift }
    }

    pub(super) fn seen(&self, point: Point) -> Option<Point> {
        point.offset(self.shift[0], self.shift[1], self.size)
    }

    /// The point of the board that is seen at a point of the frame.
    pub(super) fn behind(&self, point: Point) -> Option<Point> {
        point.offset(-self.shift[0], -self.shift[1], self.board)
    }

    /// The points of a set that are seen, as points of the frame.
    pub(super) fn show(&self, set: &PointSet) -> PointSet {
        if self.size == self.board {
            return *set;
        }
        set.iter().filter_map(|point| self.seen(point)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fivestone_game::Rule;

    #[test]
    fn a_larger_board_is_seen_through_a_window_that_holds_the_stones() {
        let size = Size::new(20).unwrap();
        let at = |x, y| Point::new(x, y, size).unwrap();
        let board = Board::from_moves(size, Rule::Freestyle, &[at(18, 17), at(19, 3)]).unwrap();
        let mut input = PolicyInput::new(Frame::new(Size::STANDARD));
        input.read(&board, Input::Stones, None);
        assert_eq!(input.moves.len(), 225);
        let value = |point: Point| {
            let at = input.points.iter().position(|&seen| seen == point).unwrap();
            input.planes[input.moves[at] as usize]
        };
        assert_eq!((value(at(18, 17)), value(at(19, 3)), value(at(18, 16))), (1.0, -1.0, 0.0));
    }

    #[test]
    fn a_smaller_board_stands_in_the_middle() {
        let size = Size::new(9).unwrap();
        let board = Board::from_moves(size, Rule::Freestyle, &[size.centre()]).unwrap();
        let frame = Frame::new(Size::STANDARD);
        let mut input = PolicyInput::new(frame);
        input.read(&board, Input::Colours, None);
        assert_eq!(input.moves.len(), 81);
        let centre = frame.cell(Size::STANDARD.centre()) as usize;
        assert_eq!(input.planes[3 * centre..3 * centre + 3], [1.0, 0.0, 0.0]);
    }
}
