//! The commands from outside: what scripts may rely on, and what bad arguments get.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Output, Stdio};

fn fivestone(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fivestone"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // A program that has seen enough may close its input early.
    let _ = child.stdin.take().expect("its input").write_all(input);
    child.wait_with_output().expect("an end")
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("text")
}

fn json(arguments: &[&str]) -> Value {
    let output = fivestone(arguments, b"");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Runs something that must fail with one clear line.
fn failure(arguments: &[&str]) -> String {
    let output = fivestone(arguments, b"");
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    assert!(output.stdout.is_empty());
    let text = String::from_utf8(output.stderr).expect("text");
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

#[test]
fn engines_are_listed_for_programs() {
    let engines = json(&["engines", "--json"]);
    let names: Vec<&str> =
        engines.as_array().expect("an array").iter().filter_map(|engine| engine["name"].as_str()).collect();
    assert!(names.contains(&"random") && names.contains(&fivestone_engine::DEFAULT_ENGINE), "{names:?}");
    assert_eq!(keys(&engines[0]), ["description", "name", "paper"]);
}

#[test]
fn an_analysis_has_the_promised_shape() {
    for rule in ["freestyle", "standard", "renju", "caro", "caro-overline"] {
        let answer =
            json(&["analyze", "--rule", rule, "--size", "15", "--visits", "500", "--json", "h8h9", "i10"]);
        assert_eq!(keys(&answer), ["best", "elapsed_ms", "lines", "winrate"]);
        assert!((0.0..=1.0).contains(&answer["winrate"].as_f64().expect("a number")));
        let line = &answer["lines"][0];
        assert_eq!(keys(line), ["move", "pv", "visits", "winrate"]);
        assert_eq!((&line["move"], &line["pv"][0]), (&answer["best"], &answer["best"]));
    }
}

#[test]
fn a_win_in_one_is_found_and_the_same_visits_give_the_same_answer() {
    let arguments = ["analyze", "--rule", "standard", "--visits", "2000", "--json", "h8a1i8a2j8a3k8"];
    let (mut first, mut second) = (json(&arguments), json(&arguments));
    assert!(["g8", "l8"].contains(&first["best"].as_str().expect("a move")), "{first}");
    first["elapsed_ms"] = Value::Null;
    second["elapsed_ms"] = Value::Null;
    assert_eq!(first, second);
}

#[test]
fn positions_that_cannot_be_analysed_are_named() {
    assert!(failure(&["analyze", "h8h8"]).contains("move 2 (h8): the point is occupied"));
    assert!(failure(&["analyze", "h8p1"]).contains("p1 at character 3 is off the 15x15 board"));
    assert!(failure(&["analyze", "hello"]).contains("is not a move"));
    assert!(failure(&["analyze", "a1a3b1b3c1c3d1d3e1"]).contains("the game is over: Black wins"));
    assert!(failure(&["analyze", "a1a3b1b3c1c3d1d3e1e3"]).contains("move 10 (e3): the game is already over"));
    // Rows two by two of a colour: nobody ever has five.
    let columns = ["a", "b", "c", "d", "e"];
    let cells =
        |dark: usize| (0..25).filter(move |cell| usize::from((cell / 5 / 2 + cell % 5) % 2 == 1) == dark);
    let name = |cell: usize| format!("{}{}", columns[cell % 5], cell / 5 + 1);
    let (black, white): (Vec<usize>, Vec<usize>) = (cells(0).collect(), cells(1).collect());
    let mut full = String::new();
    for (turn, &cell) in black.iter().enumerate() {
        full += &name(cell);
        full += &white.get(turn).map_or(String::new(), |&cell| name(cell));
    }
    assert!(failure(&["analyze", "--size", "5", &full]).contains("a draw: the board is full"));
    assert!(failure(&["analyze", "--engine", "none", "h8"]).contains("unknown engine"));
    assert!(failure(&["analyze", "--set", "nonsense=1", "h8"]).contains("no parameter"));
}

#[test]
fn shares_of_files_that_were_not_named_are_refused() {
    let command = ["train", "flagship", "--run", "r", "--data", "games.txt", "--shares", "0.1,0.2"];
    assert!(failure(&command).contains("--shares has 2 numbers for 1 files"));
}

#[test]
fn wrong_usage_is_answered_by_two() {
    for arguments in [
        &["analyze", "--size", "4"][..],
        &["analyze", "--rule", "chess"],
        &["analyze", "--time", "soon"],
        &["play", "--opening", "sicilian"],
        &["train", "flagship", "--run", "r", "--data", "games.txt", "--shares", "0.1,2"],
        &["train", "flagship", "--run", "r", "--data", "games.txt", "--keep-rows"],
        &["frobnicate"],
    ] {
        assert_eq!(fivestone(arguments, b"").status.code(), Some(2), "{arguments:?}");
    }
}

#[test]
fn a_game_is_played_taken_back_and_saved_through_a_pipe() {
    let file = std::env::temp_dir().join(format!("fivestone-game-{}.sgf", std::process::id()));
    let input = format!(
        "h8\nnonsense\n\u{7f}é\nh8\nhint\nundo\ni9\nsave /\nsave {}\nresign\nj3\nquit\n",
        file.display()
    );
    let output = fivestone(&["play", "--engine", "alpha-beta", "--visits", "200"], input.as_bytes());
    assert!(output.status.success());
    let text = out(&output);
    for words in
        ["Hint: ", "Taken back.", "is occupied", "cannot write /", "Saved to", "You resigned.", "is over"]
    {
        assert!(text.contains(words), "no \"{words}\" in\n{text}");
    }
    let saved = std::fs::read_to_string(&file).expect("a saved game");
    std::fs::remove_file(&file).expect("removed");
    assert!(saved.starts_with("(;FF[4]GM[4]SZ[15]RU[freestyle]PB[You]PW[alpha-beta];B[ig];W["), "{saved}");
}

/// Plays by the hints alone and answers with everything that was said.
fn play_by_hints(arguments: &[&str], hints: usize) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fivestone"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("its input");
    let mut output = BufReader::new(child.stdout.take().expect("its output"));
    let mut said = String::new();
    for _ in 0..hints {
        writeln!(input, "hint").expect("it listens");
        let hint = loop {
            let start = said.len();
            assert!(output.read_line(&mut said).expect("text") > 0, "{arguments:?} ended early:\n{said}");
            if let Some((_, hint)) = said[start..].split_once("Hint: ") {
                break hint.split_whitespace().next().expect("a hint").to_owned();
            }
        };
        writeln!(input, "{hint}").expect("it listens");
    }
    drop(input);
    output.read_to_string(&mut said).expect("text");
    assert!(child.wait().expect("an end").success());
    said
}

#[test]
fn every_opening_can_be_played_from_either_side() {
    for opening in ["free", "pro", "long-pro", "swap", "swap2", "soosorv-8"] {
        for first in [&[][..], &["--engine-first"]] {
            let game = ["play", "--rule", "renju", "--opening", opening, "--visits", "50", "--seed", "3"];
            let said = play_by_hints(&[&game[..], &["--engine", "mcts-basic"], first].concat(), 5);
            assert!(said.contains("mcts-basic plays "), "{opening} {first:?}\n{said}");
        }
    }
}

/// Starts a server, answers the first line it prints, and ends it.
fn first_line_of_server(arguments: &[&str]) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fivestone"))
        .args(arguments)
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("WSL_DISTRO_NAME")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut line = String::new();
    let said = BufReader::new(child.stdout.take().expect("output")).read_line(&mut line);
    child.kill().expect("it was running");
    child.wait().expect("an end");
    said.expect("text");
    line
}

