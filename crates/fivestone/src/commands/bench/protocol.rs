//! How the protocol keeps its times, measured from outside on a process of its own.

use anyhow::{Context, Result};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

struct Process {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Process {
    fn start() -> Result<Process> {
        let program = std::env::current_exe().context("where this program is")?;
        let mut child =
            Command::new(program).arg("gomocup").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let input = child.stdin.take().context("the process's input")?;
        let output = BufReader::new(child.stdout.take().context("the process's output")?);
        Ok(Process { child, input, output })
    }

    fn say(&mut self, line: &str) -> Result<()> {
        write!(self.input, "{line}\r\n")?;
        Ok(self.input.flush()?)
    }

    fn hear(&mut self) -> Result<String> {
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        Ok(line.trim().to_owned())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn ms(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

/// From nothing to the answer to START; the best of several, as a disk may have to be read first.
pub fn ready_ms() -> Result<f64> {
    let mut best = f64::INFINITY;
    for _ in 0..5 {
        let started = Instant::now();
        let mut process = Process::start()?;
        process.say("START 15")?;
        process.hear()?;
        best = best.min(ms(started.elapsed()));
    }
    Ok(best)
}

/// From END in mid-search to the end of the process; the worst of several.
pub fn end_ms() -> Result<f64> {
    let mut worst = 0f64;
    for _ in 0..5 {
        let mut process = Process::start()?;
        process.say("START 15")?;
        process.hear()?;
        process.say("INFO timeout_turn 60000")?;
        process.say("TURN 7,7")?;
        thread::sleep(Duration::from_millis(200));
        let started = Instant::now();
        process.say("END")?;
        process.child.wait()?;
        worst = worst.max(ms(started.elapsed()));
    }
    Ok(worst)
}

/// The slowest answer while twice as many threads as cores do nothing but count.
pub fn worst_turn_ms() -> Result<f64> {
    let busy = AtomicBool::new(true);
    let threads = 2 * thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                while busy.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let worst = worst_turn();
        busy.store(false, Ordering::Relaxed);
        worst
    })
}

fn worst_turn() -> Result<f64> {
    let mut worst = 0f64;
    let mut process = Process::start()?;
    process.say("START 20")?;
    process.hear()?;
    process.say("INFO timeout_turn 200")?;
    for turn in 0..20 {
        // Stones far from each other, so that no game ends.
        let (x, y) = (turn % 10 * 2, turn / 10 * 7 + turn % 3);
        process.say("RESTART")?;
        process.hear()?;
        let started = Instant::now();
        process.say(&format!("BOARD\r\n9,9,1\r\n{x},{y},2\r\n10,10,1\r\n11,9,2\r\nDONE"))?;
        process.hear()?;
        worst = worst.max(ms(started.elapsed()));
    }
    Ok(worst)
}
