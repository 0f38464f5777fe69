//! `fivestone papers`: the papers' experiments, played again in our arena.

mod experiments;
mod muzika;
mod report;
mod shao;

use super::matches::write_file;
use crate::interrupt::stop_on_interrupt;
use anyhow::{Context, Result, anyhow};
use clap::Args;
use experiments::{EXPERIMENTS, Experiment};
use fivestone_arena::record::GameRecord;
use fivestone_arena::{
    Conclusion, EngineSpec, MatchConfig, Observer, Program, Source, Standings, Tournament,
};
use fivestone_train::policy::FirstWeights;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

/// Name, quick and full time and title of the two experiments that are no single tournament.
type Listing = (&'static str, &'static str, &'static str, &'static str);
const MUZIKA: Listing =
    ("muzika", "5 min", "7 h", "Muzika 2017: does the net make the tree search stronger?");
const SHAO: Listing = ("shao", "10 min", "2 days", "Shao et al. 2016: which net predicts expert moves best?");

/// List the papers' experiments, or run one and write its report.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Papers {
    /// Which experiment; none for the list.
    name: Option<String>,
    /// A few games with fixed visits instead of many with the clock.
    #[arg(long)]
    quick: bool,
    /// Pairs of games of each two engines; the experiment's own number unless given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pairs: Option<u16>,
    /// Games at the same time.
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1024))]
    concurrency: u16,
    /// An opponent of the paper that you have, as a program that speaks the Gomocup protocol; may be given several times.
    #[arg(long = "opponent", value_name = "NAME=COMMAND", value_parser = parse_opponent)]
    opponents: Vec<(String, String)>,
    /// Games to train from, for shao.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    data: Vec<PathBuf>,
    /// For shao: samples a net learns from [default: the paper's epochs over all, 40000 with --quick].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1000..))]
    samples: Option<u32>,
    /// For shao: divide the filters of the paper's nets by this [default: 1, with --quick 8].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=64))]
    narrower: Option<u16>,
    /// For shao: where weights begin. Narrow deep nets lose fewer filters with he than with the paper's glorot.
    #[arg(long, value_name = "NAME", default_value = "glorot", value_parser = ["glorot", "he"])]
    first_weights: String,
    /// For shao: only the seven nets that differ in depth alone; the report is named shao-depths.
    #[arg(long)]
    depths: bool,
    /// For shao: every net with batch norm, which the paper has for three of them; the report's name says so.
    #[arg(long)]
    batch_norm: bool,
    /// Where shao keeps its training runs [default: a directory in runs, named by their scale].
    #[arg(long, value_name = "DIRECTORY")]
    runs: Option<PathBuf>,
    /// Where the reports are written.
    #[arg(long, value_name = "DIRECTORY", default_value = "docs/papers")]
    out: PathBuf,
}

const EXAMPLES: &str =
    "Reports are NAME.md, NAME.csv and NAME.svg. A run that was interrupted goes on when it is started again.

Examples:
  fivestone papers
  fivestone papers garcia --quick
  fivestone papers muzika --quick
  fivestone papers shao --quick --data renju-expert.rif.gz
  fivestone papers shao --narrower 4 --samples 150000 --data renju-expert.rif.gz
  fivestone papers shao --narrower 4 --samples 800000 --depths --data renju-expert.rif.gz
  fivestone papers lin-cao --concurrency 4 --opponent mushroom=./pbrain-mushroom
  fivestone papers round-robin --quick --out /tmp/reports";

fn parse_opponent(text: &str) -> Result<(String, String), String> {
    let (name, command) = text.split_once('=').ok_or("write it as name=command")?;
    Ok((name.trim().to_owned(), command.trim().to_owned()))
}

impl Papers {
    /// The scale of shao: quick or full, and what differs from it.
    fn scale(&self) -> shao::Scale {
        let usual = if self.quick { shao::Scale::QUICK } else { shao::Scale::FULL };
        shao::Scale {
            narrower: self.narrower.map_or(usual.narrower, usize::from),
            samples: self.samples.map(|samples| samples as usize).or(usual.samples),
            tested: usual.tested.or(self.samples.map(|samples| samples as usize / 3)),
            first_weights: if self.first_weights == "he" { FirstWeights::He } else { usual.first_weights },
            batch_norm: self.batch_norm,
        }
    }

