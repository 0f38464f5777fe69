//! Sets of points.

use crate::Point;
use crate::point::{MARGIN, STRIDE};

/// A set of points: one 32-bit word per row of the padded grid.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PointSet {
    rows: [u32; STRIDE],
}

impl PointSet {
    /// No points.
    pub const EMPTY: PointSet = PointSet { rows: [0; STRIDE] };

    /// Whether the point is in the set.
    pub fn contains(&self, point: Point) -> bool {
        self.rows[point.index() / STRIDE] >> (point.index() % STRIDE) & 1 != 0
    }

    /// Adds a point.
    pub fn insert(&mut self, point: Point) {
        self.toggle_on(point.index());
    }

    /// Removes a point.
    pub fn remove(&mut self, point: Point) {
        self.rows[point.index() / STRIDE] &= !(1 << (point.index() % STRIDE));
    }

    /// How many points there are.
    pub fn len(&self) -> usize {
        self.rows.iter().map(|row| row.count_ones() as usize).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.rows.iter().all(|&row| row == 0)
    }

    /// The first point in reading order.
    pub fn first(&self) -> Option<Point> {
        self.iter().next()
    }

    /// The points in reading order: row by row from the top left.
    pub fn iter(&self) -> impl Iterator<Item = Point> + '_ {
        self.rows.iter().enumerate().flat_map(|(row, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let column = rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    Point::from_index(row * STRIDE + column)
                })
            })
        })
    }

    /// The points of a row of the board, one bit each from the left. Rows count from 0 at the top.
    pub fn row(&self, y: usize) -> u32 {
        self.rows[y + MARGIN] >> MARGIN
    }

    /// The points of either set.
    pub fn union(mut self, other: &PointSet) -> PointSet {
        self.rows.iter_mut().zip(&other.rows).for_each(|(a, b)| *a |= b);
        self
    }

    /// The points of both sets.
    pub fn intersection(mut self, other: &PointSet) -> PointSet {
        self.rows.iter_mut().zip(&other.rows).for_each(|(a, b)| *a &= b);
        self
    }

    /// The points of this set that are not in the other.
    pub fn difference(mut self, other: &PointSet) -> PointSet {
        self.rows.iter_mut().zip(&other.rows).for_each(|(a, b)| *a &= !b);
        self
    }

    /// The set and every grid cell within `radius` steps of it (a king's steps). Wall cells near the edge may be in
    /// the result: intersect it with the cells of interest.
    pub fn grown(&self, radius: usize) -> PointSet {
        let mut set = *self;
        for _ in 0..radius {
            let wide = set.rows.map(|row| row | row << 1 | row >> 1);
            set.rows = wide;
            set.rows[1..].iter_mut().zip(&wide).for_each(|(row, above)| *row |= above);
            set.rows.iter_mut().zip(&wide[1..]).for_each(|(row, below)| *row |= below);
        }
        set
    }

    pub(crate) fn toggle_on(&mut self, index: usize) {
        self.rows[index / STRIDE % STRIDE] |= 1 << (index % STRIDE);
    }

    pub(crate) fn toggle_off(&mut self, index: usize) {
        self.rows[index / STRIDE % STRIDE] &= !(1 << (index % STRIDE));
    }
}

impl FromIterator<Point> for PointSet {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> PointSet {
        let mut set = PointSet::EMPTY;
        points.into_iter().for_each(|point| set.insert(point));
        set
    }
}

impl Default for PointSet {
    fn default() -> PointSet {
        PointSet::EMPTY
    }
}
