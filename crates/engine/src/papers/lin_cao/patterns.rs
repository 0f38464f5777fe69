//! The 29 patterns. The paper shows seven and keeps the rest in its code; a pattern and its mirror image count as two, as
//! the equal values that follow each other in its table I suggest.

use crate::papers::shapes::Shapes;
use std::sync::LazyLock;

/// How many patterns there are.
pub const COUNT: usize = 29;

/// Whether the ends of a pattern are free.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ends {
    /// No enemy stone at either end: `L_open`.
    Open,
    /// An enemy stone, the edge or a gap leaves one way to go on: `L_hclose`.
    HalfClosed,
}

/// A pattern: stones of one side on a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pattern {
    /// `x` own stone, `.` empty, `#` enemy stone or edge.
    pub drawing: &'static str,
    /// How many stones it has.
    pub length: u8,
    /// Whether its ends are free.
    pub ends: Ends,
    /// The exponent of the descending factor: 0 for stones side by side, more for gaps.
    pub exponent: u8,
}

const fn open(drawing: &'static str, length: u8, exponent: u8) -> Pattern {
    Pattern { drawing, length, ends: Ends::Open, exponent }
}

const fn half(drawing: &'static str, length: u8, exponent: u8) -> Pattern {
    Pattern { drawing, length, ends: Ends::HalfClosed, exponent }
}

/// Every pattern.
pub const PATTERNS: [Pattern; COUNT] = [
    open("xxxxx", 5, 0),
    open(".xxxx.", 4, 0),
    half("#xxxx.", 4, 0),
    half(".xxxx#", 4, 0),
    half("xxx.x", 4, 1),
    half("x.xxx", 4, 1),
    half("xx.xx", 4, 1),
    open(".xxx.", 3, 0),
    open(".xx.x.", 3, 1),
    open(".x.xx.", 3, 1),
    half("#xxx..", 3, 0),
    half("..xxx#", 3, 0),
    half("#xx.x.", 3, 1),
    half(".x.xx#", 3, 1),
    half("#x.xx.", 3, 1),
    half(".xx.x#", 3, 1),
    half("xx..x", 3, 2),
    half("x..xx", 3, 2),
    half("x.x.x", 3, 2),
    open(".xx.", 2, 0),
    open(".x.x.", 2, 1),
    open(".x..x.", 2, 2),
    half("#xx..", 2, 0),
    half("..xx#", 2, 0),
    half("#x.x.", 2, 1),
    half(".x.x#", 2, 1),
    open(".x.", 1, 0),
    half("#x.", 1, 0),
    half(".x#", 1, 0),
];

impl Pattern {
    /// Formula (4): `10^L_open * factor^j` or `10^(L_hclose - 1) * factor^k`.
    pub fn exponential(&self, factor: f64) -> f64 {
        let power = i32::from(self.length) - i32::from(self.ends == Ends::HalfClosed);
        10f64.powi(power) * factor.powi(self.exponent.into())
    }

    /// Formula (3), Kang & Kim's: `L_open^2` or `(L_hclose / 2)^2`; they do not see patterns with gaps.
    pub fn kang_kim(&self) -> f64 {
        let length = f64::from(self.length);
        match self.ends {
            _ if self.exponent > 0 => 0.0,
            Ends::Open => length.powi(2),
            Ends::HalfClosed => (length / 2.0).powi(2),
        }
    }
}

/// Counts of the patterns and what stones do to them.
pub static SHAPES: LazyLock<Shapes> = LazyLock::new(|| {
    let drawings: Vec<[&str; 1]> = PATTERNS.iter().map(|pattern| [pattern.drawing]).collect();
    let drawings: Vec<&[&str]> = drawings.iter().map(|drawing| &drawing[..]).collect();
    Shapes::new(&drawings)
});

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mirror_images_are_patterns_of_the_same_value() {
        for pattern in PATTERNS {
            let mirrored: String = pattern.drawing.chars().rev().collect();
            let image = PATTERNS.iter().find(|other| other.drawing == mirrored).expect(pattern.drawing);
            assert_eq!(image.exponential(0.9), pattern.exponential(0.9));
            let stones = pattern.drawing.bytes().filter(|&mark| mark == b'x').count();
            assert_eq!(stones, usize::from(pattern.length));
        }
    }

    #[test]
    fn values_are_those_of_table_1() {
        let value = |drawing| {
            PATTERNS.iter().find(|pattern| pattern.drawing == drawing).unwrap().exponential(0.9).round()
        };
        assert_eq!(value(".xxxx."), 10_000.0);
        assert_eq!(value(".xxx."), 1000.0);
        assert_eq!(value("#xxxx."), 1000.0);
        assert_eq!(value(".xx.x."), 900.0);
        assert_eq!(value("xxx.x"), 900.0);
        assert_eq!(value("#xxx.."), 100.0);
        assert_eq!(value(".xx."), 100.0);
    }
}