    pub fn run(self) -> Result<()> {
        let Some(name) = &self.name else { return self.list() };
        if name == SHAO.0 {
            fs::create_dir_all(&self.out).with_context(|| format!("cannot make {}", self.out.display()))?;
            let scale = self.scale();
            let runs = self.runs.clone().unwrap_or_else(|| scale.directory());
            return shao::run(&self.data, &scale, self.depths, &runs, &self.out);
        }
        if name == MUZIKA.0 {
            return self.muzika();
        }
        let experiment = EXPERIMENTS.iter().find(|experiment| experiment.name == name);
        let experiment = experiment.with_context(|| {
            let others = [MUZIKA.0, SHAO.0];
            let names: Vec<_> =
                others.into_iter().chain(EXPERIMENTS.iter().map(|experiment| experiment.name)).collect();
            format!("unknown experiment \"{name}\" (one of: {})", names.join(", "))
        })?;
        fs::create_dir_all(&self.out).with_context(|| format!("cannot make {}", self.out.display()))?;
        let tournament = self.play(self.config(experiment), experiment.name)?;
        let file = |ending: &str| self.out.join(format!("{}.{ending}", experiment.name));
        let standings = tournament.standings();
        write_file(&file("md"), &report::markdown(experiment, tournament.config(), standings, self.quick))?;
        write_file(&file("csv"), &report::csv(standings))?;
        write_file(&file("svg"), &report::svg(standings))?;
        fs::remove_file(tournament.journal_path())?;
        println!("{}", file("md").display());
        Ok(())
    }

    /// What there is, whether a report of it is there, and how long it takes.
    fn list(&self) -> Result<()> {
        let mut out = std::io::stdout().lock();
        let others = EXPERIMENTS.iter().map(|one| (one.name, one.quick_time, one.full_time, one.title));
        for (name, quick, full, title) in [MUZIKA, SHAO].into_iter().chain(others) {
            let done = self.out.join(format!("{name}.md")).exists();
            let state = if done { "reported" } else { "not run" };
            let times = format!("quick {quick}, full {full}");
            writeln!(out, "{name:<12} {state:<9} {times:<28} {title}")?;
        }
        Ok(())
    }

    /// The four matches of the swap2 paper.
    fn muzika(&self) -> Result<()> {
        fs::create_dir_all(&self.out).with_context(|| format!("cannot make {}", self.out.display()))?;
        let mut played = Vec::new();
        let mut journals = Vec::new();
        for duel in &muzika::DUELS {
            let mut config = duel.config(self.quick);
            config.rounds = self.pairs.map_or(config.rounds, usize::from);
            config.concurrency = self.concurrency.into();
            config.openings = Some(experiments::openings());
            let tournament = self.play(config, &format!("muzika-{}", duel.name))?;
            journals.push(tournament.journal_path().to_owned());
            played.push(muzika::Played { duel, standings: tournament.standings().clone() });
        }
        let file = |ending: &str| self.out.join(format!("muzika.{ending}"));
        write_file(&file("md"), &muzika::markdown(&played, self.quick))?;
        write_file(&file("csv"), &muzika::csv(&played))?;
        write_file(&file("svg"), &muzika::svg(&played))?;
        for journal in journals {
            fs::remove_file(journal)?;
        }
        println!("{}", file("md").display());
        Ok(())
    }

    fn config(&self, experiment: &Experiment) -> MatchConfig {
        let mut engines: Vec<EngineSpec> =
            experiment.engines.iter().map(|entry| entry.spec(self.quick)).collect();
        for (name, command) in &self.opponents {
            let mut words = command.split_whitespace().map(str::to_owned);
            let program = Program {
                command: words.next().unwrap_or_default(),
                arguments: words.collect(),
                directory: None,
                stderr: None,
            };
            let mut spec = EngineSpec::new(name.clone(), Source::Program(program));
            spec.time.turn = Some(Duration::from_secs(1));
            engines.push(spec);
        }
        let pairs = if self.quick { experiment.quick_pairs } else { experiment.full_pairs };
        let mut config = MatchConfig::new(engines);
        config.format = experiment.format;
        config.rounds = self.pairs.map_or(pairs, usize::from);
        config.concurrency = self.concurrency.into();
        config.openings = Some(experiments::openings());
        config
    }

    fn play(&self, config: MatchConfig, name: &str) -> Result<Tournament> {
        let journal = self.out.join(format!("{name}.journal.jsonl"));
        let mut tournament = if journal.exists() {
            let resumed = Tournament::resume(&journal)?;
            if !resumed.config().same_games(&config) {
                return Err(anyhow!("{} holds another run: remove it to begin anew", journal.display()));
            }
            resumed
        } else {
            Tournament::start(config, &journal)?
        };
        let stop = stop_on_interrupt()?;
        let bar = ProgressBar::new(tournament.total_games());
        bar.set_style(ProgressStyle::with_template("{bar:20} {pos}/{len} games, {eta} to go {msg}")?);
        let conclusion = tournament.run(&mut Watcher(bar.clone()), &stop);
        bar.finish_and_clear();
        match conclusion? {
            Conclusion::Interrupted => {
                Err(anyhow!("interrupted; the same command goes on ({})", journal.display()))
            }
            Conclusion::Complete | Conclusion::Decided(_) => Ok(tournament),
        }
    }
}

struct Watcher(ProgressBar);

impl Observer for Watcher {
    fn game(&mut self, game: &GameRecord, standings: &Standings) {
        self.0.set_position(standings.games());
        self.0.set_message(format!("({} - {})", game.names[0], game.names[1]));
    }

    fn tick(&mut self, standings: &Standings) {
        self.0.set_position(standings.games());
    }
}
