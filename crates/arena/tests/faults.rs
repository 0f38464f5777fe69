//! Programs that misbehave: each loses with the right reason, the match goes on, and no process is left behind.

use fivestone_arena::player::Patience;
use fivestone_arena::record::GameRecord;
use fivestone_arena::{
    Conclusion, EngineSpec, FaultKind, MatchConfig, Observer, Program, Source, Standings, Tournament,
};
use fivestone_engine::Stop;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

struct Silent;

impl Observer for Silent {
    fn game(&mut self, _: &GameRecord, _: &Standings) {}
    fn tick(&mut self, _: &Standings) {}
}

/// The example that cargo builds together with the tests.
fn scripted_engine() -> String {
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    let path = path.join("examples").join("scripted_engine");
    assert!(path.exists(), "cargo build -p fivestone-arena --example scripted_engine comes first");
    path.to_string_lossy().into_owned()
}

fn scripted(behaviour: &str, tag: &str) -> EngineSpec {
    let program = Program {
        command: scripted_engine(),
        arguments: vec![behaviour.to_owned(), tag.to_owned()],
        directory: None,
        stderr: None,
    };
    let mut spec = EngineSpec::new(behaviour, Source::Program(program));
    spec.time.turn = Some(Duration::from_secs(20));
    spec.memory = 100 << 20;
    spec
}

fn random() -> EngineSpec {
    let mut spec = EngineSpec::new("random", Source::BuiltIn("random".to_owned()));
    spec.visits = Some(1);
    spec
}

fn journal(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("fivestone-faults-{}-{name}.jsonl", std::process::id()));
    let _ = fs::remove_file(&path);
    path
}

/// Processes with the tag on their command line.
fn alive(tag: &str) -> usize {
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    let commands = processes.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    commands.filter(|line| line.split(|&byte| byte == 0).any(|word| word == tag.as_bytes())).count()
}

/// Two games of a script against a random mover; answers how often the script did what wrong.
fn faults_of(spec: EngineSpec, tag: &str) -> (Vec<(FaultKind, u64)>, u64) {
    let config = MatchConfig::new(vec![spec, random()]);
    let roster = config.roster().unwrap().with_patience(Patience {
        start: Duration::from_secs(20),
        late: Duration::from_secs(if tag.ends_with("hang") { 0 } else { 20 }),
        ..Patience::default()
    });
    let journal = journal(tag);
    let mut tournament = Tournament::start_with(config, roster, &journal).unwrap();
    assert_eq!(tournament.run(&mut Silent, &Stop::new()).unwrap(), Conclusion::Complete);
    fs::remove_file(journal).unwrap();
    assert_eq!(alive(tag), 0, "a process of {tag} is left");
    let standings = tournament.standings();
    assert_eq!(standings.games(), 2);
    let faults = standings.faults().map(|(engine, kind, fault)| {
        assert_eq!(engine, 0, "the random mover did nothing wrong: {}", fault.detail);
        (kind, fault.count)
    });
    (faults.collect(), standings.first_engine().losses)
}

fn assert_fault(behaviour: &str, kind: FaultKind) {
    let tag = format!("fivestone-test-{}-{behaviour}", std::process::id());
    let found = faults_of(scripted(behaviour, &tag), &tag);
    assert_eq!(found, (vec![(kind, 2)], 2), "{behaviour}");
}

/// The same with a time limit that the script is to break.
fn assert_fault_in_time(behaviour: &str, kind: FaultKind) {
    let tag = format!("fivestone-test-{}-{behaviour}", std::process::id());
    let mut spec = scripted(behaviour, &tag);
    spec.time.turn = Some(Duration::from_millis(300));
    spec.tolerance = Duration::from_millis(200);
    let found = faults_of(spec, &tag);
    assert_eq!(found, (vec![(kind, 2)], 2), "{behaviour}");
}

#[test]
fn a_program_that_does_not_exist_loses() {
    let tag = "fivestone-test-none";
    let mut spec = scripted("none", tag);
    let Source::Program(program) = &mut spec.source else { unreachable!() };
    program.command = "/nowhere/pbrain-nothing".to_owned();
    assert_eq!(faults_of(spec, tag), (vec![(FaultKind::StartFailed, 2)], 2));
}

#[test]
fn a_crash_at_the_start_loses() {
    assert_fault("crash-at-start", FaultKind::StartFailed);
}

#[test]
fn a_refused_board_loses() {
    assert_fault("refuse", FaultKind::Refused);
}

#[test]
fn a_crash_in_the_game_loses() {
    assert_fault("crash", FaultKind::Crash);
}

#[test]
fn a_silent_exit_loses() {
    assert_fault("exit", FaultKind::Exited);
}

#[test]
fn a_hang_loses() {
    assert_fault_in_time("hang", FaultKind::Hang);
}

#[test]
fn a_late_answer_loses() {
    assert_fault_in_time("late", FaultKind::Late);
}

#[test]
fn a_move_off_the_board_loses() {
    assert_fault("illegal", FaultKind::IllegalMove);
}

#[test]
fn a_move_on_a_stone_loses() {
    assert_fault("occupied", FaultKind::Occupied);
}

#[test]
fn an_answer_that_is_no_move_loses() {
    assert_fault("format", FaultKind::BadFormat);
}

#[test]
fn a_flood_of_lines_loses() {
    assert_fault("flood", FaultKind::Flood);
}

#[test]
fn a_line_without_end_loses() {
    assert_fault("endless-line", FaultKind::Flood);
}

#[test]
fn too_much_memory_loses() {
    assert_fault("memory", FaultKind::Memory);
}

#[test]
fn the_memory_of_a_child_counts() {
    assert_fault("memory-of-child", FaultKind::Memory);
}

#[test]
fn ignoring_the_end_is_noted_and_the_process_killed() {
    let tag = format!("fivestone-test-{}-ignore-end", std::process::id());
    let (faults, _) = faults_of(scripted("ignore-end", &tag), &tag);
    assert_eq!(faults, [(FaultKind::IgnoredEnd, 1)]);
}

#[test]
fn a_sound_program_plays_without_faults_and_its_talk_is_recorded() {
    struct Talk(bool);
    impl Observer for Talk {
        fn game(&mut self, game: &GameRecord, _: &Standings) {
            let script = game.names.iter().position(|name| name == "sound").unwrap();
            let of_script = |(ply, _): &(usize, _)| ply % 2 == usize::from(script != game.black);
            let mut moves = game.moves.iter().enumerate().filter(of_script);
            self.0 &= moves.all(|(_, played)| played.depth == Some(3) && played.visits == Some(1000));
        }
        fn tick(&mut self, _: &Standings) {}
    }
    let tag = format!("fivestone-test-{}-sound", std::process::id());
    let mut config = MatchConfig::new(vec![scripted("sound", &tag), random()]);
    config.rounds = 3;
    config.concurrency = 2;
    let journal = journal(&tag);
    let mut tournament = Tournament::start(config, &journal).unwrap();
    let mut talk = Talk(true);
    assert_eq!(tournament.run(&mut talk, &Stop::new()).unwrap(), Conclusion::Complete);
    fs::remove_file(journal).unwrap();
    assert!(talk.0);
    assert_eq!(tournament.standings().games(), 6);
    assert_eq!(tournament.standings().faults().count(), 0);
    assert_eq!(alive(&tag), 0);
}
