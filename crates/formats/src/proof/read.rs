//! Text to proofs.

use super::{After, Node, ProofError, ProofFile, VERSION};
use fivestone_game::{Color, Point, Size};
use std::collections::{HashMap, HashSet};

/// Reads a proof and checks that it is whole: the version, the checksum, every node there and none
/// leading back to itself. Whether it proves anything is for [`super::check`] to say.
pub fn read(bytes: &[u8]) -> Result<ProofFile, ProofError> {
    let first = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let version = first.strip_prefix(b"fivestone proof ").ok_or(ProofError::NotAProof)?;
    if version != VERSION.to_string().as_bytes() {
        let shown: String = String::from_utf8_lossy(version).chars().take(12).collect();
        return Err(ProofError::Version(shown.trim_end().escape_default().to_string()));
    }
    let text = std::str::from_utf8(checked_content(bytes)?).map_err(|error| ProofError::Line {
        number: line_of(bytes, error.valid_up_to()),
        what: "not text".into(),
    })?;
    let mut lines = Lines { lines: text.lines().enumerate().skip(1), number: 1 };
    let (proof, told) = read_lines(&mut lines)?;
    if proof.nodes.len() != told {
        return Err(ProofError::NodeCount { told, found: proof.nodes.len() });
    }
    if let Err(node) = proof.children_first() {
        return Err(ProofError::Cyclic(proof.nodes[node].id));
    }
    proof.board().map_err(ProofError::Position)?;
    Ok(proof)
}

/// What stands before the checksum, if that is right.
fn checked_content(bytes: &[u8]) -> Result<&[u8], ProofError> {
    let body = bytes.strip_suffix(b"\n").ok_or(ProofError::Truncated)?;
    let start = body.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1);
    let told = body[start..].strip_prefix(b"crc32 ").ok_or(ProofError::Truncated)?;
    let told = std::str::from_utf8(told).ok().filter(|told| told.len() == 8);
    let told = told.and_then(|told| u32::from_str_radix(told, 16).ok()).ok_or(ProofError::Truncated)?;
    let found = crc32fast::hash(&bytes[..start]);
    if told == found { Ok(&bytes[..start]) } else { Err(ProofError::Checksum { told, found }) }
}

fn line_of(bytes: &[u8], at: usize) -> usize {
    bytes[..at].split(|&byte| byte == b'\n').count()
}

/// The lines of a file with their numbers, for errors.
struct Lines<I> {
    lines: I,
    number: usize,
}

impl<'a, I: Iterator<Item = (usize, &'a str)>> Lines<I> {
    fn next(&mut self) -> Option<&'a str> {
        let (index, line) = self.lines.next()?;
        self.number = index + 1;
        Some(line)
    }

    fn fault(&self, what: impl Into<String>) -> ProofError {
        ProofError::Line { number: self.number, what: what.into() }
    }

    /// What follows a keyword on the next line.
    fn value(&mut self, key: &str) -> Result<&'a str, ProofError> {
        let line = self.next().unwrap_or_default();
        let value = line.strip_prefix(key).filter(|value| value.is_empty() || value.starts_with(' '));
        value.map(str::trim).ok_or_else(|| self.fault(format!("\"{key}\" was expected")))
    }

    fn number(&mut self, key: &str) -> Result<usize, ProofError> {
        let value = self.value(key)?;
        value.parse().map_err(|_| self.fault(format!("\"{}\" is not a number", shown(value))))
    }

    fn stones(&mut self, key: &str, size: Size) -> Result<Vec<Point>, ProofError> {
        let value = self.value(key)?;
        value.split_whitespace().map(|word| self.point(word, size)).collect()
    }

    fn point(&self, word: &str, size: Size) -> Result<Point, ProofError> {
        Point::parse(word, size)
            .map_err(|_| self.fault(format!("\"{}\" is no point of the board", shown(word))))
    }
}

/// The start of a text from outside, safe to print.
fn shown(text: &str) -> String {
    text.chars().take(16).collect::<String>().escape_default().to_string()
}

/// The proof and how many nodes its header promises.
fn read_lines<'a>(
    lines: &mut Lines<impl Iterator<Item = (usize, &'a str)>>,
) -> Result<(ProofFile, usize), ProofError> {
    let rule = lines.value("rule")?.parse().map_err(|_| lines.fault("unknown rule"))?;
    let size = Size::new(lines.number("size")?).ok_or_else(|| lines.fault("no board has this size"))?;
    let black = lines.stones("black", size)?;
    let white = lines.stones("white", size)?;
    let to_move = match lines.value("to-move")? {
        "black" => Color::Black,
        "white" => Color::White,
        _ => return Err(lines.fault("the side to move is black or white")),
    };
    let plies = lines.number("plies")?;
    let told = lines.number("nodes")?;
    let mut proof = ProofFile { rule, size, black, white, to_move, plies, nodes: Vec::new() };
    let mut places = HashMap::new();
    while let Some(line) = lines.next() {
        let node = read_node(lines, line, size)?;
        if places.insert(node.id, proof.nodes.len()).is_some() {
            return Err(ProofError::NodeTwice(node.id));
        }
        proof.nodes.push(node);
    }
    if proof.nodes.is_empty() {
        return Err(ProofError::NodeCount { told: told.max(1), found: 0 });
    }
    for node in &mut proof.nodes {
        let id = node.id;
        let place = |missing: &mut usize| {
            let wanted = *missing as u32;
            *missing = *places.get(&wanted).ok_or(ProofError::NodeMissing { node: id, missing: wanted })?;
            Ok(())
        };
        if let After::Replies { listed, otherwise, .. } = &mut node.after {
            listed.iter_mut().map(|(_, child)| child).chain(otherwise).try_for_each(place)?;
        }
    }
    Ok((proof, told))
}

/// A node whose children are still named by their numbers.
fn read_node<'a>(
    lines: &Lines<impl Iterator<Item = (usize, &'a str)>>,
    line: &str,
    size: Size,
) -> Result<Node, ProofError> {
    let number = |word: &str| -> Result<u32, ProofError> {
        word.parse().map_err(|_| lines.fault(format!("\"{}\" is not the number of a node", shown(word))))
    };
    let mut words = line.split(' ');
    let id = number(words.next().unwrap_or_default())?;
    let point = lines.point(words.next().unwrap_or_default(), size)?;
    let words: Vec<&str> = words.collect();
    if words == ["five"] {
        return Ok(Node { id, point, after: After::Five });
    }
    let (mut listed, mut forbidden, mut otherwise) = (Vec::new(), Vec::new(), None);
    let mut seen = HashSet::new();
    for word in words {
        let (reply, answer) = word
            .split_once(':')
            .ok_or_else(|| lines.fault(format!("\"{}\" is not a reply and its answer", shown(word))))?;
        if !seen.insert(reply) {
            return Err(lines.fault(format!("the reply {} is answered twice", shown(reply))));
        }
        if reply == "*" {
            otherwise = Some(number(answer)? as usize);
        } else if answer == "forbidden" {
            forbidden.push(lines.point(reply, size)?);
        } else {
            listed.push((lines.point(reply, size)?, number(answer)? as usize));
        }
    }
    Ok(Node { id, point, after: After::Replies { listed, forbidden, otherwise } })
}
