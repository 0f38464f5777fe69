//! `fivestone openings`: make balanced opening sets and check existing ones.

use super::matches::write_file;
use crate::arguments::GameArguments;
use crate::interrupt::stop_on_interrupt;
use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, Subcommand};
use fivestone_arena::openings::{
    BALANCED, FileFormat, Judge, Made, OpeningFile, PartFile, Wanted, go_on, judge_all, read_openings,
    write_openings,
};
use fivestone_arena::player::BuiltIn;
use fivestone_engine::{DEFAULT_ENGINE, Stop};
use fivestone_game::{Board, Point, notation};
use fivestone_host::EngineChoice;
use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Make balanced opening sets for matches, or check existing ones.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Openings {
    #[command(subcommand)]
    command: Command,
}

const EXAMPLES: &str = "Examples:
  fivestone openings generate --rule renju --size 15 --count 100 --output renju-15.txt
  fivestone openings check renju-15.txt --rule renju --visits 5000
  fivestone match -openings file=renju-15.txt type=offset order=random ...";

#[derive(Subcommand)]
enum Command {
    /// Make openings in which both sides have 45 to 55 %, no two alike up to symmetry.
    Generate(Generate),
    /// Say which openings of a file are unbalanced, doubled or too large; fails if there are any.
    Check(Check),
}

#[derive(Args)]
struct JudgeArguments {
    /// The built-in engine that judges [default: the strongest].
    #[arg(long, value_name = "NAME")]
    engine: Option<String>,
    /// Visits for each position.
    #[arg(long, default_value = "2000", value_parser = clap::value_parser!(u64).range(1..))]
    visits: u64,
    /// How far from one half a side's win probability may be.
    #[arg(long, default_value_t = BALANCED)]
    margin: f64,
    /// Positions judged at the same time [default: all cores].
    #[arg(long)]
    threads: Option<usize>,
    /// How openings are written: offset, pos (rows from the top) or moves.
    #[arg(long = "type", default_value = "offset")]
    format: FileFormat,
}

impl JudgeArguments {
    fn judge(&self) -> Result<Judge> {
        if !(0.0..0.5).contains(&self.margin) {
            bail!("--margin {} is not between 0 and 0.5", self.margin);
        }
        let name = self.engine.as_deref().unwrap_or(DEFAULT_ENGINE);
        let choice = EngineChoice::named(name, []).context("no engine to judge with")?;
        let factory = BuiltIn::maker(choice);
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let threads = self.threads.unwrap_or_else(cores);
        Ok(Judge { factory, visits: self.visits, margin: self.margin, threads })
    }
}

#[derive(Args)]
struct Generate {
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    judge: JudgeArguments,
    /// Visits with which each opening is judged once more: a short search overlooks long attacks. 0 not to.
    #[arg(long, value_name = "VISITS", default_value = "40000")]
    confirm: u64,
    /// How many openings.
    #[arg(long, default_value = "100", value_parser = clap::value_parser!(u32).range(1..))]
    count: u32,
    /// Stones in each.
    #[arg(long, default_value = "5", value_parser = clap::value_parser!(u16).range(1..))]
    plies: u16,
    /// Seed of the random moves.
    #[arg(long, default_value = "1")]
    seed: u64,
    /// A set whose openings come first, as far as they are judged balanced.
    #[arg(long, value_name = "FILE")]
    keep: Option<PathBuf>,
    /// The file to write; standard output unless given. Until it is finished FILE.part holds what
    /// is made, and the same command goes on with it after a kill.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Args)]
struct Check {
    /// The file; `-` is standard input.
    file: PathBuf,
    #[command(flatten)]
    game: GameArguments,
    #[command(flatten)]
    judge: JudgeArguments,
}

impl Openings {
    pub fn run(self) -> Result<()> {
        match self.command {
            Command::Generate(command) => command.run(),
            Command::Check(command) => command.run(),
        }
    }
}

impl Generate {
    fn run(self) -> Result<()> {
        let judge = self.judge.judge()?;
        let stop = stop_on_interrupt()?;
        let (rule, size) = (self.game.rule, self.game.size);
        let wanted = Wanted {
            count: self.count as usize,
            plies: self.plies.into(),
            rule,
            size,
            seed: self.seed,
            confirm: self.confirm,
        };
        let keep = self.keep.as_deref().map_or(Ok(Vec::new()), |path| self.read_kept(path))?;
        let (mut part, past) = match &self.output {
            Some(path) => {
                let part = PathBuf::from(format!("{}.part", path.display()));
                let (part, past) = PartFile::open(&part, &self.request(&keep), rule, size)?;
                (Some(part), past)
            }
            None => (None, Made::default()),
        };
        let mut told = past.openings.len();
        if told > 0 {
            eprintln!("resumed with {told} of {} openings", wanted.count);
        }
        let mut progress = |made: &Made| {
            let count = made.openings.len();
            if count >= told + 10 || count == wanted.count {
                eprintln!("{count} of {} openings, {} candidates", wanted.count, made.tried);
                told = count;
            }
            part.as_mut().map_or(Ok(()), |part| part.add(made))
        };
        let made = go_on(&wanted, &keep, &judge, past, &stop, &mut progress)?;
        let openings: Vec<_> = made.into_iter().map(|judged| judged.moves).collect();
        let text = write_openings(&openings, self.judge.format, size);
        match (&self.output, part) {
            (Some(path), Some(part)) => {
                write_file(path, &text)?;
                Ok(part.remove()?)
            }
            _ => Ok(std::io::stdout().lock().write_all(text.as_bytes())?),
        }
    }

