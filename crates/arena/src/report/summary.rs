//! The final statistics as JSON.

use crate::standings::Standings;
use crate::stats::{Estimate, Tally};
use serde_json::{Map, Value, json};

/// The statistics from the first engine's view; for pools also a row per two engines and per engine.
pub fn summary_json(standings: &Standings, anchors: &[(usize, f64)]) -> Value {
    let names = standings.names();
    let mut summary = figures(&standings.first_engine());
    summary.insert("engine".to_owned(), json!(names[0]));
    summary.insert("llr".to_owned(), json!(standings.llr().map(rounded)));
    if let (Some(sprt), Some(llr)) = (standings.sprt(), standings.llr()) {
        let (lower, upper) = sprt.bounds();
        let decision = sprt.decision(llr).map(|decision| format!("{decision:?}"));
        let test = json!({
            "elo0": sprt.elo0, "elo1": sprt.elo1, "alpha": sprt.alpha, "beta": sprt.beta, "model": sprt.model,
            "lower": rounded(lower), "upper": rounded(upper), "decision": decision,
        });
        summary.insert("sprt".to_owned(), test);
    }
    let faults: Vec<Value> = standings
        .faults()
        .map(|(engine, kind, fault)| {
            json!({
                "engine": names[engine], "kind": kind.name(), "count": fault.count,
                "game": fault.game.map(|game| game + 1), "detail": fault.detail,
            })
        })
        .collect();
    summary.insert("faults".to_owned(), json!(faults));
    summary.insert("black_share".to_owned(), json!(rounded(standings.black_share())));
    let times: Vec<Value> = (0..names.len())
        .map(|engine| {
            let time = standings.time_of(engine);
            json!({
                "engine": names[engine], "moves": time.moves, "longest_ms": time.longest,
                "mean_ms": rounded(time.total / time.moves.max(1) as f64),
            })
        })
        .collect();
    summary.insert("times".to_owned(), json!(times));
    let pairs: Vec<Value> = standings
        .encounters()
        .map(|((a, b), tally)| {
            let mut row = figures(tally);
            row.insert("engine".to_owned(), json!(names[a]));
            row.insert("opponent".to_owned(), json!(names[b]));
            Value::Object(row)
        })
        .collect();
    summary.insert("pairs".to_owned(), json!(pairs));
    if names.len() > 2 {
        let ratings: Vec<Value> = standings
            .ratings(anchors)
            .iter()
            .zip(names)
            .map(|(rating, name)| {
                json!({
                    "engine": name, "rating": rounded(rating.elo.value), "error": rounded(rating.elo.error),
                    "games": rating.games, "points": rating.points,
                })
            })
            .collect();
        summary.insert("ratings".to_owned(), json!(ratings));
    }
    Value::Object(summary)
}

fn figures(tally: &Tally) -> Map<String, Value> {
    let estimate = Estimate::of(tally);
    let figure = |read: fn(&Estimate) -> f64| json!(estimate.as_ref().map_or(0.0, |e| rounded(read(e))));
    let rows = [
        ("games", json!(tally.games())),
        ("wins", json!(tally.wins)),
        ("losses", json!(tally.losses)),
        ("draws", json!(tally.draws)),
        ("points", json!(tally.points())),
        ("elo", figure(|e| e.elo.value)),
        ("elo_error", figure(|e| e.elo.error)),
        ("nelo", figure(|e| e.normalised.value)),
        ("nelo_error", figure(|e| e.normalised.error)),
        ("los", json!(estimate.as_ref().map_or(0.5, |e| rounded(e.los)))),
        ("ptnml", json!(tally.pairs)),
    ];
    rows.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// Four decimals are more than any match can tell.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}
