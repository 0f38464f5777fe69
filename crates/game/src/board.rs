//! The position: stones, side to move, hash, and the line patterns of every cell, kept up to date move by move.

use crate::bits::PointSet;
use crate::lines::{Class, Direction, Pattern, Tables, tables};
use crate::point::{GRID, MARGIN, STRIDE};
use crate::{Color, Point, Rule, Size, zobrist};
use std::fmt;

/// What stands on a point.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum Cell {
    Empty = 0,
    Black = 1,
    White = 2,
    Wall = 3,
}

impl Cell {
    const fn of(color: Color) -> Cell {
        match color {
            Color::Black => Cell::Black,
            Color::White => Cell::White,
        }
    }
}

/// Why a black move is forbidden in renju.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Forbidden {
    /// Six or more in a row.
    Overline,
    /// Two fours at once.
    DoubleFour,
    /// Two real open threes at once.
    DoubleThree,
}

impl fmt::Display for Forbidden {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Forbidden::Overline => "overline",
            Forbidden::DoubleFour => "double four",
            Forbidden::DoubleThree => "double three",
        })
    }
}

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum GameEnd {
    /// This side made a winning row.
    Five(Color),
    /// Black played a forbidden point, so White wins.
    Forbidden(Forbidden),
    /// The board is full.
    Draw,
}

impl GameEnd {
    /// Who won, if anybody.
    pub const fn winner(self) -> Option<Color> {
        match self {
            GameEnd::Five(color) => Some(color),
            GameEnd::Forbidden(_) => Some(Color::White),
            GameEnd::Draw => None,
        }
    }
}

impl fmt::Display for GameEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            GameEnd::Five(color) => write!(f, "{color} wins with five in a row"),
            GameEnd::Forbidden(kind) => write!(f, "White wins: Black played a forbidden point ({kind})"),
            GameEnd::Draw => f.write_str("a draw: the board is full"),
        }
    }
}

/// Why a move cannot be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum IllegalMove {
    /// The point is not on this board.
    OffBoard,
    /// A stone stands there.
    Occupied,
    /// The game is over.
    GameOver,
}

impl fmt::Display for IllegalMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            IllegalMove::OffBoard => "the point is off the board",
            IllegalMove::Occupied => "the point is occupied",
            IllegalMove::GameOver => "the game is already over",
        })
    }
}

impl std::error::Error for IllegalMove {}

/// A position with its history.
#[derive(Clone)]
pub struct Board {
    tables: &'static Tables,
    rule: Rule,
    size: Size,
    to_move: Color,
    end: Option<GameEnd>,
    hash: u64,
    cells: [Cell; GRID],
    /// Per direction, the cells around each cell; see `lines::table`.
    codes: [[u32; GRID]; 4],
    /// Per cell one byte per direction: Black's pattern in the low four bits, White's in the high.
    patterns: [[u8; 4]; GRID],
    classes: [[Class; 2]; GRID],
    /// The empty cells of each class, per colour.
    sets: [[PointSet; Class::COUNT]; 2],
    counts: [[u16; Class::COUNT]; 2],
    stones: [PointSet; 2],
    empty: PointSet,
    stone_count: usize,
    /// Moves since the set-up, passes as `None`.
    moves: Vec<Option<Point>>,
}

impl Board {
    /// An empty board with Black to move.
    pub fn new(size: Size, rule: Rule) -> Board {
        let mut board = Board {
            tables: tables(rule),
            rule,
            size,
            to_move: Color::Black,
            end: None,
            hash: 0,
            cells: [Cell::Wall; GRID],
            codes: [[0; GRID]; 4],
            patterns: [[0; 4]; GRID],
            classes: [[Class::None; 2]; GRID],
            sets: [[PointSet::EMPTY; Class::COUNT]; 2],
            counts: [[0; Class::COUNT]; 2],
            stones: [PointSet::EMPTY; 2],
            empty: PointSet::EMPTY,
            stone_count: 0,
            moves: Vec::new(),
        };
        for point in size.points() {
            board.cells[point.index()] = Cell::Empty;
            board.empty.insert(point);
        }
        for point in size.points() {
            board.read_lines(point);
            board.enter_classes(point.index());
        }
        board
    }

