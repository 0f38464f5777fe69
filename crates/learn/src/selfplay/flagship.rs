//! Games of the flagship against itself, as samples.

use super::{
    Aside, Gumbel, Openings, Resignation, SampleSink, Searched, SelfPlay, SelfPlayGame, Starts, Throughput,
};
use crate::ranges::{OutOfRange, within};
use fivestone_engine::{ExploreLimits, Explorer, JudgedMove, Judgement, Settings, Stop, kind};
use fivestone_game::{Rule, Size};
use fivestone_nets::Net;
use fivestone_train::samples::{
    Findings, HarvestedPosition, SampleGame, SampleMove, SamplePly, SampleStore, StoreError,
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// How the flagship plays against itself.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct SelfPlaySettings {
    /// Simulations of a full search, which is learned from.
    pub full: u64,
    /// Simulations of the quick searches between, whose judgement alone is learned.
    pub fast: u64,
    /// Share of full searches; 1 for flat searches, all alike.
    pub full_share: f64,
    /// Visits from which on a position of the tree is learned from as well; 0 for none.
    pub harvest: u32,
    /// Root moves the simulations are divided among.
    pub considered: usize,
    /// Positions visited in search of a forced win before a search.
    pub solver_nodes: u64,
    /// Moves at the start of a game that are drawn also in quick searches.
    pub varied_moves: usize,
    /// The fewest stones of an opening.
    pub fewest_stones: usize,
    /// The most stones of an opening.
    pub most_stones: usize,
    /// How far from even an opening may be, as a win probability.
    pub balance: f64,
    /// Visits to judge an opening with.
    pub balance_visits: u64,
    /// Share of games that are followed by one which leaves them for a move that was not chosen.
    pub branches: f64,
    /// A side gives up below this win probability; 0 for never.
    pub resign_below: f64,
    /// In so many of its positions on end.
    pub resign_positions: u32,
    /// Share of games that are played on all the same.
    pub resign_checked: f64,
}

/// Simulations of flat searches, unless told otherwise.
const FLAT_SIMULATIONS: u64 = 100;

impl Default for SelfPlaySettings {
    fn default() -> SelfPlaySettings {
        SelfPlaySettings {
            full: FLAT_SIMULATIONS,
            fast: FLAT_SIMULATIONS,
            full_share: 1.0,
            harvest: 0,
            considered: 16,
            solver_nodes: 1000,
            varied_moves: 6,
            fewest_stones: 2,
            most_stones: 7,
            balance: 0.15,
            balance_visits: 80,
            branches: 0.0,
            resign_below: 0.03,
            resign_positions: 2,
            resign_checked: 0.1,
        }
    }
}

impl SelfPlaySettings {
    /// Searches of this many simulations on every move, all of them learned from.
    pub fn flat(simulations: u64) -> SelfPlaySettings {
        SelfPlaySettings { full: simulations, fast: simulations, ..SelfPlaySettings::default() }
    }

    /// Few full searches to learn moves from, and quick ones between.
    pub fn mixed() -> SelfPlaySettings {
        SelfPlaySettings { full: 400, fast: 80, full_share: 0.25, ..SelfPlaySettings::default() }
    }

    /// What is wrong with them, if anything.
    pub fn check(&self) -> Result<(), OutOfRange> {
        within("full", self.full as f64, 2.0, 1e7)?;
        within("fast", self.fast as f64, 1.0, 1e7)?;
        within("full_share", self.full_share, 0.01, 1.0)?;
        within("considered", self.considered as f64, 1.0, 484.0)?;
        within("solver_nodes", self.solver_nodes as f64, 1.0, 1e9)?;
        within("varied_moves", self.varied_moves as f64, 0.0, 484.0)?;
        within("fewest_stones", self.fewest_stones as f64, 1.0, 40.0)?;
        within("most_stones", self.most_stones as f64, self.fewest_stones as f64, 40.0)?;
        within("balance", self.balance, 0.01, 0.5)?;
        within("balance_visits", self.balance_visits as f64, 1.0, 1e6)?;
        within("branches", self.branches, 0.0, 1.0)?;
        within("resign_below", self.resign_below, 0.0, 0.5)?;
        within("resign_positions", self.resign_positions.into(), 1.0, 484.0)?;
        within("resign_checked", self.resign_checked, 0.0, 1.0)
    }

    /// The self-play of a net, or of the shipped one.
    fn build(&self, what: &SelfPlayTask, games: u64, seed: u64) -> SelfPlay {
        let kind = kind(fivestone_engine::DEFAULT_ENGINE).expect("the flagship is listed");
        let mut settings = Settings::defaults(kind);
        if let Some(net) = &what.net {
            settings = settings.with_net(Arc::clone(net));
        }
        let limits = |simulations| ExploreLimits {
            simulations,
            considered: self.considered,
            noise: 1.0,
            solver_nodes: self.solver_nodes,
            harvest: self.harvest,
        };
        let (full, fast, varied_moves) = (limits(self.full), limits(self.fast), self.varied_moves);
        let resignation = Resignation {
            below: self.resign_below,
            positions: self.resign_positions,
            checked: self.resign_checked,
        };
        SelfPlay {
            searcher: Arc::new(move |_| {
                Box::new(Gumbel { explorer: Explorer::new(&settings), full, fast, varied_moves })
            }),
            rule: what.rule,
            sizes: what.sizes.clone(),
            games,
            concurrent: what.threads,
            full_share: self.full_share,
            resignation: (self.resign_below > 0.0).then_some(resignation),
            openings: Openings::Balanced {
                stones: (self.fewest_stones, self.most_stones),
                visits: self.balance_visits,
                margin: self.balance,
            },
            starts: what.starts.clone(),
            branches: self.branches,
            seed,
        }
    }
}

