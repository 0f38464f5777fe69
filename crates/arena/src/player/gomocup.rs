//! External programs that speak the Gomocup protocol.

use super::message::Talk;
use super::process::{Output, Process, describe};
use super::{Answer, Player, Setup, Silence};
use crate::clock::Clock;
use crate::fault::{Fault, FaultKind};
use crate::spec::{EngineSpec, Program};
use fivestone_engine::Stop;
use fivestone_game::{Board, Color, Point, Rule, Size};
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

/// How often a thinking program is looked at: is it too large, is the match over?
const WATCH: Duration = Duration::from_millis(100);
/// Between two looks at the memory of one program.
const MEMORY_INTERVAL: Duration = Duration::from_millis(200);
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
            let process = self.process.as_ref().expect("the program runs");
            let (line, arrived) = match process.receive(until.min(WATCH)) {
                None => {
                    self.check_memory()?;
                    continue;
                }
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
                self.check_memory()?;
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
        let mut question = vec![format!("INFO time_left {}", milliseconds(clock.left(), i32::MAX as u128))];
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

/// The number that the protocol knows a rule by.
pub fn rule_code(rule: Rule) -> u32 {
    match rule {
        Rule::Freestyle => 0,
        Rule::Standard => 1,
        Rule::Renju => 4,
        Rule::CaroOverline => 8,
        Rule::Caro => 9,
    }
}

fn info_lines(spec: &EngineSpec, setup: &Setup) -> Vec<String> {
    let control = setup.clock.control();
    // A turn of 0 would mean to play at once, so a missing limit is a very long one.
    let turn = control.turn.or(control.game);
    let mut pairs = vec![
        ("timeout_match", milliseconds(control.game, 0)),
        ("timeout_turn", milliseconds(turn, 2_000_000)),
        ("max_memory", spec.memory.into()),
        ("game_type", 1),
        ("rule", rule_code(setup.rule).into()),
        ("thread_num", spec.threads as u128),
    ];
    if !control.increment.is_zero() {
        pairs.push(("time_increment", control.increment.as_millis()));
    }
    pairs.extend(spec.visits.map(|visits| ("max_node", visits.into())));
    pairs.extend(spec.depth.map(|depth| ("max_depth", depth.into())));
    let fixed = pairs.into_iter().map(|(key, value)| format!("INFO {key} {value}"));
    fixed.chain(spec.options.iter().map(|(key, value)| format!("INFO {key} {value}"))).collect()
}

fn milliseconds(time: Option<Duration>, unlimited: u128) -> u128 {
    time.map_or(unlimited, |time| time.as_millis().max(1))
}

/// The position for a player whose turn it is, in the order of the moves.
fn board_lines(board: &Board) -> Vec<String> {
    let own = board.to_move();
    let mut color = Color::Black;
    let mut lines = vec!["BOARD".to_owned()];
    for &played in board.moves() {
        if let Some(point) = played {
            lines.push(format!("{},{},{}", point.x(), point.y(), if color == own { 1 } else { 2 }));
        }
        color = !color;
    }
    lines.push("DONE".to_owned());
    lines
}

/// Reads `x,y`, whatever the numbers are.
fn coordinates(text: &str) -> Option<(i64, i64)> {
    let (x, y) = text.split_once(',')?;
    Some((x.trim().parse().ok()?, y.trim().parse().ok()?))
}

fn on_board(text: &str, board: &Board) -> Result<Point, Fault> {
    let point = coordinates(text).and_then(|(x, y)| point_at(x, y, board.size()));
    let point = point
        .ok_or_else(|| Fault::new(FaultKind::IllegalMove, format!("{} is off the board", quoted(text))))?;
    if board.is_empty(point) {
        return Ok(point);
    }
    Err(Fault::new(FaultKind::Occupied, format!("{} is occupied", point.name(board.size()))))
}

fn point_at(x: i64, y: i64, size: Size) -> Option<Point> {
    Point::new(usize::try_from(x).ok()?, usize::try_from(y).ok()?, size)
}

/// A line as quoted in a report: short and printable.
fn quoted(line: &str) -> String {
    let short: String = line.chars().map(|c| if c.is_control() { '?' } else { c }).take(60).collect();
    let dots = if line.chars().nth(60).is_some() { "..." } else { "" };
    format!("\"{short}{dots}\"")
}
