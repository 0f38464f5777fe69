//! Runs of move predictors as a user meets them: finished, interrupted, resumed, diverged, damaged, with bad data.

use fivestone_engine::Rng;
use fivestone_game::{Board, Point, Rule, Size};
use fivestone_nets::policy::{PolicyEvaluator, PolicyNet};
use fivestone_train::RunError;
use fivestone_train::policy::{Config, FirstWeights, Part, PolicyError, Positions, Run, Split};
use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A directory of its own for a test, emptied first.
fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// Games of random moves near stones, as text.
fn games(directory: &Path, count: usize) -> PathBuf {
    let size = Size::STANDARD;
    let mut rng = Rng::new(4);
    let mut text = String::new();
    for _ in 0..count {
        let mut board = Board::new(size, Rule::Renju);
        let mut words = vec!["unknown".to_owned()];
        while board.end().is_none() && words.len() < 40 {
            let near: Vec<Point> = board.near(1).iter().collect();
            let point = near[rng.below(near.len())];
            words.push(point.name(size));
            board.play(point).unwrap();
        }
        text += &words.join(" ");
        text.push('\n');
    }
    let path = directory.join("games.txt");
    fs::write(&path, text).unwrap();
    path
}

fn config(data: PathBuf, net: &str) -> Config {
    Config {
        net: net.to_owned(),
        data: vec![data],
        batch: 16,
        most_samples: 16 * 24,
        test_share: 0.1,
        validation_share: 0.1,
        lines: 200,
        nines: 100,
        warm_up: 0,
        first_weights: FirstWeights::Glorot,
        measure_every: 10,
        measured: 50,
        checkpoint_every: 10,
        ..Config::preset("lines").unwrap()
    }
}

const NETS: [&str; 3] = ["lines:8 3x8 residual point", "colours 5x8bn 3x8bn point", "stones 5x4 5x4 full"];

#[test]
fn a_run_that_was_interrupted_ends_as_one_that_was_not() {
    let root = directory("policy-resume");
    let data = games(&root, 60);
    for (number, net) in NETS.iter().enumerate() {
        let whole = Run::open(&root.join(format!("whole{number}")), Some(config(data.clone(), net))).unwrap();
        let pairs = whole.load().unwrap();
        let finished = whole.train(&pairs, || false, |_| {}, |_| {}).unwrap().unwrap();

        let path = root.join(format!("parts{number}"));
        let steps = Cell::new(0);
        let parts = Run::open(&path, Some(config(data.clone(), net))).unwrap();
        let stop = || {
            steps.set(steps.get() + 1);
            steps.get() == 7
        };
        assert!(parts.train(&parts.load().unwrap(), stop, |_| {}, |_| {}).unwrap().is_none());
        let resumed = Run::open(&path, None).unwrap();
        let again = resumed.train(&resumed.load().unwrap(), || false, |_| {}, |_| {}).unwrap().unwrap();
        assert_eq!(again.net, finished.net, "{net}");
        assert_eq!(again.test, finished.test);

        for file in [
            "config.toml",
            "metrics.jsonl",
            "curves.svg",
            "events.out.tfevents.fivestone",
            "net.safetensors",
            "net.onnx",
        ] {
            assert!(path.join(file).exists(), "{file}");
        }
        let net = PolicyNet::read_file(&path.join("net.fspolicy")).unwrap();
        let board = Board::from_moves(Size::STANDARD, Rule::Renju, &[Size::STANDARD.centre()]).unwrap();
        let (points, logits) = PolicyEvaluator::new(Arc::new(net)).evaluate(&board).to_owned_pair();
        assert!(points.len() > 20 && logits.iter().all(|logit| logit.is_finite()));
    }
}

trait OwnedPair {
    fn to_owned_pair(self) -> (Vec<Point>, Vec<f32>);
}

impl OwnedPair for (&[Point], &[f32]) {
    fn to_owned_pair(self) -> (Vec<Point>, Vec<f32>) {
        (self.0.to_vec(), self.1.to_vec())
    }
}

#[test]
fn a_split_by_game_keeps_test_positions_out_of_training() {
    let root = directory("policy-split");
    let data = games(&root, 80);
    for positions in [Positions::Pairs, Positions::Merged] {
        let settings = Config { positions, ..config(data.clone(), NETS[0]) };
        let run = Run::open(&root.join(format!("{positions:?}")), Some(settings)).unwrap();
        let pairs = run.load().unwrap();
        let hashes = |part: Part| -> Vec<u64> {
            (0..pairs.count(part))
                .map(|i| pairs.sample(part, i, fivestone_game::Symmetry::IDENTITY).board.canonical_hash().0)
                .collect()
        };
        let learned = hashes(Part::Training);
        for part in [Part::Validation, Part::Test] {
            assert!(pairs.count(part) > 50);
            assert!(hashes(part).iter().all(|hash| !learned.contains(hash)), "{positions:?} {part:?}");
        }
        let mut unique = learned.clone();
        unique.sort_unstable();
        unique.dedup();
        // The first moves of all games are the same: merged they are one position, with the shares of its answers.
        let first = pairs.sample(Part::Training, 1, fivestone_game::Symmetry::IDENTITY);
        let total: f32 = first.answers.iter().map(|answer| answer.1).sum();
        assert!((total - 1.0).abs() < 1e-5);
        assert_eq!(first.answers.len() > 1, positions == Positions::Merged);
        assert!(unique.len() <= learned.len());
    }
}

