//! What a loop leaves behind: its generations, the cards of its nets, its curve.

use super::gate::MatchResult;
use fivestone_artifacts::{Curve, draw_curves};
use fivestone_nets::architecture::{CHANNELS, CONVOLVED, HIDDEN, REGION, REGIONS, VALUE1, VALUE2};
use fivestone_train::flagship::Measured;
use serde::{Deserialize, Serialize};
use std::fmt::Write;

/// A finished generation.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Generation {
    /// Its number; 0 has learned from teachers alone.
    pub number: u32,
    /// The content name of its net.
    pub net: String,
    /// The net it was to beat.
    pub parent: String,
    /// Positions to learn from that its self-play added.
    pub positions: u64,
    /// Positions it was trained on.
    pub trained_on: usize,
    /// Files it was trained on.
    pub data: Vec<String>,
    /// Smallest and largest board among them.
    pub sides: (u8, u8),
    /// Losses on held-out positions: those a search has judged, and others.
    pub measured: [Measured; 2],
    /// The match against the parent.
    pub against_parent: MatchResult,
    /// The matches against the pool.
    pub against_pool: Vec<MatchResult>,
    /// Whether it took its parent's place.
    pub promoted: bool,
    /// Elo over what the loop began with, summed over the promoted generations up to this one.
    pub elo: f64,
    /// Hours the loop had run when it was finished.
    pub hours: f64,
}

impl Generation {
    /// The name of its net's file.
    pub fn file(&self, rule: &str) -> String {
        format!("{rule}-{}.fsnet", self.net)
    }
}

/// The shape of the flagship's nets, in words.
pub fn architecture() -> String {
    format!(
        "line tables 2 x {CHANNELS} channels (i16), symmetric 3x3 convolution of {CONVOLVED} channels, moves {} -> {HIDDEN} with \
         generated weights, value {} regions x {CHANNELS} -> {REGION} -> {VALUE1} -> {VALUE2} -> win, draw, loss",
        2 * CONVOLVED,
        REGIONS + 1
    )
}

#[derive(Serialize)]
struct Cards<'a> {
    net: Vec<Card<'a>>,
}

/// A net's card, in the form of the shipped nets'.
#[derive(Serialize)]
struct Card<'a> {
    file: String,
    rule: &'a str,
    sides: [u8; 2],
    architecture: String,
    parent: &'a str,
    data: &'a [String],
    positions: usize,
    generation: u32,
    hours: f64,
    elo: f64,
    judged: Losses,
    unjudged: Losses,
    against_parent: Strength<'a>,
    against_pool: Vec<Strength<'a>>,
}

#[derive(Serialize)]
struct Losses {
    positions: usize,
    outcome: f64,
    value: f64,
    moves: f64,
    first_choice: f64,
}

#[derive(Serialize)]
struct Strength<'a> {
    against: &'a str,
    elo: f64,
    error: f64,
    games: u64,
}

fn rounded(number: f64, digits: i32) -> f64 {
    let unit = 10_f64.powi(digits);
    (number * unit).round() / unit
}

impl From<&Measured> for Losses {
    fn from(measured: &Measured) -> Losses {
        Losses {
            positions: measured.positions,
            outcome: rounded(measured.outcome_loss, 4),
            value: rounded(measured.value_loss, 4),
            moves: rounded(measured.move_loss, 4),
            first_choice: rounded(measured.top1, 4),
        }
    }
}

impl<'a> From<&'a MatchResult> for Strength<'a> {
    fn from(result: &'a MatchResult) -> Strength<'a> {
        let MatchResult { against, games, elo, error, .. } = result;
        Strength { against, elo: rounded(*elo, 1), error: rounded(*error, 1), games: *games }
    }
}

/// The text of `nets.toml`: a card for every promoted net.
pub(super) fn cards(generations: &[Generation], rule: &str) -> String {
    let net = generations
        .iter()
        .filter(|generation| generation.promoted)
        .map(|generation| Card {
            file: format!("nets/{}", generation.file(rule)),
            rule,
            sides: [generation.sides.0, generation.sides.1],
            architecture: architecture(),
            parent: &generation.parent,
            data: &generation.data,
            positions: generation.trained_on,
            generation: generation.number,
            hours: rounded(generation.hours, 3),
            elo: rounded(generation.elo, 1),
            judged: (&generation.measured[0]).into(),
            unjudged: (&generation.measured[1]).into(),
            against_parent: (&generation.against_parent).into(),
            against_pool: generation.against_pool.iter().map(Strength::from).collect(),
        })
        .collect();
    let text = toml::to_string(&Cards { net }).expect("cards are plain data");
    format!(
        "# The nets this loop has promoted. Losses are in nats on held-out games, Elo with the half width of its 95 % interval.\n\n{text}"
    )
}

/// The curve as a table: every generation with the hours spent and its Elo.
pub(super) fn curve_csv(generations: &[Generation]) -> String {
    let mut text =
        "generation,hours,promoted,elo,elo_parent,error_parent,elo_pattern,error_pattern,positions,net\n"
            .to_owned();
    for generation in generations {
        let pattern = generation.against_pool.iter().find(|result| result.against == super::PATTERNS);
        let number = |of: fn(&MatchResult) -> f64| {
            pattern.map_or(String::new(), |result| format!("{:.1}", of(result)))
        };
        let _ = writeln!(
            text,
            "{},{:.3},{},{:.1},{:.1},{:.1},{},{},{},{}",
            generation.number,
            generation.hours,
            u8::from(generation.promoted),
            generation.elo,
            generation.against_parent.elo,
            generation.against_parent.error,
            number(|result| result.elo),
            number(|result| result.error),
            generation.positions,
            generation.net,
        );
    }
    text
}

/// The curve as a picture.
pub(super) fn curve_svg(generations: &[Generation]) -> String {
    let curve = |name, unit, of: fn(&Generation) -> (f64, f64)| Curve {
        name,
        unit,
        points: generations.iter().filter(|generation| generation.promoted).map(of).collect(),
    };
    let curves = [
        curve("by hours", "hours", |generation| (generation.hours, generation.elo)),
        curve("by generation", "generations", |generation| (generation.number.into(), generation.elo)),
    ];
    draw_curves("Elo over the start", &curves)
}
