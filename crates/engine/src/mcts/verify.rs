//! A last look at the move to be played: does it lose to a forced win?
//!
//! Simulations see a win by threes of the other side late or never where it looks unlikely. So the
//! solver gets a small share of the time for the move that is about to be played.

use super::rank::Candidate;
use super::search::Walker;
use crate::{Budget, Progress, Stop};
use fivestone_game::PointSet;
use std::time::{Duration, Instant};

/// Moves are looked at when this share of the time or the visits is used: what they are worth is
/// then mostly known, and there is time to find another.
const BEGIN: f64 = 0.6;
/// Positions the solver visits in the time of a simulation, about.
const NODES_A_VISIT: f64 = 10.0;
/// A look may use this part of what is left for looks: the move may change.
const EACH: f64 = 0.6;

/// The looks of one search.
pub(super) struct Verification {
    /// When looks begin.
    time: Option<Duration>,
    visits: Option<u64>,
    /// What is left for looks: time where it is limited, otherwise nodes.
    time_left: Option<Duration>,
    nodes_left: u64,
    looked_at: PointSet,
}

impl Verification {
    /// The looks of a search with this budget, of which they may use a share.
    pub fn new(budget: &Budget, share: f64) -> Verification {
        let nodes = budget.visits.map_or(0.0, |visits| visits as f64 * NODES_A_VISIT * share);
        Verification {
            time: budget.soft.map(|soft| soft.mul_f64(BEGIN)),
            visits: budget.visits.map(|visits| (visits as f64 * BEGIN) as u64),
            time_left: budget.soft.map(|soft| soft.mul_f64(share)),
            nodes_left: if budget.soft.is_some() { u64::MAX } else { nodes as u64 },
            looked_at: PointSet::EMPTY,
        }
    }

    /// Whether it is time to look.
    pub fn is_due(&self, progress: &Progress) -> bool {
        let late = self.time.is_some_and(|time| progress.elapsed >= time)
            || self.visits.is_some_and(|visits| progress.visits >= visits);
        late && self.nodes_left > 0 && self.time_left != Some(Duration::ZERO)
    }

    /// Looks at a move that was not looked at.
    pub fn run(&mut self, best: &Candidate, walker: &mut Walker, stop: &Stop) {
        if best.proof.is_some() || self.looked_at.contains(best.point) {
            return;
        }
        self.looked_at.insert(best.point);
        let started = Instant::now();
        let deadline = self.time_left.map(|left| started + left.mul_f64(EACH));
        let nodes = if deadline.is_some() {
            u64::MAX
        } else {
            let nodes = (self.nodes_left as f64 * EACH).ceil() as u64;
            self.nodes_left -= nodes.min(self.nodes_left);
            nodes
        };
        walker.try_to_refute(best.point, nodes, deadline, stop);
        self.time_left = self.time_left.map(|left| left.saturating_sub(started.elapsed()));
    }
}
