//! A match as it runs: on a terminal a table with a bar that updates, elsewhere a line now and then.

use fivestone_arena::record::GameRecord;
use fivestone_arena::report::match_report;
use fivestone_arena::stats::{Estimate, Tally};
use fivestone_arena::{Observer, Standings};
use std::fmt::Write as _;
use std::io::{IsTerminal, Write, stderr};
use std::time::{Duration, Instant};

/// Between two updates of the table.
const REDRAW: Duration = Duration::from_millis(200);
/// Between two lines where there is no terminal.
const LINE: Duration = Duration::from_secs(30);

/// Shows how far a match is.
pub struct Progress {
    total: u64,
    /// Games that were finished before this run.
    before: u64,
    interval: u64,
    started: Instant,
    terminal: bool,
    shown: Instant,
    /// Lines of the table on the screen.
    drawn: usize,
}

impl Progress {
    pub fn new(total: u64, before: u64, interval: u64) -> Progress {
        let (started, terminal) = (Instant::now(), stderr().is_terminal());
        Progress { total, before, interval, started, terminal, shown: started, drawn: 0 }
    }

    /// Takes the table away, so that the final report stands alone.
    pub fn finish(&mut self) {
        self.erase();
    }

    fn erase(&mut self) {
        if self.drawn > 0 {
            eprint!("\x1b[{}A\x1b[J", self.drawn);
            self.drawn = 0;
        }
    }

    fn draw(&mut self, standings: &Standings) {
        let table = table(standings);
        let mut text = String::new();
        if self.drawn > 0 {
            let _ = write!(text, "\x1b[{}A\x1b[J", self.drawn);
        }
        let _ = writeln!(text, "{table}{}", self.bar(standings.games()));
        self.drawn = text.lines().count();
        let mut screen = stderr().lock();
        let _ = screen.write_all(text.as_bytes()).and_then(|()| screen.flush());
    }

    /// `[#####-----] 50/100 games, 240 games/min, ETA 0:12`.
    fn bar(&self, games: u64) -> String {
        const WIDTH: u64 = 30;
        let filled = (games * WIDTH).checked_div(self.total).unwrap_or(WIDTH).min(WIDTH) as usize;
        let elapsed = self.started.elapsed().as_secs_f64();
        let now = games.saturating_sub(self.before);
        let rate = now as f64 / elapsed.max(1e-9);
        let eta = if now == 0 {
            "?".to_owned()
        } else {
            clock_face((self.total.saturating_sub(games)) as f64 / rate)
        };
        let (done, left) = ("#".repeat(filled), "-".repeat(WIDTH as usize - filled));
        format!("[{done}{left}] {games}/{} games, {:.1} games/min, ETA {eta}", self.total, rate * 60.0)
    }
}

impl Observer for Progress {
    fn game(&mut self, _game: &GameRecord, standings: &Standings) {
        if self.interval > 0 && standings.games().is_multiple_of(self.interval) {
            self.erase();
            print!("{}", match_report(standings));
        }
    }

    fn tick(&mut self, standings: &Standings) {
        if self.terminal && self.shown.elapsed() >= REDRAW {
            self.shown = Instant::now();
            self.draw(standings);
        } else if !self.terminal && self.shown.elapsed() >= LINE {
            self.shown = Instant::now();
            eprintln!("{} {}", self.bar(standings.games()), elo_of(&standings.first_engine()));
        }
    }
}

fn table(standings: &Standings) -> String {
    let names = standings.names();
    let width = names.iter().map(|name| name.chars().count()).max().unwrap_or(0).max(8);
    let mut text =
        format!("{:<width$} {:>7} {:>6} {:>6} {:>6}  Elo\n", "engine", "games", "won", "lost", "drawn");
    for (engine, name) in names.iter().enumerate() {
        let tally = standings.of_engine(engine);
        let Tally { wins, losses, draws, .. } = tally;
        let elo = elo_of(&tally);
        let _ = writeln!(text, "{name:<width$} {:>7} {wins:>6} {losses:>6} {draws:>6}  {elo}", tally.games());
    }
    if let (Some(sprt), Some(llr)) = (standings.sprt(), standings.llr()) {
        let (lower, upper) = sprt.bounds();
        let _ = writeln!(text, "LLR {llr:.2} ({lower:.2}, {upper:.2}) [{}, {}]", sprt.elo0, sprt.elo1);
    }
    text
}

fn elo_of(tally: &Tally) -> String {
    Estimate::of(tally).map_or("-".to_owned(), |e| format!("{:+.1} +/- {:.1}", e.elo.value, e.elo.error))
}

/// Seconds as `m:ss` or `h:mm:ss`.
fn clock_face(seconds: f64) -> String {
    let seconds = seconds.min(1e9) as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}
