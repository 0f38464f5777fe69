//! What a cell is worth to a side over all four directions.

use super::Pattern;

/// The four line patterns of a cell, combined. Ordered from worthless to winning but for the last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Class {
    /// Nothing to gain here; also every occupied cell.
    None = 0,
    /// At best a one.
    One,
    /// At best a two.
    Two,
    /// One open two.
    OpenTwo,
    /// Two or more open twos.
    DoubleTwo,
    /// A three.
    Three,
    /// A three and an open two, or two threes.
    ThreeTwo,
    /// One open three.
    OpenThree,
    /// One open three and a three.
    OpenThreeThree,
    /// Two or more open threes.
    DoubleThree,
    /// One four.
    Four,
    /// A four and an open three.
    FourThree,
    /// Two fours.
    DoubleFour,
    /// An open four.
    OpenFour,
    /// Wins.
    Five,
    /// Forbidden to Black in renju whatever else stands on the board: overline or double four. A double three is not
    /// in here: whether it is forbidden depends on more than its own lines.
    Forbidden,
}

impl Class {
    /// How many classes there are.
    pub const COUNT: usize = 16;

    /// Every class in order.
    pub const ALL: [Class; Class::COUNT] = [
        Class::None,
        Class::One,
        Class::Two,
        Class::OpenTwo,
        Class::DoubleTwo,
        Class::Three,
        Class::ThreeTwo,
        Class::OpenThree,
        Class::OpenThreeThree,
        Class::DoubleThree,
        Class::Four,
        Class::FourThree,
        Class::DoubleFour,
        Class::OpenFour,
        Class::Five,
        Class::Forbidden,
    ];

    /// Classes whose stone threatens a five with the next move.
    pub const FOURS: [Class; 4] = [Class::Four, Class::FourThree, Class::DoubleFour, Class::OpenFour];
    /// Classes whose stone threatens an open four with the next move, and no five.
    pub const OPEN_THREES: [Class; 3] = [Class::OpenThree, Class::OpenThreeThree, Class::DoubleThree];

    /// How many classes threaten something: an open three, a four, a five, or to be forbidden.
    pub(crate) const THREATS: usize = Class::COUNT - Class::OpenThree as usize;

    /// The class's number among the threatening ones.
    pub(crate) const fn threat_index(self) -> Option<usize> {
        (self as usize).checked_sub(Class::OpenThree as usize)
    }

    /// 0 to 15.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// Combines the patterns of four directions. `restricted` is Black in renju.
    pub fn of(patterns: [Pattern; 4], restricted: bool) -> Class {
        let count = |wanted: Pattern| patterns.iter().filter(|&&p| p == wanted).count();
        let fours = count(Pattern::Four) + count(Pattern::OpenFour) + 2 * count(Pattern::DoubleFour);
        let (open_threes, threes) = (count(Pattern::OpenThree), count(Pattern::Three));
        let (open_twos, twos) = (count(Pattern::OpenTwo), count(Pattern::Two));
        if count(Pattern::Five) > 0 {
            Class::Five
        } else if restricted && (count(Pattern::Overline) > 0 || fours > 1) {
            Class::Forbidden
        } else if count(Pattern::OpenFour) > 0 {
            Class::OpenFour
        } else if fours > 1 {
            Class::DoubleFour
        } else if fours == 1 {
            if open_threes > 0 { Class::FourThree } else { Class::Four }
        } else if open_threes > 1 {
            Class::DoubleThree
        } else if open_threes == 1 {
            if threes > 0 { Class::OpenThreeThree } else { Class::OpenThree }
        } else if threes > 0 {
            if threes + open_twos > 1 { Class::ThreeTwo } else { Class::Three }
        } else if open_twos > 1 {
            Class::DoubleTwo
        } else if open_twos == 1 {
            Class::OpenTwo
        } else if twos > 0 {
            Class::Two
        } else if count(Pattern::One) + count(Pattern::OpenOne) > 0 {
            Class::One
        } else {
            Class::None
        }
    }

    /// The words of the glossary.
    pub const fn name(self) -> &'static str {
        match self {
            Class::None => "none",
            Class::One => "one",
            Class::Two => "two",
            Class::OpenTwo => "open two",
            Class::DoubleTwo => "double two",
            Class::Three => "three",
            Class::ThreeTwo => "three-two",
            Class::OpenThree => "open three",
            Class::OpenThreeThree => "open three and three",
            Class::DoubleThree => "double three",
            Class::Four => "four",
            Class::FourThree => "four-three",
            Class::DoubleFour => "double four",
            Class::OpenFour => "open four",
            Class::Five => "five",
            Class::Forbidden => "forbidden",
        }
    }
}
