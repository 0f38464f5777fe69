//! Self-play with a built-in engine.

use fivestone_arena::openings::OpeningBook;
use fivestone_engine::{ExploreLimits, Explorer, Limits, Proof, Settings, Stop};
use fivestone_game::{Board, GameEnd, Rule, Size};
use fivestone_learn::selfplay::{
    EngineSearcher, Gumbel, Openings, Resignation, SampleSink, SelfPlay, SelfPlayGame, Throughput,
};
use std::convert::Infallible;
use std::sync::Arc;

#[derive(Default)]
struct Games(Vec<SelfPlayGame>);

impl SampleSink for Games {
    type Error = Infallible;

    fn take(&mut self, game: &SelfPlayGame, _: &Throughput) -> Result<(), Infallible> {
        self.0.push(game.clone());
        Ok(())
    }
}

fn self_play(concurrent: usize) -> SelfPlay {
    let size = Size::new(9).unwrap();
    SelfPlay {
        searcher: Arc::new(|seed| {
            let seed = (seed >> 12).to_string();
            Box::new(EngineSearcher {
                engine: fivestone_engine::build("mcts-basic", [("seed", seed.as_str())]).unwrap(),
                full: Limits { visits: Some(60), lines: 81, ..Limits::default() },
                fast: Limits::visits(20),
                varied_moves: 4,
            })
        }),
        rule: Rule::Standard,
        sizes: vec![size],
        games: 6,
        concurrent,
        full_share: 0.25,
        resignation: None,
        openings: Openings::Book(OpeningBook::empty(size)),
        starts: None,
        branches: 0.0,
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
            let sum: f64 = position.judgement.moves.iter().map(|tried| tried.share).sum();
            assert!((sum - 1.0).abs() < 1e-9);
        }
    }
    assert_ne!(games[0].positions, games[1].positions);
    assert!(games.iter().flat_map(|game| &game.positions).any(|position| !position.full));
}

#[test]
fn branches_leave_a_game_for_a_move_that_was_not_played() {
    let run = |concurrent| {
        let mut games = Games::default();
        let play = SelfPlay { branches: 1.0, ..self_play(concurrent) };
        assert_eq!(play.run(&mut games, &Stop::new()).unwrap().games, games.0.len() as u64);
        games.0.sort_by_key(|game| game.number);
        games.0
    };
    let games = run(1);
    assert_eq!(games, run(3));
    let (mut branches, mut main) = (0, &games[0]);
    for game in &games {
        let Some((stray, path)) = game.opening.split_last() else {
            main = game;
            continue;
        };
        branches += 1;
        assert_eq!(game.number, main.number);
        let played: Vec<_> = main.positions.iter().map(|position| position.played).collect();
        assert_eq!(path, &played[..path.len()]);
        assert_ne!(*stray, played[path.len()]);
        let moves: Vec<_> =
            game.opening.iter().copied().chain(game.positions.iter().map(|p| p.played)).collect();
        let board = Board::from_moves(game.size, game.rule, &moves).unwrap();
        assert_eq!(board.end().and_then(GameEnd::winner), game.winner);
    }
    assert!(branches >= 3, "only {branches} of 6 games have a branch");
}

fn flagship_self_play(rule: Rule, sides: &[usize], resignation: Option<Resignation>) -> SelfPlay {
    let kind = fivestone_engine::kind("fivestone").unwrap();
    let limits =
        |simulations| ExploreLimits { simulations, considered: 8, noise: 1.0, solver_nodes: 200, harvest: 4 };
    let sizes: Vec<Size> = sides.iter().map(|&side| Size::new(side).unwrap()).collect();
    SelfPlay {
        searcher: Arc::new(move |_| {
            let explorer = Explorer::new(&Settings::defaults(kind));
            Box::new(Gumbel { explorer, full: limits(32), fast: limits(8), varied_moves: 4 })
        }),
        rule,
        sizes,
        games: 4,
        concurrent: 2,
        full_share: 0.5,
        resignation,
        openings: Openings::Balanced { stones: (3, 5), visits: 16, margin: 0.2 },
        starts: None,
        branches: 0.0,
        seed: 3,
    }
}

#[test]
fn the_flagship_plays_every_rule_and_size_until_the_result_is_certain() {
    for (rule, sides) in Rule::ALL.into_iter().zip([[15, 20], [16, 19], [15, 17], [18, 15], [20, 16]]) {
        let mut games = Games::default();
        let done = flagship_self_play(rule, &sides, None).run(&mut games, &Stop::new()).unwrap();
        assert_eq!((done.games, done.resigned.games), (4, 0));
        let mut targets = 0;
        for game in &games.0 {
            assert!((3..=5).contains(&game.opening.len()));
            assert_eq!(game.size.side(), sides[game.number as usize % 2]);
            let moves: Vec<_> =
                game.opening.iter().copied().chain(game.positions.iter().map(|p| p.played)).collect();
            let board = Board::from_moves(game.size, rule, &moves).unwrap();
            let last = game.positions.last().unwrap();
            let mover = !board.to_move();
            match board.end() {
                Some(end) => assert_eq!(end.winner(), game.winner),
                None if last.judgement.proof.is_some() => {
                    assert_eq!(
                        matches!(last.judgement.proof, Some(Proof::Win(_))),
                        game.winner == Some(mover)
                    );
                }
                // The other side was lost before it looked at any move.
                None => assert_eq!(game.winner, Some(mover)),
            }
            targets += game.positions.iter().filter(|position| position.is_target()).count();
            targets += game.harvest.len();
            check_harvest(game);
        }
        assert_eq!(done.targets, targets as u64);
        assert!(done.harvested > 0);
    }
}

/// Every harvested position can be reached, was not played, and comes once.
fn check_harvest(game: &SelfPlayGame) {
    let mut board = Board::from_moves(game.size, game.rule, &game.opening).unwrap();
    let mut hashes = Vec::new();
    for (ply, position) in game.positions.iter().enumerate() {
        hashes.push(board.hash());
        for aside in game.harvest.iter().filter(|aside| aside.ply == ply) {
            let mut board = board.clone();
            assert!(aside.position.path.iter().all(|&point| board.play(point) == Ok(None)));
            assert_eq!(board.hash(), aside.position.hash);
        }
        board.play(position.played).unwrap();
    }
    hashes.extend(game.harvest.iter().map(|aside| aside.position.hash));
    let all = hashes.len();
    hashes.sort_unstable();
    hashes.dedup();
    assert_eq!(hashes.len(), all);
}

#[test]
fn the_flagship_plays_the_same_games_again() {
    let run = |concurrent| {
        let mut games = Games::default();
        let play = flagship_self_play(Rule::Freestyle, &[15], None);
        SelfPlay { concurrent, ..play }.run(&mut games, &Stop::new()).unwrap();
        games.0.sort_by_key(|game| game.number);
        games.0
    };
    assert_eq!(run(1), run(2));
}

#[test]
fn hopeless_games_are_given_up_and_some_of_them_checked() {
    let resigned = |checked| {
        // Everybody gives up at once, so half of the games must be wrong to give up.
        let rule = Resignation { below: 0.6, positions: 1, checked };
        let mut games = Games::default();
        flagship_self_play(Rule::Freestyle, &[15], Some(rule)).run(&mut games, &Stop::new()).unwrap().resigned
    };
    let never_checked = resigned(0.0);
    assert!(never_checked.games > 0 && never_checked.checked == 0, "{never_checked:?}");
    assert_eq!(never_checked.wrong_share(), None);
    let always_checked = resigned(1.0);
    assert!(always_checked.games == 0 && always_checked.checked > 0, "{always_checked:?}");
}
