//! Bytes to trees, node by node.

use super::{
    BOARD_TEXT, COMMENT, EXTENSION, HEADER, LEAF, MAGIC, MARK, NO_MOVE, OLD_COMMENT, SIBLING, START,
};
use crate::charset;
use crate::problem::{Fault, Flaw};
use crate::record::{Header, MOST_PLIES};
use crate::replay::Replay;
use crate::source::{Source, Stretch};
use crate::tree::{NodeId, Step, Tree};
use fivestone_game::{Point, Rule, Size};

/// Longer comments are no comments.
const LONGEST_TEXT: usize = 1 << 20;
/// Deeper trees are no games.
const DEEPEST: usize = 2 * MOST_PLIES;
/// Larger trees are not kept in memory.
const MOST_NODES: usize = 1 << 26;

/// A node as it comes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Raw {
    /// How many nodes are above it.
    pub depth: usize,
    pub step: Option<Step>,
    pub flags: u8,
    pub comment: Vec<u8>,
    pub label: Vec<u8>,
}

/// What the walk comes across.
pub(crate) enum Found {
    /// A node that can be played, and what is odd about it.
    Node(Option<Flaw>),
    /// A node that cannot be played; it and all below it are passed over.
    Cut(Flaw),
}

/// Walks through the nodes of a library and replays them.
pub(crate) struct Walker {
    replay: Replay,
    /// Depth, from 0, of the places where siblings are still to come.
    pending: Vec<usize>,
    /// For each depth above the next node, whether it was a ply.
    plies: Vec<bool>,
    /// Nodes deeper than this are below one that cannot be played.
    cut: Option<usize>,
    depth: usize,
    started: bool,
    finished: bool,
    pub node: Raw,
    /// The deepest node that may still be below the last one: it has none.
    pub is_leaf: bool,
}

impl Walker {
    /// At the start of a library, whose header is passed over.
    pub fn new(source: &mut Source, rule: Option<Rule>) -> Result<Walker, Fault> {
        let header = source.peek(HEADER);
        if !header.starts_with(MAGIC) {
            return Err(Fault::Malformed("not a RenLib library".to_owned()));
        }
        if header.len() < HEADER {
            return Err(Fault::Truncated);
        }
        source.consume(HEADER);
        Ok(Walker {
            replay: Replay::new(Size::STANDARD, rule),
            pending: Vec::new(),
            plies: Vec::new(),
            cut: None,
            depth: 0,
            started: false,
            finished: false,
            node: Raw::default(),
            is_leaf: false,
        })
    }

    /// The plies up to the last node.
    pub fn replay(&self) -> &Replay {
        &self.replay
    }

    /// The next node, which is then in `node`; nothing after the last.
    pub fn next(&mut self, source: &mut Source) -> Result<Option<Found>, Fault> {
        loop {
            let bytes = source.peek(4);
            if self.finished || bytes.is_empty() && !self.started {
                return match bytes.len() {
                    0 => Ok(None),
                    _ => Err(Fault::Malformed("bytes after the last node of the library".to_owned())),
                };
            }
            let &[cell, flags, ..] = bytes else { return Err(Fault::Truncated) };
            let mut has_label = false;
            if flags & EXTENSION == 0 {
                source.consume(2);
            } else {
                let Some(&second) = bytes.get(3) else { return Err(Fault::Truncated) };
                has_label = second & BOARD_TEXT != 0;
                source.consume(4);
            }
            read_text(source, flags & (COMMENT | OLD_COMMENT) != 0, &mut self.node.comment)?;
            read_text(source, has_label, &mut self.node.label)?;
            let depth = self.place(flags)?;
            (self.node.depth, self.node.flags) = (depth, flags);
            if self.cut.is_some_and(|cut| depth > cut) {
                continue;
            }
            self.cut = None;
            return Ok(Some(self.play(cell, flags, depth)));
        }
    }

    /// Where the node is, and where the one after it will be.
    fn place(&mut self, flags: u8) -> Result<usize, Fault> {
        let depth = self.depth;
        self.started = true;
        self.is_leaf = flags & LEAF != 0;
        if flags & SIBLING != 0 {
            self.pending.push(depth);
        }
        if self.is_leaf {
            match self.pending.pop() {
                Some(next) => self.depth = next,
                None => self.finished = true,
            }
        } else {
            self.depth += 1;
        }
        if self.depth > DEEPEST || self.pending.len() > DEEPEST {
            return Err(Fault::TooLarge("the library is deeper than any game"));
        }
        Ok(depth)
    }

