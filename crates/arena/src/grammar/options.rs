//! The options of a match: each is one row, read and told from here alone.

use super::engine::{self, EngineWords};
use super::error::Problem;
use super::openings::{self, Openings};
use super::table::{HelpRow, Key, key, key_rows, read_keys, spelled};
use super::values::{file_of, number, one, pair, positive};
use super::{Reader, parse_rule};
use crate::config::MatchConfig;
use crate::game::{AgreedDraw, AgreedWin};
use crate::schedule::Format;
use crate::stats::{Model, Sprt};
use fivestone_game::Size;
use std::path::PathBuf;

/// An option.
struct Row {
    /// Its name, then others for the same.
    names: &'static [&'static str],
    /// What its values are called.
    values: &'static str,
    meaning: &'static str,
    read: fn(&mut Reader, &[String]) -> Result<(), Problem>,
    /// The help of its keys.
    keys: fn() -> Vec<HelpRow>,
}

const fn row(
    names: &'static [&'static str],
    values: &'static str,
    meaning: &'static str,
    read: fn(&mut Reader, &[String]) -> Result<(), Problem>,
) -> Row {
    Row { names, values, meaning, read, keys: Vec::new }
}

impl Row {
    const fn with_keys(self, keys: fn() -> Vec<HelpRow>) -> Row {
        Row { keys, ..self }
    }
}

const PAIRS: &str = "KEY=VALUE...";

