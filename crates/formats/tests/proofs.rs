//! Proof files: read, written, replayed, and refused with one clear line when something is wrong.

use fivestone_formats::proof::{Checked, ProofError, check, read, variations, write};
use fivestone_formats::sgf;
use fivestone_game::{Board, Color, Point, Rule, Size, notation};

/// Black makes an open four of a three.
const HEAD: &str = "fivestone proof 1\nrule freestyle\nsize 9\nblack d5 e5 f5\nwhite a1 a9 i1\n\
                    to-move black\nplies 3\nnodes 3\n";
const NODES: &str = "1 g5 c5:2 *:3\n2 h5 five\n3 c5 five\n";

/// A file with the checksum of its content.
fn sealed(content: &str) -> String {
    format!("{content}crc32 {:08x}\n", crc32fast::hash(content.as_bytes()))
}

fn refusal(content: &str) -> String {
    read(sealed(content).as_bytes()).expect_err(content).to_string()
}

/// What the checker says about other nodes in the same position.
fn failure(nodes: &str) -> String {
    let head = HEAD.replace("nodes 3", &format!("nodes {}", nodes.lines().count()));
    let proof = read(sealed(&(head + nodes)).as_bytes()).expect(nodes);
    check(&proof).expect_err(nodes).to_string()
}

#[test]
fn a_proof_is_read_written_and_holds() {
    let text = sealed(&format!("{HEAD}{NODES}"));
    let proof = read(text.as_bytes()).unwrap();
    assert_eq!(write(&proof), text);
    let checked = check(&proof).unwrap();
    assert_eq!(checked, Checked { winner: Color::Black, plies: 3, positions: 2 });
    // Numbers need not be in order.
    let other = text.replace("c5:2", "c5:17").replace("\n2 ", "\n17 ");
    let content = &other[..other.rfind("crc32").unwrap()];
    assert!(check(&read(sealed(content).as_bytes()).unwrap()).is_ok());
}

#[test]
fn damage_is_told_in_one_line() {
    let text = sealed(&format!("{HEAD}{NODES}"));
    let told = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
    assert!(told(text.replace("g5", "g6").as_bytes()).starts_with("damaged: the checksum is "));
    for end in [text.len() - 1, text.len() - 5, text.len() - 20, text.len() / 2, 30] {
        assert_eq!(told(&text.as_bytes()[..end]), "truncated: the checksum at the end is missing");
    }
    assert_eq!(
        told(text.replace("proof 1", "proof 2").as_bytes()),
        "version \"2\" of the proof format is unknown (this program reads 1)"
    );
    for other in [&b""[..], b"fivestone", b"(;FF[4]GM[4])", &[0xff; 40]] {
        assert_eq!(read(other), Err(ProofError::NotAProof));
    }
    let mut not_text = format!("{HEAD}{NODES}").into_bytes();
    not_text[40] = 0xff;
    not_text.extend(format!("crc32 {:08x}\n", crc32fast::hash(&not_text)).bytes());
    assert_eq!(told(&not_text), "line 4: not text");
}

#[test]
fn files_that_are_not_whole_are_refused() {
    assert_eq!(refusal(HEAD), "incomplete: 0 nodes instead of 3");
    assert_eq!(refusal(&format!("{HEAD}1 g5 five\n")), "incomplete: 1 nodes instead of 3");
    let with = |from: &str, to: &str| refusal(&format!("{HEAD}{NODES}").replace(from, to));
    assert_eq!(with("c5:2", "c5:7"), "incomplete: node 1 leads to node 7, which is missing");
    assert_eq!(with("\n3 ", "\n2 "), "node 2 is there twice");
    assert_eq!(with("c5:2", "c5:1"), "cyclic: node 1 leads back to itself");
    assert_eq!(with("h5 five", "h5 *:1"), "cyclic: node 1 leads back to itself");
    assert_eq!(with("g5", "j5"), "line 9: \"j5\" is no point of the board");
    assert_eq!(with("c5:2", "c5"), "line 9: \"c5\" is not a reply and its answer");
    assert_eq!(with("c5:2", "c5:2 c5:3"), "line 9: the reply c5 is answered twice");
    assert_eq!(with("c5:2", "c5:-1"), "line 9: \"-1\" is not the number of a node");
    assert_eq!(with("rule freestyle", "rule chess"), "line 2: unknown rule");
    assert_eq!(with("size 9", "size 99"), "line 3: no board has this size");
    assert_eq!(with("white", "green"), "line 5: \"white\" was expected");
    assert_eq!(with("to-move black", "to-move red"), "line 6: the side to move is black or white");
    assert_eq!(with("plies 3", "plies x"), "line 7: \"x\" is not a number");
    let over = "the position cannot be won: ";
    assert_eq!(with("a1 a9", "d5 a9"), format!("{over}two stones stand on one point"));
    let won = with("a1 a9 i1", "a1 a2 a3 a4 a5");
    assert_eq!(won, format!("{over}White has five in a row already"));
}

