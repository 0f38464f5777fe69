//! Wins by fours and threes on boards of at most 64 cells, fast enough for many thousand positions.
//!
//! The definition is that of [`Brute`](super::Brute), to which it is compared; sets of cells are
//! words of 64 bits here. Every empty cell is tried as a move and as a reply, but for those that
//! cannot matter for a plain reason, which is given where they are left out.

use fivestone_game::{Board, Color, Played, Point, Rule, Size};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The stones of both sides, one bit a cell, row by row from the top left.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Stones {
    attacker: u64,
    defender: u64,
}

impl Stones {
    fn with_attacker_on(self, cell: u32) -> Stones {
        Stones { attacker: self.attacker | 1 << cell, ..self }
    }

    fn with_defender_on(self, cell: u32) -> Stones {
        Stones { defender: self.defender | 1 << cell, ..self }
    }
}

/// What the attacker has in a position, he to move.
pub struct Exhaustive {
    grid: Grid,
    rule: Rule,
    attacker: Color,
    attacker_wins: Wins,
    defender_wins: Wins,
    start: Stones,
    /// The cells on which a win by fours depends, none without a win.
    by_fours: HashMap<Stones, u64, BuildHasherDefault<Mixer>>,
    nodes: Vec<Node>,
    numbers: HashMap<Stones, usize, BuildHasherDefault<Mixer>>,
    referee: Referee,
}

/// A position, attacker to move.
struct Node {
    stones: Stones,
    /// Roughly how many positions below must turn out wins to make this one a win: 0 if and only if
    /// it is one, [`NEVER`] if and only if it is none.
    to_prove: u32,
    /// The same for no win.
    to_disprove: u32,
    /// For each threat the nodes after its replies; unknown before the first visit.
    threats: Option<Vec<Vec<usize>>>,
}

const NEVER: u32 = u32::MAX;

/// What is left to do when all these numbers have to become 0: nothing only if all are, never if
/// one is never. In between it is the largest and one more for each other: a sum would count a
/// position once for every way to it.
fn all_of(numbers: impl Iterator<Item = u32>) -> u32 {
    let (mut largest, mut open) = (0, 0);
    for number in numbers {
        largest = number.max(largest);
        open += u32::from(number > 0);
    }
    if largest == NEVER || open == 0 { largest } else { largest + open - 1 }
}

impl Exhaustive {
    /// The question about `attacker` to move on this board, whoever's turn it is there.
    pub fn of(board: &Board, attacker: Color) -> Exhaustive {
        let bits =
            |color| board.stones(color).iter().fold(0, |bits, point| bits | 1 << point.dense(board.size()));
        Exhaustive {
            grid: Grid::new(board.size()),
            rule: board.rule(),
            attacker,
            attacker_wins: Wins::of(board.rule(), attacker),
            defender_wins: Wins::of(board.rule(), !attacker),
            start: Stones { attacker: bits(attacker), defender: bits(!attacker) },
            by_fours: HashMap::default(),
            nodes: Vec::new(),
            numbers: HashMap::default(),
            referee: Referee::new(board),
        }
    }

    /// Whether the attacker, to move, wins by fours only.
    pub fn wins_by_fours(&mut self) -> bool {
        self.fours_win(self.start)
    }

    /// Whether the attacker, to move, wins by fours and threes; nothing if that takes more than
    /// `limit` positions.
    pub fn wins_by_threes(&mut self, limit: usize) -> Option<bool> {
        let start = self.node(self.start);
        loop {
            match &self.nodes[start] {
                Node { to_prove: 0, .. } => return Some(true),
                Node { to_disprove: 0, .. } => return Some(false),
                _ if self.positions() >= limit => return None,
                _ => self.work_on(start),
            }
        }
    }

    /// How many positions were looked at so far, those on the way to fours included.
    pub fn positions(&self) -> usize {
        self.by_fours.len() + self.nodes.len()
    }

    /// Whether the attacker, without a five, has a move that threatens one or a win by fours.
    pub fn has_threat(&mut self) -> bool {
        !self.fives(self.start).any()
            && cells(self.empty(self.start)).any(|cell| self.threat(self.start, cell).is_some())
    }

    /// The moves of the attacker that are legal and threaten, the defender having no five then.
    pub fn threatening_moves(&mut self) -> Vec<Point> {
        let empty = cells(self.empty(self.start));
        let threats = empty.filter(|&cell| self.threat(self.start, cell).is_some()).collect::<Vec<_>>();
        threats.into_iter().map(|cell| self.point(cell)).collect()
    }

