//! `fivestone records convert`.

use super::input::Input;
use super::output::Output;
use anyhow::Result;
use clap::Args;

/// Write games in another format.
///
/// Trees keep their variations, comments and marks in SGF and .lib; other formats take the main line, or every
/// variation with --variations. A library of several games is one tree of all of them.
#[derive(Args)]
pub struct Convert {
    #[command(flatten)]
    input: Input,
    #[command(flatten)]
    output: Output,
}

impl Convert {
    /// Runs the command.
    pub fn run(self) -> Result<()> {
        let mut writer = self.output.open()?;
        let tally = self.input.read(self.output.branches()?, |_, entry| writer.write(entry.game))?;
        tally.check()?;
        let written = writer.finish()?;
        eprintln!("{}; {written}", tally.summary());
        Ok(())
    }
}
