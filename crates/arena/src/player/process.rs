//! A child process that is spoken to in lines, and that never outlives its owner.

use super::memory;
use crate::spec::Program;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::ioctl_fionbio;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::collections::VecDeque;
use std::fs::OpenOptions;
use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The longest line that is read; no move and no message is near it.
const LONGEST_LINE: usize = 64 << 10;
/// The most that is read at once.
const CHUNK: usize = 16 << 10;
/// The most old output that is thrown away before a question; what is left counts to the answer.
const MOST_FORGOTTEN: usize = 256 << 10;

/// What came from the child.
#[derive(Debug)]
pub enum Output {
    /// A line without its end, and when it arrived.
    Line(String, Instant),
    /// A line without end.
    EndlessLine,
    /// The child closed its output.
    Closed,
}

/// A running child.
#[derive(Debug)]
pub struct Process {
    child: Child,
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    /// Complete lines that were read and not yet looked at.
    lines: VecDeque<(String, Instant)>,
    /// The beginning of a line.
    partial: Vec<u8>,
    /// Where output is read to.
    chunk: Box<[u8; CHUNK]>,
    closed: bool,
}

impl Process {
    /// Starts a program as the leader of a process group of its own.
    pub fn spawn(program: &Program) -> io::Result<Process> {
        let mut command = Command::new(&program.command);
        command.args(&program.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).process_group(0);
        if let Some(directory) = &program.directory {
            command.current_dir(directory);
        }
        command.stderr(match &program.stderr {
            Some(path) => OpenOptions::new().create(true).append(true).open(path)?.into(),
            None => Stdio::null(),
        });
        let mut child = command.spawn()?;
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("the output is piped");
        let (lines, partial, chunk) = (VecDeque::new(), Vec::new(), Box::new([0; CHUNK]));
        let process = Process { child, stdin, stdout, lines, partial, chunk, closed: false };
        // Only this end of the pipe: old output can then be thrown away without asking first whether there is any.
        ioctl_fionbio(&process.stdout, true)?;
        Ok(process)
    }

    /// Sends lines, each ended as the protocol wants it.
    pub fn send(&mut self, lines: &[impl AsRef<str>]) -> io::Result<()> {
        let mut text = String::new();
        for line in lines {
            text.push_str(line.as_ref());
            text.push_str("\r\n");
        }
        let stdin = self.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?;
        stdin.write_all(text.as_bytes())?;
        stdin.flush()
    }

    /// Waits for output; nothing when the time is over. What nobody asks for stays in the pipe, so a flood costs no memory.
    pub fn receive(&mut self, timeout: Duration) -> Option<Output> {
        let deadline = Instant::now() + timeout;
        loop {
            if let Some((line, arrived)) = self.lines.pop_front() {
                return Some(Output::Line(line, arrived));
            }
            if self.partial.len() > LONGEST_LINE {
                return Some(Output::EndlessLine);
            }
            if self.closed {
                return Some(Output::Closed);
            }
            if self.read_more(deadline.saturating_duration_since(Instant::now())) == 0 && !self.closed {
                return None;
            }
        }
    }

    /// Throws away what was said and not asked for.
    pub fn forget_output(&mut self) {
        let mut forgotten = 0;
        while forgotten < MOST_FORGOTTEN && !self.closed {
            match self.read_ready() {
                0 => break,
                count => forgotten += count,
            }
            self.lines.clear();
        }
        self.lines.clear();
    }

    /// Reads what there is, waiting for it; answers how many bytes that was.
    fn read_more(&mut self, timeout: Duration) -> usize {
        let timeout = Timespec::try_from(timeout).unwrap_or(Timespec { tv_sec: 3600, tv_nsec: 0 });
        let ready = poll(&mut [PollFd::new(&self.stdout, PollFlags::IN)], Some(&timeout));
        if matches!(ready, Ok(count) if count > 0) { self.read_ready() } else { 0 }
    }

    /// Reads what there is without waiting; answers how many bytes that was.
    fn read_ready(&mut self) -> usize {
        let count = match self.stdout.read(&mut self.chunk[..]) {
            Ok(count) => count,
            Err(error) if matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock) => {
                return 0;
            }
            Err(_) => 0,
        };
        let arrived = Instant::now();
        if count == 0 {
            self.closed = true;
            if !self.partial.is_empty() {
                self.end_line(arrived);
            }
        }
        for at in 0..count {
            let byte = self.chunk[at];
            if byte == b'\n' {
                self.end_line(arrived);
            } else {
                self.partial.push(byte);
            }
        }
        count
    }

    fn end_line(&mut self, arrived: Instant) {
        self.lines.push_back((String::from_utf8_lossy(&self.partial).trim().to_owned(), arrived));
        self.partial.clear();
    }

    /// Resident bytes of the child and everything it started.
    pub fn resident_bytes(&self) -> u64 {
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
        let _ = self.send(&["END"]);
        self.stdin = None;
        self.exit_status(patience).is_some()
    }
}

/// How a child ended, for a person.
pub fn describe(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(signal)) => format!("killed by signal {signal}"),
        (None, None) => "unknown end".to_owned(),
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let leader = self.child.id();
        let strays = memory::process_tree(leader);
        if let Some(group) = Pid::from_raw(leader as i32) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        // A descendant that left the group is no longer reached by the group's signal.
        for stray in strays[1..].iter().filter_map(|&id| Pid::from_raw(id as i32)) {
            let _ = kill_process(stray, Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        // The next game must not find their memory still taken.
        let deadline = Instant::now() + Duration::from_secs(2);
        while strays[1..].iter().any(|&id| memory::is_running(id)) && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}
