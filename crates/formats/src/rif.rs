//! RIF, the XML of `RenjuNet`: tables of rules, players and tournaments, and games with a `<move>` child.

use crate::moves::{Rows, read_moves, read_size};
use crate::problem::{Fault, Flaw, Place, shown};
use crate::record::{Header, Outcome, Record};
use crate::source::Source;
use crate::xml::{self, Event, Scanner};
use encoding_rs::{Encoding, UTF_8};
use fivestone_game::{Color, Rule, Size};
use std::collections::HashMap;

/// The tables of a file may hold this many bytes together.
const LARGEST_TABLES: usize = 8 << 20;

/// A game, or what is wrong with it, with its place and id.
pub(crate) struct Found {
    pub place: Place,
    pub id: String,
    pub game: Result<Record, Flaw>,
}

/// Reads game after game.
pub(crate) struct Reader {
    rule: Option<Rule>,
    size: Size,
    scanner: Scanner,
    encoding: &'static Encoding,
    rules: HashMap<Vec<u8>, Result<Rule, String>>,
    players: HashMap<Vec<u8>, String>,
    tournaments: HashMap<Vec<u8>, String>,
    table_bytes: usize,
    game: Option<Game>,
    in_moves: bool,
}

struct Game {
    place: Place,
    id: String,
    state: Result<Record, Flaw>,
    has_moves: bool,
}

impl Reader {
    pub fn new(rule: Option<Rule>, size: Option<Size>) -> Reader {
        Reader {
            rule,
            size: size.unwrap_or(Size::STANDARD),
            scanner: Scanner::default(),
            encoding: UTF_8,
            rules: HashMap::new(),
            players: HashMap::new(),
            tournaments: HashMap::new(),
            table_bytes: 0,
            game: None,
            in_moves: false,
        }
    }

    pub fn next(&mut self, source: &mut Source) -> Option<Found> {
        loop {
            let offset = source.offset();
            let Some(event) = self.scanner.next(source) else {
                return self.game.take().map(|game| game.broken(Fault::Truncated));
            };
            match event {
                Event::Open { tag, closed } => {
                    let tag = source.bytes(tag);
                    match xml::name(tag) {
                        b"game" => {
                            let game = self.open_game(tag, Place::Byte(offset.saturating_sub(1)));
                            let before = self.game.replace(game);
                            self.in_moves = false;
                            let unclosed = "the game has no </game>";
                            if let Some(before) = before {
                                return Some(before.broken(Fault::Malformed(unclosed.to_owned())));
                            }
                            if closed {
                                return self.game.take().map(Game::finish);
                            }
                        }
                        b"move" => {
                            self.in_moves = !closed;
                            if let Some(game) = &mut self.game {
                                game.has_moves = true;
                            }
                        }
                        b"rule" | b"player" | b"tournament" => self.read_table(tag),
                        _ => {}
                    }
                }
                Event::Text(text) if self.in_moves => {
                    if let Some(game) = &mut self.game {
                        game.read(source.bytes(text));
                    }
                }
                Event::Close(tag) => match xml::name(source.bytes(tag)) {
                    b"move" => self.in_moves = false,
                    b"game" => {
                        self.in_moves = false;
                        if let Some(game) = self.game.take() {
                            return Some(game.finish());
                        }
                    }
                    _ => {}
                },
                Event::Instruction(tag) => self.read_encoding(source.bytes(tag)),
                Event::TooLong => {
                    if let Some(game) = self.game.take() {
                        return Some(game.broken(Fault::TooLarge("text or a tag longer than a megabyte")));
                    }
                }
                Event::Text(_) => {}
            }
        }
    }

