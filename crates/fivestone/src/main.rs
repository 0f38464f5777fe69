//! The `fivestone` command: arguments in, text or JSON out.
#![forbid(unsafe_code)]

mod arguments;
mod commands;
mod interrupt;

use clap::{Parser, Subcommand};
use commands::{
    analyze, bench, completions, engines, explain, fit, ladder, learn, matches, openings, papers, play,
    records, samples, selfplay, serve, solve, train, tune, verify,
};
use fivestone_pbrain::Gomocup;
use std::io;
use std::process::ExitCode;

/// Gomoku and renju: play, analyse and measure.
///
/// Without a command the board opens in the browser, as with `fivestone serve`.
#[derive(Parser)]
#[command(name = "fivestone", version, about, after_help = EXIT_CODES)]
struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

/// What runs when no command is named.
#[derive(Parser)]
struct ServeAlone {
    #[command(flatten)]
    serve: serve::Serve,
}

const EXIT_CODES: &str = "Exit codes: 0 done, 1 failed (the reason is on standard error), 2 wrong usage.";

#[derive(Subcommand)]
enum Command {
    Serve(serve::Serve),
    Analyze(analyze::Analyze),
    Play(play::Play),
    Solve(solve::Solve),
    Verify(verify::Verify),
    Engines(engines::Engines),
    Bench(bench::Bench),
    Gomocup(Gomocup),
    Match(matches::Match),
    Openings(openings::Openings),
    Ladder(ladder::Ladder),
    Tune(tune::Tune),
    Records(records::Records),
    Fit(fit::Fit),
    Explain(explain::Explain),
    Papers(papers::Papers),
    #[command(name = "selfplay")]
    SelfPlay(selfplay::SelfPlay),
    Samples(samples::Samples),
    Train(train::Train),
    Learn(learn::LearnCommand),
    Completions(completions::Completions),
}

fn main() -> ExitCode {
    let command =
        Arguments::parse().command.unwrap_or_else(|| Command::Serve(ServeAlone::parse_from([""]).serve));
    // A server outlives a search that fails; every other command would only wait in vain for the thread that is gone.
    if !matches!(command, Command::Serve(_)) {
        abort_on_panic();
    }
    let result = match command {
        Command::Serve(command) => command.run(),
        Command::Play(command) => command.run(),
        Command::Analyze(command) => command.run(),
        Command::Solve(command) => command.run(),
        Command::Verify(command) => command.run(),
        Command::Engines(command) => command.run(),
        Command::Bench(command) => command.run(),
        Command::Gomocup(command) => command.run(),
        Command::Match(command) => command.run(),
        Command::Openings(command) => command.run(),
        Command::Ladder(command) => command.run(),
        Command::Tune(command) => command.run(),
        Command::Records(command) => command.run(),
        Command::Fit(command) => command.run(),
        Command::Explain(command) => command.run(),
        Command::Papers(command) => command.run(),
        Command::SelfPlay(command) => command.run(),
        Command::Samples(command) => command.run(),
        Command::Train(command) => command.run(),
        Command::Learn(command) => command.run(),
        Command::Completions(command) => command.run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        // Whoever reads us has seen enough (`| head`): nothing went wrong.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("fivestone: {error:#}");
            ExitCode::FAILURE
        }
    }
}

/// Ends the process with the first panic of any thread, after it was told.
fn abort_on_panic() {
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        tell(panic);
        std::process::abort();
    }));
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let kind = |cause: &(dyn std::error::Error + 'static)| {
        let json = cause.downcast_ref::<serde_json::Error>().and_then(serde_json::Error::io_error_kind);
        cause.downcast_ref::<io::Error>().map(io::Error::kind).or(json)
    };
    error.chain().any(|cause| kind(cause) == Some(io::ErrorKind::BrokenPipe))
}
