//! Bytes to trees.

use super::parse::{Property, Token, Tokens, unescape};
use crate::charset;
use crate::moves::{Rows, read_move, read_number, read_size};
use crate::problem::{Fault, Flaw, shown};
use crate::record::{Header, Outcome, side_to_move, stones_to_moves};
use crate::tree::{Mark, NodeId, Shape, Step, Tree};
use encoding_rs::Encoding;
use fivestone_game::{Color, Point, Rule, Size};

/// A larger game tree is not read.
pub(crate) const LARGEST: usize = 24 << 20;

/// Reads one game tree, from its opening bracket on. Branches that cannot be played are left out and told.
pub fn read(bytes: &[u8], rule: Option<Rule>, size: Option<Size>) -> Result<(Tree, Vec<Flaw>), Flaw> {
    let double_byte = is_double_byte(bytes);
    let root = root_properties(bytes, double_byte)?;
    let header = read_header(&root, rule, size)?;
    let declared = root.iter().find(|property| property.name == b"CA").map(Property::first);
    let encoding = charset::choose(declared, &bytes.split(|byte| matches!(byte, b'[' | b']')));
    let mut builder = Builder { tree: Tree::new(header), encoding, flaws: Vec::new() };
    builder.tree.charset = charset::name(encoding);
    builder.read_names(&root);
    builder.build(Tokens::new(bytes, double_byte))?;
    let Builder { mut tree, mut flaws, .. } = builder;
    let line = tree.is_line();
    flaws.extend(tree.cut_illegal());
    match flaws.iter().find(|flaw| !matches!(flaw.fault, Fault::AfterEnd(_))) {
        Some(first) if line => Err(first.clone()),
        _ => Ok((tree, flaws)),
    }
}

fn root_properties(bytes: &[u8], double_byte: bool) -> Result<Vec<Property<'_>>, Fault> {
    let mut tokens = Tokens::new(bytes, double_byte);
    loop {
        match tokens.next()? {
            Some(Token::Node(properties)) => return Ok(properties),
            Some(Token::Open) => {}
            Some(Token::Close) | None => {
                return Err(Fault::Malformed("a game tree without a node".to_owned()));
            }
        }
    }
}

fn read_header(root: &[Property], given: Option<Rule>, size: Option<Size>) -> Result<Header, Flaw> {
    let value = |name: &[u8]| root.iter().find(|property| property.name == name).map(Property::first);
    let game = value(b"GM").and_then(|game| read_number(game.trim_ascii()));
    if !matches!(game, None | Some(1 | 4)) {
        let game = shown(value(b"GM").unwrap_or_default());
        return Err(Fault::Malformed(format!("GM[{game}] is not a game of Gomoku")).into());
    }
    let side = match value(b"SZ").map(<[u8]>::trim_ascii) {
        Some(sides) => {
            let mut sides = sides.split(|&byte| byte == b':');
            let (width, height) = (sides.next().unwrap_or_default(), sides.next());
            if height.is_some_and(|height| height != width) {
                return Err(Fault::BadSize(shown(value(b"SZ").unwrap_or_default())).into());
            }
            read_size(width)?
        }
        None if size.is_some() => size.unwrap_or(Size::STANDARD),
        None if game == Some(1) => Size::new(19).unwrap_or(Size::STANDARD),
        None => Size::STANDARD,
    };
    let rule = match value(b"RU") {
        Some(name) if given.is_none() => read_rule(name)?,
        _ => given,
    };
    let mut header = Header::new(rule, side);
    header.outcome = value(b"RE").map_or(Outcome::Unknown, read_outcome);
    Ok(header)
}

fn read_rule(name: &[u8]) -> Result<Option<Rule>, Fault> {
    let text = String::from_utf8_lossy(name.trim_ascii()).to_ascii_lowercase();
    match text.as_str() {
        "" | "?" | "unknown" => Ok(None),
        // The numbers of the Gomocup protocol.
        "0" | "free" | "gomoku" => Ok(Some(Rule::Freestyle)),
        "1" | "exact" => Ok(Some(Rule::Standard)),
        "4" => Ok(Some(Rule::Renju)),
        "8" | "9" => Ok(Some(Rule::Caro)),
        text => text.parse().map(Some).map_err(|_| Fault::UnknownRule(shown(name))),
    }
}

fn read_outcome(value: &[u8]) -> Outcome {
    let value = value.trim_ascii();
    match value.first().map(u8::to_ascii_lowercase) {
        _ if Outcome::from_score(value).is_some() => Outcome::from_score(value).unwrap_or_default(),
        Some(b'b') => Outcome::Win(Color::Black),
        Some(b'w') => Outcome::Win(Color::White),
        Some(b'0' | b'd' | b'j') => Outcome::Draw,
        _ => Outcome::Unknown,
    }
}