    fn open_game(&self, tag: &[u8], place: Place) -> Game {
        let mut header = Header::new(self.rule, self.size);
        let (mut id, mut flaw) = (String::new(), None);
        for (key, value) in xml::attributes(tag) {
            match key {
                b"id" => id = shown(value),
                b"black" => header.black = self.players.get(value).cloned().unwrap_or_default(),
                b"white" => header.white = self.players.get(value).cloned().unwrap_or_default(),
                b"tournament" => header.event = self.tournaments.get(value).cloned().unwrap_or_default(),
                b"bresult" => {
                    header.outcome = match value {
                        b"1" | b"1.0" => Outcome::Win(Color::Black),
                        b"0" | b"0.0" => Outcome::Win(Color::White),
                        b"0.5" | b".5" => Outcome::Draw,
                        _ => Outcome::Unknown,
                    }
                }
                b"boardsize" => match read_size(value) {
                    Ok(size) => header.size = size,
                    Err(fault) => flaw = Some(fault),
                },
                b"rule" if self.rule.is_none() => match self.rules.get(value) {
                    Some(Ok(rule)) => header.rule = Some(*rule),
                    Some(Err(name)) => flaw = Some(Fault::UnknownRule(name.clone())),
                    // The format is renju's own: without a table of rules that is what is played.
                    None if self.rules.is_empty() => header.rule = Some(Rule::Renju),
                    None => flaw = Some(Fault::UnknownRule(shown(value))),
                },
                _ => {}
            }
        }
        let state = match flaw {
            Some(fault) => Err(fault.into()),
            None => Ok(Record::new(header)),
        };
        Game { place, id, state, has_moves: false }
    }

    fn read_table(&mut self, tag: &[u8]) {
        let (mut id, mut name, mut surname, mut category) = (&b""[..], &b""[..], &b""[..], &b""[..]);
        for (key, value) in xml::attributes(tag) {
            match key {
                b"id" => id = value,
                b"name" => name = value,
                b"surname" => surname = value,
                b"category" => category = value,
                _ => {}
            }
        }
        self.table_bytes += tag.len();
        if id.is_empty() || self.table_bytes > LARGEST_TABLES {
            return;
        }
        let name = self.text(name);
        match xml::name(tag) {
            b"rule" => {
                let rule = rule_named(&name).or_else(|| rule_named(&self.text(category)));
                self.rules.insert(id.to_vec(), rule.ok_or(name));
            }
            b"player" => {
                let full = format!("{name} {}", self.text(surname)).trim().to_owned();
                self.players.insert(id.to_vec(), full);
            }
            _ => {
                self.tournaments.insert(id.to_vec(), name);
            }
        }
    }

    fn read_encoding(&mut self, instruction: &[u8]) {
        let declared = xml::attributes(instruction).find(|(key, _)| *key == b"encoding");
        if let Some(encoding) = declared.and_then(|(_, label)| Encoding::for_label(label)) {
            self.encoding = encoding;
        }
    }

    fn text(&self, bytes: &[u8]) -> String {
        xml::unescape(&self.encoding.decode_without_bom_handling(bytes).0)
    }
}

/// The rule of play behind a name; the opening rules of renju are renju.
fn rule_named(name: &str) -> Option<Rule> {
    let name = name.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| name.contains(word));
    if has(&["caro"]) {
        Some(Rule::Caro)
    } else if has(&["freestyle", "free style", "free gomoku"]) {
        Some(Rule::Freestyle)
    } else if has(&["gomoku", "standard", "swap2"]) {
        Some(Rule::Standard)
    } else if has(&["renju", "rif", "yamaguchi", "taraguchi", "soosyrv", "soosorv", "sakata", "tarannikov"]) {
        Some(Rule::Renju)
    } else {
        None
    }
}

impl Game {
    fn read(&mut self, text: &[u8]) {
        let Ok(record) = &mut self.state else { return };
        record.moves.reserve(text.len() / 3 + 1);
        if let Err(flaw) = read_moves(text, record.header.size, Rows::FromBottom, &mut record.moves) {
            self.state = Err(flaw);
        }
    }

    fn broken(self, fault: Fault) -> Found {
        Found { place: self.place, id: self.id, game: Err(fault.into()) }
    }

    fn finish(self) -> Found {
        let missing = || Fault::Malformed("the game has no <move>".to_owned());
        let game =
            self.state.and_then(|record| if self.has_moves { Ok(record) } else { Err(missing().into()) });
        Found { place: self.place, id: self.id, game }
    }
}
