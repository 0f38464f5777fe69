//! Files that are there whole or not at all.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::{error, fmt};

/// Something that cannot be done with a file.
#[derive(Debug)]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// What was to be done with it, where that is worth telling.
    pub task: Option<FileTask>,
    /// Why not.
    pub error: io::Error,
}

/// What is done with a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileTask {
    /// It is begun.
    Create,
    /// It is opened.
    Open,
    /// It is read.
    Read,
    /// It is written.
    Write,
    /// It is removed.
    Remove,
}

impl FileTask {
    /// Names the file and the task of an error.
    pub fn at(self, path: &Path) -> impl FnOnce(io::Error) -> FileError {
        move |error| FileError { path: path.to_owned(), task: Some(self), error }
    }
}

impl FileError {
    /// Names the file of an error.
    pub fn at(path: &Path) -> impl FnOnce(io::Error) -> FileError {
        move |error| FileError { path: path.to_owned(), task: None, error }
    }

    /// Names the task as well.
    pub fn during(self, task: FileTask) -> FileError {
        FileError { task: Some(task), ..self }
    }
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let task = match self.task {
            None => "",
            Some(FileTask::Create) => "cannot create ",
            Some(FileTask::Open) => "cannot open ",
            Some(FileTask::Read) => "cannot read ",
            Some(FileTask::Write) => "cannot write ",
            Some(FileTask::Remove) => "cannot remove ",
        };
        write!(f, "{task}{}: {}", self.path.display(), self.error)
    }
}

impl error::Error for FileError {}

/// Writes a file so that at any moment either the old or the new one is there.
pub fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), FileError> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    // Not `.part`, the name of work in progress that may still be open.
    name.push(".new");
    let new = path.with_file_name(name);
    write_synced(&new, bytes).and_then(|()| fs::rename(&new, path)).map_err(FileError::at(path))
}

fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    // Without it the name could reach the disk before the bytes do.
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_an_error_names_it() {
        let folder = std::env::temp_dir().join(format!("fivestone-whole-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("file.txt");
        write_whole(&path, b"old").unwrap();
        write_whole(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "nothing else is left");
        let missing = folder.join("missing/file.txt");
        let error = write_whole(&missing, b"new").unwrap_err();
        assert!(error.to_string().starts_with(&format!("{}: ", missing.display())), "{error}");
        let error = error.during(FileTask::Write);
        assert!(error.to_string().starts_with(&format!("cannot write {}: ", missing.display())), "{error}");
        fs::remove_dir_all(folder).unwrap();
    }
}
