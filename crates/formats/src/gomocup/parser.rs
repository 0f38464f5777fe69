//! Reads a manager's bytes, in whatever pieces they come.

use super::word::{Piece, Word, Words};
use super::{Command, Coordinates, Info, Stone};
use std::fmt;

/// Why some input is no command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Problem {
    /// The word names no command; answered by `UNKNOWN`.
    Unknown(String),
    /// A command with arguments that make no sense; answered by `ERROR`.
    Malformed(String),
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Problem::Unknown(word) => write!(f, "no command is called \"{word}\""),
            Problem::Malformed(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for Problem {}

/// Turns bytes into commands. Memory is bounded whatever comes in.
///
/// Commands are read word by word: arguments stand on the command's line, but another command may follow there, and
/// a block may have its stones on one line or on many. After a mistake the rest of the line is skipped.
#[derive(Default, Debug)]
pub struct Parser {
    words: Words,
    state: State,
}

#[derive(Default, Debug)]
enum State {
    #[default]
    Verb,
    Argument(Argument),
    InfoKey,
    InfoValue(String),
    Folder(String),
    Block(Block),
    SkipLine,
}

/// A command that waits for its argument.
#[derive(Clone, Copy, Debug)]
enum Argument {
    Start,
    RectStart,
    Turn,
    TakeBack,
    Play,
    NBest,
    BalanceOne,
    BalanceTwo,
}

/// A block on its way to `DONE`.
#[derive(Debug)]
struct Block {
    kind: BlockKind,
    stones: Vec<Stone>,
    fault: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum BlockKind {
    Board,
    SetBoard,
    Swap2Board,
    Block,
    BlockUndo,
}

enum Verb {
    Whole(Command),
    With(Argument),
    Block(BlockKind),
    Info,
}

/// More than any board has cells.
const MOST_STONES: usize = 32 * 32;
const LONGEST_FOLDER: usize = 4096;

impl Parser {
    /// A parser at the start of the input.
    pub fn new() -> Parser {
        Parser::default()
    }

    /// Reads some bytes and answers with the commands they complete.
    pub fn read(&mut self, bytes: &[u8]) -> Vec<Result<Command, Problem>> {
        let mut found = Vec::new();
        for &byte in bytes {
            let mut words = std::mem::take(&mut self.words);
            words.push(byte, |piece| self.take(piece, &mut found));
            self.words = words;
        }
        found
    }

    /// Reads the end of the input, which ends the last line too.
    pub fn finish(&mut self) -> Vec<Result<Command, Problem>> {
        let mut found = self.read(b"\n");
        if let State::Block(block) = std::mem::take(&mut self.state) {
            found.push(Err(malformed(format!("{} has no DONE", block.kind.name()))));
        }
        found
    }

    fn take(&mut self, piece: Piece, found: &mut Vec<Result<Command, Problem>>) {
        let state = std::mem::take(&mut self.state);
        self.state = match (state, piece) {
            (State::Verb, Piece::Word(word)) => after_verb(&word, found),
            (State::Argument(argument), Piece::Word(word)) => {
                let result = argument.command(&word);
                let next = if result.is_ok() { State::Verb } else { State::SkipLine };
                found.push(result);
                next
            }
            (State::Argument(argument), Piece::LineEnd) => {
                found.push(argument.without_word());
                State::Verb
            }
            (State::InfoKey, Piece::Word(word)) => match word.text() {
                Some(key) if key.eq_ignore_ascii_case("folder") => State::Folder(String::new()),
                Some(key) => State::InfoValue(key.to_owned()),
                None => State::SkipLine,
            },
            (State::InfoValue(key), Piece::Word(word)) => {
                let info = word.text().map_or(Info::Ignored, |value| Info::parse(&key, value));
                // Nobody knows how many words an unknown key takes.
                let next = if info == Info::Ignored { State::SkipLine } else { State::Verb };
                found.push(Ok(Command::Info(info)));
                next
            }
            (State::Folder(path), Piece::Word(word)) => add_to_path(path, &word),
            (State::Folder(path), Piece::LineEnd) => {
                found.push(Ok(Command::Info(Info::parse("folder", &path))));
                State::Verb
            }
            (State::Block(block), Piece::Word(word)) => after_block_word(block, &word, found),
            (State::Block(block), Piece::LineEnd) => State::Block(block),
            (State::SkipLine, Piece::Word(_)) => State::SkipLine,
            (State::Verb | State::InfoKey | State::InfoValue(_) | State::SkipLine, Piece::LineEnd) => {
                State::Verb
            }
        };
    }
}

fn after_verb(word: &Word, found: &mut Vec<Result<Command, Problem>>) -> State {
    match word.text().and_then(verb) {
        Some(Verb::Whole(command)) => {
            found.push(Ok(command));
            State::Verb
        }
        Some(Verb::With(argument)) => State::Argument(argument),
        Some(Verb::Block(kind)) => State::Block(Block { kind, stones: Vec::new(), fault: None }),
        Some(Verb::Info) => State::InfoKey,
        None => {
            found.push(Err(Problem::Unknown(word.shown())));
            State::SkipLine
        }
    }
}

fn after_block_word(mut block: Block, word: &Word, found: &mut Vec<Result<Command, Problem>>) -> State {
    let text = word.text().unwrap_or_default();
    if text.eq_ignore_ascii_case("done") {
        found.push(block.command());
        return State::Verb;
    }
    if verb(text).is_some() {
        found.push(Err(malformed(format!("{} has no DONE", block.kind.name()))));
        return after_verb(word, found);
    }
    match block.stone(text) {
        Some(_) if block.stones.len() == MOST_STONES => {
            block.fault.get_or_insert_with(|| format!("{} has too many stones", block.kind.name()));
        }
        Some(stone) => block.stones.push(stone),
        None => {
            let (name, form) = (block.kind.name(), block.kind.form());
            block.fault.get_or_insert_with(|| format!("{name}: \"{}\" is not {form}", word.shown()));
        }
    }
    State::Block(block)
}

fn add_to_path(mut path: String, word: &Word) -> State {
    // Paths of several words are joined by one space each; a path the parser cannot hold is dropped like any bad INFO.
    let Some(text) = word.unicode().filter(|text| path.len() + text.len() < LONGEST_FOLDER) else {
        return State::SkipLine;
    };
    if !path.is_empty() {
        path.push(' ');
    }
    path.push_str(text);
    State::Folder(path)
}

fn malformed(reason: impl Into<String>) -> Problem {
    Problem::Malformed(reason.into())
}

impl Block {
    fn stone(&self, text: &str) -> Option<Stone> {
        if !self.kind.has_fields() {
            return Some(Stone { at: Coordinates::parse(text)?, field: 0 });
        }
        let (at, field) = text.rsplit_once(',')?;
        let field = field.parse().ok().filter(|field| (1..=3).contains(field))?;
        Some(Stone { at: Coordinates::parse(at)?, field })
    }

    fn command(self) -> Result<Command, Problem> {
        if let Some(fault) = self.fault {
            return Err(malformed(fault));
        }
        let points = || self.stones.iter().map(|stone| stone.at).collect();
        Ok(match self.kind {
            BlockKind::Board => Command::Board(self.stones),
            BlockKind::SetBoard => Command::SetBoard(self.stones),
            BlockKind::Swap2Board => Command::Swap2Board(points()),
            BlockKind::Block => Command::Block(points()),
            BlockKind::BlockUndo => Command::BlockUndo(points()),
        })
    }
}

impl BlockKind {
    fn name(self) -> &'static str {
        match self {
            BlockKind::Board => "BOARD",
            BlockKind::SetBoard => "YXBOARD",
            BlockKind::Swap2Board => "SWAP2BOARD",
            BlockKind::Block => "YXBLOCK",
            BlockKind::BlockUndo => "YXBLOCKUNDO",
        }
    }

    fn has_fields(self) -> bool {
        matches!(self, BlockKind::Board | BlockKind::SetBoard)
    }

    fn form(self) -> &'static str {
        if self.has_fields() { "x,y,field with a field from 1 to 3" } else { "x,y" }
    }
}

