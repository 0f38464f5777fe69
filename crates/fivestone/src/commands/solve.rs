//! `fivestone solve`: forced wins of the side to move.

mod puzzles;

use crate::arguments::{GameArguments, parse_duration};
use anyhow::{Result, bail};
use clap::Args;
use fivestone_engine::Stop;
use fivestone_engine::solver::{Kind, Solution, SolveLimits, Verdict, solve};
use fivestone_game::{Board, Size};
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// Look for a forced win: by continuous fours (vcf), or by fours and threes (vct).
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Solve {
    /// The moves so far, as h8h9i10 or h8 h9 i10; the side to move attacks.
    moves: Vec<String>,
    #[command(flatten)]
    game: GameArguments,
    /// Which threats may be used: vcf or vct.
    #[arg(long, default_value = "vct")]
    kind: Kind,
    /// The most time for a position: 10s, 500ms.
    #[arg(long, default_value = "10s", value_parser = parse_duration)]
    time: Duration,
    /// The most positions to visit.
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Solve every puzzle of a file: one JSON object a line with id, size, rule, side, black and white.
    #[arg(long, value_name = "SET.jsonl", conflicts_with = "moves")]
    file: Option<PathBuf>,
    /// Print JSON: one object, or with --file one object a line.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = r#"The answer is "win" with a line, "no win" when there is none of this kind, or "unknown" when time or nodes ran out.
A three is every move that threatens to win by fours. With --json:
  {"result", "kind", "line": [..], "length", "nodes", "elapsed_ms"}   (and "id" with --file)

Examples:
  fivestone solve h8i9j8h10i7g9f8j6
  fivestone solve --rule renju --kind vcf --time 1s --json h8 i9 j8
  fivestone solve --file puzzles.jsonl --kind vct --time 10s"#;

/// The answer in JSON.
#[derive(Serialize)]
struct Answer<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    result: &'static str,
    kind: &'static str,
    line: Vec<String>,
    length: usize,
    nodes: u64,
    elapsed_ms: f64,
}

impl<'a> Answer<'a> {
    fn new(id: Option<&'a str>, solution: &Solution, size: Size) -> Answer<'a> {
        Answer {
            id,
            result: solution.verdict.name(),
            kind: solution.kind.name(),
            line: solution.line.iter().map(|point| point.name(size)).collect(),
            length: solution.line.len(),
            nodes: solution.nodes,
            elapsed_ms: (solution.elapsed.as_secs_f64() * 1e6).round() / 1e3,
        }
    }
}

impl Solve {
    pub fn run(self) -> Result<()> {
        let limits = SolveLimits {
            time: Some(self.time),
            nodes: self.nodes.unwrap_or(u64::MAX),
            ..SolveLimits::default()
        };
        if let Some(file) = &self.file {
            return puzzles::solve_all(file, self.kind, &limits, self.json);
        }
        let board = self.game.position(&self.moves)?;
        if let Some(end) = board.end() {
            bail!("nothing to solve, the game is over: {end}");
        }
        let solution = solve(&board, self.kind, &limits, &Stop::new());
        let mut out = std::io::stdout().lock();
        if self.json {
            serde_json::to_writer(&mut out, &Answer::new(None, &solution, board.size()))?;
            writeln!(out)?;
        } else {
            write_solution(&mut out, &board, &solution)?;
        }
        Ok(())
    }
}

fn write_solution(out: &mut impl Write, board: &Board, solution: &Solution) -> Result<()> {
    let side = board.to_move();
    let kind = match solution.kind {
        Kind::Vcf => "by continuous fours",
        Kind::Vct => "by fours and threes",
    };
    match solution.verdict {
        Verdict::Win => {
            let line: Vec<String> = solution.line.iter().map(|point| point.name(board.size())).collect();
            writeln!(out, "{side} wins {kind} in {} plies: {}", line.len(), line.join(" "))?;
        }
        Verdict::NoWin => writeln!(out, "{side} has no win {kind}")?,
        Verdict::Unknown => {
            writeln!(out, "unknown: the budget ran out before a win {kind} was found or ruled out")?;
        }
    }
    writeln!(out, "{} positions, {:.3} s", solution.nodes, solution.elapsed.as_secs_f64())?;
    Ok(())
}
