//! `fivestone explain`: what an engine of the papers sees on the board.

use crate::arguments::GameArguments;
use anyhow::{Result, anyhow};
use clap::Args;
use fivestone_engine::{Explanation, Layer, explain};
use fivestone_game::{Board, Color, Point};
use fivestone_host::views::explained;
use std::collections::BTreeMap;
use std::io::Write;

/// Show the numbers behind an engine's choice: monomial values, rank scores, situations, patterns, heuristics.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Explain {
    /// The moves so far, as h8h9i10 or h8 h9 i10; none for the empty board.
    moves: Vec<String>,
    /// Which engine of the papers.
    #[arg(long, value_name = "NAME")]
    engine: String,
    #[command(flatten)]
    game: GameArguments,
    /// Print one JSON object, as described below.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = r#"With --json:
  {"engine", "to_move", "layers": [{"name", "meaning", "points": {"h8": 1.5}}], "counts": [{"name", "black", "white"}]}

Examples:
  fivestone explain --engine monomial-v3 h8h9i10
  fivestone explain --engine adp-uct --json h8 i9 j8"#;

impl Explain {
    pub fn run(self) -> Result<()> {
        let board = self.game.position(&self.moves)?;
        let unknown = || {
            anyhow!(
                "\"{}\" has no tables to show (one of: {})",
                self.engine,
                fivestone_engine::explained().join(", ")
            )
        };
        let mut out = std::io::stdout().lock();
        if self.json {
            let explained = explained(&self.engine, &board).ok_or_else(unknown)?;
            serde_json::to_writer_pretty(&mut out, &explained)?;
            writeln!(out)?;
        } else {
            write_text(&mut out, &board, &explain(&self.engine, &board).ok_or_else(unknown)?)?;
        }
        Ok(())
    }
}

fn write_text(out: &mut impl Write, board: &Board, explanation: &Explanation) -> Result<()> {
    for layer in &explanation.layers {
        writeln!(out, "{}: {}", layer.name, layer.meaning)?;
        writeln!(out, "{}", drawn(board, layer))?;
    }
    for tally in explanation.tallies.iter().filter(|tally| tally.counts != [0, 0]) {
        writeln!(out, "{:<24} Black {:>3}, White {:>3}", tally.name, tally.counts[0], tally.counts[1])?;
    }
    Ok(())
}

/// The board with a number on each point: x black, o white, nothing where the number is 0.
fn drawn(board: &Board, layer: &Layer) -> String {
    let size = board.size();
    let values: BTreeMap<Point, f64> = layer.values.iter().copied().collect();
    let text = |point: Point| match (board.stone(point), values.get(&point)) {
        (Some(Color::Black), _) => "x".to_owned(),
        (Some(Color::White), _) => "o".to_owned(),
        (None, None) => ".".to_owned(),
        (None, Some(value)) if value.fract() != 0.0 && value.abs() < 10.0 => format!("{value:.2}"),
        (None, Some(value)) => format!("{value:.0}"),
    };
    let cells: Vec<String> = size.points().map(text).collect();
    let width = cells.iter().map(String::len).max().unwrap_or(1) + 1;
    let letters: String =
        (0..size.side()).map(|x| format!("{:>width$}", char::from(b'a' + x as u8))).collect();
    let rows = cells.chunks(size.side()).enumerate().map(|(row, cells)| {
        let cells: String = cells.iter().map(|cell| format!("{cell:>width$}")).collect();
        format!("{:>2}{cells}\n", size.side() - row)
    });
    format!("  {letters}\n{}", rows.collect::<String>())
}
