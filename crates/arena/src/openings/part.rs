//! A set of openings in the making, kept in a file so that a kill loses little.
//!
//! The first line says what is made. Each opening is a line with Black's win probability and the
//! offsets; `# tried N` ends a batch. What follows the last such line is made again.

use super::{FileFormat, Judged, Made, read_openings, write_openings};
use fivestone_game::{Rule, Size};
use std::fmt::Write as _;
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

impl PartFile {
    /// Opens the file of a request, told in one line of words, or begins it.
    pub fn open(path: &Path, request: &str, rule: Rule, size: Size) -> Result<(PartFile, Made), String> {
        let name = path.display();
        let fail = |problem: String| format!("{name}: {problem}");
        let options = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = options.map_err(|error| format!("cannot open {name}: {error}"))?;
        let mut text = String::new();
        file.read_to_string(&mut text).map_err(|error| fail(error.to_string()))?;
        let header = format!("# {request}\n");
        let (mut made, mut complete) = (Made::default(), 0);
        let (mut batch, mut at) = (Vec::new(), 0);
        let lines = text.split_inclusive('\n').enumerate().filter(|(_, line)| line.ends_with('\n'));
        for (index, line) in lines {
            at += line.len();
            let wrong = |problem: String| fail(format!("line {}: {problem}", index + 1));
            if index == 0 {
                if line != header {
                    let found = line.trim_start_matches('#').trim();
                    return Err(wrong(format!("of another set ({found}); remove the file to begin anew")));
                }
                complete = at;
            } else if let Some(tried) = line.strip_prefix(TRIED) {
                made.tried = tried.trim().parse().map_err(|_| wrong("no count of tries".to_owned()))?;
                made.openings.append(&mut batch);
                complete = at;
            } else {
                batch.push(judged(line, rule, size).map_err(wrong)?);
            }
        }
        let cut = file.set_len(complete as u64);
        let cut = cut.and_then(|()| file.seek(SeekFrom::Start(complete as u64)));
        cut.map_err(|error| fail(error.to_string()))?;
        let mut part = PartFile { path: path.to_owned(), file, size, written: made.openings.len() };
        if complete == 0 {
            part.append(&header)?;
        }
        Ok((part, made))
    }

    /// Adds what was made since the last time.
    pub fn add(&mut self, made: &Made) -> Result<(), String> {
        let mut text = String::new();
        for opening in &made.openings[self.written..] {
            let moves = write_openings(std::slice::from_ref(&opening.moves), FileFormat::Offset, self.size);
            let _ = write!(text, "{:.4} {moves}", opening.black);
        }
        self.written = made.openings.len();
        self.append(&format!("{text}{TRIED}{}\n", made.tried))
    }

    /// Removes the file of a set that is finished.
    pub fn remove(self) -> Result<(), String> {
        std::fs::remove_file(&self.path)
            .map_err(|error| format!("cannot remove {}: {error}", self.path.display()))
    }

    fn append(&mut self, text: &str) -> Result<(), String> {
        let written = self.file.write_all(text.as_bytes());
        written.map_err(|error| format!("cannot write {}: {error}", self.path.display()))
    }
}

fn judged(line: &str, rule: Rule, size: Size) -> Result<Judged, String> {
    let (black, moves) = line.split_once(' ').ok_or("not an opening with its win probability")?;
    let black = black.parse().map_err(|_| format!("\"{black}\" is not a win probability"))?;
    let file = read_openings(moves, FileFormat::Offset, size, rule).map_err(|error| error.problem)?;
    let moves = file.openings.into_iter().next().ok_or("the opening does not fit on the board")?;
    Ok(Judged { moves, black })
}
