//! The journal of a tuning: a line for each finished iteration, each with a checksum.
//!
//! The checksum of a line covers the line and the checksum before it, so that changed, missing and
//! exchanged lines are noticed. A last line without its end is what a kill leaves; it is cut off.

use super::error::{BadLine, TuneError};
use fivestone_arena::stats::Score;
use fivestone_artifacts::{FileError, FileTask};
use fnv::FnvHasher;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions, TryLockError};
use std::hash::Hasher;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The version of the file.
const VERSION: u32 = 1;

/// The first line.
#[derive(PartialEq, Serialize, Deserialize)]
struct Header {
    version: u32,
    /// The checksum of the settings.
    settings: String,
}

/// A finished iteration.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Finished {
    /// Which iteration, from 1.
    pub iteration: u64,
    /// The results of the side `plus`, as Black first.
    pub scores: [Score; 2],
    /// Games of the two that were lost by a fault.
    pub faults: u32,
    /// The values of one side.
    pub plus: Vec<f64>,
    /// The values of the other side.
    pub minus: Vec<f64>,
    /// The values after learning from the games.
    pub values: Vec<f64>,
}

impl Finished {
    /// Games that `plus` won more than it lost.
    pub fn surplus(&self) -> f64 {
        self.scores.iter().map(|score| score.half_points() as f64 - 1.0).sum()
    }
}

/// An open journal.
#[derive(Debug)]
pub struct TuneJournal {
    path: PathBuf,
    file: File,
    checksum: u64,
}

/// FNV-1a with 64 bits, going on from a checksum before: enough to notice damage.
fn checksum(before: u64, bytes: &[u8]) -> u64 {
    let mut hasher = FnvHasher::with_key(before);
    hasher.write(bytes);
    hasher.finish()
}

/// The checksum of nothing.
fn begin() -> u64 {
    FnvHasher::default().finish()
}

