//! `fivestone analyze`: what an engine thinks of a position.

use crate::arguments::{EngineArguments, GameArguments};
use anyhow::{Result, bail};
use clap::Args;
use fivestone_engine::{Proof, Report, Stop};
use fivestone_game::{Board, Size};
use fivestone_host::views::LineView;
use serde::Serialize;
use std::io::Write;

/// Let an engine judge a position and show its candidate moves.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Analyze {
    /// The moves so far, as h8h9i10 or h8 h9 i10; none for the empty board.
    moves: Vec<String>,
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    engine: EngineArguments,
    /// How many candidate moves to show.
    #[arg(long, value_name = "N", default_value = "5", value_parser = clap::value_parser!(u16).range(1..=484))]
    lines: u16,
    /// Print one JSON object, as described below.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = r#"Win rates are for the side to move; a draw counts half. With --json:
  {"best", "winrate", "lines": [{"move", "winrate", "visits", "pv": [..]}], "elapsed_ms"}

Examples:
  fivestone analyze h8h9i10
  fivestone analyze --rule renju --time 3s --json h8 i9 j8
  fivestone analyze --engine mcts-basic --visits 100000 h8g7e11i7h6h7j7g6"#;

#[derive(Serialize)]
struct Answer {
    best: String,
    winrate: f64,
    lines: Vec<LineView>,
    elapsed_ms: u64,
}

impl Analyze {
    pub fn run(self) -> Result<()> {
        let board = self.game.position(&self.moves)?;
        if let Some(end) = board.end() {
            bail!("nothing to analyse, the game is over: {end}");
        }
        let mut engine = self.engine.build(self.game)?;
        let limits = self.engine.limits(self.lines.into());
        let report = engine.think(&board, &limits, &Stop::new(), &mut |_| {});
        let mut out = std::io::stdout().lock();
        if self.json {
            serde_json::to_writer_pretty(&mut out, &answer(&report, board.size()))?;
            writeln!(out)?;
        } else {
            write_report(&mut out, &board, &report)?;
        }
        Ok(())
    }
}

fn answer(report: &Report, size: Size) -> Answer {
    Answer {
        best: report.best().name(size),
        winrate: report.winrate(),
        lines: report.lines.iter().map(|line| LineView::plain(line, size)).collect(),
        elapsed_ms: report.elapsed.as_millis() as u64,
    }
}

fn write_report(out: &mut impl Write, board: &Board, report: &Report) -> Result<()> {
    writeln!(out, "{board}\n{} to move, {}", board.to_move(), board.rule())?;
    writeln!(out, "{:>6} {:>9} {:>10}  expected", "move", "win rate", "visits")?;
    for line in &report.lines {
        let pv: Vec<String> = line.pv.iter().map(|point| point.name(board.size())).collect();
        let proof = match line.proof {
            Some(Proof::Win(plies)) => format!("  (wins in {plies})"),
            Some(Proof::Loss(plies)) => format!("  (loses in {plies})"),
            Some(Proof::Draw) => "  (a draw)".to_owned(),
            None => String::new(),
        };
        let (name, rate) = (line.point.name(board.size()), line.winrate * 100.0);
        writeln!(out, "{name:>6} {rate:>7.1} % {:>10}  {}{proof}", line.visits, pv.join(" "))?;
    }
    let seconds = report.elapsed.as_secs_f64();
    writeln!(out, "{} visits, depth {}, {seconds:.2} s", report.visits, report.depth)?;
    Ok(())
}
