//! `fivestone learn`: self-play, training and matches, again and again.

use crate::interrupt::stop_on_interrupt;
use anyhow::{Context, Result};
use clap::Args;
use fivestone_arena::stats::Estimate;
use fivestone_game::Rule;
use fivestone_learn::generations::{Generation, Learn, LearnEvent, LearnSettings};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Make the flagship's net stronger: generations of self-play, training and matches.
///
/// Everything is in one directory. The same command starts a loop and goes on with it, after an interruption, a kill or
/// a copy to another machine. The settings are in its learn.toml, which may be written before the start.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct LearnCommand {
    /// The loop's directory.
    #[arg(long, value_name = "DIRECTORY")]
    run: PathBuf,
    /// The rule of a new loop.
    #[arg(long)]
    rule: Option<Rule>,
    /// Games of a teacher for a new loop to begin with.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    teachers: Vec<PathBuf>,
    /// A net for a new loop to begin with, instead of the shipped one.
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
    /// The checkpoint.bin of that net's training, from which training goes on.
    #[arg(long, value_name = "FILE", requires = "net")]
    checkpoint: Option<PathBuf>,
    /// Only write learn.toml for a new loop, to be changed before the start.
    #[arg(long)]
    prepare: bool,
}

const EXAMPLES: &str = "Examples:
  fivestone learn --run runs/freestyle --rule freestyle --teachers games.txt.gz
  fivestone learn --run runs/freestyle              (goes on)
  fivestone learn --run runs/renju --rule renju --prepare && vi runs/renju/learn.toml";

/// Between two lines of progress.
const BETWEEN_LINES: Duration = Duration::from_secs(30);

impl LearnCommand {
    /// Runs the command.
    pub fn run(self) -> Result<()> {
        let mut learn = Learn::open(&self.run, &self.settings()?)?;
        let settings = learn.settings();
        println!(
            "{}: {}, {} generations finished in {:.2} hours; settings in {}",
            self.run.display(),
            settings.rule,
            learn.generations().len(),
            learn.hours(),
            self.run.join("learn.toml").display()
        );
        if self.prepare {
            return Ok(());
        }
        let stop = stop_on_interrupt()?;
        let mut progress = ProgressLines { told: Instant::now() };
        if learn.run(&stop, &mut |event| progress.hear(&event))? {
            println!("all generations are finished");
        } else {
            println!("stopped; go on with: fivestone learn --run {}", self.run.display());
        }
        Ok(())
    }

    /// The settings of a new loop.
    fn settings(&self) -> Result<LearnSettings> {
        let absolute = |path: &Path| std::path::absolute(path).with_context(|| path.display().to_string());
        let usual = LearnSettings::default();
        let rule = self.rule.unwrap_or(Rule::Freestyle);
        Ok(LearnSettings {
            rule: rule.name().to_owned(),
            sizes: if rule == Rule::Renju { vec![15] } else { usual.sizes.clone() },
            teachers: self.teachers.iter().map(|path| absolute(path)).collect::<Result<_>>()?,
            first_net: self.net.as_deref().map(absolute).transpose()?,
            first_checkpoint: self.checkpoint.as_deref().map(absolute).transpose()?,
            ..usual
        })
    }
}

struct ProgressLines {
    told: Instant,
}

impl ProgressLines {
    fn hear(&mut self, event: &LearnEvent) {
        let frequent = !matches!(event, LearnEvent::Finished(_) | LearnEvent::Training(..));
        if frequent && self.told.elapsed() < BETWEEN_LINES {
            return;
        }
        self.told = Instant::now();
        match event {
            LearnEvent::SelfPlay { generation, positions, done } => println!(
                "generation {generation}, self-play: {positions} positions, {:.0} an hour, {} games given up, {} checked, {} wrongly",
                done.targets_per_hour(),
                done.resigned.games,
                done.resigned.checked,
                done.resigned.wrong
            ),
            LearnEvent::Training(generation, progress) => {
                print!("generation {generation}, training: ");
                super::train::print_progress(progress);
            }
            LearnEvent::Match { generation, against, tally } => {
                let elo = Estimate::of(tally).map_or(String::new(), |estimate| {
                    format!(", Elo {:+.0} +- {:.0}", estimate.elo.value, estimate.elo.error)
                });
                println!(
                    "generation {generation}, against {against}: {} won, {} lost, {} drawn{elo}",
                    tally.wins, tally.losses, tally.draws
                );
            }
            LearnEvent::Finished(generation) => print_generation(generation),
        }
    }
}

fn print_generation(generation: &Generation) {
    let parent = &generation.against_parent;
    println!(
        "generation {}: {} {} against {} ({:+.0} +- {:.0} Elo in {} games), {:+.0} Elo since the start, {:.2} hours",
        generation.number,
        generation.net,
        if generation.promoted { "promoted" } else { "rejected" },
        parent.against,
        parent.elo,
        parent.error,
        parent.games,
        generation.elo,
        generation.hours
    );
    for result in &generation.against_pool {
        println!(
            "  against {}: {:+.0} +- {:.0} Elo in {} games",
            result.against, result.elo, result.error, result.games
        );
    }
}
