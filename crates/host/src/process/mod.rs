//! External programs that speak the Gomocup protocol.

mod child;
mod group;
mod pipe;
mod talk;
mod words;

use crate::clock::Clock;
use crate::fault::{Fault, FaultKind};
use crate::player::{Answer, OpeningAnswer, Player, Setup, Silence};
use crate::spec::{EngineSpec, Program};
use child::{Output, Process};
use fivestone_engine::Stop;
use fivestone_game::Board;
use fivestone_game::opening::{Decision, Opening, OpeningState};
use group::describe;
use std::time::{Duration, Instant};
use talk::Talk;
use words::{
    Lines, ask_about_board, ask_about_swap2, info_lines, is_swap2_answer, milliseconds, quoted, read_move,
    read_swap2,
};

/// How long a program is waited for where no clock runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// From the start of the program to its `OK`.
    pub start: Duration,
    /// From `END` to its exit.
    pub end: Duration,
    /// For a move without any time limit.
    pub unlimited: Duration,
    /// After the time limit, to tell a late answer from none.
    pub late: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            start: Duration::from_secs(30),
            end: Duration::from_millis(500),
            unlimited: Duration::from_secs(600),
            late: Duration::from_secs(1),
        }
    }
}

/// How often a silent program is looked at: is it too large, is the match over? Each look wakes the runner on a core that a program
/// wants, so fast moves should come between two looks.
const WATCH: Duration = Duration::from_millis(200);
/// Between two looks at the memory of one program.
const MEMORY_INTERVAL: Duration = Duration::from_secs(1);
/// The time left of a game without limit. The protocol's word for it is 2147483647, with which Yixin 2018 reckons itself out of time.
const UNLIMITED_LEFT: u64 = 100_000_000;
/// The most output for one move.
const MOST_LINES: usize = 20_000;
const MOST_BYTES: usize = 4 << 20;

/// A player behind a pipe.
#[derive(Debug)]
pub struct External {
    spec: EngineSpec,
    program: Program,
    patience: Patience,
    process: Option<Process>,
    question: Lines,
    /// Stones on the board after this player's last move, 0 when the program does not know the position.
    known_stones: usize,
    memory_seen: Instant,
}

impl External {
    /// A player that starts the program when its first game begins.
    pub fn new(spec: EngineSpec, program: Program, patience: Patience) -> External {
        External {
            spec,
            program,
            patience,
            process: None,
            question: Lines::default(),
            known_stones: 0,
            memory_seen: Instant::now(),
        }
    }

    fn start(&mut self, setup: &Setup) -> Result<(), Fault> {
        if self.spec.restart {
            self.process = None;
        }
        if let Some(process) = &mut self.process {
            process.forget_output();
            let again = process.send(&Lines::of("RESTART")).is_ok();
            if again && self.await_ok().is_ok() {
                return self.send_info(setup);
            }
            // Not every program can begin anew; a fresh process always can.
            self.process = None;
        }
        let process = Process::spawn(&self.program).map_err(|error| {
            Fault::new(FaultKind::StartFailed, format!("cannot start {}: {error}", self.program.command))
        })?;
        self.process = Some(process);
        let start = Lines::of(&format!("START {}", setup.size));
        if self.process.as_mut().is_some_and(|process| process.send(&start).is_err()) {
            return Err(self.gone(FaultKind::StartFailed, FaultKind::StartFailed));
        }
        self.await_ok()?;
        self.send_info(setup)
    }

    fn await_ok(&mut self) -> Result<(), Fault> {
        let deadline = Instant::now() + self.patience.start;
        let mut lines = 0;
        loop {
            let process = self.process.as_mut().expect("the program runs");
            let left = deadline.saturating_duration_since(Instant::now());
            match process.receive(left) {
                None if !left.is_zero() => {}
                None => {
                    let detail = format!("no OK within {} s", self.patience.start.as_secs_f64());
                    return Err(Fault::new(FaultKind::StartFailed, detail));
                }
                Some(Output::Closed) => {
                    return Err(self.gone(FaultKind::StartFailed, FaultKind::StartFailed));
                }
                Some(Output::EndlessLine) => return Err(flood()),
                Some(Output::Line(line, _)) => {
                    let word = line.split_ascii_whitespace().next().unwrap_or("").to_ascii_uppercase();
                    match word.as_str() {
                        "OK" => return Ok(()),
                        "ERROR" => return Err(Fault::new(FaultKind::Refused, quoted(&line))),
                        _ => lines += 1,
                    }
                    if lines > MOST_LINES {
                        return Err(flood());
                    }
                }
            }
        }
    }

