//! Opening files, gzip, progress, and telling what is wrong in them.

use anyhow::{Context, Result, bail};
use clap::Args;
use fivestone_formats::detect::Format;
use fivestone_formats::problem::{Loss, Problem};
use fivestone_formats::reader::{Branches, Entry, Options, Reader};
use fivestone_game::{Rule, Size};
use flate2::bufread::MultiGzDecoder;
use indicatif::{ProgressBar, ProgressStyle};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// Which files are read, and how.
#[derive(Args, Clone)]
pub struct Input {
    /// Files, folders, or - for standard input.
    #[arg(value_name = "FILES", required = true)]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub reading: Reading,
}

/// How files are read.
#[derive(Args, Clone)]
pub struct Reading {
    /// Read the files in this format, whatever they look like.
    #[arg(long, value_name = "FORMAT")]
    as_format: Option<Format>,
    /// All games are of this rule, whatever the files say.
    #[arg(long, value_name = "RULE")]
    as_rule: Option<Rule>,
    /// The board of games that do not tell theirs, 5 to 22 [default: 15].
    #[arg(long, value_name = "SIDE", value_parser = crate::arguments::parse_size)]
    as_size: Option<Size>,
    /// Take every variation of a tree (SGF, .lib) as a game of its own, not the main line alone.
    #[arg(long)]
    pub variations: bool,
    /// Skip games that go on after five in a row.
    #[arg(long)]
    strict: bool,
    /// Tell every problem, not the first 20 of a file.
    #[arg(long)]
    all_problems: bool,
    /// Tell no problem and show no progress.
    #[arg(long, short)]
    quiet: bool,
}

/// What was met while reading.
#[derive(Default)]
pub struct Tally {
    pub files: u64,
    pub games: u64,
    pub skipped: u64,
    pub branches_skipped: u64,
    pub after_end: u64,
    /// Files that were not read to their end.
    pub broken_files: u64,
    pub nodes: u64,
    /// Games by format.
    pub formats: Vec<(Format, u64)>,
    /// The first problems with their files.
    pub problems: Vec<(String, Problem)>,
}

impl Tally {
    /// One line for the summary.
    pub fn summary(&self) -> String {
        let mut parts = vec![format!("{} games in {} files", self.games, self.files)];
        for (count, what) in [
            (self.skipped, "games skipped"),
            (self.branches_skipped, "branches left out"),
            (self.after_end, "games that go on after their end"),
            (self.broken_files, "files not read to their end"),
        ] {
            if count > 0 {
                parts.push(format!("{count} {what}"));
            }
        }
        parts.join(", ")
    }

    /// An error if something was wrong and nothing was read.
    pub fn check(&self) -> Result<()> {
        if self.games == 0 && self.skipped + self.broken_files > 0 {
            bail!("no game could be read");
        }
        Ok(())
    }
}

/// The problems that are kept for the caller.
const PROBLEMS_KEPT: usize = 1000;
/// The problems of a file that are told.
const PROBLEMS_TOLD: u64 = 20;

impl Reading {
    /// All that makes the games different that are read.
    pub fn key(&self) -> Options {
        self.options(Branches::MainLine)
    }

    fn options(&self, branches: Branches) -> Options {
        let branches = if self.variations { Branches::Split } else { branches };
        Options {
            format: self.as_format,
            rule: self.as_rule,
            size: self.as_size,
            branches,
            strict: self.strict,
        }
    }

