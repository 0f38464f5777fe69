//! Running a match: several games at once, every finished game journalled before it counts.

use crate::config::{MatchConfig, Roster};
use crate::error::MatchError;
use crate::game::{Played, Table, play};
use crate::journal::{Journal, Past};
use crate::openings::OpeningBook;
use crate::player::Player;
use crate::record::{GameRecord, RecordFiles};
use crate::schedule::{Fixture, Next, Schedule};
use crate::spec::Source;
use crate::standings::Standings;
use crate::stats::{Decision, Score};
use fivestone_engine::{Rng, Stop};
use fivestone_game::opening::Opening;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Somebody who watches a match.
pub trait Observer: Send {
    /// A game is finished.
    fn game(&mut self, game: &GameRecord, standings: &Standings);
    /// Some time has passed.
    fn tick(&mut self, standings: &Standings);
}

/// How a match ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Conclusion {
    /// Every game was played.
    Complete,
    /// The test decided.
    Decided(Decision),
    /// It was stopped and can be resumed.
    Interrupted,
}

/// A match that is ready to run.
pub struct Tournament {
    config: MatchConfig,
    roster: Roster,
    book: OpeningBook,
    journal: Journal,
    files: RecordFiles,
    schedule: Schedule,
    standings: Standings,
    /// Games of the journal that the schedule has not come to yet.
    finished: BTreeMap<u64, ([usize; 2], Score)>,
}

/// How often the watcher is told that time passes.
const TICK: Duration = Duration::from_millis(250);

impl Tournament {
    /// Begins a match with a journal in a new file.
    pub fn start(config: MatchConfig, journal: &Path) -> Result<Tournament, MatchError> {
        check(&config)?;
        let (roster, book) = (config.roster()?, config.book()?);
        let files = RecordFiles::create(&config.outputs)?;
        let journal = Journal::create(journal, &config)?;
        Ok(Tournament::new(config, roster, book, journal, files))
    }

    /// Begins a match between players of a given roster.
    pub fn start_with(config: MatchConfig, roster: Roster, journal: &Path) -> Result<Tournament, MatchError> {
        let book = config.book()?;
        let files = RecordFiles::create(&config.outputs)?;
        let journal = Journal::create(journal, &config)?;
        Ok(Tournament::new(config, roster, book, journal, files))
    }

    /// Goes on with the match of a journal. Record files are written anew from it.
    pub fn resume(journal: &Path) -> Result<Tournament, MatchError> {
        Tournament::resume_with(journal, MatchConfig::roster)
    }

    /// The same with players of a given roster.
    pub fn resume_with(
        journal: &Path,
        roster: impl FnOnce(&MatchConfig) -> Result<Roster, MatchError>,
    ) -> Result<Tournament, MatchError> {
        let mut replay: Option<Replay> = None;
        let (journal, config) = Journal::resume(journal, |config, past| {
            let replay = match &mut replay {
                Some(replay) => replay,
                none => none.insert(Replay::new(config)?),
            };
            replay.take(config, past)
        })?;
        check(&config)?;
        let (roster, book) = (roster(&config)?, config.book()?);
        let Replay { files, standings, finished } = replay.map_or_else(|| Replay::new(&config), Ok)?;
        Ok(Tournament { standings, finished, ..Tournament::new(config, roster, book, journal, files) })
    }

    fn new(
        config: MatchConfig,
        roster: Roster,
        book: OpeningBook,
        journal: Journal,
        files: RecordFiles,
    ) -> Tournament {
        let schedule = Schedule::new(config.plan());
        let standings = standings_of(&config);
        Tournament { config, roster, book, journal, files, schedule, standings, finished: BTreeMap::new() }
    }

    /// What is played.
    pub fn config(&self) -> &MatchConfig {
        &self.config
    }

    /// How many games there are in all.
    pub fn total_games(&self) -> u64 {
        self.schedule.total_games()
    }

    /// The results so far.
    pub fn standings(&self) -> &Standings {
        &self.standings
    }

    /// Where the journal is.
    pub fn journal_path(&self) -> &Path {
        self.journal.path()
    }

    /// Changes how many games are played at once.
    pub fn set_concurrency(&mut self, concurrency: usize) {
        self.config.concurrency = concurrency;
    }

