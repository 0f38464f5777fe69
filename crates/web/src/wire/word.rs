//! Values of the game and the engines as words on the wire.

use fivestone_engine::solver::{Kind, Verdict};
use fivestone_game::opening::Player;
use fivestone_game::{Class, Color, Forbidden, Opening, Pattern, Rule};
use fivestone_host::views::color_word;
use serde::{Serialize, Serializer};

/// A value that is one word on the wire.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Word<T>(pub T);

/// A type whose values have words.
pub trait Vocabulary: Copy + 'static {
    /// Every value.
    #[cfg_attr(not(test), allow(dead_code, reason = "only the description of the interface lists the words"))]
    const ALL: &'static [Self];

    /// The word of a value.
    fn word(self) -> &'static str;
}

impl<T: Vocabulary> Serialize for Word<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.word())
    }
}

/// All words of a type.
#[cfg(test)]
pub fn words<T: Vocabulary>() -> Vec<&'static str> {
    T::ALL.iter().map(|value| value.word()).collect()
}

#[cfg(test)]
impl<T: Vocabulary> schemars::JsonSchema for Word<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        std::any::type_name::<T>().into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "string", "enum": words::<T>() })
    }
}

impl Vocabulary for Color {
    const ALL: &'static [Color] = &Color::BOTH;

    fn word(self) -> &'static str {
        color_word(self)
    }
}

impl Vocabulary for Player {
    const ALL: &'static [Player] = &Player::BOTH;

    fn word(self) -> &'static str {
        match self {
            Player::First => "first",
            Player::Second => "second",
        }
    }
}

impl Vocabulary for Forbidden {
    const ALL: &'static [Forbidden] = &[Forbidden::Overline, Forbidden::DoubleFour, Forbidden::DoubleThree];

    fn word(self) -> &'static str {
        match self {
            Forbidden::Overline => "overline",
            Forbidden::DoubleFour => "double-four",
            Forbidden::DoubleThree => "double-three",
        }
    }
}

impl Vocabulary for Verdict {
    const ALL: &'static [Verdict] = &[Verdict::Win, Verdict::NoWin, Verdict::Unknown];

    fn word(self) -> &'static str {
        self.name()
    }
}

impl Vocabulary for Kind {
    const ALL: &'static [Kind] = &[Kind::Vcf, Kind::Vct];

    fn word(self) -> &'static str {
        self.name()
    }
}

impl Vocabulary for Class {
    const ALL: &'static [Class] = &Class::ALL;

    fn word(self) -> &'static str {
        self.name()
    }
}

impl Vocabulary for Pattern {
    const ALL: &'static [Pattern] = &Pattern::ALL;

    fn word(self) -> &'static str {
        self.name()
    }
}

impl Vocabulary for Rule {
    const ALL: &'static [Rule] = &Rule::ALL;

    fn word(self) -> &'static str {
        self.name()
    }
}

impl Vocabulary for Opening {
    const ALL: &'static [Opening] = &Opening::ALL;

    fn word(self) -> &'static str {
        self.name()
    }
}