    /// Reads every game of some files; gives each with the number of its file.
    pub fn read(
        &self,
        files: &[PathBuf],
        branches: Branches,
        mut take: impl FnMut(usize, Entry) -> Result<()>,
    ) -> Result<Tally> {
        let mut tally = Tally::default();
        let total = files.iter().filter_map(|file| fs::metadata(file).ok()).map(|data| data.len()).sum();
        let progress = if self.quiet { ProgressBar::hidden() } else { ProgressBar::new(total) };
        let style = "{bar:30} {bytes}/{total_bytes} {bytes_per_sec} {eta} {msg}";
        progress.set_style(ProgressStyle::with_template(style).expect("the template is right"));
        for (number, file) in files.iter().enumerate() {
            let name = file.display().to_string();
            let input = open(file, &progress)?;
            let mut reader = Reader::new(input, self.options(branches));
            let (mut games, mut told) = (0, 0);
            for found in &mut reader {
                match found {
                    Ok(entry) => {
                        games += 1;
                        take(number, entry)?;
                    }
                    Err(problem) => {
                        told += 1;
                        self.tell(&name, &problem, told, &progress);
                        tally.count(&name, problem);
                    }
                }
            }
            if told > PROBLEMS_TOLD && !self.all_problems && !self.quiet {
                progress.suspend(|| eprintln!("{name}: and {} more problems", told - PROBLEMS_TOLD));
            }
            tally.files += 1;
            tally.games += games;
            tally.nodes += reader.nodes();
            if let Some(format) = reader.format() {
                match tally.formats.iter_mut().find(|(known, _)| *known == format) {
                    Some((_, count)) => *count += games,
                    None => tally.formats.push((format, games)),
                }
            }
        }
        progress.finish_and_clear();
        Ok(tally)
    }

    fn tell(&self, name: &str, problem: &Problem, told: u64, progress: &ProgressBar) {
        if !self.quiet && (self.all_problems || told <= PROBLEMS_TOLD) {
            progress.suspend(|| eprintln!("{name}: {problem}"));
        }
    }
}

impl Tally {
    fn count(&mut self, name: &str, problem: Problem) {
        let counter = match problem.loss {
            Loss::Nothing => &mut self.after_end,
            Loss::Game => &mut self.skipped,
            Loss::Branch => &mut self.branches_skipped,
            Loss::Rest => &mut self.broken_files,
        };
        *counter += 1;
        if self.problems.len() < PROBLEMS_KEPT {
            self.problems.push((name.to_owned(), problem));
        }
    }
}

impl Input {
    /// Reads every game of the files; gives each with the number of its file.
    pub fn read(&self, branches: Branches, take: impl FnMut(usize, Entry) -> Result<()>) -> Result<Tally> {
        self.reading.read(&expand(&self.files)?, branches, take)
    }
}

/// The files that are meant: folders stand for all files in them, in the order of their names.
pub fn expand(paths: &[PathBuf]) -> Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for path in paths {
        if path.as_os_str() == "-" {
            files.push(path.clone());
            continue;
        }
        let data = fs::metadata(path).with_context(|| path.display().to_string())?;
        if data.is_dir() { expand_folder(path, &mut files, 0)? } else { files.push(path.clone()) }
    }
    Ok(files)
}

fn expand_folder(folder: &Path, files: &mut Vec<PathBuf>, depth: usize) -> Result<()> {
    const DEEPEST: usize = 32;
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<io::Result<Vec<_>>>);
    let mut paths: Vec<PathBuf> =
        entries.with_context(|| folder.display().to_string())?.iter().map(fs::DirEntry::path).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() && depth < DEEPEST {
            expand_folder(&path, files, depth + 1)?;
        } else if path.is_file() {
            files.push(path);
        }
    }
    Ok(())
}

/// Opens a file, unpacking it on the way if it is gzip.
pub fn open(path: &Path, progress: &ProgressBar) -> Result<Box<dyn Read>> {
    const BUFFER: usize = 128 * 1024;
    let raw: Box<dyn Read> = if path.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        Box::new(File::open(path).with_context(|| path.display().to_string())?)
    };
    let mut raw = BufReader::with_capacity(BUFFER, progress.wrap_read(raw));
    let start = raw.fill_buf().with_context(|| path.display().to_string())?;
    if start.starts_with(&[0x1f, 0x8b]) { Ok(Box::new(MultiGzDecoder::new(raw))) } else { Ok(Box::new(raw)) }
}
