//! `fivestone papers` end to end: the list, a report with an opponent of one's own, and mistakes.

use fivestone_engine::Rng;
use fivestone_game::{Board, Point, Rule, Size};
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

/// Games of random moves near stones, as text.
fn random_games(count: usize) -> String {
    let size = Size::STANDARD;
    let mut rng = Rng::new(6);
    let mut game = || {
        let mut board = Board::new(size, Rule::Renju);
        let mut words = vec!["unknown".to_owned()];
        while board.end().is_none() && words.len() < 30 {
            let near: Vec<Point> = board.near(1).iter().collect();
            let point = near[rng.below(near.len())];
            words.push(point.name(size));
            board.play(point).unwrap();
        }
        words.join(" ") + "\n"
    };
    (0..count).map(|_| game()).collect()
}

#[test]
fn nets_of_different_depths_are_compared_and_not_trained_twice() {
    let out = scratch("depths");
    fs::create_dir_all(&out).unwrap();
    let at = |name: &str| out.join(name).to_string_lossy().into_owned();
    fs::write(at("games.txt"), random_games(60)).unwrap();
    let (data, runs, reports) = (at("games.txt"), at("runs"), at("reports"));
    let scale = ["shao", "--depths", "--narrower", "64", "--samples", "1000"];
    let places = ["--data", &data, "--runs", &runs, "--out", &reports];
    let command = [&scale[..], &places[..]].concat();
    let output = papers(&command);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && told.contains("samples/s"), "{told}");
    let report = fs::read_to_string(out.join("reports/shao-depths.md")).unwrap();
    let rows: Vec<&str> = report.lines().filter(|line| line.starts_with("| `n")).collect();
    assert_eq!(rows.len(), 7, "{report}");
    assert!(
        rows[6].starts_with("| `n10-f2-b32` | 10 | 2 | 32 |") && rows[6].ends_with("| 42.04 % |"),
        "{report}"
    );
    assert!(!report.contains("By stage"), "only our own net and N = 4 are compared by stage: {report}");
    assert!(fs::read_to_string(out.join("reports/shao-depths.svg")).unwrap().starts_with("<svg"));

    let again = papers(&command);
    assert!(again.status.success());
    assert!(!String::from_utf8_lossy(&again.stderr).contains("samples/s"), "finished runs are only read");
    assert_eq!(fs::read_to_string(out.join("reports/shao-depths.md")).unwrap(), report);
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
