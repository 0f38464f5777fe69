//! The position: stones, side to move, hash, and the line patterns of every cell, kept up to date move by move.

use crate::bits::PointSet;
use crate::cell::Occupant;
use crate::lines::{
    CODES, Class, Direction, LinePatterns, Lines, NeighbourBytes, Pattern, Tables, code_at, nonzero_bytes,
    strong_changes, tables,
};
use crate::point::{GRID, MARGIN, STRIDE};
use crate::threats::Threats;
use crate::{Color, GameEnd, IllegalMove, Point, Rule, Size, zobrist};
use std::fmt;

/// A position with its history.
#[derive(Clone)]
pub struct Board {
    tables: &'static Tables,
    rule: Rule,
    size: Size,
    to_move: Color,
    end: Option<GameEnd>,
    hash: u64,
    occupants: [Occupant; GRID],
    lines: Lines,
    patterns: LinePatterns,
    threats: Threats,
    stones: [PointSet; 2],
    empty: PointSet,
    stone_count: usize,
    /// Moves since the set-up, passes as `None`.
    moves: Vec<Option<Point>>,
    /// While set, cells whose patterns are weak before and after a stone are not brought up to date.
    threats_only: bool,
    /// How far a stone is seen along its lines under this rule.
    reach: usize,
    /// What each stone changed in the patterns along its four lines, for taking it away again.
    changes: Vec<[NeighbourBytes; 4]>,
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
            occupants: [Occupant::Wall; GRID],
            lines: Lines::new(size),
            patterns: LinePatterns::DEAD,
            threats: Threats::NONE,
            stones: [PointSet::EMPTY; 2],
            empty: PointSet::EMPTY,
            stone_count: 0,
            moves: Vec::new(),
            threats_only: false,
            // Only where six in a row are not five does it matter what stands behind a five's end.
            reach: if rule == Rule::Freestyle { MARGIN - 1 } else { MARGIN },
            changes: Vec::new(),
        };
        for point in size.points() {
            for direction in Direction::ALL {
                let pair = board.tables.lines[board.lines.code(point, direction) as usize];
                board.patterns.set(point, direction, pair);
            }
            board.occupy(point, Occupant::Nothing);
            board.empty.insert(point);
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
        board.changes.clear();
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
        debug_assert!(self.is_empty(point));
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

    /// Lets a search try moves faster that asks for nothing but threats: inside, patterns below a three, and classes
    /// below an open three, may be out of date. The search must undo all its moves.
    pub fn with_threats_only<T>(&mut self, search: impl FnOnce(&mut Board) -> T) -> T {
        let (outer, plies) = (std::mem::replace(&mut self.threats_only, true), self.moves.len());
        let found = search(self);
        self.threats_only = outer;
        assert_eq!(self.moves.len(), plies, "the search took all its moves back");
        found
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
        match self.occupants[point.index()] {
            Occupant::Black => Some(Color::Black),
            Occupant::White => Some(Color::White),
            Occupant::Nothing | Occupant::Wall => None,
        }
    }

    /// Whether the point is on the board and empty.
    pub fn is_empty(&self, point: Point) -> bool {
        self.occupants[point.index()] == Occupant::Nothing
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

    /// The hash after the side to move plays a point.
    pub fn hash_after(&self, point: Point) -> u64 {
        self.hash ^ zobrist::stone(self.to_move, point) ^ zobrist::WHITE_TO_MOVE
    }

    /// What `color` would get on the line through a point by putting a stone there (whatever stands there now).
    pub fn pattern(&self, color: Color, point: Point, direction: Direction) -> Pattern {
        self.patterns.pattern(color, point, direction)
    }

    /// The ten cells around a point along a direction, two bits each from the far end of the line's start (0 empty,
    /// 1 black, 2 white, 3 outside the board).
    pub fn line_code(&self, point: Point, direction: Direction) -> u32 {
        self.lines.code(point, direction)
    }

    /// The four patterns of `color` at a point packed four bits each, direction 0 lowest.
    pub fn pattern_key(&self, color: Color, point: Point) -> u16 {
        self.pattern_keys(point)[color.index()]
    }

    /// The packed patterns of Black and of White at a point.
    #[inline]
    pub fn pattern_keys(&self, point: Point) -> [u16; 2] {
        if self.threats_only { self.patterns.keys_along_lines(point) } else { self.patterns.keys(point) }
    }

    /// What an empty point is worth to a side; [`Class::None`] on a stone.
    pub fn class(&self, color: Color, point: Point) -> Class {
        self.classes(point)[color.index()]
    }

    /// What a point is worth to Black and to White.
    #[inline]
    pub fn classes(&self, point: Point) -> [Class; 2] {
        if self.is_empty(point) { self.classes_of(self.pattern_keys(point)) } else { [Class::None; 2] }
    }

    /// What an empty point with these pattern keys is worth to Black and to White.
    #[inline]
    pub fn classes_of(&self, keys: [u16; 2]) -> [Class; 2] {
        let [black, white] = self.class_numbers(keys);
        let class = |number: u8| Class::ALL[usize::from(number) % Class::COUNT];
        [class(black), class(white)]
    }

    #[inline(always)]
    fn class_numbers(&self, keys: [u16; 2]) -> [u8; 2] {
        let [black, white] = self.tables.classes;
        [black[usize::from(keys[0])], white[usize::from(keys[1])]]
    }

    /// The empty points of a class.
    pub fn cells(&self, color: Color, class: Class) -> PointSet {
        if class.is_threat() {
            *self.threats.set(color, class)
        } else {
            self.empty.iter().filter(|&point| self.class(color, point) == class).collect()
        }
    }

    /// How many empty points are of a class.
    pub fn count(&self, color: Color, class: Class) -> usize {
        if class.is_threat() {
            self.threats.count(color, class)
        } else {
            self.empty.iter().filter(|&point| self.class(color, point) == class).count()
        }
    }

    /// How many empty points are of each class.
    pub fn counts(&self, color: Color) -> [u16; Class::COUNT] {
        let mut counts = [0; Class::COUNT];
        for point in self.empty.iter() {
            counts[self.class(color, point).index()] += 1;
        }
        counts
    }

    /// The empty points of any of several classes.
    pub fn cells_of(&self, color: Color, classes: &[Class]) -> PointSet {
        classes
            .iter()
            .filter(|&&class| self.count(color, class) > 0)
            .fold(PointSet::EMPTY, |set, &class| set.union(&self.cells(color, class)))
    }

    fn check_empty(&self, point: Point) -> Result<(), IllegalMove> {
        match self.occupants[point.index()] {
            Occupant::Nothing => Ok(()),
            Occupant::Wall => Err(IllegalMove::OffBoard),
            Occupant::Black | Occupant::White => Err(IllegalMove::Occupied),
        }
    }

    fn turn_over(&mut self) {
        self.to_move = !self.to_move;
        self.hash ^= zobrist::WHITE_TO_MOVE;
    }

    /// Puts a stone on an empty point, without a turn.
    pub(crate) fn put(&mut self, point: Point, color: Color) {
        self.occupy(point, Occupant::stone(color));
        self.stones[color.index()].insert(point);
        self.empty.remove(point);
        self.stone_count += 1;
        self.hash ^= zobrist::stone(color, point);
        self.lines.toggle(point, Occupant::stone(color) as u64);
        let changes = if self.threats_only {
            let changes = self.changes_around::<true>(point);
            self.change_patterns_around::<true>(point, &changes);
            changes
        } else {
            let changes = self.changes_around::<false>(point);
            self.change_patterns_around::<false>(point, &changes);
            changes
        };
        self.changes.push(changes);
    }

    /// Takes the stone put last away again, without a turn.
    pub(crate) fn take(&mut self, point: Point, color: Color) {
        let changes = self.changes.pop().expect("every stone put noted its changes");
        if self.threats_only {
            self.change_patterns_around::<true>(point, &changes);
        } else {
            self.change_patterns_around::<false>(point, &changes);
        }
        self.lines.toggle(point, Occupant::stone(color) as u64);
        self.stones[color.index()].remove(point);
        self.empty.insert(point);
        self.stone_count -= 1;
        self.hash ^= zobrist::stone(color, point);
        self.occupy(point, Occupant::Nothing);
    }

    fn occupy(&mut self, point: Point, occupant: Occupant) {
        self.occupants[point.index()] = occupant;
        self.threats.update(point.index(), self.classes(point).map(|class| class as u8));
    }

    /// What a stone that was put on a point changes in the patterns of every cell that sees it.
    #[inline(always)]
    fn changes_around<const THREATS_ONLY: bool>(&self, point: Point) -> [NeighbourBytes; 4] {
        let last = self.size.side() - 1;
        let (left, up) = (point.x(), point.y());
        let (right, down) = (last - left, last - up);
        let along = |direction, before: usize, after: usize| {
            self.changes_along::<THREATS_ONLY>(
                point,
                direction,
                before.min(self.reach),
                after.min(self.reach),
            )
        };
        [
            along(Direction::Horizontal, left, right),
            along(Direction::Vertical, up, down),
            along(Direction::Falling, left.min(up), right.min(down)),
            along(Direction::Rising, left.min(down), right.min(up)),
        ]
    }

    /// The same of one line, on which the stone is seen by so many cells before and after it.
    #[inline(always)]
    fn changes_along<const THREATS_ONLY: bool>(
        &self,
        point: Point,
        direction: Direction,
        before: usize,
        after: usize,
    ) -> NeighbourBytes {
        let (line, at) = self.lines.line(point, direction);
        let entry = |position: usize| u64::from(self.tables.lines[code_at(line, position) as usize % CODES]);
        // All five cells each way are looked up and those that do not count masked out: that takes no branches.
        let mut patterns = [0; 2];
        for cell in (0..=2 * MARGIN).filter(|&cell| cell != MARGIN) {
            patterns[cell / 8] |= entry(at + cell - MARGIN) << (8 * (cell % 8));
        }
        let old = self.patterns.around(point, direction);
        let counted = COUNTED[before][after];
        let change = |word: usize| {
            let change = (patterns[word] ^ old[word]) & counted[word];
            if THREATS_ONLY { strong_changes(old[word], change) } else { change }
        };
        [change(0), change(1)]
    }

    /// Makes the changes of a stone, or takes them back, and keeps the threats in step.
    #[inline(always)]
    fn change_patterns_around<const THREATS_ONLY: bool>(
        &mut self,
        point: Point,
        changes: &[NeighbourBytes; 4],
    ) {
        let mut touched = self.change_patterns_along::<THREATS_ONLY>(point, Direction::Horizontal, changes)
            | self.change_patterns_along::<THREATS_ONLY>(point, Direction::Vertical, changes)
            | self.change_patterns_along::<THREATS_ONLY>(point, Direction::Falling, changes)
            | self.change_patterns_along::<THREATS_ONLY>(point, Direction::Rising, changes);
        while touched != 0 {
            let neighbour = NEIGHBOURS[touched.trailing_zeros() as usize % 64];
            touched &= touched - 1;
            let index = point.index().wrapping_add(neighbour) % GRID;
            if self.occupants[index] == Occupant::Nothing {
                let keys = self.patterns.keys_along_lines(Point::from_index(index));
                self.threats.update(index, self.class_numbers(keys));
            }
        }
    }

    /// The same of one line. Returns which neighbours may threaten something else now, as bits of [`NEIGHBOURS`].
    #[inline(always)]
    fn change_patterns_along<const THREATS_ONLY: bool>(
        &mut self,
        point: Point,
        direction: Direction,
        changes: &[NeighbourBytes; 4],
    ) -> u64 {
        let (old, change) = (self.patterns.around(point, direction), changes[direction.index()]);
        let new = [old[0] ^ change[0], old[1] ^ change[1]];
        self.patterns.set_line(point, direction, new);
        if !THREATS_ONLY {
            self.patterns.set_cells(point, direction, new);
        }
        let strong = [strong_changes(old[0], change[0]), strong_changes(old[1], change[1])];
        (nonzero_bytes(strong[0]) | nonzero_bytes(strong[1]) << 8) << (16 * direction.index())
    }
}

/// The bytes of the neighbours on a line that see a stone, by how many do before and after it.
const COUNTED: [[NeighbourBytes; MARGIN + 1]; MARGIN + 1] = {
    let mut masks = [[[0; 2]; MARGIN + 1]; MARGIN + 1];
    let mut at = 0;
    while at < (MARGIN + 1) * (MARGIN + 1) {
        let (before, after) = (at / (MARGIN + 1), at % (MARGIN + 1));
        let mut cell = MARGIN - before;
        while cell <= MARGIN + after {
            if cell != MARGIN {
                masks[before][after][cell / 8] |= 0xff << (8 * (cell % 8));
            }
            cell += 1;
        }
        at += 1;
    }
    masks
};

/// How far on the grid the neighbours of a cell are, by direction and in the order of their bytes.
const NEIGHBOURS: [usize; 64] = {
    let mut steps = [0; 64];
    let mut at = 0;
    while at < steps.len() {
        let distance = (at % 16) as isize - MARGIN as isize;
        steps[at] = (Direction::ALL[at / 16].step() * distance) as usize;
        at += 1;
    }
    steps
};

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}x{}, {} to move\n{self}", self.rule, self.size, self.size, self.to_move)
    }
}

const _: () = assert!(MARGIN + 22 + MARGIN == STRIDE);