    /// Whether a side could complete a five if it were to move.
    pub fn has_five(&self, color: Color) -> bool {
        let fives =
            if color == self.attacker { self.fives(self.start) } else { self.defenders_fives(self.start) };
        fives.any()
    }

    /// Whether a stone of the defender leaves the attacker no five.
    pub fn stops_fives(&self, reply: Point) -> bool {
        !self.fives(self.start.with_defender_on(self.cell(reply))).any()
    }

    /// Whether a move of the defender, to move, is legal and wins at once or leaves the attacker no
    /// win by fours.
    pub fn saves(&mut self, reply: Point) -> bool {
        let cell = self.cell(reply);
        let wins = self.defenders_fives(self.start).last_cells >> cell & 1 != 0;
        wins || !self.is_forbidden(self.start, cell, !self.attacker)
            && !self.fours_win(self.start.with_defender_on(cell))
    }

    /// Whether a move of the attacker is legal and no single stone stops the five it threatens.
    pub fn is_unstoppable_four(&mut self, four: Point) -> bool {
        let cell = self.cell(four);
        let next = self.start.with_attacker_on(cell);
        !self.is_forbidden(self.start, cell, self.attacker)
            && cells(self.empty(next)).all(|reply| self.fives(next.with_defender_on(reply)).any())
    }

    fn cell(&self, point: Point) -> u32 {
        point.dense(self.referee.board.size()) as u32
    }

    fn point(&self, cell: u32) -> Point {
        Point::from_dense(cell as usize, self.referee.board.size())
    }

    fn fours_win(&mut self, stones: Stones) -> bool {
        self.cells_of_win(stones) != 0
    }

    /// The cells on which a win by fours depends: a stone of the defender on any other empty cell
    /// leaves it a win. No cells if there is no win.
    fn cells_of_win(&mut self, stones: Stones) -> u64 {
        let fives = self.fives(stones);
        if fives.any() {
            return self.may_stop(fives);
        }
        let mut candidates = self.grid.may_make_four(stones.attacker, self.empty(stones));
        if candidates == 0 {
            return 0;
        }
        let defenders_fives = self.defenders_fives(stones);
        if defenders_fives.any() {
            candidates &= self.may_stop(defenders_fives);
        }
        if let Some(&known) = self.by_fours.get(&stones) {
            return known;
        }
        let fives_after = |cell| self.fives(stones.with_attacker_on(cell));
        let mut fours: Vec<(u32, Fives)> = cells(candidates)
            .map(|cell| (cell, fives_after(cell)))
            .filter(|(_, fives)| fives.any())
            .collect();
        // First those that leave several fives: most wins are seen without going on.
        fours.sort_by_key(|(_, fives)| Reverse(fives.last_cells.count_ones()));
        let found = fours
            .into_iter()
            .map(|(cell, fives)| self.cells_of_four(stones, cell, fives))
            .find(|&found| found != 0);
        self.by_fours.insert(stones, found.unwrap_or(0));
        found.unwrap_or(0)
    }

    /// The cells on which the win by a four depends that leaves these fives; no cells if it does
    /// not win.
    fn cells_of_four(&mut self, stones: Stones, cell: u32, fives: Fives) -> u64 {
        let next = stones.with_attacker_on(cell);
        if self.defenders_fives(next).any() || self.is_forbidden(stones, cell, self.attacker) {
            return 0;
        }
        // The four itself, what its fives depend on, and where a stone more would give the defender
        // a five at hand.
        let mut found = 1 << cell | fives.cells | self.grid.may_make_four(next.defender, self.empty(next));
        for stop in cells(self.may_stop(fives) & self.empty(next)) {
            if self.is_forbidden(next, stop, !self.attacker) {
                // Another stone could lift that.
                found = u64::MAX;
                continue;
            }
            match self.cells_of_win(next.with_defender_on(stop)) {
                0 => return 0,
                more => found |= more,
            }
        }
        // A stone could make the four forbidden.
        if self.may_be_forbidden(stones, cell, self.attacker) { u64::MAX } else { found }
    }

    /// Cells among which every stone is that stops all of these fives.
    fn may_stop(&self, fives: Fives) -> u64 {
        if self.rule.ends_matter() {
            fives.cells
        } else {
            // Each is stopped on its last cell only, so the first will do.
            1 << fives.last_cells.trailing_zeros()
        }
    }

    /// The number of a position's node.
    fn node(&mut self, stones: Stones) -> usize {
        let fours = self.grid.may_make_four(stones.attacker, self.empty(stones)).count_ones();
        *self.numbers.entry(stones).or_insert_with(|| {
            self.nodes.push(Node { stones, to_prove: 1, to_disprove: 1 + fours, threats: None });
            self.nodes.len() - 1
        })
    }

