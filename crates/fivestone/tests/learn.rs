//! The loop as a process: killed in every step, copied elsewhere, finished; wrong settings.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const FIVESTONE: &str = env!("CARGO_BIN_EXE_fivestone");

const TINY: &str = r#"
rule = "freestyle"
sizes = [15]
generations = 2
positions = 60
window = 2
[selfplay]
full = 8
fast = 2
full_share = 0.5
considered = 4
solver_nodes = 50
balance = 0.4
balance_visits = 4
[training]
keep_rows = false
result_share = 0.8
batch = 8
lines = 100
nines = 50
hold_out = 5
measure_every = 5
checkpoint_every = 3
[gate]
turn_ms = 0
visits = 4
pairs = 3
sprt = false
score = 0.0
pool = 1
pool_pairs = 2
pool_score = 0.0
"#;

fn new_directory(name: &str, settings: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    fs::write(path.join("learn.toml"), settings).unwrap();
    path
}

fn command(directory: &Path) -> Command {
    let mut command = Command::new(FIVESTONE);
    command.arg("learn").arg("--run").arg(directory);
    command
}

fn run(directory: &Path) -> Output {
    command(directory).output().unwrap()
}

/// Kills a loop as soon as a file of it has grown to this length.
fn kill_when(directory: &Path, file: &str, length: u64) {
    let mut process = command(directory).stdout(Stdio::null()).spawn().unwrap();
    let patience = Instant::now();
    let grown = || fs::metadata(directory.join(file)).is_ok_and(|file| file.len() >= length);
    while !grown() && process.try_wait().unwrap().is_none() {
        assert!(patience.elapsed() < Duration::from_secs(300), "{file} does not grow");
        sleep(Duration::from_millis(2));
    }
    let _ = process.kill();
    process.wait().unwrap();
}

fn copy_all(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.file_type().unwrap().is_dir() {
            copy_all(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

#[test]
fn two_generations_survive_kills_and_a_move() {
    let first = new_directory("learn", TINY);
    kill_when(&first, "data/0001.fssamples", 600);
    kill_when(&first, "training/0001/checkpoint.bin", 1);
    kill_when(&first, "matches/0001-first.jsonl", 1500);
    let moved = new_directory("learn-moved", "");
    fs::remove_dir_all(&moved).unwrap();
    copy_all(&first, &moved);
    fs::remove_dir_all(&first).unwrap();
    kill_when(&moved, "data/0002.fssamples", 600);

    let output = run(&moved);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("all generations are finished"), "{text}");

    let curve = fs::read_to_string(moved.join("curve.csv")).unwrap();
    let rows: Vec<Vec<&str>> = curve.lines().skip(1).map(|line| line.split(',').collect()).collect();
    assert_eq!(rows.iter().map(|row| row[0]).collect::<Vec<_>>(), ["1", "2"], "{curve}");
    let hours: Vec<f64> = rows.iter().map(|row| row[1].parse().unwrap()).collect();
    assert!(hours[0] <= hours[1]);
    assert!(fs::read_to_string(moved.join("curve.svg")).unwrap().contains("<polyline"));

    let cards: toml::Table = fs::read_to_string(moved.join("nets.toml")).unwrap().parse().unwrap();
    let cards = cards["net"].as_array().unwrap();
    assert_eq!(cards.len(), 2);
    for (number, card) in cards.iter().enumerate() {
        assert!(moved.join(card["file"].as_str().unwrap()).exists(), "{card}");
        assert!(card["against_parent"]["elo"].is_float(), "{card}");
        // The pattern engine, and the first net once it is neither new nor the parent.
        assert_eq!(card["against_pool"].as_array().unwrap().len(), 1, "{card}");
        assert_eq!(card["generation"].as_integer(), Some(number as i64 + 1));
    }
    assert_eq!(cards[0]["parent"].as_str(), Some("first"));
    assert!(cards[0]["file"].as_str().unwrap().contains(cards[1]["parent"].as_str().unwrap()));

    let output = run(&moved);
    assert!(output.status.success());
    assert_eq!(fs::read_to_string(moved.join("curve.csv")).unwrap(), curve);
}

#[test]
fn wrong_settings_and_damaged_records_are_refused_in_one_line() {
    let refused = |directory: &Path, words: &str| {
        let output = run(directory);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains(words) && message.trim_end().lines().count() == 1, "{message}");
    };
    let directory = new_directory("learn-wrong", "positions = 5\nspeed = 3\n");
    refused(&directory, "learn.toml: line 2: unknown field `speed`");
    fs::write(directory.join("learn.toml"), "[gate]\npairs = 0\n").unwrap();
    refused(&directory, "[gate] pairs = 0");
    fs::write(directory.join("learn.toml"), "teachers = [\"missing.txt\"]\n").unwrap();
    refused(&directory, "missing.txt");
    fs::write(directory.join("learn.toml"), TINY).unwrap();
    fs::write(directory.join("generations.jsonl"), "{}\n").unwrap();
    refused(&directory, "generations.jsonl: line 1");
}
