//! Rows of which both the reading of a command line and its help are made.

use super::error::Problem;
use super::values::pair;

/// A line of the help: the words, and what they mean.
pub type HelpRow = (String, &'static str);

/// A word `key=value` of an option that makes a `T`.
pub struct Key<T> {
    /// Its name, then others for the same.
    pub names: &'static [&'static str],
    /// What its value is called.
    pub value: &'static str,
    /// What it means, with its default.
    pub meaning: &'static str,
    /// How its value is read.
    pub read: fn(&mut T, &str) -> Result<(), Problem>,
}

/// A row for a key.
pub const fn key<T>(
    names: &'static [&'static str],
    value: &'static str,
    meaning: &'static str,
    read: fn(&mut T, &str) -> Result<(), Problem>,
) -> Key<T> {
    Key { names, value, meaning, read }
}

/// The key of a name.
pub fn find<'a, T>(keys: &'a [Key<T>], name: &str) -> Option<&'a Key<T>> {
    keys.iter().find(|key| key.names.contains(&name))
}

/// Reads words one after the other.
pub fn read_keys<T>(keys: &[Key<T>], values: &[String], into: &mut T) -> Result<(), Problem> {
    for word in values {
        let (name, value) = pair(word)?;
        let key = find(keys, name).ok_or_else(|| Problem::UnknownKey(name.to_owned()))?;
        (key.read)(into, value)?;
    }
    Ok(())
}

/// The help of keys, indented below their option.
pub fn key_rows<T>(keys: &[Key<T>]) -> Vec<HelpRow> {
    let words = |key: &Key<T>| spelled(key.names, |name| format!("{name}={}", key.value));
    keys.iter().map(|key| (format!("    {}", words(key)), key.meaning)).collect()
}

/// Names as they are typed: `visits=N (or nodes=N)`.
pub fn spelled(names: &[&str], typed: impl Fn(&str) -> String) -> String {
    let mut words = names.iter().map(|name| typed(name));
    let first = words.next().unwrap_or_default();
    words.fold(first, |text, other| format!("{text} (or {other})"))
}
