//! Random positions and the shared puzzles, for tests of the solver.
#![allow(dead_code, reason = "each test file uses some of this")]

use fivestone_engine::Rng;
use fivestone_engine::solver::{After, ProofTree};
use fivestone_formats::proof;
use fivestone_game::{Board, Class, Color, Point, Rule, Size};
use std::ops::Range;
use std::path::PathBuf;

pub fn cases(usual: usize) -> usize {
    std::env::var("FIVESTONE_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// A small board with some stones, as random play with a taste for threes leaves it; nobody has won
/// yet.
pub fn some_position(rule: Rule, rng: &mut Rng, side: Range<usize>, stones: Range<usize>) -> Board {
    loop {
        let size = Size::new(side.start + rng.below(side.len())).unwrap();
        let mut board = Board::new(size, rule);
        let wanted = (stones.start + rng.below(stones.len())).min(size.cells() - 6);
        while board.end().is_none() && board.stone_count() < wanted {
            let side = board.to_move();
            let sharp: Vec<Point> = board.cells_of(side, &Class::OPEN_THREES).iter().collect();
            let near: Vec<Point> =
                board.near(1).iter().filter(|&p| board.class(side, p) != Class::Five).collect();
            let pool = if !sharp.is_empty() && rng.below(4) == 0 { &sharp } else { &near };
            let Some(&point) = pool.get(rng.below(pool.len().max(1))) else { break };
            if board.forbidden(point).is_none() || side == Color::White {
                board.play(point).unwrap();
            }
        }
        if board.end().is_none() {
            return board;
        }
    }
}

/// The puzzles of a shared file; none where it is not present.
pub fn shared_puzzles(file: &str) -> Vec<(String, Board)> {
    let folder = std::env::var_os("FIVESTONE_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    let Ok(text) = std::fs::read_to_string(folder.join("puzzles").join(file)) else {
        eprintln!("skipped: data not present ({file})");
        return Vec::new();
    };
    text.lines()
        .map(|line| {
            let puzzle: serde_json::Value = serde_json::from_str(line).unwrap();
            let size = Size::new(puzzle["size"].as_u64().unwrap() as usize).unwrap();
            let stones = |key: &str| -> Vec<Point> {
                let words = puzzle[key].as_array().unwrap().iter();
                words.map(|word| Point::parse(word.as_str().unwrap(), size).unwrap()).collect()
            };
            let side = if puzzle["side"] == "black" { Color::Black } else { Color::White };
            let (black, white) = (stones("black"), stones("white"));
            let board = Board::from_stones(size, Rule::Renju, &black, &white, side).unwrap();
            (puzzle["id"].as_str().unwrap().to_owned(), board)
        })
        .collect()
}

/// A tree as the file that the independent checker reads.
pub fn file_of(board: &Board, tree: &ProofTree) -> proof::ProofFile {
    let nodes = tree.nodes().iter().enumerate().map(|(place, node)| proof::Node {
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
    proof::ProofFile {
        rule: board.rule(),
        size: board.size(),
        black: board.stones(Color::Black).iter().collect(),
        white: board.stones(Color::White).iter().collect(),
        to_move: board.to_move(),
        plies: tree.plies(),
        nodes: nodes.collect(),
    }
}
