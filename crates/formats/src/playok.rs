//! Rounds of moves as `PlayOK` and others write them: `1. h8 g7 2. e11 white 3. -- i7 ... 0-1`, with or without tag
//! lines (`[Black "name"]`) in front.
//!
//! `white` or `black` in place of a move is the colour choice of a swap opening and `--` after it the round without a
//! move: the stones go on in turn. Any other `--` is a pass.

use crate::line::LONGEST;
use crate::moves::{Rows, read_move, read_number, words};
use crate::problem::{Fault, Flaw, Place};
use crate::psq::Found;
use crate::record::{Header, MOST_PLIES, Outcome, Record};
use crate::source::{Source, Stretch};
use fivestone_game::{Rule, Size};
use std::collections::VecDeque;

/// Reads game after game.
pub(crate) struct Reader {
    rule: Option<Rule>,
    size: Size,
    line: u64,
    game: Option<Game>,
    ready: VecDeque<Found>,
}

struct Game {
    line: u64,
    state: Result<Record, Flaw>,
    after_choice: bool,
    has_moves: bool,
}

impl Reader {
    pub fn new(rule: Option<Rule>, size: Size) -> Reader {
        Reader { rule, size, line: 0, game: None, ready: VecDeque::new() }
    }

    pub fn next(&mut self, source: &mut Source) -> Option<Found> {
        while self.ready.is_empty() {
            let Some(stretch) = source.line(LONGEST) else {
                self.finish();
                break;
            };
            self.line += 1;
            match stretch {
                Stretch::Whole(range) => self.read(source.bytes(range)),
                Stretch::TooLong => {
                    self.game().state = Err(Fault::TooLarge("a line is longer than a megabyte").into());
                }
            }
        }
        self.ready.pop_front()
    }

    fn game(&mut self) -> &mut Game {
        let Reader { rule, size, line, .. } = *self;
        self.game.get_or_insert_with(|| Game {
            line,
            state: Ok(Record::new(Header::new(rule, size))),
            after_choice: false,
            has_moves: false,
        })
    }

    fn finish(&mut self) {
        if let Some(game) = self.game.take() {
            self.ready.push_back((Place::Line(game.line), game.state));
        }
    }

    fn read(&mut self, line: &[u8]) {
        let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line).trim_ascii();
        if line.starts_with(b"[") {
            if self.game.as_ref().is_some_and(|game| game.has_moves) {
                self.finish();
            }
            self.game().read_tag(line);
            return;
        }
        for word in words(line) {
            self.read_word(word);
        }
    }

    fn read_word(&mut self, word: &[u8]) {
        // "1.h8" is a round and a move.
        let (round, word) = match word.iter().position(|&byte| byte == b'.') {
            Some(dot) if read_number(&word[..dot]).is_some() => (read_number(&word[..dot]), &word[dot + 1..]),
            _ => (None, word),
        };
        if round == Some(1) && self.game.as_ref().is_some_and(|game| game.has_moves) {
            self.finish();
        }
        let game = self.game();
        game.has_moves |= round.is_some() || !word.is_empty();
        if word.is_empty() {
            return;
        }
        if let Some(outcome) = Outcome::from_score(word) {
            if let Ok(record) = &mut game.state {
                record.header.outcome = outcome;
            }
            self.finish();
            return;
        }
        game.read_ply(word);
    }
}

impl Game {
    fn read_ply(&mut self, word: &[u8]) {
        let Ok(record) = &mut self.state else { return };
        let after_choice = std::mem::take(&mut self.after_choice);
        match word {
            b"white" | b"black" => self.after_choice = true,
            b"--" if after_choice || record.moves.is_empty() => {}
            b"--" => record.moves.push(None),
            _ => match read_move(word, record.header.size, Rows::FromBottom) {
                Ok((point, length)) if length == word.len() => record.moves.push(Some(point)),
                Ok(_) => {
                    let fault = Fault::NotAMove(crate::problem::shown(word));
                    self.state = Err(Flaw::at(record.moves.len() + 1, fault));
                }
                Err(fault) => self.state = Err(Flaw::at(record.moves.len() + 1, fault)),
            },
        }
        if self.state.as_ref().is_ok_and(|record| record.moves.len() > MOST_PLIES) {
            self.state = Err(Fault::TooLarge("more plies than any game has").into());
        }
    }

    fn read_tag(&mut self, line: &[u8]) {
        let Ok(record) = &mut self.state else { return };
        let text = String::from_utf8_lossy(line);
        let Some((name, value)) = text.trim_matches(['[', ']']).split_once(' ') else { return };
        let value = value.trim().trim_matches('"');
        match name.to_ascii_lowercase().as_str() {
            "black" => value.clone_into(&mut record.header.black),
            "white" => value.clone_into(&mut record.header.white),
            "event" => value.clone_into(&mut record.header.event),
            "result" => {
                record.header.outcome = Outcome::from_score(value.as_bytes()).unwrap_or_default();
            }
            _ => {}
        }
    }
}