    /// Plays until everything is played, the test decides, or `stop` is raised.
    pub fn run(&mut self, observer: &mut dyn Observer, stop: &Stop) -> Result<Conclusion, MatchError> {
        let workers = self.config.concurrency.max(1);
        let (config, roster, book) = (&self.config, &self.roster, &self.book);
        let hall = Hall {
            state: Mutex::new(State {
                schedule: &mut self.schedule,
                standings: &mut self.standings,
                finished: &mut self.finished,
                journal: &mut self.journal,
                files: &mut self.files,
                observer,
                working: workers,
                decision: None,
                error: None,
            }),
            changed: Condvar::new(),
            stop,
        };
        hall.decide(&mut hall.lock());
        std::thread::scope(|scope| {
            for _ in 0..workers {
                scope.spawn(|| work(config, roster, book, &hall));
            }
            let mut state = hall.lock();
            while state.working > 0 {
                state = hall.changed.wait_timeout(state, TICK).unwrap_or_else(PoisonError::into_inner).0;
                let State { observer, standings, .. } = &mut *state;
                observer.tick(standings);
            }
        });
        let state = hall.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        match (state.error, state.decision) {
            (Some(error), _) => Err(error),
            (None, Some(decision)) => Ok(Conclusion::Decided(decision)),
            (None, None) if stop.raised() => Ok(Conclusion::Interrupted),
            (None, None) => Ok(Conclusion::Complete),
        }
    }
}

/// What the entries of a journal have come to.
struct Replay {
    files: RecordFiles,
    standings: Standings,
    finished: BTreeMap<u64, ([usize; 2], Score)>,
}

impl Replay {
    fn new(config: &MatchConfig) -> Result<Replay, MatchError> {
        let files = RecordFiles::create(&config.outputs)?;
        Ok(Replay { files, standings: standings_of(config), finished: BTreeMap::new() })
    }

    fn take(&mut self, config: &MatchConfig, past: Past) -> Result<(), MatchError> {
        match past {
            Past::Game(game) => {
                let sound = game.engines.iter().all(|&engine| engine < config.engines.len());
                if !sound || self.finished.insert(game.id, (game.engines, game.score)).is_some() {
                    return Err(MatchError::Misfit(game.id));
                }
                self.standings.add(&game);
                self.files.write(&game)?;
            }
            Past::Fault(engine, fault) => self.standings.add_fault(engine, &fault, None),
        }
        Ok(())
    }
}

fn standings_of(config: &MatchConfig) -> Standings {
    Standings::new(config.engines.iter().map(|spec| spec.name.clone()).collect(), config.sprt)
}

fn check(config: &MatchConfig) -> Result<(), MatchError> {
    if config.engines.len() < 2 {
        return Err(MatchError::TooFewEngines);
    }
    let program = config.engines.iter().find(|spec| matches!(spec.source, Source::Program(_)));
    if let Some(program) = program.filter(|_| config.opening_rule == Opening::Soosorv8) {
        return Err(MatchError::NoWordsForSoosorv(program.name.clone()));
    }
    if let Some(sprt) = &config.sprt {
        sprt.check().map_err(MatchError::Sprt)?;
        if config.engines.len() != 2 {
            return Err(MatchError::SprtOfMany);
        }
    }
    Ok(())
}

/// Where workers, results and watchers meet.
struct Hall<'a> {
    state: Mutex<State<'a>>,
    changed: Condvar,
    stop: &'a Stop,
}

struct State<'a> {
    schedule: &'a mut Schedule,
    standings: &'a mut Standings,
    finished: &'a mut BTreeMap<u64, ([usize; 2], Score)>,
    journal: &'a mut Journal,
    files: &'a mut RecordFiles,
    observer: &'a mut dyn Observer,
    working: usize,
    decision: Option<Decision>,
    error: Option<MatchError>,
}

impl State<'_> {
    fn write(&mut self, game: &GameRecord) -> Result<(), MatchError> {
        self.files.write(game)?;
        Ok(self.journal.add_game(game)?)
    }
}

