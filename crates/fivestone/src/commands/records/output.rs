//! Writing games in the formats people use.

use anyhow::{Context, Result, bail};
use clap::{Args, ValueEnum};
use fivestone_formats::reader::{Branches, Game};
use fivestone_formats::record::Header;
use fivestone_formats::tree::Tree;
use fivestone_formats::{openings, psq, renlib, sgf, text};
use fivestone_game::Size;
use flate2::{Compression, write::GzEncoder};
use std::fs::{self, File};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A format to write.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum Target {
    /// One game a line with its result: black h8 h9 i10.
    Text,
    /// One game a line, moves alone: h8h9i10.
    Moves,
    /// Piskvork.
    Psq,
    /// Smart Game Format, trees with comments and marks.
    Sgf,
    /// One `RenLib` library of all games, 15x15.
    Lib,
    /// Gomocup opening offsets.
    Openings,
}

/// Where games are written, and how.
#[derive(Args, Clone)]
pub struct Output {
    /// The file to write; standard output without it. A name that ends in .gz is packed.
    #[arg(long = "output", short = 'o', value_name = "FILE", id = "output")]
    file: Option<PathBuf>,
    /// The format to write [default: as the name of the file says, or text].
    #[arg(long, value_name = "FORMAT")]
    to: Option<Target>,
    /// Make a folder of this name with one file for each game, as Piskvork wants its games.
    #[arg(long, value_name = "FOLDER", conflicts_with = "output")]
    split: Option<PathBuf>,
    /// Write over a file that exists.
    #[arg(long)]
    force: bool,
}

impl Output {
    /// The format that is meant.
    fn target(&self) -> Result<Target> {
        if let Some(target) = self.to {
            return Ok(target);
        }
        let Some(path) = &self.file else { return Ok(Target::Text) };
        let name = path.to_string_lossy().to_ascii_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
            "psq" => Ok(Target::Psq),
            "sgf" => Ok(Target::Sgf),
            "lib" => Ok(Target::Lib),
            "txt" | "text" | "" => Ok(Target::Text),
            other => bail!("what format is .{other}? Say it with --to"),
        }
    }

    /// What becomes of the branches of trees.
    pub fn branches(&self) -> Result<Branches> {
        Ok(match self.target()? {
            Target::Sgf | Target::Lib => Branches::Keep,
            _ => Branches::MainLine,
        })
    }

    /// Starts to write.
    pub fn open(&self) -> Result<Writer> {
        let target = self.target()?;
        let place = match (&self.file, &self.split) {
            (Some(path), _) => Place::File(Pending::new(path, self.force)?),
            (None, Some(_)) if target == Target::Lib => bail!("a library holds all games: leave out --split"),
            (None, Some(folder)) => {
                fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
                Place::Folder(folder.clone(), self.force)
            }
            (None, None) if target == Target::Lib && io::stdout().is_terminal() => {
                bail!("a library is not for the terminal: name a file with --output")
            }
            (None, None) => Place::Standard(BufWriter::new(io::stdout())),
        };
        Ok(Writer {
            target,
            place,
            text: text::Writer::default(),
            library: None,
            buffer: Vec::new(),
            written: 0,
            refused: 0,
        })
    }
}

enum Place {
    File(Pending),
    Folder(PathBuf, bool),
    Standard(BufWriter<io::Stdout>),
}

/// A file that appears under its name only when it is complete.
struct Pending {
    path: PathBuf,
    sink: Sink,
}

enum Sink {
    Plain(BufWriter<NamedTempFile>),
    Packed(Box<GzEncoder<BufWriter<NamedTempFile>>>),
}

impl Pending {
    fn new(path: &Path, force: bool) -> Result<Pending> {
        if path.exists() && !force {
            bail!("{} exists (write over it with --force)", path.display());
        }
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let file = NamedTempFile::new_in(folder).with_context(|| folder.display().to_string())?;
        let file = BufWriter::with_capacity(1 << 18, file);
        let packed = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gz"));
        let sink = if packed {
            Sink::Packed(Box::new(GzEncoder::new(file, Compression::default())))
        } else {
            Sink::Plain(file)
        };
        Ok(Pending { path: path.to_owned(), sink })
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match &mut self.sink {
            Sink::Plain(file) => file.write_all(bytes),
            Sink::Packed(file) => file.write_all(bytes),
        }
    }