    fn read_kept(&self, path: &Path) -> Result<Vec<Vec<Point>>> {
        let read = read_openings(&read(path)?, self.judge.format, self.game.size, self.game.rule);
        Ok(read.map_err(|error| anyhow!("{}: {error}", path.display()))?.openings)
    }

    /// What is made, in one line: a set in the making is resumed only with the same.
    fn request(&self, keep: &[Vec<Point>]) -> String {
        let (size, judge) = (self.game.size, &self.judge);
        format!(
            "{} of {} stones, {} {size}x{size}, seed {}, {} at {} and {} visits, margin {}, {} kept",
            self.count,
            self.plies,
            self.game.rule,
            self.seed,
            judge.engine.as_deref().unwrap_or(DEFAULT_ENGINE),
            judge.visits,
            self.confirm,
            judge.margin,
            keep.len()
        )
    }
}

impl Check {
    fn run(self) -> Result<()> {
        let (rule, size) = (self.game.rule, self.game.size);
        let judge = self.judge.judge()?;
        let text = read(&self.file)?;
        let name = self.file.display();
        let OpeningFile { openings, too_large } = read_openings(&text, self.judge.format, size, rule)
            .map_err(|error| anyhow!("{name}: {error}"))?;
        if openings.is_empty() {
            bail!("{name}: no opening fits on the {size}x{size} board");
        }
        let judged = judge_all(&openings, rule, size, &judge, &Stop::new());
        let mut out = std::io::stdout().lock();
        let mut seen = BTreeMap::new();
        let (mut doubled, mut unbalanced) = (0, 0);
        for (index, opening) in judged.iter().enumerate() {
            let board = Board::from_moves(size, rule, &opening.moves).expect("the file was read");
            let moves = notation::format_moves(opening.moves.iter().copied(), size);
            let number = index + 1;
            if let Some(earlier) = seen.insert(board.canonical_hash().0, number) {
                doubled += 1;
                writeln!(out, "opening {number} ({moves}) is opening {earlier} turned or mirrored")?;
            }
            if !judge.is_balanced(opening.black) {
                unbalanced += 1;
                writeln!(out, "opening {number} ({moves}) gives Black {:.1} %", opening.black * 100.0)?;
            }
        }
        let mean = judged.iter().map(|opening| opening.black).sum::<f64>() / judged.len() as f64;
        writeln!(
            out,
            "{} openings, {unbalanced} unbalanced, {doubled} doubled, {} too large; Black has {:.1} % on average",
            judged.len(),
            too_large.len(),
            mean * 100.0
        )?;
        if unbalanced + doubled + too_large.len() > 0 {
            bail!("{name}: not every opening is sound");
        }
        Ok(())
    }
}

fn read(path: &Path) -> Result<String> {
    if path == Path::new("-") {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text)?;
        return Ok(text);
    }
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}
