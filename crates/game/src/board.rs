//! The position: stones, side to move, hash, and the line patterns of every cell, kept up to date move by move.

use crate::bits::PointSet;
use crate::cell::{Cell, Occupant};
use crate::lines::{CODES, Class, Direction, LineWords, Lines, Pattern, Tables, line_window, tables};
use crate::point::{GRID, MARGIN, STRIDE};
use crate::{Color, GameEnd, IllegalMove, IllegalSequence, Played, Point, Rule, Size, zobrist};
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
    cells: [Cell; GRID],
    lines: Lines,
    /// The empty cells of each threatening class, per colour. Weaker classes change with nearly every stone and are
    /// asked for seldom: they are counted on demand.
    threats: [[PointSet; Class::THREATS]; 2],
    threat_counts: [[u16; Class::THREATS]; 2],
    stones: [PointSet; 2],
    empty: PointSet,
    stone_count: usize,
    /// Moves since the set-up, passes as `None`.
    moves: Vec<Option<Point>>,
    /// While set, cells whose patterns are weak before and after a stone are not brought up to date.
    threats_only: bool,
    /// How far a stone is seen along its lines under this rule.
    reach: usize,
    /// Cells as they were before stones changed them, for taking the stones away again: the first `change_count`
    /// count, and `change_starts` holds where each stone's begin.
    changes: Vec<Cell>,
    change_count: usize,
    change_starts: Vec<u32>,
}

