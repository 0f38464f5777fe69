//! The journal of a match: its configuration and every finished game, appended line by line.
//!
//! A game counts once its line is complete in the file, so a runner that is killed at any moment loses at most the games under way.

use crate::config::MatchConfig;
use crate::fault::Fault;
use crate::record::GameRecord;
use serde::{Deserialize, Serialize};
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

/// An open journal.
#[derive(Debug)]
pub struct Journal {
    path: PathBuf,
    file: File,
}

impl Journal {
    /// Begins a journal. A file that is already there is not touched.
    pub fn create(path: &Path, config: &MatchConfig) -> Result<Journal, String> {
        let file = OpenOptions::new().write(true).create_new(true).open(path);
        let file = file.map_err(|error| format!("cannot create {}: {error}", path.display()))?;
        let mut journal = Journal { path: path.to_owned(), file };
        journal.append(&Entry::Match { version: VERSION, config: Box::new(config.clone()) })?;
        Ok(journal)
    }

    /// Opens a journal to go on with it: tells its configuration and passes everything in it to `past`. A last line that
    /// was cut off is removed.
    pub fn resume(
        path: &Path,
        mut past: impl FnMut(&MatchConfig, Past),
    ) -> Result<(Journal, MatchConfig), String> {
        let name = path.display();
        let fail = |problem: String| format!("{name}: {problem}");
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .open(path)
            .map_err(|error| format!("cannot open {name}: {error}"))?;
        let mut config = None;
        let (mut complete, mut number) = (0, 0);
        let mut reader = BufReader::new(&mut file);
        let mut line = Vec::new();
        loop {
            line.clear();
            let length = reader.read_until(b'\n', &mut line).map_err(|error| fail(error.to_string()))?;
            if line.last() != Some(&b'\n') {
                break;
            }
            number += 1;
            let entry: Entry = serde_json::from_slice(&line)
                .map_err(|error| fail(format!("line {number} is no entry of a match journal: {error}")))?;
            match (entry, &config) {
                (Entry::Match { version: VERSION, config: found }, None) => config = Some(*found),
                (Entry::Match { version, .. }, None) => {
                    return Err(fail(format!("version {version} of the journal is not known")));
                }
                (Entry::Game(game), Some(config)) => past(config, Past::Game(game)),
                (Entry::Fault { engine, fault }, Some(config)) => past(config, Past::Fault(engine, fault)),
                _ => return Err(fail(format!("line {number}: unexpected entry"))),
            }
            complete += length as u64;
        }
        let config = config.ok_or_else(|| fail("no match in the file".to_owned()))?;
        file.set_len(complete)
            .and_then(|()| file.seek(SeekFrom::Start(complete)))
            .map_err(|error| fail(error.to_string()))?;
        Ok((Journal { path: path.to_owned(), file }, config))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a finished game.
    pub fn add_game(&mut self, game: &GameRecord) -> Result<(), String> {
        self.append(&Entry::Game(Box::new(game.clone())))
    }

    /// Adds a fault outside of any game.
    pub fn add_fault(&mut self, engine: usize, fault: &Fault) -> Result<(), String> {
        self.append(&Entry::Fault { engine, fault: fault.clone() })
    }

    fn append(&mut self, entry: &Entry) -> Result<(), String> {
        let mut line = serde_json::to_vec(entry).map_err(|error| error.to_string())?;
        line.push(b'\n');
        // One write per line: what a killed runner leaves is a complete line or a torn last one.
        self.file.write_all(&line).map_err(|error| format!("cannot write {}: {error}", self.path.display()))
    }
}
