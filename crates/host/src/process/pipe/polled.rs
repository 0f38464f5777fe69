//! The pipe itself, asked whether there is something in it.

use rustix::buffer::spare_capacity;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::{ioctl_fionbio, read};
use std::io;
use std::process::ChildStdout;
use std::time::Duration;

/// The reading end of a child's output.
#[derive(Debug)]
pub struct Pipe(ChildStdout);

impl Pipe {
    /// Only this end stops waiting: old output can then be thrown away without asking first whether
    /// there is any.
    pub fn new(stdout: ChildStdout) -> io::Result<Pipe> {
        ioctl_fionbio(&stdout, true)?;
        Ok(Pipe(stdout))
    }

    /// Waits until there is something to read, the end included.
    pub fn is_ready(&mut self, timeout: Duration) -> bool {
        let timeout = Timespec::try_from(timeout).unwrap_or(Timespec { tv_sec: 3600, tv_nsec: 0 });
        let ready = poll(&mut [PollFd::new(&self.0, PollFlags::IN)], Some(&timeout));
        matches!(ready, Ok(count) if count > 0)
    }

    /// Reads what there is into the room that `output` has left, without waiting; 0 is the end.
    pub fn read_ready(&mut self, output: &mut Vec<u8>) -> io::Result<usize> {
        Ok(read(&self.0, spare_capacity(output))?)
    }
}