const OPTIONS: &[Row] = &[
    row(
        &["engine"],
        PAIRS,
        "an engine; without cmd= the built-in one called name= (or engine=)",
        |reader, values| {
            reader.engines.push(EngineWords::read(values)?);
            Ok(())
        },
    ),
    row(
        &["each"],
        PAIRS,
        "the same for every engine that does not say otherwise; the keys of both:",
        |reader, values| {
            reader.each.merge(EngineWords::read(values)?);
            Ok(())
        },
    )
    .with_keys(engine::help_rows),
    row(
        &["rule"],
        "R",
        "freestyle, standard, renju, caro, caro-overline, or the protocol's 0, 1, 4, 9, 8",
        |reader, values| {
            let rule = parse_rule(one(values)?).map_err(Problem::Rule)?;
            reader.set(move |config| config.rule = rule)
        },
    ),
    row(&["boardsize", "size"], "N", "5 to 22 [15]", |reader, values| {
        let word = one(values)?;
        let size = word.parse().ok().and_then(Size::new);
        let size = size.ok_or_else(|| Problem::NotASize(word.to_owned()))?;
        reader.set(move |config| config.size = size)
    }),
    row(&["rounds"], "N", "rounds [1]", |reader, values| {
        let rounds = positive(one(values)?)?;
        reader.set(move |config| config.rounds = rounds)
    }),
    row(&["games"], "N", "games of each encounter in a round [2]", |reader, values| {
        let games = positive(one(values)?)?;
        reader.set(move |config| config.games = games)
    }),
    row(&["repeat"], "", "each opening twice with colours swapped, as usual", |reader, values| {
        let paired = values.first().is_none_or(|word| word != "1");
        reader.set(move |config| config.paired = paired)
    }),
    row(&["norepeat"], "", "each opening once", |reader, _| reader.set(|config| config.paired = false)),
    row(&["gauntlet"], "", "the first engine against all others; otherwise round robin", |reader, _| {
        reader.set(|config| config.format = Format::Gauntlet)
    }),
    row(&["swiss"], "", "swiss pairing; otherwise round robin", |reader, _| {
        reader.set(|config| config.format = Format::Swiss)
    }),
    row(&["tournament"], "F", "the form by name: round-robin, gauntlet or swiss", read_form),
    row(
        &["opening-rule"],
        "R",
        "swap2, swap, pro, long-pro or soosorv-8: the players make the opening themselves",
        |reader, values| {
            let rule = one(values)?.parse().map_err(Problem::OpeningRule)?;
            reader.set(move |config| config.opening_rule = rule)
        },
    ),
    row(&["openings"], PAIRS, "where games begin [the empty board]", read_openings)
        .with_keys(|| key_rows(openings::KEYS)),
    row(&["sprt"], PAIRS, "stop when a sequential test is decided", |reader, values| {
        let sprt = read_sprt(values)?;
        reader.set(move |config| config.sprt = Some(sprt))
    })
    .with_keys(|| key_rows(SPRT_KEYS)),
    row(&["resign"], PAIRS, "a win when both sides agree on it", |reader, values| {
        let agreed = read_resign(values)?;
        reader.set(move |config| config.adjudication.resign = Some(agreed))
    })
    .with_keys(|| key_rows(RESIGN_KEYS)),
    row(&["draw"], PAIRS, "a draw when both sides agree on it", |reader, values| {
        let mut agreed = AgreedDraw { after: 0, moves: 8, margin: 0.02 };
        read_keys(DRAW_KEYS, values, &mut agreed)?;
        reader.set(move |config| config.adjudication.draw = Some(agreed))
    })
    .with_keys(|| key_rows(DRAW_KEYS)),
    row(&["maxmoves", "drawafter"], "N", "a draw after N moves", |reader, values| {
        let most = positive(one(values)?)?;
        reader.set(move |config| config.adjudication.max_moves = Some(most))
    }),
    row(&["concurrency"], "N", "games at once [1]", |reader, values| {
        reader.concurrency = Some(positive(one(values)?)?);
        Ok(())
    }),
    row(&["srand", "seed"], "N", "seed of everything random [1]", |reader, values| {
        let seed = number(one(values)?)?;
        reader.set(move |config| config.seed = seed)
    }),
    row(
        &["anchor"],
        "NAME=RATING",
        "fix the rating of an engine in a pool; may be given several times",
        |reader, values| {
            for word in values {
                let (name, rating) = pair(word)?;
                reader.anchors.push((name.to_owned(), number(rating)?));
            }
            Ok(())
        },
    ),
    row(&["summary"], "FILE", "the final statistics as JSON", |reader, values| {
        set_path(reader, values, |config| &mut config.outputs.summary)
    }),
    row(&["pgnout"], "FILE", "all games in one file, in the manner of PGN", |reader, values| {
        set_path(reader, values, |config| &mut config.outputs.pgn)
    }),
    row(&["sgf"], "FILE", "all games in one SGF file", |reader, values| {
        set_path(reader, values, |config| &mut config.outputs.sgf)
    }),
    row(&["psq"], "DIR", "one PSQ file per game", |reader, values| {
        set_path(reader, values, |config| &mut config.outputs.psq)
    }),
    row(&["log"], "FILE", "a JSON line per move", |reader, values| {
        set_path(reader, values, |config| &mut config.outputs.log)
    }),
    row(&["chart"], "FILE", "an SVG chart of rating and LLR over games", |reader, values| {
        set_path(reader, values, |config| &mut config.outputs.chart)
    }),
    row(
        &["config"],
        "file=FILE",
        "keep the journal of the match there; if the file exists, resume from it",
        |reader, values| {
            reader.journal = Some(file_of(values)?);
            Ok(())
        },
    ),
    row(&["ratinginterval"], "N", "print the report every N games", |reader, values| {
        reader.report_interval = number(one(values)?)?;
        Ok(())
    }),
    row(&["recover"], "", "accepted; a broken engine is always started anew", |_, _| Ok(())),
];

/// Reads an option.
pub fn read(reader: &mut Reader, name: &str, values: &[String]) -> Result<(), Problem> {
    let row = OPTIONS.iter().find(|row| row.names.contains(&name)).ok_or(Problem::UnknownOption)?;
    (row.read)(reader, values)
}

/// Every option with its keys, one line of explanation for each.
pub fn help_rows() -> Vec<HelpRow> {
    let mut rows = Vec::new();
    for row in OPTIONS {
        let words = spelled(row.names, |name| format!("-{name} {}", row.values).trim_end().to_owned());
        rows.push((words, row.meaning));
        rows.extend((row.keys)());
    }
    rows
}

fn set_path(
    reader: &mut Reader,
    values: &[String],
    place: fn(&mut MatchConfig) -> &mut Option<PathBuf>,
) -> Result<(), Problem> {
    let path = file_of(values)?;
    reader.set(move |config| *place(config) = Some(path))
}

