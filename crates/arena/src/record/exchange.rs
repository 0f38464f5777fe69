//! Games as records that other programs read: PSQ and SGF.

use super::{GameRecord, MoveRecord};
use crate::fault::FaultKind;
use crate::game::Ending;
use fivestone_formats::psq::{self, Lost};
use fivestone_formats::record::{Header, Outcome, Record};
use fivestone_formats::sgf;
use fivestone_formats::tree::Tree;
use fivestone_game::Color;

/// What every format can tell of a game: players, result, moves, opening and times.
pub fn record_of(game: &GameRecord) -> Record {
    let mut record = Record::new(Header {
        outcome: game.winner().map_or(Outcome::Draw, Outcome::Win),
        black: game.name_of(Color::Black).to_owned(),
        white: game.name_of(Color::White).to_owned(),
        event: "fivestone match".to_owned(),
        ..Header::new(Some(game.rule), game.size)
    });
    record.moves = game.moves.iter().map(|played| Some(played.point)).collect();
    record.opening = game.moves.iter().take_while(|played| played.opening).count();
    record.times = game.moves.iter().map(|played| played.milliseconds.round() as u32).collect();
    record
}

/// The game as a PSQ file.
pub fn write_psq(game: &GameRecord) -> Vec<u8> {
    let reason = match &game.ending {
        Ending::Fault(fault) => match fault.kind {
            FaultKind::Memory => Lost::Memory,
            FaultKind::IllegalMove | FaultKind::Occupied | FaultKind::BadFormat => Lost::IllegalMove,
            _ => Lost::Time,
        },
        _ => Lost::Time,
    };
    let mut bytes = Vec::new();
    assert!(psq::write_lost(&record_of(game), reason, &mut bytes), "nobody passes in a match");
    bytes
}

/// The game as one SGF tree, with time, evaluation and search size of each move in its comment.
pub fn write_sgf(game: &GameRecord) -> Vec<u8> {
    let mut tree = Tree::from_record(&record_of(game));
    let root = tree.notes_mut(tree.root());
    root.comment = game.ending.describe();
    root.properties.push(("RO".to_owned(), vec![(game.round + 1).to_string()]));
    let mut node = tree.root();
    for played in &game.moves {
        node = tree.first_child(node).expect("a node for each move");
        let comment = &mut tree.notes_mut(node).comment;
        for word in search_words(played) {
            comment.push_str(", ");
            comment.push_str(&word);
        }
    }
    let mut bytes = Vec::new();
    sgf::write(&tree, &mut bytes);
    bytes
}

fn search_words(played: &MoveRecord) -> impl Iterator<Item = String> {
    let winrate = played.winrate.map(|winrate| format!("winrate {winrate:.4}"));
    let visits = played.visits.map(|visits| format!("visits {visits}"));
    let depth = played.depth.map(|depth| format!("depth {depth}"));
    [winrate, visits, depth].into_iter().flatten()
}
