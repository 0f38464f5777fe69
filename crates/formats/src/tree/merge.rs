//! Two trees made one.

use super::{Notes, Tree};

impl Tree {
    /// Adds all of another tree: equal steps are shared, comments that differ are put one after the other, marks and
    /// properties are united. The header stays, but for what only the other one knows.
    pub fn merge(&mut self, other: &Tree) {
        let mut images = vec![self.root(); other.nodes.len()];
        for node in other.walk() {
            let image = match other.parent(node) {
                None => self.root(),
                Some(parent) => self.follow(images[parent.0 as usize], other.step(node)),
            };
            images[node.0 as usize] = image;
            if let Some(notes) = other.notes(node) {
                self.notes_mut(image).unite(notes);
            }
        }
        for (own, theirs) in [
            (&mut self.header.black, &other.header.black),
            (&mut self.header.white, &other.header.white),
            (&mut self.header.event, &other.header.event),
        ] {
            if own.is_empty() {
                own.clone_from(theirs);
            }
        }
        self.header.rule = self.header.rule.or(other.header.rule);
    }
}

impl Notes {
    fn unite(&mut self, other: &Notes) {
        if self.comment.is_empty() {
            self.comment.clone_from(&other.comment);
        } else if !other.comment.is_empty() && !self.comment.contains(&other.comment) {
            self.comment.push('\n');
            self.comment.push_str(&other.comment);
        }
        if self.label.is_empty() {
            self.label.clone_from(&other.label);
        }
        for mark in &other.marks {
            if !self.marks.contains(mark) {
                self.marks.push(mark.clone());
            }
        }
        self.marked |= other.marked;
        self.start |= other.start;
        for (name, values) in &other.properties {
            if !self.properties.iter().any(|(known, _)| known == name) {
                self.properties.push((name.clone(), values.clone()));
            }
        }
    }
}
