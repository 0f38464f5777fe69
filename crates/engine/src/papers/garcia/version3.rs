//! `monomial-v3`: rank scores without a point table, the winning search, and the primary search twice as deep.

use super::explain;
use super::primary::Numbers;
use super::ranks::Ranked;
use super::searcher::{self, CPUCT, HIGH, LOW, Task, WARM_UP, WIDTH};
use super::winning::{Means, Win, Winning};
use crate::parameters::{SEED, number, parameters};
use crate::registry::{EngineKind, NetUse};
use crate::report::{Line, Proof};
use crate::{Budget, Engine, Event, Limits, Report, Rng, Settings, Stop};
use fivestone_game::{Board, Point};

/// The listing of the engine.
pub const KIND: EngineKind = EngineKind {
    name: "monomial-v3",
    paper: Some("Garcia 2020"),
    description: "a search for forced wins, then tree search over rank scores",
    parameters: Parameters::TABLE,
    tuned: &[],
    nets: NetUse::None,
    explain: Some(explain::version3),
    build: |settings| Box::new(Version3::new(settings)),
};

parameters! {
    struct Parameters {
        depth: usize =
            number(30.0, 1.0..=484.0, "moves from the root after which a rollout is a tie"),
        winning: u64 = number(
            20_000.0,
            0.0..=1e9,
            "most nodes of the search for a forced win, at most half of the limits; 0 for none",
        ),
        width: usize = WIDTH,
        cpuct: f64 = CPUCT,
        warm_up: u64 = WARM_UP,
        low_temperature: f64 = LOW,
        high_temperature: f64 = HIGH,
        seed: u64 = SEED,
    }
}

impl Parameters {
    /// The numbers of the primary search.
    fn numbers(&self) -> Numbers {
        Numbers {
            width: self.width,
            depth: self.depth,
            cpuct: self.cpuct,
            warm_up: self.warm_up,
            low: self.low_temperature,
            high: self.high_temperature,
        }
    }
}

/// How often the winning search asks the clock, in nodes: well below a millisecond.
const CLOCK_STEP: u64 = 32;

struct Version3 {
    numbers: Numbers,
    winning: u64,
    rng: Rng,
    /// The proof tree of the last win, from which the rest of the game is played.
    win: Option<Win>,
}

impl Version3 {
    fn new(settings: &Settings) -> Version3 {
        let parameters = Parameters::of(&settings.values());
        Version3 {
            numbers: parameters.numbers(),
            winning: parameters.winning,
            rng: Rng::new(parameters.seed),
            win: None,
        }
    }

    /// Looks for a forced win within half of the limits, with fours alone and then with threes; answers the nodes it took.
    fn look_for_win(
        &mut self,
        board: &Board,
        root: &Ranked,
        budget: &Budget,
        memory: usize,
        stop: &Stop,
    ) -> u64 {
        let most = self.winning.min(budget.visits.map_or(u64::MAX, |visits| visits / 2));
        let nodes = memory / 4 / 64;
        let mut used = 0;
        self.win = None;
        for (means, share) in [(Means::Fours, 4), (Means::FoursAndThrees, 1)] {
            let mut search = Winning::new(board, root, means, self.numbers.depth);
            let late = |part: u32| {
                let elapsed = budget.started.elapsed();
                stop.raised()
                    || [budget.soft, budget.hard].iter().flatten().any(|&time| elapsed * part > time)
            };
            while !search.is_over() && used + search.expansions < most / share && search.size() < nodes {
                search.step();
                if search.expansions.is_multiple_of(CLOCK_STEP) && late(2 * share as u32) {
                    break;
                }
            }
            used += search.expansions;
            self.win = search.win(board);
            if self.win.is_some() {
                break;
            }
        }
        used
    }
}

impl Engine for Version3 {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn think(
        &mut self,
        board: &Board,
        limits: &Limits,
        stop: &Stop,
        events: &mut dyn FnMut(Event),
    ) -> Report {
        let budget = limits.budget(board.stone_count());
        let allowed = |point: &Point| !limits.blocked.contains(*point);
        let known = self.win.as_ref().and_then(|win| win.moves.get(&board.hash()).copied()).filter(allowed);
        if let Some(point) = known {
            return won_report(point, vec![point], None, 0, &budget);
        }
        let root = Ranked::new(board);
        let used = self.look_for_win(board, &root, &budget, limits.memory, stop);
        if let Some(win) = self.win.as_ref().filter(|win| allowed(&win.line[0])) {
            return won_report(win.line[0], win.line.clone(), Some(win.plies), used, &budget);
        }
        let rng = Rng::new(self.rng.bits());
        let task = Task { board, limits, budget: &budget, used, stop };
        searcher::search(root, &task, self.numbers, rng, events)
    }

    fn new_game(&mut self) {
        self.win = None;
    }
}

fn won_report(point: Point, pv: Vec<Point>, plies: Option<u16>, visits: u64, budget: &Budget) -> Report {
    let depth = pv.len() as u32;
    let line = Line { point, winrate: 1.0, visits, pv, proof: plies.map(Proof::Win), prior: None };
    Report { lines: vec![line], visits, depth, elapsed: budget.started.elapsed() }
}