    /// A board with stones set up in no particular order. Overlapping or off-board stones are an error; a finished
    /// row among them is not looked for.
    pub fn from_stones(
        size: Size,
        rule: Rule,
        black: &[Point],
        white: &[Point],
        to_move: Color,
    ) -> Result<Board, IllegalMove> {
        let mut board = Board::new(size, rule);
        for (color, points) in [(Color::Black, black), (Color::White, white)] {
            for &point in points {
                board.check_empty(point)?;
                board.put(point, color);
            }
        }
        board.to_move = to_move;
        board.hash ^= if to_move == Color::White { zobrist::WHITE_TO_MOVE } else { 0 };
        if board.empty.is_empty() {
            board.end = Some(GameEnd::Draw);
        }
        Ok(board)
    }

    /// A board after a sequence of moves from the empty board.
    pub fn from_moves(size: Size, rule: Rule, moves: &[Point]) -> Result<Board, (usize, IllegalMove)> {
        let mut board = Board::new(size, rule);
        for (ply, &point) in moves.iter().enumerate() {
            board.play(point).map_err(|error| (ply, error))?;
        }
        Ok(board)
    }

    /// Plays a move for the side to move and says whether that ended the game. A forbidden point may be played by
    /// Black and loses.
    pub fn play(&mut self, point: Point) -> Result<Option<GameEnd>, IllegalMove> {
        if self.end.is_some() {
            return Err(IllegalMove::GameOver);
        }
        self.check_empty(point)?;
        let color = self.to_move;
        let end = if self.class(color, point) == Class::Five {
            Some(GameEnd::Five(color))
        } else if let Some(kind) = self.forbidden(point).filter(|_| self.rule.restricts(color)) {
            Some(GameEnd::Forbidden(kind))
        } else {
            (self.stone_count + 1 == self.size.cells()).then_some(GameEnd::Draw)
        };
        self.play_unchecked(point);
        self.end = end;
        Ok(end)
    }

    /// Plays a move that is known to be on an empty point, without asking whether it ends the game.
    pub fn play_unchecked(&mut self, point: Point) {
        debug_assert_eq!(self.cells[point.index()], Cell::Empty);
        self.put(point, self.to_move);
        self.moves.push(Some(point));
        self.turn_over();
    }

    /// Gives the turn to the other side without a stone.
    pub fn pass(&mut self) {
        self.moves.push(None);
        self.turn_over();
    }

    /// Takes the last move back and says what it was; nothing when there is none since the set-up.
    pub fn undo(&mut self) -> Option<Option<Point>> {
        let last = self.moves.pop()?;
        self.turn_over();
        self.end = None;
        if let Some(point) = last {
            self.take(point, self.to_move);
        }
        Some(last)
    }

    /// The rule of play.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The board's size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Whose turn it is.
    pub fn to_move(&self) -> Color {
        self.to_move
    }

    /// How the game ended, if it has.
    pub fn end(&self) -> Option<GameEnd> {
        self.end
    }

    /// Moves since the set-up, passes as `None`.
    pub fn moves(&self) -> &[Option<Point>] {
        &self.moves
    }

    /// The last stone played.
    pub fn last_move(&self) -> Option<Point> {
        self.moves.last().copied().flatten()
    }

    /// How many stones stand on the board.
    pub fn stone_count(&self) -> usize {
        self.stone_count
    }

    /// The stone on a point.
    pub fn stone(&self, point: Point) -> Option<Color> {
        match self.cells[point.index()] {
            Cell::Black => Some(Color::Black),
            Cell::White => Some(Color::White),
            Cell::Empty | Cell::Wall => None,
        }
    }

    /// Whether the point is on the board and empty.
    pub fn is_empty(&self, point: Point) -> bool {
        self.cells[point.index()] == Cell::Empty
    }