impl TuneJournal {
    /// Opens the journal of some settings, given as their stored text, or begins it. Another
    /// process that uses it, other settings and damage are told; nothing is changed then.
    pub fn open(path: &Path, settings: &str) -> Result<(TuneJournal, Vec<Finished>), TuneError> {
        let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = options.map_err(FileTask::Open.at(path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(TuneError::InUse(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(FileError::at(path)(error).into()),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(FileError::at(path))?;
        let complete = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let mut journal = TuneJournal { path: path.to_owned(), file, checksum: begin() };
        let mut finished = Vec::new();
        let header =
            Header { version: VERSION, settings: format!("{:016x}", checksum(begin(), settings.as_bytes())) };
        for (index, line) in bytes[..complete].split_inclusive(|&byte| byte == b'\n').enumerate() {
            let at = |problem| TuneError::Journal(path.to_owned(), index + 1, problem);
            let json = journal.checked(line).map_err(at)?;
            if index == 0 {
                let found: Header = read_json(json).map_err(at)?;
                if found.version != VERSION {
                    return Err(at(BadLine::Version(found.version)));
                }
                if found != header {
                    return Err(at(BadLine::OtherSettings));
                }
            } else {
                finished.push(read_json(json).map_err(at)?);
            }
        }
        let cut = journal.file.set_len(complete as u64);
        let cut = cut.and_then(|()| journal.file.seek(SeekFrom::Start(complete as u64)));
        cut.map_err(FileError::at(path))?;
        if complete == 0 {
            journal.append(&header)?;
        }
        Ok((journal, finished))
    }

    /// Adds a finished iteration.
    pub fn add(&mut self, finished: &Finished) -> Result<(), FileError> {
        self.append(finished)
    }

    /// The text of a line whose checksum fits.
    fn checked<'a>(&mut self, line: &'a [u8]) -> Result<&'a [u8], BadLine> {
        let split = line.strip_suffix(b"\n").and_then(|line| line.split_at_checked(17));
        let (sum, json) = split.ok_or(BadLine::TooShort)?;
        let next = checksum(self.checksum, json);
        if sum != format!("{next:016x} ").as_bytes() {
            return Err(BadLine::Checksum);
        }
        self.checksum = next;
        Ok(json)
    }

    fn append(&mut self, entry: &impl Serialize) -> Result<(), FileError> {
        let json = serde_json::to_string(entry).expect("entries are plain data");
        self.checksum = checksum(self.checksum, json.as_bytes());
        let line = format!("{:016x} {json}\n", self.checksum);
        // One write per line: what a kill leaves is a complete line or a torn last one.
        self.file.write_all(line.as_bytes()).map_err(FileTask::Write.at(&self.path))
    }
}

fn read_json<T: DeserializeOwned>(json: &[u8]) -> Result<T, BadLine> {
    serde_json::from_slice(json).map_err(BadLine::Content)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn line(iteration: u64) -> Finished {
        Finished {
            iteration,
            scores: [Score::Win, Score::Draw],
            faults: 0,
            plus: vec![1.1],
            minus: vec![0.9],
            values: vec![1.0 + iteration as f64 / 7.0],
        }
    }

    fn written(name: &str, lines: u64) -> PathBuf {
        let path = std::env::temp_dir().join(format!("fivestone-tune-{}-{name}", std::process::id()));
        let _ = fs::remove_file(&path);
        let (mut journal, past) = TuneJournal::open(&path, "a").unwrap();
        assert!(past.is_empty());
        for iteration in 1..=lines {
            journal.add(&line(iteration)).unwrap();
        }
        path
    }

    #[test]
    fn what_was_finished_is_found_again_whatever_the_last_line_is() {
        let path = written("torn", 3);
        let whole = fs::read(&path).unwrap();
        let lines: Vec<Finished> = (1..=3).map(line).collect();
        assert_eq!(TuneJournal::open(&path, "a").unwrap().1, lines);
        for cut in 1..whole.len() {
            fs::write(&path, &whole[..cut]).unwrap();
            let (mut journal, past) = TuneJournal::open(&path, "a").unwrap();
            assert_eq!(past, lines[..past.len()]);
            for missing in &lines[past.len()..] {
                journal.add(missing).unwrap();
            }
            drop(journal);
            assert_eq!(fs::read(&path).unwrap(), whole, "cut at {cut}");
        }
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn damage_is_told_with_its_line_and_nothing_is_changed() {
        let path = written("damage", 4);
        let whole = fs::read(&path).unwrap();
        for at in (0..whole.len() - 1).filter(|&at| whole[at] != b'\n') {
            let mut bytes = whole.clone();
            bytes[at] ^= 1;
            fs::write(&path, &bytes).unwrap();
            let line = whole[..at].split(|&byte| byte == b'\n').count();
            let error = TuneJournal::open(&path, "a").unwrap_err().to_string();
            assert!(error.contains(&format!("line {line}: ")), "{at}: {error}");
            assert_eq!(fs::read(&path).unwrap(), bytes);
        }
        let text = String::from_utf8(whole).unwrap();
        let without: Vec<&str> =
            text.split_inclusive('\n').enumerate().filter(|l| l.0 != 2).map(|l| l.1).collect();
        fs::write(&path, without.concat()).unwrap();
        assert!(TuneJournal::open(&path, "a").unwrap_err().to_string().contains("line 3: the checksum"));
        fs::write(&path, &text).unwrap();
        assert!(TuneJournal::open(&path, "b").unwrap_err().to_string().contains("line 1: the settings"));
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn two_processes_do_not_write_at_once() {
        let path = written("lock", 1);
        let first = TuneJournal::open(&path, "a").unwrap();
        assert!(TuneJournal::open(&path, "a").unwrap_err().to_string().contains("another process"));
        drop(first);
        assert!(TuneJournal::open(&path, "a").is_ok());
        fs::remove_file(path).unwrap();
    }
}
