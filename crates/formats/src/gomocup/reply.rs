//! What an engine says.

use super::Coordinates;
use std::fmt;

/// One line of an engine's output.
#[derive(Clone, PartialEq, Debug)]
pub enum Reply {
    /// `OK`.
    Ok,
    /// One move, or the stones of an opening: `7,7` or `7,7 8,8 9,9`.
    Moves(Vec<Coordinates>),
    /// `SWAP`: take the other side.
    Swap,
    /// `name="...", version="...", author="...", country="..."`, here without the name of each part.
    About(String),
    /// `ERROR`, with the reason.
    Error(String),
    /// `UNKNOWN`, with the reason.
    Unknown(String),
    /// `MESSAGE` for people.
    Message(String),
    /// `DEBUG` for programmers.
    Debug(String),
    /// `SUGGEST x,y`: a move the manager may refuse.
    Suggest(Coordinates),
    /// `FORBID XXYYXXYY.`: Black's forbidden points.
    Forbid(Vec<Coordinates>),
    /// `MESSAGE REALTIME ..`: the state of the search, for a board on a screen.
    Realtime(Realtime),
    /// `INFO ..`: one detail of a search.
    Detail(Detail),
    /// `MESSAGE SWAP2 ..`: an answer to a step of Yixin-Board's swap2.
    Swap2(Swap2Message),
}

/// The state of a running search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Realtime {
    /// Forget the marks so far.
    Refresh,
    /// The best move so far.
    Best(Coordinates),
    /// This move is looked at.
    Pos(Coordinates),
    /// This move was looked at.
    Done(Coordinates),
    /// This move loses.
    Lost(Coordinates),
}

/// What a position is worth to the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Evaluation {
    /// Points.
    Points(i32),
    /// A certain win in this many plies.
    Win(u16),
    /// A certain loss in this many plies.
    Loss(u16),
}

/// One `INFO` line about one of the best lines.
#[derive(Clone, PartialEq, Debug)]
pub enum Detail {
    /// The lines that follow belong to this line, from 0.
    Pv(usize),
    /// How many lines there are.
    NumPv(usize),
    /// Plies searched.
    Depth(u32),
    /// Plies of the longest line.
    SelDepth(u32),
    /// Nodes of this line.
    Nodes(u64),
    /// Nodes of all lines.
    TotalNodes(u64),
    /// Milliseconds.
    TotalTime(u64),
    /// Nodes per second.
    Speed(u64),
    /// What it is worth to the side to move.
    Eval(Evaluation),
    /// Win probability of the side to move.
    WinRate(f64),
    /// The expected moves.
    BestLine(Vec<Coordinates>),
    /// Everything about this line is said.
    PvDone,
}

/// An answer to a step of Yixin-Board's swap2.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Swap2Message {
    /// The stone of this number, 1 to 5, goes to this row and column.
    Move {
        /// The stone's number.
        number: u8,
        /// Its row.
        row: u16,
        /// Its column.
        column: u16,
    },
    /// Whether to swap at the first (1) or second (2) occasion.
    Swap {
        /// Which occasion.
        occasion: u8,
        /// The decision.
        swap: bool,
    },
}

impl Reply {
    /// One move.
    pub fn of_move(at: Coordinates) -> Reply {
        Reply::Moves(vec![at])
    }

    /// Reads one line of an engine's output; nothing if it is none the protocol knows.
    pub fn parse(line: &str) -> Option<Reply> {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word.to_ascii_uppercase().as_str() {
            "OK" if rest.is_empty() => Some(Reply::Ok),
            "SWAP" if rest.is_empty() => Some(Reply::Swap),
            "ERROR" => Some(Reply::Error(rest.to_owned())),
            "UNKNOWN" => Some(Reply::Unknown(rest.to_owned())),
            "DEBUG" => Some(Reply::Debug(rest.to_owned())),
            "SUGGEST" => Coordinates::parse(rest).map(Reply::Suggest),
            "FORBID" => parse_forbid(rest).map(Reply::Forbid),
            "INFO" => Detail::parse(rest).map(Reply::Detail),
            "MESSAGE" => Some(
                Realtime::parse(rest)
                    .map(Reply::Realtime)
                    .or_else(|| Swap2Message::parse(rest).map(Reply::Swap2))
                    .unwrap_or_else(|| Reply::Message(rest.to_owned())),
            ),
            _ if word.get(..5).is_some_and(|start| start.eq_ignore_ascii_case("name=")) => {
                Some(Reply::About(line.to_owned()))
            }
            _ => parse_moves(line).filter(|moves| !moves.is_empty()).map(Reply::Moves),
        }
    }
}

fn parse_moves(text: &str) -> Option<Vec<Coordinates>> {
    text.split_whitespace().map(Coordinates::parse).collect()
}

fn parse_forbid(text: &str) -> Option<Vec<Coordinates>> {
    let digits = text.strip_suffix('.')?.as_bytes();
    let whole = digits.len() % 4 == 0 && digits.iter().all(u8::is_ascii_digit);
    let two = |digits: &[u8]| u16::from(digits[0] - b'0') * 10 + u16::from(digits[1] - b'0');
    let point = |four: &[u8]| Coordinates { first: two(four), second: two(&four[2..]) };
    whole.then(|| digits.chunks_exact(4).map(point).collect())
}

impl Realtime {
    fn parse(text: &str) -> Option<Realtime> {
        let mut words = text.split_whitespace();
        let (kind, name) = (words.next()?, words.next()?);
        let at = words.next().and_then(Coordinates::parse);
        match (kind, name) {
            ("REALTIME", "REFRESH") => Some(Realtime::Refresh),
            ("REALTIME", "BEST") => at.map(Realtime::Best),
            ("REALTIME", "POS") => at.map(Realtime::Pos),
            ("REALTIME", "DONE") => at.map(Realtime::Done),
            ("REALTIME", "LOST") => at.map(Realtime::Lost),
            _ => None,
        }
    }
}

