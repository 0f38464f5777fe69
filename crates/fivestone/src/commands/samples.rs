//! `fivestone samples`: what is in files of training samples.

use super::records::expand;
use anyhow::{Result, bail};
use clap::Args;
use fivestone_train::samples::SampleSummary;
use serde_json::{Value, json};
use std::io::Write;
use std::path::PathBuf;

/// Summarise files of training samples.
///
/// Tells version, boards, games, results, positions to learn from (played and harvested from the
/// search's tree), what the solver said of both sides, and bytes. A damaged file is named with the
/// place of the damage; what lies before it is counted.
#[derive(Args)]
#[command(after_help = "Examples:
  fivestone samples games.fssamples
  fivestone samples runs/mill/ --json")]
pub struct Samples {
    /// Files of samples, or folders with them.
    #[arg(value_name = "FILES", required = true)]
    files: Vec<PathBuf>,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Samples {
    /// Runs the command.
    pub fn run(self) -> Result<()> {
        let files = expand(&self.files)?;
        let (mut total, mut damaged, mut listed) = (SampleSummary::default(), 0, Vec::new());
        let mut out = std::io::stdout().lock();
        for file in &files {
            let (summary, counted) = SampleSummary::of_file(file);
            if let Err(error) = &counted {
                eprintln!("{}: {error}", file.display());
                damaged += 1;
            }
            if self.json {
                let mut value = to_json(&summary);
                value["file"] = json!(file.display().to_string());
                value["problem"] = json!(counted.err().map(|error| error.to_string()));
                listed.push(value);
            } else if !summary.versions.is_empty() {
                writeln!(out, "{}", file.display())?;
                print(&mut out, &summary)?;
            }
            total.add(&summary);
        }
        if self.json {
            let value = json!({ "files": listed, "total": to_json(&total) });
            writeln!(out, "{}", serde_json::to_string_pretty(&value)?)?;
        } else if files.len() > 1 {
            writeln!(out, "all {} files", files.len())?;
            print(&mut out, &total)?;
        }
        if damaged > 0 {
            bail!("{damaged} of {} files could not be read to the end", files.len());
        }
        Ok(())
    }
}

fn to_json(summary: &SampleSummary) -> Value {
    let fours = |[win, none, unknown]: [u64; 3]| json!({ "win": win, "none": none, "unknown": unknown });
    let boards = |(&(rule, size), &games): (&(&str, fivestone_game::Size), &u64)| json!({ "rule": rule, "size": size.side(), "games": games });
    let [black, white, draw, unknown] = summary.results;
    json!({
        "versions": summary.versions,
        "bytes": summary.bytes,
        "bytes_per_target": summary.bytes_per_target(),
        "games": summary.games,
        "boards": summary.boards.iter().map(boards).collect::<Vec<_>>(),
        "results": { "black": black, "white": white, "draw": draw, "unknown": unknown },
        "targets": summary.targets(),
        "played": summary.played,
        "harvested": summary.harvested,
        "judged_only": summary.judged,
        "simulations": summary.simulations,
        "proven": summary.proven,
        "own_fours": fours(summary.own_fours),
        "enemy_fours": fours(summary.enemy_fours),
    })
}

fn print(out: &mut impl Write, summary: &SampleSummary) -> Result<()> {
    let [black, white, draw, unknown] = summary.results;
    let versions: Vec<String> = summary.versions.iter().map(u32::to_string).collect();
    let boards: Vec<String> =
        summary.boards.iter().map(|((rule, size), games)| format!("{rule} {size}: {games}")).collect();
    let fours = |[win, none, unknown]: [u64; 3]| format!("{win} win, {none} none, {unknown} not known");
    let per_target =
        summary.bytes_per_target().map_or(String::new(), |bytes| format!(", {bytes:.1} a position to learn"));
    writeln!(out, "  version     {}", versions.join(", "))?;
    writeln!(out, "  games       {} ({})", summary.games, boards.join(", "))?;
    writeln!(out, "  results     {black} black, {white} white, {draw} drawn, {unknown} unknown")?;
    writeln!(
        out,
        "  to learn    {} positions ({} played, {} harvested), {} more with a judgement only",
        summary.targets(),
        summary.played,
        summary.harvested,
        summary.judged
    )?;
    writeln!(out, "  proven      {}; {} simulations", summary.proven, summary.simulations)?;
    writeln!(out, "  own fours   {}", fours(summary.own_fours))?;
    writeln!(out, "  enemy fours {}", fours(summary.enemy_fours))?;
    writeln!(out, "  bytes       {}{per_target}", summary.bytes)?;
    Ok(())
}