    /// Looks at one more position below an undecided one: where the win, or that there is none,
    /// seems nearest (proof-number search; nothing is ever forgotten).
    fn work_on(&mut self, number: usize) {
        if let Some(threats) = self.nodes[number].threats.take() {
            // Below, positions may have been decided on another way to them.
            let (to_prove, to_disprove) = self.weigh(&threats);
            if to_prove != 0 && to_disprove != 0 {
                let threat = threats.iter().min_by_key(|replies| self.to_prove(replies));
                let replies = threat.expect("an undecided position has threats");
                let reply = replies.iter().min_by_key(|&&reply| self.nodes[reply].to_disprove);
                self.work_on(*reply.expect("an undecided threat has replies"));
            }
            self.nodes[number].threats = Some(threats);
        } else if self.fours_win(self.nodes[number].stones) {
            // A win by fours is one by fours and threes as well: note it as a threat without
            // replies.
            self.nodes[number].threats = Some(vec![Vec::new()]);
        } else {
            let threats = self.threats(self.nodes[number].stones);
            self.nodes[number].threats = Some(threats);
        }
        let threats = self.nodes[number].threats.as_deref().unwrap_or(&[]);
        let (to_prove, to_disprove) = self.weigh(threats);
        self.nodes[number].to_prove = to_prove;
        self.nodes[number].to_disprove = to_disprove;
    }

    /// One threat has to win for a win; all have to fail for none.
    fn weigh(&self, threats: &[Vec<usize>]) -> (u32, u32) {
        let to_prove = threats.iter().map(|replies| self.to_prove(replies)).min();
        (to_prove.unwrap_or(NEVER), all_of(threats.iter().map(|replies| self.to_disprove(replies))))
    }

    /// A threat wins if the attacker wins after every reply.
    fn to_prove(&self, replies: &[usize]) -> u32 {
        all_of(replies.iter().map(|&reply| self.nodes[reply].to_prove))
    }

    fn to_disprove(&self, replies: &[usize]) -> u32 {
        replies.iter().map(|&reply| self.nodes[reply].to_disprove).min().unwrap_or(NEVER)
    }

    /// Every threat of the attacker, as the nodes after those replies that may be of use.
    fn threats(&mut self, stones: Stones) -> Vec<Vec<usize>> {
        let fives = self.defenders_fives(stones);
        let candidates = if fives.any() { self.may_stop(fives) } else { u64::MAX };
        let mut threats = Vec::new();
        for cell in cells(candidates & self.empty(stones)) {
            if let Some(replies) = self.threat(stones, cell) {
                let next = stones.with_attacker_on(cell);
                // The first of equals is looked at first: begin where most is at stake.
                let mut replies: Vec<u32> = cells(replies).collect();
                replies.sort_by_cached_key(|&reply| Reverse(self.grid.stake(next, reply)));
                let after = |reply| self.node(next.with_defender_on(reply));
                threats.push(replies.into_iter().map(after).collect());
            }
        }
        threats
    }

    /// The legal replies to a threatening move, but for those that leave the five or the fours as
    /// they are; nothing if the move is not legal or does not threaten.
    fn threat(&mut self, stones: Stones, cell: u32) -> Option<u64> {
        let next = stones.with_attacker_on(cell);
        if self.defenders_fives(next).any() {
            return None;
        }
        // A five at hand counts as a win by fours.
        let replies = self.cells_of_win(next) & self.empty(next);
        if replies == 0 || self.is_forbidden(stones, cell, self.attacker) {
            return None;
        }
        let is_legal = |reply: &u32| !self.is_forbidden(next, *reply, !self.attacker);
        Some(cells(replies).filter(is_legal).fold(0, |set, reply| set | 1 << reply))
    }

    fn empty(&self, stones: Stones) -> u64 {
        self.grid.all & !(stones.attacker | stones.defender)
    }

    /// The fives the attacker could complete if he were to move.
    #[inline]
    fn fives(&self, stones: Stones) -> Fives {
        self.grid.fives(stones.attacker, stones.defender, self.attacker_wins)
    }

    /// The same for the defender.
    #[inline]
    fn defenders_fives(&self, stones: Stones) -> Fives {
        self.grid.fives(stones.defender, stones.attacker, self.defender_wins)
    }

    /// Whether a move on an empty cell is forbidden to a side.
    fn is_forbidden(&mut self, stones: Stones, cell: u32, color: Color) -> bool {
        let (black, white) = self.by_color(stones);
        self.may_be_forbidden(stones, cell, color) && self.referee.is_forbidden(black, white, cell)
    }