impl Swap2Message {
    fn parse(text: &str) -> Option<Swap2Message> {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words[..] {
            ["SWAP2", name, row, column] => {
                let number = name.strip_prefix("MOVE")?.parse().ok()?;
                Some(Swap2Message::Move { number, row: row.parse().ok()?, column: column.parse().ok()? })
            }
            ["SWAP2", name, answer @ ("YES" | "NO")] => {
                let occasion = name.strip_prefix("SWAP")?.parse().ok()?;
                Some(Swap2Message::Swap { occasion, swap: answer == "YES" })
            }
            _ => None,
        }
    }
}

impl Evaluation {
    fn parse(text: &str) -> Option<Evaluation> {
        let plies = |text: &str| text.parse().ok();
        if let Some(text) = text.strip_prefix("+M") {
            plies(text).map(Evaluation::Win)
        } else if let Some(text) = text.strip_prefix("-M") {
            plies(text).map(Evaluation::Loss)
        } else {
            text.parse().ok().map(Evaluation::Points)
        }
    }
}

impl Detail {
    fn parse(text: &str) -> Option<Detail> {
        let (key, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let value = value.trim();
        let number = || value.parse::<u64>().ok();
        Some(match key.to_ascii_uppercase().as_str() {
            "PV" if value.eq_ignore_ascii_case("done") => Detail::PvDone,
            "PV" => Detail::Pv(number()? as usize),
            "NUMPV" => Detail::NumPv(number()? as usize),
            "DEPTH" => Detail::Depth(u32::try_from(number()?).ok()?),
            "SELDEPTH" => Detail::SelDepth(u32::try_from(number()?).ok()?),
            "NODES" => Detail::Nodes(number()?),
            "TOTALNODES" => Detail::TotalNodes(number()?),
            "TOTALTIME" => Detail::TotalTime(number()?),
            "SPEED" => Detail::Speed(number()?),
            "EVAL" => Detail::Eval(Evaluation::parse(value)?),
            "WINRATE" => Detail::WinRate(value.parse().ok()?),
            "BESTLINE" => Detail::BestLine(parse_moves(value)?),
            _ => return None,
        })
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Ok => f.write_str("OK"),
            Reply::Moves(moves) => write_moves(f, moves),
            Reply::Swap => f.write_str("SWAP"),
            Reply::About(text) => f.write_str(text),
            Reply::Error(reason) => write!(f, "ERROR {reason}"),
            Reply::Unknown(reason) => write!(f, "UNKNOWN {reason}"),
            Reply::Message(text) => write!(f, "MESSAGE {text}"),
            Reply::Debug(text) => write!(f, "DEBUG {text}"),
            Reply::Suggest(at) => write!(f, "SUGGEST {at}"),
            Reply::Forbid(points) => {
                f.write_str("FORBID ")?;
                points.iter().try_for_each(|at| write!(f, "{:02}{:02}", at.first, at.second))?;
                f.write_str(".")
            }
            Reply::Realtime(state) => write!(f, "MESSAGE REALTIME {state}"),
            Reply::Detail(detail) => write!(f, "INFO {detail}"),
            Reply::Swap2(message) => write!(f, "MESSAGE SWAP2 {message}"),
        }
    }
}

fn write_moves(f: &mut fmt::Formatter<'_>, moves: &[Coordinates]) -> fmt::Result {
    moves.iter().enumerate().try_for_each(|(index, at)| {
        let space = if index > 0 { " " } else { "" };
        write!(f, "{space}{at}")
    })
}

impl fmt::Display for Realtime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Realtime::Refresh => f.write_str("REFRESH"),
            Realtime::Best(at) => write!(f, "BEST {at}"),
            Realtime::Pos(at) => write!(f, "POS {at}"),
            Realtime::Done(at) => write!(f, "DONE {at}"),
            Realtime::Lost(at) => write!(f, "LOST {at}"),
        }
    }
}

impl fmt::Display for Evaluation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Evaluation::Points(points) => write!(f, "{points}"),
            Evaluation::Win(plies) => write!(f, "+M{plies}"),
            Evaluation::Loss(plies) => write!(f, "-M{plies}"),
        }
    }
}

impl fmt::Display for Detail {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Detail::Pv(index) => write!(f, "PV {index}"),
            Detail::NumPv(count) => write!(f, "NUMPV {count}"),
            Detail::Depth(plies) => write!(f, "DEPTH {plies}"),
            Detail::SelDepth(plies) => write!(f, "SELDEPTH {plies}"),
            Detail::Nodes(nodes) => write!(f, "NODES {nodes}"),
            Detail::TotalNodes(nodes) => write!(f, "TOTALNODES {nodes}"),
            Detail::TotalTime(ms) => write!(f, "TOTALTIME {ms}"),
            Detail::Speed(speed) => write!(f, "SPEED {speed}"),
            Detail::Eval(evaluation) => write!(f, "EVAL {evaluation}"),
            Detail::WinRate(winrate) => write!(f, "WINRATE {winrate:.4}"),
            Detail::BestLine(moves) => {
                f.write_str("BESTLINE ")?;
                write_moves(f, moves)
            }
            Detail::PvDone => f.write_str("PV DONE"),
        }
    }
}

impl fmt::Display for Swap2Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Swap2Message::Move { number, row, column } => write!(f, "MOVE{number} {row} {column}"),
            Swap2Message::Swap { occasion, swap } => {
                write!(f, "SWAP{occasion} {}", if *swap { "YES" } else { "NO" })
            }
        }
    }
}
