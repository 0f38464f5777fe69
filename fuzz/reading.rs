//! What every reading target does with its bytes.

use fivestone_formats::detect::Format;
use fivestone_formats::reader::{Branches, Game, Options, Reader};
use fivestone_formats::replay::Replay;
use fivestone_formats::{openings, psq, renlib, sgf, text};
use fivestone_game::Size;

/// Reads the bytes in every way; what is read has to be playable and to come back the same from the formats that hold
/// it all.
pub fn read(bytes: &[u8], format: Option<Format>) {
    for branches in [Branches::Keep, Branches::MainLine, Branches::Split] {
        for entry in Reader::new(bytes, Options { format, branches, ..Options::default() }) {
            match entry {
                Ok(entry) => check(entry.game),
                Err(problem) => _ = problem.to_string(),
            }
        }
    }
}

fn check(game: Game) {
    let mut out = Vec::new();
    if let Game::Tree(tree) = &game {
        sgf::write(tree, &mut out);
        let (again, _) = sgf::read(&out, tree.header.rule, None).expect("what was written can be read");
        let moves =
            |tree: &fivestone_formats::tree::Tree| tree.lines().map(|line| line.moves).collect::<Vec<_>>();
        assert_eq!(moves(tree), moves(&again));
        if tree.header.size == Size::STANDARD {
            out.clear();
            renlib::write(tree, &mut out).expect("the size is right");
            let again = renlib::read(&out, tree.header.rule).expect("what was written can be read");
            assert_eq!(again.broken, None);
            assert_eq!(moves(tree), moves(&again.tree));
        }
    }
    let record = game.into_record();
    let mut replay = Replay::new(record.header.size, record.header.rule);
    replay.verify(&record).expect("a game that was read can be played");
    out.clear();
    let mut writer = text::Writer::default();
    writer.write(&record, &mut out);
    let mut again = Reader::new(out.as_slice(), Options::default()).flatten();
    let again = again.next().expect("what was written can be read").game.into_record();
    assert_eq!(
        (&again.moves, again.header.size, again.header.outcome),
        (&record.moves, record.header.size, record.header.outcome)
    );
    let mut out = Vec::new();
    let _ = psq::write(&record, &mut out);
    openings::write(&record, &mut out);
}