    /// Whether a move could be forbidden, whatever stones White adds: two threes or fours take two
    /// more black stones on each of two lines of their cell, or four on one, and an overline takes
    /// five.
    fn may_be_forbidden(&self, stones: Stones, cell: u32, color: Color) -> bool {
        if !self.rule.restricts(color) {
            return false;
        }
        let (black, _) = self.by_color(stones);
        let on_lines = self.grid.lines_through[cell as usize].map(|line| (line & black).count_ones());
        on_lines.iter().filter(|&&count| count >= 2).count() >= 2 || on_lines.iter().any(|&count| count >= 4)
    }

    fn by_color(&self, stones: Stones) -> (u64, u64) {
        match self.attacker {
            Color::Black => (stones.attacker, stones.defender),
            Color::White => (stones.defender, stones.attacker),
        }
    }
}

/// The cells of a set in order.
fn cells(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(first)
    })
}

/// Fives that a side could complete with one stone.
#[derive(Clone, Copy)]
struct Fives {
    /// The empty cells that complete them.
    last_cells: u64,
    /// All empty cells they depend on: their ends as well, where those matter.
    cells: u64,
}

impl Fives {
    fn any(self) -> bool {
        self.last_cells != 0
    }
}

/// What wins for a side besides five in a row with a free end.
#[derive(Clone, Copy)]
struct Wins {
    with_six: bool,
    when_blocked: bool,
}

impl Wins {
    fn of(rule: Rule, color: Color) -> Wins {
        let winning = rule.winning(color);
        Wins { with_six: winning.wins(6, false), when_blocked: winning.wins(5, true) }
    }
}

/// The lines of a board.
struct Grid {
    all: u64,
    directions: [Windows; 4],
    /// The cells on the four lines through each cell, itself included.
    lines_through: Vec<[u64; 4]>,
    /// The rows of five through each cell.
    windows_through: Vec<Vec<u64>>,
}

/// The rows of five cells in one direction, each named by its first cell.
#[derive(Clone, Copy)]
struct Windows {
    step: u32,
    starts: u64,
    /// Those with a cell of the board before the first, and after the last.
    with_cell_before: u64,
    with_cell_after: u64,
}

impl Grid {
    fn new(size: Size) -> Grid {
        assert!(size.cells() <= 64, "a word holds no board of side {size}");
        let side = size.side();
        let steps = [(1, 0), (0, 1), (1, 1), (-1, 1)];
        let on_board = |point: Point, (dx, dy): (isize, isize), distance: isize| {
            point.offset(distance * dx, distance * dy, size)
        };
        let set = |wanted: &dyn Fn(Point) -> bool| {
            size.points()
                .filter(|&point| wanted(point))
                .fold(0, |bits: u64, point| bits | 1 << point.dense(size))
        };
        let windows = |step: (isize, isize)| {
            let fits = |point, from: isize, to: isize| {
                on_board(point, step, from).is_some() && on_board(point, step, to).is_some()
            };
            Windows {
                step: (step.1 * side as isize + step.0) as u32,
                starts: set(&|point| fits(point, 0, 4)),
                with_cell_before: set(&|point| fits(point, -1, 4)),
                with_cell_after: set(&|point| fits(point, 0, 5)),
            }
        };
        let line = |point: Point, step: (isize, isize)| {
            let cells =
                (1 - side as isize..side as isize).filter_map(|distance| on_board(point, step, distance));
            cells.fold(0, |line: u64, cell| line | 1 << cell.dense(size))
        };
        let directions = steps.map(windows);
        let all_windows: Vec<u64> = directions
            .iter()
            .flat_map(|windows| {
                let row = |start| (0..5).fold(0, |row, at| row | 1u64 << (start + at * windows.step));
                cells(windows.starts).map(row)
            })
            .collect();
        let windows_through =
            |cell| all_windows.iter().copied().filter(|window| window >> cell & 1 != 0).collect();
        Grid {
            all: set(&|_| true),
            directions,
            windows_through: (0..size.cells()).map(windows_through).collect(),
            lines_through: size.points().map(|point| steps.map(|step| line(point, step))).collect(),
        }
    }

