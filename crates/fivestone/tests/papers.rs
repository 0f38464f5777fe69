//! `fivestone papers` end to end: the list, a report with an opponent of one's own, and mistakes.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

const FIVESTONE: &str = env!("CARGO_BIN_EXE_fivestone");

fn scratch(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("fivestone-papers-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&path);
    path
}

fn papers(arguments: &[&str]) -> Output {
    Command::new(FIVESTONE).arg("papers").args(arguments).output().unwrap()
}

#[test]
fn a_report_counts_the_opponent_that_was_given() {
    let out = scratch("opponent");
    let folder = out.to_string_lossy();
    // A program that leaves at once loses its games and nothing else.
    let run = ["garcia", "--quick", "--pairs", "1", "--opponent", "mute=false", "--out", &folder];
    let output = papers(&run);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report = fs::read_to_string(out.join("garcia.md")).unwrap();
    assert!(report.contains("20 games"), "{report}");
    let row = report.lines().find(|line| line.starts_with("| `mute` |")).expect("a row of its own");
    assert!(row.contains("| 0.0 % | 8 |"), "{row}");
    assert!(fs::read_to_string(out.join("garcia.csv")).unwrap().contains("mute"));
    assert!(fs::read_to_string(out.join("garcia.svg")).unwrap().starts_with("<svg"));

    let list = papers(&["--out", &folder]);
    let list = String::from_utf8(list.stdout).unwrap();
    let state = |name: &str| list.lines().find(|line| line.starts_with(name)).unwrap().to_owned();
    assert!(state("garcia").contains("reported") && state("lin-cao").contains("not run"), "{list}");
    fs::remove_dir_all(out).unwrap();
}

#[test]
fn mistakes_are_told_in_one_line() {
    for (arguments, word) in [
        (&["gracia"][..], "garcia"),
        (&["shao", "--quick"], "--data"),
        (&["shao", "--narrower", "0"], "--narrower"),
        (&["shao", "--samples", "many"], "--samples"),
        (&["garcia", "--opponent", "wine"], "name=command"),
    ] {
        let output = papers(arguments);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!output.status.success() && text.contains(word), "{arguments:?}: {text}");
    }
}
