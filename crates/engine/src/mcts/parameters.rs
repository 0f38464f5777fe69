//! The flagship's parameters, and the values that suit each rule.

use crate::parameters::{chosen, number, parameters};
use crate::{RuleDefaults, Settings, solver};
use fivestone_game::Rule;

parameters! {
    /// The parameters' values under one rule. Utilities are in [-1, 1].
    pub(super) struct Constants {
        exploration: f32 = number(1.4, 0.0..=10.0, "weight of the prior in PUCT"),
        exploration_growth: f32 = number(0.4, 0.0..=5.0, "growth of that weight with ln visits"),
        exploration_base: f32 = number(500.0, 10.0..=1e5, "visits at which the growth begins"),
        exploration_spread: f32 =
            number(0.0, 0.0..=1.0, "share of the weight that follows the spread of values"),
        /// Times the root of the tried moves' priors.
        first_play: f32 = number(0.3, 0.0..=2.0, "first-play urgency reduction"),
        /// Rather than of the node's mean.
        first_play_own: f32 =
            number(0.0, 0.0..=1.0, "share of the own evaluation in first-play urgency"),
        temperature: f32 = number(1.2, 0.1..=5.0, "flattens the priors"),
        root_temperature: f32 = number(1.2, 0.1..=5.0, "flattens the priors of the root"),
        bound: f64 = number(2.0, 0.0..=20.0, "standard errors of the lower confidence bound"),
        bound_visits: f64 =
            number(0.125, 0.0..=1.0, "share of the most visits that a chosen move needs"),
        draw_value: f32 = number(0.0, -1.0..=1.0, "value of a draw for the side that searches"),
        draw_penalty: f32 = number(0.0, 0.0..=1.0, "penalty for drifting into a draw"),
        net_share: f32 = number(0.8, 0.0..=1.0, "the net's part of the value"),
        width: usize = number(40.0, 2.0..=484.0, "most moves of a quiet node"),
        own_fours: u64 = number(120.0, 0.0..=1e5, "fours tried at a leaf"),
        other_fours: u64 = number(60.0, 0.0..=1e5, "enemy fours tried at a leaf"),
        /// 0 is never.
        transposed: f32 = number(
            1.0,
            0.0..=100.0,
            "visits of a child, by those of the edge, that end a simulation",
        ),
        deeper_after: u32 =
            number(200.0, 1.0..=1e9, "visits after which a node is searched for a win by threes"),
        hopeful: f32 =
            number(0.4, -1.0..=1.0, "expected result below which that search comes much later"),
        deeper_nodes: u64 = number(600.0, 0.0..=1e6, "node budget of that search"),
        deeper_growth: f32 =
            number(4.0, 0.0..=100.0, "growth of the budget after eight times the visits"),
        vct: f64 = solver::SHARE,
        verify: f64 = number(
            0.06,
            0.0..=0.9,
            "share of the time spent on refutations of the move to be played",
        ),
    }
}

/// What suits a rule better than the defaults, found by `fivestone tune` with 500 visits a move.
pub(super) const TUNED: &[RuleDefaults] = &[
    RuleDefaults {
        rule: Rule::Freestyle,
        values: chosen!(Constants {
            exploration: 0.96,
            exploration_growth: 0.04,
            first_play: 0.23,
            first_play_own: 0.28,
            temperature: 1.34,
            root_temperature: 1.47,
            net_share: 1.0,
            bound: 1.85,
        }),
    },
    RuleDefaults {
        rule: Rule::Renju,
        values: chosen!(Constants {
            exploration: 1.07,
            exploration_growth: 0.54,
            first_play: 0.19,
            first_play_own: 0.33,
            temperature: 1.16,
            root_temperature: 1.36,
            net_share: 0.39,
            bound: 1.2,
        }),
    },
];

/// The flagship without a look for forced wins, for levels that do not see them.
pub(super) const SHORT_SIGHTED: &[(&str, f64)] =
    chosen!(Constants { own_fours: 0.0, other_fours: 0.0, deeper_nodes: 0.0, vct: 0.0 });

impl Constants {
    /// The values that the settings have under a rule.
    pub fn under(rule: Rule, settings: &Settings) -> Constants {
        Constants::of(&settings.values_under(rule))
    }
}
