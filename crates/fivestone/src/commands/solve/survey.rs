//! Every winning first move (`--all`), and every move that saves (`--defend`).

use super::{by_kind, milliseconds, names};
use anyhow::Result;
use fivestone_engine::solver::{Defences, Fate, FirstMove, FirstMoves, Kind, Verdict};
use fivestone_game::{Board, Point, Size};
use serde::Serialize;
use std::io::Write;

/// A move and the line that follows it.
#[derive(Serialize)]
struct MoveLine {
    r#move: String,
    /// Plies of the line; nothing where the limits left no room for it.
    length: Option<usize>,
    line: Vec<String>,
}

impl MoveLine {
    fn new(point: Point, line: &[Point], size: Size) -> MoveLine {
        let length = (!line.is_empty()).then_some(line.len());
        MoveLine { r#move: point.name(size), length, line: names(line, size) }
    }

    fn write(&self, out: &mut impl Write) -> Result<()> {
        match self.length {
            Some(length) => {
                let plies = if length == 1 { "ply" } else { "plies" };
                writeln!(out, "  {:<4}{length:>4} {plies}: {}", self.r#move, self.line.join(" "))?;
            }
            None => writeln!(out, "  {:<4}the limits left no room for the line", self.r#move)?,
        }
        Ok(())
    }
}

#[derive(Serialize)]
struct AllAnswer {
    kind: &'static str,
    winning: Vec<MoveLine>,
    unknown: Vec<String>,
    failing: Vec<String>,
    nodes: u64,
    elapsed_ms: f64,
}

pub fn write_all(
    out: &mut impl Write,
    board: &Board,
    kind: Kind,
    found: &FirstMoves,
    json: bool,
) -> Result<()> {
    let size = board.size();
    let of = |verdict| found.moves.iter().filter(move |first| first.verdict == verdict);
    let points = |verdict| names(&of(verdict).map(|first| first.point).collect::<Vec<_>>(), size);
    let line = |first: &FirstMove| MoveLine::new(first.point, &first.line, size);
    let answer = AllAnswer {
        kind: kind.name(),
        winning: of(Verdict::Win).map(line).collect(),
        unknown: points(Verdict::Unknown),
        failing: points(Verdict::NoWin),
        nodes: found.nodes,
        elapsed_ms: milliseconds(found.elapsed),
    };
    if json {
        serde_json::to_writer(&mut *out, &answer)?;
        writeln!(out)?;
        return Ok(());
    }
    let (side, how) = (board.to_move(), by_kind(kind));
    match answer.winning.len() {
        0 if answer.unknown.is_empty() => writeln!(out, "{side} has no win {how}")?,
        0 => writeln!(out, "{side} has no win {how} that was found within the limits")?,
        1 => writeln!(out, "{side} wins {how} with one first move:")?,
        many => writeln!(out, "{side} wins {how} with {many} first moves:")?,
    }
    answer.winning.iter().try_for_each(|first| first.write(out))?;
    if !answer.unknown.is_empty() {
        writeln!(out, "unknown within the limits: {}", answer.unknown.join(" "))?;
    }
    if !answer.failing.is_empty() {
        writeln!(out, "threats that do not win: {}", answer.failing.join(" "))?;
    }
    writeln!(out, "{} positions, {:.3} s", found.nodes, found.elapsed.as_secs_f64())?;
    Ok(())
}

#[derive(Serialize)]
struct DefendAnswer {
    kind: &'static str,
    threat: &'static str,
    threat_line: Vec<String>,
    saving: Vec<String>,
    unknown: Vec<String>,
    losing: Vec<MoveLine>,
    forbidden: Vec<String>,
    nodes: u64,
    elapsed_ms: f64,
}

pub fn write_defences(
    out: &mut impl Write,
    board: &Board,
    kind: Kind,
    found: &Defences,
    json: bool,
) -> Result<()> {
    let size = board.size();
    let points = |wanted: &Fate| -> Vec<String> {
        let of_fate = found.moves.iter().filter(|(_, fate)| fate == wanted);
        of_fate.map(|(point, _)| point.name(size)).collect()
    };
    let losing = found.moves.iter().filter_map(|(point, fate)| match fate {
        Fate::Loses(line) => Some(MoveLine::new(*point, line, size)),
        _ => None,
    });
    let answer = DefendAnswer {
        kind: kind.name(),
        threat: found.threat.name(),
        threat_line: names(&found.threat_line, size),
        saving: points(&Fate::Saves),
        unknown: points(&Fate::Unknown),
        losing: losing.collect(),
        forbidden: points(&Fate::Forbidden),
        nodes: found.nodes,
        elapsed_ms: milliseconds(found.elapsed),
    };
    if json {
        serde_json::to_writer(&mut *out, &answer)?;
        writeln!(out)?;
        return Ok(());
    }
    let (side, how) = (board.to_move(), by_kind(kind));
    match found.threat {
        Verdict::NoWin => writeln!(out, "no threat: {} would not win {how} if it moved now", !side)?,
        Verdict::Unknown => {
            writeln!(out, "unknown within the limits: whether {} threatens to win {how}", !side)?;
        }
        Verdict::Win => {
            let line = answer.threat_line.join(" ");
            writeln!(out, "{} threatens to win {how}: {line}", !side)?;
            match answer.saving.len() {
                0 if answer.unknown.is_empty() => writeln!(out, "nothing saves {side}")?,
                0 => writeln!(out, "nothing was found within the limits that saves {side}")?,
                1 => writeln!(out, "one move saves {side}: {}", answer.saving[0])?,
                many => writeln!(out, "{many} moves save {side}: {}", answer.saving.join(" "))?,
            }
            for (what, moves) in
                [("unknown within the limits", &answer.unknown), ("forbidden", &answer.forbidden)]
            {
                if !moves.is_empty() {
                    writeln!(out, "{what}: {}", moves.join(" "))?;
                }
            }
            if !answer.losing.is_empty() {
                writeln!(out, "these moves lose:")?;
            }
            answer.losing.iter().try_for_each(|lost| lost.write(out))?;
        }
    }
    writeln!(out, "{} positions, {:.3} s", found.nodes, found.elapsed.as_secs_f64())?;
    Ok(())
}
