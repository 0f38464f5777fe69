//! Self-play as a process: killed, resumed, on a full disk, with files of another kind.

use fivestone_game::Board;
use fivestone_train::samples::{SampleGame, read_samples};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const FIVESTONE: &str = env!("CARGO_BIN_EXE_fivestone");
const SMALL: [&str; 8] = ["--full", "16", "--fast", "4", "--considered", "4", "--sizes", "15,17"];

fn new_file(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

fn command(file: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(FIVESTONE);
    command.arg("selfplay").arg("--output").arg(file).args(SMALL).args(more);
    command
}

fn run(file: &Path, more: &[&str]) -> Output {
    command(file, more).output().unwrap()
}

/// The games of a file that must be whole.
fn games(file: &Path) -> Vec<SampleGame> {
    let mut games = Vec::new();
    read_samples(fs::File::open(file).unwrap(), false, |game| games.push(game)).unwrap();
    games
}

#[test]
fn a_killed_run_goes_on_with_other_games() {
    let file = new_file("killed.fssamples");
    for _ in 0..3 {
        let mut process = command(&file, &["--threads", "2"]).stdout(Stdio::null()).spawn().unwrap();
        let before = fs::metadata(&file).map_or(0, |file| file.len());
        let patience = Instant::now();
        while fs::metadata(&file).map_or(0, |file| file.len()) < before + 500 {
            assert!(patience.elapsed() < Duration::from_secs(300), "no game was written");
            sleep(Duration::from_millis(5));
        }
        process.kill().unwrap();
        process.wait().unwrap();
    }
    // What a kill in the middle of a write would leave.
    let whole = fs::read(&file).unwrap();
    fs::write(&file, [&whole[..], &[7; 9]].concat()).unwrap();
    let mut before = Vec::new();
    read_samples(&whole[..], true, |game| before.push(game)).unwrap();
    let wanted = before.len() + 3;
    let output = run(&file, &["--games", &wanted.to_string()]);
    assert!(output.status.success(), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("cut a broken end"), "{output:?}");

    let games = games(&file);
    assert_eq!(games.len(), wanted);
    assert_eq!(games[..before.len()], before);
    for (number, game) in games.iter().enumerate() {
        let moves: Vec<_> =
            game.opening.iter().copied().chain(game.plies.iter().map(|ply| ply.point)).collect();
        assert!(Board::from_moves(game.size, game.rule, &moves).is_ok());
        assert!(!games[..number].contains(game), "game {number} is there twice");
    }
    assert!(games.iter().any(|game| game.size.side() == 17));

    let output = run(&file, &["--games", &wanted.to_string()]);
    assert!(output.status.success() && self::games(&file).len() == wanted);
}

#[test]
fn a_full_disk_ends_the_run_and_leaves_a_whole_file() {
    let file = new_file("full.fssamples");
    // Files of at most 2 KB, with a refusal instead of a signal.
    let script = r#"trap '' XFSZ; ulimit -f 2; exec "$0" "$@""#;
    let output = Command::new("bash")
        .args(["-c", script, FIVESTONE, "selfplay", "--output"])
        .arg(&file)
        .args(SMALL)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("keeps its") && message.trim_end().lines().count() == 1, "{message}");
    assert!(!games(&file).is_empty());
}

#[test]
fn wrong_files_and_settings_are_refused_in_one_line() {
    let file = new_file("other.fssamples");
    fs::write(&file, "not samples at all").unwrap();
    let refused = |more: &[&str], word: &str| {
        let output = run(&file, more);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(message.contains(word) && message.trim_end().lines().count() == 1, "{message}");
    };
    refused(&[], "not a file of training samples");
    refused(&["--net", file.to_str().unwrap()], "not a net file");
    refused(&["--full-share", "7"], "full_share = 7");
    assert_eq!(fs::read(&file).unwrap(), b"not samples at all");
}