/// Room made for changes at a time.
const CHANGES_AHEAD: usize = 1024;

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
            cells: std::array::from_fn(Cell::wall),
            lines: Lines::new(size),
            threats: [[PointSet::EMPTY; Class::THREATS]; 2],
            threat_counts: [[0; Class::THREATS]; 2],
            stones: [PointSet::EMPTY; 2],
            empty: PointSet::EMPTY,
            stone_count: 0,
            moves: Vec::new(),
            threats_only: false,
            // Only where six in a row are not five does it matter what stands behind a five's end.
            reach: if rule == Rule::Freestyle { MARGIN - 1 } else { MARGIN },
            changes: Vec::new(),
            change_count: 0,
            change_starts: Vec::new(),
        };
        for point in size.points() {
            let mut cell = Cell::wall(point.index()).occupied_by(Occupant::Nothing);
            for direction in Direction::ALL {
                let pair = board.tables.lines[board.lines.code(point, direction) as usize];
                cell = cell.with_pattern_pair(direction, pair);
            }
            board.replace(board.classed(cell));
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
        board.change_count = 0;
        board.change_starts.clear();
        board.to_move = to_move;
        board.hash ^= if to_move == Color::White { zobrist::WHITE_TO_MOVE } else { 0 };
        if board.empty.is_empty() {
            board.end = Some(GameEnd::Draw);
        }
        Ok(board)
    }

    /// A board after a sequence of moves from the empty board.
    pub fn from_moves(size: Size, rule: Rule, moves: &[Point]) -> Result<Board, IllegalSequence> {
        let mut board = Board::new(size, rule);
        for (ply, &point) in moves.iter().enumerate() {
            board.play(point).map_err(|reason| IllegalSequence { ply, point, reason })?;
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
        } else if let Some(kind) = self.forbidden_to(color, point) {
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
    pub fn undo(&mut self) -> Option<Played> {
        let last = self.moves.pop()?;
        self.turn_over();
        self.end = None;
        let Some(point) = last else { return Some(Played::Pass) };
        self.take(point, self.to_move);
        Some(Played::Stone(point))
    }

    /// Lets a search try moves faster that asks for nothing but threats: inside, patterns below a
    /// three, those on stones, and classes below an open three may be out of date. The search must
    /// undo all its moves.
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
        match self.cell(point).occupant() {
            Occupant::Black => Some(Color::Black),
            Occupant::White => Some(Color::White),
            Occupant::Nothing | Occupant::Wall => None,
        }
    }

    /// Whether the point is on the board and empty.
    pub fn is_empty(&self, point: Point) -> bool {
        self.cell(point).is_empty()
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
        Pattern::from_bits((self.pattern_key(color, point) >> (4 * direction.index()) & 15) as u8)
    }

    /// The ten cells around a point along a direction, two bits each from the far end of the line's start (0 empty,
    /// 1 black, 2 white, 3 outside the board).
    pub fn line_code(&self, point: Point, direction: Direction) -> u32 {
        self.lines.code(point, direction)
    }

    /// All lines of a direction as words, two bits a cell in the same meaning.
    pub fn line_words(&self, direction: Direction) -> &LineWords {
        self.lines.words(direction)
    }

    /// The four patterns of `color` at a point packed four bits each, direction 0 lowest.
    pub fn pattern_key(&self, color: Color, point: Point) -> u16 {
        self.cell(point).pattern_key(color)
    }

    /// The packed patterns of Black and of White.
    #[inline]
    pub fn pattern_keys(&self, point: Point) -> [u16; 2] {
        let cell = self.cell(point);
        [cell.pattern_key(Color::Black), cell.pattern_key(Color::White)]
    }

    /// What an empty point is worth to a side; [`Class::None`] on a stone.
    pub fn class(&self, color: Color, point: Point) -> Class {
        let cell = self.cell(point);
        if cell.is_empty() { self.tables.class(color, cell.pattern_key(color)) } else { Class::None }
    }

    /// What an empty point with these pattern keys of Black and of White is worth to them.
    #[inline]
    pub fn classes_of(&self, keys: [u16; 2]) -> [Class; 2] {
        [self.tables.class(Color::Black, keys[0]), self.tables.class(Color::White, keys[1])]
    }

    /// The empty points of a class.
    pub fn cells(&self, color: Color, class: Class) -> PointSet {
        match class.threat_index() {
            Some(threat) => self.threats[color.index()][threat],
            None => self.empty.iter().filter(|&point| self.class(color, point) == class).collect(),
        }
    }

    /// How many empty points are of a class.
    pub fn count(&self, color: Color, class: Class) -> usize {
        match class.threat_index() {
            Some(threat) => self.threat_counts[color.index()][threat].into(),
            None => self.empty.iter().filter(|&point| self.class(color, point) == class).count(),
        }
    }

    /// How many empty points are of each class, for Black and for White.
    pub fn counts(&self) -> [[u16; Class::COUNT]; 2] {
        let mut counts = [[0; Class::COUNT]; 2];
        for point in self.empty.iter() {
            let [black, white] = self.classes_of(self.pattern_keys(point));
            counts[0][black.index()] += 1;
            counts[1][white.index()] += 1;
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
        match self.cell(point).occupant() {
            Occupant::Nothing => Ok(()),
            Occupant::Wall => Err(IllegalMove::OffBoard),
            Occupant::Black | Occupant::White => Err(IllegalMove::Occupied),
        }
    }

    #[inline(always)]
    fn cell(&self, point: Point) -> Cell {
        self.cells[point.index()]
    }

    fn turn_over(&mut self) {
        self.to_move = !self.to_move;
        self.hash ^= zobrist::WHITE_TO_MOVE;
    }

    /// Puts a stone on an empty point, without a turn.
    pub(crate) fn put(&mut self, point: Point, color: Color) {
        let stone = Occupant::stone(color);
        self.replace(self.cell(point).occupied_by(stone).with_classes([0; 2]));
        self.stones[color.index()].insert(point);
        self.empty.remove(point);
        self.stone_count += 1;
        self.hash ^= zobrist::stone(color, point);
        self.change_starts.push(self.change_count as u32);
        self.lines.toggle(point, stone as u64);
        if self.threats_only {
            self.read_patterns_around::<true>(point);
        } else {
            self.read_patterns_around::<false>(point);
        }
    }

    /// Takes the stone put last away again, without a turn.
    pub(crate) fn take(&mut self, point: Point, color: Color) {
        let start = self.change_starts.pop().expect("every stone put noted its changes") as usize;
        for at in start..self.change_count {
            self.replace(self.changes[at]);
        }
        self.change_count = start;
        self.lines.toggle(point, Occupant::stone(color) as u64);
        self.stones[color.index()].remove(point);
        self.empty.insert(point);
        self.stone_count -= 1;
        self.hash ^= zobrist::stone(color, point);
        self.replace(self.classed(self.cell(point).occupied_by(Occupant::Nothing)));
    }

    /// Looks up the patterns of every cell that sees a point, and notes what changes.
    fn read_patterns_around<const THREATS_ONLY: bool>(&mut self, point: Point) {
        let last = self.size.side() - 1;
        let (left, up) = (point.x(), point.y());
        let (right, down) = (last - left, last - up);
        if self.changes.len() < self.change_count + 8 * MARGIN {
            self.changes.resize(self.change_count + CHANGES_AHEAD, Cell::default());
        }
        let along = Self::read_patterns_along::<THREATS_ONLY>;
        along(self, point, Direction::Horizontal, left, right);
        along(self, point, Direction::Vertical, up, down);
        along(self, point, Direction::Falling, left.min(up), right.min(down));
        along(self, point, Direction::Rising, left.min(down), right.min(up));
    }

    #[inline(always)]
    fn read_patterns_along<const THREATS_ONLY: bool>(
        &mut self,
        point: Point,
        direction: Direction,
        before: usize,
        after: usize,
    ) {
        let (line, at) = self.lines.line(point, direction);
        if THREATS_ONLY && !line_can_threaten(line, at) {
            return;
        }
        let step = direction.step() as usize;
        let before = before.min(self.reach);
        let mut index = point.index().wrapping_sub(before.wrapping_mul(step));
        let mut cells = line >> (2 * (at - before - MARGIN));
        for _ in 0..before {
            self.read_pattern::<THREATS_ONLY>(index % GRID, direction, cells);
            index = index.wrapping_add(step);
            cells >>= 2;
        }
        for _ in 0..after.min(self.reach) {
            index = index.wrapping_add(step);
            cells >>= 2;
            self.read_pattern::<THREATS_ONLY>(index % GRID, direction, cells);
        }
    }

    /// Looks up the patterns of a cell on one line. `cells` are the line's from five before it on.
    #[inline(always)]
    fn read_pattern<const THREATS_ONLY: bool>(&mut self, index: usize, direction: Direction, cells: u64) {
        let old = self.cells[index];
        if THREATS_ONLY && !old.is_empty() {
            return;
        }
        let pair = self.tables.lines[line_window(cells, MARGIN) as usize % CODES];
        if old.pattern_pair(direction) == pair {
            return;
        }
        let matters = MATTERS_FOR_THREATS[usize::from(pair)]
            | MATTERS_FOR_THREATS[usize::from(old.pattern_pair(direction))];
        if THREATS_ONLY && !matters {
            return;
        }
        let new = old.with_pattern_pair(direction, pair);
        self.changes[self.change_count] = old;
        self.change_count += 1;
        if matters && old.is_empty() {
            self.exchange(index, old, self.classed(new));
        } else {
            self.cells[index] = new;
        }
    }

    /// Exchanges what is known of a cell and keeps the threats in step.
    #[inline(always)]
    fn replace(&mut self, new: Cell) {
        self.exchange(new.index(), self.cells[new.index()], new);
    }

    #[inline(always)]
    fn exchange(&mut self, index: usize, old: Cell, new: Cell) {
        self.cells[index] = new;
        if old.threats_differ(new) {
            self.move_threats(index, old.classes(), new.classes());
        }
    }

    /// A cell with the classes of its patterns.
    #[inline(always)]
    fn classed(&self, cell: Cell) -> Cell {
        let [black, white] = self.tables.classes;
        cell.with_classes([
            black[usize::from(cell.pattern_key(Color::Black))],
            white[usize::from(cell.pattern_key(Color::White))],
        ])
    }

    fn move_threats(&mut self, index: usize, old: [u8; 2], new: [u8; 2]) {
        for color in 0..2 {
            if old[color] != new[color] {
                if let Some(threat) = Class::ALL[usize::from(old[color])].threat_index() {
                    self.threats[color][threat].toggle_off(index);
                    self.threat_counts[color][threat] -= 1;
                }
                if let Some(threat) = Class::ALL[usize::from(new[color])].threat_index() {
                    self.threats[color][threat].toggle_on(index);
                    self.threat_counts[color][threat] += 1;
                }
            }
        }
    }
}

/// Whether a stone just put at a place of a line can matter for a threat on it. Around the stone,
/// as far as a cell that sees it sees, there must be another stone of its colour or two of the
/// other: with fewer no cell has had or gets a three.
#[inline(always)]
fn line_can_threaten(line: u64, at: usize) -> bool {
    const SEEN: usize = 2 * MARGIN;
    const LOW: u64 = 0x5555_5555_5555_5555;
    const WINDOW: u64 = (1 << (2 * (2 * SEEN + 1))) - 1;
    let stone = line >> (2 * at) & 3;
    // Cells before the line's first are outside the board.
    let window = if at >= SEEN { line >> (2 * (at - SEEN)) } else { line << (2 * (SEEN - at)) } & WINDOW;
    let (low, high) = (window & LOW, window >> 1 & LOW);
    let (black, white) = (low & !high, high & !low);
    let (own, other) = if stone == 1 { (black, white) } else { (white, black) };
    own & (own - 1) != 0 || other & other.wrapping_sub(1) != 0
}

/// Whether a pair of patterns has one from which a threat or a forbidden point can come.
static MATTERS_FOR_THREATS: [bool; 256] = {
    let mut table = [false; 256];
    let mut pair = 0;
    while pair < 256 {
        table[pair] = matters(pair & 15) || matters(pair >> 4);
        pair += 1;
    }
    table
};

const fn matters(bits: usize) -> bool {
    bits >= Pattern::Three as usize || bits == Pattern::Overline as usize
}

impl fmt::Debug for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}x{}, {} to move\n{self}", self.rule, self.size, self.size, self.to_move)
    }
}

const _: () = assert!(MARGIN + 22 + MARGIN == STRIDE);
