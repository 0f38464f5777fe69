//! `fivestone solve`: forced wins of the side to move.

mod proof;
mod puzzles;
mod survey;

use crate::arguments::{GameArguments, parse_bytes, parse_duration};
use anyhow::{Result, anyhow, bail, ensure};
use clap::Args;
use fivestone_engine::Stop;
use fivestone_engine::solver::{
    Kind, ProofTree, Solution, SolveLimits, Verdict, defences, first_moves, prove, shorter, solve,
};
use fivestone_game::{Board, Point, Size};
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
    /// The most memory for tables.
    #[arg(long, value_name = "BYTES", default_value = "256MB", value_parser = parse_bytes)]
    memory: usize,
    /// Threads that look for a win by threes. With several, which win is found is a matter of
    /// chance.
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Solve every puzzle of a file: one JSON object a line with id, size, rule, side, black and white.
    #[arg(long, value_name = "SET.jsonl", conflicts_with = "moves")]
    file: Option<PathBuf>,
    /// Write the proof of the win to a file: SGF if it is named .sgf, otherwise text for `fivestone
    /// verify`.
    #[arg(long, value_name = "FILE", conflicts_with = "file")]
    proof: Option<PathBuf>,
    /// Use what is left of the limits to look for the shortest win.
    #[arg(long, conflicts_with = "file")]
    shortest: bool,
    /// List every first move that wins.
    #[arg(long, conflicts_with_all = ["file", "proof", "shortest"])]
    all: bool,
    /// List the moves of the side to move that stop the win which the other side threatens.
    #[arg(long, conflicts_with_all = ["file", "proof", "shortest", "all"])]
    defend: bool,
    /// Print JSON: one object, or with --file one object a line.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = r#"The answer is "win" with a line, "no win" when there is none of this kind, or "unknown" when time or nodes ran out.
A three is every move that threatens to win by fours. Writing a proof down may take as long again. With --json:
  {"result", "kind", "line": [..], "length", "nodes", "elapsed_ms"}   (and "id" with --file, "shortest" with --shortest)
  --all: {"kind", "winning": [{"move", "length", "line"}], "unknown": [..], "failing": [..], "nodes", "elapsed_ms"}
  --defend: {"kind", "threat", "threat_line": [..], "saving": [..], "unknown": [..],
             "losing": [{"move", "length", "line"}], "forbidden": [..], "nodes", "elapsed_ms"}

Examples:
  fivestone solve h8i9j8h10i7g9f8j6
  fivestone solve --rule renju --kind vcf --time 1s --json h8 i9 j8
  fivestone solve --proof win.txt h8i9j8h10i7g9f8j6 && fivestone verify win.txt
  fivestone solve --defend --kind vcf h8i9j8h10i7g9f8
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
    #[serde(skip_serializing_if = "Option::is_none")]
    shortest: Option<bool>,
    nodes: u64,
    elapsed_ms: f64,
}

impl<'a> Answer<'a> {
    fn new(id: Option<&'a str>, solution: &Solution, size: Size) -> Answer<'a> {
        Answer {
            id,
            result: solution.verdict.name(),
            kind: solution.kind.name(),
            line: names(&solution.line, size),
            length: solution.line.len(),
            shortest: None,
            nodes: solution.nodes,
            elapsed_ms: milliseconds(solution.elapsed),
        }
    }
}

fn names(points: &[Point], size: Size) -> Vec<String> {
    points.iter().map(|point| point.name(size)).collect()
}

fn milliseconds(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

fn by_kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Vcf => "by continuous fours",
        Kind::Vct => "by fours and threes",
    }
}

