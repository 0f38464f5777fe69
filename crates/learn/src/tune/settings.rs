//! What is tuned and how: the file `tune.toml` of a tuning directory.

use super::error::{ParameterError, ParameterProblem, TuneProblem};
use super::spsa::{Number, Spsa};
use fivestone_arena::clock::TimeControl;
use fivestone_arena::openings::{FileFormat, OpeningBook, OpeningsFile};
use fivestone_arena::player::Factory;
use fivestone_arena::spec::{EngineSpec, Source};
use fivestone_arena::{MatchConfig, MatchError};
use fivestone_artifacts::{SettingsError, read_settings};
use fivestone_engine::{BuildError, EngineKind, NET, Parameter, Settings, kind};
use fivestone_game::{Rule, Size};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A tuning, as it is stored.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TuneSettings {
    /// The built-in engine.
    pub engine: String,
    /// The rule of play.
    pub rule: Rule,
    /// The board's side.
    pub size: Size,
    /// The most visits for a move.
    pub visits: Option<u64>,
    /// The most milliseconds for a move.
    pub time_ms: Option<u64>,
    /// Pairs of games.
    pub iterations: u64,
    /// Seed of every random choice.
    pub seed: u64,
    /// A file of openings; the shipped set of the rule and size if there is none.
    pub openings: Option<PathBuf>,
    /// How openings are written in it.
    pub openings_type: FileFormat,
    /// Parameters that are not tuned but differ from their defaults.
    pub set: BTreeMap<String, String>,
    /// What is tuned.
    #[serde(rename = "parameter")]
    pub parameters: Vec<TunedParameter>,
}

/// A parameter that is tuned.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TunedParameter {
    /// Its name.
    pub name: String,
    /// The value to begin with.
    pub start: f64,
    /// The smallest value.
    pub low: f64,
    /// The largest value.
    pub high: f64,
    /// The perturbation in the last iteration.
    pub step: f64,
    /// Steps that the last iteration moves by for each game won more than lost.
    pub rate: f64,
    /// Whether only whole numbers can be played with.
    pub whole: bool,
}

/// A perturbation as a part of the start value, and the most as a part of the range.
const STEP_OF_START: f64 = 0.2;
const STEP_OF_RANGE: f64 = 0.1;
/// The rate times the iterations: values can then move by a few steps, whatever the length.
const RATE_OVER_ALL: f64 = 20.0;
const MOST_RATE: f64 = 0.1;
/// Parameters with a wider range between whole numbers are counts.
const COUNT_RANGE: f64 = 100.0;

impl TunedParameter {
    /// Reads `NAME`, `NAME=START`, `NAME=LOW..HIGH`, `NAME=START,LOW..HIGH`, and after these
    /// `,step=S`, `,rate=R`, `,whole` or `,real`. What is not said follows from the declared
    /// parameter: the start is its default under the rule (the middle of a range that does not have
    /// it).
    pub fn parse(
        text: &str,
        (kind, rule): (&EngineKind, Rule),
        iterations: u64,
    ) -> Result<TunedParameter, ParameterError> {
        let fail = |problem| ParameterError { text: text.to_owned(), problem };
        let (name, rest) = text.split_once('=').unwrap_or((text, ""));
        let declared = declared(kind, name).map_err(fail)?;
        let (mut start, mut range, mut step, mut rate) = (None, None, None, None);
        let mut whole = is_count(&declared);
        for word in rest.split(',').filter(|word| !word.is_empty()) {
            match (word, word.split_once('='), word.split_once("..")) {
                ("whole", ..) => whole = true,
                ("real", ..) => whole = false,
                (_, Some(("step", value)), _) => step = Some(number(value).map_err(fail)?),
                (_, Some(("rate", value)), _) => rate = Some(number(value).map_err(fail)?),
                (_, Some((key, _)), _) => {
                    return Err(fail(ParameterProblem::UnknownKey(key.to_owned())));
                }
                (_, None, Some((low, high))) => {
                    range = Some((number(low).map_err(fail)?, number(high).map_err(fail)?));
                }
                (_, None, None) => start = Some(number(word).map_err(fail)?),
            }
        }
        let (low, high) = range.unwrap_or(declared.range);
        let default = kind.default_under(rule, &declared);
        let inside = (low..=high).contains(&default);
        let usual = if inside { default } else { f64::midpoint(low, high) };
        let start = start.unwrap_or(usual);
        let parameter = TunedParameter {
            name: name.to_owned(),
            start,
            low,
            high,
            step: step.unwrap_or_else(|| usual_step(start, low, high, whole)),
            rate: rate.unwrap_or_else(|| (RATE_OVER_ALL / iterations.max(1) as f64).min(MOST_RATE)),
            whole,
        };
        parameter.check(&declared).map_err(fail)?;
        Ok(parameter)
    }

