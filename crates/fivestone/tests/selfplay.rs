//! Self-play as a process: killed, resumed, on a full disk, with files of another kind.

use fivestone_game::Board;
use fivestone_train::samples::{SampleGame, TornEnd, read_samples};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

const FIVESTONE: &str = env!("CARGO_BIN_EXE_fivestone");
const SMALL: [&str; 6] = ["--full", "16", "--fast", "4", "--considered", "4"];

fn new_file(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

fn command(file: &Path, more: &[&str]) -> Command {
    let mut command = Command::new(FIVESTONE);
    command.arg("selfplay").arg("--output").arg(file).args(SMALL).args(more);
    if !more.contains(&"--sizes") {
        command.args(["--sizes", "15,17"]);
    }
    command
}

fn run(file: &Path, more: &[&str]) -> Output {
    command(file, more).output().unwrap()
}

/// The games of a file that must be whole.
fn games(file: &Path) -> Vec<SampleGame> {
    let mut games = Vec::new();
    read_samples(fs::File::open(file).unwrap(), TornEnd::Refused, |game| games.push(game)).unwrap();
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
    read_samples(&whole[..], TornEnd::LeftOut, |game| before.push(game)).unwrap();
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

/// An empty folder.
fn new_folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn fivestone(arguments: &[&str]) -> Output {
    Command::new(FIVESTONE).args(arguments).output().unwrap()
}

/// Flat searches into a series of files with two games each.
fn play_series(folder: &Path, more: &[&str]) -> Output {
    let file = folder.join("games.fssamples");
    let mut arguments =
        vec!["selfplay", "--output", file.to_str().unwrap(), "--sizes", "15", "--rotate", "2"];
    arguments.extend(["--flat", "24", "--considered", "4", "--harvest", "3"]);
    arguments.extend(more);
    let output = fivestone(&arguments);
    assert!(output.status.success(), "{output:?}");
    output
}

#[test]
fn a_series_of_files_goes_on_is_the_same_again_and_is_summarised() {
    let (once, parts) = (new_folder("series-once"), new_folder("series-parts"));
    let branched = |games| ["--branches", "0.5", "--games", games];
    play_series(&once, &branched("5"));
    for games in ["2", "3", "5"] {
        play_series(&parts, &branched(games));
    }
    let again = new_folder("series-again");
    play_series(&again, &branched("5"));
    let mut targets = 0;
    for (number, games) in [("0001", 2), ("0002", 2), ("0003", 1)] {
        let name = format!("games-{number}.fssamples");
        assert_eq!(fs::read(once.join(&name)).unwrap(), fs::read(again.join(&name)).unwrap());
        for folder in [&once, &parts] {
            assert_eq!(self::games(&folder.join(&name)).len(), games);
        }
        for game in self::games(&once.join(&name)) {
            targets += game.targets();
            check_harvest(&game);
            assert!(game.plies.iter().all(|ply| ply.learn || ply.findings.moves.is_empty()));
        }
    }
    let output = fivestone(&["samples", once.to_str().unwrap(), "--json"]);
    assert!(output.status.success(), "{output:?}");
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let total = &summary["total"];
    assert_eq!((total["games"].as_u64(), total["targets"].as_u64()), (Some(5), Some(targets as u64)));
    assert!(total["harvested"].as_u64() > Some(0), "{total}");
    assert_eq!(total["versions"], serde_json::json!([2]));

    // Damage is named with its place, and the whole part is counted.
    let file = once.join("games-0001.fssamples");
    let mut bytes = fs::read(&file).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    fs::write(&file, bytes).unwrap();
    let output = fivestone(&["samples", file.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.contains("games-0001.fssamples: ") && message.contains("at byte"), "{message}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("games       1 ("), "{output:?}");
}

/// Every harvested position can be reached, was not played, and comes once.
fn check_harvest(game: &SampleGame) {
    let hash = |moves: Vec<_>| Board::from_moves(game.size, game.rule, &moves).unwrap().hash();
    let played = |plies: usize| game.plies[..plies].iter().map(|ply| ply.point);
    let mut hashes: Vec<u64> = (0..game.plies.len())
        .map(|plies| hash(game.opening.iter().copied().chain(played(plies)).collect()))
        .collect();
    hashes.extend(game.harvest.iter().map(|position| hash(game.moves_to(position).collect())));
    let all = hashes.len();
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), all);
}

#[test]
fn games_begin_before_the_end_of_lost_games() {
    let folder = new_folder("lost");
    let lost = folder.join("lost.txt");
    fs::write(&lost, "white h8 i9 h9 i10 h7 h6 i8 j11 j9 h11\ndraw h8 h9 i10\n").unwrap();
    let lost = lost.to_str().unwrap();
    let more = ["--from", lost, "--from-share", "1", "--from-plies", "3-5", "--games", "3"];
    let output = play_series(&folder, &[&more[..], &["--rule", "renju"]].concat());
    let told = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(told.contains("1 games and positions to begin in, 1 others"), "{told}");
    for game in games(&folder.join("games-0001.fssamples")) {
        assert!((5..=7).contains(&game.opening.len()), "{}", game.opening.len());
        assert_eq!(game.opening[4].name(game.size), "h7");
    }
    let file = folder.join("other.fssamples");
    let none = run(&file, &["--from", lost, "--sizes", "20"]);
    assert_eq!(none.status.code(), Some(1), "{none:?}");
    assert!(String::from_utf8_lossy(&none.stderr).contains("--from: no lost game"), "{none:?}");
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
