//! Arguments that several commands take.

use anyhow::{Context, Result, bail};
use clap::Args;
use fivestone_engine::{Engine, Limits};
use fivestone_game::{Board, IllegalSequence, Point, Rule, Size, notation};
use fivestone_host::EngineChoice;
use std::time::Duration;

/// The board and the rule of play.
#[derive(Args, Clone, Copy)]
pub struct GameArguments {
    /// What wins: freestyle, standard, renju, caro or caro-overline.
    #[arg(long, default_value = "freestyle")]
    pub rule: Rule,
    /// The board's side, 5 to 22.
    #[arg(long, default_value = "15", value_parser = parse_size)]
    pub size: Size,
}

impl GameArguments {
    /// The position after moves written as `h8h9i10`, in one word or several.
    pub fn position(self, words: &[String]) -> Result<Board> {
        let moves = notation::parse_moves(&words.join(" "), self.size)?;
        play_all(self.size, self.rule, &moves)
    }
}

/// The position after moves from the empty board.
pub fn play_all(size: Size, rule: Rule, moves: &[Point]) -> Result<Board> {
    Board::from_moves(size, rule, moves).map_err(|IllegalSequence { ply, point, reason }| {
        anyhow::anyhow!("move {} ({}): {reason}", ply + 1, point.name(size))
    })
}

/// Which engine thinks, and with what.
#[derive(Args, Clone)]
pub struct EngineArguments {
    /// Which engine; `fivestone engines` lists them.
    #[arg(long, value_name = "NAME", default_value = fivestone_engine::DEFAULT_ENGINE)]
    pub engine: String,
    /// A parameter of the engine; may be given several times.
    #[arg(long = "set", value_name = "PARAMETER=VALUE", value_parser = parse_setting)]
    pub settings: Vec<(String, String)>,
    /// Time for a move: 1s, 500ms, 2m [default: 1s unless --visits is given].
    #[arg(long, value_parser = parse_duration)]
    pub time: Option<Duration>,
    /// The most visits, iterations or nodes for a move.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub visits: Option<u64>,
    /// Threads to search with.
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: u16,
    /// Memory the engine may hold: 350MB, 2GB.
    #[arg(long, value_name = "BYTES", default_value = "350MB", value_parser = parse_bytes)]
    pub memory: usize,
}

impl EngineArguments {
    /// The engine that is asked for.
    pub fn choice(&self) -> Result<EngineChoice> {
        let settings = self.settings.iter().map(|(name, value)| (name.as_str(), value.as_str()));
        EngineChoice::named(&self.engine, settings).context("no engine to think with")
    }

    /// Makes the engine for games of a rule and size.
    pub fn build(&self, game: GameArguments) -> Result<Box<dyn Engine>> {
        let engine = self.choice()?.build();
        match engine.refusal(game.rule, game.size) {
            Some(refusal) => bail!("{}: {refusal}", self.engine),
            None => Ok(engine),
        }
    }

    /// The limits of one move.
    pub fn limits(&self, lines: usize) -> Limits {
        let one_second = self.visits.is_none().then_some(Duration::from_secs(1));
        Limits {
            turn: self.time.or(one_second),
            visits: self.visits,
            memory: self.memory,
            threads: self.threads.into(),
            lines,
            ..Limits::default()
        }
    }
}

pub fn parse_size(text: &str) -> Result<Size, String> {
    let size = text.parse().ok().and_then(Size::new);
    size.ok_or_else(|| format!("a board has {} to {} points a side", Size::MIN, Size::MAX))
}

pub fn parse_setting(text: &str) -> Result<(String, String), String> {
    let (name, value) = text.split_once('=').ok_or("write it as name=value")?;
    Ok((name.trim().to_owned(), value.trim().to_owned()))
}

/// Reads `1s`, `500ms`, `1.5s`, `2m`, `1h`; a bare number is in seconds.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split_unit(text);
    let seconds = match unit {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(format!("unknown unit \"{unit}\" (write 500ms, 1s, 2m or 1h)")),
    };
    let number: f64 = number.parse().map_err(|_| "write a number and a unit: 500ms, 1s, 2m")?;
    Duration::try_from_secs_f64(number * seconds)
        .map_err(|_| "a time is neither negative nor endless".to_owned())
}

/// Reads `350MB`, `2GB`, `64KB`; units are powers of 1024, a bare number is in bytes.
pub fn parse_bytes(text: &str) -> Result<usize, String> {
    let (number, unit) = split_unit(text);
    let unit = match unit.to_ascii_uppercase().as_str() {
        "" | "B" => 1u64,
        "K" | "KB" | "KIB" => 1 << 10,
        "M" | "MB" | "MIB" => 1 << 20,
        "G" | "GB" | "GIB" => 1 << 30,
        _ => return Err(format!("unknown unit \"{unit}\" (write 350MB or 2GB)")),
    };
    let bytes = number.parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    let bytes = bytes.and_then(|bytes| usize::try_from(bytes).ok());
    bytes.ok_or_else(|| "write a whole number and a unit: 350MB, 2GB".to_owned())
}

fn split_unit(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    (&text[..end], text[end..].trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_sizes_read_as_people_write_them() {
        assert_eq!(parse_duration("1s"), Ok(Duration::from_secs(1)));
        assert_eq!(parse_duration("500ms"), Ok(Duration::from_millis(500)));
        assert_eq!(parse_duration("1.5 s"), Ok(Duration::from_millis(1500)));
        assert_eq!(parse_duration("2m"), Ok(Duration::from_secs(120)));
        for bad in ["", "s", "1x", "-1s", "1..2s", "1e999s", "inf"] {
            assert!(parse_duration(bad).is_err(), "{bad}");
        }
        assert_eq!(parse_bytes("350MB"), Ok(350 << 20));
        assert_eq!(parse_bytes("17"), Ok(17));
        assert!(parse_bytes("99999999999999999999GB").is_err());
        assert!(parse_size("4").is_err() && parse_size("23").is_err() && parse_size("22").is_ok());
    }
}