impl Solve {
    pub fn run(self) -> Result<()> {
        ensure!(!self.time.is_zero(), "--time is zero: nothing can be searched in no time");
        ensure!(self.nodes != Some(0), "--nodes is zero: nothing can be searched without positions");
        let limits = SolveLimits {
            time: Some(self.time),
            nodes: self.nodes.unwrap_or(u64::MAX),
            memory: self.memory,
            threads: self.threads.into(),
        };
        if let Some(file) = &self.file {
            return puzzles::solve_all(file, self.kind, &limits, self.json);
        }
        let board = self.game.position(&self.moves)?;
        if let Some(end) = board.end() {
            bail!("nothing to solve, the game is over: {end}");
        }
        if self.all {
            let found = first_moves(&board, self.kind, &limits, &Stop::new());
            return survey::write_all(&mut std::io::stdout().lock(), &board, self.kind, &found, self.json);
        }
        if self.defend {
            let found = defences(&board, self.kind, &limits, &Stop::new());
            return survey::write_defences(
                &mut std::io::stdout().lock(),
                &board,
                self.kind,
                &found,
                self.json,
            );
        }
        self.solve_one(&board, &limits)
    }

    fn solve_one(&self, board: &Board, limits: &SolveLimits) -> Result<()> {
        let (mut solution, mut tree) = if self.proof.is_none() {
            (solve(board, self.kind, limits, &Stop::new()), None)
        } else {
            let (solution, tree) = prove(board, self.kind, limits, &Stop::new());
            (solution, Some(tree.map_err(|error| anyhow!("no proof was written: {error}"))?))
        };
        let is_shortest = self.shorten(board, limits, &mut solution, &mut tree);
        if let (Some(path), Some(tree)) = (&self.proof, &tree) {
            proof::write(path, board, tree)?;
        }
        let mut out = std::io::stdout().lock();
        let told = self.shortest && solution.verdict == Verdict::Win;
        if self.json {
            let shortest = told.then_some(is_shortest);
            let answer = Answer { shortest, ..Answer::new(None, &solution, board.size()) };
            serde_json::to_writer(&mut out, &answer)?;
            writeln!(out)?;
            return Ok(());
        }
        write_solution(&mut out, board, &solution)?;
        match is_shortest {
            true if told => writeln!(out, "there is no shorter win of this kind")?,
            false if told => writeln!(out, "shorter wins were not ruled out within the limits")?,
            _ => {}
        }
        if let (Some(path), Some(tree)) = (&self.proof, &tree) {
            let (nodes, plies) = (tree.nodes().len(), tree.plies());
            writeln!(out, "proof with {nodes} nodes, at most {plies} plies: {}", path.display())?;
        }
        Ok(())
    }

    /// Replaces a win by a shorter one, if there is one: with what is left of the limits if that
    /// was asked for, otherwise with a tenth of what the win cost. Answers whether no win of the
    /// kind is shorter.
    fn shorten(
        &self,
        board: &Board,
        limits: &SolveLimits,
        solution: &mut Solution,
        tree: &mut Option<ProofTree>,
    ) -> bool {
        if solution.verdict != Verdict::Win {
            return false;
        }
        let nodes = if self.shortest { limits.nodes } else { solution.nodes / 10 };
        let left = limits.time.map(|time| time.saturating_sub(solution.elapsed));
        let limits = SolveLimits { time: left, nodes, ..limits.clone() };
        let plies = tree.as_ref().map_or(solution.line.len(), ProofTree::plies);
        let found = shorter(board, self.kind, plies, &limits, &Stop::new());
        solution.nodes += found.nodes;
        solution.elapsed += found.elapsed;
        if let Some(shorter) = found.tree {
            solution.line = shorter.line(board);
            solution.kind = self.kind;
            if tree.is_some() {
                *tree = Some(shorter);
            }
        }
        found.is_shortest
    }
}

fn write_solution(out: &mut impl Write, board: &Board, solution: &Solution) -> Result<()> {
    let side = board.to_move();
    let how = by_kind(solution.kind);
    match solution.verdict {
        Verdict::Win => {
            let line = names(&solution.line, board.size());
            writeln!(out, "{side} wins {how} in {} plies: {}", line.len(), line.join(" "))?;
        }
        Verdict::NoWin => writeln!(out, "{side} has no win {how}")?,
        Verdict::Unknown => {
            writeln!(out, "unknown: the budget ran out before a win {how} was found or ruled out")?;
        }
    }
    writeln!(out, "{} positions, {:.3} s", solution.nodes, solution.elapsed.as_secs_f64())?;
    Ok(())
}
