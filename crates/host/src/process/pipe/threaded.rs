//! A thread that reads the pipe, for systems that cannot wait for a pipe with a time limit.

use super::CHUNK;
use std::io::{self, Read};
use std::process::ChildStdout;
use std::sync::mpsc::{Receiver, RecvTimeoutError, TryRecvError, sync_channel};
use std::thread;
use std::time::Duration;

/// Chunks between the thread and its listener. What is beyond stays in the pipe, so a flood costs
/// no memory.
const WAITING: usize = 4;

/// The reading end of a child's output.
#[derive(Debug)]
pub struct Pipe {
    chunks: Receiver<Vec<u8>>,
    /// What came while somebody waited; empty at the end of the output.
    next: Option<Vec<u8>>,
}

impl Pipe {
    /// Starts the thread. It ends with the child's output, or when nobody listens any more.
    pub fn new(mut stdout: ChildStdout) -> io::Result<Pipe> {
        let (sender, chunks) = sync_channel(WAITING);
        let work = move || {
            let mut bytes = vec![0; CHUNK];
            loop {
                match stdout.read(&mut bytes) {
                    Ok(0) => return,
                    Ok(count) if sender.send(bytes[..count].to_vec()).is_ok() => {}
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Ok(_) | Err(_) => return,
                }
            }
        };
        thread::Builder::new().name("program".to_owned()).spawn(work)?;
        Ok(Pipe { chunks, next: None })
    }

    /// Waits until there is something to read, the end included.
    pub fn is_ready(&mut self, timeout: Duration) -> bool {
        if self.next.is_none() {
            self.next = match self.chunks.recv_timeout(timeout) {
                Ok(chunk) => Some(chunk),
                Err(RecvTimeoutError::Disconnected) => Some(Vec::new()),
                Err(RecvTimeoutError::Timeout) => None,
            };
        }
        self.next.is_some()
    }

    /// Appends what there is to `output` without waiting; 0 is the end.
    pub fn read_ready(&mut self, output: &mut Vec<u8>) -> io::Result<usize> {
        let chunk = match self.next.take() {
            Some(chunk) => chunk,
            None => match self.chunks.try_recv() {
                Ok(chunk) => chunk,
                Err(TryRecvError::Empty) => return Err(io::ErrorKind::WouldBlock.into()),
                Err(TryRecvError::Disconnected) => Vec::new(),
            },
        };
        output.extend_from_slice(&chunk);
        Ok(chunk.len())
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn all_output_arrives_and_then_the_end() {
        let script = "printf one; sleep 0.05; printf two; head -c 200000 /dev/zero";
        let child = Command::new("sh").args(["-c", script]).stdout(Stdio::piped()).spawn();
        let mut child = child.expect("a shell");
        let mut pipe = Pipe::new(child.stdout.take().expect("piped")).expect("a thread");
        let mut output = Vec::new();
        loop {
            assert!(pipe.is_ready(Duration::from_secs(10)), "an answer or the end");
            if pipe.read_ready(&mut output).expect("it is ready") == 0 {
                break;
            }
        }
        assert_eq!((output.len(), &output[..6]), (200_006, &b"onetwo"[..]));
        assert!(pipe.is_ready(Duration::ZERO), "the end stays the end");
        child.wait().expect("it ends");
    }

    #[test]
    fn nobody_waits_for_a_silent_child() {
        let mut child =
            Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("cat");
        let mut pipe = Pipe::new(child.stdout.take().expect("piped")).expect("a thread");
        assert!(!pipe.is_ready(Duration::from_millis(20)));
        let nothing = pipe.read_ready(&mut Vec::new()).expect_err("nothing was said");
        assert_eq!(nothing.kind(), io::ErrorKind::WouldBlock);
        drop(child.stdin.take());
        child.wait().expect("it ends");
    }
}
