//! Small files of every format, right and wrong, and hostile ones.

use fivestone_formats::detect::{Format, detect};
use fivestone_formats::problem::{Fault, Loss, Place, Problem};
use fivestone_formats::reader::{Branches, Game, Options, Reader};
use fivestone_formats::record::{Outcome, Record};
use fivestone_formats::tree::{Shape, Step};
use fivestone_game::{Color, Rule, Size};
use std::io::{self, Read};

fn read(bytes: &[u8]) -> (Vec<Record>, Vec<Problem>) {
    read_with(bytes, Options::default())
}

fn read_with(bytes: &[u8], options: Options) -> (Vec<Record>, Vec<Problem>) {
    let (mut records, mut problems) = (Vec::new(), Vec::new());
    for entry in Reader::new(bytes, options) {
        match entry {
            Ok(entry) => records.push(entry.game.into_record()),
            Err(problem) => problems.push(problem),
        }
    }
    (records, problems)
}

fn moves(record: &Record) -> String {
    let name =
        |turn: &Option<fivestone_game::Point>| turn.map_or("--".to_owned(), |p| p.name(record.header.size));
    record.moves.iter().map(name).collect::<Vec<_>>().join(" ")
}

fn one(bytes: &[u8]) -> Record {
    let (mut records, problems) = read(bytes);
    assert!(problems.is_empty(), "{problems:?}");
    assert_eq!(records.len(), 1);
    records.remove(0)
}

#[test]
fn psq_variants() {
    let game = one(b"Piskvorky 15x15, 11:11, 0\r\n8,8,12\r\n9,9,3\r\nA.zip\r\nB.zip\r\n15\r\n");
    assert_eq!(moves(&game), "h8 i7");
    assert_eq!((game.header.black.as_str(), game.header.white.as_str()), ("A.zip", "B.zip"));
    assert_eq!(game.times, [12, 3]);
    assert_eq!(game.header.outcome, Outcome::Win(Color::White), "Black ran out of time");
    let (games, problems) = read(b"Piskvorky 20x20, 0:0, 1\n1,1,0\nPiskvorky 20x20, 0:0, 1\n20,20,0\n-1\n");
    assert_eq!(games.iter().map(moves).collect::<Vec<_>>(), ["a20", "t1"]);
    assert!(problems.is_empty());
    let (games, problems) = read(b"Piskvorky 20x19, 0:0, 1\n1,1,0\nPiskvorky 20x20, 0:0, 1\n21,20,0\n-1\n");
    assert!(games.is_empty());
    assert_eq!(problems[0].fault, Fault::BadSize("20x19".to_owned()));
    assert_eq!((problems[1].game, problems[1].ply), (2, Some(1)));
    assert_eq!(problems[1].fault, Fault::OffBoard("21,20".to_owned()));
}

#[test]
fn a_psq_game_is_won_by_its_last_stone() {
    let game =
        one(b"Piskvorky 15x15, 0:0, 0\n1,1,0\n1,2,0\n2,1,0\n2,2,0\n3,1,0\n3,2,0\n4,1,0\n4,2,0\n5,1,0\n-1\n");
    assert_eq!(game.header.outcome, Outcome::Win(Color::Black));
}

#[test]
fn sgf_dialects() {
    let game = one(b"(;FF[4]GM[4]SZ[15]RU[4]PB[a]PW[b]RE[B+];B[hh]C[12ms];W[ii]C[3ms];B[tt])");
    assert_eq!(moves(&game), "h8 i7 --");
    assert_eq!(game.times, [12, 3, 0]);
    assert_eq!(game.header.rule, Some(Rule::Renju));
    assert_eq!(game.header.outcome, Outcome::Win(Color::Black));
    assert_eq!(one(b"(;GM[4]SZ[15]RE[0];B[hh])").header.outcome, Outcome::Draw);
    assert_eq!(moves(&one(b"(;GM[4]SZ[20];B[tt])")), "t1", "tt is a point of a board of 20");
    assert_eq!(moves(&one(b"(;GM[4];B[h8];W[i9])")), "h8 i9");
    assert_eq!(moves(&one(b"(;GM[4]SZ[15]AB[hh][ii]AW[hg];W[aa])")), "h8 h9 i7 a15");
    assert_eq!(moves(&one(b"(;GM[4]SZ[15];W[hh];B[ii])")), "-- h8 i7");
    let (_, problems) = read(b"(;GM[2]SZ[8];B[hh])");
    assert_eq!(problems[0].loss, Loss::Game);
    let (_, problems) = read(b"(;GM[4]RU[hexagonal];B[hh])");
    assert_eq!(problems[0].fault, Fault::UnknownRule("hexagonal".to_owned()));
}

