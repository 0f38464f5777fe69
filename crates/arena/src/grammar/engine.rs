//! The words of `-engine` and `-each`.

use super::error::{GrammarError, Problem};
use super::table::{HelpRow, Key, find, key, key_rows};
use super::values::{number, pair, positive, switch};
use crate::clock::{TimeControl, seconds};
use crate::spec::{EngineSpec, Program, Source};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// An engine in the making.
struct Draft {
    spec: EngineSpec,
    /// Whether it was told to play without a limit.
    unlimited: bool,
}

const KEYS: &[Key<Draft>] = &[
    key(&["name"], "N", "its name in reports", for_source),
    key(&["engine"], "E", "the built-in engine, when name= is to be something else", for_source),
    key(&["cmd"], "PATH", "a program that speaks the Gomocup protocol", for_source),
    key(&["args"], "A", "the program's arguments", for_source),
    key(&["dir"], "D", "the directory it is started in", for_source),
    key(&["stderr"], "FILE", "keep what the program writes to standard error", for_source),
    key(
        &["tc"],
        "M/T+I",
        "seconds for the game / the move + back after each move; 0 or inf: no limit",
        read_time_control,
    ),
    key(&["st"], "T", "seconds for each move", read_turn),
    key(&["visits", "nodes"], "N", "visits, iterations or nodes for each move", |draft, value| {
        draft.spec.visits = Some(positive(value)?);
        Ok(())
    }),
    key(&["depth"], "N", "plies to search", |draft, value| {
        draft.spec.depth = Some(positive(value)?);
        Ok(())
    }),
    key(&["threads"], "N", "threads", |draft, value| {
        draft.spec.threads = positive(value)?;
        Ok(())
    }),
    key(
        &["memory"],
        "350MB",
        "memory of all its processes together; a bare number means MB",
        |draft, value| {
            draft.spec.memory = bytes(value)?;
            Ok(())
        },
    ),
    key(&["tolerance"], "T", "seconds a move may be late before it loses [0.5]", |draft, value| {
        draft.spec.tolerance = seconds(value).ok_or_else(|| Problem::NotATime(value.to_owned()))?;
        Ok(())
    }),
    key(&["timemargin"], "MS", "the same in milliseconds", |draft, value| {
        draft.spec.tolerance = Duration::from_millis(number(value)?);
        Ok(())
    }),
    key(&["restart"], "on", "start the program anew for every game", |draft, value| {
        draft.spec.restart = switch(value)?;
        Ok(())
    }),
    key(&["proto"], "P", "accepted; programs speak the Gomocup protocol", for_source),
    key(&["ponder"], "B", "accepted and passed over", for_source),
];

/// A key that says where the engine comes from, or nothing: see [`source`].
#[allow(clippy::unnecessary_wraps)] // the signature is the table's
fn for_source(_: &mut Draft, _: &str) -> Result<(), Problem> {
    Ok(())
}

fn read_time_control(draft: &mut Draft, value: &str) -> Result<(), Problem> {
    let turn = draft.spec.time.turn;
    draft.spec.time = value.parse::<TimeControl>().map_err(Problem::TimeControl)?;
    draft.spec.time.turn = draft.spec.time.turn.or(turn);
    draft.unlimited |= value == "inf";
    Ok(())
}

fn read_turn(draft: &mut Draft, value: &str) -> Result<(), Problem> {
    let time = seconds(value).filter(|time| !time.is_zero());
    draft.spec.time.turn = Some(time.ok_or_else(|| Problem::NotATurn(value.to_owned()))?);
    Ok(())
}

/// The help of an engine's words.
pub fn help_rows() -> Vec<HelpRow> {
    let mut rows = key_rows(KEYS);
    let meaning = "INFO X V for a program, parameter X of a built-in engine (there also plain X=V)";
    rows.push(("    option.X=V".to_owned(), meaning));
    rows
}

/// Keys and values as written, each key once; options apart.
#[derive(Clone, PartialEq, Default, Debug)]
pub struct EngineWords {
    keys: BTreeMap<String, String>,
    options: BTreeMap<String, String>,
}

impl EngineWords {
    /// Reads `key=value` words; a key that the runner does not know is an option of the engine.
    pub fn read(values: &[String]) -> Result<EngineWords, Problem> {
        let mut words = EngineWords::default();
        for word in values {
            let (name, value) = pair(word)?;
            let (map, name) = match name.strip_prefix("option.") {
                Some(option) => (&mut words.options, option),
                None if find(KEYS, name).is_some() => (&mut words.keys, name),
                None => (&mut words.options, name),
            };
            map.insert(name.to_owned(), value.to_owned());
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
    pub fn build(self) -> Result<EngineSpec, GrammarError> {
        let EngineWords { keys, options } = self;
        let get = |key: &str| keys.get(key).map(String::as_str);
        let engine = get("name").or(get("cmd")).or(get("engine")).unwrap_or("(no name)");
        let fail = |problem| GrammarError::Engine(engine.to_owned(), problem);
        let (name, source) = source(&get).map_err(fail)?;
        let mut draft = Draft { spec: EngineSpec::new(name, source), unlimited: false };
        for (name, value) in &keys {
            let read = find(KEYS, name).map_or(Ok(()), |key| (key.read)(&mut draft, value));
            read.map_err(|problem| {
                let (engine, key) = (engine.to_owned(), name.clone());
                GrammarError::EngineKey { engine, key, problem }
            })?;
        }
        let Draft { mut spec, unlimited } = draft;
        spec.options = options.into_iter().collect();
        let is_program = matches!(spec.source, Source::Program(_));
        if spec.is_limited() || unlimited && is_program { Ok(spec) } else { Err(fail(Problem::NoLimit)) }
    }
}

fn source<'a>(get: &impl Fn(&str) -> Option<&'a str>) -> Result<(String, Source), Problem> {
    let Some(command) = get("cmd") else {
        let engine = get("engine").or(get("name")).ok_or(Problem::NoName)?;
        return Ok((get("name").unwrap_or(engine).to_owned(), Source::BuiltIn(engine.to_owned())));
    };
    let mut words =
        if Path::new(command).exists() { vec![command.to_owned()] } else { split_words(command)? };
    words.extend(get("args").map(split_words).transpose()?.unwrap_or_default());
    if words.is_empty() {
        return Err(Problem::NoCommand);
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
fn split_words(text: &str) -> Result<Vec<String>, Problem> {
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
        return Err(Problem::OpenQuote(text.to_owned()));
    }
    words.extend(word);
    Ok(words)
}

/// `350MB`, `2GB`; a bare number is in megabytes.
fn bytes(text: &str) -> Result<u64, Problem> {
    let digits = text.find(|c: char| !c.is_ascii_digit()).unwrap_or(text.len());
    let unit: u64 = match text[digits..].to_ascii_uppercase().as_str() {
        "" | "M" | "MB" | "MIB" => 1 << 20,
        "B" => 1,
        "K" | "KB" | "KIB" => 1 << 10,
        "G" | "GB" | "GIB" => 1 << 30,
        _ => return Err(Problem::NotMemory(text.to_owned())),
    };
    let amount = number::<u64>(&text[..digits])?.checked_mul(unit);
    amount.ok_or_else(|| Problem::TooMuchMemory(text.to_owned()))
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