#[test]
fn a_diverging_run_stops_and_keeps_its_checkpoint() {
    let root = directory("policy-diverge");
    let data = games(&root, 60);
    // Many layers with weights far above one: the numbers leave their range within a few steps.
    let net = format!("colours 3x16{} point", " residual".repeat(14));
    let settings = Config { rate: 10.0, checkpoint_every: 1, ..config(data, &net) };
    let run = Run::open(&root.join("run"), Some(settings)).unwrap();
    let error = run.train(&run.load().unwrap(), || false, |_| {}, |_| {}).err().expect("it diverges");
    let PolicyError::Run(RunError::Diverged { step, kept }) = error else { panic!("{error}") };
    assert!(kept <= step && step < 24, "{kept} {step}");
    if kept > 0 {
        let bytes = fs::read(root.join("run/checkpoint.bin")).unwrap();
        assert!(bytes.len() > 1000);
    }
}

#[test]
fn other_settings_and_damaged_files_are_refused() {
    let root = directory("policy-refuse");
    let data = games(&root, 60);
    let path = root.join("run");
    let settings = config(data, "colours 3x4 point");
    let run = Run::open(&path, Some(settings.clone())).unwrap();
    run.train(&run.load().unwrap(), || false, |_| {}, |_| {}).unwrap();
    let other = Config { batch: 8, ..settings.clone() };
    assert!(matches!(Run::open(&path, Some(other)), Err(PolicyError::Run(RunError::OtherSettings(_)))));

    // A checkpoint of another net.
    let wider = root.join("wider");
    let run = Run::open(&wider, Some(Config { net: "colours 3x6 point".to_owned(), ..settings })).unwrap();
    fs::copy(path.join("checkpoint.bin"), wider.join("checkpoint.bin")).unwrap();
    let error = run.train(&run.load().unwrap(), || false, |_| {}, |_| {}).err().unwrap();
    assert!(matches!(error, PolicyError::OtherShape { .. }), "{error}");

    for file in ["checkpoint.bin", "pairs.bin"] {
        let mut bytes = fs::read(path.join(file)).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(path.join(file), bytes).unwrap();
        let run = Run::open(&path, None).unwrap();
        let result = run.load().and_then(|pairs| run.train(&pairs, || false, |_| {}, |_| {}).map(|_| ()));
        assert!(matches!(result, Err(PolicyError::Run(RunError::Damaged(_)))), "{file}");
    }
}

#[test]
fn data_to_learn_nothing_from_is_refused() {
    let root = directory("policy-data");
    let refused = |name: &str, text: &str| {
        let path = root.join(name);
        fs::write(&path, text).unwrap();
        let run = Run::open(&root.join(format!("run-{name}")), Some(config(path, NETS[0]))).unwrap();
        run.load().err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert!(refused("empty.txt", "").contains("no games"));
    assert!(refused("few.txt", "unknown h8 h9 i9\n").contains("too few samples"));
    assert!(refused("broken.txt", "unknown h8 h8\nunknown h8 h8 h9\nunknown h8 h9\n").contains("broken"));
    let mixed = "size\trule\tblack\twhite\twinner\topening\tmoves\n";
    assert!(!refused("table.tsv", mixed).is_empty());
    let missing = Run::open(&root.join("missing"), Some(config(root.join("nowhere.txt"), NETS[0]))).unwrap();
    assert!(missing.load().unwrap_err().to_string().contains("nowhere.txt"));
}

#[test]
fn expert_games_give_as_many_pairs_as_are_stated() {
    let folder = std::env::var_os("FIVESTONE_DATA")
        .map_or_else(|| Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from);
    let data = folder.join("games/renju-expert.rif.gz");
    if !data.exists() {
        println!("skipped: data not present");
        return;
    }
    let root = directory("policy-expert");
    let settings = Config { split: Split::Pairs, ..config(data, "colours 3x4 point") };
    let run = Run::open(&root.join("run"), Some(settings)).unwrap();
    let pairs = run.load().unwrap();
    let count: usize =
        [Part::Training, Part::Validation, Part::Test].map(|part| pairs.count(part)).iter().sum();
    assert_eq!(count, 1_183_591);
    fs::remove_dir_all(root).unwrap();
}
