//! A child process that is spoken to in lines, and that never outlives its owner.

use super::group;
use super::pipe::{CHUNK, Pipe};
use super::words::Lines;
use crate::memory;
use crate::spec::Program;
use std::borrow::Cow;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::ops::Range;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The longest line that is read; no move and no message is near it.
const LONGEST_LINE: usize = 64 << 10;
/// The most old output that is thrown away before a question; what is left counts to the answer.
const MOST_FORGOTTEN: usize = 256 << 10;

/// What came from the child.
#[derive(Debug)]
pub enum Output<'a> {
    /// A line without its end, and when it arrived.
    Line(Cow<'a, str>, Instant),
    /// A line without end.
    EndlessLine,
    /// The child closed its output.
    Closed,
}

/// A running child.
///
/// Between two moves a program has taken the whole cache, so the runner's cost is the memory that one move touches: questions and answers
/// stay in two buffers, and nothing is allocated.
#[derive(Debug)]
pub struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: Pipe,
    /// What was read and not yet thrown away.
    output: Vec<u8>,
    /// Where in it the next line begins.
    unseen: usize,
    /// Up to where no end of that line was found.
    searched: usize,
    /// When the newest of it was read.
    arrived: Instant,
    closed: bool,
}

impl Process {
    /// Starts a program as the leader of a process group of its own.
    pub fn spawn(program: &Program) -> io::Result<Process> {
        let mut command = Command::new(&program.command);
        command.args(&program.arguments).stdin(Stdio::piped()).stdout(Stdio::piped());
        group::lead(&mut command);
        if let Some(directory) = &program.directory {
            command.current_dir(directory);
        }
        command.stderr(match &program.stderr {
            Some(path) => OpenOptions::new().create(true).append(true).open(path)?.into(),
            None => Stdio::null(),
        });
        let mut child = command.spawn()?;
        let stdin = child.stdin.take();
        let stdout = Pipe::new(child.stdout.take().expect("the output is piped"));
        let (output, arrived) = (Vec::with_capacity(CHUNK), Instant::now());
        // A child whose output cannot be read must not be left behind.
        let stdout = stdout.inspect_err(|_| group::kill(&mut child))?;
        Ok(Process { child, stdin, stdout, output, unseen: 0, searched: 0, arrived, closed: false })
    }

    /// Sends what is to be said.
    pub fn send(&mut self, lines: &Lines) -> io::Result<()> {
        let stdin = self.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        stdin.write_all(lines.as_bytes())
    }

    /// Waits for output once: nothing when the time is over or the line is not whole yet. What nobody asks for stays in the pipe, so a
    /// flood costs no memory.
    pub fn receive(&mut self, timeout: Duration) -> Option<Output<'_>> {
        let line = match self.next_line() {
            None if !self.closed && self.stdout.is_ready(timeout) => {
                self.read_ready();
                self.next_line()
            }
            line => line,
        };
        match line {
            Some(line) => {
                let line = String::from_utf8_lossy(self.output[line].trim_ascii());
                Some(Output::Line(line, self.arrived))
            }
            None if self.output.len() - self.unseen > LONGEST_LINE => Some(Output::EndlessLine),
            None => self.closed.then_some(Output::Closed),
        }
    }

    /// Throws away the lines that were said and not asked for; one that is not whole yet belongs to what comes.
    pub fn forget_output(&mut self) {
        let mut forgotten = 0;
        loop {
            let whole = self.output.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
            self.unseen = self.unseen.max(whole);
            self.searched = self.searched.max(whole);
            if forgotten >= MOST_FORGOTTEN || self.closed {
                return;
            }
            match self.read_ready() {
                0 => return,
                count => forgotten += count,
            }
        }
    }

    /// The place of the next whole line; the rest when there will be no more.
    fn next_line(&mut self) -> Option<Range<usize>> {
        let end = self.output[self.searched..].iter().position(|&byte| byte == b'\n');
        self.searched = end.map_or(self.output.len(), |end| self.searched + end);
        if end.is_none() && (!self.closed || self.unseen == self.output.len()) {
            return None;
        }
        let line = self.unseen..self.searched;
        self.searched = (self.searched + 1).min(self.output.len());
        self.unseen = self.searched;
        Some(line)
    }

    /// Reads what there is without waiting; answers how many bytes that was.
    fn read_ready(&mut self) -> usize {
        self.output.drain(..self.unseen);
        self.searched -= self.unseen;
        self.unseen = 0;
        self.output.reserve(CHUNK);
        let count = match self.stdout.read_ready(&mut self.output) {
            Ok(count) => count,
            Err(error) if is_momentary(&error) => return 0,
            Err(_) => 0,
        };
        self.arrived = Instant::now();
        self.closed |= count == 0;
        count
    }

    /// Resident bytes of the child and everything it started.
    pub fn resident_bytes(&self) -> Option<u64> {
        memory::resident_bytes(self.child.id())
    }

    /// How the child ended, waiting a little for one that is just about to.
    pub fn exit_status(&mut self, patience: Duration) -> Option<ExitStatus> {
        let started = Instant::now();
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if started.elapsed() < patience => std::thread::sleep(Duration::from_millis(2)),
                _ => return None,
            }
        }
    }

    /// Asks the child to leave and answers whether it did in time; it is gone afterwards in any case.
    pub fn end(mut self, patience: Duration) -> bool {
        let _ = self.send(&Lines::of("END"));
        self.stdin = None;
        self.exit_status(patience).is_some()
    }
}

/// Whether there is only nothing to read yet.
fn is_momentary(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock)
}

impl Drop for Process {
    fn drop(&mut self) {
        group::kill(&mut self.child);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_arrive_whole_however_they_were_written() {
        let script = "printf 'old\\n1,1\\nMESS'; read question; printf 'AGE \\303 \\r\\n\\n7'; sleep 0.05; printf ',7'";
        let arguments = vec!["-c".to_owned(), script.to_owned()];
        let program = Program { command: "sh".to_owned(), arguments, directory: None, stderr: None };
        let mut process = Process::spawn(&program).unwrap();
        let next = |process: &mut Process| loop {
            match process.receive(Duration::from_secs(10)) {
                Some(Output::Line(line, _)) => return line.into_owned(),
                Some(Output::Closed) => return "closed".to_owned(),
                Some(Output::EndlessLine) => return "endless".to_owned(),
                None => {}
            }
        };
        assert_eq!(next(&mut process), "old");
        process.forget_output();
        process.send(&Lines::of("TURN 1,1")).unwrap();
        for expected in ["MESSAGE \u{fffd}", "", "7,7", "closed", "closed"] {
            assert_eq!(next(&mut process), expected);
        }
    }
}
