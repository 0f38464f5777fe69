//! Making balanced openings and checking whether given ones are.

use crate::player::Factory;
use fivestone_artifacts::FileError;
use fivestone_engine::{Limits, Rng, Stop};
use fivestone_game::{Board, Color, Point, Rule, Size};
use std::collections::BTreeSet;
use std::fmt;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Who judges a position, and what counts as balanced.
#[derive(Clone)]
pub struct Judge {
    /// Makes the judging engine.
    pub factory: Factory,
    /// Its visits for each position.
    pub visits: u64,
    /// How far from 1/2 the win probability of a side may be.
    pub margin: f64,
    /// Positions judged at the same time.
    pub threads: usize,
}

/// The usual margin: both sides have 45 to 55 %.
pub const BALANCED: f64 = 0.05;

impl Judge {
    /// Win probability of Black.
    pub fn black_winrate(&self, board: &Board, seed: u64, stop: &Stop) -> f64 {
        self.black_winrate_within(board, self.visits, seed, stop)
    }

    fn black_winrate_within(&self, board: &Board, visits: u64, seed: u64, stop: &Stop) -> f64 {
        let mut engine = (self.factory)(seed);
        engine.new_game();
        let winrate = engine.think(board, &Limits::visits(visits), stop, &mut |_| {}).winrate();
        if board.to_move() == Color::Black { winrate } else { 1.0 - winrate }
    }

    /// Win probability of Black after a second look, with `confirm` visits unless that is 0, if
    /// both looks call the position balanced.
    fn twice(&self, board: &Board, confirm: u64, rng: &mut Rng, stop: &Stop) -> Option<f64> {
        let mut black = self.black_winrate(board, rng.bits(), stop);
        if self.is_balanced(black) && confirm > 0 {
            black = self.black_winrate_within(board, confirm, rng.bits(), stop);
        }
        self.is_balanced(black).then_some(black)
    }

    /// Whether a win probability counts as balanced.
    pub fn is_balanced(&self, winrate: f64) -> bool {
        is_within(winrate, self.margin)
    }
}

/// An opening with Black's win probability.
#[derive(Clone, PartialEq, Debug)]
pub struct Judged {
    /// The moves.
    pub moves: Vec<Point>,
    /// Win probability of Black.
    pub black: f64,
}

/// What openings to make.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Wanted {
    /// How many.
    pub count: usize,
    /// Stones in each.
    pub plies: usize,
    /// The rule of play.
    pub rule: Rule,
    /// The board's size.
    pub size: Size,
    /// Seed of the random moves.
    pub seed: u64,
    /// Visits with which each is judged once more, since a short search overlooks long attacks; 0 not to.
    pub confirm: u64,
}

/// Candidates looked at between two words of progress.
const BATCH: usize = 16;
/// Candidates tried for each opening wanted before giving up.
const MOST_TRIES: usize = 400;
/// Places tried for the last stone, each with this part of the visits.
const LAST_STONES: usize = 6;
const SHARE: u64 = 4;

/// How far the making of a set is.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct Made {
    /// The openings so far.
    pub openings: Vec<Judged>,
    /// Candidates that were looked at.
    pub tried: usize,
}

/// Why a set of openings was not made.
#[derive(Debug)]
pub enum MakeError {
    /// So many stones are no opening on the board.
    Stones(usize),
    /// Hardly any candidate is balanced.
    TooFew {
        /// Openings made.
        made: usize,
        /// Candidates looked at.
        tried: usize,
    },
    /// It was stopped.
    Stopped,
    /// What was made cannot be kept.
    File(FileError),
}

