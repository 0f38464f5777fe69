//! Review of a whole game: what each move gave away, and the forced wins that were missed.

use crate::analysis::force;
use crate::fault::Fault;
use crate::game::Game;
use crate::player::MEMORY;
use crate::pool::{Next, Turn};
use crate::wire::{Ending, Forced, Judgement, Reviewed, Said, Word};
use fivestone_engine::solver::Verdict;
use fivestone_engine::{DEFAULT_ENGINE, Engine, Limits, Proof, build, kind};
use fivestone_game::{Board, GameEnd, Point};
use fivestone_host::views::{names, round};
use std::time::{Duration, Instant};

/// Loss of win probability from which a move is called an inaccuracy, a mistake, a blunder.
const INACCURACY: f64 = 0.05;
const MISTAKE: f64 = 0.10;
const BLUNDER: f64 = 0.20;
/// A win this likely that falls below the second was missed.
const WON: f64 = 0.94;
const NO_LONGER_WON: f64 = 0.58;

/// What the judge thinks of a position.
#[derive(Clone, Debug)]
struct Judged {
    best: Point,
    pv: Vec<Point>,
    winrate: f64,
    second: Option<f64>,
    forced: Option<Forced>,
}

/// A review under way.
pub struct Review {
    engine: Box<dyn Engine>,
    boards: Vec<Board>,
    moves: Vec<Point>,
    /// The end of the game, when it ended on the board.
    end: Option<GameEnd>,
    time: Duration,
    /// Time given to the position at hand in turns that were cut short.
    spent: Duration,
    judged: Vec<Judged>,
}

impl Review {
    /// A review of all moves of a game.
    pub fn new(game: &Game, engine: Option<&str>, time: Duration) -> Result<Review, Fault> {
        let moves: Vec<Point> = game.board.moves().iter().copied().flatten().collect();
        if moves.is_empty() {
            return Err(Fault::bad("there is no move to review"));
        }
        let name = engine.unwrap_or(DEFAULT_ENGINE);
        let known = kind(name).ok_or_else(|| Fault::bad(format!("unknown engine \"{name}\"")))?;
        let mut board = Board::new(game.board.size(), game.board.rule());
        let mut boards = vec![board.clone()];
        for &point in &moves {
            board.play(point).map_err(|error| Fault::bad(error.to_string()))?;
            boards.push(board.clone());
        }
        let engine = build(known.name, []).map_err(|error| Fault::bad(error.to_string()))?;
        let end = board.end();
        let time = time.clamp(Duration::from_millis(20), Duration::from_secs(30));
        Ok(Review { engine, boards, moves, end, time, spent: Duration::ZERO, judged: Vec::new() })
    }

    /// Judges one position.
    pub fn turn(&mut self, turn: &Turn, say: &mut dyn FnMut(Said)) -> Next {
        let at = self.judged.len();
        let last = at + 1 == self.boards.len();
        if last && self.end.is_some() {
            self.tell(at - 1, None, say);
            say(Said::Done { why: Ending::Complete });
            return Next::Done;
        }
        let started = Instant::now();
        let judged = self.judge(at, turn);
        self.spent += started.elapsed();
        // A turn cut short by others is taken up again, so that every move gets the same care.
        if turn.stop.raised() && self.spent < self.time {
            return Next::Again;
        }
        self.spent = Duration::ZERO;
        self.judged.push(judged);
        if at > 0 {
            self.tell(at - 1, Some(at), say);
        }
        if last {
            say(Said::Done { why: Ending::Complete });
            return Next::Done;
        }
        Next::Again
    }

    fn judge(&mut self, at: usize, turn: &Turn) -> Judged {
        let board = &self.boards[at];
        let found = force(board, false, self.time / 4, &turn.stop);
        let limits = Limits {
            turn: Some(self.time.saturating_sub(self.spent)),
            memory: MEMORY,
            lines: 3,
            threads: turn.threads,
            ..Limits::default()
        };
        let report = self.engine.think(board, &limits, &turn.stop, &mut |_| {});
        let forced = found.view(false);
        let solution = found.solution;
        let mut judged = Judged {
            best: report.best(),
            pv: report.lines[0].pv.clone(),
            winrate: report.winrate(),
            second: report.lines.get(1).map(|line| line.winrate),
            forced,
        };
        if solution.verdict == Verdict::Win {
            judged.best = solution.line[0];
            judged.pv = solution.line;
            judged.winrate = 1.0;
        } else if matches!(report.lines[0].proof, Some(Proof::Loss(_))) {
            judged.winrate = 0.0;
        }
        judged
    }

    /// Tells what a move was worth. The place of the position after it is missing when that ended
    /// the game.
    fn tell(&self, at: usize, next: Option<usize>, say: &mut dyn FnMut(Said)) {
        let (board, judged, played) = (&self.boards[at], &self.judged[at], self.moves[at]);
        let swing = judged.swing(played, self.after(at, next));
        let forbidden = next.is_none() && matches!(self.end, Some(GameEnd::Forbidden(_)));
        let judgement = if forbidden { Judgement::Forbidden } else { judged.call(played, &swing) };
        let size = board.size();
        let entry = Reviewed {
            ply: at + 1,
            r#move: played.name(size),
            color: Word(board.to_move()),
            best: judged.best.name(size),
            before: round(swing.before),
            after: round(swing.after),
            loss: round(swing.loss),
            judgement,
            pv: names(judged.pv.iter().copied().take(24), size),
            forced: judged.forced.clone(),
        };
        say(Said::Reviewed { done: at + 1, total: self.moves.len(), entry: Box::new(entry) });
    }

    /// Win probability of the mover after a move.
    fn after(&self, at: usize, next: Option<usize>) -> f64 {
        let mover = self.boards[at].to_move();
        match (next, self.end) {
            (Some(next), _) => 1.0 - self.judged[next].winrate,
            (None, Some(end)) => end.winner().map_or(0.5, |winner| f64::from(u8::from(winner == mover))),
            (None, None) => self.judged[at].winrate,
        }
    }
}

/// Win probabilities of the mover before and after a move, and what the move gave away.
struct Swing {
    before: f64,
    after: f64,
    loss: f64,
}

impl Judged {
    fn swing(&self, played: Point, after: f64) -> Swing {
        if played == self.best {
            return Swing { before: self.winrate, after, loss: 0.0 };
        }
        let before = self.winrate.max(after);
        Swing { before, after, loss: (before - after).max(0.0) }
    }

    /// What a move is called that is not forbidden.
    fn call(&self, played: Point, swing: &Swing) -> Judgement {
        let only = || self.second.is_some_and(|second| self.winrate - second >= BLUNDER);
        if swing.before >= WON && swing.after < NO_LONGER_WON {
            Judgement::MissedWin
        } else if swing.loss >= BLUNDER {
            Judgement::Blunder
        } else if swing.loss >= MISTAKE {
            Judgement::Mistake
        } else if swing.loss >= INACCURACY {
            Judgement::Inaccuracy
        } else if played == self.best && only() {
            Judgement::OnlyMove
        } else {
            Judgement::Unremarkable
        }
    }
}
