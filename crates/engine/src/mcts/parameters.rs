//! The flagship's parameters, and the values that suit each rule.

use super::expand::ExpandSettings;
use super::search::LookSettings;
use super::select::SelectSettings;
use crate::{Parameter, RuleDefaults, Settings, solver};
use fivestone_game::Rule;

const fn parameter(name: &'static str, meaning: &'static str, default: f64, range: (f64, f64)) -> Parameter {
    Parameter { name, meaning, default, range }
}

/// Every parameter of the flagship.
pub(super) const PARAMETERS: &[Parameter] = &[
    parameter("exploration", "weight of the prior in PUCT", 1.4, (0.0, 10.0)),
    parameter("exploration-growth", "growth of that weight with ln visits", 0.4, (0.0, 5.0)),
    parameter("exploration-base", "visits at which the growth begins", 500.0, (10.0, 1e5)),
    parameter("exploration-spread", "share of the weight that follows the spread of values", 0.0, (0.0, 1.0)),
    parameter("first-play", "first-play urgency reduction", 0.3, (0.0, 2.0)),
    parameter("first-play-own", "share of the own evaluation in first-play urgency", 0.0, (0.0, 1.0)),
    parameter("temperature", "flattens the priors", 1.2, (0.1, 5.0)),
    parameter("root-temperature", "flattens the priors of the root", 1.2, (0.1, 5.0)),
    parameter("bound", "standard errors of the lower confidence bound", 2.0, (0.0, 20.0)),
    parameter("bound-visits", "share of the most visits that a chosen move needs", 0.125, (0.0, 1.0)),
    parameter("draw-value", "value of a draw for the side that searches", 0.0, (-1.0, 1.0)),
    parameter("draw-penalty", "penalty for drifting into a draw", 0.0, (0.0, 1.0)),
    parameter("net-share", "the net's part of the value", 0.8, (0.0, 1.0)),
    parameter("width", "most moves of a quiet node", 40.0, (2.0, 484.0)),
    parameter("own-fours", "fours tried at a leaf", 120.0, (0.0, 1e5)),
    parameter("other-fours", "enemy fours tried at a leaf", 60.0, (0.0, 1e5)),
    parameter(
        "transposed",
        "visits of a child, by those of the edge, that end a simulation",
        1.0,
        (0.0, 100.0),
    ),
    parameter("deeper-after", "visits after which a node is searched for a win by threes", 200.0, (1.0, 1e9)),
    parameter("hopeful", "expected result below which that search comes much later", 0.4, (-1.0, 1.0)),
    parameter("deeper-nodes", "node budget of that search", 600.0, (0.0, 1e6)),
    parameter("deeper-growth", "growth of the budget after eight times the visits", 4.0, (0.0, 100.0)),
    solver::SHARE,
    parameter("verify", "share of the time spent on refutations of the move to be played", 0.06, (0.0, 0.9)),
];

/// What suits a rule better than the defaults, found by `fivestone tune` with 500 visits a move.
pub(super) const TUNED: &[RuleDefaults] = &[
    RuleDefaults {
        rule: Rule::Freestyle,
        values: &[
            ("exploration", 0.96),
            ("exploration-growth", 0.04),
            ("first-play", 0.23),
            ("first-play-own", 0.28),
            ("temperature", 1.34),
            ("root-temperature", 1.47),
            ("net-share", 1.0),
            ("bound", 1.85),
        ],
    },
    RuleDefaults {
        rule: Rule::Renju,
        values: &[
            ("exploration", 1.07),
            ("exploration-growth", 0.54),
            ("first-play", 0.19),
            ("first-play-own", 0.33),
            ("temperature", 1.16),
            ("root-temperature", 1.36),
            ("net-share", 0.39),
            ("bound", 1.2),
        ],
    },
];

/// The parameters' values under one rule.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Constants {
    pub expand: ExpandSettings,
    pub select: SelectSettings,
    pub look: LookSettings,
    pub bound: Bound,
    pub root_temperature: f32,
    pub net_share: f32,
    pub vct_share: f64,
    pub verify_share: f64,
}

/// How the move to play is chosen among those searched.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) struct Bound {
    /// Standard errors that are subtracted from the mean.
    pub errors: f64,
    /// Moves with a smaller share of the most visits are not trusted.
    pub least_share: f64,
    /// Utility of a draw.
    pub draw_value: f32,
}

impl Constants {
    pub fn new(settings: &Settings, rule: Rule) -> Constants {
        let exact = |name: &str| settings.number_under(rule, name);
        let number = |name: &str| exact(name) as f32;
        let draw_value = number("draw-value");
        Constants {
            expand: ExpandSettings {
                own_fours: exact("own-fours") as u64,
                other_fours: exact("other-fours") as u64,
                width: exact("width") as usize,
                temperature: number("temperature"),
            },
            select: SelectSettings {
                exploration: number("exploration"),
                exploration_growth: number("exploration-growth"),
                exploration_base: number("exploration-base"),
                exploration_spread: number("exploration-spread"),
                first_play: number("first-play"),
                first_play_own: number("first-play-own"),
                draw_value,
                draw_penalty: number("draw-penalty"),
            },
            look: LookSettings {
                deeper_after: exact("deeper-after") as u32,
                hopeful: number("hopeful"),
                deeper_nodes: exact("deeper-nodes") as u64,
                deeper_growth: number("deeper-growth"),
                transposed: number("transposed"),
            },
            bound: Bound { errors: exact("bound"), least_share: exact("bound-visits"), draw_value },
            root_temperature: number("root-temperature"),
            net_share: number("net-share"),
            vct_share: exact(solver::SHARE.name),
            verify_share: exact("verify"),
        }
    }
}