impl fmt::Display for MakeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MakeError::Stones(stones) => write!(f, "{stones} stones are no opening on this board"),
            MakeError::TooFew { made, tried } => write!(
                f,
                "only {made} balanced openings among {tried} tries; change the number of stones or the visits"
            ),
            MakeError::Stopped => f.write_str("stopped"),
            MakeError::File(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for MakeError {}

/// Makes openings that the judge calls balanced, no two of them alike up to symmetry. The same request gives the same openings
/// whatever the number of threads. `progress` hears how many there are after each batch.
pub fn generate(
    wanted: &Wanted,
    judge: &Judge,
    stop: &Stop,
    mut progress: impl FnMut(usize),
) -> Result<Vec<Judged>, MakeError> {
    let mut tell = |made: &Made| {
        progress(made.openings.len());
        Ok(())
    };
    go_on(wanted, &[], judge, Made::default(), stop, &mut tell)
}

/// The same from where an earlier call was when it told `progress` for the last time. Given
/// openings to keep are the first candidates: those that are still balanced head the set.
pub fn go_on(
    wanted: &Wanted,
    keep: &[Vec<Point>],
    judge: &Judge,
    past: Made,
    stop: &Stop,
    progress: &mut dyn FnMut(&Made) -> Result<(), FileError>,
) -> Result<Vec<Judged>, MakeError> {
    if wanted.plies == 0 || wanted.plies > wanted.size.cells() / 2 {
        return Err(MakeError::Stones(wanted.plies));
    }
    let hash = |moves: &[Point]| {
        let board = Board::from_moves(wanted.size, wanted.rule, moves);
        board.expect("a candidate is playable").canonical_hash().0
    };
    let mut made = past;
    let mut seen: BTreeSet<_> = made.openings.iter().map(|opening| hash(&opening.moves)).collect();
    while made.openings.len() < wanted.count {
        if made.tried >= keep.len() + wanted.count * MOST_TRIES {
            return Err(MakeError::TooFew { made: made.openings.len(), tried: made.tried });
        }
        let candidates = in_parallel(BATCH, judge.threads, |index| {
            candidate(wanted, keep, judge, made.tried + index, stop)
        });
        // A search that was stopped says nothing about its position.
        if stop.raised() {
            return Err(MakeError::Stopped);
        }
        made.tried += BATCH;
        for judged in candidates.into_iter().flatten() {
            if made.openings.len() < wanted.count && seen.insert(hash(&judged.moves)) {
                made.openings.push(judged);
            }
        }
        progress(&made).map_err(MakeError::File)?;
    }
    Ok(made.openings)
}

/// The candidate of a number, if it is balanced: first those to keep, then random ones.
fn candidate(
    wanted: &Wanted,
    keep: &[Vec<Point>],
    judge: &Judge,
    number: usize,
    stop: &Stop,
) -> Option<Judged> {
    let Some(moves) = keep.get(number) else {
        return random_opening(wanted, judge, (number - keep.len()) as u64, stop);
    };
    let board = Board::from_moves(wanted.size, wanted.rule, moves).ok()?;
    let mut rng = Rng::new(wanted.seed ^ number as u64);
    Some(Judged { moves: moves.clone(), black: judge.twice(&board, wanted.confirm, &mut rng, stop)? })
}

/// Judges given openings, in their order.
pub fn judge_all(openings: &[Vec<Point>], rule: Rule, size: Size, judge: &Judge, stop: &Stop) -> Vec<Judged> {
    in_parallel(openings.len(), judge.threads, |index| {
        let moves = openings[index].clone();
        let board = Board::from_moves(size, rule, &moves).expect("openings are checked when they are read");
        Judged { black: judge.black_winrate(&board, index as u64 + 1, stop), moves }
    })
}

/// One random opening of a number, if it is balanced.
fn random_opening(wanted: &Wanted, judge: &Judge, number: u64, stop: &Stop) -> Option<Judged> {
    let black = |board: &Board, visits, seed| judge.black_winrate_within(board, visits, seed, stop);
    balanced_opening(wanted, judge.visits, judge.margin, number, black)
}

/// One random opening of a number, if it is balanced by a margin. `black` gives Black's win
/// probability in a position with these visits and this seed.
pub fn balanced_opening(
    wanted: &Wanted,
    visits: u64,
    margin: f64,
    number: u64,
    mut black: impl FnMut(&Board, u64, u64) -> f64,
) -> Option<Judged> {
    let mut rng = Rng::new(wanted.seed.wrapping_mul(0xd134_2543_de82_ef95) ^ number);
    let mut board = Board::new(wanted.size, wanted.rule);
    for _ in 0..wanted.plies - 1 {
        let points = places(&board);
        board.play(points[rng.below(points.len())]).ok()?;
    }
    // Many random positions are lost for one side; the last stone can often put that right.
    let mut points = places(&board);
    let mut best: Option<(f64, Point)> = None;
    for _ in 0..LAST_STONES.min(points.len()) {
        let point = points.swap_remove(rng.below(points.len()));
        board.play(point).ok()?;
        if board.end().is_none() {
            let off = (black(&board, (visits / SHARE).max(1), rng.bits()) - 0.5).abs();
            if best.is_none_or(|(least, _)| off < least) {
                best = Some((off, point));
            }
        }
        board.undo();
    }
    let (off, point) = best?;
    if off > 3.0 * margin {
        return None;
    }
    board.play(point).ok()?;
    let mut winrate = black(&board, visits, rng.bits());
    if is_within(winrate, margin) && wanted.confirm > 0 {
        winrate = black(&board, wanted.confirm, rng.bits());
    }
    let moves = board.moves().iter().copied().flatten().collect();
    is_within(winrate, margin).then_some(Judged { moves, black: winrate })
}

fn is_within(winrate: f64, margin: f64) -> bool {
    (winrate - 0.5).abs() <= margin + 1e-9
}

/// Where a random stone may go: around the centre first, then near the other stones, never where it ends the game.
fn places(board: &Board) -> Vec<Point> {
    let size = board.size();
    if board.stone_count() == 0 {
        let reach = size.side() / 5;
        return size.points().filter(|&point| size.ring(point) <= reach).collect();
    }
    let mover = board.to_move();
    let near = board.near(3);
    let fits = |point: &Point| board.forbidden_to(mover, *point).is_none();
    near.iter().filter(fits).collect()
}

/// Runs a job per index on some threads and answers in the order of the indices.
fn in_parallel<T: Send>(count: usize, threads: usize, job: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return done;
            }
            done.push((index, job(index)));
        }
    };
    let mut all: Vec<(usize, T)> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("judging does not panic")).collect()
    });
    all.sort_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, result)| result).collect()
}
