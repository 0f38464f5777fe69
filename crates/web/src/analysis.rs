//! Continuous analysis of one position, turn by turn.

use crate::fault::Fault;
use crate::player::MEMORY;
use crate::pool::{Next, Turn};
use crate::wire::{AnalyseRequest, Defence, Ending, Forced, Said, Word};
use fivestone_engine::solver::{After, Kind, ProofTree, Solution, SolveLimits, Verdict, prove};
use fivestone_engine::{DEFAULT_ENGINE, Engine, Event, Limits, Report, Stop, build, kind};
use fivestone_game::{Board, Point};
use fivestone_host::views::{ReportView, names};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// A forgotten page does not heat the room: after this an analysis pauses.
const LONGEST: Duration = Duration::from_secs(600);
/// All time given to the search for forced wins.
const MOST_SOLVING: Duration = Duration::from_secs(12);

/// The engine a page analysed with last. It is kept so that a step forward goes on with what is known.
pub type Kept = Arc<Mutex<Option<(String, Box<dyn Engine>)>>>;

/// A forced win, with its proof where there was time to write it down.
pub struct Found {
    /// What the solver found.
    pub solution: Solution,
    board: Board,
    tree: Option<ProofTree>,
}

impl Found {
    /// The win as a page is told it, if it is one; a threat is that of the side that is not to
    /// move.
    pub fn view(&self, threat: bool) -> Option<Forced> {
        let Found { solution, board, .. } = self;
        (solution.verdict == Verdict::Win).then(|| {
            let (defences, otherwise) = self.defences();
            Forced {
                threat,
                kind: Word(solution.kind),
                plies: solution.line.len(),
                line: names(solution.line.iter().copied(), board.size()),
                defences,
                otherwise,
            }
        })
    }

    /// The replies to the first move that have an answer of their own, and what follows any other.
    fn defences(&self) -> (Vec<Defence>, Option<Vec<String>>) {
        let Some(tree) = &self.tree else { return (Vec::new(), None) };
        let After::Replies(replies) = &tree.nodes()[0].after else { return (Vec::new(), None) };
        let size = self.board.size();
        let mut board = self.board.clone();
        board.play_unchecked(tree.nodes()[0].point);
        let mut listed: Vec<Defence> = Vec::new();
        for &(reply, answer) in &replies.listed {
            board.play_unchecked(reply);
            let line = names(tree.line_at(&board, answer), size);
            board.undo();
            listed.push(Defence { reply: reply.name(size), line });
        }
        let forbidden = |reply: &Point| Defence { reply: reply.name(size), line: Vec::new() };
        listed.extend(replies.forbidden.iter().map(forbidden));
        board.pass();
        let otherwise = replies.otherwise.map(|answer| names(tree.line_at(&board, answer), size));
        (listed, otherwise)
    }
}

/// An analysis under way.
pub struct Analysis {
    name: String,
    kept: Kept,
    engine: Option<Box<dyn Engine>>,
    board: Board,
    lines: usize,
    limit: Duration,
    most_visits: u64,
    started: Option<Instant>,
    visits: u64,
    turns: u32,
    early: u32,
    forced: ForcedSearch,
}

/// The search for a forced win beside the analysis: of the side to move, then of the other one.
struct ForcedSearch {
    open: [bool; 2],
    next: Duration,
    spent: Duration,
}

impl Analysis {
    /// Makes ready to analyse.
    pub fn new<Id>(request: &AnalyseRequest<Id>, kept: Kept) -> Result<Analysis, Fault> {
        let board = request.game.open_position()?.board;
        let name = request.engine.as_deref().unwrap_or(DEFAULT_ENGINE);
        let known = kind(name).ok_or_else(|| Fault::bad(format!("unknown engine \"{name}\"")))?;
        let time = request.time_ms.map(Duration::from_millis);
        Ok(Analysis {
            name: known.name.to_owned(),
            kept,
            engine: None,
            lines: request.lines.unwrap_or(8).clamp(1, board.size().cells()),
            board,
            limit: time.map_or(LONGEST, |time| time.min(LONGEST)),
            most_visits: request.visits.unwrap_or(u64::MAX),
            started: None,
            visits: 0,
            turns: 0,
            early: 0,
            forced: ForcedSearch { open: [true; 2], next: Duration::from_millis(40), spent: Duration::ZERO },
        })
    }

