//! External programs that speak the Gomocup protocol.

use super::message::Talk;
use super::process::{Output, Process, describe};
use super::words::{
    board_lines, coordinates, info_lines, is_swap2_answer, milliseconds, on_board, quoted, read_swap2,
    swap2_lines,
};
use super::{Answer, OpeningAnswer, Player, Setup, Silence};
use crate::clock::Clock;
use crate::fault::{Fault, FaultKind};
use crate::spec::{EngineSpec, Program};
use fivestone_engine::Stop;
use fivestone_game::Board;
use fivestone_game::opening::{Decision, Opening, OpeningState};
use std::time::{Duration, Instant};

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
    /// Stones on the board after this player's last move, 0 when the program does not know the position.
    known_stones: usize,
    memory_seen: Instant,
}

impl External {
    /// A player that starts the program when its first game begins.
    pub fn new(spec: EngineSpec, program: Program, patience: Patience) -> External {
        External { spec, program, patience, process: None, known_stones: 0, memory_seen: Instant::now() }
    }

    fn start(&mut self, setup: &Setup) -> Result<(), Fault> {
        if self.spec.restart {
            self.process = None;
        }
        if let Some(process) = &mut self.process {
            process.forget_output();
            let again = process.send(&["RESTART"]).is_ok();
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
        let start = format!("START {}", setup.size);
        if self.process.as_mut().is_some_and(|process| process.send(&[start]).is_err()) {
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
            match process.receive(deadline.saturating_duration_since(Instant::now())) {
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

    fn check_memory(&mut self) -> Result<(), Fault> {
        if self.spec.memory == 0 || self.memory_seen.elapsed() < MEMORY_INTERVAL {
            return Ok(());
        }
        self.memory_seen = Instant::now();
        let used = self.process.as_ref().map_or(0, Process::resident_bytes);
        if used <= self.spec.memory {
            return Ok(());
        }
        let detail = format!("uses {} MB of {} MB", used >> 20, self.spec.memory >> 20);
        Err(Fault::new(FaultKind::Memory, detail))
    }

    /// Sends a question and waits for the one line that answers it.
    fn ask(
        &mut self,
        question: &[String],
        clock: &Clock,
        stop: &Stop,
        is_answer: fn(&str) -> bool,
    ) -> Result<(String, Duration, Talk), Silence> {
        let limit = clock.limit();
        let allowed = limit.map_or(self.patience.unlimited, |limit| limit + self.spec.tolerance);
        let started = Instant::now();
        let process = self.process.as_mut().ok_or_else(|| Fault::new(FaultKind::Crash, "not running"))?;
        process.forget_output();
        if process.send(question).is_err() {
            return Err(self.gone_in_game().into());
        }
        let mut talk = Talk::default();
        let (mut lines, mut bytes, mut complaint) = (0, 0, None);
        loop {
            if stop.raised() {
                self.process = None;
                return Err(Silence::Stopped);
            }
            let until = (started + allowed + self.patience.late).saturating_duration_since(Instant::now());
            if until.is_zero() {
                let said = complaint.map(|line| format!(" (it said {line})")).unwrap_or_default();
                let detail = format!("no answer within {:.3} s{said}", allowed.as_secs_f64());
                return Err(Fault::new(FaultKind::Hang, detail).into());
            }
            let process = self.process.as_mut().expect("the program runs");
            let output = process.receive(until.min(WATCH));
            self.check_memory()?;
            let (line, arrived) = match output {
                None => continue,
                Some(Output::Closed) => return Err(self.gone_in_game().into()),
                Some(Output::EndlessLine) => return Err(flood().into()),
                Some(Output::Line(line, arrived)) => (line, arrived),
            };
            lines += 1;
            bytes += line.len();
            if lines > MOST_LINES || bytes > MOST_BYTES {
                return Err(flood().into());
            }
            if is_answer(&line) {
                let elapsed = arrived.saturating_duration_since(started);
                if elapsed > allowed {
                    let limit = limit.unwrap_or(allowed).as_secs_f64();
                    let detail = format!("answered after {:.3} s of {limit:.3} s", elapsed.as_secs_f64());
                    return Err(Fault::new(FaultKind::Late, detail).into());
                }
                return Ok((line, elapsed, talk));
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

    fn answer(&mut self, board: &Board, clock: &Clock, stop: &Stop) -> Result<Answer, Silence> {
        let mut question = vec![time_left(clock)];
        match board.last_move() {
            None => question.push("BEGIN".to_owned()),
            Some(last) if self.known_stones > 0 && self.known_stones + 1 == board.stone_count() => {
                question.push(format!("TURN {},{}", last.x(), last.y()));
            }
            Some(_) => question.extend(board_lines(board)),
        }
        let (line, elapsed, talk) = self.ask(&question, clock, stop, |line| coordinates(line).is_some())?;
        let point = on_board(&line, board)?;
        self.known_stones = board.stone_count() + 1;
        Ok(Answer { point, elapsed, winrate: talk.winrate, visits: talk.visits, depth: talk.depth })
    }

    fn swap2_answer(
        &mut self,
        state: &OpeningState,
        clock: &Clock,
        stop: &Stop,
    ) -> Result<OpeningAnswer, Silence> {
        let mut question = vec![time_left(clock)];
        question.extend(swap2_lines(state.board()));
        let (line, elapsed, _) = self.ask(&question, clock, stop, is_swap2_answer)?;
        Ok(read_swap2(&line, state, elapsed)?)
    }
}

fn time_left(clock: &Clock) -> String {
    format!("INFO time_left {}", milliseconds(clock.left(), i32::MAX as u128))
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
