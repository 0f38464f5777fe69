//! Time controls and running clocks.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// How much time a player has: for the game, for a move, and back after each move.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct TimeControl {
    /// Time for the whole game.
    pub game: Option<Duration>,
    /// The most time for one move.
    pub turn: Option<Duration>,
    /// Given back after each move.
    pub increment: Duration,
}

/// A text that is no time control.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BadTimeControl(String);

impl fmt::Display for BadTimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "\"{}\" is no time control (write match/turn+increment in seconds: 180/10+0.5, 60, 0/5)",
            self.0
        )
    }
}

impl std::error::Error for BadTimeControl {}

impl FromStr for TimeControl {
    type Err = BadTimeControl;

    /// Reads `match/turn+increment` in seconds; `0` and `inf` mean unlimited, turn and increment may be left out.
    fn from_str(text: &str) -> Result<TimeControl, BadTimeControl> {
        let bad = || BadTimeControl(text.to_owned());
        let (main, increment) = text.split_once('+').unwrap_or((text, "0"));
        let (game, turn) = main.split_once('/').unwrap_or((main, "0"));
        let limit = |word: &str| -> Result<Option<Duration>, BadTimeControl> {
            let time = if word == "inf" { Duration::ZERO } else { seconds(word).ok_or_else(bad)? };
            Ok((!time.is_zero()).then_some(time))
        };
        Ok(TimeControl {
            game: limit(game)?,
            turn: limit(turn)?,
            increment: seconds(increment).ok_or_else(bad)?,
        })
    }
}

/// A number of seconds, neither negative nor endless.
pub fn seconds(text: &str) -> Option<Duration> {
    text.parse().ok().and_then(|number| Duration::try_from_secs_f64(number).ok())
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |time: Option<Duration>| time.unwrap_or_default().as_secs_f64();
        write!(f, "{}", seconds(self.game))?;
        if self.turn.is_some() {
            write!(f, "/{}", seconds(self.turn))?;
        }
        if self.increment.is_zero() { Ok(()) } else { write!(f, "+{}", self.increment.as_secs_f64()) }
    }
}

/// One player's clock in one game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Clock {
    control: TimeControl,
    /// Time left for the game.
    left: Option<Duration>,
}

impl Clock {
    /// A full clock.
    pub fn new(control: TimeControl) -> Clock {
        Clock { control, left: control.game }
    }

    /// Time left for the game.
    pub fn left(&self) -> Option<Duration> {
        self.left
    }

    /// The time control.
    pub fn control(&self) -> TimeControl {
        self.control
    }

    /// The most time for the next move.
    pub fn limit(&self) -> Option<Duration> {
        match (self.left, self.control.turn) {
            (Some(left), Some(turn)) => Some(left.min(turn)),
            (left, turn) => left.or(turn),
        }
    }

    /// Takes the time of a move off the clock and adds the increment.
    pub fn spend(&mut self, time: Duration) {
        if let Some(left) = &mut self.left {
            *left = left.saturating_sub(time) + self.control.increment;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_read_as_testers_write_them() {
        let read = |text: &str| text.parse::<TimeControl>().unwrap();
        let s = Duration::from_secs_f64;
        assert_eq!(
            read("180/10+0.5"),
            TimeControl { game: Some(s(180.0)), turn: Some(s(10.0)), increment: s(0.5) }
        );
        assert_eq!(read("60"), TimeControl { game: Some(s(60.0)), turn: None, increment: s(0.0) });
        assert_eq!(read("0/5"), TimeControl { game: None, turn: Some(s(5.0)), increment: s(0.0) });
        assert_eq!(read("inf"), TimeControl::default());
        for text in ["180/10+0.5", "60", "0/5", "10+0.1"] {
            assert_eq!(read(text).to_string(), text);
        }
        for bad in ["", "x", "10/y", "-5", "1+-1", "nan", "1/2/3"] {
            assert!(bad.parse::<TimeControl>().is_err(), "{bad}");
        }
    }

    #[test]
    fn the_clock_runs_down_and_the_increment_comes_back() {
        let mut clock = Clock::new("10/4+1".parse().unwrap());
        let s = Duration::from_secs;
        assert_eq!(clock.limit(), Some(s(4)));
        clock.spend(s(4));
        clock.spend(s(4));
        assert_eq!((clock.left(), clock.limit()), (Some(s(4)), Some(s(4))));
        clock.spend(s(9));
        assert_eq!(clock.limit(), Some(s(1)));
    }
}
