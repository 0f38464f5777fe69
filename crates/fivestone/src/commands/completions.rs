//! `fivestone completions`: a script that teaches a shell our words.

use anyhow::Result;
use clap::{Args, CommandFactory};
use clap_complete::Shell;
use std::io::Write;

/// Print a completion script for a shell.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Completions {
    /// The shell to write for.
    shell: Shell,
}

const EXAMPLES: &str = "Examples:
  fivestone completions bash > ~/.local/share/bash-completion/completions/fivestone
  fivestone completions zsh > ~/.zfunc/_fivestone
  fivestone completions fish > ~/.config/fish/completions/fivestone.fish";

impl Completions {
    pub fn run(self) -> Result<()> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut crate::Arguments::command(), "fivestone", &mut script);
        std::io::stdout().lock().write_all(&script)?;
        Ok(())
    }
}
