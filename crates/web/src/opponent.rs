//! The engine that a page plays against: kept between its moves, so that what it found out is not lost, and thinking on in
//! between where that is wanted.

use crate::fault::Fault;
use crate::player::{MEMORY, PlayerSpec};
use crate::pool::{Next, Turn};
use fivestone_engine::levels::LEVELS;
use fivestone_engine::{Engine, Limits};
use fivestone_game::Board;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A forgotten page does not heat the room: after this no more is thought about a position.
const LONGEST: Duration = Duration::from_secs(300);
/// How long a move waits for the engine to come back from thinking in between.
const PATIENCE: Duration = Duration::from_millis(300);

/// The place of an engine between moves.
#[derive(Default)]
pub struct Opponent {
    place: Mutex<Place>,
    back: Condvar,
}

#[derive(Default)]
struct Place {
    /// The engine with what it was built from.
    engine: Option<(String, Box<dyn Engine>)>,
    /// Whether the engine is at work.
    out: bool,
}

impl PlayerSpec {
    /// What the player's engine is built from; nothing for a level that plays by chance and has nothing to remember.
    fn recipe(&self) -> Option<String> {
        match (self.level, &self.engine) {
            (Some(level), _) => (level == LEVELS.len()).then(|| format!("level {level}")),
            (None, engine) => Some(format!("{engine:?} {:?}", self.settings)),
        }
    }
}

impl Opponent {
    /// The engine of a player: the one that is kept, or a new one.
    pub fn take(&self, player: &PlayerSpec) -> Result<Box<dyn Engine>, Fault> {
        let place = self.place.lock().unwrap_or_else(PoisonError::into_inner);
        let waited = self.back.wait_timeout_while(place, PATIENCE, |place| place.out);
        let mut place = waited.unwrap_or_else(PoisonError::into_inner).0;
        place.out = true;
        let kept = place.engine.take();
        drop(place);
        match kept {
            Some((recipe, engine)) if Some(&recipe) == player.recipe().as_ref() => Ok(engine),
            _ => player.engine().inspect_err(|_| self.put(None)),
        }
    }

    /// Takes an engine back.
    pub fn keep(&self, player: &PlayerSpec, engine: Box<dyn Engine>) {
        self.put(player.recipe().map(|recipe| (recipe, engine)));
    }

    fn put(&self, engine: Option<(String, Box<dyn Engine>)>) {
        let mut place = self.place.lock().unwrap_or_else(PoisonError::into_inner);
        place.engine = engine;
        place.out = false;
        drop(place);
        self.back.notify_all();
    }
}

/// An engine that thinks while the other side does.
pub struct Pondering {
    opponent: Arc<Opponent>,
    player: PlayerSpec,
    engine: Option<Box<dyn Engine>>,
    board: Board,
    started: Option<Instant>,
}

impl Pondering {
    /// Makes ready to think about a position in which the other side is to move.
    pub fn new(opponent: Arc<Opponent>, player: PlayerSpec, board: Board) -> Result<Pondering, Fault> {
        if player.external.is_some() || player.recipe().is_none() {
            return Err(Fault::bad("only engines and the highest level think ahead"));
        }
        player.engine()?;
        Ok(Pondering { opponent, player, engine: None, board, started: None })
    }

    /// Thinks for a turn.
    pub fn turn(&mut self, turn: &Turn) -> Next {
        let started = *self.started.get_or_insert_with(Instant::now);
        let mut engine = match self.engine.take() {
            Some(engine) => engine,
            None => match self.opponent.take(&self.player) {
                Ok(engine) => engine,
                Err(_) => return Next::Done,
            },
        };
        let limits = Limits {
            turn: Some(turn.length),
            memory: MEMORY,
            threads: turn.threads,
            // With two lines a search does not end because one move is clearly best.
            lines: 2,
            ..Limits::default()
        };
        let turn_started = Instant::now();
        engine.think(&self.board, &limits, &turn.stop, &mut |_| {});
        self.engine = Some(engine);
        let nothing_left = turn_started.elapsed() < turn.length / 2 && !turn.stop.raised();
        if nothing_left || started.elapsed() > LONGEST { Next::Done } else { Next::Again }
    }
}

impl Drop for Pondering {
    fn drop(&mut self) {
        if let Some(engine) = self.engine.take() {
            self.opponent.keep(&self.player, engine);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fivestone_engine::Stop;
    use fivestone_game::{Rule, Size, notation};

    #[test]
    fn what_was_thought_in_between_is_there_for_the_move() {
        let opponent = Arc::new(Opponent::default());
        let player = PlayerSpec { engine: Some("fivestone".to_owned()), ..PlayerSpec::default() };
        let size = Size::new(15).expect("a size");
        let mut board = Board::new(size, Rule::Freestyle);
        for point in notation::parse_moves("h8i9g7", size).expect("moves") {
            board.play(point).expect("a move");
        }
        let mut pondering =
            Pondering::new(Arc::clone(&opponent), player.clone(), board.clone()).expect("an engine");
        let turn = Turn { stop: Stop::new(), length: Duration::from_millis(200), threads: 1 };
        assert_eq!(pondering.turn(&turn), Next::Again);
        // Another move does not wait for ever for an engine that is at work.
        let other = opponent.take(&player).expect("an engine");
        drop(other);
        drop(pondering);
        let mut engine = opponent.take(&player).expect("an engine");
        let expected = engine.think(&board, &Limits::visits(1), &Stop::new(), &mut |_| {}).best();
        board.play(expected).expect("a move");
        let known = engine.think(&board, &Limits::visits(1), &Stop::new(), &mut |_| {});
        // One visit is asked for; the others were made while the other side thought.
        assert!(known.lines[0].visits > 1, "{known:?}");
        opponent.keep(&player, engine);
        let level = PlayerSpec { level: Some(2), ..PlayerSpec::default() };
        assert!(Pondering::new(opponent, level, board).is_err());
    }
}
