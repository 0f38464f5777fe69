//! Every engine by name, with its parameters declared once.

use crate::explanation::Explanation;
use crate::papers::{garcia, lin_cao, muzika, wang_shen};
use crate::parameters::{Parameter, RuleDefaults, SEED};
use crate::random;
use crate::{Engine, alphabeta, levels, mcts, shipped};
use fivestone_game::{Board, Rule};
use fivestone_nets::{Net, NetError};
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

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
    /// Whether it plays with a net.
    pub nets: NetUse,
    /// What it sees in a position; nothing for an engine that has no tables to show.
    pub explain: Option<fn(&Board) -> Explanation>,
    /// Makes one.
    pub build: fn(&Settings) -> Box<dyn Engine>,
}

/// What an engine does with nets.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NetUse {
    /// It plays without.
    None,
    /// It plays with a net file given as the parameter [`NET`], or the shipped net of the rule, or
    /// without where there is neither.
    Optional,
    /// It plays with a shipped net only.
    Shipped,
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

/// The parameter that is a file: a net to play with instead of the shipped one.
pub const NET: &str = "net";

impl EngineKind {
    /// A parameter's value under a rule unless told otherwise.
    pub fn default_under(&self, rule: Rule, parameter: &Parameter) -> f64 {
        tuned(self.tuned, rule, parameter.name).unwrap_or(parameter.default)
    }

    /// A parameter's place in the table.
    fn place(&self, name: &str) -> Option<usize> {
        self.parameters.iter().position(|parameter| parameter.name == name)
    }
}

fn tuned(tuned: &[RuleDefaults], rule: Rule, name: &str) -> Option<f64> {
    let of_rule = tuned.iter().find(|defaults| defaults.rule == rule)?;
    of_rule.values.iter().find(|(tuned, _)| *tuned == name).map(|&(_, value)| value)
}

/// The checked parameter values of one engine.
#[derive(Clone, PartialEq, Debug)]
pub struct Settings {
    parameters: &'static [Parameter],
    tuned: &'static [RuleDefaults],
    /// The values that were given, in the order of the parameters; the others have their defaults.
    given: Vec<Option<f64>>,
    net: Option<Arc<Net>>,
}

impl Settings {
    /// The defaults of an engine.
    pub fn defaults(kind: &EngineKind) -> Settings {
        Settings {
            parameters: kind.parameters,
            tuned: kind.tuned,
            given: vec![None; kind.parameters.len()],
            net: None,
        }
    }

    /// The defaults with some values given.
    pub fn checked<'a>(
        kind: &EngineKind,
        values: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Settings, BuildError> {
        if kind.nets == NetUse::Shipped && !shipped::EMBEDDED {
            return Err(BuildError::NoShippedNets(kind.name));
        }
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
    pub fn with_seed(self, seed: u64) -> Settings {
        self.with(&[(SEED.name, (seed as f64).min(SEED.range.1))])
    }

    /// The same with values of some parameters; those that the engine does not declare are passed
    /// over.
    pub(crate) fn with(mut self, values: &[(&str, f64)]) -> Settings {
        for (parameter, given) in self.parameters.iter().zip(&mut self.given) {
            if let Some(&(_, value)) = values.iter().find(|(name, _)| *name == parameter.name) {
                *given = Some(value);
            }
        }
        self
    }

    /// The value of every parameter, in the order they are declared, whatever the rule.
    pub(crate) fn values(&self) -> Vec<f64> {
        self.values_or(|parameter| parameter.default)
    }

    /// The value of every parameter under a rule, in the order they are declared: the one given, or
    /// the rule's default.
    pub(crate) fn values_under(&self, rule: Rule) -> Vec<f64> {
        self.values_or(|parameter| tuned(self.tuned, rule, parameter.name).unwrap_or(parameter.default))
    }

    fn values_or(&self, default: impl Fn(&Parameter) -> f64) -> Vec<f64> {
        let all = self.given.iter().zip(self.parameters);
        all.map(|(given, parameter)| given.unwrap_or_else(|| default(parameter))).collect()
    }

    /// The net to play with instead of the shipped one.
    pub fn net(&self) -> Option<Arc<Net>> {
        self.net.clone()
    }

    /// Checks and takes the value of a parameter.
    fn set(&mut self, kind: &EngineKind, name: &str, value: &str) -> Result<(), BuildError> {
        if name == NET && kind.nets == NetUse::Optional {
            let read = Net::read_file(Path::new(value));
            let net = read.map_err(|error| BuildError::Net { path: value.into(), error: Arc::new(error) })?;
            self.net = Some(Arc::new(net));
            return Ok(());
        }
        let place = kind
            .place(name)
            .ok_or_else(|| BuildError::UnknownParameter { engine: kind.name, name: name.to_owned() })?;
        let parameter = kind.parameters[place];
        let (low, high) = parameter.range;
        let number = value.parse().ok().filter(|number| (low..=high).contains(number));
        let number = number.ok_or_else(|| BuildError::BadValue { parameter, value: value.to_owned() })?;
        self.given[place] = Some(number);
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
    /// The engine plays with a shipped net, and the program was built without them.
    NoShippedNets(&'static str),
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
            BuildError::NoShippedNets(engine) => {
                write!(f, "engine {engine} needs a shipped net, and this program was built without them")
            }
        }
    }
}

impl std::error::Error for BuildError {}

/// The engine of a name.
pub fn kind(name: &str) -> Option<&'static EngineKind> {
    ENGINES.iter().find(|kind| kind.name == name)
}

/// What an engine sees in a position; nothing for one that is not among [`explained`].
pub fn explain(name: &str, board: &Board) -> Option<Explanation> {
    kind(name)?.explain.map(|explain| explain(board))
}

/// The names of the engines that can explain a position.
pub fn explained() -> Vec<&'static str> {
    ENGINES.iter().filter(|kind| kind.explain.is_some()).map(|kind| kind.name).collect()
}

/// Makes an engine by name with some of its parameters set.
pub fn build<'a>(
    name: &str,
    values: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<Box<dyn Engine>, BuildError> {
    let kind = kind(name).ok_or_else(|| BuildError::UnknownEngine(name.to_owned()))?;
    Ok((kind.build)(&Settings::checked(kind, values)?))
}
