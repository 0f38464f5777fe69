//! A set of openings in the making, kept in a file so that a kill loses little.
//!
//! The first line says what is made. Each opening is a line with Black's win probability and the
//! offsets; `# tried N` ends a batch. What follows the last such line is made again.

use super::{BadOpening, FileFormat, Judged, Made, read_openings, write_openings};
use fivestone_artifacts::{FileError, FileTask};
use fivestone_game::{Rule, Size};
use std::fmt::{self, Write as _};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

/// The open file.
#[derive(Debug)]
pub struct PartFile {
    path: PathBuf,
    file: File,
    size: Size,
    /// Openings that are in the file.
    written: usize,
}

const TRIED: &str = "# tried ";

/// Why a set in the making cannot be taken up.
#[derive(Debug)]
pub enum PartError {
    /// The file cannot be used.
    File(FileError),
    /// It holds something else.
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        problem: BadPart,
    },
}

/// What is wrong with a line of a set in the making.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BadPart {
    /// It was made for another request.
    OtherSet(String),
    /// The end of a batch does not say how many were tried.
    NoTries,
    /// It has no win probability.
    NotJudged,
    /// The win probability is no number.
    NotAProbability(String),
    /// The opening is none.
    Opening(BadOpening),
    /// The opening does not fit on the board.
    TooLarge,
}

impl fmt::Display for PartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PartError::File(error) => write!(f, "{error}"),
            PartError::Line { path, line, problem } => {
                write!(f, "{}: line {line}: {problem}", path.display())
            }
        }
    }
}

impl fmt::Display for BadPart {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadPart::OtherSet(found) => {
                write!(f, "of another set ({found}); remove the file to begin anew")
            }
            BadPart::NoTries => f.write_str("no count of tries"),
            BadPart::NotJudged => f.write_str("not an opening with its win probability"),
            BadPart::NotAProbability(word) => write!(f, "\"{word}\" is not a win probability"),
            BadPart::Opening(problem) => write!(f, "{problem}"),
            BadPart::TooLarge => f.write_str("the opening does not fit on the board"),
        }
    }
}

impl std::error::Error for PartError {}

impl From<FileError> for PartError {
    fn from(error: FileError) -> PartError {
        PartError::File(error)
    }
}

impl PartFile {
    /// Opens the file of a request, told in one line of words, or begins it.
    pub fn open(path: &Path, request: &str, rule: Rule, size: Size) -> Result<(PartFile, Made), PartError> {
        let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = options.map_err(FileTask::Open.at(path))?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(FileError::at(path))?;
        let header = format!("# {request}\n");
        let (made, complete) = read_batches(&text, &header, rule, size)
            .map_err(|(line, problem)| PartError::Line { path: path.to_owned(), line, problem })?;
        let cut = file.set_len(complete as u64);
        let cut = cut.and_then(|()| file.seek(SeekFrom::Start(complete as u64)));
        cut.map_err(FileError::at(path))?;
        let mut part = PartFile { path: path.to_owned(), file, size, written: made.openings.len() };
        if complete == 0 {
            part.append(&header)?;
        }
        Ok((part, made))
    }

    /// Adds what was made since the last time.
    pub fn add(&mut self, made: &Made) -> Result<(), FileError> {
        let mut text = String::new();
        for opening in &made.openings[self.written..] {
            let moves = write_openings(std::slice::from_ref(&opening.moves), FileFormat::Offset, self.size);
            let _ = write!(text, "{:.4} {moves}", opening.black);
        }
        self.written = made.openings.len();
        self.append(&format!("{text}{TRIED}{}\n", made.tried))
    }

    /// Removes the file of a set that is finished.
    pub fn remove(self) -> Result<(), FileError> {
        std::fs::remove_file(&self.path).map_err(FileTask::Remove.at(&self.path))
    }

    fn append(&mut self, text: &str) -> Result<(), FileError> {
        self.file.write_all(text.as_bytes()).map_err(FileTask::Write.at(&self.path))
    }
}

/// What the complete batches hold and where they end; or the line, from 1, that is wrong.
fn read_batches(text: &str, header: &str, rule: Rule, size: Size) -> Result<(Made, usize), (usize, BadPart)> {
    let (mut made, mut complete) = (Made::default(), 0);
    let (mut batch, mut at) = (Vec::new(), 0);
    let lines = text.split_inclusive('\n').enumerate().filter(|(_, line)| line.ends_with('\n'));
    for (index, line) in lines {
        at += line.len();
        let wrong = |problem| (index + 1, problem);
        if index == 0 {
            if line != header {
                let found = line.trim_start_matches('#').trim();
                return Err(wrong(BadPart::OtherSet(found.to_owned())));
            }
            complete = at;
        } else if let Some(tried) = line.strip_prefix(TRIED) {
            made.tried = tried.trim().parse().map_err(|_| wrong(BadPart::NoTries))?;
            made.openings.append(&mut batch);
            complete = at;
        } else {
            batch.push(judged(line, rule, size).map_err(wrong)?);
        }
    }
    Ok((made, complete))
}

fn judged(line: &str, rule: Rule, size: Size) -> Result<Judged, BadPart> {
    let (black, moves) = line.split_once(' ').ok_or(BadPart::NotJudged)?;
    let black = black.parse().map_err(|_| BadPart::NotAProbability(black.to_owned()))?;
    let file = read_openings(moves, FileFormat::Offset, size, rule)
        .map_err(|error| BadPart::Opening(error.problem))?;
    let moves = file.openings.into_iter().next().ok_or(BadPart::TooLarge)?;
    Ok(Judged { moves, black })
}
