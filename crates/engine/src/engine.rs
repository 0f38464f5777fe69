//! The front that every engine shows.

use crate::{Event, Limits, Report};
use fivestone_game::{Board, Rule, Size};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Something that thinks about a position and answers with a move.
pub trait Engine: Send {
    /// The name it is listed under.
    fn name(&self) -> &'static str;

    /// Thinks until the limits are spent or `stop` is raised and answers with at least one line.
    ///
    /// The position must have an empty point and not be over. Events may be sent at any time from the calling
    /// thread; the engine never prints.
    fn think(&mut self, board: &Board, limits: &Limits, stop: &Stop, events: &mut dyn FnMut(Event))
    -> Report;

    /// Forgets what belongs to the game so far.
    fn new_game(&mut self) {}

    /// Why it should not be asked to play under a rule on boards of a size, if there is a reason: a net that was given to it
    /// may be for other games.
    fn refusal(&self, _rule: Rule, _size: Size) -> Option<String> {
        None
    }
}

/// A flag that another thread raises to end a search. Clones share it.
#[derive(Clone, Default, Debug)]
pub struct Stop(Arc<AtomicBool>);

impl Stop {
    /// A flag that is not raised.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// Asks the search to end as soon as it can.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was raised.
    pub fn raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}
