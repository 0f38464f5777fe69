//! Sessions with different managers, kept as files in `transcripts/`.
//!
//! `> text` is said (`\xNN` is a byte), `< pattern` must be the next line, `~ pattern` comes after any other lines. A
//! pattern is the line itself, `@move`, `@moves N`, `@one_of A B`, or a text ending in `*`. `silent` checks that nothing is
//! waiting to be heard (`~silent` skips what is), `close` closes the input, `exit` waits for the end of the process.

mod process;

use process::Process;
use std::path::Path;

fn replay(name: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts").join(name);
    let text = std::fs::read_to_string(path).expect("the transcript");
    let arguments = text.lines().find_map(|line| line.strip_prefix("arguments ")).unwrap_or_default();
    let mut process = Process::start(&arguments.split_whitespace().collect::<Vec<_>>());
    let mut ended = false;
    for (number, line) in text.lines().enumerate() {
        let place = format!("{name}:{}: {line}", number + 1);
        if let Some(said) = line.strip_prefix("> ") {
            process.say(&unescape(said));
        } else if let Some(pattern) = line.strip_prefix("< ") {
            let heard = process.hear();
            assert!(matches(pattern, &heard), "{place}\nheard: {heard}");
        } else if let Some(pattern) = line.strip_prefix("~ ") {
            while !matches(pattern, &process.hear()) {}
        } else if line == "silent" {
            let heard = process.ask("ABOUT");
            assert!(matches("name=*", &heard), "{place}\nheard: {heard}");
        } else if line == "~silent" {
            process.say(b"ABOUT");
            while !matches("name=*", &process.hear()) {}
        } else if line == "close" {
            process.close_input();
        } else if line == "exit" {
            assert_eq!(process.finish(), (String::new(), String::new()), "{place}");
            ended = true;
        } else {
            assert!(line.is_empty() || line.starts_with('#') || line.starts_with("arguments "), "{place}");
        }
    }
    assert!(ended, "{name} does not wait for the end");
}

fn unescape(text: &str) -> Vec<u8> {
    let mut parts = text.split("\\x");
    let mut bytes = parts.next().unwrap_or_default().as_bytes().to_vec();
    for part in parts {
        bytes.push(u8::from_str_radix(&part[..2], 16).expect("two hex digits"));
        bytes.extend_from_slice(&part.as_bytes()[2..]);
    }
    bytes
}

fn matches(pattern: &str, heard: &str) -> bool {
    let is_move = |word: &str| {
        let number = |text: &str| text.parse::<usize>().is_ok_and(|number| number < 22);
        word.split_once(',').is_some_and(|(x, y)| number(x) && number(y))
    };
    let is_moves = |count| heard.split(' ').all(is_move) && heard.split(' ').count() == count;
    if let Some(count) = pattern.strip_prefix("@moves ") {
        is_moves(count.parse().expect("a number"))
    } else if let Some(choices) = pattern.strip_prefix("@one_of ") {
        choices.split(' ').any(|choice| choice == heard)
    } else if pattern == "@move" {
        is_moves(1)
    } else {
        pattern.strip_suffix('*').map_or(pattern == heard, |start| heard.starts_with(start))
    }
}

#[test]
fn c_gomoku_cli() {
    replay("c-gomoku-cli.txt");
}

#[test]
fn piskvork() {
    replay("piskvork.txt");
}

#[test]
fn yixin_board() {
    replay("yixin-board.txt");
}

#[test]
fn gomocalc() {
    replay("gomocalc.txt");
}

#[test]
fn commands_in_mid_search() {
    replay("commands-in-mid-search.txt");
}

#[test]
fn closed_input() {
    replay("closed-input.txt");
}
