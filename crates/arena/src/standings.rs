//! The state of a match: results, faults, time used.

use crate::fault::{Fault, FaultKind};
use crate::game::Ending;
use crate::record::GameRecord;
use crate::stats::{Encounter, Estimate, Rating, Score, Sprt, Tally, rate};
use std::collections::BTreeMap;

/// How often an engine did something wrong, with the first occurrence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FaultCount {
    /// How often.
    pub count: u64,
    /// The first game it happened in, from 0; nothing when it was outside of any.
    pub game: Option<u64>,
    /// Particulars of the first.
    pub detail: String,
}

/// The time an engine used.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct TimeUse {
    /// Its moves.
    pub moves: u64,
    /// Milliseconds in all.
    pub total: f64,
    /// Milliseconds of the longest move.
    pub longest: f64,
}

/// Rating and test after some games.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Milestone {
    /// Games finished.
    pub games: u64,
    /// Elo of the first engine.
    pub elo: f64,
    /// Half the width of its 95 % interval.
    pub error: f64,
    /// Log-likelihood ratio of the test, if there is one.
    pub llr: Option<f64>,
}

/// When the history is longer than this every second entry is dropped, so that it stays small.
const LONGEST_HISTORY: usize = 2048;

/// The results so far.
#[derive(Clone, Debug)]
pub struct Standings {
    names: Vec<String>,
    sprt: Option<Sprt>,
    /// Per two engines, the lower index first and in its view.
    tallies: BTreeMap<(usize, usize), Tally>,
    /// Pairs of which one game is finished: the result of the lower engine.
    half_pairs: BTreeMap<u64, Score>,
    faults: BTreeMap<(usize, FaultKind), FaultCount>,
    times: Vec<TimeUse>,
    history: Vec<Milestone>,
    history_step: u64,
    games: u64,
    black_half_points: u64,
}

impl Standings {
    /// No games yet.
    pub fn new(names: Vec<String>, sprt: Option<Sprt>) -> Standings {
        Standings {
            times: vec![TimeUse::default(); names.len()],
            names,
            sprt,
            tallies: BTreeMap::new(),
            half_pairs: BTreeMap::new(),
            faults: BTreeMap::new(),
            history: Vec::new(),
            history_step: 1,
            games: 0,
            black_half_points: 0,
        }
    }

    /// Counts a finished game.
    pub fn add(&mut self, game: &GameRecord) {
        self.games += 1;
        self.black_half_points += game.black_score().half_points() as u64;
        let [first, second] = game.engines;
        let (low, high) = (first.min(second), first.max(second));
        let score = if first == low { game.score } else { game.score.reversed() };
        let tally = self.tallies.entry((low, high)).or_default();
        tally.add_game(score);
        if let Some(pair) = game.pair {
            match self.half_pairs.remove(&pair) {
                Some(other) => tally.add_pair(other, score),
                None => {
                    self.half_pairs.insert(pair, score);
                }
            }
        }
        if let Ending::Fault(fault) = &game.ending {
            let loser = if game.score == Score::Loss { first } else { second };
            self.add_fault(loser, fault, Some(game.id));
        }
        for (ply, played) in game.moves.iter().enumerate().filter(|(_, played)| !played.opening) {
            let side = if ply % 2 == 0 { game.black } else { 1 - game.black };
            let time = &mut self.times[game.engines[side]];
            time.moves += 1;
            time.total += played.milliseconds;
            time.longest = time.longest.max(played.milliseconds);
        }
        self.note_milestone();
    }

    /// Counts a fault.
    pub fn add_fault(&mut self, engine: usize, fault: &Fault, game: Option<u64>) {
        let fresh = FaultCount { count: 0, game, detail: fault.detail.clone() };
        self.faults.entry((engine, fault.kind)).or_insert(fresh).count += 1;
    }

    fn note_milestone(&mut self) {
        if !self.games.is_multiple_of(self.history_step) {
            return;
        }
        let Some(estimate) = Estimate::of(&self.first_engine()) else { return };
        let (elo, error) = (estimate.elo.value, estimate.elo.error);
        self.history.push(Milestone { games: self.games, elo, error, llr: self.llr() });
        if self.history.len() > LONGEST_HISTORY {
            self.history_step *= 2;
            let step = self.history_step;
            self.history.retain(|milestone| milestone.games % step == 0);
        }
    }

    /// Names of the engines.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Games finished.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The share of the points that Black won.
    pub fn black_share(&self) -> f64 {
        self.black_half_points as f64 / (2 * self.games.max(1)) as f64
    }

    /// Results of one engine against another, in the first one's view.
    pub fn between(&self, engine: usize, other: usize) -> Tally {
        let found = self.tallies.get(&(engine.min(other), engine.max(other))).copied().unwrap_or_default();
        if engine <= other { found } else { found.reversed() }
    }

    /// Results of one engine against all others.
    pub fn of_engine(&self, engine: usize) -> Tally {
        let others = (0..self.names.len()).filter(|&other| other != engine);
        others.fold(Tally::default(), |sum, other| sum.plus(&self.between(engine, other)))
    }

    /// Results of the first engine against all others.
    pub fn first_engine(&self) -> Tally {
        self.of_engine(0)
    }

    /// Every two engines that met, with their results in the first one's view.
    pub fn encounters(&self) -> impl Iterator<Item = ((usize, usize), &Tally)> {
        self.tallies.iter().map(|(&engines, tally)| (engines, tally))
    }

    /// The test that runs, if one does.
    pub fn sprt(&self) -> Option<&Sprt> {
        self.sprt.as_ref()
    }

    /// The log-likelihood ratio of the test.
    pub fn llr(&self) -> Option<f64> {
        self.sprt.map(|sprt| sprt.llr(&self.first_engine()))
    }

    /// Faults by engine and kind.
    pub fn faults(&self) -> impl Iterator<Item = (usize, FaultKind, &FaultCount)> {
        self.faults.iter().map(|(&(engine, kind), count)| (engine, kind, count))
    }

    /// The time an engine used.
    pub fn time_of(&self, engine: usize) -> TimeUse {
        self.times[engine]
    }

    /// Rating and test over the games.
    pub fn history(&self) -> &[Milestone] {
        &self.history
    }

    /// Ratings of all engines.
    pub fn ratings(&self, anchors: &[(usize, f64)]) -> Vec<Rating> {
        let encounters: Vec<Encounter> = self
            .encounters()
            .map(|(players, tally)| Encounter {
                players,
                points: tally.points(),
                games: tally.games() as f64,
            })
            .collect();
        rate(self.names.len(), &encounters, anchors)
    }
}