#[test]
fn sgf_trees_keep_variations_comments_and_marks() {
    let text =
        "(;GM[4]SZ[15]AP[x:1]C[root \\] end];B[hh]LB[hg:A][ig:b]TR[aa](;W[hg]C[direct])(;W[ig];B[aa]))";
    let mut reader = Reader::new(text.as_bytes(), Options::default());
    let Game::Tree(tree) = reader.next().unwrap().unwrap().game else { panic!("no tree") };
    assert_eq!(tree.len(), 5);
    assert_eq!(tree.notes(tree.root()).unwrap().comment, "root ] end");
    assert_eq!(tree.notes(tree.root()).unwrap().properties, [("AP".to_owned(), vec!["x:1".to_owned()])]);
    let first = tree.first_child(tree.root()).unwrap();
    let marks = &tree.notes(first).unwrap().marks;
    assert_eq!(marks.len(), 3);
    assert_eq!(marks[0].shape, Shape::Label("A".to_owned()));
    assert_eq!(tree.children(first).count(), 2);
    assert_eq!(tree.lines().map(|line| moves(&line)).collect::<Vec<_>>(), ["h8 h9", "h8 i9 a15"]);
    let split = Options { branches: Branches::Split, ..Options::default() };
    assert_eq!(read_with(text.as_bytes(), split).0.len(), 2);
}

#[test]
fn a_broken_branch_is_left_out_and_told() {
    let text = b"(;GM[4]SZ[15];B[hh](;W[hh];B[aa])(;W[ig]))";
    let mut found = Reader::new(&text[..], Options::default());
    let problem = found.next().unwrap().unwrap_err();
    assert_eq!((problem.ply, problem.loss), (Some(2), Loss::Branch));
    let Game::Tree(tree) = found.next().unwrap().unwrap().game else { panic!("no tree") };
    assert_eq!(moves(&tree.main_line()), "h8 i9");
}

#[test]
fn rif_games_and_tables() {
    let text = r#"<?xml version="1.0" encoding="ISO-8859-1"?><!DOCTYPE d [<!ENTITY a "&a;&a;">]><database>
        <!-- <game id="0"> --><rules><rule id="1" name="Soosyrv-8" category="renju"/><rule id="2" name="Draughts"/></rules>
        <players><player id="7" name="A &amp; B" surname="Ch&#101;"/></players>
        <games><game id="1" rule="1" black="7" white="9" bresult="1"><move>h8 i9</move></game>
        <game id="2" rule="2" bresult="0"><move>h8</move></game>
        <game id="3" rule="1" bresult="0.5"><move>h8 h8</move></game>
        <game id="4" rule="1" bresult="0.5"><move>h8 h9 z1</move></game>
        <game id="5" rule="1" bresult="0"/>
        <game id="6" rule="1" bresult="0"><move><![CDATA[h8]]></move></game><game id="7"><move>h8"#;
    let (games, problems) = read(text.as_bytes());
    assert_eq!(games.iter().map(moves).collect::<Vec<_>>(), ["h8 i9", "h8"]);
    assert_eq!(games[0].header.black, "A & B Che");
    assert_eq!(games[0].header.rule, Some(Rule::Renju));
    assert_eq!(games[0].header.outcome, Outcome::Win(Color::Black));
    let told: Vec<(Option<&str>, Option<usize>)> =
        problems.iter().map(|problem| (problem.id.as_deref(), problem.ply)).collect();
    let expected =
        [(Some("2"), None), (Some("3"), Some(2)), (Some("4"), Some(3)), (Some("5"), None), (Some("7"), None)];
    assert_eq!(told, expected);
}

#[test]
fn playok_rounds() {
    let game = one(b"1. h8 g7 2. e11 white 3. -- i7 4. j7 k7 0-1\n");
    assert_eq!(moves(&game), "h8 g7 e11 i7 j7 k7");
    assert_eq!(game.header.outcome, Outcome::Win(Color::White));
    let (games, problems) = read(b"[Black \"x\"]\n[White \"y\"]\n\n1. h8 g7 2. -- f6\n1-0\n\n1. h8 1/2-1/2");
    assert!(problems.is_empty());
    assert_eq!(games.iter().map(moves).collect::<Vec<_>>(), ["h8 g7 -- f6", "h8"]);
    assert_eq!(games[0].header.black, "x");
}

