//! Games to an index.

use super::{MAGIC, Origin, checksummed, width};
use crate::record::{Header, Record};
use fivestone_game::{Rule, Size, Symmetry};

/// A block is written when it has this many bytes of moves.
const BLOCK: usize = 32 << 20;

/// Builds an index, block by block.
pub struct Builder {
    blocks: Vec<Block>,
}

/// Games on boards of one size.
struct Block {
    size: Size,
    /// For each symmetry where each cell goes.
    images: Vec<Vec<u16>>,
    moves: Vec<u8>,
    games: Vec<Stored>,
}

struct Stored {
    start: u32,
    end: u32,
    origin: u32,
    number: u32,
    kind: u8,
}

impl Builder {
    /// Starts an index; appends its head.
    pub fn new(origins: &[Origin], out: &mut Vec<u8>) -> Builder {
        out.extend_from_slice(MAGIC);
        let mut content = Vec::new();
        content.extend_from_slice(&(origins.len() as u32).to_le_bytes());
        for origin in origins {
            content.extend_from_slice(&origin.length.to_le_bytes());
            content.extend_from_slice(&origin.modified.to_le_bytes());
            content.extend_from_slice(&(origin.name.len() as u32).to_le_bytes());
            content.extend_from_slice(origin.name.as_bytes());
        }
        checksummed(&content, out);
        Builder { blocks: Vec::new() }
    }

    /// Adds a game: which of the origins it is from, and its number there. Appends a block when one is full.
    pub fn add(&mut self, origin: usize, number: u64, record: &Record, out: &mut Vec<u8>) {
        let Header { size, rule, outcome, .. } = record.header;
        let found = self.blocks.iter().position(|block| block.size == size);
        let place = found.unwrap_or_else(|| {
            self.blocks.push(Block::new(size));
            self.blocks.len() - 1
        });
        let rule = rule.and_then(|rule| Rule::ALL.iter().position(|&other| other == rule));
        let kind = outcome.index() + 4 * rule.map_or(0, |rule| rule + 1);
        let block = &mut self.blocks[place];
        block.add(record, origin as u32, number as u32, kind as u8);
        if block.moves.len() >= BLOCK {
            block.write(out);
        }
    }

    /// Appends what is left.
    pub fn finish(mut self, out: &mut Vec<u8>) {
        for block in &mut self.blocks {
            block.write(out);
        }
    }
}

impl Block {
    fn new(size: Size) -> Block {
        let image = |symmetry: Symmetry| {
            size.points().map(|point| symmetry.apply(point, size).dense(size) as u16).collect()
        };
        Block { size, images: Symmetry::ALL.map(image).to_vec(), moves: Vec::new(), games: Vec::new() }
    }

    fn add(&mut self, record: &Record, origin: u32, number: u32, kind: u8) {
        let cells: Vec<Option<usize>> =
            record.moves.iter().map(|turn| turn.map(|point| point.dense(self.size))).collect();
        let image = |images: &Vec<u16>| -> Vec<u16> {
            cells.iter().map(|cell| cell.map_or(u16::MAX, |cell| images[cell])).collect()
        };
        let least = self.images.iter().map(image).min().expect("there are eight images");
        let start = self.moves.len() as u32;
        if width(self.size.cells()) == 1 {
            self.moves.extend(least.iter().map(|&cell| cell as u8));
        } else {
            self.moves.extend(least.iter().flat_map(|cell| cell.to_be_bytes()));
        }
        self.games.push(Stored { start, end: self.moves.len() as u32, origin, number, kind });
    }

    fn write(&mut self, out: &mut Vec<u8>) {
        if self.games.is_empty() {
            return;
        }
        let moves = &self.moves;
        let of = |game: &Stored| &moves[game.start as usize..game.end as usize];
        self.games.sort_unstable_by(|a, b| {
            of(a).cmp(of(b)).then_with(|| (a.origin, a.number).cmp(&(b.origin, b.number)))
        });
        let width = width(self.size.cells());
        let mut content = Vec::with_capacity(self.moves.len() + 13 * self.games.len() + 8);
        content.push(self.size.side() as u8);
        content.extend_from_slice(&(self.games.len() as u32).to_le_bytes());
        let mut before: &[u8] = &[];
        for game in &self.games {
            let cells = of(game);
            let shared = before.iter().zip(cells).take_while(|(a, b)| a == b).count() / width;
            content.extend_from_slice(&(shared as u16).to_le_bytes());
            content.extend_from_slice(&((cells.len() / width) as u16).to_le_bytes());
            content.push(game.kind);
            content.extend_from_slice(&game.origin.to_le_bytes());
            content.extend_from_slice(&game.number.to_le_bytes());
            content.extend_from_slice(&cells[shared * width..]);
            before = cells;
        }
        checksummed(&content, out);
        self.games.clear();
        self.moves.clear();
    }
}
