//! Engines answer every decision of every opening.

use fivestone_engine::opening::decide;
use fivestone_engine::{Engine, Event, Limits, Report, Rng, Stop, build};
use fivestone_game::opening::{Decision, Opening, OpeningState, Task};
use fivestone_game::{Board, Color, Rule, Size, notation};

#[test]
fn every_engine_gets_through_every_opening() {
    for name in ["random", "mcts-basic", "alpha-beta"] {
        for rule in [Rule::Freestyle, Rule::Renju] {
            for side in [5, 7, 15, 22] {
                for opening in Opening::ALL {
                    let mut engine = build(name, []).unwrap();
                    let mut rng = Rng::new(1);
                    let mut state = OpeningState::new(opening, Size::new(side).unwrap(), rule);
                    while !state.is_over() {
                        let limits = Limits::visits(200);
                        let decision = decide(&mut *engine, &state, &limits, &Stop::new(), &mut rng);
                        state.decide(decision).unwrap_or_else(|error| panic!("{name} {opening}: {error}"));
                    }
                }
            }
        }
    }
}

#[test]
fn seeds_vary_the_first_stones() {
    let stones = |seed| {
        let mut engine = build("alpha-beta", []).unwrap();
        let (mut rng, limits) = (Rng::new(seed), Limits::visits(400));
        let mut state = OpeningState::new(Opening::Swap2, Size::STANDARD, Rule::Standard);
        while matches!(state.task(), Task::PlaceStone { .. }) {
            state.decide(decide(&mut *engine, &state, &limits, &Stop::new(), &mut rng)).unwrap();
        }
        state.board().moves().to_vec()
    };
    assert_eq!(stones(1), stones(1));
    assert_ne!(stones(1), stones(2));
}

/// Gives every position the same win probability.
struct Sure(f64);

impl Engine for Sure {
    fn name(&self) -> &'static str {
        "sure"
    }

    fn think(&mut self, board: &Board, _: &Limits, _: &Stop, _: &mut dyn FnMut(Event)) -> Report {
        let mut report = Report::of_move(board.empty().first().unwrap());
        report.lines[0].winrate = self.0;
        report
    }
}

#[test]
fn swap2_follows_the_expectation() {
    let stones = notation::parse_moves("h8g7e11i7h6", Size::STANDARD).unwrap();
    let answer = |winrate, count| {
        let state = OpeningState::swap2_with(Size::STANDARD, Rule::Standard, &stones[..count]).unwrap();
        decide(&mut Sure(winrate), &state, &Limits::default(), &Stop::new(), &mut Rng::new(1))
    };
    assert_eq!(answer(0.2, 3), Decision::Take(Color::Black));
    assert_eq!(answer(0.5, 3), Decision::AddTwo);
    assert_eq!(answer(0.8, 3), Decision::Take(Color::White));
    assert_eq!(answer(0.4, 5), Decision::Take(Color::Black));
    assert_eq!(answer(0.6, 5), Decision::Take(Color::White));
}