#[test]
fn the_board_is_served_with_and_without_a_command() {
    for arguments in [&[][..], &["serve", "--no-open", "--address", "127.0.0.1:0"]] {
        let line = first_line_of_server(arguments);
        assert!(line.starts_with("Fivestone is at http://127.0.0.1:"), "{arguments:?}: {line}");
    }
    let line = first_line_of_server(&["serve", "--no-open", "--address", "0.0.0.0:0"]);
    assert!(line.contains("/?token="), "{line}");
}

#[test]
fn the_signature_is_the_same_every_time() {
    let signature = || out(&fivestone(&["bench", "--signature-only"], b""));
    let first = signature();
    assert!(first.starts_with("Bench: ") && first.trim().len() == 15, "{first}");
    assert_eq!(first, signature());
}

#[test]
fn completions_are_written_for_every_shell() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(out(&fivestone(&["completions", shell], b"")).contains("analyze"), "{shell}");
    }
}

#[test]
fn a_reader_that_leaves_early_is_no_failure() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fivestone"))
        .args(["completions", "zsh"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    drop(child.stdout.take());
    let mut errors = String::new();
    child.stderr.take().expect("errors").read_to_string(&mut errors).expect("text");
    assert!(child.wait().expect("an end").success() && errors.is_empty(), "{errors}");
}

#[test]
fn a_finished_set_of_openings_leaves_nothing_else_behind() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("set.txt");
    let name = file.to_str().expect("a plain name");
    let output = fivestone(
        &["openings", "generate", "--count", "2", "--visits", "30", "--confirm", "60", "-o", name],
        b"",
    );
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(std::fs::read_to_string(&file).expect("the set").lines().count(), 2);
    assert_eq!(std::fs::read_dir(folder.path()).expect("a listing").count(), 1);
}
