//! Evaluations of many games gathered into one call.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

type Evaluate<Q, A> = dyn Fn(Vec<Q>) -> Vec<A> + Send + Sync;

/// Gathers questions of several threads and answers them together.
///
/// Every thread takes a [`Seat`]. A batch is evaluated by the thread whose question completes it: when it is full, or when every seat
/// waits for an answer. So no batch ever waits for somebody who is not going to ask.
pub struct Batcher<Q, A> {
    evaluate: Box<Evaluate<Q, A>>,
    largest: usize,
    state: Mutex<State<Q, A>>,
    answered: Condvar,
}

struct State<Q, A> {
    seats: usize,
    /// Threads that wait for an answer to a question of any batch.
    waiting: usize,
    questions: Vec<Q>,
    tickets: Vec<u64>,
    answers: Vec<(u64, A)>,
    next_ticket: u64,
}

impl<Q: Send, A: Send> Batcher<Q, A> {
    /// A batcher for batches of at most `largest` questions. The function answers each question at its place.
    pub fn new(largest: usize, evaluate: impl Fn(Vec<Q>) -> Vec<A> + Send + Sync + 'static) -> Batcher<Q, A> {
        let state = State {
            seats: 0,
            waiting: 0,
            questions: Vec::new(),
            tickets: Vec::new(),
            answers: Vec::new(),
            next_ticket: 0,
        };
        Batcher {
            evaluate: Box::new(evaluate),
            largest: largest.max(1),
            state: Mutex::new(state),
            answered: Condvar::new(),
        }
    }

    /// Takes part until the seat is dropped.
    pub fn seat(&self) -> Seat<'_, Q, A> {
        self.lock().seats += 1;
        Seat { batcher: self }
    }

    fn lock(&self) -> MutexGuard<'_, State<Q, A>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Evaluates what has gathered if nobody is left to add to it.
    fn evaluate_if_complete<'a>(
        &'a self,
        mut state: MutexGuard<'a, State<Q, A>>,
    ) -> MutexGuard<'a, State<Q, A>> {
        let complete = state.questions.len() >= self.largest || state.waiting >= state.seats;
        if state.questions.is_empty() || !complete {
            return state;
        }
        let questions = std::mem::take(&mut state.questions);
        let tickets = std::mem::take(&mut state.tickets);
        // Others may gather the next batch meanwhile.
        drop(state);
        let answers = (self.evaluate)(questions);
        assert_eq!(answers.len(), tickets.len(), "every question of a batch has an answer");
        let mut state = self.lock();
        state.waiting -= answers.len();
        state.answers.extend(tickets.into_iter().zip(answers));
        self.answered.notify_all();
        state
    }
}

/// The right to ask a [`Batcher`].
pub struct Seat<'a, Q: Send, A: Send> {
    batcher: &'a Batcher<Q, A>,
}

impl<Q: Send, A: Send> Seat<'_, Q, A> {
    /// Asks and waits for the answer.
    pub fn ask(&mut self, question: Q) -> A {
        let batcher = self.batcher;
        let mut state = batcher.lock();
        let ticket = state.next_ticket;
        state.next_ticket += 1;
        state.questions.push(question);
        state.tickets.push(ticket);
        state.waiting += 1;
        state = batcher.evaluate_if_complete(state);
        loop {
            if let Some(place) = state.answers.iter().position(|(of, _)| *of == ticket) {
                return state.answers.swap_remove(place).1;
            }
            state = batcher.answered.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl<Q: Send, A: Send> Drop for Seat<'_, Q, A> {
    fn drop(&mut self) {
        let mut state = self.batcher.lock();
        state.seats -= 1;
        // Whoever leaves may have been the one the others waited for.
        drop(self.batcher.evaluate_if_complete(state));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    #[test]
    fn every_question_gets_its_own_answer_in_full_batches() {
        let batches = Arc::new(AtomicUsize::new(0));
        let counter = batches.clone();
        let batcher = Batcher::new(4, move |questions: Vec<u64>| {
            counter.fetch_add(1, Ordering::Relaxed);
            assert!(questions.len() <= 4);
            questions.into_iter().map(|question| question * question).collect()
        });
        std::thread::scope(|scope| {
            let seats: Vec<_> = (0..4).map(|_| batcher.seat()).collect();
            for (thread, mut seat) in seats.into_iter().enumerate() {
                scope.spawn({
                    move || {
                        // Different lengths: the others must not wait for one who has left.
                        for k in 0..50 * (thread as u64 + 1) {
                            assert_eq!(seat.ask(k), k * k);
                        }
                    }
                });
            }
        });
        assert_eq!(
            batches.load(Ordering::Relaxed),
            200,
            "the longest thread asks 200 times, always with all who are left"
        );
    }
}
