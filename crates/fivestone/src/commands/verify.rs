//! `fivestone verify`: whether a proof holds.

use crate::arguments::{parse_size, play_all};
use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use fivestone_formats::proof::{self, ProofFile};
use fivestone_game::{Board, Rule, Size, notation};
use std::fs;
use std::io::Write;
use std::path::PathBuf;

/// Check a proof of a forced win: replay it against every reply on the board.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Verify {
    /// The proof, as `fivestone solve --proof FILE` writes it.
    file: PathBuf,
    /// The moves to the position that the proof should be about, as h8h9i10 or h8 h9 i10.
    moves: Vec<String>,
    /// The rule that the proof should be about.
    #[arg(long)]
    rule: Option<Rule>,
    /// The side of the board that the proof should be about, 5 to 22.
    #[arg(long, value_parser = parse_size)]
    size: Option<Size>,
}

const EXAMPLES: &str = "The check uses the rules of the game and nothing of the solver.

Examples:
  fivestone solve --proof win.txt h8i9j8h10i7g9f8j6
  fivestone verify win.txt
  fivestone verify win.txt --rule freestyle h8i9j8h10i7g9f8j6";

impl Verify {
    pub fn run(self) -> Result<()> {
        let shown = self.file.display();
        let bytes = fs::read(&self.file).map_err(|error| anyhow!("cannot read {shown}: {error}"))?;
        let proof = proof::read(&bytes).with_context(|| shown.to_string())?;
        if let Some(difference) = self.difference(&proof)? {
            bail!("{shown} is about another position: {difference}");
        }
        let checked =
            proof::check(&proof).map_err(|failure| anyhow!("{shown}: the proof fails at {failure}"))?;
        let mut out = std::io::stdout().lock();
        writeln!(
            out,
            "proof holds: {} wins in at most {} plies, {} positions checked",
            checked.winner, checked.plies, checked.positions
        )?;
        Ok(())
    }

    /// What the file's position has that the one asked about has not.
    fn difference(&self, proof: &ProofFile) -> Result<Option<String>> {
        let (rule, size) = (self.rule.unwrap_or(proof.rule), self.size.unwrap_or(proof.size));
        if self.moves.is_empty() {
            let differs = (rule, size) != (proof.rule, proof.size);
            return Ok(proof.difference(&Board::new(size, rule)).filter(|_| differs));
        }
        let moves = notation::parse_moves(&self.moves.join(" "), size)?;
        Ok(proof.difference(&play_all(size, rule, &moves)?))
    }
}
