//! `fivestone records find`.

use super::input::{Reading, expand};
use anyhow::{Context, Result, bail};
use clap::Args;
use fivestone_formats::index::{self, Answer, Builder, Continuation, Origin, Position};
use fivestone_formats::reader::Branches;
use fivestone_formats::replay::Replay;
use fivestone_game::{Size, notation};
use serde_json::json;
use std::fs::{self, File};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Instant, UNIX_EPOCH};
use tempfile::NamedTempFile;

/// List the games that reach a position, turned or mirrored as may be, and how they went on.
///
/// The files are read once: an index of them is kept, in the user's cache folder or where --index says, and built
/// again when they change.
#[derive(Args)]
pub struct Find {
    /// The moves to the position, h8h9i10; "start" for the empty board.
    #[arg(value_name = "MOVES")]
    moves: String,
    /// Files or folders; without any, all games of the index that --index names.
    #[arg(value_name = "FILES")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    reading: Reading,
    /// The board's side, 5 to 22.
    #[arg(long, default_value = "15", value_parser = crate::arguments::parse_size)]
    size: Size,
    /// Where the index is, or is to be.
    #[arg(long, value_name = "FILE")]
    index: Option<PathBuf>,
    /// Build the index anew.
    #[arg(long)]
    rebuild: bool,
    /// How many games to list.
    #[arg(long, value_name = "N", default_value = "10")]
    list: usize,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

impl Find {
    /// Runs the command.
    pub fn run(self) -> Result<()> {
        let position = self.position()?;
        let path = self.prepare()?;
        let started = Instant::now();
        let mut file = File::open(&path).with_context(|| path.display().to_string())?;
        let answer = index::search(&mut file, &position, self.list)
            .with_context(|| format!("{} (build it anew with --rebuild)", path.display()))?;
        let milliseconds = started.elapsed().as_secs_f64() * 1000.0;
        let origins = origins_of(&path)?;
        if self.json {
            self.print_json(&answer, &origins, milliseconds)
        } else {
            self.print(&answer, &origins, milliseconds)
        }
    }

    fn position(&self) -> Result<Position> {
        let moves = if self.moves == "start" { "" } else { &self.moves };
        let moves: Vec<_> = notation::parse_moves(moves, self.size)?.into_iter().map(Some).collect();
        let mut replay = Replay::new(self.size, None);
        for (i, &turn) in moves.iter().enumerate() {
            replay.play_on(turn).map_err(|fault| anyhow::anyhow!("move {}: {fault}", i + 1))?;
        }
        Ok(Position::new(self.size, &moves))
    }

    /// The index, built if there is none that fits the files.
    fn prepare(&self) -> Result<PathBuf> {
        if self.files.is_empty() {
            return match &self.index {
                Some(path) if path.exists() => Ok(path.clone()),
                Some(path) => bail!("{}: no such index; name the files to build it from", path.display()),
                None => bail!("name files to search, or an index with --index"),
            };
        }
        let files = expand(&self.files)?;
        if files.iter().any(|file| file.as_os_str() == "-") {
            bail!("standard input cannot be indexed: name files");
        }
        let origins = files.iter().map(|file| origin(file)).collect::<Result<Vec<_>>>()?;
        let path = match &self.index {
            Some(path) => path.clone(),
            None => self.cached(&origins)?,
        };
        let usable = !self.rebuild && origins_of(&path).is_ok_and(|known| known == origins);
        if !usable {
            self.build(&path, &files, &origins)?;
        }
        Ok(path)
    }

    /// The place of the index of these files in the user's cache folder.
    fn cached(&self, origins: &[Origin]) -> Result<PathBuf> {
        let home = || std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache"));
        let cache = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(home);
        let folder = cache.context("there is no cache folder: name a place with --index")?.join("fivestone");
        let mut hasher = DefaultHasher::new();
        for origin in origins {
            origin.name.hash(&mut hasher);
        }
        format!("{:?}", self.reading.key()).hash(&mut hasher);
        Ok(folder.join(format!("records-{:016x}.index", hasher.finish())))
    }

