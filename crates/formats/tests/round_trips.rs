//! What is written comes back the same.

use fivestone_formats::detect::Format;
use fivestone_formats::index::{Builder, Continuation, Position, search};
use fivestone_formats::reader::{Game, Options, Reader};
use fivestone_formats::record::{Header, Outcome, Record, Turn, side_to_move};
use fivestone_formats::replay::Replay;
use fivestone_formats::tree::{Mark, NodeId, Shape, Step, Tree};
use fivestone_formats::{openings, psq, renlib, sgf, text};
use fivestone_game::{Color, Point, Rule, Size, Symmetry};
use proptest::prelude::*;

/// A legal game from any numbers: each names one of the cells that are left, or a pass.
fn play(size: Size, rule: Option<Rule>, choices: &[u16], passes: bool) -> Vec<Turn> {
    let mut replay = Replay::new(size, rule);
    for &choice in choices {
        let turn = match choice {
            0..2000 if passes => None,
            _ => {
                let free: Vec<Point> = size.points().filter(|&point| replay.stone(point).is_none()).collect();
                Some(free[usize::from(choice) % free.len()])
            }
        };
        if replay.play(turn).is_err() || replay.is_full() {
            break;
        }
    }
    replay.turns().to_vec()
}

fn sizes() -> impl Strategy<Value = Size> {
    (5usize..=22).prop_map(|side| Size::new(side).unwrap())
}

fn rules() -> impl Strategy<Value = Option<Rule>> {
    prop::option::of(prop::sample::select(Rule::ALL.to_vec()))
}

fn outcomes() -> impl Strategy<Value = Outcome> {
    prop::sample::select(Outcome::ALL.to_vec())
}

fn records(passes: bool) -> impl Strategy<Value = Record> {
    let names = "[A-Za-z][A-Za-z .0-9]{0,10}[a-z]";
    (sizes(), rules(), outcomes(), names, names, prop::collection::vec(any::<u16>(), 0..60)).prop_map(
        move |(size, rule, outcome, black, white, choices)| {
            let mut record = Record::new(Header::new(rule, size));
            (record.header.outcome, record.header.black, record.header.white) = (outcome, black, white);
            record.moves = play(size, rule, &choices, passes);
            record
        },
    )
}

fn read_one(bytes: &[u8], options: Options) -> Game {
    let mut found: Vec<_> = Reader::new(bytes, options).collect();
    assert_eq!(found.len(), 1, "{found:?}");
    found.pop().unwrap().unwrap().game
}

