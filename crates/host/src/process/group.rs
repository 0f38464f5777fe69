//! A child with all it started: begun as a group, ended as one.

use crate::memory;
use std::process::Child;
use std::time::{Duration, Instant};

#[cfg(unix)]
pub use unix::{describe, lead};
#[cfg(windows)]
pub use windows::{describe, lead};

#[cfg(unix)]
use unix::kill_group;
#[cfg(windows)]
use windows::kill_group;

/// Ends a child and everything it started, and waits until they are gone.
pub fn kill(child: &mut Child) {
    let tree = memory::process_tree(child.id());
    let strays = &tree[1..];
    kill_group(child.id(), strays);
    let _ = child.kill();
    let _ = child.wait();
    // The next game must not find their memory still taken.
    let deadline = Instant::now() + Duration::from_secs(2);
    while strays.iter().any(|&id| memory::is_running(id)) && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[cfg(unix)]
mod unix {
    use rustix::process::{Pid, Signal, kill_process, kill_process_group};
    use std::os::unix::process::{CommandExt, ExitStatusExt};
    use std::process::{Command, ExitStatus};

    /// Makes the child the leader of a process group of its own.
    pub fn lead(command: &mut Command) {
        command.process_group(0);
    }

    pub fn kill_group(leader: u32, strays: &[u32]) {
        if let Some(group) = Pid::from_raw(leader as i32) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        // A descendant that left the group is no longer reached by the group's signal.
        for stray in strays.iter().filter_map(|&id| Pid::from_raw(id as i32)) {
            let _ = kill_process(stray, Signal::KILL);
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
}

#[cfg(windows)]
mod windows {
    use std::os::windows::process::CommandExt;
    use std::process::{Command, ExitStatus, Stdio};

    /// Keeps the console's Ctrl-C from the child: whoever started it ends it.
    const CREATE_NEW_PROCESS_GROUP: u32 = 0x200;

    /// Makes the child the leader of a process group of its own.
    pub fn lead(command: &mut Command) {
        command.creation_flags(CREATE_NEW_PROCESS_GROUP);
    }

    /// The system's own tool knows the descendants; nobody else lists them.
    pub fn kill_group(leader: u32, _strays: &[u32]) {
        let mut kill = Command::new("taskkill");
        kill.args(["/T", "/F", "/PID"]).arg(leader.to_string());
        let _ = kill.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    }

    /// How a child ended, for a person.
    pub fn describe(status: ExitStatus) -> String {
        status.code().map_or("unknown end".to_owned(), |code| format!("exit code {code}"))
    }
}
