//! Black's forbidden points in renju.

use crate::bits::PointSet;
use crate::lines::{Class, Direction, Pattern};
use crate::point::MARGIN;
use crate::{Board, Color, Forbidden, Point};

impl Board {
    /// Why an empty point is forbidden to Black by renju's rules; nothing under any other rule.
    pub fn forbidden(&self, point: Point) -> Option<Forbidden> {
        match self.suspicion(point)? {
            Suspicion::Certain(kind) => Some(kind),
            Suspicion::Threes => self.clone().two_real_threes(point).then_some(Forbidden::DoubleThree),
        }
    }

    /// As [`Board::forbidden`], faster: tries stones on this board and takes them back.
    pub fn is_forbidden(&mut self, point: Point) -> bool {
        match self.suspicion(point) {
            None => false,
            Some(Suspicion::Certain(_)) => true,
            Some(Suspicion::Threes) => self.two_real_threes(point),
        }
    }

    /// Why an empty point is forbidden to a side; nothing where it is not.
    pub fn forbidden_to(&self, color: Color, point: Point) -> Option<Forbidden> {
        if self.rule().restricts(color) { self.forbidden(point) } else { None }
    }

    /// Whether the side to move may play a point: it is empty and not forbidden. Tries stones on
    /// this board and takes them back.
    pub fn is_legal(&mut self, point: Point) -> bool {
        let restricted = self.rule().restricts(self.to_move());
        self.is_empty(point) && !(restricted && self.is_forbidden(point))
    }

    /// Every point that the side to move may play.
    pub fn legal(&self) -> PointSet {
        if self.rule().restricts(self.to_move()) {
            self.empty().difference(&self.forbidden_points())
        } else {
            *self.empty()
        }
    }

    /// Every point that is forbidden to Black.
    pub fn forbidden_points(&self) -> PointSet {
        if !self.rule().restricts(Color::Black) {
            return PointSet::EMPTY;
        }
        let mut board = self.clone();
        let suspects = self.cells_of(
            Color::Black,
            &[Class::Forbidden, Class::DoubleThree, Class::FourThree, Class::OpenFour],
        );
        suspects.iter().filter(|&point| board.is_forbidden(point)).collect()
    }

    /// What the lines of the point alone say.
    fn suspicion(&self, point: Point) -> Option<Suspicion> {
        if !self.rule().restricts(Color::Black) {
            return None;
        }
        match self.class(Color::Black, point) {
            Class::Forbidden => {
                let overline = Direction::ALL
                    .into_iter()
                    .any(|direction| self.pattern(Color::Black, point, direction) == Pattern::Overline);
                Some(Suspicion::Certain(if overline { Forbidden::Overline } else { Forbidden::DoubleFour }))
            }
            Class::DoubleThree | Class::FourThree | Class::OpenFour => {
                (self.threes_at(point).count() > 1).then_some(Suspicion::Threes)
            }
            _ => None,
        }
    }

    fn threes_at(&self, point: Point) -> impl Iterator<Item = Direction> + '_ {
        Direction::ALL
            .into_iter()
            .filter(move |&direction| self.pattern(Color::Black, point, direction) == Pattern::OpenThree)
    }

    fn two_real_threes(&mut self, point: Point) -> bool {
        let directions: Vec<Direction> = self.threes_at(point).collect();
        self.put(point, Color::Black);
        let mut real = 0;
        for (seen, &direction) in directions.iter().enumerate() {
            if real + (directions.len() - seen) < 2 {
                break;
            }
            real += usize::from(self.becomes_straight_four(point, direction));
        }
        self.take(point, Color::Black);
        real >= 2
    }

    /// Whether a three through `point` is real: some next stone on its line makes a straight four through it, makes
    /// no five, and is not itself forbidden.
    fn becomes_straight_four(&mut self, point: Point, direction: Direction) -> bool {
        let (dx, dy) = direction.delta();
        [1, -1].into_iter().any(|sign| {
            for distance in 1..MARGIN as isize {
                let Some(next) = point.offset(sign * distance * dx, sign * distance * dy, self.size()) else {
                    return false;
                };
                match self.stone(next) {
                    Some(Color::Black) => {}
                    Some(Color::White) => return false,
                    // Only the nearest gap on each side can extend the three to four stones without a hole.
                    None => {
                        return self.pattern(Color::Black, next, direction) == Pattern::OpenFour
                            && self.class(Color::Black, next) != Class::Five
                            && !self.is_forbidden(next);
                    }
                }
            }
            false
        })
    }
}

enum Suspicion {
    Certain(Forbidden),
    /// Two or more open threes, if they are real.
    Threes,
}
