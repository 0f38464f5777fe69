//! The engine that a page plays against: kept between its moves, so that what it found out is not lost, and thinking on in
//! between where that is wanted.

use crate::fault::Fault;
use crate::player::MEMORY;
use crate::pool::{Next, Turn};
use crate::wire::PlayerSpec;
use fivestone_engine::{Engine, Limits, Stop};
use fivestone_game::Board;
use fivestone_host::{EngineChoice, EngineHost, HostError, News, Pending, Tell};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A forgotten page does not heat the room: after this no more is thought about a position.
const LONGEST: Duration = Duration::from_secs(300);

/// The place of an engine, which stays there between moves.
#[derive(Default)]
pub struct Opponent(Mutex<Seat>);

#[derive(Default)]
struct Seat {
    /// Started by the first search and with its priority.
    host: Option<EngineHost>,
    /// What the engine is, if it may stay.
    choice: Option<EngineChoice>,
}

impl Seat {
    /// The engine of a player: the one that sits there, or a new one.
    fn host(&mut self, player: &PlayerSpec) -> Result<&EngineHost, Fault> {
        let choice = player.choice()?;
        if self.choice.as_ref() != Some(&choice) || self.host.is_none() {
            // Levels differ from game to game; an engine plays as it is set.
            let by_chance = player.level.is_some();
            let engine = if by_chance { choice.build_with_seed(player.seed()) } else { choice.build() };
            match &self.host {
                Some(host) => host.replace(engine),
                None => self.host = Some(EngineHost::start(engine).map_err(|error| fault_of(&error))?),
            }
            self.choice = choice.remembers().then_some(choice);
        }
        Ok(self.host.as_ref().expect("it was started above"))
    }
}

/// A page is not told what went wrong inside.
fn fault_of(_: &HostError) -> Fault {
    Fault::broken()
}

impl Opponent {
    fn lock(&self) -> MutexGuard<'_, Seat> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks the engine of a player and waits for its answer; pondering gives way.
    pub fn consult<T: Send + 'static>(
        &self,
        player: &PlayerSpec,
        stop: &Stop,
        question: impl FnOnce(&mut dyn Engine, &Stop, Tell) -> T + Send + 'static,
    ) -> Result<T, Fault> {
        self.wait(player, |host, news| host.ask(stop, question, news))
    }

    /// Lets the engine of a player think until somebody asks it something.
    fn ponder<T: Send + 'static>(
        &self,
        player: &PlayerSpec,
        stop: &Stop,
        question: impl FnOnce(&mut dyn Engine, &Stop, Tell) -> T + Send + 'static,
    ) -> Result<T, Fault> {
        self.wait(player, |host, news| host.ponder(stop, question, news))
    }

    fn wait<T: Send + 'static>(
        &self,
        player: &PlayerSpec,
        ask: impl FnOnce(&EngineHost, Box<dyn FnMut(News<T>) + Send>),
    ) -> Result<T, Fault> {
        let (news, pending) = Pending::new();
        // Asked under the lock, so that nobody seats another engine in between.
        ask(self.lock().host(player)?, Box::new(news));
        pending.wait(&mut |_| {}).map_err(|error| {
            *self.lock() = Seat::default();
            fault_of(&error)
        })
    }
}

/// An engine that thinks while the other side does.
pub struct Pondering {
    opponent: Arc<Opponent>,
    player: PlayerSpec,
    board: Board,
    started: Option<Instant>,
}

impl Pondering {
    /// Makes ready to think about a position in which the other side is to move.
    pub fn new(opponent: Arc<Opponent>, player: PlayerSpec, board: Board) -> Result<Pondering, Fault> {
        if player.external.is_some() || !player.choice()?.remembers() {
            return Err(Fault::bad("only engines and the highest level think ahead"));
        }
        Ok(Pondering { opponent, player, board, started: None })
    }

    /// Thinks for a turn.
    pub fn turn(&mut self, turn: &Turn) -> Result<Next, Fault> {
        let started = *self.started.get_or_insert_with(Instant::now);
        let limits = Limits {
            turn: Some(turn.length),
            memory: MEMORY,
            threads: turn.threads,
            // With two lines a search does not end because one move is clearly best.
            lines: 2,
            ..Limits::default()
        };
        let (board, half) = (self.board.clone(), turn.length / 2);
        let nothing_left = self.opponent.ponder(&self.player, &turn.stop, move |engine, stop, tell| {
            let turn_started = Instant::now();
            engine.think(&board, &limits, stop, tell);
            turn_started.elapsed() < half && !stop.raised()
        })?;
        Ok(if nothing_left || started.elapsed() > LONGEST { Next::Done } else { Next::Again })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fivestone_engine::Report;
    use fivestone_game::{Rule, Size, notation};

    fn position() -> Board {
        let size = Size::new(15).expect("a size");
        let mut board = Board::new(size, Rule::Freestyle);
        for point in notation::parse_moves("h8i9g7", size).expect("moves") {
            board.play(point).expect("a move");
        }
        board
    }

    fn one_visit(opponent: &Opponent, player: &PlayerSpec, board: &Board) -> Report {
        let board = board.clone();
        let question = move |engine: &mut dyn Engine, stop: &Stop, tell: Tell| {
            engine.think(&board, &Limits::visits(1), stop, tell)
        };
        opponent.consult(player, &Stop::new(), question).expect("an answer")
    }

    fn flagship() -> PlayerSpec {
        PlayerSpec { engine: Some("fivestone".to_owned()), ..PlayerSpec::default() }
    }

    fn a_turn(length: Duration) -> Turn {
        Turn { stop: Stop::new(), length, threads: 1 }
    }

    #[test]
    fn what_was_thought_in_between_is_there_for_the_move() {
        let (opponent, player, mut board) = (Arc::new(Opponent::default()), flagship(), position());
        let mut pondering =
            Pondering::new(Arc::clone(&opponent), player.clone(), board.clone()).expect("an engine");
        assert_eq!(pondering.turn(&a_turn(Duration::from_millis(200))), Ok(Next::Again));
        let expected = one_visit(&opponent, &player, &board).best();
        board.play(expected).expect("a move");
        let known = one_visit(&opponent, &player, &board);
        // One visit is asked for; the others were made while the other side thought.
        assert!(known.lines[0].visits > 1, "{known:?}");
        let level = PlayerSpec { level: Some(2), ..PlayerSpec::default() };
        assert!(Pondering::new(opponent, level, board).is_err());
    }

    #[test]
    fn a_move_does_not_wait_for_an_engine_that_thinks_ahead() {
        let (opponent, player, board) = (Arc::new(Opponent::default()), flagship(), position());
        let mut pondering =
            Pondering::new(Arc::clone(&opponent), player.clone(), board.clone()).expect("an engine");
        std::thread::scope(|scope| {
            let long = a_turn(Duration::from_secs(120));
            let ahead = scope.spawn(move || pondering.turn(&long));
            while opponent.lock().host.is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
            one_visit(&opponent, &player, &board);
            // It gave way, and has not come to an end.
            assert_eq!(ahead.join().expect("no panic"), Ok(Next::Again));
        });
    }

    #[test]
    fn an_engine_that_fails_is_told_and_the_next_one_is_new() {
        let (opponent, player, board) = (Opponent::default(), flagship(), position());
        let failed = opponent.consult(&player, &Stop::new(), |_, _, _| panic!("a question that fails"));
        let failed: Result<(), Fault> = failed;
        assert_eq!(failed, Err(Fault::broken()));
        one_visit(&opponent, &player, &board);
    }
}
