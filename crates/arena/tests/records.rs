//! Games that a match wrote as PSQ and SGF are read back as they were played.

use fivestone_arena::game::Ending;
use fivestone_arena::record::{GameRecord, record_of, write_psq, write_sgf};
use fivestone_arena::stats::Score;
use fivestone_arena::{EngineSpec, Fault, FaultKind, MatchConfig, Observer, Source, Standings, Tournament};
use fivestone_engine::Stop;
use fivestone_formats::reader::{Options, Reader};
use fivestone_formats::record::{Outcome, Record};
use fivestone_game::Color;
use std::fs;

#[derive(Default)]
struct Collector(Vec<GameRecord>);

impl Observer for Collector {
    fn game(&mut self, game: &GameRecord, _: &Standings) {
        self.0.push(game.clone());
    }
    fn tick(&mut self, _: &Standings) {}
}

fn read(bytes: &[u8], game: &GameRecord) -> Vec<Record> {
    let options = Options { rule: Some(game.rule), ..Options::default() };
    Reader::new(bytes, options).map(|entry| entry.unwrap().game.into_record()).collect()
}

/// The games of a short match, and what is in its files.
fn short_match(name: &str) -> (Vec<GameRecord>, Vec<u8>, Vec<Vec<u8>>) {
    let directory = std::env::temp_dir().join(format!("fivestone-records-{}-{name}", std::process::id()));
    let _ = fs::remove_dir_all(&directory);
    fs::create_dir(&directory).unwrap();
    let engine = |name: &str, visits| {
        let mut spec = EngineSpec::new(name, Source::BuiltIn(name.to_owned()));
        spec.visits = Some(visits);
        spec
    };
    let mut config = MatchConfig::new(vec![engine("mcts-basic", 20), engine("random", 1)]);
    config.rounds = 3;
    config.outputs.sgf = Some(directory.join("games.sgf"));
    config.outputs.psq = Some(directory.join("psq"));
    let mut games = Collector::default();
    let mut tournament = Tournament::start(config, &directory.join("journal.jsonl")).unwrap();
    tournament.run(&mut games, &Stop::new()).unwrap();
    let sgf = fs::read(directory.join("games.sgf")).unwrap();
    let psq = games.0.iter().map(|game| directory.join("psq").join(format!("{:06}.psq", game.id + 1)));
    let psq = psq.map(|path| fs::read(path).unwrap()).collect();
    fs::remove_dir_all(directory).unwrap();
    (games.0, sgf, psq)
}

#[test]
fn a_match_is_read_back_from_its_files() {
    let (games, sgf, psq) = short_match("files");
    assert_eq!(games.len(), 6);
    let expected: Vec<Record> = games.iter().map(record_of).collect();
    assert_eq!(read(&sgf, &games[0]), expected);
    for ((bytes, expected), game) in psq.iter().zip(&expected).zip(&games) {
        let again = read(bytes, game).pop().unwrap();
        assert_eq!((&again.moves, &again.times), (&expected.moves, &expected.times));
        assert_eq!(again.header.outcome, expected.header.outcome);
        assert_eq!(
            (&again.header.black, &again.header.white),
            (&expected.header.black, &expected.header.white)
        );
    }
    let sgf = String::from_utf8(sgf).unwrap();
    for word in ["RU[freestyle]", "SZ[15]", "RO[3]", "C[five in a row]", "ms, winrate ", "visits 20"] {
        assert!(sgf.contains(word), "{word}: {sgf}");
    }
}

#[test]
fn a_loss_by_a_fault_is_read_back_as_a_loss() {
    let (games, ..) = short_match("faults");
    let mut game = games[0].clone();
    game.moves.truncate(3);
    game.moves[0].opening = true;
    for (kind, code) in [
        (FaultKind::Late, "15"),
        (FaultKind::Memory, "16"),
        (FaultKind::Occupied, "7"),
        (FaultKind::Crash, "15"),
    ] {
        game.ending = Ending::Fault(Fault::new(kind, "as told"));
        // White is to move after three stones.
        game.black = 0;
        game.score = Score::Win;
        let bytes = write_psq(&game);
        assert_eq!(String::from_utf8_lossy(&bytes).lines().last(), Some(code));
        let expected = record_of(&game);
        assert_eq!(expected.opening, 1);
        assert_eq!(expected.header.outcome, Outcome::Win(Color::Black));
        assert_eq!(read(&bytes, &game)[0].header.outcome, expected.header.outcome);
        assert_eq!(read(&write_sgf(&game), &game), [expected]);
    }
}