struct Builder {
    tree: Tree,
    encoding: &'static Encoding,
    flaws: Vec<Flaw>,
}

/// Where the next node goes; nothing while a branch is left out.
type Place = Option<(NodeId, usize)>;

impl Builder {
    fn read_names(&mut self, root: &[Property]) {
        let text = |name: &[u8]| {
            let property = root.iter().find(|property| property.name == name);
            property.map_or(String::new(), |property| self.text(property.first()).trim().to_owned())
        };
        let (black, white, event) = (text(b"PB"), text(b"PW"), text(b"EV"));
        let header = &mut self.tree.header;
        (header.black, header.white, header.event) = (black, white, event);
    }

    fn build(&mut self, mut tokens: Tokens) -> Result<(), Flaw> {
        let mut open: Vec<Place> = Vec::new();
        let mut place: Place = Some((self.tree.root(), 0));
        let mut is_root = true;
        while let Some(token) = tokens.next()? {
            match token {
                Token::Open => open.push(place),
                Token::Close => place = open.pop().unwrap_or_default(),
                Token::Node(properties) => {
                    let Some((parent, plies)) = place else { continue };
                    place = match self.node(parent, plies, &properties, is_root) {
                        Ok(place) => Some(place),
                        Err(flaw) if is_root => return Err(flaw),
                        Err(flaw) => {
                            self.flaws.push(flaw);
                            None
                        }
                    };
                    is_root = false;
                }
            }
        }
        Ok(())
    }

    fn node(
        &mut self,
        parent: NodeId,
        plies: usize,
        properties: &[Property],
        is_root: bool,
    ) -> Result<(NodeId, usize), Flaw> {
        let (mut at, mut plies) = (parent, plies);
        let mut made = is_root;
        let (mut black, mut white, mut to_move) = (Vec::new(), Vec::new(), None);
        for property in properties {
            let color = match property.name.as_slice() {
                b"B" => Color::Black,
                b"W" => Color::White,
                b"AB" => {
                    self.stones(property, plies, &mut black)?;
                    continue;
                }
                b"AW" => {
                    self.stones(property, plies, &mut white)?;
                    continue;
                }
                b"PL" => {
                    to_move = Some(if property.first() == b"W" { Color::White } else { Color::Black });
                    continue;
                }
                b"AE" => {
                    return Err(Fault::Malformed("stones are taken off the board (AE)".to_owned()).into());
                }
                _ => continue,
            };
            let step = self.step(property.first()).map_err(|fault| Flaw::at(plies + 1, fault))?;
            if color != side_to_move(plies) {
                at = match self.tree.last_child(at) {
                    Some(last) if self.tree.step(last) == Step::Pass => last,
                    _ => self.tree.push(at, Step::Pass),
                };
                plies += 1;
            }
            at = self.tree.push(at, step);
            plies += 1;
            made = true;
        }
        let setup = !black.is_empty() || !white.is_empty();
        if !made {
            at = self.tree.push(at, Step::Nothing);
        }
        let noted = at;
        if setup || to_move.is_some_and(|color| color != side_to_move(plies)) {
            if plies > 0 && setup {
                let fault = Fault::Malformed("stones are set up in the middle of the game".to_owned());
                return Err(Flaw::at(plies + 1, fault));
            }
            let next = if black.len() > white.len() { Color::White } else { Color::Black };
            let turns =
                if setup { stones_to_moves(&black, &white, to_move.unwrap_or(next)) } else { vec![None] };
            for turn in turns {
                at = self.tree.push(at, Step::from(turn));
                plies += 1;
            }
            if setup {
                self.tree.opening = plies;
            }
        }
        for property in properties {
            self.note(noted, property, is_root);
        }
        Ok((at, plies))
    }

    fn stones(&self, property: &Property, plies: usize, stones: &mut Vec<Point>) -> Result<(), Flaw> {
        for value in &property.values {
            let step = self.step(value).map_err(|fault| Flaw::at(plies + 1, fault))?;
            if let Step::Stone(point) = step {
                stones.push(point);
            }
        }
        Ok(())
    }

