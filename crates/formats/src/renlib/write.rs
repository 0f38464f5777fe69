//! Trees to bytes.

use super::{BOARD_TEXT, COMMENT, EXTENSION, LEAF, MAGIC, MARK, NO_MOVE, SIBLING, START};
use crate::charset;
use crate::tree::{NodeId, Shape, Step, Tree};
use encoding_rs::Encoding;
use fivestone_game::Size;
use std::fmt;

/// Why a tree cannot be a library.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CannotWrite(Size);

impl fmt::Display for CannotWrite {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a RenLib library holds 15x15 games only, not {0}x{0}", self.0)
    }
}

impl std::error::Error for CannotWrite {}

/// Appends a tree as a library. Labels on points without a continuation, shapes and SGF properties have no place in
/// it and are left out.
pub fn write(tree: &Tree, out: &mut Vec<u8>) -> Result<(), CannotWrite> {
    if tree.header.size != Size::STANDARD {
        return Err(CannotWrite(tree.header.size));
    }
    let encoding = charset::named(tree.charset);
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&[3, 0]);
    out.extend_from_slice(&[0xff; 10]);
    let root = tree.root();
    let single = tree.first_child(root).filter(|&first| tree.last_child(root) == Some(first));
    let says_nothing = tree.notes(root).is_none_or(|notes| {
        notes.comment.is_empty() && notes.label.is_empty() && !notes.marked && !notes.start
    });
    // RenLib itself starts with the first move where there is only one and nothing stands before it.
    let starts_with_move =
        says_nothing && single.is_some_and(|first| matches!(tree.step(first), Step::Stone(_)));
    for node in tree.walk() {
        if node != root || !starts_with_move {
            write_node(tree, node, encoding, out);
        }
    }
    Ok(())
}

fn write_node(tree: &Tree, node: NodeId, encoding: &'static Encoding, out: &mut Vec<u8>) {
    let is_root = node == tree.root();
    let mut flags = 0;
    if tree.next_sibling(node).is_some() {
        flags |= SIBLING;
    }
    if tree.first_child(node).is_none() {
        flags |= LEAF;
    }
    let cell = match tree.step(node) {
        Step::Stone(point) => (point.y() * 16 + point.x() + 1) as u8,
        Step::Nothing if !is_root => {
            flags |= NO_MOVE;
            0
        }
        _ => 0,
    };
    let notes = tree.notes(node);
    let comment = notes.map_or("", |notes| notes.comment.as_str());
    if notes.is_some_and(|notes| notes.marked) {
        flags |= MARK;
    }
    if notes.is_some_and(|notes| notes.start) {
        flags |= START;
    }
    if !comment.is_empty() {
        flags |= COMMENT;
    }
    let label = label(tree, node);
    if !label.is_empty() {
        flags |= EXTENSION;
    }
    out.extend_from_slice(&[cell, flags]);
    if !label.is_empty() {
        out.extend_from_slice(&[0, BOARD_TEXT]);
    }
    write_text(&comment.replacen('\n', "\u{8}", 1), encoding, out);
    write_text(label, encoding, out);
}

/// The text on a node's point: its own, or a label that the board before it has there.
fn label(tree: &Tree, node: NodeId) -> &str {
    let own = tree.notes(node).map_or("", |notes| notes.label.as_str());
    if !own.is_empty() {
        return own;
    }
    let (Some(parent), Step::Stone(point)) = (tree.parent(node), tree.step(node)) else { return "" };
    let marks = tree.notes(parent).map_or(&[][..], |notes| &notes.marks);
    let on_point = marks.iter().filter(|mark| mark.point == point);
    let mut labels = on_point.filter_map(|mark| match &mark.shape {
        Shape::Label(label) => Some(label.as_str()),
        _ => None,
    });
    labels.next().unwrap_or("")
}

fn write_text(text: &str, encoding: &'static Encoding, out: &mut Vec<u8>) {
    if text.is_empty() {
        return;
    }
    let start = out.len();
    out.extend(charset::encode(encoding, text).into_iter().filter(|&byte| byte != 0));
    out.push(0);
    if (out.len() - start) % 2 == 1 {
        out.push(0);
    }
}
