//! Training runs as a user meets them: finished, interrupted, resumed, diverged, damaged.

use fivestone_engine::Rng;
use fivestone_game::{Board, GameEnd, Point, Rule, Size};
use fivestone_nets::Net;
use fivestone_train::RunError;
use fivestone_train::flagship::{Config, Run, TrainError};
use fivestone_train::samples::{SampleGame, SamplePly, SampleWriter};
use std::cell::Cell;
use std::fs;
use std::path::{Path, PathBuf};

/// A directory of its own for a test, emptied first.
fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

/// Renju games of random moves, as a file of samples: two sets of weights.
fn games(directory: &Path) -> PathBuf {
    let mut rng = Rng::new(11);
    let path = directory.join("games.fssamples");
    let mut writer = SampleWriter::begin(fs::File::create(&path).unwrap()).unwrap();
    for _ in 0..12 {
        let size = Size::STANDARD;
        let mut board = Board::new(size, Rule::Renju);
        let mut plies = Vec::new();
        while board.end().is_none() && plies.len() < 50 {
            let near: Vec<Point> = board.near(2).iter().collect();
            let point = near[rng.below(near.len())];
            plies.push(SamplePly::played(point, Some(rng.unit() as f32)));
            board.play(point).unwrap();
        }
        let winner = board.end().and_then(GameEnd::winner);
        let (opening, harvest) = (Vec::new(), Vec::new());
        let game =
            SampleGame { rule: Rule::Renju, size, winner, result_known: true, opening, plies, harvest };
        writer.write(&game).unwrap();
    }
    writer.end_block().unwrap();
    path
}

fn config(data: PathBuf) -> Config {
    Config {
        rule: "renju".to_owned(),
        data: vec![data],
        batch: 16,
        epochs: 1.0,
        hold_out: 4,
        lines: 200,
        nines: 50,
        measure_every: 5,
        measured: 20,
        checkpoint_every: 4,
        ..Config::default()
    }
}

fn train(run: &Run, most_steps: usize) -> Result<Option<Vec<u8>>, TrainError> {
    let asked = Cell::new(0);
    let stop = || {
        asked.set(asked.get() + 1);
        asked.get() > most_steps
    };
    let finished = run.train(&run.load()?, stop, |_| ())?;
    Ok(finished.map(|(net, _)| net.to_bytes()))
}

#[test]
fn a_resumed_run_ends_with_the_same_net() {
    let directory = directory("resumed");
    let config = config(games(&directory));
    let whole = Run::open(&directory.join("whole"), Some(config.clone())).unwrap();
    let expected = train(&whole, usize::MAX).unwrap().expect("it was not stopped");
    assert_eq!(fs::read(directory.join("whole/net.fsnet")).unwrap(), expected);
    assert_eq!(Net::from_bytes(&expected).unwrap().sets.len(), 2);
    for file in ["metrics.jsonl", "curves.svg", "measured.json", "checkpoint.bin"] {
        assert!(directory.join("whole").join(file).exists(), "{file}");
    }

    let path = directory.join("parts");
    assert_eq!(train(&Run::open(&path, Some(config.clone())).unwrap(), 2).unwrap(), None);
    let mut parts = 1;
    let found = loop {
        match train(&Run::open(&path, None).unwrap(), 2).unwrap() {
            Some(bytes) => break bytes,
            None => parts += 1,
        }
    };
    assert!(parts > 2);
    assert!(found == expected, "the nets differ");

    let other = Config { seed: 2, ..config };
    assert!(matches!(Run::open(&path, Some(other)), Err(TrainError::Run(RunError::OtherSettings(_)))));
}

#[test]
fn a_diverging_run_stops_and_keeps_the_last_good_checkpoint() {
    let directory = directory("diverging");
    let config = Config { rate: 1e25, warm_up: 0, ..config(games(&directory)) };
    let run = Run::open(&directory.join("run"), Some(config)).unwrap();
    let error = train(&run, usize::MAX).unwrap_err();
    assert!(matches!(error, TrainError::Run(RunError::Diverged { kept: 0, .. })), "{error}");
    assert!(!directory.join("run/checkpoint.bin").exists());
    assert!(!error.to_string().contains('\n'));
}

#[test]
fn damaged_files_are_named() {
    let directory = directory("damaged");
    let data = games(&directory);
    let path = directory.join("run");
    let run = Run::open(&path, Some(config(data.clone()))).unwrap();
    assert_eq!(train(&run, 2).unwrap(), None);
    let mut bytes = fs::read(path.join("checkpoint.bin")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(path.join("checkpoint.bin"), bytes).unwrap();
    assert!(
        matches!(train(&run, 2), Err(TrainError::Run(RunError::Damaged(path))) if path.ends_with("checkpoint.bin"))
    );

    let mut bytes = fs::read(&data).unwrap();
    bytes[40] ^= 1;
    fs::write(&data, bytes).unwrap();
    let error = train(&run, 2).unwrap_err().to_string();
    assert!(error.contains("games.fssamples") && error.contains("checksum"), "{error}");
    assert!(Run::open(&directory.join("nothing"), None).is_err());
}

#[test]
fn a_run_can_start_from_another() {
    let directory = directory("started");
    let config = config(games(&directory));
    let first = directory.join("first");
    let longer = Config { epochs: 8.0, rate: 5e-3, measure_every: 100, warm_up: 5, ..config.clone() };
    train(&Run::open(&first, Some(longer)).unwrap(), usize::MAX).unwrap().unwrap();
    let first_move_loss = |run: &Run| {
        let mut losses = Vec::new();
        run.train(&run.load().unwrap(), || false, |progress| losses.push(progress.train_move_loss)).unwrap();
        losses[0]
    };
    let fresh = Config { seed: 9, ..config.clone() };
    let fresh = first_move_loss(&Run::open(&directory.join("fresh"), Some(fresh)).unwrap());
    let start = Some(first.join("checkpoint.bin"));
    let next = Config { seed: 9, start, lines: 150, nines: 60, ..config };
    let next = first_move_loss(&Run::open(&directory.join("next"), Some(next)).unwrap());
    assert!(next < fresh - 0.05, "{next} after a start, {fresh} without");
}

#[test]
fn memory_is_bounded_and_the_newest_games_are_kept() {
    let directory = directory("bounded");
    let config = config(games(&directory));
    let load = |memory| {
        let config = Config { memory, hold_out: 0, ..config.clone() };
        fivestone_train::flagship::Dataset::load(&config, Rule::Renju).unwrap()
    };
    let all = load(1 << 30);
    assert_eq!(all.left_out(), 0);
    let some = load(20_000);
    assert!((1..12).contains(&some.left_out()), "{}", some.left_out());
    let last = |dataset: &fivestone_train::flagship::Dataset| {
        let position = *dataset.training().last().unwrap();
        dataset.board(position).1.hash()
    };
    assert_eq!(last(&all), last(&some));
    assert_eq!(load(0).left_out(), 12);
}
