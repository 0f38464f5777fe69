//! `fivestone match`: games between any engines.

pub mod progress;

use crate::interrupt::stop_on_interrupt;
use anyhow::{Result, bail};
use clap::Args;
use fivestone_arena::grammar::{self, Request};
use fivestone_arena::report::{chart_svg, report, summary_json};
use fivestone_arena::stats::Decision;
use fivestone_arena::{Conclusion, MatchConfig, Tournament};
use fivestone_artifacts::{FileTask, write_whole};
use fivestone_engine::Stop;
use fivestone_game::opening::Opening;
use progress::Progress;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Play games between built-in engines and programs that speak the Gomocup protocol, and say who is stronger.
#[derive(Args)]
#[command(after_help = help(), override_usage = "fivestone match -engine KEY=VALUE... -engine KEY=VALUE... [OPTIONS]")]
pub struct Match {
    /// Options in the words of cutechess and c-gomoku-cli, see below.
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, hide = true)]
    words: Vec<String>,
}

const EXAMPLES: &str = "Examples:
  fivestone match -engine name=mcts-basic visits=1000 -engine name=alpha-beta st=0.1 -rounds 50 -concurrency 2
  fivestone match -engine name=fivestone tc=60/5 -engine name=other cmd=./pbrain-other tc=60/5 -rule renju \\
      -openings file=openings/renju-15.txt type=offset order=random -rounds 50 -concurrency 2 -summary result.json
  fivestone match -engine name=new engine=mcts-basic visits=800 -engine name=old engine=mcts-basic visits=400 \\
      -rounds 10000 -sprt elo0=0 elo1=20 -config file=test.jsonl
  fivestone match -config file=test.jsonl        (goes on after an interruption)

Results are printed when the match ends. A game lost by a crash, a hang, a late or an illegal move counts as a loss and is
listed; the match goes on.";

fn help() -> String {
    let rows: Vec<String> =
        grammar::help_rows().iter().map(|(words, meaning)| format!("  {words:<32} {meaning}")).collect();
    format!("Options:\n{}\n\n{EXAMPLES}", rows.join("\n"))
}

impl Match {
    pub fn run(self) -> Result<()> {
        if self.words.is_empty()
            || self.words.iter().any(|word| matches!(word.as_str(), "-help" | "--help" | "-h"))
        {
            println!(
                "Usage: fivestone match -engine KEY=VALUE... -engine KEY=VALUE... [OPTIONS]\n\n{}",
                help()
            );
            return Ok(());
        }
        let request = grammar::parse(&self.words)?;
        run(request).map(|_| ())
    }
}

/// Plays what is asked for, prints the report and writes the files.
pub fn run(request: Request) -> Result<Tournament> {
    let stop = stop_on_interrupt()?;
    let kept = request.journal.is_some();
    let interval = request.report_interval;
    let mut tournament = prepare(request, &stop)?;
    let journal = tournament.journal_path().to_owned();
    let mut progress = Progress::new(tournament.total_games(), tournament.standings().games(), interval);
    let conclusion = tournament.run(&mut progress, &stop);
    progress.finish();
    let standings = tournament.standings();
    let anchors = &tournament.config().anchors;
    let mut out = std::io::stdout().lock();
    write!(out, "{}", report(standings, anchors))?;
    let outputs = &tournament.config().outputs;
    if let Some(path) = &outputs.summary {
        let text = serde_json::to_string_pretty(&summary_json(standings, anchors))?;
        write_file(path, &format!("{text}\n"))?;
    }
    if let Some(path) = &outputs.chart {
        write_file(path, &chart_svg(standings))?;
    }
    match conclusion? {
        Conclusion::Interrupted => {
            writeln!(out, "Interrupted. To go on: fivestone match -config file={}", journal.display())?;
            return Ok(tournament);
        }
        Conclusion::Decided(Decision::H1) => writeln!(out, "SPRT: H1 was accepted")?,
        Conclusion::Decided(Decision::H0) => writeln!(out, "SPRT: H0 was accepted")?,
        Conclusion::Complete => {}
    }
    if !kept {
        let _ = fs::remove_file(&journal);
    }
    Ok(tournament)
}

/// Begins a match or goes on with one.
fn prepare(request: Request, stop: &Stop) -> Result<Tournament> {
    let Request { config, journal, concurrency, .. } = request;
    let existing = journal.as_ref().filter(|path| fs::metadata(path).is_ok_and(|data| data.len() > 0));
    match (existing, config) {
        (Some(path), config) => resume(path, config.as_ref(), concurrency),
        (None, Some(config)) => start(config, journal, stop),
        (None, None) => bail!("there is no match in {}", journal.unwrap_or_default().display()),
    }
}

fn start(mut config: MatchConfig, journal: Option<PathBuf>, stop: &Stop) -> Result<Tournament> {
    config.make_openings(stop, |count| eprintln!("made {count} balanced openings"))?;
    let from_empty_board =
        config.openings.is_none() && config.made_openings.is_empty() && config.opening_rule == Opening::Free;
    let path = journal.map_or_else(temporary_journal, Ok)?;
    if path.exists() {
        fs::remove_file(&path)?;
    }
    let tournament = Tournament::start(config, &path)?;
    if from_empty_board {
        eprintln!("no -openings: games begin on the empty board, and engines without randomness repeat them");
    }
    let games = tournament.total_games();
    eprintln!("{games} games; journal (resume with -config file=...): {}", path.display());
    Ok(tournament)
}

fn resume(path: &Path, config: Option<&MatchConfig>, concurrency: Option<usize>) -> Result<Tournament> {
    let mut tournament = Tournament::resume(path)?;
    if config.is_some_and(|config| !tournament.config().same_games(config)) {
        bail!("{} holds another match: resume it with -config alone or choose another file", path.display());
    }
    if let Some(concurrency) = concurrency {
        tournament.set_concurrency(concurrency);
    }
    let (done, total) = (tournament.standings().games(), tournament.total_games());
    eprintln!("resumed with {done} of {total} games finished");
    Ok(tournament)
}

/// A place for the journal of a match that did not ask for one.
fn temporary_journal() -> Result<PathBuf> {
    let directory = std::env::temp_dir().join("fivestone-matches");
    fs::create_dir_all(&directory)?;
    Ok(directory.join(format!("match-{}.jsonl", std::process::id())))
}

/// Writes a text in one step, so that a reader never sees half of it.
pub fn write_file(path: &Path, text: &str) -> Result<()> {
    Ok(write_whole(path, text.as_bytes()).map_err(|error| error.during(FileTask::Write))?)
}
