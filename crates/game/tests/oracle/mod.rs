//! The slow, obvious way to tell patterns and forbidden points: write the line down, try the stones.
#![allow(dead_code, reason = "each test file uses its part of the oracle")]

use fivestone_game::{Board, Class, Color, Direction, Forbidden, Pattern, Point, Rule, Size, Winning};
use std::collections::HashMap;

/// Cells seen on each side of the centre: one more than the board's own tables look at.
const SIGHT: isize = 6;
const CENTRE: usize = SIGHT as usize;
const LENGTH: usize = 2 * CENTRE + 1;

/// A line as text: `x` own, `o` enemy, `.` empty, `#` outside the board.
type Text = [u8; LENGTH];

/// Tells patterns for one rule, remembering the lines it has seen.
pub struct Oracle {
    rule: Rule,
    seen: [HashMap<Text, Pattern>; 2],
}

impl Oracle {
    pub fn new(rule: Rule) -> Oracle {
        Oracle { rule, seen: [HashMap::new(), HashMap::new()] }
    }

    pub fn pattern(&mut self, board: &Board, color: Color, point: Point, direction: Direction) -> Pattern {
        let mut text = [b'#'; LENGTH];
        let (dx, dy) = direction.delta();
        for distance in -SIGHT..=SIGHT {
            let cell = point.offset(distance * dx, distance * dy, board.size());
            text[(distance + SIGHT) as usize] = match cell.map(|cell| board.stone(cell)) {
                _ if distance == 0 => b'x',
                None => b'#',
                Some(None) => b'.',
                Some(Some(stone)) if stone == color => b'x',
                Some(Some(_)) => b'o',
            };
        }
        self.read(text, color)
    }

    /// What the stone in the centre of the line makes.
    fn read(&mut self, text: Text, color: Color) -> Pattern {
        if let Some(&pattern) = self.seen[color.index()].get(&text) {
            return pattern;
        }
        let pattern = self.think(text, color);
        self.seen[color.index()].insert(text, pattern);
        pattern
    }

    fn think(&mut self, text: Text, color: Color) -> Pattern {
        let run = run_through_centre(&text);
        if is_five(&text, self.rule.winning(color)) {
            return Pattern::Five;
        }
        if run > 5 {
            return Pattern::Overline;
        }
        let next: Vec<Pattern> =
            empty_cells(&text).map(|cell| self.read(with(text, cell, b'x'), color)).collect();
        let any = |pattern| next.contains(&pattern);
        let fives = next.iter().filter(|&&pattern| pattern == Pattern::Five).count();
        if fives > 0 {
            let stoppable = empty_cells(&text).any(|block| {
                let blocked = with(text, block, b'o');
                !empty_cells(&blocked)
                    .any(|cell| is_five(&with(blocked, cell, b'x'), self.rule.winning(color)))
            });
            return match (self.rule.restricts(color), fives) {
                (true, 1) => Pattern::Four,
                (true, _) if run == 4 => Pattern::OpenFour,
                (true, _) => Pattern::DoubleFour,
                (false, _) if stoppable => Pattern::Four,
                (false, _) => Pattern::OpenFour,
            };
        }
        if any(Pattern::OpenFour) {
            Pattern::OpenThree
        } else if any(Pattern::Four) || any(Pattern::DoubleFour) {
            Pattern::Three
        } else if any(Pattern::OpenThree) {
            Pattern::OpenTwo
        } else if any(Pattern::Three) {
            Pattern::Two
        } else if any(Pattern::OpenTwo) {
            Pattern::OpenOne
        } else if any(Pattern::Two) {
            Pattern::One
        } else {
            Pattern::Dead
        }
    }

    pub fn class(&mut self, board: &Board, color: Color, point: Point) -> Class {
        if board.stone(point).is_some() {
            return Class::None;
        }
        let patterns = Direction::ALL.map(|direction| self.pattern(board, color, point, direction));
        Class::of(patterns, self.rule.restricts(color))
    }
}

fn empty_cells(text: &Text) -> impl Iterator<Item = usize> + use<> {
    let text = *text;
    // A five through the centre reaches four cells to either side.
    (CENTRE - 5..=CENTRE + 5).filter(move |&cell| text[cell] == b'.')
}

fn with(mut text: Text, cell: usize, mark: u8) -> Text {
    text[cell] = mark;
    text
}