impl Argument {
    fn name(self) -> &'static str {
        match self {
            Argument::Start => "START",
            Argument::RectStart => "RECTSTART",
            Argument::Turn => "TURN",
            Argument::TakeBack => "TAKEBACK",
            Argument::Play => "PLAY",
            Argument::NBest => "YXNBEST",
            Argument::BalanceOne => "YXBALANCEONE",
            Argument::BalanceTwo => "YXBALANCETWO",
        }
    }

    fn command(self, word: &Word) -> Result<Command, Problem> {
        let text = word.text().unwrap_or_default();
        let at = || Coordinates::parse(text);
        let number = || text.parse::<i32>().ok();
        let natural = || text.parse::<u16>().ok();
        let command = match self {
            Argument::Start => natural().map(Command::Start),
            Argument::RectStart => at().map(Command::RectStart),
            Argument::Turn => at().map(Command::Turn),
            Argument::TakeBack => at().map(Command::TakeBack),
            Argument::Play => at().map(Command::Play),
            Argument::NBest => natural().filter(|&lines| lines > 0).map(Command::NBest),
            Argument::BalanceOne => number().map(Command::BalanceOne),
            Argument::BalanceTwo => number().map(Command::BalanceTwo),
        };
        command
            .ok_or_else(|| malformed(format!("{}: \"{}\" is not {}", self.name(), word.shown(), self.form())))
    }

    fn without_word(self) -> Result<Command, Problem> {
        match self {
            Argument::NBest => Ok(Command::NBest(1)),
            Argument::BalanceOne => Ok(Command::BalanceOne(0)),
            Argument::BalanceTwo => Ok(Command::BalanceTwo(0)),
            _ => Err(malformed(format!("{} needs {}", self.name(), self.form()))),
        }
    }

    fn form(self) -> &'static str {
        match self {
            Argument::Start => "a board size",
            Argument::RectStart => "width,height",
            Argument::Turn | Argument::TakeBack | Argument::Play => "x,y",
            Argument::NBest => "a number of moves",
            Argument::BalanceOne | Argument::BalanceTwo => "a whole number",
        }
    }
}

