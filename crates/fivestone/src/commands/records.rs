//! `fivestone records`: count, convert, clean and search game files.

mod convert;
mod dedupe;
mod filter;
mod find;
mod input;
mod output;
mod seen;
mod stats;
mod unique;

pub use input::{Input, expand, open};

use anyhow::Result;
use clap::{Args, Subcommand};

/// Count, convert, clean and search game files of any format.
#[derive(Args)]
#[command(after_help = FORMATS)]
pub struct Records {
    #[command(subcommand)]
    command: Command,
}

const FORMATS: &str = "\
FILES are files, folders (all files in them) or - for standard input; gzip is read as it is. The format is recognised
by content, not by name:
  psq        Piskvork games, one or many in a file
  sgf        Smart Game Format GM[4] (and GM[1] boards), with variations, comments and marks
  lib        RenLib libraries
  rif        RenjuNet XML
  playok     rounds: 1. h8 g7 2. e11 white 3. -- i7 ... 0-1
  openings   Gomocup opening lists: dx,dy, dx,dy, ...
  pos, sav   single games of older programs and of Yixin-Board
  text       one game a line: h8h9i10, or with its result: black h8 h9 i10; also Gomocalc links
  top-text   as text, but with row 1 at the top: has to be asked for with --as-format
  engines    tables of engine games (size, rule, engines, winner, opening plies, moves)
  teacher    games with scores: rule size result opening move:score ...
  positions  JSON lines with moves or stones

A game that cannot be played (a move off the board or on a stone, an unknown rule) is skipped and told with file, game
and ply. A game that goes on after five in a row is told and kept, or skipped with --strict.

Examples:
  fivestone records stats games/ --json
  fivestone records convert analysis.lib -o analysis.sgf
  fivestone records dedupe --symmetric *.psq -o unique.txt.gz
  fivestone records filter games.rif --result black --min-moves 20 -o won.psq
  fivestone records find h8i9j10 games/";

#[derive(Subcommand)]
enum Command {
    Stats(stats::Stats),
    Convert(convert::Convert),
    Dedupe(dedupe::Dedupe),
    Filter(filter::Filter),
    Find(find::Find),
}

impl Records {
    /// Runs the command.
    pub fn run(self) -> Result<()> {
        match self.command {
            Command::Stats(command) => command.run(),
            Command::Convert(command) => command.run(),
            Command::Dedupe(command) => command.run(),
            Command::Filter(command) => command.run(),
            Command::Find(command) => command.run(),
        }
    }
}