    fn send_info(&mut self, setup: &Setup) -> Result<(), Fault> {
        let lines = info_lines(&self.spec, setup);
        let sent = self.process.as_mut().expect("the program runs").send(&lines);
        sent.map_err(|_| self.gone(FaultKind::StartFailed, FaultKind::StartFailed))
    }

    /// The fault of a program that closed its output.
    fn gone(&mut self, crash: FaultKind, exit: FaultKind) -> Fault {
        let process = self.process.as_mut().expect("the program ran");
        match process.exit_status(Duration::from_millis(500)) {
            Some(status) if status.success() => Fault::new(exit, "the program left (exit code 0)"),
            Some(status) => Fault::new(crash, format!("the program died ({})", describe(status))),
            None => Fault::new(crash, "the program closed its output"),
        }
    }

    fn gone_in_game(&mut self) -> Fault {
        self.gone(FaultKind::Crash, FaultKind::Exited)
    }

    fn check_memory(&mut self, now: Instant) -> Result<(), Fault> {
        if self.spec.memory == 0 || now.saturating_duration_since(self.memory_seen) < MEMORY_INTERVAL {
            return Ok(());
        }
        self.memory_seen = now;
        let used = self.process.as_ref().and_then(Process::resident_bytes).unwrap_or(0);
        if used <= self.spec.memory {
            return Ok(());
        }
        let detail = format!("uses {} MB of {} MB", used >> 20, self.spec.memory >> 20);
        Err(Fault::new(FaultKind::Memory, detail))
    }

    /// Sends the question and waits for the one line that `read` takes for its answer.
    fn ask<T>(
        &mut self,
        clock: &Clock,
        stop: &Stop,
        read: impl Fn(&str) -> Option<T>,
    ) -> Result<(T, Duration, Talk), Silence> {
        let limit = clock.limit();
        let allowed = limit.map_or(self.patience.unlimited, |limit| limit + self.spec.tolerance);
        let started = Instant::now();
        let end = started + allowed + self.patience.late;
        let process = self.process.as_mut().ok_or_else(|| Fault::new(FaultKind::Crash, "not running"))?;
        process.forget_output();
        if process.send(&self.question).is_err() {
            return Err(self.gone_in_game().into());
        }
        let mut talk = Talk::default();
        let (mut lines, mut bytes, mut complaint) = (0, 0, None);
        let mut now = started;
        loop {
            if stop.raised() {
                self.process = None;
                return Err(Silence::Stopped);
            }
            self.check_memory(now)?;
            let left = end.saturating_duration_since(now);
            if left.is_zero() {
                let said = complaint.map(|line| format!(" (it said {line})")).unwrap_or_default();
                let detail = format!("no answer within {:.3} s{said}", allowed.as_secs_f64());
                return Err(Fault::new(FaultKind::Hang, detail).into());
            }
            let process = self.process.as_mut().expect("the program runs");
            let line = match process.receive(left.min(WATCH)) {
                None => {
                    now = Instant::now();
                    continue;
                }
                Some(Output::Closed) => return Err(self.gone_in_game().into()),
                Some(Output::EndlessLine) => return Err(flood().into()),
                Some(Output::Line(line, arrived)) => {
                    now = arrived;
                    line
                }
            };
            lines += 1;
            bytes += line.len();
            if lines > MOST_LINES || bytes > MOST_BYTES {
                return Err(flood().into());
            }
            if let Some(answer) = read(&line) {
                let elapsed = now.saturating_duration_since(started);
                if elapsed > allowed {
                    let limit = limit.unwrap_or(allowed).as_secs_f64();
                    let detail = format!("answered after {:.3} s of {limit:.3} s", elapsed.as_secs_f64());
                    return Err(Fault::new(FaultKind::Late, detail).into());
                }
                return Ok((answer, elapsed, talk));
            }
            match line.split_ascii_whitespace().next().unwrap_or("").to_ascii_uppercase().as_str() {
                "" | "DEBUG" | "SUGGEST" => {}
                "MESSAGE" | "INFO" => talk.hear(&line),
                "UNKNOWN" | "ERROR" => complaint = Some(quoted(&line)),
                _ => {
                    let detail = format!("{} is no move", quoted(&line));
                    return Err(Fault::new(FaultKind::BadFormat, detail).into());
                }
            }
        }
    }

