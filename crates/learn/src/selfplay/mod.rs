//! Self-play: many games at once between copies of one engine, with what its searches found handed to a sink.

mod flagship;
mod resignation;
mod searcher;
mod starts;

pub use flagship::{SelfPlaySettings, SelfPlayTask, self_play};
pub use resignation::{Resignation, ResignationCount};
pub use searcher::{EngineSearcher, Found, Gumbel, Searcher, SearcherFactory};
pub use starts::{StartGame, Starts};

use fivestone_arena::openings::{OpeningBook, Wanted, balanced_opening};
use fivestone_engine::{Harvested, JudgedMove, Judgement, Proof, Rng, Stop};
use fivestone_game::{Board, Color, GameEnd, Point, Rule, Size};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// What is played.
#[derive(Clone)]
pub struct SelfPlay {
    /// Makes the searcher of a game from its seed.
    pub searcher: SearcherFactory,
    /// The rule of play.
    pub rule: Rule,
    /// The boards' sizes; the games have them in turn.
    pub sizes: Vec<Size>,
    /// Games to be played.
    pub games: u64,
    /// Games at the same time, a thread each.
    pub concurrent: usize,
    /// Share of full searches, whose findings are used as targets.
    pub full_share: f64,
    /// When a game is given up, if ever.
    pub resignation: Option<Resignation>,
    /// Where games begin.
    pub openings: Openings,
    /// Games that some of these begin in, instead of with an opening.
    pub starts: Option<Starts>,
    /// Share of games that are followed by another one, which leaves it at some move for one that
    /// the search had not chosen: searches meet such positions all the time, games alone would
    /// hardly show any.
    pub branches: f64,
    /// Seed of every random choice.
    pub seed: u64,
}

/// Where the games of self-play begin.
#[derive(Clone)]
pub enum Openings {
    /// With the openings of a book, for the one size there is.
    Book(OpeningBook),
    /// With random stones that the game's own searcher calls balanced.
    Balanced {
        /// The fewest and the most stones.
        stones: (usize, usize),
        /// Visits to judge them with.
        visits: u64,
        /// How far from 1/2 the win probability of a side may be.
        margin: f64,
    },
}

/// One searched position of a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Searched {
    /// The move that was played.
    pub played: Point,
    /// Whether it was a full search, so that its findings may be used as targets.
    pub full: bool,
    /// What was found about the position.
    pub judgement: Judgement,
}

/// A position of the tree beside a game.
#[derive(Clone, PartialEq, Debug)]
pub struct Aside {
    /// It leaves the game after this many searched positions.
    pub ply: usize,
    /// How it is reached from there, and what was found about it.
    pub position: Harvested,
}

/// A finished game.
#[derive(Clone, PartialEq, Debug)]
pub struct SelfPlayGame {
    /// Its number, from 0; a game that branches off another has its number too.
    pub number: u64,
    /// The rule of play.
    pub rule: Rule,
    /// The board's size.
    pub size: Size,
    /// The moves it began with.
    pub opening: Vec<Point>,
    /// Every position after them.
    pub positions: Vec<Searched>,
    /// Positions of the trees to learn from as well: none that was played, and none twice.
    pub harvest: Vec<Aside>,
    /// Who won, by five, by a proof that ended the game, or because the other side gave up.
    pub winner: Option<Color>,
}

/// Takes finished games.
pub trait SampleSink: Send {
    /// Why a game cannot be taken.
    type Error: Send;

    /// Takes one game with what was played so far, this game included. An error ends the self-play.
    fn take(&mut self, game: &SelfPlayGame, done: &Throughput) -> Result<(), Self::Error>;
}

/// How much was played.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Throughput {
    /// Games finished.
    pub games: u64,
    /// Positions searched.
    pub positions: u64,
    /// Positions to learn from: those of them that were searched fully or solved, and those
    /// harvested.
    pub targets: u64,
    /// Positions harvested from the trees.
    pub harvested: u64,
    /// Visits, iterations or nodes in all.
    pub visits: u64,
    /// Games given up, and whether that was right.
    pub resigned: ResignationCount,
    /// Time it took.
    pub elapsed: Duration,
}

