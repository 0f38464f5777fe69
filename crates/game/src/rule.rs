//! What wins and what is forbidden.

use crate::Color;
use std::fmt;
use std::str::FromStr;

/// A rule of play.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rule {
    /// Five or more in a row win.
    Freestyle,
    /// Exactly five in a row win.
    Standard,
    /// Black wins with exactly five and may not make an overline, a double four or a double three; White wins with
    /// five or more.
    Renju,
    /// Exactly five in a row win, unless an enemy stone stands at both of their ends.
    Caro,
    /// As caro, and six or more in a row win whatever stands at their ends.
    CaroOverline,
}

/// What the run of stones through a new stone has to be to win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Winning {
    /// Five or more.
    FiveOrMore,
    /// Exactly five.
    ExactlyFive,
    /// Exactly five, not blocked by enemy stones at both ends.
    UnblockedFive,
    /// Five not blocked by enemy stones at both ends, or six and more.
    UnblockedFiveOrMore,
}

impl Rule {
    /// Every rule.
    pub const ALL: [Rule; 5] = [Rule::Freestyle, Rule::Standard, Rule::Renju, Rule::Caro, Rule::CaroOverline];

    /// What wins for a side.
    pub const fn winning(self, color: Color) -> Winning {
        match (self, color) {
            (Rule::Freestyle, _) | (Rule::Renju, Color::White) => Winning::FiveOrMore,
            (Rule::Standard, _) | (Rule::Renju, Color::Black) => Winning::ExactlyFive,
            (Rule::Caro, _) => Winning::UnblockedFive,
            (Rule::CaroOverline, _) => Winning::UnblockedFiveOrMore,
        }
    }

    /// Whether a side is bound by forbidden points.
    pub const fn restricts(self, color: Color) -> bool {
        matches!((self, color), (Rule::Renju, Color::Black))
    }

    /// Whether a five between two enemy stones does not win, so that it can be stopped from behind as well.
    pub const fn ends_matter(self) -> bool {
        matches!(self, Rule::Caro | Rule::CaroOverline)
    }

    /// The word for the rule in arguments and files.
    pub const fn name(self) -> &'static str {
        match self {
            Rule::Freestyle => "freestyle",
            Rule::Standard => "standard",
            Rule::Renju => "renju",
            Rule::Caro => "caro",
            Rule::CaroOverline => "caro-overline",
        }
    }
}

impl Winning {
    /// Whether a run of this many stones wins, given whether enemy stones stand at both of its ends.
    pub const fn wins(self, run: usize, blocked_at_both_ends: bool) -> bool {
        match self {
            Winning::FiveOrMore => run >= 5,
            Winning::ExactlyFive => run == 5,
            Winning::UnblockedFive => run == 5 && !blocked_at_both_ends,
            Winning::UnblockedFiveOrMore => run > 5 || run == 5 && !blocked_at_both_ends,
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A word that names no rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnknownRule(pub String);

impl fmt::Display for UnknownRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Rule::ALL.map(Rule::name).join(", ");
        write!(f, "unknown rule \"{}\" (one of: {names})", self.0)
    }
}

impl std::error::Error for UnknownRule {}

impl FromStr for Rule {
    type Err = UnknownRule;

    fn from_str(word: &str) -> Result<Rule, UnknownRule> {
        let lower = word.to_ascii_lowercase();
        Rule::ALL.into_iter().find(|rule| rule.name() == lower).ok_or_else(|| UnknownRule(word.to_owned()))
    }
}
