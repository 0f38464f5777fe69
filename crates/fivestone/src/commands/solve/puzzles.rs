//! A whole file of puzzles.

use super::Answer;
use anyhow::{Context, Result, ensure};
use fivestone_engine::Stop;
use fivestone_engine::solver::{Kind, SolveLimits, Verdict, solve};
use fivestone_game::{Board, Color, Point, Rule, Size};
use indicatif::{ProgressBar, ProgressStyle};
use serde::Deserialize;
use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;

#[derive(Deserialize)]
struct Puzzle {
    id: String,
    size: usize,
    rule: String,
    side: String,
    black: Vec<String>,
    white: Vec<String>,
}

impl Puzzle {
    fn board(&self) -> Result<Board> {
        let size =
            Size::new(self.size).with_context(|| format!("no board has {} points a side", self.size))?;
        let rule: Rule = self.rule.parse()?;
        let side = match self.side.as_str() {
            "black" => Color::Black,
            "white" => Color::White,
            other => anyhow::bail!("the side is black or white, not \"{other}\""),
        };
        let stones = |names: &[String]| -> Result<Vec<Point>> {
            names.iter().map(|name| Ok(Point::parse(name, size)?)).collect()
        };
        let board = Board::from_stones(size, rule, &stones(&self.black)?, &stones(&self.white)?, side)?;
        ensure!(board.end().is_none(), "the board is full");
        Ok(board)
    }
}

/// Solves every puzzle and sums up. Broken lines are reported and counted; they make the command fail at its end.
pub fn solve_all(file: &Path, kind: Kind, limits: &SolveLimits, json: bool) -> Result<()> {
    let shown = file.display();
    let reader = BufReader::new(File::open(file).with_context(|| format!("cannot open {shown}"))?);
    let lines: Vec<String> =
        reader.lines().collect::<Result<_, _>>().with_context(|| format!("cannot read {shown}"))?;
    let bar = ProgressBar::new(lines.len() as u64);
    bar.set_style(ProgressStyle::with_template("{bar:30} {pos}/{len} {eta} {msg}")?);
    let (mut counts, mut broken, mut times, mut nodes) = ([0usize; 3], 0, Vec::new(), 0);
    for (number, line) in lines.iter().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let parsed = serde_json::from_str::<Puzzle>(line).map_err(anyhow::Error::from);
        let (puzzle, board) = match parsed.and_then(|puzzle| puzzle.board().map(|board| (puzzle, board))) {
            Ok(found) => found,
            Err(error) => {
                broken += 1;
                bar.suspend(|| eprintln!("{shown}, line {}: {error:#}", number + 1));
                continue;
            }
        };
        let solution = solve(&board, kind, limits, &Stop::new());
        counts[solution.verdict as usize] += 1;
        times.push(solution.elapsed.as_secs_f64() * 1e3);
        nodes += solution.nodes;
        let mut out = std::io::stdout().lock();
        if json {
            serde_json::to_writer(&mut out, &Answer::new(Some(&puzzle.id), &solution, board.size()))?;
            writeln!(out)?;
        } else if solution.verdict != Verdict::Win {
            bar.suspend(|| writeln!(out, "{}: {}", puzzle.id, solution.verdict.name()))?;
        }
        bar.set_message(format!("{} solved", counts[Verdict::Win as usize]));
        bar.inc(1);
    }
    bar.finish_and_clear();
    times.sort_by(f64::total_cmp);
    let at = |share: f64| {
        times.get((times.len() as f64 * share) as usize).or(times.last()).copied().unwrap_or(0.0)
    };
    let seconds = times.iter().sum::<f64>() / 1e3;
    let summary = format!(
        "{} puzzles: {} won, {} without a win, {} unknown; median {:.3} ms, 95 % within {:.1} ms, slowest {:.1} ms; \
         {:.0} positions a second",
        times.len(),
        counts[Verdict::Win as usize],
        counts[Verdict::NoWin as usize],
        counts[Verdict::Unknown as usize],
        at(0.5),
        at(0.95),
        times.last().copied().unwrap_or(0.0),
        nodes as f64 / seconds.max(1e-9),
    );
    // A program that reads the JSON lines finds nothing else among them.
    if json {
        eprintln!("{summary}");
    } else {
        println!("{summary}");
    }
    ensure!(broken == 0, "{broken} of the lines of {shown} are no puzzles");
    Ok(())
}
