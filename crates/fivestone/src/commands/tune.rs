//! `fivestone tune`: the parameters of an engine, tuned by games.

mod progress;

use super::matches::{progress::Progress, write_file};
use crate::arguments::{parse_duration, parse_setting, parse_size};
use crate::interrupt::stop_on_interrupt;
use anyhow::{Context, Result, bail};
use clap::Args;
use fivestone_arena::openings::FileFormat;
use fivestone_arena::report::{chart_svg, report};
use fivestone_arena::stats::{Decision, Model, Sprt};
use fivestone_arena::{Conclusion, Tournament};
use fivestone_engine::{DEFAULT_ENGINE, Stop};
use fivestone_game::{Rule, Size};
use fivestone_learn::tune::{TuneSettings, TunedParameter, Tuning, tune_report, tune_svg};
use progress::TuneLines;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Tune parameters of an engine, all at once, by pairs of games between opposite sets of values.
///
/// Everything is in one directory. The same command, or the directory alone, goes on after an
/// interruption or a kill. At the end a match tells whether the tuned values are stronger.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Tune {
    /// The tuning's directory.
    #[arg(long, value_name = "DIRECTORY")]
    directory: PathBuf,
    /// The built-in engine [default: fivestone].
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    /// What wins: freestyle, standard, renju, caro or caro-overline [default: freestyle].
    #[arg(long)]
    rule: Option<Rule>,
    /// The board's side, 5 to 22 [default: 15].
    #[arg(long, value_parser = parse_size)]
    size: Option<Size>,
    /// A parameter to tune, in one of the forms below; may be given several times.
    #[arg(long = "parameter", value_name = "NAME[=FORM]")]
    parameters: Vec<String>,
    /// A parameter that is not tuned; may be given several times.
    #[arg(long = "set", value_name = "PARAMETER=VALUE", value_parser = parse_setting)]
    settings: Vec<(String, String)>,
    /// The most visits for a move.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    visits: Option<u64>,
    /// The most time for a move: 100ms, 1s.
    #[arg(long, value_parser = parse_duration)]
    time: Option<Duration>,
    /// Pairs of games [default: 1000].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    iterations: Option<u64>,
    /// Seed of every random choice [default: 1].
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// A file of openings [default: the shipped set of the rule and size].
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// How openings are written in it: offset, pos (rows from the top) or moves [default: offset].
    #[arg(long, value_name = "TYPE")]
    openings_type: Option<FileFormat>,
    /// Pairs at the same time.
    #[arg(long, value_name = "N", default_value = "1",
          value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// Bounds of the confirming test in normalised Elo.
    #[arg(long, value_name = "ELO0,ELO1", default_value = "0,10", value_parser = parse_bounds,
          allow_hyphen_values = true)]
    confirm: (f64, f64),
    /// The most games of the confirming match; 0 for none.
    #[arg(long, value_name = "N", default_value = "2000")]
    confirm_games: u32,
}

const EXAMPLES: &str = "Forms of a parameter:
  NAME                 from the engine's default, within what the engine takes
  NAME=START           from another value
  NAME=LOW..HIGH       within a range, from the default or else the middle
  NAME=START,LOW..HIGH both
and after these, divided by commas:
  step=S               the perturbation at the end [a fifth of the start, a tenth of the range]
  rate=R               steps to move by at the end for a game won [20 / iterations, at most 0.1]
  whole, real          whether only whole numbers are played [whole where it counts something]

Examples:
  fivestone tune --directory runs/renju --rule renju --visits 400 --iterations 2000 \\
      --concurrency 2 --parameter exploration --parameter first-play=0.05..0.6 \\
      --parameter width=30,10..80,step=6
  fivestone tune --directory runs/renju --concurrency 2          (goes on)";

/// The match that confirms a tuning.
const CONFIRMATION: &str = "confirm.jsonl";

fn parse_bounds(text: &str) -> Result<(f64, f64), String> {
    let number = |word: &str| word.trim().parse::<f64>().ok().filter(|number| number.is_finite());
    let bounds = text.split_once(',').and_then(|(low, high)| Some((number(low)?, number(high)?)));
    bounds.filter(|(low, high)| low < high).ok_or_else(|| "write ELO0,ELO1 with ELO0 below ELO1".to_owned())
}