    /// The winning fives that one stone completes.
    #[inline]
    fn fives(&self, own: u64, other: u64, wins: Wins) -> Fives {
        let empty = self.all & !(own | other);
        let (mut last_cells, mut ends) = (0, 0);
        for &Windows { step, starts, with_cell_before, with_cell_after } in &self.directions {
            let (a, b, c) = (own, own >> step, own >> (2 * step));
            let (d, e) = (own >> (3 * step), own >> (4 * step));
            let mut starts = starts;
            if !wins.with_six {
                starts &= !(own << step & with_cell_before | own >> (5 * step) & with_cell_after);
            }
            if !wins.when_blocked {
                let before = other << step & with_cell_before;
                let after = other >> (5 * step) & with_cell_after;
                starts &= !(before & after);
            }
            let (first_two, last_two) = (starts & a & b, starts & d & e);
            let without_a = last_two & b & c & empty;
            let without_b = last_two & a & c & empty >> step;
            let without_c = first_two & d & e & empty >> (2 * step);
            let without_d = first_two & c & e & empty >> (3 * step);
            let without_e = first_two & c & d & empty >> (4 * step);
            last_cells |= without_a | without_b << step | without_c << (2 * step);
            last_cells |= without_d << (3 * step) | without_e << (4 * step);
            if !wins.when_blocked {
                let found = without_a | without_b | without_c | without_d | without_e;
                ends |= (found & with_cell_before) >> step | (found & with_cell_after) << (5 * step);
            }
        }
        Fives { last_cells, cells: last_cells | ends & empty }
    }

    /// How much an empty cell matters: stones of one side in rows of five through it, if of one
    /// side only.
    fn stake(&self, stones: Stones, cell: u32) -> u32 {
        let mut stake = 0;
        for &window in &self.windows_through[cell as usize] {
            let own = (stones.attacker & window).count_ones();
            let other = (stones.defender & window).count_ones();
            if own == 0 || other == 0 {
                stake += 2 << (2 * own) | 1 << (2 * other);
            }
        }
        stake
    }

    /// The empty cells of rows of five that hold three stones of one side and nothing else. Without
    /// a five now, every move that threatens one is among them.
    #[inline]
    fn may_make_four(&self, own: u64, empty: u64) -> u64 {
        let mut found = 0;
        for &Windows { step, starts, .. } in &self.directions {
            let (mut ones, mut twos, mut clean) = (0, 0, starts);
            for at in 0..5 {
                let stones = own >> (at * step);
                clean &= stones | empty >> (at * step);
                twos |= ones & stones;
                ones ^= stones;
            }
            // Three stones leave one over after a pair; one and five do so too, but one has no pair
            // and five have no empty cell. Four are a five at hand.
            let threes = clean & ones & twos;
            for at in 0..5 {
                found |= threes << (at * step);
            }
        }
        found & empty
    }
}

/// A board that is asked for forbidden points. The rules are checked elsewhere.
struct Referee {
    board: Board,
    start: u64,
    /// Stones put since the start.
    added: Vec<(Color, u32)>,
}

impl Referee {
    fn new(board: &Board) -> Referee {
        let start = board
            .size()
            .points()
            .filter(|&point| !board.is_empty(point))
            .fold(0, |bits, point| bits | 1 << point.dense(board.size()));
        Referee { board: board.clone(), start, added: Vec::new() }
    }

    fn is_forbidden(&mut self, black: u64, white: u64, cell: u32) -> bool {
        let wanted = |color| if color == Color::Black { black } else { white };
        let stays = self.added.iter().take_while(|&&(color, cell)| wanted(color) >> cell & 1 != 0).count();
        for _ in stays..self.added.len() {
            self.take();
        }
        let known = self.added.iter().fold(self.start, |bits, (_, cell)| bits | 1 << cell);
        for color in Color::BOTH {
            for cell in cells(wanted(color) & !known) {
                self.put(color, cell);
            }
        }
        self.board.is_forbidden(Point::from_dense(cell as usize, self.board.size()))
    }

    fn put(&mut self, color: Color, cell: u32) {
        if self.board.to_move() != color {
            // A pass that a stone taken away has left behind goes as well.
            if self.board.moves().last() == Some(&None) {
                self.board.undo();
            } else {
                self.board.pass();
            }
        }
        self.board.play_unchecked(Point::from_dense(cell as usize, self.board.size()));
        self.added.push((color, cell));
    }

    fn take(&mut self) {
        self.added.pop();
        while self.board.undo() == Some(Played::Pass) {}
    }
}

/// Spreads the bits of two words over a hash.
#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("stones are two words");
    }

    fn write_u64(&mut self, word: u64) {
        let wide = u128::from(self.0 ^ word ^ 0x243f_6a88_85a3_08d3) * 0x9e37_79b9_7f4a_7c15;
        self.0 = (wide >> 64) as u64 ^ wide as u64;
    }
}
