//! `fivestone selfplay`: games of the flagship against itself, to train from.

mod starts;

use crate::arguments::{parse_duration, parse_size};
use crate::interrupt::stop_on_interrupt;
use anyhow::{Context, Result};
use clap::Args;
use fivestone_game::{Rule, Size};
use fivestone_learn::selfplay::{SelfPlaySettings, SelfPlayTask, Throughput, self_play};
use fivestone_nets::Net;
use fivestone_train::samples::SampleStore;
use starts::StartArguments;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Let the flagship play against itself and add the games to a file of training samples.
///
/// Every position is searched with equally many simulations and learned from, unless --full or
/// --fast asks for a mix of full and quick searches. Each game is in the file when it ends, so the
/// command may be interrupted or killed at any moment; the same command goes on. Games end when a
/// result is proven or a side gives up.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct SelfPlay {
    /// The file of samples (*.fssamples); games are added to what it has.
    #[arg(long, value_name = "FILE")]
    output: PathBuf,
    /// Begin a new file after this many games: FILE-0001.fssamples and so on, all counted together.
    #[arg(long, value_name = "GAMES", value_parser = clap::value_parser!(u64).range(1..))]
    rotate: Option<u64>,
    /// What wins: freestyle, standard, renju, caro or caro-overline.
    #[arg(long, default_value = "freestyle")]
    rule: Rule,
    /// The boards' sides, separated by commas; the games have them in turn.
    #[arg(long, value_delimiter = ',', default_value = "15,20", value_parser = parse_size)]
    sizes: Vec<Size>,
    /// A net file to play with instead of the shipped net.
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// Games at the same time, a thread each.
    #[arg(long, default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Stop when the file has this many games.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,
    /// Stop when the file has this many positions to learn from.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    positions: Option<u64>,
    /// Stop after this time: 30m, 2h.
    #[arg(long, value_parser = parse_duration)]
    time: Option<Duration>,
    /// Seed of every random choice. Games added to a file differ from those it has all the same;
    /// give another seed when files of a series were moved away.
    #[arg(long, default_value = "1")]
    seed: u64,
    #[command(flatten)]
    search: SearchArguments,
    #[command(flatten)]
    starts: StartArguments,
}

const EXAMPLES: &str = "Examples:
  fivestone selfplay --output games.fssamples --threads 2 --time 8h
  fivestone selfplay --output mill/freestyle.fssamples --rotate 5000 --harvest 20 --branches 0.2
  fivestone selfplay --output games.fssamples --full 400 --fast 80 --full-share 0.25
  fivestone selfplay --output games.fssamples --from match.psq --from-lost-by fivestone
  fivestone selfplay --output renju.fssamples --rule renju --sizes 15 --positions 100000 --net renju.fsnet
  fivestone train flagship --run runs/next --data games.fssamples";

/// How positions are searched; what is not given is usual.
#[derive(Args)]
struct SearchArguments {
    /// Simulations of every search, each of them learned from [default: 100].
    #[arg(long, value_name = "N", conflicts_with_all = ["full", "fast", "full_share"])]
    flat: Option<u64>,
    /// A mix instead: simulations of a full search, which is learned from [default of a mix: 400].
    #[arg(long, value_name = "N")]
    full: Option<u64>,
    /// A mix instead: simulations of the quick searches between, whose judgement alone is learned
    /// [default of a mix: 80].
    #[arg(long, value_name = "N")]
    fast: Option<u64>,
    /// A mix instead: share of full searches [default of a mix: 0.25].
    #[arg(long, value_name = "SHARE")]
    full_share: Option<f64>,
    /// Learn also from positions of the search's tree with at least this many visits; 0 for none
    /// [default: 0].
    #[arg(long, value_name = "VISITS")]
    harvest: Option<u32>,
    /// Root moves that the simulations are divided among [default: 16].
    #[arg(long, value_name = "N")]
    considered: Option<usize>,
    /// Positions visited in search of a forced win before a search, and when asking about fours
    /// [default: 1000].
    #[arg(long, value_name = "N")]
    solver_nodes: Option<u64>,
    /// Share of games followed by one that leaves them for a move which was not chosen [default: 0].
    #[arg(long, value_name = "SHARE")]
    branches: Option<f64>,
    /// A side gives up below this win probability; 0 for never [default: 0.03].
    #[arg(long, value_name = "PROBABILITY")]
    resign: Option<f64>,
    /// Share of games played on although a side would give up, to count the errors [default: 0.1].
    #[arg(long, value_name = "SHARE")]
    resign_checked: Option<f64>,
}

