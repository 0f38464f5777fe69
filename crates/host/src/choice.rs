//! Which engine is asked for, and how it is set.

use fivestone_engine::levels::LEVELS;
use fivestone_engine::{BuildError, DEFAULT_ENGINE, Engine, EngineKind, Settings, kind};
use std::fmt;

/// An engine as it is asked for. It was checked when it was chosen: it can be built as often as
/// wanted.
#[derive(Clone)]
pub struct EngineChoice {
    kind: &'static EngineKind,
    settings: Settings,
    /// Whether the seed was given among the settings.
    has_seed: bool,
    level: Option<usize>,
}

/// Why there is no such engine.
#[derive(Clone, Debug)]
pub enum ChoiceError {
    /// It cannot be built as it is set.
    Build(BuildError),
    /// No level of this number.
    NoLevel(usize),
}

impl fmt::Display for ChoiceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChoiceError::Build(error) => error.fmt(f),
            ChoiceError::NoLevel(level) => write!(f, "there is no level {level} (1 to {})", LEVELS.len()),
        }
    }
}

impl std::error::Error for ChoiceError {}

impl From<BuildError> for ChoiceError {
    fn from(error: BuildError) -> ChoiceError {
        ChoiceError::Build(error)
    }
}

/// The seed's name among the settings.
const SEED: &str = "seed";

impl EngineChoice {
    /// An engine by name, with some of its parameters set; a net is one of them.
    pub fn named<'a>(
        name: &str,
        settings: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<EngineChoice, BuildError> {
        let kind = kind(name).ok_or_else(|| BuildError::UnknownEngine(name.to_owned()))?;
        let mut has_seed = false;
        let given = settings.into_iter().inspect(|(name, _)| has_seed |= *name == SEED);
        let settings = Settings::checked(kind, given)?;
        Ok(EngineChoice { kind, settings, has_seed, level: None })
    }

    /// A level, from 1.
    pub fn level(level: usize) -> Result<EngineChoice, ChoiceError> {
        if !(1..=LEVELS.len()).contains(&level) {
            return Err(ChoiceError::NoLevel(level));
        }
        let choice = EngineChoice::named("levels", [("level", level.to_string().as_str())])?;
        Ok(EngineChoice { level: Some(level), ..choice })
    }

    /// The engine's name.
    pub fn name(&self) -> &'static str {
        self.kind.name
    }

    /// Whether an engine that has thought before plays the next move better: levels below the
    /// highest play by chance and have nothing to remember.
    pub fn remembers(&self) -> bool {
        self.level.is_none_or(|level| level == LEVELS.len())
    }

    /// Makes the engine.
    pub fn build(&self) -> Box<dyn Engine> {
        (self.kind.build)(&self.settings)
    }

    /// Makes the engine with a seed, unless it takes none or one was given among its settings.
    pub fn build_with_seed(&self, seed: u64) -> Box<dyn Engine> {
        if self.has_seed { self.build() } else { (self.kind.build)(&self.settings.clone().with_seed(seed)) }
    }
}

/// The engine that plays unless another is asked for.
impl Default for EngineChoice {
    fn default() -> EngineChoice {
        EngineChoice::named(DEFAULT_ENGINE, []).expect("the default engine is listed")
    }
}

impl PartialEq for EngineChoice {
    fn eq(&self, other: &EngineChoice) -> bool {
        self.name() == other.name() && self.settings == other.settings
    }
}

impl fmt::Debug for EngineChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = f.debug_struct("EngineChoice");
        shown.field("name", &self.name()).field("settings", &self.settings).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_are_checked_when_they_are_made() {
        let refused = |name, settings: &[(&'static str, &'static str)]| {
            EngineChoice::named(name, settings.iter().copied()).expect_err("nonsense").to_string()
        };
        assert!(refused("none", &[]).contains("unknown engine"));
        assert!(refused("random", &[("nonsense", "1")]).contains("no parameter"));
        assert!(refused("random", &[("seed", "x")]).contains("not a number"));
        let levels = LEVELS.len();
        for level in [0, levels + 1] {
            let error = EngineChoice::level(level).expect_err("no such level").to_string();
            assert_eq!(error, format!("there is no level {level} (1 to {levels})"));
        }
    }

    #[test]
    fn the_default_is_the_engine_of_that_name() {
        let default = EngineChoice::default();
        assert_eq!(default, EngineChoice::named(DEFAULT_ENGINE, []).expect("listed"));
        assert_eq!(default.build().name(), DEFAULT_ENGINE);
        assert_ne!(default, EngineChoice::named("random", []).expect("listed"));
    }

    #[test]
    fn only_the_highest_level_remembers() {
        let remembers = |level| EngineChoice::level(level).expect("a level").remembers();
        assert!(!remembers(1) && remembers(LEVELS.len()));
        assert_ne!(EngineChoice::level(1).expect("a level"), EngineChoice::level(2).expect("a level"));
    }

    #[test]
    fn a_seed_that_was_given_stays() {
        use fivestone_engine::{Limits, Stop};
        use fivestone_game::{Board, Rule, Size};
        let board = Board::new(Size::STANDARD, Rule::Freestyle);
        let first_move = |mut engine: Box<dyn Engine>| {
            engine.think(&board, &Limits::visits(1), &Stop::new(), &mut |_| {}).best()
        };
        let free = EngineChoice::named("random", []).expect("listed");
        let fixed = EngineChoice::named("random", [("seed", "7")]).expect("listed");
        let moves = |choice: &EngineChoice| -> Vec<_> {
            (1..30).map(|seed| first_move(choice.build_with_seed(seed))).collect()
        };
        assert!(moves(&fixed).iter().all(|&point| point == moves(&fixed)[0]));
        assert!(moves(&free).iter().any(|&point| point != moves(&free)[0]));
    }
}