    fn check(&self, declared: &Parameter) -> Result<(), ParameterProblem> {
        let &TunedParameter { ref name, start, low, high, step, rate, .. } = self;
        let ((least, most), range) = (declared.range, (low, high));
        let problem = if [start, low, high, step, rate].iter().any(|value| !value.is_finite()) {
            ParameterProblem::NotFinite(name.clone())
        } else if low >= high {
            ParameterProblem::EmptyRange(range)
        } else if low < least || high > most {
            ParameterProblem::TooWide { name: name.clone(), declared: declared.range, range }
        } else if !(low..=high).contains(&start) {
            ParameterProblem::Start(start, range)
        } else if step <= 0.0 || step > (high - low) / 2.0 {
            ParameterProblem::Step(step, range)
        } else if rate <= 0.0 || rate > 1.0 {
            ParameterProblem::Rate(rate)
        } else {
            return Ok(());
        };
        Err(problem)
    }

    /// A value as an engine may be told it: whole where it must be, four digits otherwise.
    pub fn rounded(&self, value: f64) -> f64 {
        let near = if self.whole { value.round() } else { four_digits(value) };
        near.clamp(self.low, self.high)
    }
}

/// The nearest number of four digits.
pub fn four_digits(value: f64) -> f64 {
    let digits = if value == 0.0 { 0.0 } else { value.abs().log10().floor() };
    let power = 10f64.powf((digits - 3.0).abs());
    // Dividing by a power of ten keeps decimal fractions short.
    if digits < 3.0 { (value * power).round() / power } else { (value / power).round() * power }
}

/// A perturbation that changes play enough to be seen.
fn usual_step(start: f64, low: f64, high: f64, whole: bool) -> f64 {
    let range = high - low;
    let of_range = STEP_OF_RANGE * range;
    let step = if start == 0.0 { of_range / 2.0 } else { of_range.min(STEP_OF_START * start.abs()) };
    four_digits(if whole { step.max(0.5).min(range / 2.0) } else { step })
}

/// Whether a parameter counts something, as far as its declaration tells.
fn is_count(declared: &Parameter) -> bool {
    let (low, high) = declared.range;
    let whole = |value: f64| value.fract() == 0.0;
    whole(low) && whole(high) && whole(declared.default) && high - low > COUNT_RANGE
}

fn declared(kind: &EngineKind, name: &str) -> Result<Parameter, ParameterProblem> {
    if name == "seed" {
        return Err(ParameterProblem::Seed);
    }
    let found = kind.parameters.iter().find(|parameter| parameter.name == name).copied();
    let unknown = || BuildError::UnknownParameter { engine: kind.name, name: name.to_owned() };
    found.ok_or_else(|| ParameterProblem::Unknown(unknown()))
}

fn number(text: &str) -> Result<f64, ParameterProblem> {
    let number = text.trim().parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| ParameterProblem::NotANumber(text.to_owned()))
}

impl TuneSettings {
    /// Reads the stored form; what is wrong is told in one line.
    pub fn read(text: &str) -> Result<TuneSettings, SettingsError> {
        read_settings(text)
    }

    /// The stored form.
    pub fn text(&self) -> String {
        toml::to_string(self).expect("settings are plain data")
    }