impl SearchArguments {
    fn settings(&self) -> Result<SelfPlaySettings> {
        let mix = self.full.is_some() || self.fast.is_some() || self.full_share.is_some();
        let usual = if mix { SelfPlaySettings::mixed() } else { SelfPlaySettings::default() };
        let usual = self.flat.map_or(usual, SelfPlaySettings::flat);
        let settings = SelfPlaySettings {
            full: self.full.unwrap_or(usual.full),
            fast: self.fast.unwrap_or(usual.fast),
            full_share: self.full_share.unwrap_or(usual.full_share),
            harvest: self.harvest.unwrap_or(usual.harvest),
            considered: self.considered.unwrap_or(usual.considered),
            solver_nodes: self.solver_nodes.unwrap_or(usual.solver_nodes),
            branches: self.branches.unwrap_or(usual.branches),
            resign_below: self.resign.unwrap_or(usual.resign_below),
            resign_checked: self.resign_checked.unwrap_or(usual.resign_checked),
            ..usual
        };
        settings.check()?;
        Ok(settings)
    }
}

impl SelfPlay {
    /// Runs the command.
    pub fn run(self) -> Result<()> {
        let settings = self.search.settings()?;
        let task = SelfPlayTask {
            rule: self.rule,
            net: self.net.as_deref().map(|path| load_net(path, self.rule, &self.sizes)).transpose()?,
            starts: self.starts.read(self.rule, &self.sizes)?,
            sizes: self.sizes,
            threads: self.threads.into(),
            seed: self.seed,
            games: self.games,
            targets: self.positions,
        };
        let mut store = match self.rotate {
            None => SampleStore::open(&self.output)?,
            Some(games) => SampleStore::open_series(&self.output, games)?,
        };
        if store.cut() > 0 {
            eprintln!("cut a broken end of {} bytes off {}", store.cut(), store.path().display());
        }
        println!(
            "{}: {} games with {} positions to learn from so far",
            store.path().display(),
            store.games(),
            store.targets()
        );
        let stop = stop_on_interrupt()?;
        let (started, mut told) = (Instant::now(), Instant::now());
        let done = self_play(&task, &settings, &mut store, &stop, &mut |store, done| {
            if self.time.is_some_and(|time| started.elapsed() >= time) {
                stop.raise();
            }
            if told.elapsed() >= BETWEEN_LINES {
                told = Instant::now();
                println!("{}", line(store, done));
            }
        })?;
        if done.games > 0 {
            println!("{}", line(&store, &done));
        }
        if stop.raised() && self.time.is_none() {
            println!("stopped; the same command goes on");
        }
        Ok(())
    }
}

/// Between two lines of progress.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// A net for a rule and sizes, read from a file.
fn load_net(path: &Path, rule: Rule, sizes: &[Size]) -> Result<Arc<Net>> {
    let shown = || path.display().to_string();
    let net = Net::read_file(path).with_context(shown)?;
    for &size in sizes {
        net.check(rule, size).with_context(shown)?;
    }
    Ok(Arc::new(net))
}

/// One line of progress.
fn line(store: &SampleStore, done: &Throughput) -> String {
    let resigned = match done.resigned.wrong_share() {
        Some(wrong) => format!(
            "; {} given up, {} played on instead, {:.1} % of them wrongly lost hope",
            done.resigned.games,
            done.resigned.checked,
            100.0 * wrong
        ),
        None if done.resigned.games > 0 => format!("; {} given up", done.resigned.games),
        None => String::new(),
    };
    let harvested = match done.harvested {
        0 => String::new(),
        harvested => format!(", {:.0} % of them harvested", 100.0 * harvested as f64 / done.targets as f64),
    };
    format!(
        "{} games, {} positions to learn from: {:.0} an hour{harvested} \
         ({:.0} simulations/s, {:.1} moves a game{resigned})",
        store.games(),
        store.targets(),
        done.targets_per_hour(),
        done.visits as f64 / done.elapsed.as_secs_f64().max(1e-9),
        done.positions as f64 / done.games.max(1) as f64,
    )
}