    fn build(&self, path: &Path, files: &[PathBuf], origins: &[Origin]) -> Result<()> {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let told = || path.display().to_string();
        fs::create_dir_all(folder).with_context(told)?;
        let started = Instant::now();
        let mut file = NamedTempFile::new_in(folder).with_context(told)?;
        let mut bytes = Vec::new();
        let mut builder = Builder::new(origins, &mut bytes);
        let tally = self.reading.read(files, Branches::MainLine, |origin, entry| {
            builder.add(origin, entry.number, &entry.game.into_record(), &mut bytes);
            if bytes.len() > 1 << 20 {
                file.write_all(&bytes)?;
                bytes.clear();
            }
            Ok(())
        })?;
        tally.check()?;
        builder.finish(&mut bytes);
        file.write_all(&bytes).with_context(told)?;
        file.persist(path).with_context(told)?;
        let seconds = started.elapsed().as_secs_f64();
        eprintln!("{}; index built in {seconds:.1} s: {}", tally.summary(), path.display());
        Ok(())
    }

    fn name(&self, next: Continuation) -> String {
        match next {
            Continuation::Stone(point) => point.name(self.size),
            Continuation::Pass => "pass".to_owned(),
            Continuation::End => "end".to_owned(),
        }
    }

    /// What was played next, the most frequent first.
    fn continuations(&self, answer: &Answer) -> Vec<(String, u64, [u64; 4])> {
        let mut list: Vec<(String, u64, [u64; 4])> = answer
            .continuations
            .iter()
            .map(|(&next, &outcomes)| (self.name(next), outcomes.iter().sum(), outcomes))
            .collect();
        list.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        list
    }

    fn print(&self, answer: &Answer, origins: &[Origin], milliseconds: f64) -> Result<()> {
        let mut out = std::io::stdout().lock();
        writeln!(
            out,
            "{} of {} games reach the position ({milliseconds:.1} ms)",
            answer.games, answer.searched
        )?;
        if answer.games == 0 {
            return Ok(());
        }
        writeln!(
            out,
            "{:<6} {:>9} {:>9} {:>9} {:>9} {:>9}",
            "next", "games", "black", "white", "draw", "unknown"
        )?;
        let mut row =
            |name: &str, games: u64, [unknown, black, white, draw]: [u64; 4]| -> std::io::Result<()> {
                writeln!(out, "{name:<6} {games:>9} {black:>9} {white:>9} {draw:>9} {unknown:>9}")
            };
        row("all", answer.games, answer.outcomes)?;
        for (name, games, outcomes) in self.continuations(answer) {
            row(&name, games, outcomes)?;
        }
        for hit in &answer.hits {
            let file = origins.get(hit.origin as usize).map_or("?", |origin| origin.name.as_str());
            let next = self.name(hit.next);
            writeln!(out, "{file}: game {}, after ply {}: {next}, {}", hit.number, hit.ply, hit.outcome)?;
        }
        if answer.games > answer.hits.len() as u64 {
            writeln!(
                out,
                "and {} more games (--list N lists more)",
                answer.games - answer.hits.len() as u64
            )?;
        }
        Ok(())
    }

    fn print_json(&self, answer: &Answer, origins: &[Origin], milliseconds: f64) -> Result<()> {
        let results = |[unknown, black, white, draw]: [u64; 4]| json!({ "black": black, "white": white, "draw": draw, "unknown": unknown });
        let continuations: Vec<_> = self
            .continuations(answer)
            .into_iter()
            .map(|(name, games, outcomes)| json!({ "next": name, "games": games, "results": results(outcomes) }))
            .collect();
        let hits: Vec<_> = answer
            .hits
            .iter()
            .map(|hit| {
                json!({
                    "file": origins.get(hit.origin as usize).map(|origin| &origin.name),
                    "game": hit.number,
                    "ply": hit.ply,
                    "next": self.name(hit.next),
                    "result": hit.outcome.word(),
                })
            })
            .collect();
        let value = json!({
            "searched": answer.searched,
            "games": answer.games,
            "milliseconds": milliseconds,
            "results": results(answer.outcomes),
            "continuations": continuations,
            "list": hits,
        });
        writeln!(std::io::stdout(), "{}", serde_json::to_string_pretty(&value)?)?;
        Ok(())
    }
}

fn origins_of(path: &Path) -> Result<Vec<Origin>> {
    Ok(index::read_origins(&mut File::open(path)?)?)
}

fn origin(file: &Path) -> Result<Origin> {
    let told = || file.display().to_string();
    let data = fs::metadata(file).with_context(told)?;
    let name = fs::canonicalize(file).with_context(told)?.display().to_string();
    let modified = data.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    Ok(Origin { name, length: data.len(), modified: modified.map_or(0, |time| time.as_nanos() as u64) })
}
