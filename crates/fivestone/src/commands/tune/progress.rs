//! A tuning as it runs: on a terminal a list that updates, elsewhere a line now and then.

use fivestone_learn::tune::{Finished, TuneSettings};
use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

/// Between two updates on a terminal.
const REDRAW: Duration = Duration::from_millis(200);
/// Between two lines where there is no terminal.
const LINE: Duration = Duration::from_secs(30);

/// Shows how far a tuning is.
pub struct TuneLines {
    names: Vec<String>,
    total: u64,
    /// Iterations that were finished before this run.
    before: u64,
    terminal: bool,
    started: Instant,
    shown: Instant,
    /// Lines of the list on the screen.
    drawn: usize,
}

impl TuneLines {
    pub fn new(settings: &TuneSettings, before: u64) -> TuneLines {
        let now = Instant::now();
        TuneLines {
            names: settings.parameters.iter().map(|parameter| parameter.name.clone()).collect(),
            total: settings.iterations,
            before,
            terminal: stderr().is_terminal(),
            started: now,
            shown: now,
            drawn: 0,
        }
    }

    /// Tells of the iterations that are finished.
    pub fn hear(&mut self, finished: &[Finished]) {
        let pause = if self.terminal { REDRAW } else { LINE };
        let Some(last) = finished.last().filter(|_| self.shown.elapsed() >= pause) else { return };
        self.shown = Instant::now();
        let count = finished.len() as u64;
        let shown = self.names.iter().zip(&last.values);
        let shown: Vec<String> = shown.map(|(name, value)| format!("{name} {}", short(*value))).collect();
        if self.terminal {
            self.finish();
            eprintln!("{}\n  {}", self.line(count), shown.join("\n  "));
            self.drawn = 1 + shown.len();
        } else {
            eprintln!("{}: {}", self.line(count), shown.join(", "));
        }
    }

    /// Takes the list away, so that the report stands alone.
    pub fn finish(&mut self) {
        if self.drawn > 0 {
            eprint!("\x1b[{}A\x1b[J", self.drawn);
            self.drawn = 0;
        }
    }

    /// `iteration 120/2000, 240 games, 85.1 games/min, 0:44 left`.
    fn line(&self, finished: u64) -> String {
        let now = finished.saturating_sub(self.before).max(1) as f64;
        let rate = now / self.started.elapsed().as_secs_f64().max(1e-9);
        let minutes = ((self.total.saturating_sub(finished)) as f64 / rate / 60.0).round() as u64;
        format!(
            "iteration {finished}/{}, {} games, {:.1} games/min, {}:{:02} left",
            self.total,
            2 * finished,
            2.0 * rate * 60.0,
            minutes / 60,
            minutes % 60
        )
    }
}

/// A value with about four digits.
fn short(value: f64) -> String {
    let digits = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 };
    let decimals = usize::try_from(3 - digits).unwrap_or(0);
    format!("{value:.decimals$}")
}
