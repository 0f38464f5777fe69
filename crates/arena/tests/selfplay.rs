//! Self-play with a built-in engine.

use fivestone_arena::openings::OpeningBook;
use fivestone_arena::player::BuiltIn;
use fivestone_arena::selfplay::{SampleSink, SelfPlay, SelfPlayGame, TextSink};
use fivestone_arena::{EngineSpec, Source};
use fivestone_engine::{Limits, Stop};
use fivestone_game::{Board, GameEnd, Rule, Size};

#[derive(Default)]
struct Games(Vec<SelfPlayGame>);

impl SampleSink for Games {
    fn take(&mut self, game: &SelfPlayGame) -> Result<(), String> {
        self.0.push(game.clone());
        Ok(())
    }
}

fn self_play(concurrent: usize) -> SelfPlay {
    let spec = EngineSpec::new("mcts-basic", Source::BuiltIn("mcts-basic".to_owned()));
    let size = Size::new(9).unwrap();
    SelfPlay {
        factory: BuiltIn::factory(&spec).unwrap(),
        rule: Rule::Standard,
        size,
        games: 6,
        concurrent,
        full: Limits { visits: Some(60), lines: 81, ..Limits::default() },
        fast: Some(Limits::visits(20)),
        full_share: 0.25,
        varied_moves: 4,
        book: OpeningBook::empty(size),
        seed: 5,
    }
}

#[test]
fn games_are_sound_and_do_not_depend_on_the_number_of_threads() {
    let run = |concurrent| {
        let mut games = Games::default();
        let done = self_play(concurrent).run(&mut games, &Stop::new()).unwrap();
        games.0.sort_by_key(|game| game.number);
        assert_eq!(done.games, 6);
        let positions: usize = games.0.iter().map(|game| game.positions.len()).sum();
        assert_eq!(done.positions, positions as u64);
        games.0
    };
    let games = run(1);
    assert_eq!(games, run(3));
    for game in &games {
        let moves: Vec<_> = game.positions.iter().map(|position| position.played).collect();
        let board = Board::from_moves(game.size, game.rule, &moves).unwrap();
        assert_eq!(board.end().and_then(GameEnd::winner), game.winner);
        for position in &game.positions {
            let sum: f64 = position.policy.iter().map(|(_, share)| share).sum();
            assert!((sum - 1.0).abs() < 1e-9);
        }
    }
    assert_ne!(games[0].positions, games[1].positions);
    assert!(games.iter().flat_map(|game| &game.positions).any(|position| !position.full));
}

#[test]
fn the_text_has_a_line_per_game() {
    let mut sink = TextSink(Vec::new());
    self_play(2).run(&mut sink, &Stop::new()).unwrap();
    let text = String::from_utf8(sink.0).unwrap();
    assert_eq!(text.lines().count(), 6);
    assert!(text.lines().all(|line| line.starts_with("standard 9 ") && line.contains(':')));
}