    fn play(&mut self, cell: u8, flags: u8, depth: usize) -> Found {
        for was_ply in self.plies.drain(depth..) {
            if was_ply {
                self.replay.undo();
            }
        }
        let (column, row) = (usize::from(cell & 15), usize::from(cell >> 4));
        let step = match cell {
            _ if flags & NO_MOVE != 0 => Ok(Step::Nothing),
            0 if depth == 0 => Ok(Step::Nothing),
            0 => Ok(Step::Pass),
            _ => column
                .checked_sub(1)
                .and_then(|column| Point::new(column, row, Size::STANDARD))
                .map(Step::Stone)
                .ok_or_else(|| Fault::OffBoard(format!("cell {cell:#04x}"))),
        };
        let mut late = None;
        let played = step.and_then(|step| {
            let Some(turn) = step.turn() else { return Ok(step) };
            match self.replay.play(turn) {
                Err(fault @ Fault::AfterEnd(_)) => {
                    late = self.replay.just_ended().then(|| Flaw::at(self.replay.turns().len() + 1, fault));
                    self.replay.play_on(turn)?;
                }
                played => played?,
            }
            Ok(step)
        });
        match played {
            Ok(step) => {
                self.plies.push(step != Step::Nothing);
                self.node.step = Some(step);
                Found::Node(late)
            }
            Err(fault) => {
                self.cut = Some(depth);
                self.node.step = None;
                Found::Cut(Flaw::at(self.replay.turns().len() + 1, fault))
            }
        }
    }
}

/// A text up to its NUL, and the byte that makes it even.
fn read_text(source: &mut Source, present: bool, text: &mut Vec<u8>) -> Result<(), Fault> {
    text.clear();
    if !present {
        return Ok(());
    }
    let range = match source.until(0, LONGEST_TEXT) {
        Some(Stretch::Whole(range)) => range,
        Some(Stretch::TooLong) => return Err(Fault::TooLarge("a comment is longer than a megabyte")),
        None => return Err(Fault::Truncated),
    };
    let odd = range.len() % 2;
    let Some(bytes) = source.bytes(range).strip_suffix(b"\0") else { return Err(Fault::Truncated) };
    text.extend_from_slice(bytes);
    if source.peek(odd).len() < odd {
        return Err(Fault::Truncated);
    }
    source.consume(odd);
    Ok(())
}

/// What was read of a library.
pub struct Library {
    /// All that could be read.
    pub tree: Tree,
    /// Branches that were left out, and those that go on after five in a row.
    pub flaws: Vec<Flaw>,
    /// Why the reading stopped before the end, if it did.
    pub broken: Option<Fault>,
}

/// Reads a library into a tree.
pub fn read(bytes: &[u8], rule: Option<Rule>) -> Result<Library, Fault> {
    read_stream(&mut Source::new(bytes), rule)
}

pub(crate) fn read_stream(source: &mut Source, rule: Option<Rule>) -> Result<Library, Fault> {
    /// What is told of one library at most; the rest is alike.
    const MOST_TOLD: usize = 1000;
    let mut walker = Walker::new(source, rule)?;
    let mut tree = Tree::new(Header::new(rule, Size::STANDARD));
    let mut path: Vec<NodeId> = Vec::new();
    let mut texts: Vec<(NodeId, Vec<u8>, Vec<u8>)> = Vec::new();
    let mut flaws = Vec::new();
    let broken = loop {
        match walker.next(source) {
            Ok(None) => break None,
            Err(fault) => break Some(fault),
            Ok(Some(Found::Cut(flaw))) => {
                if flaws.len() < MOST_TOLD {
                    flaws.push(flaw);
                }
            }
            Ok(Some(Found::Node(_))) if tree.len() >= MOST_NODES => {
                break Some(Fault::TooLarge("the library has more than 67 million nodes"));
            }
            Ok(Some(Found::Node(late))) => {
                flaws.extend(late.filter(|_| flaws.len() < MOST_TOLD));
                let raw = &mut walker.node;
                let step = raw.step.unwrap_or(Step::Nothing);
                path.truncate(raw.depth);
                let parent = path.last().copied().unwrap_or(tree.root());
                // A first node without a move is the root itself.
                let node = if raw.depth == 0 && step == Step::Nothing && tree.is_empty() {
                    tree.root()
                } else {
                    tree.push(parent, step)
                };
                path.push(node);
                if raw.flags & (MARK | START) != 0 {
                    let notes = tree.notes_mut(node);
                    notes.marked = raw.flags & MARK != 0;
                    notes.start = raw.flags & START != 0;
                }
                if !raw.comment.is_empty() || !raw.label.is_empty() {
                    texts.push((node, std::mem::take(&mut raw.comment), std::mem::take(&mut raw.label)));
                }
            }
        }
    };
    let encoding = charset::choose(
        None,
        &texts.iter().flat_map(|(_, comment, label)| [comment.as_slice(), label.as_slice()]),
    );
    tree.charset = charset::name(encoding);
    for (node, comment, label) in texts {
        let notes = tree.notes_mut(node);
        // Byte 8 parts the one-line comment from the rest.
        notes.comment = charset::decode(encoding, &comment).replacen('\u{8}', "\n", 1);
        notes.label = charset::decode(encoding, &label);
    }
    Ok(Library { tree, flaws, broken })
}
