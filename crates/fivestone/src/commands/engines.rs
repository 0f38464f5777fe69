//! `fivestone engines`: what can be played against.

use anyhow::Result;
use clap::Args;
use fivestone_engine::{ENGINES, NET, NetUse};
use fivestone_game::Rule;
use serde::Serialize;
use std::io::Write;

/// List the engines, the papers they come from, and what can be set.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Engines {
    /// Print a JSON array of {"name", "paper", "description"}.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "Examples:
  fivestone engines
  fivestone engines --json
  fivestone play --engine mcts-basic --set seed=7";

#[derive(Serialize)]
struct Row {
    name: &'static str,
    paper: Option<&'static str>,
    description: &'static str,
}

impl Engines {
    pub fn run(self) -> Result<()> {
        let mut out = std::io::stdout().lock();
        if self.json {
            let rows: Vec<Row> = ENGINES
                .iter()
                .map(|kind| Row { name: kind.name, paper: kind.paper, description: kind.description })
                .collect();
            serde_json::to_writer_pretty(&mut out, &rows)?;
            writeln!(out)?;
            return Ok(());
        }
        for kind in ENGINES {
            writeln!(out, "{}: {}", kind.name, kind.description)?;
            if let Some(paper) = kind.paper {
                writeln!(out, "    from {paper}")?;
            }
            for parameter in kind.parameters {
                let (low, high) = parameter.range;
                let (name, default, meaning) = (parameter.name, parameter.default, parameter.meaning);
                writeln!(out, "    --set {name}={default}  {meaning} ({low} to {high})")?;
                for rule in Rule::ALL {
                    let of_rule = kind.default_under(rule, parameter);
                    if of_rule != default {
                        writeln!(out, "          {name}={of_rule} under {rule}")?;
                    }
                }
            }
            if kind.nets == NetUse::Optional {
                writeln!(out, "    --set {NET}=FILE  a net file to play with instead of the shipped net")?;
            }
        }
        Ok(())
    }
}