    /// The points a side's stones stand on.
    pub fn stones(&self, color: Color) -> &PointSet {
        &self.stones[color.index()]
    }

    /// The empty points.
    pub fn empty(&self) -> &PointSet {
        &self.empty
    }

    /// The empty points within `radius` steps of a stone; the centre on an empty board.
    pub fn near(&self, radius: usize) -> PointSet {
        if self.stone_count == 0 {
            return PointSet::from_iter([self.size.centre()]);
        }
        self.stones[0].union(&self.stones[1]).grown(radius).intersection(&self.empty)
    }

    /// A hash of the stones and the side to move.
    pub fn hash(&self) -> u64 {
        self.hash
    }

    /// What `color` would get on the line through a point by putting a stone there (whatever stands there now).
    pub fn pattern(&self, color: Color, point: Point, direction: Direction) -> Pattern {
        let both = self.patterns[point.index()][direction.index()];
        Pattern::from_bits(both >> (4 * color.index()) & 15)
    }

    /// The ten cells around a point along a direction, two bits each from the far end of the line's start (0 empty,
    /// 1 black, 2 white, 3 outside the board).
    pub fn line_code(&self, point: Point, direction: Direction) -> u32 {
        self.codes[direction.index()][point.index()]
    }

    /// The four patterns of `color` at a point packed four bits each, direction 0 lowest.
    pub fn pattern_key(&self, color: Color, point: Point) -> u16 {
        pack(self.patterns[point.index()], color)
    }

    /// What an empty point is worth to a side; [`Class::None`] on a stone.
    pub fn class(&self, color: Color, point: Point) -> Class {
        self.classes[point.index()][color.index()]
    }

    /// The empty points of a class.
    pub fn cells(&self, color: Color, class: Class) -> &PointSet {
        &self.sets[color.index()][class.index()]
    }

    /// How many empty points are of a class.
    pub fn count(&self, color: Color, class: Class) -> usize {
        self.counts[color.index()][class.index()].into()
    }

    /// How many empty points are of each class.
    pub fn counts(&self, color: Color) -> &[u16; Class::COUNT] {
        &self.counts[color.index()]
    }

    /// The empty points of any of several classes.
    pub fn cells_of(&self, color: Color, classes: &[Class]) -> PointSet {
        classes
            .iter()
            .filter(|&&class| self.count(color, class) > 0)
            .fold(PointSet::EMPTY, |set, &class| set.union(self.cells(color, class)))
    }

    fn check_empty(&self, point: Point) -> Result<(), IllegalMove> {
        match self.cells[point.index()] {
            Cell::Empty => Ok(()),
            Cell::Wall => Err(IllegalMove::OffBoard),
            Cell::Black | Cell::White => Err(IllegalMove::Occupied),
        }
    }

    fn turn_over(&mut self) {
        self.to_move = !self.to_move;
        self.hash ^= zobrist::WHITE_TO_MOVE;
    }

    /// Puts a stone on an empty point, without a turn.
    pub(crate) fn put(&mut self, point: Point, color: Color) {
        let index = point.index();
        self.leave_classes(index);
        self.cells[index] = Cell::of(color);
        self.stones[color.index()].insert(point);
        self.empty.remove(point);
        self.stone_count += 1;
        self.hash ^= zobrist::stone(color, point);
        self.toggle_in_lines(point, color);
    }

    /// Takes a stone away again, without a turn.
    pub(crate) fn take(&mut self, point: Point, color: Color) {
        let index = point.index();
        self.toggle_in_lines(point, color);
        self.cells[index] = Cell::Empty;
        self.stones[color.index()].remove(point);
        self.empty.insert(point);
        self.stone_count -= 1;
        self.hash ^= zobrist::stone(color, point);
        self.enter_classes(index);
    }

