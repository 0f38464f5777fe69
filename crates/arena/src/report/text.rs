//! Results as text.

use crate::standings::Standings;
use crate::stats::{Decision, Estimate, Tally};
use std::fmt::Write;

/// The whole report: the match or the pool, and what went wrong.
pub fn report(standings: &Standings, anchors: &[(usize, f64)]) -> String {
    let mut text = match_report(standings);
    if standings.names().len() > 2 {
        text.push('\n');
        text.push_str(&rating_table(standings, anchors));
        text.push('\n');
        text.push_str(&cross_table(standings));
    }
    text.push_str(&fault_list(standings));
    text
}

/// The figures of the first engine against all others, in the lines that testers know.
pub fn match_report(standings: &Standings) -> String {
    let names = standings.names();
    let tally = standings.first_engine();
    let opponent = if names.len() == 2 { names[1].clone() } else { format!("{} others", names.len() - 1) };
    let mut text = format!("Results of {} vs {opponent}:\n", names[0]);
    let Some(estimate) = Estimate::of(&tally) else {
        text.push_str("no finished game\n");
        return text;
    };
    let bound = if estimate.one_sided { " (one-sided: a bound)" } else { "" };
    let _ = writeln!(
        text,
        "Elo: {:.2} +/- {:.2}{bound}, nElo: {:.2} +/- {:.2}",
        estimate.elo.value, estimate.elo.error, estimate.normalised.value, estimate.normalised.error
    );
    let pairs_ratio = estimate.pairs_ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}"));
    let _ = writeln!(
        text,
        "LOS: {:.2} %, DrawRatio: {:.2} %, PairsRatio: {pairs_ratio}",
        estimate.los * 100.0,
        estimate.draw_ratio * 100.0
    );
    let Tally { wins, losses, draws, pairs, .. } = tally;
    let _ = writeln!(
        text,
        "Games: {}, Wins: {wins}, Losses: {losses}, Draws: {draws}, Points: {:.1} ({:.2} %), Black: {:.1} %",
        tally.games(),
        tally.points(),
        tally.points() / tally.games() as f64 * 100.0,
        standings.black_share() * 100.0
    );
    let [ll, ld, middle, wd, ww] = pairs;
    let _ = write!(text, "Ptnml(0-2): [{ll}, {ld}, {middle}, {wd}, {ww}]");
    if let (Some(sprt), Some(llr)) = (standings.sprt(), standings.llr()) {
        let (lower, upper) = sprt.bounds();
        let share = if llr >= 0.0 { llr / upper } else { -llr / lower } * 100.0;
        let _ = write!(
            text,
            "   LLR: {llr:.2} ({share:.0}%) ({lower:.2}, {upper:.2}) [{:.2}, {:.2}]",
            sprt.elo0, sprt.elo1
        );
        match sprt.decision(llr) {
            Some(Decision::H1) => text.push_str(" - H1 was accepted"),
            Some(Decision::H0) => text.push_str(" - H0 was accepted"),
            None => {}
        }
    }
    text.push('\n');
    text
}

/// The engines by rating.
pub fn rating_table(standings: &Standings, anchors: &[(usize, f64)]) -> String {
    let ratings = standings.ratings(anchors);
    let mut order: Vec<usize> = (0..ratings.len()).collect();
    order.sort_by(|&a, &b| ratings[b].elo.value.total_cmp(&ratings[a].elo.value).then(a.cmp(&b)));
    let width = name_width(standings);
    let mut text = format!(
        "{:>4} {:<width$} {:>8} {:>7} {:>6} {:>7} {:>7}\n",
        "Rank", "Name", "Rating", "+/-", "Games", "Score", "Draws"
    );
    for (rank, &engine) in order.iter().enumerate() {
        let (rating, tally) = (&ratings[engine], standings.of_engine(engine));
        let percent = |part: f64| part / (tally.games().max(1) as f64) * 100.0;
        let _ = writeln!(
            text,
            "{:>4} {:<width$} {:>8.1} {:>7.1} {:>6} {:>6.1}% {:>6.1}%",
            rank + 1,
            standings.names()[engine],
            rating.elo.value,
            rating.elo.error,
            tally.games(),
            percent(tally.points()),
            percent(tally.draws as f64),
        );
    }
    text
}

/// Points of each engine (row) against each other (column), as points/games.
pub fn cross_table(standings: &Standings) -> String {
    let names = standings.names();
    let width = name_width(standings);
    let mut text = format!("{:>3} {:<width$}", "", "Points of row vs column");
    for column in 0..names.len() {
        let _ = write!(text, " {:>11}", column + 1);
    }
    text.push('\n');
    for (row, name) in names.iter().enumerate() {
        let _ = write!(text, "{:>3} {name:<width$}", row + 1);
        for column in 0..names.len() {
            let tally = standings.between(row, column);
            let cell = match tally.games() {
                0 => "-".to_owned(),
                games => format!("{:.1}/{games}", tally.points()),
            };
            let _ = write!(text, " {cell:>11}");
        }
        text.push('\n');
    }
    text
}

/// What went wrong, by engine; empty when nothing did.
pub fn fault_list(standings: &Standings) -> String {
    let mut text = String::new();
    for (engine, kind, fault) in standings.faults() {
        if text.is_empty() {
            text.push_str("Faults:\n");
        }
        let game = fault.game.map_or(String::new(), |game| format!("game {}: ", game + 1));
        let name = &standings.names()[engine];
        let _ = writeln!(text, "  {name}: {kind} x{} (first: {game}{})", fault.count, fault.detail);
    }
    text
}

fn name_width(standings: &Standings) -> usize {
    standings.names().iter().map(|name| name.chars().count()).max().unwrap_or(0).max(24)
}
