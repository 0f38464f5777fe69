//! The words of `-engine` and `-each`.

use super::{number, pair, positive, switch};
use crate::clock::{TimeControl, seconds};
use crate::spec::{EngineSpec, Program, Source};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Keys and values as written, each key once; options apart.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct EngineWords {
    keys: BTreeMap<String, String>,
    options: BTreeMap<String, String>,
}

const KEYS: [&str; 18] = [
    "name",
    "engine",
    "cmd",
    "args",
    "dir",
    "tc",
    "st",
    "visits",
    "nodes",
    "depth",
    "threads",
    "memory",
    "tolerance",
    "timemargin",
    "restart",
    "stderr",
    "proto",
    "ponder",
];

impl EngineWords {
    /// Reads `key=value` words; a key that the runner does not know is an option of the engine.
    pub fn read(values: &[String]) -> Result<EngineWords, String> {
        let mut words = EngineWords::default();
        for word in values {
            let (key, value) = pair(word)?;
            let (map, key) = match key.strip_prefix("option.") {
                Some(option) => (&mut words.options, option),
                None if KEYS.contains(&key) => (&mut words.keys, key),
                None => (&mut words.options, key),
            };
            map.insert(key.to_owned(), value.to_owned());
        }
        Ok(words)
    }

    /// Adds other words; theirs win.
    pub fn merge(&mut self, other: EngineWords) {
        self.keys.extend(other.keys);
        self.options.extend(other.options);
    }

    /// These words, and the ones of `each` where there are none. A time control, a fixed time or a number of visits
    /// of an engine's own takes the place of the common ones of its kind.
    pub fn or(self, each: &EngineWords) -> EngineWords {
        let mut all = each.clone();
        let kinds: [&[&str]; 3] = [&["tc", "st"], &["visits", "nodes"], &["tolerance", "timemargin"]];
        for kind in kinds {
            if kind.iter().any(|key| self.keys.contains_key(*key)) {
                for key in kind {
                    all.keys.remove(*key);
                }
            }
        }
        all.merge(self);
        all
    }

    /// The engine these words describe.
    pub fn build(self) -> Result<EngineSpec, String> {
        let EngineWords { keys, options } = self;
        let get = |key: &str| keys.get(key).map(String::as_str);
        let label = get("name").or(get("cmd")).or(get("engine")).unwrap_or("(no name)").to_owned();
        let fail = |problem: String| format!("engine {label}: {problem}");
        let (name, source) = source(&get).map_err(fail)?;
        let mut spec = EngineSpec::new(name, source);
        let mut unlimited = false;
        for (key, value) in &keys {
            let result: Result<(), String> = (|| {
                match key.as_str() {
                    "tc" => {
                        let turn = spec.time.turn;
                        spec.time = value.parse::<TimeControl>().map_err(|error| error.to_string())?;
                        spec.time.turn = spec.time.turn.or(turn);
                        unlimited |= value == "inf";
                    }
                    "st" => {
                        let time = seconds(value).filter(|time| !time.is_zero());
                        spec.time.turn =
                            Some(time.ok_or_else(|| format!("st={value} is no time in seconds"))?);
                    }
                    "visits" | "nodes" => spec.visits = Some(positive(value)?),
                    "depth" => spec.depth = Some(positive(value)?),
                    "threads" => spec.threads = positive(value)?,
                    "memory" => spec.memory = bytes(value)?,
                    "tolerance" => {
                        spec.tolerance = seconds(value).ok_or_else(|| format!("\"{value}\" is no time"))?;
                    }
                    "timemargin" => spec.tolerance = Duration::from_millis(number(value)?),
                    "restart" => spec.restart = switch(value)?,
                    _ => {}
                }
                Ok(())
            })();
            result.map_err(|problem| fail(format!("{key}: {problem}")))?;
        }
        spec.options = options.into_iter().collect();
        let is_program = matches!(spec.source, Source::Program(_));
        if !(spec.is_limited() || unlimited && is_program) {
            let problem = "no limit: give it (or -each) tc=, st=, visits= or depth=";
            return Err(fail(problem.to_owned()));
        }
        Ok(spec)
    }
}

fn source<'a>(get: &impl Fn(&str) -> Option<&'a str>) -> Result<(String, Source), String> {
    let Some(command) = get("cmd") else {
        let engine = get("engine").or(get("name")).ok_or("give it a name= or a cmd=")?;
        return Ok((get("name").unwrap_or(engine).to_owned(), Source::BuiltIn(engine.to_owned())));
    };
    let mut words =
        if Path::new(command).exists() { vec![command.to_owned()] } else { split_words(command)? };
    words.extend(get("args").map(split_words).transpose()?.unwrap_or_default());
    if words.is_empty() {
        return Err("cmd= is empty".to_owned());
    }
    let program = words.remove(0);
    let directory = get("dir").map(PathBuf::from);
    let stem =
        Path::new(&program).file_stem().map_or(program.clone(), |stem| stem.to_string_lossy().into_owned());
    let source = Source::Program(Program {
        command: located(&program, directory.as_deref()),
        arguments: words,
        directory,
        stderr: get("stderr").map(PathBuf::from),
    });
    Ok((get("name").map_or(stem, str::to_owned), source))
}

/// The path of a program, which must not depend on the directory it is started in. A bare name is looked for in PATH.
fn located(program: &str, directory: Option<&Path>) -> String {
    let inside = directory.map(|directory| directory.join(program)).filter(|path| path.is_file());
    let path = inside.or_else(|| program.contains('/').then(|| PathBuf::from(program)));
    let absolute = path.and_then(|path| std::path::absolute(path).ok());
    absolute.map_or(program.to_owned(), |path| path.to_string_lossy().into_owned())
}

/// Splits at spaces outside of quotes.
fn split_words(text: &str) -> Result<Vec<String>, String> {
    let (mut words, mut word, mut quote) = (Vec::new(), None::<String>, None);
    for c in text.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    if quote.is_some() {
        return Err(format!("a quote is not closed in {text}"));
    }
    words.extend(word);
    Ok(words)
}

/// `350MB`, `2GB`; a bare number is in megabytes.
fn bytes(text: &str) -> Result<u64, String> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let unit: u64 = match text[digits..].to_ascii_uppercase().as_str() {
        "" | "M" | "MB" | "MIB" => 1 << 20,
        "B" => 1,
        "K" | "KB" | "KIB" => 1 << 10,
        "G" | "GB" | "GIB" => 1 << 30,
        _ => return Err(format!("\"{text}\" is no amount of memory (write 350MB or 2GB)")),
    };
    let amount = number::<u64>(&text[..digits])?.checked_mul(unit);
    amount.ok_or_else(|| format!("{text} is too much"))
}

/// Numbers engines of the same name.
pub fn make_names_unique(specs: &mut [EngineSpec]) {
    for index in 1..specs.len() {
        let (before, rest) = specs.split_at_mut(index);
        let taken = |name: &str| before.iter().any(|spec| spec.name == name);
        let base = rest[0].name.clone();
        let mut number = 2;
        while taken(&rest[0].name) {
            rest[0].name = format!("{base} ({number})");
            number += 1;
        }
    }
}
