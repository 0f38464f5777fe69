//! The journal of a match: its configuration and every finished game, appended line by line.
//!
//! A game counts once its line is complete in the file, so a runner that is killed at any moment loses at most the games under way.

use crate::config::MatchConfig;
use crate::fault::Fault;
use crate::record::GameRecord;
use fivestone_artifacts::{FileError, FileTask};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::fs::{File, OpenOptions};
use std::io::{BufRead, BufReader, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The version of the file.
const VERSION: u32 = 1;

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Entry {
    Match { version: u32, config: Box<MatchConfig> },
    Game(Box<GameRecord>),
    Fault { engine: usize, fault: Fault },
}

/// What a journal holds besides its configuration.
#[derive(Clone, PartialEq, Debug)]
pub enum Past {
    /// A finished game.
    Game(Box<GameRecord>),
    /// A fault outside of any game.
    Fault(usize, Fault),
}

/// Why a journal cannot be used.
#[derive(Debug)]
pub enum JournalError {
    /// The file cannot be read or written.
    File(FileError),
    /// The file is not what was written.
    Content(PathBuf, BadJournal),
}

/// What is wrong with the content of a journal.
#[derive(Debug)]
pub enum BadJournal {
    /// A line, from 1, is no entry.
    NotAnEntry(usize, serde_json::Error),
    /// It was written by another version.
    Version(u32),
    /// An entry, by its line, stands where it cannot be.
    Unexpected(usize),
    /// There is no match in it.
    Empty,
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JournalError::File(error) => write!(f, "{error}"),
            JournalError::Content(path, problem) => write!(f, "{}: {problem}", path.display()),
        }
    }
}

impl fmt::Display for BadJournal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BadJournal::NotAnEntry(line, error) => {
                write!(f, "line {line} is no entry of a match journal: {error}")
            }
            BadJournal::Version(version) => write!(f, "version {version} of the journal is not known"),
            BadJournal::Unexpected(line) => write!(f, "line {line}: unexpected entry"),
            BadJournal::Empty => f.write_str("no match in the file"),
        }
    }
}

impl std::error::Error for JournalError {}

impl From<FileError> for JournalError {
    fn from(error: FileError) -> JournalError {
        JournalError::File(error)
    }
}

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Begins a journal. A file that is already there is not touched.
    pub fn create(path: &Path, config: &MatchConfig) -> Result<Journal, JournalError> {
        let file = OpenOptions::new().write(true).create_new(true).open(path);
        let file = file.map_err(FileTask::Create.at(path))?;
        let mut journal = Journal { path: path.to_owned(), file };
        journal.append(&Entry::Match { version: VERSION, config: Box::new(config.clone()) })?;
        Ok(journal)
    }

    /// Opens a journal to go on with it: tells its configuration and passes everything in it to `past`. A last line that
    /// was cut off is removed.
    pub fn resume<E: From<JournalError>>(
        path: &Path,
        mut past: impl FnMut(&MatchConfig, Past) -> Result<(), E>,
    ) -> Result<(Journal, MatchConfig), E> {
        let fail = |problem| JournalError::Content(path.to_owned(), problem);
        let io = |error| JournalError::File(FileError::at(path)(error));
        let opened = OpenOptions::new().read(true).write(true).open(path);
        let mut file = opened.map_err(FileTask::Open.at(path)).map_err(JournalError::File)?;
        let mut config = None;
        let (mut complete, mut number) = (0, 0);
        let mut reader = BufReader::new(&mut file);
        let mut line = Vec::new();
        loop {
            line.clear();
            let length = reader.read_until(b'\n', &mut line).map_err(io)?;
            if line.last() != Some(&b'\n') {
                break;
            }
            number += 1;
            let entry: Entry =
                serde_json::from_slice(&line).map_err(|error| fail(BadJournal::NotAnEntry(number, error)))?;
            match (entry, &config) {
                (Entry::Match { version: VERSION, config: found }, None) => config = Some(*found),
                (Entry::Match { version, .. }, None) => {
                    return Err(fail(BadJournal::Version(version)).into());
                }
                (Entry::Game(game), Some(config)) => past(config, Past::Game(game))?,
                (Entry::Fault { engine, fault }, Some(config)) => past(config, Past::Fault(engine, fault))?,
                _ => return Err(fail(BadJournal::Unexpected(number)).into()),
            }
            complete += length as u64;
        }
        let config = config.ok_or_else(|| fail(BadJournal::Empty))?;
        file.set_len(complete).and_then(|()| file.seek(SeekFrom::Start(complete))).map_err(io)?;
        Ok((Journal { path: path.to_owned(), file }, config))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a finished game.
    pub fn add_game(&mut self, game: &GameRecord) -> Result<(), JournalError> {
        self.append(&Entry::Game(Box::new(game.clone())))
    }

    /// Adds a fault outside of any game.
    pub fn add_fault(&mut self, engine: usize, fault: &Fault) -> Result<(), JournalError> {
        self.append(&Entry::Fault { engine, fault: fault.clone() })
    }

    fn append(&mut self, entry: &Entry) -> Result<(), JournalError> {
        let mut line = serde_json::to_vec(entry).expect("entries are plain data");
        line.push(b'\n');
        // One write per line: what a killed runner leaves is a complete line or a torn last one.
        Ok(self.file.write_all(&line).map_err(FileTask::Write.at(&self.path))?)
    }
}