#[test]
fn what_does_not_win_is_named_with_node_and_moves() {
    assert_eq!(
        failure("1 h5 c5:2 *:3\n2 h5 five\n3 c5 five\n"),
        "node 1 after h5: the reply b9 is not answered (node 3 does not win: c5 makes no five)"
    );
    assert_eq!(failure("1 g5 c5:2 *:3\n2 h6 five\n3 c5 five\n"), "node 2 after g5 c5: h6 makes no five");
    assert_eq!(
        failure("1 g5 *:3\n3 c5 five\n"),
        "node 1 after g5: the reply c5 is not answered (node 3 does not win: c5 is occupied)"
    );
    assert_eq!(failure("1 g5 c5:2\n2 h5 five\n"), "node 1 after g5: the reply b9 is not answered");
    assert_eq!(failure("1 g5 c5:3 *:3\n3 c5 five\n"), "node 3 after g5 c5: c5 is occupied");
    assert_eq!(failure("1 g5 five\n"), "node 1 in the first position: g5 makes no five");
    assert_eq!(failure("1 d5 *:2\n2 a2 five\n"), "node 1 in the first position: d5 is occupied");
    assert_eq!(
        failure("1 g5 c5:forbidden *:3\n3 c5 five\n"),
        "node 1 after g5: the reply c5 is not forbidden"
    );
    assert_eq!(
        failure("1 a2 *:2\n2 a3 *:3\n3 a4 five\n"),
        "node 1 after a2: the reply b9 is not answered \
         (node 2 does not win after a3: the reply c9 is not answered)"
    );
}

#[test]
fn a_promise_of_fewer_plies_is_broken() {
    let proof = read(sealed(&format!("{HEAD}{NODES}").replace("plies 3", "plies 1")).as_bytes());
    let failure = check(&proof.unwrap()).unwrap_err().to_string();
    assert_eq!(failure, "node 1 in the first position: 1 plies are promised, but 3 are needed");
}

#[test]
fn the_defenders_own_five_refutes() {
    let head = HEAD.replace("white a1 a9 i1", "white a1 b1 c1 d1");
    let proof = read(sealed(&format!("{head}{NODES}")).as_bytes()).unwrap();
    let failure = check(&proof).unwrap_err().to_string();
    assert_eq!(failure, "node 1 after g5: the reply e1 makes five");
}

#[test]
fn ends_of_rows_count_in_caro() {
    // With a white stone at i5, a stone at c5 leaves h5, and one at b5 or i5 stops nothing alone;
    // but in caro a five between two white stones does not win.
    let head = HEAD.replace("rule freestyle", "rule caro").replace("white a1 a9 i1", "white i5 a9 i1");
    let proof = read(sealed(&format!("{head}{NODES}")).as_bytes()).unwrap();
    let failure = check(&proof).unwrap_err().to_string();
    assert!(failure.starts_with("node 2 after g5 c5: h5 makes no five"), "{failure}");
}

#[test]
fn a_position_is_compared_with_that_of_the_file() {
    let proof = read(sealed(&format!("{HEAD}{NODES}")).as_bytes()).unwrap();
    let size = Size::new(9).unwrap();
    let after = |text: &str, rule| {
        Board::from_moves(size, rule, &notation::parse_moves(text, size).unwrap()).unwrap()
    };
    let difference = |text, rule| proof.difference(&after(text, rule));
    assert_eq!(difference("d5a1e5a9f5i1", Rule::Freestyle), None);
    let told = difference("d5a1e5a9f5i1", Rule::Renju);
    assert_eq!(told.as_deref(), Some("its rule is freestyle, not renju"));
    let told = difference("d5a1e5a9", Rule::Freestyle);
    assert_eq!(told.as_deref(), Some("it has a stone of Black on f5"));
    let told = difference("d5a1e5a9f5i1b2", Rule::Freestyle);
    assert_eq!(told.as_deref(), Some("it has no stone of Black on b2"));
    let board = Board::new(Size::STANDARD, Rule::Freestyle);
    assert_eq!(proof.difference(&board).as_deref(), Some("its board is 9x9, not 15x15"));
}

#[test]
fn variations_show_the_named_defences_and_say_the_rest() {
    let proof = read(sealed(&format!("{HEAD}{NODES}")).as_bytes()).unwrap();
    let mut bytes = Vec::new();
    let tree = variations(&proof, None, 1000);
    sgf::write(&tree, &mut bytes);
    let text = String::from_utf8(bytes).unwrap();
    assert!(text.contains("C[Black wins in at most 3 plies.]"), "{text}");
    let told = "Wins in at most 3 plies.\nThreatens five with c5.\nAny other move loses to c5.";
    assert!(text.contains(&format!(";B[ge]C[{told}];W[ce];B[he]C[Five.]")), "{text}");
    // Cut in time, and said so.
    let cut = variations(&proof, None, 7);
    assert!(cut.len() < tree.len());
    let last = cut.walk().last().unwrap();
    assert!(cut.notes(last).unwrap().comment.ends_with("Cut here: Black wins in at most 3 plies."));
    assert_eq!(cut.moves(last).last(), Some(&Some(Point::parse("i1", proof.size).unwrap())));
}