    /// Flips a stone in the codes of every cell that sees it, and follows the patterns and classes that change.
    fn toggle_in_lines(&mut self, point: Point, color: Color) {
        let last = self.size.side() - 1;
        let (left, up) = (point.x(), point.y());
        let (right, down) = (last - left, last - up);
        let reach =
            [(left, right), (up, down), (left.min(up), right.min(down)), (left.min(down), right.min(up))];
        let digit = Cell::of(color) as u32;
        for direction in Direction::ALL {
            let step = direction.step();
            let (before, after) = reach[direction.index()];
            for distance in 1..=before.min(MARGIN) {
                let index = (point.index() as isize - distance as isize * step) as usize;
                self.toggle_slot(direction, index, digit << (2 * (MARGIN - 1 + distance)));
            }
            for distance in 1..=after.min(MARGIN) {
                let index = (point.index() as isize + distance as isize * step) as usize;
                self.toggle_slot(direction, index, digit << (2 * (MARGIN - distance)));
            }
        }
    }

    #[inline(always)]
    fn toggle_slot(&mut self, direction: Direction, index: usize, bits: u32) {
        let d = direction.index();
        let index = index % GRID;
        let code = self.codes[d][index] ^ bits;
        self.codes[d][index] = code;
        let pattern = self.tables.lines[code as usize % self.tables.lines.len()];
        if pattern != self.patterns[index][d] {
            self.patterns[index][d] = pattern;
            if self.cells[index] == Cell::Empty {
                self.update_classes(index);
            }
        }
    }

    #[inline]
    fn update_classes(&mut self, index: usize) {
        for color in Color::BOTH {
            let key = pack(self.patterns[index], color);
            let class = Class::from_bits(self.tables.classes[color.index()][key as usize]);
            let old = self.classes[index][color.index()];
            if class != old {
                self.move_class(index, color, old, class);
            }
        }
    }

    #[inline]
    fn move_class(&mut self, index: usize, color: Color, old: Class, new: Class) {
        let c = color.index();
        self.classes[index][c] = new;
        self.sets[c][old.index()].toggle_off(index);
        self.sets[c][new.index()].toggle_on(index);
        self.counts[c][old.index()] -= 1;
        self.counts[c][new.index()] += 1;
    }

    /// Counts a cell that became empty.
    fn enter_classes(&mut self, index: usize) {
        for color in Color::BOTH {
            let key = pack(self.patterns[index], color);
            let class = Class::from_bits(self.tables.classes[color.index()][key as usize]);
            let c = color.index();
            self.classes[index][c] = class;
            self.sets[c][class.index()].toggle_on(index);
            self.counts[c][class.index()] += 1;
        }
    }

    /// Stops counting a cell that is to be occupied.
    fn leave_classes(&mut self, index: usize) {
        for color in Color::BOTH {
            let c = color.index();
            let class = self.classes[index][c];
            self.sets[c][class.index()].toggle_off(index);
            self.counts[c][class.index()] -= 1;
            self.classes[index][c] = Class::None;
        }
    }

    /// Reads the line codes of a cell from the board.
    fn read_lines(&mut self, point: Point) {
        for direction in Direction::ALL {
            let mut code = 0;
            for distance in (-(MARGIN as isize)..=MARGIN as isize).filter(|&d| d != 0).rev() {
                let index = (point.index() as isize + distance * direction.step()) as usize;
                code = code << 2 | self.cells[index] as u32;
            }
            self.codes[direction.index()][point.index()] = code;
            self.patterns[point.index()][direction.index()] = self.tables.lines[code as usize];
        }
    }
}

#[inline]
fn pack(patterns: [u8; 4], color: Color) -> u16 {
    let nibbles = u32::from_le_bytes(patterns) >> (4 * color.index()) & 0x0f0f_0f0f;
    let pairs = (nibbles | nibbles >> 4) & 0x00ff_00ff;
    (pairs | pairs >> 8) as u16
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}x{}, {} to move\n{self}", self.rule, self.size, self.size, self.to_move)
    }
}

const _: () = assert!(MARGIN + 22 + MARGIN == STRIDE);
