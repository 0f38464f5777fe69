//! `pbrain-fivestone`: the Gomocup protocol under the name that managers expect of an engine.
#![forbid(unsafe_code)]

use clap::Parser;
use fivestone_pbrain::Gomocup;
use std::process::ExitCode;

/// Fivestone as a Gomocup engine: speaks the protocol on standard input and output.
#[derive(Parser)]
#[command(name = "pbrain-fivestone", version)]
struct Arguments {
    #[command(flatten)]
    gomocup: Gomocup,
}

fn main() -> ExitCode {
    match Arguments::parse().gomocup.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            println!("ERROR {error:#}");
            ExitCode::FAILURE
        }
    }
}
