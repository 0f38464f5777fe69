//! Openings: who decides what, and what is refused.

use fivestone_game::opening::{Decision, Opening, OpeningError, OpeningState, Player, Task};
use fivestone_game::{Color, Point, Rule, Size, notation};
use proptest::prelude::*;

fn point(name: &str) -> Point {
    Point::parse(name, Size::STANDARD).unwrap()
}

fn start(opening: Opening, rule: Rule) -> OpeningState {
    OpeningState::new(opening, Size::STANDARD, rule)
}

fn place(state: &mut OpeningState, moves: &str) {
    for point in notation::parse_moves(moves, Size::STANDARD).unwrap() {
        state.decide(Decision::Place(point)).unwrap();
    }
}

fn refusal(state: &OpeningState, decision: Decision) -> String {
    let mut copy = state.clone();
    let error = copy.decide(decision).unwrap_err();
    assert_eq!(copy.task(), state.task(), "a refused decision changes nothing");
    error.to_string()
}

#[test]
fn free_is_a_normal_game_at_once() {
    let state = start(Opening::Free, Rule::Freestyle);
    assert_eq!(state.task(), Task::Play);
    assert_eq!(state.color_of(Player::First), Some(Color::Black));
    let (board, first) = state.hand_over().unwrap();
    assert_eq!((board.stone_count(), first), (0, Color::Black));
}

#[test]
fn pro_and_long_pro_keep_the_third_stone_out_of_the_centre() {
    for (opening, inside, outside) in [(Opening::Pro, "j10", "k9"), (Opening::LongPro, "k11", "l9")] {
        let mut state = start(opening, Rule::Standard);
        assert_eq!(
            refusal(&state, Decision::Place(point("h9"))),
            "h9 is not allowed here: the first stone goes in the centre"
        );
        assert_eq!(state.decider(), Player::First);
        place(&mut state, "h8");
        assert_eq!(state.decider(), Player::Second);
        place(&mut state, "a1");
        assert!(refusal(&state, Decision::Place(point(inside))).contains("outside the central"));
        assert_eq!(refusal(&state, Decision::Place(point("a1"))), "a1 is occupied");
        assert_eq!(state.decider(), Player::First);
        place(&mut state, outside);
        assert!(state.is_over());
        assert_eq!(state.decider(), Player::Second);
        assert_eq!(state.color_of(Player::Second), Some(Color::White));
    }
}

#[test]
fn pro_on_a_board_that_is_too_small_keeps_the_rim() {
    for side in 5..=8 {
        let size = Size::new(side).unwrap();
        for opening in [Opening::Pro, Opening::LongPro] {
            let mut state = OpeningState::new(opening, size, Rule::Freestyle);
            state.decide(Decision::Place(size.centre())).unwrap();
            let near = size.centre().offset(1, 0, size).unwrap();
            state.decide(Decision::Place(near)).unwrap();
            let allowed = state.task().points();
            assert!(!allowed.is_empty());
            assert!(allowed.iter().all(|point| size.ring(point) >= 2));
        }
    }
}

#[test]
fn swap_lets_the_second_player_pick_a_side() {
    let mut state = start(Opening::Swap, Rule::Freestyle);
    for color in [Color::Black, Color::White, Color::Black] {
        assert_eq!(state.decider(), Player::First);
        assert!(matches!(state.task(), Task::PlaceStone { color: asked, .. } if asked == color));
        let free = state.task().points().first().unwrap();
        state.decide(Decision::Place(free)).unwrap();
    }
    assert_eq!((state.decider(), state.task()), (Player::Second, Task::ChooseColor));
    assert_eq!(state.color_of(Player::Second), None);
    assert!(refusal(&state, Decision::AddTwo).contains("choose black or white"));
    state.decide(Decision::Take(Color::Black)).unwrap();
    assert_eq!(state.color_of(Player::First), Some(Color::White));
    assert_eq!(state.decider(), Player::First, "White puts the fourth stone");
}

#[test]
fn swap2_has_three_answers() {
    let mut state = start(Opening::Swap2, Rule::Standard);
    place(&mut state, "h8g7e11");
    assert_eq!((state.decider(), state.task()), (Player::Second, Task::Swap2Choice));

    let mut white = state.clone();
    white.decide(Decision::Take(Color::White)).unwrap();
    assert_eq!((white.decider(), white.task()), (Player::Second, Task::Play));

    let mut black = state.clone();
    black.decide(Decision::Take(Color::Black)).unwrap();
    assert_eq!(black.decider(), Player::First);

    state.decide(Decision::AddTwo).unwrap();
    assert_eq!(state.decider(), Player::Second);
    place(&mut state, "i7h6");
    assert_eq!((state.decider(), state.task()), (Player::First, Task::ChooseColor));
    state.decide(Decision::Take(Color::White)).unwrap();
    let (board, first) = state.hand_over().unwrap();
    assert_eq!((board.stone_count(), board.to_move(), first), (5, Color::White, Color::White));
}

#[test]
fn swap2_can_be_entered_where_the_protocol_asks() {
    let stones = notation::parse_moves("h8g7e11i7h6", Size::STANDARD).unwrap();
    let task = |count| {
        OpeningState::swap2_with(Size::STANDARD, Rule::Standard, &stones[..count])
            .map(|s| (s.decider(), s.task()))
    };
    assert!(matches!(task(0), Ok((Player::First, Task::PlaceStone { .. }))));
    assert_eq!(task(3), Ok((Player::Second, Task::Swap2Choice)));
    assert_eq!(task(5), Ok((Player::First, Task::ChooseColor)));
    assert_eq!(task(4), Err(OpeningError::BadStoneCount { count: 4 }));
    let twice = [stones[0], stones[1], stones[0]];
    let error = OpeningState::swap2_with(Size::STANDARD, Rule::Standard, &twice).unwrap_err();
    assert_eq!(error.to_string(), "h8 is occupied");
}

