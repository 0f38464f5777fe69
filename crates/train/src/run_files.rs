//! The files of a run's directory, written so that a kill at any moment loses nothing.

use fivestone_artifacts::{Curve, FileError, draw_curves, write_whole};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

/// Why a run cannot begin or go on.
#[derive(Debug)]
pub enum RunError {
    /// A file of the run cannot be read or written.
    File(FileError),
    /// The directory belongs to a run with other settings.
    OtherSettings(PathBuf),
    /// A file of the run is damaged.
    Damaged(PathBuf),
    /// The numbers left every bound.
    Diverged {
        /// The step at which they did.
        step: usize,
        /// The step of the last good checkpoint.
        kept: usize,
    },
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::File(error) => write!(f, "{error}"),
            RunError::OtherSettings(path) => write!(
                f,
                "{} holds a run with other settings; resume it without any, or choose another directory",
                path.display()
            ),
            RunError::Damaged(path) => write!(f, "{} is damaged", path.display()),
            RunError::Diverged { step, kept } => write!(
                f,
                "the training diverged at step {step} (the loss is no number); the checkpoint of step {kept} is kept: try a smaller rate"
            ),
        }
    }
}

impl std::error::Error for RunError {}

impl From<FileError> for RunError {
    fn from(error: FileError) -> RunError {
        RunError::File(error)
    }
}

const METRICS: &str = "metrics.jsonl";
const CURVES: &str = "curves.svg";

/// The directory of a training run.
#[derive(Clone, Debug)]
pub struct RunDirectory(PathBuf);

impl RunDirectory {
    /// A directory that may not be there yet.
    pub fn new(path: &Path) -> RunDirectory {
        RunDirectory(path.to_owned())
    }

    /// The path of a file.
    pub fn join(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.join(name)
    }

    /// The settings in a file, which must be those given if any are; without the file the given
    /// ones, checked and written there.
    pub fn settings<T: PartialEq, E: From<RunError>>(
        &self,
        name: &str,
        given: Option<T>,
        parse: impl Fn(&str) -> Option<T>,
        check_and_format: impl Fn(&T) -> Result<String, E>,
    ) -> Result<T, E> {
        let path = self.join(name);
        match (fs::read_to_string(&path), given) {
            (Ok(text), given) => {
                let found = parse(&text).ok_or(RunError::Damaged(path))?;
                if given.is_some_and(|given| given != found) {
                    return Err(RunError::OtherSettings(self.0.clone()).into());
                }
                Ok(found)
            }
            (Err(error), Some(given)) if error.kind() == io::ErrorKind::NotFound => {
                let text = check_and_format(&given)?;
                fs::create_dir_all(&self.0).map_err(FileError::at(&self.0)).map_err(RunError::File)?;
                self.write(name, text.as_bytes())?;
                Ok(given)
            }
            (Err(error), _) => Err(RunError::File(FileError::at(&path)(error)).into()),
        }
    }

    /// Writes a file whole.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RunError> {
        Ok(write_whole(&self.join(name), bytes)?)
    }

    /// Writes plain data as JSON for people.
    pub fn write_json(&self, name: &str, data: &impl Serialize) -> Result<(), RunError> {
        self.write(name, serde_json::to_string_pretty(data).expect("plain data").as_bytes())
    }

    /// The bytes of a file, nothing if there is none.
    pub fn read(&self, name: &str) -> Result<Option<Vec<u8>>, RunError> {
        let path = self.join(name);
        match fs::read(&path) {
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(FileError::at(&path)(error).into()),
        }
    }

    /// Adds a line to the metrics.
    pub fn note(&self, progress: &impl Serialize) -> Result<(), RunError> {
        let path = self.join(METRICS);
        let line = serde_json::to_string(progress).expect("metrics are plain data");
        Ok(add_line(&path, &line).map_err(FileError::at(&path))?)
    }

    /// The lines of the metrics so far, without those a kill has cut off.
    pub fn metrics<P: DeserializeOwned>(&self) -> Result<Vec<P>, RunError> {
        let bytes = self.read(METRICS)?.unwrap_or_default();
        Ok(bytes.split(|&byte| byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect())
    }

    /// Draws curves.
    pub fn draw(&self, title: &str, curves: &[Curve]) -> Result<(), RunError> {
        self.write(CURVES, draw_curves(title, curves).as_bytes())
    }
}

/// The names of files, without where they lie.
pub fn file_names(paths: &[PathBuf]) -> Vec<String> {
    paths.iter().filter_map(|path| Some(path.file_name()?.to_string_lossy().into_owned())).collect()
}

/// Adds a line to a file.
fn add_line(path: &Path, line: &str) -> io::Result<()> {
    let mut file = fs::OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(line.as_bytes())?;
    file.write_all(b"\n")
}

/// A checksum of bytes.
pub fn checksum(bytes: &[u8]) -> u64 {
    let mut hash = 0x9e37_79b9_7f4a_7c15_u64;
    for chunk in bytes.chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        hash = (hash ^ u64::from_le_bytes(word)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        hash ^= hash >> 32;
    }
    hash
}
