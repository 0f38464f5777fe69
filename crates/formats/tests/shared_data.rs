//! The real files: every one is read, with the counts that its collection states.

use fivestone_formats::detect::Format;
use fivestone_formats::fingerprint::Follower;
use fivestone_formats::problem::{Loss, Problem};
use fivestone_formats::reader::{Branches, Game, Options, Reader};
use fivestone_formats::record::Record;
use fivestone_formats::{renlib, sgf};
use std::collections::HashSet;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

fn data(name: &str) -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let root = std::env::var_os("FIVESTONE_DATA").map_or(beside, PathBuf::from);
    let path = root.join(name);
    if path.exists() {
        return Some(path);
    }
    println!("skipped: data not present");
    None
}

fn bytes(path: &Path) -> Vec<u8> {
    let raw = fs::read(path).unwrap();
    if path.extension().is_some_and(|extension| extension == "gz") {
        let mut plain = Vec::new();
        flate2::read::MultiGzDecoder::new(raw.as_slice()).read_to_end(&mut plain).unwrap();
        return plain;
    }
    raw
}

#[derive(Debug, Default, PartialEq, Eq)]
struct Counts {
    games: usize,
    positions: usize,
    unique_pairs: usize,
    unique_pairs_symmetric: usize,
    skipped: usize,
}

fn count(name: &str, format: Format) -> Option<Counts> {
    let bytes = bytes(&data(name)?);
    let mut reader =
        Reader::new(bytes.as_slice(), Options { branches: Branches::MainLine, ..Options::default() });
    assert_eq!(reader.format(), Some(format), "{name}");
    let mut counts = Counts::default();
    let (mut exact, mut symmetric) = (HashSet::new(), HashSet::new());
    let mut follower: Option<Follower> = None;
    for entry in &mut reader {
        let record = match entry {
            Ok(entry) => entry.game.into_record(),
            Err(problem) => {
                println!("{name}: {problem}");
                counts.skipped += usize::from(problem.loss == Loss::Game);
                continue;
            }
        };
        let follower = match &mut follower {
            Some(follower) if follower.size() == record.header.size => follower,
            other => other.insert(Follower::new(record.header.size)),
        };
        follower.restart();
        counts.games += 1;
        for &turn in &record.moves {
            if let Some(pair) = follower.play(turn) {
                counts.positions += 1;
                exact.insert(pair.exact);
                symmetric.insert(pair.symmetric);
            }
        }
    }
    (counts.unique_pairs, counts.unique_pairs_symmetric) = (exact.len(), symmetric.len());
    Some(counts)
}

#[test]
fn expert_games_have_the_stated_counts() {
    let expected = Counts {
        games: 43_440,
        positions: 1_634_098,
        unique_pairs: 1_183_591,
        unique_pairs_symmetric: 1_145_670,
        skipped: 0,
    };
    for (name, format) in
        [("games/renju-expert.txt.gz", Format::Text), ("games/renju-expert.rif.gz", Format::Rif)]
    {
        let Some(counts) = count(name, format) else { return };
        assert_eq!(counts, expected, "{name}");
    }
}

#[test]
fn online_games_have_the_stated_counts() {
    let Some(counts) = count("games/renju-online.txt.gz", Format::Text) else { return };
    let expected = Counts {
        games: 92_741,
        positions: 2_863_276,
        unique_pairs: 1_668_450,
        unique_pairs_symmetric: 1_611_706,
        skipped: 0,
    };
    assert_eq!(counts, expected);
}

#[test]
fn other_collections_have_the_stated_counts() {
    for (name, format, games) in [
        ("games/engines-free20.tsv.gz", Format::Engines, 16_417),
        ("games/teacher.txt.gz", Format::Teacher, 16_380),
        ("openings/piskvork-offsets.txt", Format::Openings, 41),
        // The stated 3,400 and three lines with a single stone.
        ("openings/free20-offsets.txt", Format::Openings, 3_403),
        ("puzzles/vcf.jsonl", Format::Positions, 1_216),
        ("puzzles/vct.jsonl", Format::Positions, 1_684),
        ("forbidden/game-endings.jsonl", Format::Positions, 1_656),
        ("forbidden/points.jsonl", Format::Positions, 21),
    ] {
        let Some(counts) = count(name, format) else { return };
        assert_eq!((counts.games, counts.skipped), (games, 0), "{name}");
    }
}

#[test]
fn teacher_games_have_the_stated_number_of_scores() {
    let Some(path) = data("games/teacher.txt.gz") else { return };
    let bytes = bytes(&path);
    let reader = Reader::new(bytes.as_slice(), Options::default());
    let scores = reader.map(|entry| entry.unwrap().game.into_record().scores);
    assert_eq!(scores.flatten().flatten().count(), 644_512);
}

fn samples(folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let Some(folder) = data(folder) else { return Vec::new() };
    let mut files: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    files.into_iter().map(|path| (path.clone(), bytes(&path))).collect()
}

fn read(bytes: &[u8], branches: Branches) -> (Vec<Game>, Vec<Problem>) {
    let mut games = Vec::new();
    let mut problems = Vec::new();
    for entry in Reader::new(bytes, Options { branches, ..Options::default() }) {
        match entry {
            Ok(entry) => games.push(entry.game),
            Err(problem) => problems.push(problem),
        }
    }
    (games, problems)
}

#[test]
fn psq_samples_are_read_and_written_alike() {
    for (path, bytes) in samples("samples/psq") {
        let (games, problems) = read(&bytes, Branches::Keep);
        assert!(problems.is_empty(), "{}: {problems:?}", path.display());
        let records: Vec<Record> = games.into_iter().map(Game::into_record).collect();
        let [record] = records.as_slice() else { panic!("{}: {} games", path.display(), records.len()) };
        let mut written = Vec::new();
        assert!(fivestone_formats::psq::write(record, &mut written));
        assert_eq!(read(&written, Branches::Keep).0, [Game::Line(record.clone())], "{}", path.display());
    }
}

#[test]
fn libraries_are_read_to_the_last_byte_and_written_alike() {
    for (path, bytes) in samples("samples/lib") {
        let library = renlib::read(&bytes, None).unwrap();
        println!("{}: {} nodes, {:?}", path.display(), library.tree.len(), library.tree.charset);
        assert_eq!((library.broken, library.flaws), (None, vec![]), "{}", path.display());
        let mut written = Vec::new();
        renlib::write(&library.tree, &mut written).unwrap();
        let again = renlib::read(&written, None).unwrap();
        assert!(again.tree == library.tree, "{}", path.display());
        assert_eq!(written[20..], bytes[20..], "{}", path.display());
    }
}

#[test]
fn sgf_samples_keep_everything_on_a_round_trip() {
    for (path, bytes) in samples("samples/sgf") {
        let (games, problems) = read(&bytes, Branches::Keep);
        println!("{}: {} games, {problems:?}", path.display(), games.len());
        assert_eq!(games.len(), 1, "{}", path.display());
        for game in games {
            let tree = game.into_tree();
            let mut written = Vec::new();
            sgf::write(&tree, &mut written);
            let (again, cut) = sgf::read(&written, None, None).unwrap();
            assert!(cut.is_empty() && again == tree, "{}", path.display());
            println!("  {} nodes, {:?}", tree.len(), tree.charset);
        }
    }
}