    fn note(&mut self, node: NodeId, property: &Property, is_root: bool) {
        let shape = match property.name.as_slice() {
            b"B" | b"W" | b"AB" | b"AW" | b"PL" => return,
            b"FF" | b"GM" | b"SZ" | b"CA" | b"PB" | b"PW" | b"RE" | b"RU" | b"EV" if is_root => return,
            b"C" => {
                let text = self.text(property.first());
                let comment = &mut self.tree.notes_mut(node).comment;
                if !comment.is_empty() {
                    comment.push('\n');
                }
                comment.push_str(&text);
                return;
            }
            b"HO" => {
                self.tree.notes_mut(node).start = true;
                return;
            }
            b"TR" => Some(Shape::Triangle),
            b"SQ" => Some(Shape::Square),
            b"CR" => Some(Shape::Circle),
            b"MA" | b"M" => Some(Shape::Cross),
            b"LB" | b"L" => None,
            _ => {
                let values = property.values.iter().map(|value| self.text(value)).collect();
                let name = String::from_utf8_lossy(&property.name).into_owned();
                self.tree.notes_mut(node).properties.push((name, values));
                return;
            }
        };
        for value in &property.values {
            let end = value.iter().position(|&byte| byte == b':').unwrap_or(value.len());
            let Ok(Step::Stone(point)) = self.step(&value[..end]) else { continue };
            let label = || Shape::Label(self.text(value.get(end + 1..).unwrap_or_default()));
            let shape = shape.clone().unwrap_or_else(label);
            if shape == Shape::Circle && self.tree.step(node) == Step::Stone(point) {
                self.tree.notes_mut(node).marked = true;
            } else {
                self.tree.notes_mut(node).marks.push(Mark { point, shape });
            }
        }
    }

    /// Reads a move: two letters from the top left, nothing or `tt` for a pass, or `h8` as some programs write.
    fn step(&self, value: &[u8]) -> Result<Step, Fault> {
        let size = self.tree.header.size;
        let value = value.trim_ascii();
        let letter = |byte: u8| byte.is_ascii_lowercase().then(|| usize::from(byte - b'a'));
        match *value {
            [] => Ok(Step::Pass),
            [b't', b't'] if size.side() <= 19 => Ok(Step::Pass),
            [x, y] if x.is_ascii_alphabetic() && y.is_ascii_alphabetic() => {
                let (x, y) = (x.to_ascii_lowercase(), y.to_ascii_lowercase());
                let point = letter(x).zip(letter(y)).and_then(|(x, y)| Point::new(x, y, size));
                point.map(Step::Stone).ok_or_else(|| Fault::OffBoard(shown(value)))
            }
            _ => match read_move(value, size, Rows::FromBottom)? {
                (point, length) if length == value.len() => Ok(Step::Stone(point)),
                _ => Err(Fault::NotAMove(shown(value))),
            },
        }
    }

    fn text(&self, value: &[u8]) -> String {
        unescape(&charset::decode(self.encoding, value))
    }
}

/// Whether the text declares, and does not contradict, a character set whose second bytes may look like brackets.
fn is_double_byte(bytes: &[u8]) -> bool {
    const SAMPLE: usize = 64 * 1024;
    let sample = &bytes[..bytes.len().min(SAMPLE)];
    let declared = memchr::memmem::find(sample, b"CA[").map(|at| &sample[at + 3..]);
    let label = declared.and_then(|rest| rest.split(|&byte| byte == b']').next());
    let encoding = label.and_then(Encoding::for_label);
    let double = [
        encoding_rs::GBK,
        encoding_rs::GB18030,
        encoding_rs::BIG5,
        encoding_rs::SHIFT_JIS,
        encoding_rs::EUC_KR,
    ];
    encoding.is_some_and(|encoding| double.contains(&encoding))
        && std::str::from_utf8(sample).is_err_and(|error| error.error_len().is_some())
}

/// How far the search for the end of a game tree has come.
#[derive(Default)]
pub(crate) struct Tail {
    at: usize,
    depth: usize,
    in_value: bool,
    double_byte: Option<bool>,
}

/// Where the first game tree of some bytes starts.
pub(crate) fn find_start(window: &[u8]) -> Option<usize> {
    memchr::memchr(b'(', window)
}

/// The length of the game tree at the start of a window, if its end is in it.
pub(crate) fn find_end(window: &[u8], tail: &mut Tail) -> Option<usize> {
    let double_byte = *tail.double_byte.get_or_insert_with(|| is_double_byte(window));
    while let Some(&byte) = window.get(tail.at) {
        tail.at += 1;
        if tail.in_value {
            match byte {
                b']' => tail.in_value = false,
                b'\\' => tail.at += 1,
                0x81.. if double_byte => tail.at += 1,
                _ => {}
            }
        } else {
            match byte {
                b'(' => tail.depth += 1,
                b'[' => tail.in_value = true,
                b')' => {
                    tail.depth -= 1;
                    if tail.depth == 0 {
                        return Some(tail.at);
                    }
                }
                _ => {}
            }
        }
    }
    None
}