    fn finish(self) -> Result<()> {
        let name = self.path.display().to_string();
        let file = match self.sink {
            Sink::Plain(file) => file,
            Sink::Packed(file) => file.finish().with_context(|| name.clone())?,
        };
        let file = file.into_inner().map_err(io::IntoInnerError::into_error).with_context(|| name.clone())?;
        readable_by_all(file.as_file());
        file.persist(&self.path).with_context(|| name)?;
        Ok(())
    }
}

/// Temporary files are their owner's alone; the games need not be.
#[cfg(unix)]
fn readable_by_all(file: &File) {
    use std::os::unix::fs::PermissionsExt;
    // A file that stays private is no reason to lose it.
    _ = file.set_permissions(fs::Permissions::from_mode(0o644));
}

#[cfg(not(unix))]
fn readable_by_all(_: &File) {}

/// Takes games and writes them.
pub struct Writer {
    target: Target,
    place: Place,
    text: text::Writer,
    library: Option<Tree>,
    buffer: Vec<u8>,
    written: u64,
    refused: u64,
}

impl Writer {
    /// Writes a game.
    pub fn write(&mut self, game: Game) -> Result<()> {
        self.buffer.clear();
        let fits = match self.target {
            Target::Text => {
                if matches!(self.place, Place::Folder(..)) {
                    self.text = text::Writer::default();
                }
                self.text.write(&game.into_record(), &mut self.buffer);
                true
            }
            Target::Moves => {
                text::write_moves(&game.into_record(), &mut self.buffer);
                true
            }
            Target::Psq => psq::write(&game.into_record(), &mut self.buffer),
            Target::Openings => {
                openings::write(&game.into_record(), &mut self.buffer);
                true
            }
            Target::Sgf => {
                sgf::write(&game.into_tree(), &mut self.buffer);
                true
            }
            Target::Lib => self.merge(game),
        };
        if !fits {
            self.refused += 1;
            return Ok(());
        }
        self.written += 1;
        let written = self.written;
        let buffer = &self.buffer;
        match &mut self.place {
            Place::File(file) => file.write(buffer).with_context(|| file.path.display().to_string()),
            Place::Standard(out) => Ok(out.write_all(buffer)?),
            Place::Folder(folder, force) => {
                let extension = match self.target {
                    Target::Psq => "psq",
                    Target::Sgf => "sgf",
                    _ => "txt",
                };
                let mut file = Pending::new(&folder.join(format!("game{written:06}.{extension}")), *force)?;
                file.write(buffer).with_context(|| file.path.display().to_string())?;
                file.finish()
            }
        }
    }

    /// Adds a game to the library; a game of another size does not fit in.
    fn merge(&mut self, game: Game) -> bool {
        match (game, &mut self.library) {
            (Game::Tree(tree), _) if tree.header.size != Size::STANDARD => return false,
            (Game::Line(record), _) if record.header.size != Size::STANDARD => return false,
            (Game::Tree(tree), library @ None) => *library = Some(tree),
            (Game::Tree(tree), Some(library)) => library.merge(&tree),
            (Game::Line(record), library) => {
                let header = || Header::new(record.header.rule, record.header.size);
                library.get_or_insert_with(|| Tree::new(header())).merge_record(&record);
            }
        }
        true
    }

    /// Finishes the file; says how many games are in it and how many did not fit its format.
    pub fn finish(mut self) -> Result<String> {
        if let Some(library) = self.library.take() {
            self.buffer.clear();
            renlib::write(&library, &mut self.buffer)?;
            match &mut self.place {
                Place::File(file) => file.write(&self.buffer)?,
                Place::Standard(out) => out.write_all(&self.buffer)?,
                Place::Folder(..) => {}
            }
        }
        match self.place {
            Place::File(file) => file.finish()?,
            Place::Standard(mut out) => out.flush()?,
            Place::Folder(..) => {}
        }
        let refused = match (self.refused, self.target) {
            (0, _) => String::new(),
            (count, Target::Psq) => format!(", {count} left out: PSQ knows no passes"),
            (count, _) => format!(", {count} left out: a library holds 15x15 games only"),
        };
        Ok(format!("{} games written{refused}", self.written))
    }
}
