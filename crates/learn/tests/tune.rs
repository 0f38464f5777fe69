//! Tuning as a library: the same sequence whatever the interruptions, many games at once, refusals.

use fivestone_arena::openings::FileFormat;
use fivestone_arena::stats::{Model, Sprt};
use fivestone_engine::{Stop, kind};
use fivestone_game::{Rule, Size};
use fivestone_learn::tune::{
    Finished, JOURNAL_FILE, SETTINGS_FILE, TuneSettings, TunedParameter, Tuning, tune_report, tune_svg,
};
use std::fs;
use std::path::{Path, PathBuf};

const ITERATIONS: u64 = 12;

fn settings() -> TuneSettings {
    let kind = kind("alpha-beta").unwrap();
    let parse = |text: &str| TunedParameter::parse(text, (kind, Rule::Freestyle), ITERATIONS).unwrap();
    TuneSettings {
        engine: kind.name.to_owned(),
        rule: Rule::Freestyle,
        size: Size::STANDARD,
        visits: Some(40),
        time_ms: None,
        iterations: ITERATIONS,
        seed: 5,
        openings: None,
        openings_type: FileFormat::Offset,
        set: [("depth".to_owned(), "6".to_owned())].into(),
        parameters: vec![parse("width=10,2..40"), parse("radius=1..4")],
    }
}

fn new_directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tune-{name}"));
    let _ = fs::remove_dir_all(&path);
    path
}

fn run_all(directory: &Path, concurrency: usize) -> Tuning {
    let mut tuning = Tuning::open(directory, settings()).unwrap();
    assert!(tuning.run(concurrency, &Stop::new(), &mut |_| {}).unwrap());
    tuning
}

#[test]
fn an_interrupted_tuning_goes_on_with_the_same_sequence() {
    let at_once = run_all(&new_directory("at-once"), 1);
    let directory = new_directory("interrupted");
    for until in [1, 5, 6] {
        let mut tuning = Tuning::open(&directory, settings()).unwrap();
        let stop = Stop::new();
        let mut raise_at = |finished: &[Finished]| {
            if finished.len() >= until {
                stop.raise();
            }
        };
        assert!(!tuning.run(1, &stop, &mut raise_at).unwrap());
        assert_eq!(tuning.finished().len(), until);
    }
    // What a kill in the middle of a line leaves.
    let journal = directory.join(JOURNAL_FILE);
    let mut bytes = fs::read(&journal).unwrap();
    bytes.truncate(bytes.len() - 20);
    fs::write(&journal, bytes).unwrap();
    let interrupted = run_all(&directory, 1);
    assert_eq!(interrupted.finished(), at_once.finished());
    assert_ne!(at_once.values(), settings().starts());
    assert_eq!(interrupted.tuned(), at_once.tuned());
}

#[test]
fn many_games_at_once_finish_every_iteration_once() {
    let tuning = run_all(&new_directory("many"), 3);
    let mut iterations: Vec<u64> = tuning.finished().iter().map(|past| past.iteration).collect();
    iterations.sort_unstable();
    assert_eq!(iterations, (1..=ITERATIONS).collect::<Vec<_>>());
    for past in tuning.finished() {
        assert_eq!(past.faults, 0);
        for value in past.plus.iter().chain(&past.minus) {
            assert!(*value >= 1.0 && *value <= 40.0, "{past:?}");
        }
        // The width is a count; the radius would be if its declaration told.
        assert_eq!(past.plus[0].fract() + past.minus[0].fract(), 0.0, "{past:?}");
    }
    let text = tune_report(&tuning);
    assert!(text.contains("12 of 12 iterations, 24 games") && text.contains("--set depth=6"), "{text}");
    let svg = tune_svg(&tuning);
    assert_eq!(svg.matches("<polyline").count(), 2);
    assert!(svg.contains(">radius<") && svg.contains(">iterations<"));
    let sprt = Sprt { elo0: 0.0, elo1: 10.0, alpha: 0.05, beta: 0.05, model: Model::Normalized };
    let config = tuning.confirmation(sprt, 5, 2);
    assert_eq!(config.rounds, 3);
    assert!(config.roster().is_ok() && config.book().is_ok());
}

#[test]
fn other_settings_and_damage_are_refused_and_nothing_is_lost() {
    let directory = new_directory("refused");
    run_all(&directory, 2);
    let refused = |settings: TuneSettings| {
        let error = Tuning::open(&directory, settings).map(|_| ()).unwrap_err().to_string();
        assert_eq!(error.lines().count(), 1, "{error}");
        error
    };
    let files = || [JOURNAL_FILE, SETTINGS_FILE].map(|name| fs::read(directory.join(name)).unwrap());
    let before = files();
    let error = refused(TuneSettings { engine: "mcts-basic".to_owned(), ..settings() });
    assert!(error.contains("tune.toml is of another tuning: engine alpha-beta, not mcts-basic"), "{error}");
    let error = refused(TuneSettings { rule: Rule::Renju, ..settings() });
    assert!(error.contains("rule freestyle, not renju"), "{error}");
    let mut other = settings();
    other.parameters.pop();
    assert!(refused(other).contains("parameters width, radius, not width"));
    let mut other = settings();
    other.parameters[0].high = 41.0;
    assert!(refused(other).contains("parameter width 10,2..40"));
    assert_eq!(files(), before);

    let journal = directory.join(JOURNAL_FILE);
    let text = String::from_utf8(before[0].clone()).unwrap();
    fs::write(&journal, text.replacen("\"win\"", "\"loss\"", 1)).unwrap();
    assert!(refused(settings()).contains("tune.journal: line "));
    fs::write(&journal, &text).unwrap();
    fs::write(directory.join(SETTINGS_FILE), "engine = 3\n").unwrap();
    assert!(Tuning::stored(&directory).unwrap_err().to_string().contains("tune.toml: line 1: "));
    fs::remove_file(directory.join(SETTINGS_FILE)).unwrap();
    assert!(refused(settings()).contains("tune.toml is missing beside"));
    assert_eq!(fs::read(&journal).unwrap(), text.as_bytes());
}

#[test]
fn what_cannot_be_played_is_refused() {
    let directory = new_directory("impossible");
    let refused = |settings: TuneSettings| {
        let error = Tuning::open(&directory, settings).map(|_| ()).unwrap_err().to_string();
        assert!(!directory.exists(), "{error}");
        error
    };
    let error = refused(TuneSettings { visits: None, ..settings() });
    assert!(error.contains("--visits or --time"), "{error}");
    let mut twice = settings();
    twice.parameters[1] = twice.parameters[0].clone();
    assert!(refused(twice).contains("width is given twice"));
    let set = [("width".to_owned(), "6".to_owned())].into();
    assert!(refused(TuneSettings { set, ..settings() }).contains("tuned and cannot be set"));
    let set = [("depth".to_owned(), "1000".to_owned())].into();
    assert!(refused(TuneSettings { set, ..settings() }).contains("depth=1000 is not a number from 1 to 60"));
    let none = TuneSettings { size: Size::new(9).unwrap(), ..settings() };
    assert!(refused(none).contains("no openings are shipped for freestyle on 9x9"));
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tune-openings.txt");
    fs::write(&file, "0,0, 1,1\n0,0, 0,0\n").unwrap();
    let error = refused(TuneSettings { openings: Some(file), ..settings() });
    assert!(error.contains("tune-openings.txt: line 2: move 2: the point is occupied"), "{error}");
}
