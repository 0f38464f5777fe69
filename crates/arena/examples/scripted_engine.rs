//! An engine that speaks the Gomocup protocol and misbehaves on request, for tests of the match runner.
//!
//! `scripted_engine BEHAVIOUR [TAG]`: it plays the first empty point, until on its second move of a game it does what it is told.

use std::collections::BTreeSet;
use std::io::{BufRead, Write, stdin, stdout};
use std::process::{abort, exit};
use std::thread::sleep;
use std::time::Duration;

struct Script {
    behaviour: String,
    size: usize,
    taken: BTreeSet<(usize, usize)>,
    own: Vec<(usize, usize)>,
}

fn main() {
    let behaviour = std::env::args().nth(1).unwrap_or_default();
    if behaviour == "hog" {
        let hog = hog();
        sleep(Duration::from_secs(600));
        drop(hog);
    }
    if behaviour == "crash-at-start" {
        exit(3);
    }
    if behaviour == "hang-at-start" {
        sleep(Duration::from_secs(600));
    }
    let mut script = Script { behaviour, size: 15, taken: BTreeSet::new(), own: Vec::new() };
    let mut board = None::<Vec<(usize, usize)>>;
    for line in stdin().lock().lines() {
        let line = line.unwrap_or_default();
        let mut words = line.split_ascii_whitespace();
        let (verb, rest) = (words.next().unwrap_or("").to_ascii_uppercase(), words.next().unwrap_or(""));
        match (&mut board, verb.as_str()) {
            (Some(stones), "DONE") => {
                script.taken = stones.iter().copied().collect();
                board = None;
                script.play();
            }
            (Some(stones), stone) => stones.extend(point(stone)),
            (None, "START") => script.start(rest),
            (None, "RESTART") => script.restart(),
            (None, "BEGIN") => script.play(),
            (None, "BOARD") => board = Some(Vec::new()),
            (None, "TURN") => {
                script.taken.extend(point(rest));
                script.play();
            }
            (None, "END") if script.behaviour != "ignore-end" => exit(0),
            (None, _) => {}
        }
    }
    if script.behaviour == "ignore-end" {
        sleep(Duration::from_secs(600));
    }
}

fn point(text: &str) -> Option<(usize, usize)> {
    let mut numbers = text.split(',').filter_map(|word| word.parse().ok());
    Some((numbers.next()?, numbers.next()?))
}

fn say(line: &str) {
    let mut out = stdout().lock();
    if writeln!(out, "{line}").and_then(|()| out.flush()).is_err() {
        exit(0);
    }
}

impl Script {
    fn start(&mut self, size: &str) {
        if self.behaviour == "refuse" {
            say("ERROR this board is too large for me");
            return;
        }
        self.size = size.parse().unwrap_or(15);
        self.restart();
    }

    fn restart(&mut self) {
        self.taken.clear();
        self.own.clear();
        say("MESSAGE at your service");
        say("OK");
    }

    fn play(&mut self) {
        if self.own.len() == 1 {
            self.misbehave();
        }
        let (size, taken) = (self.size, &self.taken);
        // Every other column: no five comes of it before the script acts.
        let mut points = (0..size * size).map(|cell| (cell * 2 % size, cell * 2 / size));
        let Some(choice) = points.find(|p| p.1 < size && !taken.contains(p)) else { exit(0) };
        self.taken.insert(choice);
        self.own.push(choice);
        say("MESSAGE depth 3 eval 20 nodes 1K");
        say(&format!("{},{}", choice.0, choice.1));
    }

    fn misbehave(&mut self) {
        match self.behaviour.as_str() {
            "crash" => abort(),
            "exit" => exit(0),
            "hang" => sleep(Duration::from_secs(600)),
            "illegal" => say("99,3"),
            "occupied" => say(&format!("{},{}", self.own[0].0, self.own[0].1)),
            "format" => say("seven, seven"),
            "flood" => loop {
                say("MESSAGE I think therefore I am");
            },
            "endless-line" => loop {
                let mut out = stdout().lock();
                if out.write_all(&[b'x'; 4096]).is_err() {
                    exit(0);
                }
            },
            "late" => sleep(Duration::from_millis(700)),
            "memory" => {
                let hog = hog();
                sleep(Duration::from_secs(600));
                drop(hog);
            }
            "memory-of-child" => {
                let program = std::env::current_exe().unwrap_or_default();
                let child =
                    std::process::Command::new(program).arg("hog").args(std::env::args().nth(2)).spawn();
                sleep(Duration::from_secs(600));
                drop(child);
            }
            _ => {}
        }
    }
}

/// More memory than a test allows; opaque, or the compiler would leave out what nobody reads.
fn hog() -> Vec<u8> {
    std::hint::black_box(vec![1; 150 << 20])
}
