//! `fivestone records` as people run it.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn run(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fivestone"))
        .arg("records")
        .args(arguments)
        .current_dir(folder)
        .env("XDG_CACHE_HOME", folder.join("cache"))
        .output()
        .unwrap()
}

fn json(folder: &Path, arguments: &[&str]) -> serde_json::Value {
    let output = run(folder, arguments);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

const GAMES: &str = "\
black h8 h9 i10 i9
white h8 i8 j9 h9 g9
draw h8 h9 i10 i9
white h8 h8
black h8 g8 f9 g9
";

fn folder_with_games() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("games.txt"), GAMES).unwrap();
    folder
}

#[test]
fn stats_count_and_tell_what_is_skipped() {
    let folder = folder_with_games();
    let value = json(folder.path(), &["stats", "games.txt", "--json"]);
    let number = |key: &str| value[key].as_u64().unwrap();
    assert_eq!((number("games"), number("positions"), number("skipped")), (4, 17, 1));
    assert_eq!((number("duplicate_games"), number("duplicate_games_symmetric")), (1, 2));
    assert_eq!((number("unique_pairs"), number("unique_pairs_symmetric")), (11, 6));
    assert_eq!(value["results"]["black"], 2);
    assert_eq!(value["problems"][0]["game"], 4);
    assert_eq!(value["problems"][0]["ply"], 2);
    let output = run(folder.path(), &["stats", "games.txt"]);
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(told.contains("games.txt: game 4, line 4, ply 2: h8 is occupied"), "{told}");
}

#[test]
fn gzip_is_read_and_written() {
    let folder = folder_with_games();
    let packed = folder.path().join("packed.txt.gz");
    let mut file =
        flate2::write::GzEncoder::new(fs::File::create(&packed).unwrap(), flate2::Compression::fast());
    file.write_all(GAMES.as_bytes()).unwrap();
    file.finish().unwrap();
    assert_eq!(json(folder.path(), &["stats", "packed.txt.gz", "--json"])["games"], 4);
    let output = run(folder.path(), &["convert", "packed.txt.gz", "-o", "out.sgf.gz"]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(json(folder.path(), &["stats", "out.sgf.gz", "--json"])["formats"]["sgf"], 4);
    // Half a file is read as far as it goes.
    let bytes = fs::read(&packed).unwrap();
    fs::write(&packed, &bytes[..bytes.len() - 12]).unwrap();
    let output = run(folder.path(), &["stats", "packed.txt.gz", "--json"]);
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["broken_files"], 1);
}

#[test]
fn every_format_that_is_written_is_read_again() {
    let folder = folder_with_games();
    for (name, games) in [("a.psq", 4), ("a.sgf", 4), ("a.txt", 4), ("a.lib", 1)] {
        let output = run(folder.path(), &["convert", "games.txt", "-o", name]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(json(folder.path(), &["stats", name, "--json"])["games"], games, "{name}");
    }
    assert_eq!(json(folder.path(), &["stats", "a.lib", "--variations", "--json"])["games"], 3);
    let again = run(folder.path(), &["convert", "games.txt", "-o", "a.psq"]);
    assert!(!again.status.success(), "an existing file is not written over");
    let split = run(folder.path(), &["convert", "games.txt", "--to", "psq", "--split", "single"]);
    assert!(split.status.success());
    assert_eq!(fs::read_dir(folder.path().join("single")).unwrap().count(), 4);
}

#[test]
fn dedupe_and_filter_keep_what_they_should() {
    let folder = folder_with_games();
    let lines = |arguments: &[&str]| String::from_utf8(run(folder.path(), arguments).stdout).unwrap();
    assert_eq!(lines(&["dedupe", "games.txt", "-q"]).lines().count(), 3);
    assert_eq!(lines(&["dedupe", "games.txt", "-q", "--symmetric"]).lines().count(), 2);
    assert_eq!(lines(&["filter", "games.txt", "-q", "--result", "white"]), "white h8 i8 j9 h9 g9\n");
    assert_eq!(lines(&["filter", "games.txt", "-q", "--reaches", "h8h7g6"]).lines().count(), 4);
    assert_eq!(lines(&["filter", "games.txt", "-q", "--min-moves", "5", "--to", "moves"]), "h8i8j9h9g9\n");
}

#[test]
fn find_answers_from_an_index_that_follows_the_files() {
    let folder = folder_with_games();
    let found = json(folder.path(), &["find", "h8h9i10", "games.txt", "-q", "--json"]);
    assert_eq!((found["searched"].as_u64(), found["games"].as_u64()), (Some(4), Some(4)));
    let caches: Vec<PathBuf> = fs::read_dir(folder.path().join("cache/fivestone"))
        .unwrap()
        .map(|file| file.unwrap().path())
        .collect();
    assert_eq!(caches.len(), 1);
    let mut games = GAMES.to_owned();
    games.push_str("draw h8 h9 i10 a1\n");
    fs::write(folder.path().join("games.txt"), games).unwrap();
    let found = json(folder.path(), &["find", "h8h9i10", "games.txt", "-q", "--json"]);
    assert_eq!(found["games"], 5, "the changed file is indexed anew");
    // A damaged index is told.
    let mut bytes = fs::read(&caches[0]).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&caches[0], bytes).unwrap();
    let output = run(folder.path(), &["find", "h8h9i10", "games.txt"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("the index is damaged"));
    assert!(!output.status.success());
}

#[test]
fn wrong_files_are_told_in_one_line() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("picture.png"), b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR").unwrap();
    for arguments in [["stats", "missing.psq"], ["stats", "picture.png"]] {
        let output = run(folder.path(), &arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}");
        assert!(String::from_utf8_lossy(&output.stderr).contains(arguments[1]));
    }
}