/// What is to be played.
#[derive(Clone, Debug)]
pub struct SelfPlayTask {
    /// The rule of play.
    pub rule: Rule,
    /// The boards' sizes; the games have them in turn.
    pub sizes: Vec<Size>,
    /// The net to play with, instead of the shipped one.
    pub net: Option<Arc<Net>>,
    /// Games that some of these begin in.
    pub starts: Option<Starts>,
    /// Games at the same time.
    pub threads: usize,
    /// Seed of every random choice. Games that are added to a file differ from those it has.
    pub seed: u64,
    /// Until the file has so many games ...
    pub games: Option<u64>,
    /// ... or so many positions to learn from.
    pub targets: Option<u64>,
}

impl SelfPlayTask {
    fn is_done(&self, games: u64, targets: u64) -> bool {
        self.games.is_some_and(|wanted| games >= wanted)
            || self.targets.is_some_and(|wanted| targets >= wanted)
    }
}

/// Plays games and adds each to the file as it ends, until the task is done or `stop` is raised. `progress` hears what was
/// played in this call after every game.
pub fn self_play(
    task: &SelfPlayTask,
    settings: &SelfPlaySettings,
    store: &mut SampleStore,
    stop: &Stop,
    progress: &mut (dyn FnMut(&SampleStore, &Throughput) + Send),
) -> Result<Throughput, StoreError> {
    if task.is_done(store.games(), store.targets()) {
        return Ok(Throughput::default());
    }
    let seed = task.seed ^ store.games().wrapping_mul(0xd134_2543_de82_ef95);
    let games = task.games.map_or(u64::MAX, |wanted| wanted - store.games());
    // Stopping because enough was played is not the caller's stop.
    let enough = Stop::new();
    let done = {
        let mut sink = StoreSink { task, store, stop, enough: &enough, progress };
        let play = settings.build(task, games, seed);
        std::thread::scope(|scope| {
            let playing = scope.spawn(|| play.run(&mut sink, &enough));
            while !playing.is_finished() {
                if stop.raised() {
                    enough.raise();
                }
                std::thread::sleep(std::time::Duration::from_millis(20));
            }
            playing.join().expect("self-play does not panic")
        })
    };
    store.sync()?;
    done
}

struct StoreSink<'a> {
    task: &'a SelfPlayTask,
    store: &'a mut SampleStore,
    stop: &'a Stop,
    enough: &'a Stop,
    progress: &'a mut (dyn FnMut(&SampleStore, &Throughput) + Send),
}

impl SampleSink for StoreSink<'_> {
    type Error = StoreError;

    fn take(&mut self, game: &SelfPlayGame, done: &Throughput) -> Result<(), StoreError> {
        if self.task.is_done(self.store.games(), self.store.targets()) {
            return Ok(());
        }
        self.store.append(&SampleGame::from(game))?;
        (self.progress)(self.store, done);
        if self.stop.raised() || self.task.is_done(self.store.games(), self.store.targets()) {
            self.enough.raise();
        }
        Ok(())
    }
}

/// Moves that should be rarer than this are left out of the samples.
const RARE: f64 = 0.003;

impl From<&SelfPlayGame> for SampleGame {
    fn from(game: &SelfPlayGame) -> SampleGame {
        SampleGame {
            rule: game.rule,
            size: game.size,
            winner: game.winner,
            result_known: true,
            opening: game.opening.clone(),
            plies: game.positions.iter().map(played).collect(),
            harvest: game.harvest.iter().map(harvested).collect(),
        }
    }
}

fn played(position: &Searched) -> SamplePly {
    let learn = position.is_target();
    let mut findings = findings(&position.judgement);
    if !learn {
        // A quick search knows too little of the moves to learn from, but more of the value than
        // the net does alone.
        findings.moves.clear();
    }
    SamplePly { point: position.played, learn, findings }
}

fn harvested(aside: &Aside) -> HarvestedPosition {
    let findings = findings(&aside.position.judgement);
    HarvestedPosition { ply: aside.ply as u16, path: aside.position.path.clone(), findings }
}

/// What a search found, as it is learned from.
fn findings(judgement: &Judgement) -> Findings {
    let kept = || judgement.moves.iter().filter(|tried| tried.share >= RARE);
    let total: f64 = kept().map(|tried| tried.share).sum();
    let sample = |&JudgedMove { point, share, visits }: &JudgedMove| SampleMove {
        point,
        share: (share / total) as f32,
        visits,
    };
    Findings {
        outcome: Some(judgement.outcome.map(|share| share as f32)),
        moves: kept().map(sample).collect(),
        simulations: judgement.simulations.try_into().unwrap_or(u32::MAX),
        own_fours: judgement.own_fours,
        enemy_fours: judgement.enemy_fours,
        proof: judgement.proof,
    }
}
