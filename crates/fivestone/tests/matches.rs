//! `fivestone match` end to end: built-in engines, a real process, a test that stops by itself, a
//! killed runner.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const FIVESTONE: &str = env!("CARGO_BIN_EXE_fivestone");

/// A directory that is removed at the end of a test.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("fivestone-match-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Scratch(path)
    }

    fn file(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn play(line: &str) -> Output {
    Command::new(FIVESTONE).arg("match").args(line.split_whitespace()).output().unwrap()
}

fn play_well(line: &str) -> String {
    let output = play(line);
    assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn summary(path: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn a_hundred_games_of_built_in_engines_leave_every_kind_of_file() {
    let scratch = Scratch::new("hundred");
    let file = |name| scratch.file(name);
    let text = play_well(&format!(
        "-engine name=mcts-basic visits=60 -engine name=random visits=1 -rounds 50 -concurrency 2 -srand 3 \
         -summary {} -pgnout {} -sgf {} -psq {} -log {} -chart {}",
        file("s.json"),
        file("g.pgn"),
        file("g.sgf"),
        file("psq"),
        file("moves.jsonl"),
        file("chart.svg")
    ));
    assert!(text.contains("Games: 100,") && text.contains("Ptnml(0-2): ["), "{text}");
    let result = summary(&file("s.json"));
    for key in
        ["games", "wins", "losses", "draws", "elo", "elo_error", "nelo", "los", "ptnml", "llr", "faults"]
    {
        assert!(result.get(key).is_some(), "{key} is missing in {result}");
    }
    assert_eq!(result["games"], 100);
    assert_eq!(result["ptnml"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum::<u64>(), 50);
    assert!(result["elo"].as_f64().unwrap() > 200.0, "{result}");
    assert_eq!(fs::read_to_string(file("g.pgn")).unwrap().matches("[Result ").count(), 100);
    assert_eq!(fs::read_to_string(file("g.sgf")).unwrap().matches("(;FF[4]").count(), 100);
    assert_eq!(fs::read_dir(file("psq")).unwrap().count(), 100);
    for records in [file("g.sgf"), file("psq")] {
        let stats = Command::new(FIVESTONE)
            .args(["records", "stats", "--json", "--as-rule", "freestyle", &records])
            .output()
            .unwrap();
        let stats: Value = serde_json::from_slice(&stats.stdout).unwrap();
        assert_eq!((&stats["games"], &stats["results"]["unknown"]), (&100.into(), &0.into()), "{stats}");
    }
    let log = fs::read_to_string(file("moves.jsonl")).unwrap();
    assert!(log.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()));
    assert!(fs::read_to_string(file("chart.svg")).unwrap().ends_with("</svg>\n"));
}

#[test]
fn the_same_seed_gives_the_same_games_whatever_the_concurrency() {
    let scratch = Scratch::new("seed");
    let games = |concurrency: u32| {
        let log = scratch.file(&format!("{concurrency}.pgn"));
        play_well(&format!(
            "-engine name=a engine=mcts-basic visits=40 -engine name=b engine=mcts-basic visits=80 -rounds 4 \
             -concurrency {concurrency} -psq {log}"
        ));
        let read = |n| fs::read_to_string(Path::new(&log).join(format!("{n:06}.psq"))).unwrap();
        let moves = |text: String| -> Vec<String> {
            text.lines().skip(1).filter_map(|line| Some(line.rsplit_once(',')?.0.to_owned())).collect()
        };
        (1..=8).map(|n| moves(read(n))).collect::<Vec<_>>()
    };
    assert_eq!(games(1), games(3));
}

#[test]
fn a_process_plays_with_openings_and_leaves_nothing_behind() {
    let scratch = Scratch::new("process");
    let openings = scratch.file("openings.txt");
    fs::write(&openings, "0,0, 1,0, 1,3\n0,0, 1,1, 0,3\n").unwrap();
    let text = play_well(&format!(
        "-engine name=outside cmd={FIVESTONE} args=gomocup nodes=50 tc=600 -engine name=mcts-basic visits=50 -rounds 4 -rule standard \
         -openings file={openings} type=offset symmetries=on -concurrency 2 -summary {}",
        scratch.file("s.json")
    ));
    let result = summary(&scratch.file("s.json"));
    assert_eq!((&result["games"], result["faults"].as_array().unwrap().len()), (&8.into(), 0), "{text}");
}

#[test]
fn swap2_is_played_between_a_process_and_a_built_in_engine() {
    let scratch = Scratch::new("swap2");
    for rule in ["swap2", "swap", "pro"] {
        let line = format!(
            "-engine name=outside cmd={FIVESTONE} args=gomocup nodes=60 tc=600 -engine name=mcts-basic visits=60 -rounds 3 \
             -opening-rule {rule} -summary {}",
            scratch.file("s.json")
        );
        let text = play_well(&line);
        let result = summary(&scratch.file("s.json"));
        let faults = result["faults"].as_array().unwrap();
        // A program cannot be told of pro's third stone; whatever it does there, the match goes on.
        assert!(rule == "pro" || faults.is_empty(), "{text}");
        assert_eq!(result["games"], 6);
    }
}

#[test]
fn a_test_stops_by_itself() {
    let text = play_well(
        "-engine name=mcts-basic visits=60 -engine name=random visits=1 -rounds 5000 -sprt elo0=0 elo1=50 -concurrency 2",
    );
    assert!(text.contains("SPRT: H1 was accepted"), "{text}");
}

#[test]
fn pools_have_ratings_and_a_cross_table() {
    let scratch = Scratch::new("pool");
    for form in ["", "-gauntlet", "-swiss"] {
        let text = play_well(&format!(
            "-engine name=strong engine=mcts-basic visits=80 -engine name=weak engine=mcts-basic visits=10 \
             -engine name=random visits=1 -engine name=other engine=random visits=1 -rounds 3 {form} \
             -anchor random=0 -summary {}",
            scratch.file("s.json")
        ));
        assert!(text.contains("Rank Name") && text.contains("Points of row vs column"), "{text}");
        let result = summary(&scratch.file("s.json"));
        let pairs = result["pairs"].as_array().unwrap().len();
        assert_eq!(result["ratings"].as_array().unwrap().len(), 4);
        assert_eq!(result["ratings"][2]["rating"], 0.0);
        assert!(pairs >= 3 && (form != "-gauntlet" || pairs == 3), "{result}");
    }
}

#[test]
fn a_killed_runner_loses_no_finished_game() {
    let scratch = Scratch::new("kill");
    let line = |tag: &str| {
        format!(
            "-engine name=a engine=mcts-basic visits=300 -engine name=b engine=mcts-basic visits=150 -rounds 20 \
             -concurrency 2 -summary {} -pgnout {} -config file={}",
            scratch.file(&format!("{tag}.json")),
            scratch.file(&format!("{tag}.pgn")),
            scratch.file(&format!("{tag}.jsonl"))
        )
    };
    play_well(&line("whole"));
    let journal = scratch.file("torn.jsonl");
    let games = || fs::read_to_string(&journal).unwrap_or_default().matches('\n').count().saturating_sub(1);
    for wanted in [3, 10] {
        let mut runner = Command::new(FIVESTONE)
            .arg("match")
            .args(line("torn").split_whitespace())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let patience = Instant::now() + Duration::from_secs(60);
        while games() < wanted && runner.try_wait().unwrap().is_none() {
            assert!(Instant::now() < patience, "the match does not get on");
            std::thread::sleep(Duration::from_millis(1));
        }
        // The signal that cannot be caught.
        runner.kill().unwrap();
        runner.wait().unwrap();
    }
    // A line that was cut off in the middle counts for nothing.
    let mut text = fs::read_to_string(&journal).unwrap();
    text.push_str("{\"game\":{\"id\":39,\"rou");
    fs::write(&journal, text).unwrap();
    play_well(&format!("-config file={journal}"));
    let (whole, torn) = (summary(&scratch.file("whole.json")), summary(&scratch.file("torn.json")));
    for key in ["games", "wins", "losses", "draws", "ptnml", "elo"] {
        assert_eq!(whole[key], torn[key], "{key}");
    }
    assert_eq!(torn["games"], 40);
    assert_eq!(fs::read_to_string(scratch.file("torn.pgn")).unwrap().matches("[Result ").count(), 40);
}

#[test]
fn mistakes_are_told_in_one_line() {
    for (line, problem) in [
        ("-engine name=nobody visits=1 -engine name=random visits=1", "unknown engine \"nobody\""),
        ("-engine name=random visits=1", "two engines"),
        (
            "-engine name=random visits=1 -engine name=random visits=1 -openings file=/no/such",
            "cannot read /no/such",
        ),
        ("-engine name=random visits=1 q=1 -engine name=random visits=1", "has no parameter \"q\""),
        ("-config file=/no/such/journal", "there is no match in /no/such/journal"),
    ] {
        let output = play(line);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(1), "{line}: {text}");
        assert!(text.contains(problem) && text.trim_end().lines().count() == 1, "{line}: {text}");
    }
}