    /// The engine in the registry.
    pub fn kind(&self) -> Result<&'static EngineKind, BuildError> {
        kind(&self.engine).ok_or_else(|| BuildError::UnknownEngine(self.engine.clone()))
    }

    /// Whether it can be played.
    pub fn check(&self) -> Result<(), TuneProblem> {
        let kind = self.kind().map_err(TuneProblem::Engine)?;
        if self.visits.is_none() && self.time_ms.is_none() {
            return Err(TuneProblem::NoLimit);
        }
        if self.visits == Some(0) || self.time_ms == Some(0) || self.iterations == 0 {
            return Err(TuneProblem::BelowOne);
        }
        if self.parameters.is_empty() {
            return Err(TuneProblem::Nothing);
        }
        for (index, parameter) in self.parameters.iter().enumerate() {
            let name = &parameter.name;
            let declared = declared(kind, name).map_err(TuneProblem::Untunable)?;
            let checked = parameter.check(&declared);
            checked.map_err(|problem| TuneProblem::Parameter(name.clone(), problem))?;
            if self.parameters[..index].iter().any(|other| other.name == *name) {
                return Err(TuneProblem::Twice(name.clone()));
            }
            if self.set.contains_key(name) {
                return Err(TuneProblem::AlsoSet(name.clone()));
            }
        }
        let settings = self.maker()?.settings(&self.starts())?;
        match (kind.build)(&settings).refusal(self.rule, self.size) {
            Some(refusal) => Err(TuneProblem::Refused(kind.name, refusal)),
            None => Ok(()),
        }
    }

    /// What differs from other settings, in words.
    pub fn difference(&self, other: &TuneSettings) -> Option<String> {
        let words = |settings: &TuneSettings| {
            let TuneSettings { engine, rule, size, visits, time_ms, iterations, seed, .. } = settings;
            let optional = |value: &Option<u64>| value.map_or("none".to_owned(), |v| v.to_string());
            let openings = settings.openings.as_ref();
            let openings = openings.map_or("shipped".to_owned(), |path| path.display().to_string());
            let mut list = vec![
                ("engine".to_owned(), engine.clone()),
                ("rule".to_owned(), rule.name().to_owned()),
                ("size".to_owned(), size.to_string()),
                ("visits".to_owned(), optional(visits)),
                ("time in ms".to_owned(), optional(time_ms)),
                ("iterations".to_owned(), iterations.to_string()),
                ("seed".to_owned(), seed.to_string()),
                ("openings".to_owned(), openings),
                ("type of openings".to_owned(), format!("{:?}", settings.openings_type).to_lowercase()),
                ("set".to_owned(), format!("{:?}", settings.set)),
            ];
            let names: Vec<&str> = settings.parameters.iter().map(|p| p.name.as_str()).collect();
            list.push(("parameters".to_owned(), names.join(", ")));
            for p in &settings.parameters {
                let kind = if p.whole { "whole" } else { "real" };
                let text =
                    format!("{},{}..{},step={},rate={},{kind}", p.start, p.low, p.high, p.step, p.rate);
                list.push((format!("parameter {}", p.name), text));
            }
            list
        };
        let (mine, others) = (words(self), words(other));
        let different = mine.into_iter().zip(others).find(|(mine, other)| mine != other);
        different.map(|((what, mine), (_, other))| format!("{what} {mine}, not {other}"))
    }

    /// The values to begin with.
    pub fn starts(&self) -> Vec<f64> {
        self.parameters.iter().map(|parameter| parameter.start).collect()
    }

    /// The arithmetic of it.
    pub fn spsa(&self) -> Spsa {
        let number = |p: &TunedParameter| Number {
            low: p.low,
            high: p.high,
            step: p.step,
            rate: p.rate,
            whole: p.whole,
        };
        Spsa { numbers: self.parameters.iter().map(number).collect(), iterations: self.iterations }
    }

    /// The limits of both sides.
    pub fn spec(&self, name: &str) -> EngineSpec {
        let mut spec = EngineSpec::new(name, Source::BuiltIn(self.engine.clone()));
        spec.visits = self.visits;
        let turn = self.time_ms.map(Duration::from_millis);
        spec.time = TimeControl { turn, ..TimeControl::default() };
        spec
    }

    /// Options that make an engine of the registry play with some values.
    pub fn options(&self, values: &[f64]) -> Vec<(String, String)> {
        let fixed = self.set.iter().map(|(name, value)| (name.clone(), value.clone()));
        let tuned = self.parameters.iter().zip(values);
        fixed.chain(tuned.map(|(p, value)| (p.name.clone(), value.to_string()))).collect()
    }

    /// The openings in the order they are played in.
    pub fn book(&self) -> Result<OpeningBook, MatchError> {
        self.match_config(self.seed).book()
    }

    /// A match of no engines yet, with the rule and the openings.
    pub(super) fn match_config(&self, seed: u64) -> MatchConfig {
        let mut config = MatchConfig::new(Vec::new());
        (config.rule, config.size, config.seed) = (self.rule, self.size, seed);
        config.openings = Some(OpeningsFile {
            path: self.openings.clone(),
            format: self.openings_type,
            random: true,
            seed,
            start: 0,
            symmetries: false,
        });
        config
    }

    /// Makes ready to build engines: a net file is read once, here.
    pub fn maker(&self) -> Result<Maker, TuneProblem> {
        let kind = self.kind().map_err(TuneProblem::Engine)?;
        let fixed = self.set.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let given = Settings::checked(kind, fixed).map_err(TuneProblem::Engine)?;
        let numbers = self.set.iter().filter(|(name, _)| *name != NET);
        let fixed = numbers.map(|(name, value)| (name.clone(), value.clone())).collect();
        let names = self.parameters.iter().map(|parameter| parameter.name.clone()).collect();
        Ok(Maker { kind, given, fixed, names })
    }
}