    /// One turn.
    pub fn turn(&mut self, turn: &Turn, say: &mut dyn FnMut(Said)) -> Next {
        let started = *self.started.get_or_insert_with(Instant::now);
        self.turns += 1;
        if self.turns > 1 && self.look_for_forced_wins(turn, say) {
            return Next::Again;
        }
        let Some(why) = self.think(turn, started, say) else { return Next::Again };
        // What is certain is told before the end.
        if self.forced.open[0] && self.forced.spent.is_zero() {
            self.look_for_forced_wins(turn, say);
        }
        say(Said::Done { why });
        Next::Done
    }

    /// Searches for a turn; why there is nothing more to do, if so.
    fn think(&mut self, turn: &Turn, started: Instant, say: &mut dyn FnMut(Said)) -> Option<Ending> {
        let mut engine = self.engine.take().unwrap_or_else(|| self.kept_or_new());
        let left = self.limit.saturating_sub(started.elapsed());
        let length = turn.length.min(left).max(Duration::from_millis(10));
        let limits = Limits {
            turn: Some(length),
            visits: (self.most_visits < u64::MAX).then(|| (self.most_visits - self.visits).max(1)),
            memory: MEMORY,
            threads: turn.threads,
            lines: self.lines,
            ..Limits::default()
        };
        let (size, before) = (self.board.size(), self.visits);
        let mut tell = |report: &Report| {
            say(Said::Report(ReportView::continued(report, size, before, started.elapsed())));
        };
        let turn_started = Instant::now();
        let report =
            engine.think(&self.board, &limits, &turn.stop, &mut |Event::Report(report)| tell(&report));
        self.engine = Some(engine);
        tell(&report);
        self.visits += report.visits;
        let early = turn_started.elapsed() < length / 2 && !turn.stop.raised();
        self.early = if early { self.early + 1 } else { 0 };
        self.ending(&report, started.elapsed())
    }

    /// Why the analysis is over, if it is.
    fn ending(&self, report: &Report, elapsed: Duration) -> Option<Ending> {
        let proven = self.early > 0 && report.lines.iter().all(|line| line.proof.is_some());
        if self.visits >= self.most_visits {
            Some(Ending::Limit)
        } else if proven {
            Some(Ending::Proven)
        } else if self.early >= 3 {
            Some(Ending::Exhausted)
        } else if elapsed >= self.limit {
            Some(if self.limit == LONGEST { Ending::Paused } else { Ending::Limit })
        } else {
            None
        }
    }

    /// Gives some time to the solver every other turn; whether it did.
    fn look_for_forced_wins(&mut self, turn: &Turn, say: &mut dyn FnMut(Said)) -> bool {
        let due = self.turns.is_multiple_of(2) && self.forced.spent < MOST_SOLVING;
        let Some(side) = self.forced.open.iter().position(|&open| open).filter(|_| due) else { return false };
        let time = self.forced.next.min(turn.length.max(Duration::from_millis(40)));
        for side in side..2 {
            if self.forced.open[side] {
                let found = force(&self.board, side == 1, time, &turn.stop);
                self.forced.spent += found.solution.elapsed;
                self.forced.open[side] = found.solution.verdict == Verdict::Unknown;
                if let Some(proof) = found.view(side == 1) {
                    say(Said::Proof(proof));
                    // The other side's threat does not matter to a side that wins.
                    self.forced.open = [false; 2];
                }
            }
        }
        self.forced.next *= 2;
        true
    }

    fn kept_or_new(&self) -> Box<dyn Engine> {
        let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner).take();
        match kept {
            Some((name, engine)) if name == self.name => engine,
            // The solver looks for forced wins beside the analysis: the engine need not.
            _ => {
                let declared =
                    kind(&self.name).is_some_and(|kind| kind.parameters.iter().any(|p| p.name == "vct"));
                let settings = declared.then_some(("vct", "0"));
                build(&self.name, settings).expect("the engine is listed and the parameter declared")
            }
        }
    }
}

impl Drop for Analysis {
    fn drop(&mut self) {
        if let Some(engine) = self.engine.take() {
            let name = std::mem::take(&mut self.name);
            *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some((name, engine));
        }
    }
}

/// Looks for a forced win of the side to move, or of the other side if it were its turn.
pub fn force(board: &Board, of_other_side: bool, time: Duration, stop: &Stop) -> Found {
    let limits = SolveLimits { time: Some(time), memory: 24 << 20, ..SolveLimits::default() };
    let mut board = board.clone();
    if of_other_side {
        board.pass();
    }
    let (solution, tree) = prove(&board, Kind::Vct, &limits, stop);
    Found { solution, board, tree: tree.ok() }
}
