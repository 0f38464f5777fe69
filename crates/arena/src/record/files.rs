//! The files that finished games are written to.

use super::{GameRecord, write_moves, write_pgn, write_psq, write_sgf};
use fivestone_artifacts::{FileError, FileTask};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::Write;
use std::path::PathBuf;

/// Where records and results go.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Outputs {
    /// All games as one text in the manner of PGN.
    pub pgn: Option<PathBuf>,
    /// All games as one SGF collection.
    pub sgf: Option<PathBuf>,
    /// A directory with one PSQ file per game.
    pub psq: Option<PathBuf>,
    /// A JSON object per move.
    pub log: Option<PathBuf>,
    /// The final statistics as JSON.
    pub summary: Option<PathBuf>,
    /// A chart of rating and log-likelihood ratio over games.
    pub chart: Option<PathBuf>,
}

type Writer = fn(&GameRecord) -> Vec<u8>;

/// The open record files of a match.
///
/// They are written anew from the journal when a match is resumed, so they hold every finished game exactly once.
pub struct RecordFiles {
    appended: Vec<(File, PathBuf, Writer)>,
    psq: Option<PathBuf>,
}

impl RecordFiles {
    /// Creates the files.
    pub fn create(outputs: &Outputs) -> Result<RecordFiles, FileError> {
        let writers: [(&Option<PathBuf>, Writer); 3] =
            [(&outputs.pgn, write_pgn), (&outputs.sgf, write_sgf), (&outputs.log, write_moves)];
        let mut appended = Vec::new();
        for (path, writer) in writers {
            if let Some(path) = path {
                let file = File::create(path).map_err(FileTask::Write.at(path))?;
                appended.push((file, path.clone(), writer));
            }
        }
        if let Some(directory) = &outputs.psq {
            fs::create_dir_all(directory).map_err(FileTask::Write.at(directory))?;
        }
        Ok(RecordFiles { appended, psq: outputs.psq.clone() })
    }

    /// Writes a finished game to every file.
    pub fn write(&mut self, game: &GameRecord) -> Result<(), FileError> {
        for (file, path, writer) in &mut self.appended {
            file.write_all(&writer(game)).map_err(FileTask::Write.at(path))?;
        }
        if let Some(directory) = &self.psq {
            let path = directory.join(format!("{:06}.psq", game.id + 1));
            fs::write(&path, write_psq(game)).map_err(FileTask::Write.at(&path))?;
        }
        Ok(())
    }
}