fn read_form(reader: &mut Reader, values: &[String]) -> Result<(), Problem> {
    let format = match one(values)? {
        "roundrobin" | "round-robin" => Format::RoundRobin,
        "gauntlet" => Format::Gauntlet,
        "swiss" => Format::Swiss,
        other => return Err(Problem::UnknownForm(other.to_owned())),
    };
    reader.set(move |config| config.format = format)
}

fn read_openings(reader: &mut Reader, values: &[String]) -> Result<(), Problem> {
    match openings::read(values)? {
        Openings::Random(random) => reader.set(move |config| config.random_openings = Some(random)),
        Openings::File(file, seed) => {
            reader.openings_seed = seed;
            reader.set(move |config| config.openings = Some(file))
        }
    }
}

const SPRT_KEYS: &[Key<Sprt>] = &[
    key(&["elo0"], "A", "at most this much stronger: the null hypothesis [0]", |sprt, value| {
        sprt.elo0 = number(value)?;
        Ok(())
    }),
    key(&["elo1"], "B", "at least this much stronger: the alternative [5]", |sprt, value| {
        sprt.elo1 = number(value)?;
        Ok(())
    }),
    key(&["alpha"], "P", "how often the alternative may be accepted wrongly [0.05]", |sprt, value| {
        sprt.alpha = number(value)?;
        Ok(())
    }),
    key(&["beta"], "P", "how often the null hypothesis may [0.05]", |sprt, value| {
        sprt.beta = number(value)?;
        Ok(())
    }),
    key(&["model"], "M", "whose Elo: normalized or logistic [normalized]", |sprt, value| {
        sprt.model = match value {
            "normalized" | "normalised" => Model::Normalized,
            "logistic" => Model::Logistic,
            other => return Err(Problem::UnknownModel(other.to_owned())),
        };
        Ok(())
    }),
];

fn read_sprt(values: &[String]) -> Result<Sprt, Problem> {
    let mut sprt = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: Model::Normalized };
    read_keys(SPRT_KEYS, values, &mut sprt)?;
    sprt.check().map_err(Problem::Sprt)?;
    Ok(sprt)
}

const RESIGN_KEYS: &[Key<AgreedWin>] = &[
    key(&["count", "movecount"], "N", "for N moves [3]", |agreed, value| {
        agreed.moves = positive(value)?;
        Ok(())
    }),
    key(&["score"], "S", "at this score in centi-units", |agreed, value| {
        agreed.winrate = winrate_of_score(number(value)?);
        Ok(())
    }),
    key(&["winrate"], "P", "or at this win probability [0.95]", |agreed, value| {
        agreed.winrate = number(value)?;
        Ok(())
    }),
    key(&["twosided"], "B", "accepted; both sides always have to agree", |_, _| Ok(())),
];

fn read_resign(values: &[String]) -> Result<AgreedWin, Problem> {
    let mut agreed = AgreedWin { moves: 3, winrate: 0.95 };
    read_keys(RESIGN_KEYS, values, &mut agreed)?;
    let hopeless = agreed.winrate > 0.5 && agreed.winrate <= 1.0;
    if hopeless { Ok(agreed) } else { Err(Problem::TooHopeful) }
}

const DRAW_KEYS: &[Key<AgreedDraw>] = &[
    key(&["number", "movenumber"], "M", "after M moves [0]", |agreed, value| {
        agreed.after = number(value)?;
        Ok(())
    }),
    key(&["count", "movecount"], "N", "for N moves [8]", |agreed, value| {
        agreed.moves = positive(value)?;
        Ok(())
    }),
    key(&["score"], "S", "at most this score in centi-units", |agreed, value| {
        agreed.margin = winrate_of_score(number::<f64>(value)?.abs()) - 0.5;
        Ok(())
    }),
    key(&["winrate"], "P", "or at most this far from an even win probability [0.02]", |agreed, value| {
        agreed.margin = number(value)?;
        Ok(())
    }),
];

/// The win probability of a score in centi-units.
fn winrate_of_score(score: f64) -> f64 {
    1.0 / (1.0 + (-score / 200.0).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn every_option_has_its_own_names_and_a_line_of_help() {
        let mut seen = BTreeSet::new();
        assert!(OPTIONS.iter().flat_map(|row| row.names).all(|name| seen.insert(name)));
        for (words, meaning) in help_rows() {
            assert!(!meaning.is_empty() && words.len() <= 32, "{words}");
        }
    }
}