impl<'a> Hall<'a> {
    fn lock(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next game to be played, waiting for results it depends on.
    fn next_fixture(&self) -> Option<Fixture> {
        let mut state = self.lock();
        loop {
            if self.stop.raised() {
                return None;
            }
            match state.schedule.next_game() {
                Next::Over => return None,
                Next::Wait => {
                    state = self.changed.wait_timeout(state, TICK).unwrap_or_else(PoisonError::into_inner).0;
                }
                Next::Play(fixture) => match state.finished.remove(&fixture.id) {
                    Some((engines, score)) => state.schedule.record(engines, score),
                    None => return Some(fixture),
                },
            }
        }
    }

    fn finish(&self, game: &GameRecord) {
        let mut state = self.lock();
        // A game that ends after the decision of a test was not part of it.
        if self.stop.raised() {
            return;
        }
        if let Err(error) = state.write(game) {
            self.fail(&mut state, error);
            return;
        }
        state.schedule.record(game.engines, game.score);
        state.standings.add(game);
        let State { observer, standings, .. } = &mut *state;
        observer.game(game, standings);
        self.decide(&mut state);
        drop(state);
        self.changed.notify_all();
    }

    fn decide(&self, state: &mut State<'_>) {
        let Some((sprt, llr)) = state.standings.sprt().copied().zip(state.standings.llr()) else { return };
        state.decision = sprt.decision(llr);
        if state.decision.is_some() {
            self.stop.raise();
        }
    }

    fn fail(&self, state: &mut State<'_>, error: MatchError) {
        state.error.get_or_insert(error);
        self.stop.raise();
    }

    fn retire(&self, engine: usize, player: Box<dyn Player>) {
        let Some(fault) = player.retire() else { return };
        let mut state = self.lock();
        state.standings.add_fault(engine, &fault, None);
        if let Err(error) = state.journal.add_fault(engine, &fault) {
            self.fail(&mut state, error.into());
        }
    }
}

/// Plays games until there are none left.
fn work(config: &MatchConfig, roster: &Roster, book: &OpeningBook, hall: &Hall<'_>) {
    let mut players: BTreeMap<usize, Box<dyn Player>> = BTreeMap::new();
    while let Some(fixture) = hall.next_fixture() {
        // Programs that do not play this game would only take memory and time from those that do.
        let idle: Vec<usize> = players.keys().copied().filter(|e| !fixture.engines.contains(e)).collect();
        for engine in idle {
            hall.retire(engine, players.remove(&engine).expect("the key was just seen"));
        }
        let [first, second] = fixture.engines;
        let mut at_table =
            [first, second].map(|engine| players.remove(&engine).unwrap_or_else(|| roster.player(engine)));
        let played = play_fixture(config, roster, book, hall.stop, &fixture, &mut at_table);
        let [player, other] = at_table;
        players.insert(first, player);
        players.insert(second, other);
        match played {
            Some(played) => hall.finish(&record_of(config, &fixture, played)),
            None => break,
        }
    }
    for (engine, player) in players {
        hall.retire(engine, player);
    }
    hall.lock().working -= 1;
    hall.changed.notify_all();
}

fn play_fixture(
    config: &MatchConfig,
    roster: &Roster,
    book: &OpeningBook,
    stop: &Stop,
    fixture: &Fixture,
    players: &mut [Box<dyn Player>; 2],
) -> Option<Played> {
    let opening = book.opening(fixture.opening);
    let table = Table {
        rule: config.rule,
        size: config.size,
        opening_rule: config.opening_rule,
        opening: &opening,
        adjudication: config.adjudication,
        specs: fixture.engines.map(|engine| roster.spec(engine)),
        seeds: fixture.engines.map(|engine| game_seed(config.seed, fixture.id, engine)),
        stop,
    };
    let [first, second] = players;
    play(&table, [first.as_mut(), second.as_mut()])
}

/// A seed that depends on the match, the game and the engine alone.
pub fn game_seed(seed: u64, game: u64, engine: usize) -> u64 {
    let mixed = Rng::new(seed ^ game.wrapping_mul(0x9e37_79b9_7f4a_7c15)).bits();
    Rng::new(mixed ^ (engine as u64).wrapping_mul(0xd134_2543_de82_ef95)).bits()
}

fn record_of(config: &MatchConfig, fixture: &Fixture, played: Played) -> GameRecord {
    let ended = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_secs());
    GameRecord {
        id: fixture.id,
        round: fixture.round,
        pair: fixture.pair,
        engines: fixture.engines,
        names: fixture.engines.map(|engine| config.engines[engine].name.clone()),
        black: played.black,
        rule: config.rule,
        size: config.size,
        moves: played.moves,
        score: played.score,
        ending: played.ending,
        ended,
    }
}