#[test]
fn small_formats() {
    assert_eq!(moves(&one(b"0,0, 1,0, 1,3\n")), "h8 i8 i5");
    assert_eq!(one(b"-10,-9, -7,-8\n").header.size, Size::new(20).unwrap(), "too far out for 15");
    assert_eq!(moves(&one(&[2, 112, 0])), "h8 a15");
    assert_eq!(moves(&one(b"15\n15\n2\n7 7\n0 1\n")), "h8 b15");
    assert_eq!(moves(&one(b"h8h9i10")), "h8 h9 i10");
    assert_eq!(moves(&one(b"https://gomocalc.com/#/h8h9i10\n")), "h8 h9 i10");
    assert_eq!(moves(&one(b"black h8 -- h9\n")), "h8 -- h9");
    assert_eq!(moves(&one(b"\xef\xbb\xbfblack h8\r\n")), "h8");
    assert_eq!(moves(&one(b"# rule renju size 20\ndraw t20")), "t20");
    let top = Options { format: Some(Format::TopText), ..Options::default() };
    assert_eq!(moves(&read_with(b"a1b2", top).0[0]), "a15 b14");
    let scored = one(b"renju 15 0-1 h8h9 i10:-5 a1:29999\n");
    assert_eq!((scored.opening, scored.scores), (2, vec![None, None, Some(-5), Some(29_999)]));
    assert_eq!(
        moves(&one(br#"{"size": 15, "side": "black", "black": ["h8"], "white": ["h9", "i9"]}"#)),
        "h8 h9 -- i9"
    );
}

#[test]
fn broken_lines_are_told_with_line_and_ply_and_the_rest_is_read() {
    let (games, problems) =
        read(b"black h8 h9\nwhite h8 h8\ndraw h8 p1\nnonsense\nunknown h8 h99999\nblack a1");
    assert_eq!(games.len(), 2);
    let told: Vec<String> = problems.iter().map(Problem::to_string).collect();
    assert_eq!(
        told,
        [
            "game 2, line 2, ply 2: h8 is occupied",
            "game 3, line 3, ply 2: p1 is off the board",
            "game 4, line 4, ply 1: \"nonsense\" is not a move",
            "game 5, line 5, ply 2: \"h99999\" is not a move",
        ]
    );
}

#[test]
fn a_game_that_goes_on_after_its_end_is_told_and_kept_or_skipped() {
    let text = b"black a1 a2 b1 b2 c1 c2 d1 d2 e1 e2";
    let (games, problems) = read(text);
    assert_eq!((games.len(), problems[0].ply, problems[0].loss), (1, Some(10), Loss::Nothing));
    let (games, problems) = read_with(text, Options { strict: true, ..Options::default() });
    assert_eq!((games.len(), problems[0].loss), (0, Loss::Game));
}

#[test]
fn a_truncated_library_keeps_what_was_read() {
    let mut library = b"\xffRenLib\xff\x03\x00".to_vec();
    library.extend_from_slice(&[0xff; 10]);
    library.extend_from_slice(&[0x78, 0x00, 0x69, 0x88]);
    library.extend_from_slice(b"comment that never en");
    for branches in [Branches::Keep, Branches::Split] {
        let (_, problems) = read_with(&library, Options { branches, ..Options::default() });
        assert_eq!((&problems[0].fault, problems[0].loss), (&Fault::Truncated, Loss::Rest));
    }
    let Game::Tree(tree) = Reader::new(library.as_slice(), Options::default()).next().unwrap().unwrap().game
    else {
        panic!("no tree")
    };
    assert_eq!(tree.step(tree.first_child(tree.root()).unwrap()), Step::Stone(Size::STANDARD.centre()));
}

#[test]
fn unknown_bytes_are_refused_and_nothing_is_nothing() {
    let (games, problems) = read(b"\x00\x01\x02 what is this \xff\xfe");
    assert_eq!((games.len(), &problems[0].fault), (0, &Fault::Unrecognised));
    assert_eq!(read(b""), (vec![], vec![]));
    assert_eq!(read(b" \r\n"), (vec![], vec![]));
    assert_eq!(detect(b"MZ\x90\x00\x03", true), None);
}

/// A stream that repeats some bytes without end and counts them.
struct Endless<'a> {
    head: &'a [u8],
    unit: &'a [u8],
    given: u64,
}

impl Read for Endless<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.head.is_empty() {
            return self.head.read(buffer);
        }
        let length = buffer.len() / self.unit.len() * self.unit.len();
        for chunk in buffer[..length].chunks_mut(self.unit.len()) {
            chunk.copy_from_slice(self.unit);
        }
        self.given += length as u64;
        assert!(self.given < 1 << 28, "a reader does not stop");
        Ok(length)
    }
}

#[test]
fn endless_streams_are_given_up() {
    let library = b"\xffRenLib\xff\x03\x00\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff";
    let cases: [(&str, &[u8], &[u8]); 9] = [
        ("deep SGF", b"", b"(;"),
        ("open SGF value", b"(;C[", b"xx"),
        ("brackets after a game", b"(;GM[4])", b"x("),
        ("deep XML", b"<?xml?>", b"<a>"),
        ("open XML comment", b"<!-- ", b"x"),
        ("open tag", b"<game ", b"a"),
        ("one line", b"black h8", b" "),
        ("broken lines", b"", b"black h8 h8\n"),
        ("deep library", library, b"\x78\x80"),
    ];
    for (name, head, unit) in cases {
        let input = Endless { head, unit, given: 0 };
        let last = Reader::new(input, Options::default()).last();
        assert!(matches!(last, Some(Err(_))), "{name}: {last:?}");
    }
}

#[test]
fn a_failing_stream_is_told_after_its_games() {
    struct Failing<'a>(&'a [u8]);
    impl Read for Failing<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() { Err(io::Error::other("the cable is cut")) } else { self.0.read(buffer) }
        }
    }
    let found: Vec<_> = Reader::new(Failing(b"black h8\nwhite h9\n"), Options::default()).collect();
    assert_eq!(found.len(), 3);
    let problem = found[2].as_ref().unwrap_err();
    assert_eq!((problem.loss, problem.place), (Loss::Rest, Place::Byte(18)));
    assert!(problem.to_string().contains("the cable is cut"));
}