impl Throughput {
    /// Games per second.
    pub fn games_per_second(&self) -> f64 {
        self.games as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// Positions per second.
    pub fn positions_per_second(&self) -> f64 {
        self.positions as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// Positions to learn from per hour.
    pub fn targets_per_hour(&self) -> f64 {
        3600.0 * self.targets as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }
}

struct Desk<'a, S: SampleSink> {
    sink: &'a mut S,
    done: Throughput,
    error: Option<S::Error>,
}

/// A game as it ended.
struct Played {
    game: SelfPlayGame,
    visits: u64,
    resigned: ResignationCount,
}

impl SelfPlay {
    /// Plays the games and hands each to the sink as it ends. The games are the same whatever the
    /// number of threads; their order is not.
    pub fn run<S: SampleSink>(&self, sink: &mut S, stop: &Stop) -> Result<Throughput, S::Error> {
        let started = Instant::now();
        let next = AtomicU64::new(0);
        let desk = Mutex::new(Desk { sink, done: Throughput::default(), error: None });
        // Each game is handed in as soon as it ends; returns whether to go on.
        let hand_in = |played: &Played| {
            let mut desk = desk.lock().unwrap_or_else(PoisonError::into_inner);
            if desk.error.is_none() {
                desk.take(played, started.elapsed());
            }
            let failed = desk.error.is_some();
            if failed {
                stop.raise();
            }
            !failed
        };
        let work = || {
            loop {
                let number = next.fetch_add(1, Ordering::Relaxed);
                if number >= self.games || stop.raised() {
                    return;
                }
                let mut rng = Rng::new(self.seed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
                let Some(played) = self.play(number, &mut rng, stop) else { return };
                if !hand_in(&played) {
                    return;
                }
                if let Some(branch) = self.branch(&played.game, &mut rng, stop)
                    && !hand_in(&branch)
                {
                    return;
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..self.concurrent.max(1) {
                scope.spawn(work);
            }
        });
        let desk = desk.into_inner().unwrap_or_else(PoisonError::into_inner);
        match desk.error {
            Some(error) => Err(error),
            None => Ok(Throughput { elapsed: started.elapsed(), ..desk.done }),
        }
    }

    /// One game; nothing when stopped.
    fn play(&self, number: u64, rng: &mut Rng, stop: &Stop) -> Option<Played> {
        let seed = rng.bits();
        let size = self.sizes[number as usize % self.sizes.len()];
        let mut searcher = (self.searcher)(seed);
        let opening = self.opening(number, size, &mut *searcher, rng, stop)?;
        let board =
            Board::from_moves(size, self.rule, &opening).expect("openings are checked when they are made");
        self.play_on(number, opening, board, searcher, rng, stop)
    }

    /// A game that leaves another one for a move not chosen in it, if chance has it so and there is such a move.
    fn branch(&self, game: &SelfPlayGame, rng: &mut Rng, stop: &Stop) -> Option<Played> {
        if rng.unit() >= self.branches || game.positions.is_empty() {
            return None;
        }
        let left_at = rng.below(game.positions.len());
        let position = &game.positions[left_at];
        let mut others = position.judgement.moves.clone();
        others.retain(|tried| tried.point != position.played);
        let stray = stray(&others, rng)?;
        let mut opening = game.opening.clone();
        opening.extend(game.positions[..left_at].iter().map(|position| position.played));
        opening.push(stray);
        let board = Board::from_moves(game.size, self.rule, &opening).ok()?;
        let searcher = (self.searcher)(rng.bits());
        let played = self.play_on(game.number, opening, board, searcher, rng, stop);
        played.filter(|played| !played.game.positions.is_empty())
    }

    /// A game from an opening to its end; nothing when stopped.
    fn play_on(
        &self,
        number: u64,
        opening: Vec<Point>,
        mut board: Board,
        mut searcher: Box<dyn Searcher>,
        rng: &mut Rng,
        stop: &Stop,
    ) -> Option<Played> {
        let mut resigning = self.resignation.map(|resignation| resignation.game(rng));
        let (mut positions, mut visits) = (Vec::new(), 0);
        let mut harvest = Harvest::default();
        let winner = loop {
            if let Some(end) = board.end() {
                break end.winner();
            }
            let full = rng.unit() < self.full_share;
            let found = searcher.search(&board, full, positions.len(), rng, stop);
            if stop.raised() {
                return None;
            }
            let Found { played, judgement, harvest: beside } = found;
            visits += judgement.simulations;
            harvest.add(board.hash(), positions.len(), beside);
            let (mover, proof, winrate) = (board.to_move(), judgement.proof, judgement.winrate());
            if let Some(played) = played {
                positions.push(Searched { played, full, judgement });
                board.play(played).ok()?;
            }
            // A five on the board is told from one that is still to come, but both have the same winner.
            match proof {
                Some(Proof::Win(_)) => break Some(mover),
                Some(Proof::Loss(_)) => break Some(!mover),
                Some(Proof::Draw) => break None,
                None if played.is_none() => break Some(!mover),
                None => {}
            }
            if let Some(resigning) = &mut resigning
                && resigning.gives_up(mover, winrate)
            {
                break Some(!mover);
            }
        };
        let winner = board.end().map_or(winner, GameEnd::winner);
        let resigned = resigning.map_or_else(ResignationCount::default, |game| game.count(winner));
        let size = board.size();
        let (rule, harvest) = (self.rule, harvest.gathered(positions.len()));
        let game = SelfPlayGame { number, rule, size, opening, positions, harvest, winner };
        Some(Played { game, visits, resigned })
    }

    fn opening(
        &self,
        number: u64,
        size: Size,
        searcher: &mut dyn Searcher,
        rng: &mut Rng,
        stop: &Stop,
    ) -> Option<Vec<Point>> {
        let start = self.starts.as_ref().and_then(|starts| starts.draw(self.rule, size, rng));
        if start.is_some() {
            return start;
        }
        match &self.openings {
            Openings::Book(book) => Some(book.opening(number)),
            &Openings::Balanced { stones: (fewest, most), visits, margin } => loop {
                let plies = fewest + rng.below(most - fewest + 1);
                let wanted = Wanted { count: 1, plies, rule: self.rule, size, seed: rng.bits(), confirm: 0 };
                let black = |board: &Board, visits, _| {
                    let winrate = searcher.winrate(board, visits, stop);
                    if board.to_move() == Color::Black { winrate } else { 1.0 - winrate }
                };
                let opening = balanced_opening(&wanted, visits, margin, 0, black);
                if stop.raised() {
                    break None;
                }
                if let Some(opening) = opening {
                    break Some(opening.moves);
                }
            },
        }
    }
}

/// How much likelier moves are drawn as strays than others: the exponent of their shares. The
/// search's second thoughts are met more often than nonsense, yet not only they.
const STRAY_EXPONENT: f64 = 0.3;

/// One of the moves, drawn at random.
fn stray(moves: &[JudgedMove], rng: &mut Rng) -> Option<Point> {
    let weight = |tried: &JudgedMove| tried.share.max(1e-6).powf(STRAY_EXPONENT);
    let total: f64 = moves.iter().map(weight).sum();
    let mut left = rng.unit() * total;
    let drawn = moves.iter().find(|tried| {
        left -= weight(tried);
        left < 0.0
    });
    drawn.or(moves.last()).map(|tried| tried.point)
}

/// What the searches of a game found beside it.
#[derive(Default)]
struct Harvest {
    /// Positions by hash, each as the search that visited it most saw it; nothing where it was
    /// searched itself.
    by_hash: BTreeMap<u64, Option<usize>>,
    found: Vec<Aside>,
}

impl Harvest {
    /// Adds the harvest of a search.
    fn add(&mut self, searched: u64, ply: usize, harvest: Vec<Harvested>) {
        self.by_hash.insert(searched, None);
        for position in harvest {
            let simulations = |number: usize| self.found[number].position.judgement.simulations;
            let better = match self.by_hash.get(&position.hash) {
                None => true,
                Some(None) => false,
                Some(&Some(number)) => simulations(number) < position.judgement.simulations,
            };
            if better {
                self.by_hash.insert(position.hash, Some(self.found.len()));
                self.found.push(Aside { ply, position });
            }
        }
    }

    /// Every position once, in the order of the game of so many positions.
    fn gathered(self, positions: usize) -> Vec<Aside> {
        let Harvest { by_hash, found } = self;
        let kept = |(number, aside): &(usize, Aside)| {
            by_hash[&aside.position.hash] == Some(*number) && aside.ply <= positions
        };
        found.into_iter().enumerate().filter(kept).map(|(_, aside)| aside).collect()
    }
}

impl<S: SampleSink> Desk<'_, S> {
    fn take(&mut self, played: &Played, elapsed: Duration) {
        self.done.add(played);
        self.done.elapsed = elapsed;
        self.error = self.sink.take(&played.game, &self.done).err();
    }
}

impl Throughput {
    fn add(&mut self, played: &Played) {
        let positions = &played.game.positions;
        self.games += 1;
        self.positions += positions.len() as u64;
        let harvested = played.game.harvest.len() as u64;
        self.targets += positions.iter().filter(|position| position.is_target()).count() as u64 + harvested;
        self.harvested += harvested;
        self.visits += played.visits;
        self.resigned.add(&played.resigned);
    }
}

impl Searched {
    /// Whether its moves are worth learning: a full search or a proof, and a move that does not
    /// lose.
    pub fn is_target(&self) -> bool {
        (self.full || self.judgement.proof.is_some()) && !self.judgement.moves.is_empty()
    }
}
