//! Trees to games and back.

use super::{NodeId, Step, Tree};
use crate::record::{MOST_PLIES, Record};

/// The comment of a ply that was given and not chosen.
const GIVEN: &str = "opening";

impl Tree {
    /// A game as a tree without branches; times, scores and what belongs to the opening become comments.
    pub fn from_record(record: &Record) -> Tree {
        let mut tree = Tree::new(record.header.clone());
        tree.opening = record.opening;
        let mut at = tree.root();
        for (i, &turn) in record.moves.iter().enumerate() {
            at = tree.push(at, Step::from(turn));
            let given = (i < record.opening).then(|| GIVEN.to_owned());
            let time = record.times.get(i).map(|time| format!("{time}ms"));
            let score = record.scores.get(i).copied().flatten().map(|score| format!("score {score}"));
            let comment = [given, time, score].into_iter().flatten().collect::<Vec<_>>().join(", ");
            if !comment.is_empty() {
                tree.notes_mut(at).comment = comment;
            }
        }
        tree
    }

    /// The game along the first continuations.
    pub fn main_line(&self) -> Record {
        let mut last = self.root();
        while let Some(child) = self.first_child(last) {
            last = child;
        }
        self.line_to(last)
    }

    /// The game that ends in a node.
    pub fn line_to(&self, node: NodeId) -> Record {
        let mut record = Record::new(self.header.clone());
        let (mut timed, mut scored, mut given) = (false, false, 0);
        for at in self.path(node) {
            let Some(turn) = self.step(at).turn() else { continue };
            let comment = self.notes(at).map_or("", |notes| notes.comment.as_str());
            let time = comment.split(", ").find_map(|part| part.strip_suffix("ms")?.parse().ok());
            let score = comment.split(", ").find_map(|part| part.strip_prefix("score ")?.parse().ok());
            timed |= time.is_some();
            scored |= score.is_some();
            if given == record.moves.len() && comment.split(", ").any(|part| part == GIVEN) {
                given += 1;
            }
            record.moves.push(turn);
            record.times.push(time.unwrap_or(0));
            record.scores.push(score);
        }
        if !timed {
            record.times.clear();
        }
        if !scored {
            record.scores.clear();
        }
        record.opening = self.opening.max(given).min(record.moves.len());
        record
    }

    /// Every game from the root to a last node.
    pub fn lines(&self) -> Lines<'_> {
        Lines { tree: self, next: Some(self.root()) }
    }

    /// Adds a game, sharing the plies that are there already; answers its last node.
    pub fn merge_record(&mut self, record: &Record) -> NodeId {
        record.moves.iter().take(MOST_PLIES).fold(self.root(), |at, &turn| self.follow(at, Step::from(turn)))
    }
}

/// Iterator over the games of a tree.
pub struct Lines<'a> {
    tree: &'a Tree,
    next: Option<NodeId>,
}

impl Iterator for Lines<'_> {
    type Item = Record;

    fn next(&mut self) -> Option<Record> {
        let mut leaf = self.next?;
        while let Some(child) = self.tree.first_child(leaf) {
            leaf = child;
        }
        self.next = std::iter::successors(Some(leaf), |&at| self.tree.parent(at))
            .find_map(|at| self.tree.next_sibling(at));
        Some(self.tree.line_to(leaf))
    }
}
