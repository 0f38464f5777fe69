//! An experiment's report: Markdown, CSV and SVG.

use super::experiments::Experiment;
use fivestone_arena::stats::{Estimate, Tally};
use fivestone_arena::{MatchConfig, Standings};
use std::fmt::Write;

/// The report.
pub fn markdown(experiment: &Experiment, config: &MatchConfig, standings: &Standings, quick: bool) -> String {
    let mut text = format!("# {}\n\n{}\n\n", experiment.title, experiment.setting);
    let kind = if quick { "quick run" } else { "full run" };
    let _ = writeln!(
        text,
        "Measured: {kind}, {} games, {} {2}x{2}, balanced openings with both colours. Intervals are 95 %.\n",
        standings.games(),
        config.rule,
        config.size
    );
    text.push_str("| Claim | Paper | Games | Score | Elo | Verdict |\n|---|---|---|---|---|---|\n");
    for claim in experiment.claims {
        let index = |name: &str| standings.names().iter().position(|known| known == name);
        let (Some(better), Some(worse)) = (index(claim.better), index(claim.worse)) else { continue };
        let tally = standings.between(better, worse);
        let Some(estimate) = Estimate::of(&tally) else { continue };
        let _ = writeln!(
            text,
            "| `{}` > `{}` | {} | {} | {} | {} | {} |",
            claim.better,
            claim.worse,
            claim.paper,
            tally.games(),
            score(&tally),
            elo(&estimate),
            verdict(&estimate)
        );
    }
    text.push_str("\n## Ratings\n\n| Engine | Limit | Rating | Score | Games | ms a move |\n|---|---|---|---|---|---|\n");
    let ratings = standings.ratings(&config.anchors);
    for engine in by_rating(standings) {
        let (spec, rating, tally) = (&config.engines[engine], &ratings[engine], standings.of_engine(engine));
        let time = standings.time_of(engine);
        let limit = spec.visits.map_or_else(|| spec.time.to_string(), |visits| format!("{visits} visits"));
        let _ = writeln!(
            text,
            "| `{}` | {limit} | {:.0} ± {:.0} | {:.1} % | {} | {:.1} |",
            spec.name,
            rating.elo.value,
            rating.elo.error,
            100.0 * tally.points() / tally.games().max(1) as f64,
            tally.games(),
            time.total / time.moves.max(1) as f64
        );
    }
    let _ = writeln!(text, "\n![Ratings with their intervals]({}.svg)", experiment.name);
    let faults: Vec<String> = standings
        .faults()
        .map(|(engine, kind, fault)| {
            format!("{}: {} x{}", standings.names()[engine], kind.name(), fault.count)
        })
        .collect();
    if !faults.is_empty() {
        let _ = writeln!(text, "\nFaults: {}.", faults.join("; "));
    }
    text
}

fn score(tally: &Tally) -> String {
    let games = tally.games().max(1) as f64;
    let (low, high) = wilson(tally.points() / games, games);
    format!(
        "{}+ {}= {}-, {:.0} % [{:.0}, {:.0}]",
        tally.wins,
        tally.draws,
        tally.losses,
        100.0 * tally.points() / games,
        100.0 * low,
        100.0 * high
    )
}

/// Wilson's 95 % interval of a share.
pub fn wilson(share: f64, count: f64) -> (f64, f64) {
    let z = 1.96f64;
    let centre = share + z * z / (2.0 * count);
    let width = z * (share * (1.0 - share) / count + z * z / (4.0 * count * count)).sqrt();
    let scale = 1.0 + z * z / count;
    (((centre - width) / scale).max(0.0), ((centre + width) / scale).min(1.0))
}

fn elo(estimate: &Estimate) -> String {
    let bound = if estimate.one_sided { " (a bound)" } else { "" };
    format!("{:+.0} ± {:.0}{bound}", estimate.elo.value, estimate.elo.error)
}

fn verdict(estimate: &Estimate) -> &'static str {
    match estimate.los {
        los if los >= 0.975 => "holds",
        los if los <= 0.025 => "the contrary holds",
        _ => "not decided by so few games",
    }
}

fn by_rating(standings: &Standings) -> Vec<usize> {
    let ratings = standings.ratings(&[]);
    let mut order: Vec<usize> = (0..ratings.len()).collect();
    order.sort_by(|&a, &b| ratings[b].elo.value.total_cmp(&ratings[a].elo.value).then(a.cmp(&b)));
    order
}

/// A row for every two engines that met.
pub fn csv(standings: &Standings) -> String {
    let mut text = "engine,opponent,wins,draws,losses,score,low,high,elo,elo_error,los\n".to_owned();
    for ((engine, opponent), tally) in standings.encounters() {
        let games = tally.games().max(1) as f64;
        let share = tally.points() / games;
        let (low, high) = wilson(share, games);
        let estimate = Estimate::of(tally);
        let figure = |read: fn(&Estimate) -> f64| estimate.as_ref().map_or(0.0, read);
        let _ = writeln!(
            text,
            "{},{},{},{},{},{share:.4},{low:.4},{high:.4},{:.1},{:.1},{:.4}",
            standings.names()[engine],
            standings.names()[opponent],
            tally.wins,
            tally.draws,
            tally.losses,
            figure(|e| e.elo.value),
            figure(|e| e.elo.error),
            figure(|e| e.los)
        );
    }
    text
}

/// The ratings as dots with their intervals.
pub fn svg(standings: &Standings) -> String {
    let ratings = standings.ratings(&[]);
    let order = by_rating(standings);
    let low = ratings.iter().map(|r| r.elo.value - r.elo.error).fold(f64::INFINITY, f64::min);
    let high = ratings.iter().map(|r| r.elo.value + r.elo.error).fold(f64::NEG_INFINITY, f64::max);
    let (left, right, row) = (150.0, 620.0, 28.0);
    let x = |elo: f64| left + (elo - low) / (high - low).max(1.0) * (right - left);
    let height = row * (order.len() as f64 + 1.5);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 640 {height}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <path d=\"M{0:.1} 8V{1:.1}\" stroke=\"#ccc\"/>\n",
        x(0.0),
        height - row
    );
    for (place, &engine) in order.iter().enumerate() {
        let elo = ratings[engine].elo;
        let y = row * (place as f64 + 0.8);
        let _ = writeln!(
            svg,
            "<text x=\"8\" y=\"{:.1}\">{}</text><path d=\"M{:.1} {y:.1}H{:.1}\" stroke=\"#1f77b4\" stroke-width=\"2\"/>\
             <circle cx=\"{:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"#1f77b4\"/>",
            y + 4.0,
            standings.names()[engine].replace('&', "&amp;").replace('<', "&lt;"),
            x(elo.value - elo.error),
            x(elo.value + elo.error),
            x(elo.value)
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{left}\" y=\"{0:.1}\">{low:.0}</text><text x=\"{right}\" y=\"{0:.1}\" text-anchor=\"end\">{high:.0} Elo\
         </text>\n</svg>",
        height - 8.0
    );
    svg
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_interval_of_a_share_holds_it_and_stays_within_bounds() {
        for (share, count) in [(0.0, 10.0), (0.5, 10.0), (1.0, 4.0), (0.9, 1000.0)] {
            let (low, high) = wilson(share, count);
            assert!(low >= -1e-9 && low <= share + 1e-9 && share <= high + 1e-9 && high <= 1.0 + 1e-9);
        }
        let (low, high) = wilson(0.5, 100.0);
        assert!((low - 0.4038).abs() < 1e-3 && (high - 0.5962).abs() < 1e-3);
    }
}
