//! An engine process and what it says, for tests.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

/// Long enough for any machine: only a hung process takes it.
const PATIENCE: Duration = Duration::from_secs(60);

pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Process {
    pub fn start(arguments: &[&str]) -> Process {
        let mut child = Command::new(env!("CARGO_BIN_EXE_pbrain-fivestone"))
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let output = BufReader::new(child.stdout.take().expect("its output"));
        let (sender, lines) = channel();
        thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
        let input = child.stdin.take();
        Process { child, input, lines }
    }

    pub fn say(&mut self, line: &[u8]) {
        let input = self.input.as_mut().expect("an open input");
        input.write_all(line).and_then(|()| input.write_all(b"\r\n")).expect("the engine listens");
        input.flush().expect("the engine listens");
    }

    pub fn close_input(&mut self) {
        self.input = None;
    }

    pub fn hear(&mut self) -> String {
        self.lines.recv_timeout(PATIENCE).expect("an answer")
    }

    /// Says something and takes the next line as the answer.
    pub fn ask(&mut self, line: &str) -> String {
        self.say(line.as_bytes());
        self.hear()
    }

    /// Waits for the end; answers what was left unsaid on either output.
    pub fn finish(&mut self) -> (String, String) {
        let rest: Vec<String> = std::iter::from_fn(|| self.lines.recv_timeout(PATIENCE).ok()).collect();
        let mut errors = String::new();
        self.child.stderr.take().expect("errors").read_to_string(&mut errors).expect("text");
        assert!(self.child.wait().expect("an end").success());
        (rest.join("\n"), errors)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
