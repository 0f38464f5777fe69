//! Trees to bytes.

use super::parse::escape;
use crate::record::{Outcome, side_to_move};
use crate::tree::{NodeId, Shape, Step, Tree};
use fivestone_game::{Color, Point, Rule};

/// Appends a tree as one game, in UTF-8.
pub fn write(tree: &Tree, out: &mut Vec<u8>) {
    let mut text = String::new();
    write_root(tree, &mut text);
    // What is left to write, last first: nodes with the plies before them, and brackets to close.
    let mut todo: Vec<Todo> = Vec::new();
    push_children(tree, tree.root(), 0, &mut todo);
    while let Some(next) = todo.pop() {
        match next {
            Todo::Close => text.push(')'),
            Todo::Branch(node, plies) => {
                text.push_str("\n(");
                todo.push(Todo::Close);
                todo.push(Todo::Node(node, plies));
            }
            Todo::Node(node, plies) => {
                let plies = write_node(tree, node, plies, &mut text);
                push_children(tree, node, plies, &mut todo);
            }
        }
    }
    text.push_str(")\n");
    out.extend_from_slice(text.as_bytes());
}

enum Todo {
    Node(NodeId, usize),
    Branch(NodeId, usize),
    Close,
}

fn push_children(tree: &Tree, node: NodeId, plies: usize, todo: &mut Vec<Todo>) {
    let first = todo.len();
    let branches = tree.first_child(node) != tree.last_child(node);
    for child in tree.children(node) {
        todo.push(if branches { Todo::Branch(child, plies) } else { Todo::Node(child, plies) });
    }
    todo[first..].reverse();
}

fn write_root(tree: &Tree, text: &mut String) {
    let header = &tree.header;
    text.push_str("(;FF[4]GM[4]CA[UTF-8]");
    property("SZ", &header.size.to_string(), text);
    if let Some(rule) = header.rule.map(Rule::name) {
        property("RU", rule, text);
    }
    for (name, value) in [("PB", &header.black), ("PW", &header.white), ("EV", &header.event)] {
        if !value.is_empty() {
            property(name, value, text);
        }
    }
    match header.outcome {
        Outcome::Unknown => {}
        Outcome::Win(Color::Black) => text.push_str("RE[B+]"),
        Outcome::Win(Color::White) => text.push_str("RE[W+]"),
        Outcome::Draw => text.push_str("RE[0]"),
    }
    write_notes(tree, tree.root(), text);
}

fn write_node(tree: &Tree, node: NodeId, plies: usize, text: &mut String) -> usize {
    text.push(';');
    let color = if side_to_move(plies) == Color::Black { 'B' } else { 'W' };
    let plies = match tree.step(node) {
        Step::Nothing => plies,
        Step::Pass => {
            text.push(color);
            text.push_str("[]");
            plies + 1
        }
        Step::Stone(point) => {
            text.push(color);
            text.push('[');
            push_point(point, text);
            text.push(']');
            plies + 1
        }
    };
    write_notes(tree, node, text);
    plies
}

fn write_notes(tree: &Tree, node: NodeId, text: &mut String) {
    let notes = tree.notes(node);
    if let Some(notes) = notes {
        if !notes.comment.is_empty() {
            property("C", &notes.comment, text);
        }
        if let (true, Step::Stone(point)) = (notes.marked, tree.step(node)) {
            text.push_str("CR[");
            push_point(point, text);
            text.push(']');
        }
        for mark in &notes.marks {
            let (name, label) = match &mark.shape {
                Shape::Triangle => ("TR", None),
                Shape::Square => ("SQ", None),
                Shape::Circle => ("CR", None),
                Shape::Cross => ("MA", None),
                Shape::Label(label) => ("LB", Some(label)),
            };
            write_mark(name, mark.point, label.map(String::as_str), text);
        }
    }
    // The text on a continuation's point is a label on the board before it.
    for child in tree.children(node) {
        let label = tree.notes(child).map_or("", |notes| notes.label.as_str());
        if let (false, Step::Stone(point)) = (label.is_empty(), tree.step(child)) {
            write_mark("LB", point, Some(label), text);
        }
    }
    if let Some(notes) = notes {
        if notes.start {
            text.push_str("HO[1]");
        }
        for (name, values) in &notes.properties {
            text.push_str(name);
            for value in values {
                property("", value, text);
            }
            if values.is_empty() {
                text.push_str("[]");
            }
        }
    }
}

fn write_mark(name: &str, point: Point, label: Option<&str>, text: &mut String) {
    text.push_str(name);
    text.push('[');
    push_point(point, text);
    if let Some(label) = label {
        text.push(':');
        escape(label, true, text);
    }
    text.push(']');
}

fn property(name: &str, value: &str, text: &mut String) {
    text.push_str(name);
    text.push('[');
    escape(value, false, text);
    text.push(']');
}

fn push_point(point: Point, text: &mut String) {
    text.push(char::from(b'a' + point.x() as u8));
    text.push(char::from(b'a' + point.y() as u8));
}
