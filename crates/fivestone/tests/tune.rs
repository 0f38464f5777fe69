//! `fivestone tune` end to end: tuned, killed, resumed, confirmed; wrong arguments and directories.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const FIVESTONE: &str = env!("CARGO_BIN_EXE_fivestone");
const TINY: &str = "--engine alpha-beta --visits 60 --iterations 30 --seed 3 --parameter width=10,2..40 \
                    --parameter radius=1..4 --confirm-games 6";

fn new_directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    path
}

fn command(directory: &Path, line: &str) -> Command {
    let mut command = Command::new(FIVESTONE);
    command.arg("tune").arg("--directory").arg(directory).args(line.split_whitespace());
    command
}

fn run(directory: &Path, line: &str) -> Output {
    command(directory, line).output().unwrap()
}

/// Kills a tuning as soon as its journal has this many lines.
fn kill_at(directory: &Path, lines: usize) {
    let mut process = command(directory, TINY).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let patience = Instant::now();
    let journal = directory.join("tune.journal");
    let written = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    while written() < lines && process.try_wait().unwrap().is_none() {
        assert!(patience.elapsed() < Duration::from_secs(300), "the journal does not grow");
        sleep(Duration::from_millis(2));
    }
    let _ = process.kill();
    process.wait().unwrap();
}

#[test]
fn a_killed_tuning_ends_as_one_that_was_not() {
    let (whole, killed) = (new_directory("tune-whole"), new_directory("tune-killed"));
    let output = run(&whole, TINY);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("30 of 30 iterations, 60 games") && text.contains("SPRT: "), "{text}");
    assert!(text.contains("Games: 6,"), "{text}");
    assert_eq!(fs::read_to_string(whole.join("report.txt")).unwrap(), text);
    assert!(fs::read_to_string(whole.join("tune.svg")).unwrap().contains("<polyline"));

    for lines in [1, 4, 11] {
        kill_at(&killed, lines);
    }
    // The directory alone goes on.
    let output = run(&killed, "--confirm-games 0");
    assert!(output.status.success(), "{output:?}");
    let journal = |directory: &Path| fs::read_to_string(directory.join("tune.journal")).unwrap();
    assert_eq!(journal(&killed), journal(&whole));
    let again = run(&whole, TINY);
    assert_eq!(String::from_utf8(again.stdout).unwrap(), text, "a finished tuning only reports");
}

#[test]
fn wrong_arguments_and_directories_are_told_in_one_line() {
    let directory = new_directory("tune-wrong");
    let refused = |line: &str, words: &str| {
        let output = run(&directory, line);
        assert!(!output.status.success(), "{line}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains(words) && message.trim_end().lines().count() == 1, "{line}: {message}");
    };
    refused("--visits 9", "at least one --parameter");
    refused("--engine alpha-beta --visits 9 --parameter speed", "has no parameter \"speed\"");
    refused("--engine alpha-beta --visits 9 --parameter width=0..20", "goes from 1 to 484");
    refused("--engine nobody --visits 9 --parameter width", "unknown engine \"nobody\"");
    refused("--engine alpha-beta --parameter width", "--visits or --time");
    assert!(!directory.exists());
    let tiny = "--engine alpha-beta --visits 9 --iterations 2 --parameter width --confirm-games 0";
    assert!(run(&directory, tiny).status.success());
    refused("--engine mcts-basic", "tune.toml is of another tuning: engine alpha-beta, not mcts-basic");
    refused("--rule renju", "rule freestyle, not renju");
    refused("--parameter width=30", "parameter width 20");
    let journal = directory.join("tune.journal");
    let text = fs::read_to_string(&journal).unwrap();
    let damaged = text.replacen("\"iteration\":1", "\"iteration\":2", 1);
    fs::write(&journal, &damaged).unwrap();
    refused("", "tune.journal: line 2: the checksum does not fit");
    assert_eq!(fs::read_to_string(&journal).unwrap(), damaged);
}
