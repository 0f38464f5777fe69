//! Settings that people write as TOML.

use serde::de::DeserializeOwned;
use std::{error, fmt};

/// What is wrong with a text of settings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SettingsError {
    /// The line it is in, from 1.
    pub line: usize,
    /// The problem, in one line.
    pub problem: String,
}

impl fmt::Display for SettingsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}: {}", self.line, self.problem)
    }
}

impl error::Error for SettingsError {}

/// Reads settings.
pub fn read_settings<T: DeserializeOwned>(text: &str) -> Result<T, SettingsError> {
    toml::from_str(text).map_err(|error| {
        let before = error.span().map_or(0, |span| span.start.min(text.len()));
        let line = 1 + text[..before].matches('\n').count();
        SettingsError { line, problem: error.message().replace('\n', " ") }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn problems_are_told_in_one_line() {
        let read = read_settings::<std::collections::BTreeMap<String, u8>>;
        assert_eq!(read("a = 1\n").unwrap()["a"], 1);
        for (text, line) in [("a = 1\n\nb = \"two\"\n", 3), ("a = 1\nb = = 2\n", 2)] {
            let error = read(text).unwrap_err();
            assert_eq!(error.line, line);
            assert!(!error.to_string().contains('\n'), "{error}");
        }
    }
}
