//! What Ctrl-C and a request to terminate do.

use anyhow::Result;
use fivestone_engine::Stop;
use std::sync::{Mutex, MutexGuard, PoisonError};

type Action = Box<dyn FnMut() + Send>;

/// What the one handler of the process does.
static ACTION: Mutex<Option<Action>> = Mutex::new(None);

fn action() -> MutexGuard<'static, Option<Action>> {
    ACTION.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Acts on every interrupt, in place of the action before.
pub fn on_interrupt(act: impl FnMut() + Send + 'static) -> Result<()> {
    let before = action().replace(Box::new(act));
    if before.is_none() {
        ctrlc::set_handler(|| action().as_mut().into_iter().for_each(|act| act()))?;
    }
    Ok(())
}

/// A flag that an interrupt raises, in place of the action before.
pub fn stop_on_interrupt() -> Result<Stop> {
    let stop = Stop::new();
    let raised = stop.clone();
    on_interrupt(move || raised.raise())?;
    Ok(stop)
}
