//! The values of options.

use super::error::Problem;
use std::path::PathBuf;
use std::str::FromStr;

/// The only value.
pub fn one(values: &[String]) -> Result<&str, Problem> {
    match values {
        [value] => Ok(value),
        [] => Err(Problem::Missing),
        [_, extra, ..] => Err(Problem::Extra(extra.clone())),
    }
}

/// A key and its value.
pub fn pair(word: &str) -> Result<(&str, &str), Problem> {
    word.split_once('=').ok_or_else(|| Problem::NotAPair(word.to_owned()))
}

/// The only value as a file, with or without `file=`.
pub fn file_of(values: &[String]) -> Result<PathBuf, Problem> {
    let word = one(values)?;
    let path = word.strip_prefix("file=").unwrap_or(word);
    if path.is_empty() { Err(Problem::NoFileName) } else { Ok(path.into()) }
}

/// A number.
pub fn number<T: FromStr>(word: &str) -> Result<T, Problem> {
    word.parse().map_err(|_| Problem::NotANumber(word.to_owned()))
}

/// A number from 1 on.
pub fn positive<T: FromStr + PartialOrd + From<u8>>(word: &str) -> Result<T, Problem> {
    let value: T = number(word)?;
    if value >= T::from(1) { Ok(value) } else { Err(Problem::BelowOne(word.to_owned())) }
}

/// Whether something is on.
pub fn switch(word: &str) -> Result<bool, Problem> {
    match word {
        "on" | "yes" | "true" | "1" => Ok(true),
        "off" | "no" | "false" | "0" | "auto" => Ok(false),
        _ => Err(Problem::NotASwitch(word.to_owned())),
    }
}
