//! Every engine by name, with its parameters declared once.

use crate::papers::{garcia, lin_cao, muzika, wang_shen};
use crate::random;
use crate::{Engine, alphabeta, levels, mcts};
use fivestone_game::Rule;
use fivestone_nets::{Net, NetError};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A number that changes how an engine plays.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Parameter {
    /// Its name in arguments, files and the protocol.
    pub name: &'static str,
    /// What it means.
    pub meaning: &'static str,
    /// Its value unless told otherwise.
    pub default: f64,
    /// The smallest and largest value.
    pub range: (f64, f64),
}

/// Values of some parameters that suit one rule better than the defaults.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RuleDefaults {
    /// The rule.
    pub rule: Rule,
    /// Parameters and their values.
    pub values: &'static [(&'static str, f64)],
}

/// The seed that every engine with randomness takes.
pub const SEED: Parameter =
    Parameter { name: "seed", meaning: "seed of the random numbers", default: 1.0, range: (0.0, 9e15) };

/// A listed engine.
pub struct EngineKind {
    /// The name it is asked for by.
    pub name: &'static str,
    /// The paper it comes from.
    pub paper: Option<&'static str>,
    /// One line for a list.
    pub description: &'static str,
    /// What can be set.
    pub parameters: &'static [Parameter],
    /// Defaults that differ by rule.
    pub tuned: &'static [RuleDefaults],
    /// Makes one.
    pub build: fn(&Settings) -> Box<dyn Engine>,
}

/// The strongest engine: the one that plays unless another is asked for.
pub const DEFAULT_ENGINE: &str = "fivestone";

/// Every engine.
pub const ENGINES: &[EngineKind] = &[
    mcts::KIND,
    mcts::PATTERN_KIND,
    alphabeta::KIND,
    levels::KIND,
    random::KIND,
    muzika::mcts_basic::KIND,
    muzika::policy_net::KIND,
    muzika::mcts_nn::KIND,
    muzika::alpha_beta::KIND,
    garcia::version1::KIND,
    garcia::version2::KIND,
    garcia::version3::KIND,
    wang_shen::engine::KIND,
    lin_cao::adp::KIND,
    lin_cao::uct::UCT,
    lin_cao::uct::ADP_UCT,
];

/// Engines that take the parameter `net`: a net file to play with instead of the shipped one.
const WITH_NET: [&str; 1] = [DEFAULT_ENGINE];

/// The parameter that is a file.
pub const NET: &str = "net";

impl EngineKind {
    /// Whether it takes a net file as the parameter [`NET`].
    pub fn takes_net(&self) -> bool {
        WITH_NET.contains(&self.name)
    }

    /// A parameter's value under a rule unless told otherwise.
    pub fn default_under(&self, rule: Rule, parameter: &Parameter) -> f64 {
        tuned(self.tuned, rule, parameter.name).unwrap_or(parameter.default)
    }
}

fn tuned(tuned: &[RuleDefaults], rule: Rule, name: &str) -> Option<f64> {
    let of_rule = tuned.iter().find(|defaults| defaults.rule == rule)?;
    of_rule.values.iter().find(|(tuned, _)| *tuned == name).map(|&(_, value)| value)
}

/// The checked parameter values of one engine.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    numbers: BTreeMap<&'static str, f64>,
    /// The parameters that were given; the others have their defaults.
    given: BTreeSet<&'static str>,
    tuned: &'static [RuleDefaults],
    net: Option<Arc<Net>>,
}

impl Settings {
    /// The defaults of an engine.
    pub fn defaults(kind: &EngineKind) -> Settings {
        Settings {
            numbers: kind.parameters.iter().map(|p| (p.name, p.default)).collect(),
            given: BTreeSet::new(),
            tuned: kind.tuned,
            net: None,
        }
    }

    /// The defaults with some values given.
    pub fn checked<'a>(
        kind: &EngineKind,
        values: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Settings, BuildError> {
        let mut settings = Settings::defaults(kind);
        for (name, value) in values {
            settings.set(kind, name, value)?;
        }
        Ok(settings)
    }

