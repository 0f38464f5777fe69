//! The front that every engine shows.

use crate::{Event, Limits, Report};
use fivestone_game::{Board, Rule, Size};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

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
pub struct Stop(Arc<Flag>);

#[derive(Default, Debug)]
struct Flag {
    raised: AtomicBool,
    /// Those that are raised with this one. A raise passes it on, so that searches look at a single
    /// flag.
    children: Mutex<Vec<Weak<Flag>>>,
    /// Keeps the way from the first ancestor whole when nobody else holds the flags between.
    _parent: Option<Stop>,
}

impl Stop {
    /// A flag that is not raised.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// A flag that is raised with this one, and that can be raised without it.
    pub fn child(&self) -> Stop {
        let mut children = self.0.lock_children();
        // Looked at under the lock: a raise at the same time either finds the child in the list or
        // is seen here.
        let raised = AtomicBool::new(self.raised());
        let child = Arc::new(Flag { raised, children: Mutex::default(), _parent: Some(self.clone()) });
        children.retain(|child| child.strong_count() > 0);
        children.push(Arc::downgrade(&child));
        Stop(child)
    }

    /// Asks the search to end as soon as it can.
    pub fn raise(&self) {
        let mut children = self.0.lock_children();
        self.0.raised.store(true, Ordering::Relaxed);
        let raised_too = std::mem::take(&mut *children);
        drop(children);
        raised_too.iter().filter_map(Weak::upgrade).for_each(|child| Stop(child).raise());
    }

    /// Whether it was raised.
    pub fn raised(&self) -> bool {
        self.0.raised.load(Ordering::Relaxed)
    }
}

impl Flag {
    fn lock_children(&self) -> MutexGuard<'_, Vec<Weak<Flag>>> {
        self.children.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_is_raised_with_its_parent_and_never_raises_it() {
        let parent = Stop::new();
        let (child, sibling) = (parent.child(), parent.child());
        child.raise();
        assert_eq!([parent.raised(), child.raised(), sibling.raised()], [false, true, false]);
        parent.clone().raise();
        assert_eq!([parent.raised(), sibling.raised()], [true, true]);
        assert!(parent.child().raised(), "born after the raise");
    }

    #[test]
    fn a_raise_reaches_grandchildren_whose_parent_nobody_holds() {
        let oldest = Stop::new();
        let youngest = oldest.child().child();
        assert!(!youngest.raised());
        oldest.raise();
        assert!(youngest.raised());
    }

    #[test]
    fn children_that_are_gone_are_forgotten() {
        let parent = Stop::new();
        for _ in 0..1000 {
            parent.child();
        }
        assert!(parent.0.lock_children().len() <= 1);
    }

    #[test]
    fn no_child_misses_a_raise_at_the_same_time() {
        for _ in 0..200 {
            let parent = Stop::new();
            let children = std::thread::scope(|scope| {
                scope.spawn(|| parent.raise());
                (0..20).map(|_| parent.child()).collect::<Vec<Stop>>()
            });
            assert!(children.iter().all(Stop::raised));
        }
    }
}
