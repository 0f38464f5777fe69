//! A child process that is spoken to in lines, and that never outlives its owner.

use super::memory;
use crate::spec::Program;
use rustix::process::{Pid, Signal, kill_process, kill_process_group};
use std::fs::OpenOptions;
use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// The longest line that is read; no move and no message is near it.
const LONGEST_LINE: usize = 64 << 10;
/// Lines that may wait to be looked at. When they are full the child's writes block, so a flood costs no memory.
const WAITING_LINES: usize = 256;

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
    output: Receiver<Output>,
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
        let (sender, output) = sync_channel(WAITING_LINES);
        std::thread::Builder::new()
            .name("engine output".to_owned())
            .stack_size(128 << 10)
            .spawn(move || read_lines(stdout, &sender))?;
        Ok(Process { child, stdin, output })
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

    /// Waits for output; nothing when the time is over.
    pub fn receive(&self, timeout: Duration) -> Option<Output> {
        match self.output.recv_timeout(timeout) {
            Ok(output) => Some(output),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Output::Closed),
        }
    }

    /// Throws away what was said and not asked for.
    pub fn forget_output(&self) {
        for _ in 0..WAITING_LINES {
            if !matches!(self.output.try_recv(), Ok(Output::Line(..))) {
                return;
            }
        }
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

/// Reads lines until the output closes or nobody listens any more.
fn read_lines(mut source: impl Read, sender: &SyncSender<Output>) {
    let mut chunk = [0; 4096];
    let mut line = Vec::new();
    loop {
        let count = match source.read(&mut chunk) {
            Ok(0) => break,
            Ok(count) => count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => break,
        };
        let arrived = Instant::now();
        for &byte in &chunk[..count] {
            if byte == b'\n' {
                let text = String::from_utf8_lossy(&line).trim().to_owned();
                line.clear();
                if sender.send(Output::Line(text, arrived)).is_err() {
                    return;
                }
            } else if line.len() < LONGEST_LINE {
                line.push(byte);
            } else {
                let _ = sender.send(Output::EndlessLine);
                return;
            }
        }
    }
    if !line.is_empty() {
        let _ = sender.send(Output::Line(String::from_utf8_lossy(&line).trim().to_owned(), Instant::now()));
    }
    let _ = sender.send(Output::Closed);
}