#[test]
fn soosorv_goes_through_two_swaps_offers_and_a_pick() {
    let mut state = start(Opening::Soosorv8, Rule::Renju);
    place(&mut state, "h8");
    assert!(refusal(&state, Decision::Place(point("h10"))).contains("next to the first"));
    assert_eq!(state.task().points().len(), 8);
    place(&mut state, "h9");
    assert_eq!(state.task().points().len(), 23);
    place(&mut state, "h10");
    assert_eq!((state.decider(), state.task()), (Player::Second, Task::ChooseColor));
    state.decide(Decision::Take(Color::Black)).unwrap();
    assert_eq!(state.decider(), Player::First, "White is now the first player");
    place(&mut state, "h7");
    assert_eq!((state.decider(), state.task()), (Player::First, Task::DeclareFifths { most: 8 }));
    assert_eq!(refusal(&state, Decision::Declare(9)), "9 fifth moves cannot be declared (1 to 8)");
    assert_eq!(refusal(&state, Decision::Declare(0)), "0 fifth moves cannot be declared (1 to 8)");
    state.decide(Decision::Declare(2)).unwrap();
    assert_eq!((state.decider(), state.task()), (Player::Second, Task::ChooseColor));
    assert_eq!(state.color_of(Player::Second), None);
    state.decide(Decision::Take(Color::White)).unwrap();
    assert_eq!(state.decider(), Player::First, "Black is now the first player again");
    place(&mut state, "i9");
    assert!(
        refusal(&state, Decision::Place(point("g9"))).contains("mirror image"),
        "the position is symmetric in column h"
    );
    place(&mut state, "g10");
    assert_eq!(state.decider(), Player::Second);
    assert_eq!(refusal(&state, Decision::Place(point("a1"))), "a1 is not allowed here: it was not offered");
    place(&mut state, "g10");
    let (board, first) = state.hand_over().unwrap();
    assert_eq!((board.stone_count(), board.to_move(), first), (5, Color::White, Color::Black));
}

#[test]
fn soosorv_has_26_openings() {
    let mut seen = std::collections::BTreeSet::new();
    let mut state = start(Opening::Soosorv8, Rule::Renju);
    place(&mut state, "h8");
    for second in state.task().points().iter() {
        let mut state = state.clone();
        state.decide(Decision::Place(second)).unwrap();
        for third in state.task().points().iter() {
            let mut state = state.clone();
            state.decide(Decision::Place(third)).unwrap();
            seen.insert(state.board().canonical_hash().0);
        }
    }
    assert_eq!(seen.len(), 26);
}

#[test]
fn a_point_of_a_larger_board_is_refused() {
    let small = Size::new(7).unwrap();
    let far = Point::new(20, 3, Size::MAX).unwrap();
    for opening in [Opening::Swap, Opening::Pro, Opening::Soosorv8] {
        let mut state = OpeningState::new(opening, small, Rule::Renju);
        assert_eq!(state.decide(Decision::Place(far)), Err(OpeningError::OffBoard { size: small }));
    }
}

#[test]
fn names_are_read_back() {
    for opening in Opening::ALL {
        assert_eq!(opening.name().parse(), Ok(opening));
    }
    assert!("swap3".parse::<Opening>().unwrap_err().to_string().contains("swap2"));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, rng_seed: prop::test_runner::RngSeed::Fixed(2017), ..ProptestConfig::default() })]

    /// Whatever is answered, right or wrong, nothing panics and the game begins.
    #[test]
    fn random_decisions_reach_the_game(
        opening in prop::sample::select(&Opening::ALL[..]),
        rule in prop::sample::select(&Rule::ALL[..]),
        side in 5usize..=22,
        answers in prop::collection::vec((0usize..5, 0usize..10_000), 60),
    ) {
        let size = Size::new(side).unwrap();
        let mut state = OpeningState::new(opening, size, rule);
        let any_point = |n: usize| Point::new(n % 22, n / 22 % 22, Size::MAX).unwrap();
        for (kind, n) in answers {
            let (task, stones) = (state.task(), state.board().stone_count());
            let points = task.points();
            let sensible = match task {
                Task::Play => break,
                Task::Swap2Choice if n % 3 == 0 => Decision::AddTwo,
                Task::ChooseColor | Task::Swap2Choice => Decision::Take(Color::BOTH[n % 2]),
                Task::DeclareFifths { most } => Decision::Declare(n % most + 1),
                _ => Decision::Place(points.iter().nth(n % points.len()).unwrap()),
            };
            let wild = [Decision::Place(any_point(n)), Decision::Take(Color::Black), Decision::AddTwo, Decision::Declare(n)];
            if let Some(&decision) = wild.get(kind) && state.decide(decision).is_err() {
                prop_assert_eq!((state.task(), state.board().stone_count()), (task, stones));
                state.decide(sensible).unwrap();
            } else if kind == 4 {
                state.decide(sensible).unwrap();
            }
            prop_assert!(state.board().end().is_none());
        }
        prop_assert!(state.is_over());
        prop_assert!(state.color_of(Player::First).is_some());
        prop_assert_eq!(state.color_of(Player::First).map(|c| !c), state.color_of(Player::Second));
    }
}