/// A tree of any form with notes of any kind on the usual board.
fn trees() -> impl Strategy<Value = Tree> {
    let text = "[a-z\\]\\[\\\\:;() äж王\n]{0,12}";
    prop::collection::vec((any::<u16>(), any::<u16>(), 0u8..12, text), 0..60).prop_map(|steps| {
        let mut tree = Tree::new(Header::new(None, Size::STANDARD));
        let mut nodes: Vec<NodeId> = vec![tree.root()];
        for (parent, choice, kind, text) in steps {
            let parent = nodes[usize::from(parent) % nodes.len()];
            let mut replay = Replay::new(Size::STANDARD, None);
            tree.moves(parent).into_iter().for_each(|turn| replay.play(turn).unwrap());
            let point = Point::from_dense(usize::from(choice) % 225, Size::STANDARD);
            let step = match kind {
                0 => Step::Pass,
                1 => Step::Nothing,
                _ => Step::Stone(point),
            };
            if step.turn().is_some_and(|turn| replay.play(turn).is_err()) {
                continue;
            }
            let node = tree.push(parent, step);
            nodes.push(node);
            let notes = tree.notes_mut(node);
            match kind {
                2 => notes.comment = text,
                3 => notes.marked = true,
                4 => notes.start = true,
                5 => notes.marks.push(Mark { point, shape: Shape::Label(text) }),
                6 => notes.marks.push(Mark { point: Size::STANDARD.centre(), shape: Shape::Triangle }),
                7 => notes.properties.push(("XY".to_owned(), vec![text, String::new()])),
                8 => notes.label = text.replace('\n', ""),
                _ => {}
            }
        }
        tree
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn text_keeps_moves_result_rule_and_size(record in records(true)) {
        let mut bytes = Vec::new();
        text::Writer::default().write(&record, &mut bytes);
        let mut expected = record;
        (expected.header.black, expected.header.white) = (String::new(), String::new());
        prop_assert_eq!(read_one(&bytes, Options::default()), Game::Line(expected));
    }

    #[test]
    fn psq_keeps_moves_times_and_players(record in records(false), time in any::<u32>()) {
        let mut record = record;
        record.times = record.moves.iter().map(|_| time).collect();
        let mut bytes = Vec::new();
        prop_assert!(psq::write(&record, &mut bytes));
        let options = Options { rule: record.header.rule, ..Options::default() };
        let again = read_one(&bytes, options).into_record();
        prop_assert_eq!(&again.moves, &record.moves);
        prop_assert_eq!(&again.times, &record.times);
        prop_assert_eq!(again.header.size, record.header.size);
        prop_assert_eq!(again.header.black.trim(), record.header.black.trim());
        prop_assert_eq!(again.header.white.trim(), record.header.white.trim());
    }

    #[test]
    fn psq_keeps_why_the_side_to_move_lost(record in records(false)) {
        prop_assume!(record.moves.len() < record.header.size.cells());
        let mut record = record;
        record.header.outcome = Outcome::Win(!side_to_move(record.moves.len()));
        for reason in [psq::Lost::IllegalMove, psq::Lost::Time, psq::Lost::Memory] {
            let mut bytes = Vec::new();
            prop_assert!(psq::write_lost(&record, reason, &mut bytes));
            let options = Options { rule: record.header.rule, ..Options::default() };
            prop_assert_eq!(read_one(&bytes, options).into_record().header.outcome, record.header.outcome);
        }
    }

    #[test]
    fn sgf_keeps_a_game(record in records(true), opening in 0usize..6, time in any::<u32>(), score in any::<i32>()) {
        let mut record = record;
        record.opening = opening.min(record.moves.len());
        record.times = vec![time; record.moves.len()];
        record.scores = vec![Some(score); record.moves.len()];
        let mut bytes = Vec::new();
        sgf::write(&Tree::from_record(&record), &mut bytes);
        let mut expected = record;
        for name in [&mut expected.header.black, &mut expected.header.white] {
            *name = name.trim().to_owned();
        }
        prop_assert_eq!(read_one(&bytes, Options::default()).into_record(), expected);
    }

    #[test]
    fn openings_keep_the_stones(record in records(false)) {
        prop_assume!(!record.moves.is_empty());
        let mut bytes = Vec::new();
        openings::write(&record, &mut bytes);
        let options = Options { format: Some(Format::Openings), size: Some(record.header.size), ..Options::default() };
        prop_assert_eq!(read_one(&bytes, options).into_record().moves, record.moves);
    }

    #[test]
    fn sgf_keeps_a_tree_with_all_its_notes(tree in trees()) {
        let mut tree = tree;
        // A text on a point is a label on the board before it in SGF: it moves there.
        for node in tree.walk().collect::<Vec<_>>() {
            if tree.notes(node).is_some() {
                tree.notes_mut(node).label.clear();
            }
        }
        let mut bytes = Vec::new();
        sgf::write(&tree, &mut bytes);
        let (again, flaws) = sgf::read(&bytes, None, None).unwrap();
        prop_assert!(flaws.is_empty(), "{:?}", flaws);
        prop_assert!(again == tree, "{}", String::from_utf8_lossy(&bytes));
    }

    #[test]
    fn a_library_keeps_a_tree_but_for_what_it_has_no_place_for(tree in trees()) {
        let mut tree = tree;
        for node in tree.walk().collect::<Vec<_>>() {
            if tree.notes(node).is_some() {
                let notes = tree.notes_mut(node);
                notes.marks.clear();
                notes.properties.clear();
            }
        }
        let mut bytes = Vec::new();
        renlib::write(&tree, &mut bytes).unwrap();
        let library = renlib::read(&bytes, None).unwrap();
        prop_assert_eq!(library.broken, None);
        prop_assert!(library.flaws.is_empty());
        prop_assert!(library.tree == tree);
        let mut again = Vec::new();
        renlib::write(&library.tree, &mut again).unwrap();
        prop_assert_eq!(again, bytes);
    }

    #[test]
    fn merging_a_tree_into_itself_changes_nothing(tree in trees()) {
        let mut once = Tree::new(tree.header.clone());
        once.merge(&tree);
        let mut twice = once.clone();
        twice.merge(&tree);
        prop_assert!(twice == once);
    }

    #[test]
    fn merging_games_shares_their_first_plies(games in prop::collection::vec(prop::collection::vec(0u16..4, 1..6), 1..20)) {
        let mut tree = Tree::new(Header::new(None, Size::STANDARD));
        let mut prefixes = std::collections::HashSet::new();
        for choices in &games {
            let mut record = Record::new(tree.header.clone());
            record.moves = play(Size::STANDARD, None, choices, false);
            prefixes.extend((1..=record.moves.len()).map(|end| record.moves[..end].to_vec()));
            let last = tree.merge_record(&record);
            prop_assert_eq!(tree.moves(last), record.moves);
        }
        prop_assert_eq!(tree.len(), prefixes.len() + 1);
    }

    #[test]
    fn removing_and_compacting_leave_the_other_branches(tree in trees(), which in any::<u16>()) {
        let mut cut = tree.clone();
        let nodes: Vec<NodeId> = cut.walk().collect();
        let victim = nodes[usize::from(which) % nodes.len()];
        let lines = |tree: &Tree| tree.lines().map(|line| line.moves).collect::<Vec<_>>();
        cut.remove(victim);
        prop_assert_eq!(cut.len(), cut.walk().count());
        let before = lines(&cut);
        cut.compact();
        prop_assert_eq!(lines(&cut), before);
        let mut promoted = tree.clone();
        promoted.promote(victim);
        let (mut a, mut b) = (lines(&promoted), lines(&tree));
        a.sort();
        b.sort();
        prop_assert_eq!(a, b);
    }

    #[test]
    fn the_index_finds_what_a_search_through_all_games_finds(
        games in prop::collection::vec((0usize..8, prop::collection::vec(0u16..60, 0..8)), 1..40),
        plies in 0usize..5,
        turned in 0usize..8,
    ) {
        // A small corner of a small board makes the games meet.
        let size = Size::new(6).unwrap();
        let records: Vec<Record> = games
            .iter()
            .map(|(symmetry, choices)| {
                let symmetry = Symmetry::new(*symmetry).unwrap();
                let mut record = Record::new(Header::new(None, size));
                record.moves = play(size, None, choices, false)
                    .into_iter()
                    .map(|turn| turn.map(|point| symmetry.apply(point, size)))
                    .collect();
                record.header.outcome = Outcome::ALL[choices.len() % 4];
                record
            })
            .collect();
        let mut bytes = Vec::new();
        let mut builder = Builder::new(&[], &mut bytes);
        for (i, record) in records.iter().enumerate() {
            builder.add(0, i as u64 + 1, record, &mut bytes);
        }
        builder.finish(&mut bytes);
        let turned = Symmetry::new(turned).unwrap();
        let wanted: Vec<Turn> = records[0]
            .moves
            .iter()
            .take(plies)
            .map(|turn| turn.map(|point| turned.apply(point, size)))
            .collect();
        let position = Position::new(size, &wanted);
        let answer = search(&mut bytes.as_slice(), &position, 1000).unwrap();
        let expected: Vec<u32> = (1..)
            .zip(&records)
            .filter(|(_, record)| reaches(record, &wanted))
            .map(|(number, _)| number)
            .collect();
        let found: Vec<u32> = answer.hits.iter().map(|hit| hit.number).collect();
        prop_assert_eq!(&found, &expected);
        prop_assert!(records.iter().all(|record| position.is_reached_by(record) == reaches(record, &wanted)));
        prop_assert_eq!(answer.games, expected.len() as u64);
        for hit in &answer.hits {
            let ended = records[hit.number as usize - 1].moves.len() == wanted.len();
            prop_assert_eq!(hit.next == Continuation::End, ended);
        }
    }
}

/// Whether a game reaches a position, by comparing all stones under all symmetries.
fn reaches(record: &Record, wanted: &[Turn]) -> bool {
    let stones = |moves: &[Turn], symmetry: Symmetry| {
        let color = |i: usize| if i.is_multiple_of(2) { Color::Black } else { Color::White };
        let mut stones: Vec<(Color, Point)> = moves
            .iter()
            .enumerate()
            .filter_map(|(i, turn)| turn.map(|point| (color(i), symmetry.apply(point, record.header.size))))
            .collect();
        stones.sort();
        stones
    };
    record.moves.len() >= wanted.len()
        && Symmetry::ALL.into_iter().any(|symmetry| {
            stones(&record.moves[..wanted.len()], symmetry) == stones(wanted, Symmetry::IDENTITY)
        })
}