/// Makes engines with tuned values, all with the same net.
pub struct Maker {
    kind: &'static EngineKind,
    given: Settings,
    fixed: Vec<(String, String)>,
    names: Vec<String>,
}

impl Maker {
    fn settings(&self, values: &[f64]) -> Result<Settings, TuneProblem> {
        let tuned = self.names.iter().zip(values).map(|(name, value)| (name.clone(), value.to_string()));
        let all: Vec<(String, String)> = self.fixed.iter().cloned().chain(tuned).collect();
        let words = all.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        let settings = Settings::checked(self.kind, words).map_err(TuneProblem::Engine)?;
        Ok(match self.given.net() {
            Some(net) => settings.with_net(net),
            None => settings,
        })
    }

    /// The maker of engines with some values.
    pub fn factory(&self, values: &[f64]) -> Result<Factory, TuneProblem> {
        let settings = self.settings(values)?;
        let (kind, seeded) = (self.kind, self.fixed.iter().all(|(name, _)| name != "seed"));
        Ok(Arc::new(move |seed| {
            // Seeds are numbers with a fraction in the registry: keep to those that are exact.
            let settings = settings.clone();
            (kind.build)(&if seeded { settings.with_seed(seed >> 12) } else { settings })
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<TunedParameter, ParameterError> {
        TunedParameter::parse(text, (kind("monomial-v3").unwrap(), Rule::Freestyle), 1000)
    }

    #[test]
    fn parameters_are_read_in_every_form() {
        let p = parse("high-temperature").unwrap();
        assert_eq!((p.start, p.low, p.high, p.whole), (4.0, 0.0001, 1000.0, false));
        assert_eq!((p.step, p.rate), (0.8, 0.02));
        let p = parse("cpuct=0.5..3").unwrap();
        assert_eq!((p.start, p.low, p.high, p.step, p.whole), (1.0, 0.5, 3.0, 0.2, false));
        let p = parse("cpuct=2..3").unwrap();
        assert_eq!(p.start, 2.5, "a range without the default begins in its middle");
        let p = parse("width=12,4..30,step=3,rate=0.05").unwrap();
        assert_eq!((p.start, p.low, p.high, p.step, p.rate), (12.0, 4.0, 30.0, 3.0, 0.05));
        assert!(p.whole);
        assert!(!parse("width=12,real").unwrap().whole);
        assert!(parse("cpuct=5,1..20,whole").unwrap().whole);
    }

    #[test]
    fn wrong_parameters_are_refused_in_one_line() {
        for (text, problem) in [
            ("speed", "has no parameter \"speed\""),
            ("seed", "no engine stronger"),
            ("width=0..20", "width goes from 1 to 484, so 0..20 is too wide"),
            ("width=20..10", "the range 20..10 is empty"),
            ("width=500", "the start 500 is not within 1..484"),
            ("width=nan", "\"nan\" is not a number"),
            ("width=10,step=0", "the step 0 is not above 0"),
            ("width=10,rate=2", "the rate 2 is not"),
            ("width=10,pace=2", "unknown key \"pace\""),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.contains(problem) && error.contains(text), "{error}");
            assert_eq!(error.lines().count(), 1);
        }
    }

    #[test]
    fn values_are_rounded_to_what_people_can_read() {
        let p = parse("cpuct").unwrap();
        assert_eq!(p.rounded(1.234_567), 1.235);
        assert_eq!(p.rounded(0.012_345_6), 0.012_35);
        assert_eq!(p.rounded(0.0), 0.0);
        assert_eq!(p.rounded(123.0), 100.0);
        assert_eq!(parse("width").unwrap().rounded(12.6), 13.0);
    }
}
