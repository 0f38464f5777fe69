//! The pattern one line makes.

/// What a side gets on one line by putting a stone on a cell: the best five-in-a-row through that stone, by how far
/// it still is. Ordered from worthless to winning.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[repr(u8)]
pub enum Pattern {
    /// No five through this stone is possible any more.
    Dead = 0,
    /// Six or more in a row where they do not win.
    Overline,
    /// Four more stones make a five.
    One,
    /// One more stone makes an open two.
    OpenOne,
    /// One more stone makes a three.
    Two,
    /// One more stone makes an open three.
    OpenTwo,
    /// One more stone makes a four.
    Three,
    /// One more stone makes an open four.
    OpenThree,
    /// One more stone makes a five, and one enemy stone can stop it.
    Four,
    /// Two fours on one line that are not an open four: a double four for Black in renju. Elsewhere this is as good
    /// as an open four and counted as one.
    DoubleFour,
    /// One more stone makes a five, and no single enemy stone can stop it.
    OpenFour,
    /// Wins.
    Five,
}

impl Pattern {
    /// Every pattern, from worthless to winning.
    pub const ALL: [Pattern; 12] = [
        Pattern::Dead,
        Pattern::Overline,
        Pattern::One,
        Pattern::OpenOne,
        Pattern::Two,
        Pattern::OpenTwo,
        Pattern::Three,
        Pattern::OpenThree,
        Pattern::Four,
        Pattern::DoubleFour,
        Pattern::OpenFour,
        Pattern::Five,
    ];

    /// 0 to 11.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The pattern of four bits taken from a packed key.
    pub(crate) const fn from_bits(bits: u8) -> Pattern {
        Pattern::ALL[bits as usize]
    }

    /// The words of the glossary.
    pub const fn name(self) -> &'static str {
        match self {
            Pattern::Dead => "dead",
            Pattern::Overline => "overline",
            Pattern::One => "one",
            Pattern::OpenOne => "open one",
            Pattern::Two => "two",
            Pattern::OpenTwo => "open two",
            Pattern::Three => "three",
            Pattern::OpenThree => "open three",
            Pattern::Four => "four",
            Pattern::DoubleFour => "double four on a line",
            Pattern::OpenFour => "open four",
            Pattern::Five => "five",
        }
    }
}