    /// Drops a program that misbehaved, so that the next game begins with a fresh one.
    fn dropped_on_fault<T>(&mut self, result: Result<T, Silence>) -> Result<T, Silence> {
        if result.is_err() {
            self.process = None;
        }
        result
    }

    /// Begins the next question with the time that is left.
    fn question(&mut self, clock: &Clock) -> &mut Lines {
        let left = milliseconds(clock.left(), UNLIMITED_LEFT);
        self.question.clear();
        self.question.words("INFO time_left ").number(left).end();
        &mut self.question
    }

    fn answer(&mut self, board: &Board, clock: &Clock, stop: &Stop) -> Result<Answer, Silence> {
        let follows_own_move = self.known_stones > 0 && self.known_stones + 1 == board.stone_count();
        let question = self.question(clock);
        match board.last_move() {
            None => question.words("BEGIN").end(),
            Some(last) if follows_own_move => question.words("TURN ").point(last).end(),
            Some(_) => ask_about_board(board, question),
        }
        let (point, elapsed, talk) = self.ask(clock, stop, |line| read_move(line, board))?;
        let point = point?;
        self.known_stones = board.stone_count() + 1;
        Ok(Answer { point, elapsed, winrate: talk.winrate, visits: talk.visits, depth: talk.depth })
    }

    fn swap2_answer(
        &mut self,
        state: &OpeningState,
        clock: &Clock,
        stop: &Stop,
    ) -> Result<OpeningAnswer, Silence> {
        ask_about_swap2(state.board(), self.question(clock));
        let read = |line: &str| is_swap2_answer(line).then(|| line.to_owned());
        let (line, elapsed, _) = self.ask(clock, stop, read)?;
        Ok(read_swap2(&line, state, elapsed)?)
    }
}

impl Player for External {
    fn begin(&mut self, setup: &Setup) -> Result<(), Silence> {
        self.known_stones = 0;
        let result = self.start(setup).map_err(Silence::from);
        self.dropped_on_fault(result)
    }

    fn think(&mut self, board: &Board, clock: &Clock, stop: &Stop) -> Result<Answer, Silence> {
        let result = self.answer(board, clock, stop);
        self.dropped_on_fault(result)
    }

    fn open(&mut self, state: &OpeningState, clock: &Clock, stop: &Stop) -> Result<OpeningAnswer, Silence> {
        let result = match state.opening() {
            Opening::Swap | Opening::Swap2 => self.swap2_answer(state, clock, stop),
            // The protocol has no word for other openings: the program is asked for a move, and the referee checks it.
            _ => self.answer(state.board(), clock, stop).map(|answer| OpeningAnswer {
                decisions: vec![Decision::Place(answer.point)],
                first_move: None,
                elapsed: answer.elapsed,
            }),
        };
        self.dropped_on_fault(result)
    }

    fn retire(mut self: Box<Self>) -> Option<Fault> {
        let process = self.process.take()?;
        let patience = self.patience.end;
        let left = process.end(patience);
        (!left).then(|| {
            let detail = format!("still running {} s after END; killed", patience.as_secs_f64());
            Fault::new(FaultKind::IgnoredEnd, detail)
        })
    }
}

fn flood() -> Fault {
    Fault::new(
        FaultKind::Flood,
        format!("more than {MOST_LINES} lines or {} MB of output for one move", MOST_BYTES >> 20),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::spec::Source;

    #[test]
    fn programs_are_told_a_time_they_can_reckon_with() {
        let program =
            Program { command: "none".to_owned(), arguments: Vec::new(), directory: None, stderr: None };
        let spec = EngineSpec::new("none", Source::Program(program.clone()));
        let mut player = External::new(spec, program, Patience::default());
        for (control, told) in [("0/1", 100_000_000_u64), ("2.5", 2500), ("0.0001", 1)] {
            let question = player.question(&Clock::new(control.parse().unwrap()));
            assert_eq!(question.as_bytes(), format!("INFO time_left {told}\r\n").as_bytes(), "{control}");
        }
    }
}