fn verb(word: &str) -> Option<Verb> {
    Some(match word.to_ascii_uppercase().as_str() {
        "START" => Verb::With(Argument::Start),
        "RECTSTART" => Verb::With(Argument::RectStart),
        "RESTART" => Verb::Whole(Command::Restart),
        "BEGIN" => Verb::Whole(Command::Begin),
        "TURN" => Verb::With(Argument::Turn),
        "BOARD" => Verb::Block(BlockKind::Board),
        "TAKEBACK" => Verb::With(Argument::TakeBack),
        "PLAY" => Verb::With(Argument::Play),
        "SWAP2BOARD" => Verb::Block(BlockKind::Swap2Board),
        "INFO" => Verb::Info,
        "ABOUT" => Verb::Whole(Command::About),
        "END" => Verb::Whole(Command::End),
        "YXSHOWINFO" => Verb::Whole(Command::ShowInfo),
        "YXBOARD" => Verb::Block(BlockKind::SetBoard),
        "YXNBEST" => Verb::With(Argument::NBest),
        "YXSTOP" | "STOP" => Verb::Whole(Command::Stop),
        "YXSHOWFORBID" => Verb::Whole(Command::ShowForbid),
        "YXBALANCEONE" => Verb::With(Argument::BalanceOne),
        "YXBALANCETWO" => Verb::With(Argument::BalanceTwo),
        "YXBLOCK" => Verb::Block(BlockKind::Block),
        "YXBLOCKUNDO" => Verb::Block(BlockKind::BlockUndo),
        "YXBLOCKRESET" => Verb::Whole(Command::BlockReset),
        "YXHASHCLEAR" => Verb::Whole(Command::HashClear),
        "YXSHOWHASHUSAGE" => Verb::Whole(Command::ShowHashUsage),
        "YXSWAP2STEP1" => Verb::Whole(Command::Swap2Step1),
        "YXSWAP2STEP2" => Verb::Whole(Command::Swap2Step2),
        "YXSWAP2STEP3" => Verb::Whole(Command::Swap2Step3),
        _ => return None,
    })
}
