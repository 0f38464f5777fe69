//! The proof of a win as a file.

use crate::commands::matches::write_file;
use anyhow::Result;
use fivestone_engine::solver::{After, ProofTree};
use fivestone_formats::proof::{self, Node, ProofFile};
use fivestone_formats::sgf;
use fivestone_game::{Board, Color};
use std::path::Path;

/// Moves in an SGF file; programs that show them become slow with more.
const MOST_MOVES: usize = 20_000;

/// Writes the proof of a win in a position, as SGF if the file is named so, otherwise as text.
pub fn write(path: &Path, board: &Board, tree: &ProofTree) -> Result<()> {
    let file = file_of(board, tree);
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("sgf")) {
        let mut bytes = Vec::new();
        sgf::write(&proof::variations(&file, Some(board.moves()), MOST_MOVES), &mut bytes);
        return write_file(path, &String::from_utf8(bytes).expect("SGF is written in UTF-8"));
    }
    write_file(path, &proof::write(&file))
}

fn file_of(board: &Board, tree: &ProofTree) -> ProofFile {
    let nodes = tree.nodes().iter().enumerate().map(|(place, node)| Node {
        id: place as u32 + 1,
        point: node.point,
        after: match &node.after {
            After::Five => proof::After::Five,
            After::Replies(replies) => proof::After::Replies {
                listed: replies.listed.clone(),
                forbidden: replies.forbidden.clone(),
                otherwise: replies.otherwise,
            },
        },
    });
    ProofFile {
        rule: board.rule(),
        size: board.size(),
        black: board.stones(Color::Black).iter().collect(),
        white: board.stones(Color::White).iter().collect(),
        to_move: board.to_move(),
        plies: tree.plies(),
        nodes: nodes.collect(),
    }
}