impl Tune {
    /// Runs the command.
    pub fn run(self) -> Result<()> {
        let settings = self.settings()?;
        let mut tuning = Tuning::open(&self.directory, settings)?;
        let stop = stop_on_interrupt()?;
        let (before, total) = (tuning.finished().len() as u64, tuning.settings().iterations);
        if before > 0 {
            eprintln!("resumed with {before} of {total} iterations finished");
        }
        let mut lines = TuneLines::new(tuning.settings(), before);
        let concurrency = usize::from(self.concurrency);
        let done = tuning.run(concurrency, &stop, &mut |finished| lines.hear(finished));
        lines.finish();
        let done = done?;
        let mut text = tune_report(&tuning);
        print!("{text}");
        write_file(&self.directory.join("report.txt"), &text)?;
        write_file(&self.directory.join("tune.svg"), &tune_svg(&tuning))?;
        if !done {
            self.say_how_to_go_on();
            return Ok(());
        }
        if self.confirm_games > 0 {
            let Some(result) = self.confirm(&tuning, &stop)? else {
                self.say_how_to_go_on();
                return Ok(());
            };
            print!("{result}");
            text.push_str(&result);
            write_file(&self.directory.join("report.txt"), &text)?;
        }
        Ok(())
    }

    fn say_how_to_go_on(&self) {
        println!("Interrupted. To go on: fivestone tune --directory {}", self.directory.display());
    }

    /// The settings asked for; what is not said is as the directory has it, or else as usual.
    fn settings(&self) -> Result<TuneSettings> {
        let stored = Tuning::stored(&self.directory)?;
        let known = stored.is_some();
        let mut settings = stored.unwrap_or_else(|| TuneSettings {
            engine: DEFAULT_ENGINE.to_owned(),
            rule: Rule::Freestyle,
            size: Size::STANDARD,
            visits: None,
            time_ms: None,
            iterations: 1000,
            seed: 1,
            openings: None,
            openings_type: FileFormat::Offset,
            set: self.settings.iter().cloned().collect(),
            parameters: Vec::new(),
        });
        if let Some(engine) = &self.engine {
            settings.engine.clone_from(engine);
        }
        settings.rule = self.rule.unwrap_or(settings.rule);
        settings.size = self.size.unwrap_or(settings.size);
        settings.iterations = self.iterations.unwrap_or(settings.iterations);
        settings.seed = self.seed.unwrap_or(settings.seed);
        settings.openings_type = self.openings_type.unwrap_or(settings.openings_type);
        if self.visits.is_some() || self.time.is_some() {
            settings.visits = self.visits;
            settings.time_ms = self.time.map(|time| time.as_millis() as u64);
        }
        if let Some(path) = &self.openings {
            let path = std::path::absolute(path).with_context(|| path.display().to_string())?;
            settings.openings = Some(path);
        }
        if !self.settings.is_empty() {
            settings.set = self.settings.iter().cloned().collect();
        }
        // The net is found from wherever the tuning is resumed.
        if let Some(net) = settings.set.get_mut(fivestone_engine::NET) {
            *net = std::path::absolute(&net).with_context(|| net.clone())?.to_string_lossy().into_owned();
        }
        let kind = settings.kind();
        if !self.parameters.is_empty() && (kind.is_ok() || !known) {
            let kind = kind?;
            let parsed = self
                .parameters
                .iter()
                .map(|text| TunedParameter::parse(text, (kind, settings.rule), settings.iterations));
            settings.parameters = parsed.collect::<Result<_, _>>()?;
        }
        Ok(settings)
    }

    /// Plays the confirming match; nothing when it was interrupted.
    fn confirm(&self, tuning: &Tuning, stop: &Stop) -> Result<Option<String>> {
        let (elo0, elo1) = self.confirm;
        let sprt = Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model: Model::Normalized };
        let config = tuning.confirmation(sprt, self.confirm_games as usize, self.concurrency.into());
        let journal = self.directory.join(CONFIRMATION);
        let begun = fs::metadata(&journal).is_ok_and(|data| data.len() > 0);
        let mut tournament = if begun {
            let tournament = Tournament::resume(&journal)?;
            if !tournament.config().same_games(&config) {
                bail!("{} holds another match: move it away first", journal.display());
            }
            tournament
        } else {
            remove_empty(&journal)?;
            Tournament::start(config, &journal)?
        };
        tournament.set_concurrency(self.concurrency.into());
        eprintln!("the tuned values against the start: at most {} games", tournament.total_games());
        let mut progress = Progress::new(tournament.total_games(), tournament.standings().games(), 0);
        let conclusion = tournament.run(&mut progress, stop);
        progress.finish();
        let verdict = match conclusion? {
            Conclusion::Interrupted => return Ok(None),
            Conclusion::Decided(Decision::H1) => "SPRT: H1 was accepted: the tuned values are stronger",
            Conclusion::Decided(Decision::H0) => "SPRT: H0 was accepted: the tuned values are not stronger",
            Conclusion::Complete => "SPRT: not decided within the games",
        };
        write_file(&self.directory.join("confirm.svg"), &chart_svg(tournament.standings()))?;
        Ok(Some(format!("{}{verdict}\n", report(tournament.standings(), &[]))))
    }
}

/// Removes a journal that a kill left empty.
fn remove_empty(journal: &Path) -> Result<()> {
    if journal.exists() {
        fs::remove_file(journal).with_context(|| journal.display().to_string())?;
    }
    Ok(())
}