fn ends_of_run(text: &Text) -> (usize, usize) {
    let mut left = CENTRE;
    while left > 0 && text[left - 1] == b'x' {
        left -= 1;
    }
    let mut right = CENTRE;
    while right + 1 < LENGTH && text[right + 1] == b'x' {
        right += 1;
    }
    (left, right)
}

fn run_through_centre(text: &Text) -> usize {
    let (left, right) = ends_of_run(text);
    right - left + 1
}

fn is_five(text: &Text, winning: Winning) -> bool {
    let (left, right) = ends_of_run(text);
    let run = right - left + 1;
    let blocked = left > 0 && right + 1 < LENGTH && text[left - 1] == b'o' && text[right + 1] == b'o';
    match winning {
        Winning::FiveOrMore => run >= 5,
        Winning::ExactlyFive => run == 5,
        Winning::UnblockedFive => run == 5 && !blocked,
        Winning::UnblockedFiveOrMore => run >= 6 || (run == 5 && !blocked),
    }
}

/// Renju's forbidden points on a plain grid of stones.
#[derive(Clone)]
pub struct Renju {
    size: Size,
    stones: HashMap<(isize, isize), Color>,
}

impl Renju {
    pub fn of(board: &Board) -> Renju {
        let size = board.size();
        let stones =
            size.points().filter_map(|p| board.stone(p).map(|c| ((p.x() as isize, p.y() as isize), c)));
        Renju { size, stones: stones.collect() }
    }

    pub fn forbidden(&self, point: Point) -> Option<Forbidden> {
        self.forbidden_at((point.x() as isize, point.y() as isize))
    }

    fn is_free(&self, at: (isize, isize)) -> bool {
        let side = self.size.side() as isize;
        (0..side).contains(&at.0) && (0..side).contains(&at.1) && !self.stones.contains_key(&at)
    }

    fn with_black(&self, at: (isize, isize)) -> Renju {
        let mut next = self.clone();
        next.stones.insert(at, Color::Black);
        next
    }

    fn run(&self, at: (isize, isize), (dx, dy): (isize, isize)) -> usize {
        let count = |sign: isize| {
            (1..).take_while(move |i| {
                self.stones.get(&(at.0 + sign * i * dx, at.1 + sign * i * dy)) == Some(&Color::Black)
            })
        };
        1 + count(1).count() + count(-1).count()
    }

    fn line(&self, at: (isize, isize), (dx, dy): (isize, isize)) -> Vec<(isize, isize)> {
        (-4..=4).map(|i| (at.0 + i * dx, at.1 + i * dy)).filter(|&cell| self.is_free(cell)).collect()
    }

    /// Cells that make exactly five through `at` along the direction.
    fn completions(&self, at: (isize, isize), delta: (isize, isize)) -> Vec<(isize, isize)> {
        let fills = self.line(at, delta);
        fills.into_iter().filter(|&cell| self.with_black(cell).run(at, delta) == 5).collect()
    }

    fn is_straight_four(&self, at: (isize, isize), delta: (isize, isize)) -> bool {
        self.run(at, delta) == 4 && self.completions(at, delta).len() == 2
    }

    fn forbidden_at(&self, at: (isize, isize)) -> Option<Forbidden> {
        let next = self.with_black(at);
        let deltas = Direction::ALL.map(Direction::delta);
        let runs = deltas.map(|delta| next.run(at, delta));
        if runs.contains(&5) {
            return None;
        }
        if runs.iter().any(|&run| run > 5) {
            return Some(Forbidden::Overline);
        }
        let fours = deltas.map(|delta| match next.completions(at, delta).len() {
            2 if next.is_straight_four(at, delta) => 1,
            count => count,
        });
        if fours.iter().sum::<usize>() > 1 {
            return Some(Forbidden::DoubleFour);
        }
        let is_three = |&(&delta, &fours): &(&(isize, isize), &usize)| {
            fours == 0
                && next.line(at, delta).into_iter().any(|cell| {
                    let four = next.with_black(cell);
                    four.is_straight_four(cell, delta)
                        && four.run(at, delta) == 4
                        && deltas.iter().all(|&other| four.run(cell, other) != 5)
                        && next.forbidden_at(cell).is_none()
                })
        };
        let threes = deltas.iter().zip(&fours).filter(is_three).count();
        (threes > 1).then_some(Forbidden::DoubleThree)
    }
}