    /// The same with a net to play with instead of the shipped one.
    pub fn with_net(mut self, net: Arc<Net>) -> Settings {
        self.net = Some(net);
        self
    }

    /// The same with a seed for the random numbers, if the engine takes one.
    pub fn with_seed(mut self, seed: u64) -> Settings {
        if let Some(number) = self.numbers.get_mut(SEED.name) {
            *number = (seed as f64).min(SEED.range.1);
        }
        self
    }

    /// The value of a declared parameter. Panics for one the engine does not declare.
    pub fn number(&self, name: &str) -> f64 {
        self.numbers[name]
    }

    /// The value of a declared parameter under a rule: the one given, or the rule's default.
    pub fn number_under(&self, rule: Rule, name: &str) -> f64 {
        let given = self.given.contains(name).then(|| self.number(name));
        given.or_else(|| tuned(self.tuned, rule, name)).unwrap_or_else(|| self.number(name))
    }

    /// The value of a declared whole-number parameter.
    pub fn whole(&self, name: &str) -> u64 {
        self.number(name) as u64
    }

    /// The net to play with instead of the shipped one.
    pub fn net(&self) -> Option<Arc<Net>> {
        self.net.clone()
    }

    /// Checks and takes the value of a parameter.
    fn set(&mut self, kind: &EngineKind, name: &str, value: &str) -> Result<(), BuildError> {
        if name == NET && kind.takes_net() {
            let read = Net::read_file(Path::new(value));
            let net = read.map_err(|error| BuildError::Net { path: value.into(), error: Arc::new(error) })?;
            self.net = Some(Arc::new(net));
            return Ok(());
        }
        let parameter = kind.parameters.iter().find(|p| p.name == name);
        let parameter = *parameter
            .ok_or_else(|| BuildError::UnknownParameter { engine: kind.name, name: name.to_owned() })?;
        let (low, high) = parameter.range;
        let number = value.parse().ok().filter(|number| (low..=high).contains(number));
        let number = number.ok_or_else(|| BuildError::BadValue { parameter, value: value.to_owned() })?;
        self.numbers.insert(parameter.name, number);
        self.given.insert(parameter.name);
        Ok(())
    }
}

/// Why an engine cannot be made.
#[derive(Clone, Debug)]
pub enum BuildError {
    /// No engine of this name.
    UnknownEngine(String),
    /// The engine declares no such parameter.
    UnknownParameter {
        /// The engine.
        engine: &'static str,
        /// The parameter asked for.
        name: String,
    },
    /// The value is not a number in the parameter's range.
    BadValue {
        /// The parameter.
        parameter: Parameter,
        /// The value given.
        value: String,
    },
    /// The net file cannot be played with.
    Net {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        error: Arc<NetError>,
    },
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::UnknownEngine(name) => {
                let names: Vec<_> = ENGINES.iter().map(|kind| kind.name).collect();
                write!(f, "unknown engine \"{name}\" (one of: {})", names.join(", "))
            }
            BuildError::UnknownParameter { engine, name } => {
                let known: Vec<_> =
                    kind(engine).map_or(&[][..], |kind| kind.parameters).iter().map(|p| p.name).collect();
                write!(f, "engine {engine} has no parameter \"{name}\" (it has: {})", known.join(", "))
            }
            BuildError::BadValue { parameter, value } => {
                let (low, high) = parameter.range;
                write!(f, "{}={value} is not a number from {low} to {high}", parameter.name)
            }
            BuildError::Net { path, error } => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for BuildError {}

/// The engine of a name.
pub fn kind(name: &str) -> Option<&'static EngineKind> {
    ENGINES.iter().find(|kind| kind.name == name)
}

/// Makes an engine by name with some of its parameters set.
pub fn build<'a>(
    name: &str,
    values: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<Box<dyn Engine>, BuildError> {
    let kind = kind(name).ok_or_else(|| BuildError::UnknownEngine(name.to_owned()))?;
    Ok((kind.build)(&Settings::checked(kind, values)?))
}
