//! Programs that speak the Gomocup protocol. They are named when the server is started, never by a page.

use crate::fault::Fault;
use crate::game::{Game, decision_word};
use crate::player::Acted;
use crate::position::round;
use axum::http::StatusCode;
use fivestone_arena::clock::{Clock, TimeControl};
use fivestone_arena::player::{self, Patience, Player, Setup, Silence};
use fivestone_arena::{EngineSpec, Program, Source};
use fivestone_engine::{Limits, Stop};
use fivestone_game::opening::Decision;
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A program to play against.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct External {
    /// The name in lists.
    pub name: String,
    /// The program.
    pub command: PathBuf,
}

impl External {
    /// Starts the program, asks it, and ends it again; nothing when it was stopped.
    pub(crate) fn act(&self, game: &Game, limits: &Limits, stop: &Stop) -> Result<Option<Acted>, Fault> {
        let started = Instant::now();
        let program = Program {
            command: self.command.to_string_lossy().into_owned(),
            arguments: Vec::new(),
            directory: None,
            stderr: None,
        };
        let turn = limits.turn.unwrap_or(Duration::from_secs(2));
        let time = TimeControl { game: limits.match_left, turn: Some(turn), increment: limits.increment };
        let spec =
            EngineSpec { time, ..EngineSpec::new(self.name.clone(), Source::Program(program.clone())) };
        let mut player = Box::new(player::External::new(spec, program, Patience::default()));
        let clock = Clock::new(time);
        let (rule, size) = (game.board.rule(), game.board.size());
        let answered = player.begin(&Setup { rule, size, seed: 1, clock }).and_then(|()| {
            if game.opening.is_over() {
                let answer = player.think(&game.board, &clock, stop)?;
                return Ok((vec![Decision::Place(answer.point)], answer.winrate, answer.visits));
            }
            let answer = player.open(&game.opening, &clock, stop)?;
            let first_move = answer.first_move.map(Decision::Place);
            Ok((answer.decisions.into_iter().chain(first_move).collect(), None, None))
        });
        player.retire();
        match answered {
            Err(Silence::Stopped) => Ok(None),
            Err(Silence::Fault(fault)) => Err(Fault {
                status: StatusCode::BAD_GATEWAY,
                message: format!("{}: {}", self.name, fault.detail),
            }),
            Ok((decisions, winrate, visits)) => {
                let mut words = decisions.into_iter().map(|decision| decision_word(decision, size));
                let first = words.next().ok_or_else(|| Fault {
                    status: StatusCode::BAD_GATEWAY,
                    message: format!("{} decided nothing", self.name),
                })?;
                Ok(Some(Acted {
                    then: words.collect(),
                    winrate: winrate.map(round),
                    visits,
                    elapsed_ms: started.elapsed().as_millis() as u64,
                    ..Acted::of(first)
                }))
            }
        }
    }
}
