//! `fivestone solve` and `fivestone verify` from outside: proofs written, checked, spoilt and
//! refused.

use fivestone_engine::Rng;
use fivestone_engine::solver::{Vcf, Vct, Verdict};
use fivestone_game::{Board, Class, Color, Point, Rule, Size, notation};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use tempfile::TempDir;

/// White makes a four that Black may stop only with an overline.
const FORBIDDEN_BLOCK: &str = "a3d4b3d5c3d6e3i9f3i7g3g9d8a9d2";
/// Black has an open three, White nothing.
const OPEN_THREE: &str = "d5a1e5a9f5i1";

fn fivestone(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fivestone")).args(arguments).output().expect("the program starts")
}

fn success(arguments: &[&str]) -> String {
    let output = fivestone(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// Runs something that must fail with one clear line.
fn failure(arguments: &[&str]) -> String {
    let output = fivestone(arguments);
    assert_eq!(output.status.code(), Some(1), "{arguments:?}");
    assert!(output.stdout.is_empty(), "{arguments:?}");
    let text = String::from_utf8(output.stderr).expect("text");
    assert_eq!(text.lines().count(), 1, "{text}");
    text
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&success(arguments)).expect("JSON")
}

fn words(value: &Value) -> Vec<&str> {
    value.as_array().expect("an array").iter().map(|word| word.as_str().expect("text")).collect()
}

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().expect("an object").keys().map(String::as_str).collect()
}

/// A folder for one test, and a path in it.
fn place(name: &str) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    (folder, path)
}

fn text_of(path: &Path) -> &str {
    path.to_str().expect("a name in UTF-8")
}

/// Random play with a taste for threes on a small board; nobody has won yet.
fn some_position(rule: Rule, rng: &mut Rng) -> Board {
    loop {
        let mut board = Board::new(Size::new(9 + rng.below(4)).expect("a size"), rule);
        let wanted = 8 + rng.below(16);
        while board.end().is_none() && board.stone_count() < wanted {
            let side = board.to_move();
            let sharp: Vec<Point> = board.cells_of(side, &Class::OPEN_THREES).iter().collect();
            let near: Vec<Point> =
                board.near(1).iter().filter(|&point| board.class(side, point) != Class::Five).collect();
            let pool = if !sharp.is_empty() && rng.below(4) == 0 { &sharp } else { &near };
            let Some(&point) = pool.get(rng.below(pool.len().max(1))) else { break };
            if board.forbidden(point).is_none() || side == Color::White {
                board.play(point).expect("an empty point");
            }
        }
        if board.end().is_none() {
            return board;
        }
    }
}

fn moves_of(board: &Board) -> String {
    notation::format_moves(board.moves().iter().copied().flatten(), board.size())
}

/// Random positions of a rule, first with a win by fours, then with one by threes alone.
fn won_positions(rule: Rule, of_each: usize) -> Vec<Board> {
    let mut rng = Rng::new(90 + rule as u64);
    let (mut by_fours, mut by_threes) = (Vec::new(), Vec::new());
    while by_fours.len() < of_each || by_threes.len() < of_each {
        let mut board = some_position(rule, &mut rng);
        let mut vcf = Vcf::with_memory(1 << 14);
        let fours = vcf.solve(&mut board, 10_000);
        if fours == Verdict::Win && vcf.line().len() > 3 && by_fours.len() < of_each {
            by_fours.push(board);
        } else if fours == Verdict::NoWin
            && by_threes.len() < of_each
            && Vct::with_memory(1 << 20).solve(&mut board, 5_000) == Verdict::Win
        {
            by_threes.push(board);
        }
    }
    by_fours.into_iter().chain(by_threes).collect()
}

/// Writes the proof of a position and has it verified; answers the file's text.
fn prove_and_verify(board: &Board, path: &Path) -> String {
    let (rule, size, moves) = (board.rule().name(), board.size().to_string(), moves_of(board));
    let game = ["--rule", rule, "--size", &size, &moves];
    let told = success(&[&["solve", "--proof", text_of(path)], &game[..]].concat());
    assert!(told.contains("proof with "), "{told}");
    let told = success(&[&["verify", text_of(path)], &game[..]].concat());
    let start = format!("proof holds: {} wins in at most ", board.to_move());
    assert!(told.starts_with(&start) && told.ends_with(" positions checked\n"), "{told}");
    fs::read_to_string(path).expect("a proof")
}

#[test]
fn proofs_of_random_positions_hold_under_every_rule() {
    for rule in Rule::ALL {
        for board in won_positions(rule, 3) {
            let (_folder, path) = place("proof.txt");
            let text = prove_and_verify(&board, &path);
            assert!(text.starts_with(&format!("fivestone proof 1\nrule {rule}\n")), "{text}");
        }
    }
}

#[test]
fn proofs_of_shared_puzzles_hold() {
    let folder = std::env::var_os("FIVESTONE_DATA").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"),
        PathBuf::from,
    );
    for (file, step) in [("vcf.jsonl", 150), ("vct.jsonl", 300)] {
        let Ok(text) = fs::read_to_string(folder.join("puzzles").join(file)) else {
            eprintln!("skipped: data not present ({file})");
            continue;
        };
        for line in text.lines().step_by(step) {
            let puzzle: Value = serde_json::from_str(line).expect("JSON");
            let (black, white) = (words(&puzzle["black"]), words(&puzzle["white"]));
            let mut moves = String::new();
            for (turn, stone) in black.iter().enumerate() {
                moves += stone;
                moves += white.get(turn).copied().unwrap_or_default();
            }
            // Not every set-up comes about by moves in turn.
            let points = notation::parse_moves(&moves, Size::STANDARD).expect("moves");
            let Ok(board) = Board::from_moves(Size::STANDARD, Rule::Renju, &points) else { continue };
            if board.end().is_none() && board.stone_count() == black.len() + white.len() {
                prove_and_verify(&board, &place("proof.txt").1);
            }
        }
    }
}

#[test]
fn a_forbidden_block_is_in_the_proof() {
    let size = Size::new(9).expect("a size");
    let moves = notation::parse_moves(FORBIDDEN_BLOCK, size).expect("moves");
    let board = Board::from_moves(size, Rule::Renju, &moves).expect("a game");
    let (_folder, path) = place("proof.txt");
    let text = prove_and_verify(&board, &path);
    assert!(text.contains("\n1 d7 d3:forbidden *:2\n2 d3 five\n"), "{text}");
    // What is forbidden in renju is a block elsewhere.
    let spoilt = resealed(&text.replace("rule renju", "rule standard"));
    fs::write(&path, spoilt).expect("a file");
    assert!(failure(&["verify", text_of(&path)]).contains("node 1 after d7: the reply d3 is not forbidden"));
}

#[test]
fn a_proof_in_sgf_has_its_defences_as_variations() {
    let (_folder, path) = place("proof.SGF");
    success(&["solve", "--size", "9", "--proof", text_of(&path), OPEN_THREE]);
    let text = fs::read_to_string(&path).expect("a proof");
    assert!(text.starts_with("(;FF[4]GM[4]CA[UTF-8]SZ[9]RU[freestyle]RE[B+];B[de];W[ai]"), "{text}");
    assert!(text.contains("Black wins in at most 3 plies.") && text.contains("Any other move loses to"));
    let stats = json(&["records", "stats", "--json", text_of(&path)]);
    assert_eq!(stats["games"], 1, "{stats}");
}

/// A proof with the checksum of its content.
fn resealed(text: &str) -> String {
    let content = &text[..text.rfind("crc32").expect("a checksum")];
    let mut checksum = flate2::Crc::new();
    checksum.update(content.as_bytes());
    format!("{content}crc32 {:08x}\n", checksum.sum())
}

#[test]
fn every_reply_of_a_proof_is_needed() {
    for rule in [Rule::Freestyle, Rule::Renju, Rule::Caro] {
        let board = won_positions(rule, 1).pop().expect("a win by threes");
        let (_folder, path) = place("proof.txt");
        let text = prove_and_verify(&board, &path);
        assert_eq!(resealed(&text), text);
        let mut spoilt = 0;
        for line in text.lines().filter(|line| line.starts_with(|c: char| c.is_ascii_digit())) {
            let replies: Vec<&str> = line.split(' ').skip(2).filter(|word| !word.starts_with('*')).collect();
            for reply in replies.iter().filter(|reply| reply.contains(':')).take(2) {
                if spoilt == 12 {
                    break;
                }
                spoilt += 1;
                let without = line.replace(&format!(" {reply}"), "");
                fs::write(&path, resealed(&text.replace(line, &without))).expect("a file");
                let told = failure(&["verify", text_of(&path)]);
                assert!(
                    told.contains("the proof fails at node ") && told.contains("is not answered"),
                    "{told}"
                );
            }
        }
        assert!(spoilt > 0);
    }
}

#[test]
fn spoilt_proofs_are_told_in_one_line() {
    let (_folder, path) = place("proof.txt");
    let file = text_of(&path);
    success(&["solve", "--size", "9", "--proof", file, OPEN_THREE]);
    let text = fs::read_to_string(&path).expect("a proof");
    let root = text.lines().find(|line| line.starts_with("1 ")).expect("a first node").to_owned();
    let told = |text: &str| {
        fs::write(&path, text).expect("a file");
        failure(&["verify", file])
    };
    let with_root = |root_line: &str| told(&resealed(&text.replace(&root, root_line)));
    let parts: Vec<&str> = root.split(' ').collect();
    let (listed, otherwise) = (parts[2], parts[parts.len() - 1]);
    assert!(otherwise.starts_with("*:") && !listed.starts_with('*'), "{root}");

    assert!(told(&text.replace("rule freestyle", "rule standard ")).contains("damaged: the checksum is"));
    assert!(told(&text[..text.len() - 12]).contains("truncated: the checksum at the end is missing"));
    assert!(told("").contains("not a proof"));
    assert!(
        told(&text.replace("proof 1", "proof 7")).contains("version \"7\" of the proof format is unknown")
    );
    assert!(with_root(&root.replace(parts[1], "a2")).contains("the proof fails at node 1 after a2"));
    let unlisted = with_root(&root.replace(&format!(" {listed}"), ""));
    assert!(unlisted.contains("the proof fails at node 1 after") && unlisted.contains("is not answered"));
    let (reply, child) = listed.split_once(':').expect("a reply");
    let other = with_root(&root.replace(listed, &format!("{reply}:{}", &otherwise[2..])));
    assert!(other.contains(&format!(
        "the proof fails at node {} after {} {reply}",
        &otherwise[2..],
        parts[1]
    )));
    assert!(
        with_root(&root.replace(listed, &format!("{reply}:99")))
            .contains("leads to node 99, which is missing")
    );
    assert!(with_root(&root.replace(listed, &format!("{reply}:1"))).contains("cyclic: node 1 leads back"));
    let gone = text.lines().find(|line| line.starts_with(&format!("{child} "))).expect("a child");
    let gone = told(&resealed(&text.replace(&format!("{gone}\n"), "")));
    assert!(gone.contains(&format!("node 1 leads to node {child}, which is missing")), "{gone}");
    assert!(failure(&["verify", "/no/such/proof"]).contains("cannot read /no/such/proof"));
}

#[test]
fn a_proof_of_another_position_is_refused() {
    let (_folder, path) = place("proof.txt");
    let file = text_of(&path);
    success(&["solve", "--size", "9", "--proof", file, OPEN_THREE]);
    success(&["verify", file, OPEN_THREE]);
    success(&["verify", file, "--rule", "freestyle", "--size", "9"]);
    // The order of the moves does not matter.
    success(&["verify", file, "f5i1d5a9", "e5", "a1"]);
    let told = failure(&["verify", file, "d5a1e5a9"]);
    assert!(told.contains("is about another position: it has a stone of Black on f5"), "{told}");
    let told = failure(&["verify", file, "--rule", "renju", OPEN_THREE]);
    assert!(told.contains("its rule is freestyle, not renju"), "{told}");
    assert!(failure(&["verify", file, "--rule", "renju"]).contains("its rule is freestyle, not renju"));
    assert!(failure(&["verify", file, "--size", "15"]).contains("its board is 9x9, not 15x15"));
}

#[test]
fn without_a_proof_no_file_is_left() {
    let (folder, path) = place("proof.txt");
    let file = text_of(&path);
    let told = failure(&["solve", "--kind", "vcf", "--proof", file, "h8h9"]);
    assert!(told.contains("no proof was written: there is no win of this kind to prove"), "{told}");
    let board = won_positions(Rule::Freestyle, 1).pop().expect("a win by threes");
    let (size, moves) = (board.size().to_string(), moves_of(&board));
    let told = failure(&["solve", "--nodes", "1", "--proof", file, "--size", &size, &moves]);
    assert!(told.contains("no proof was written: no win was found within the limits"), "{told}");
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 0);
    let told = failure(&["solve", "--proof", "/no/such/folder/proof.txt", "--size", "9", OPEN_THREE]);
    assert!(told.contains("cannot write /no/such/folder/proof.txt"), "{told}");
}

#[test]
fn every_winning_first_move_is_listed() {
    let answer = json(&["solve", "--all", "--kind", "vcf", "--json", "--size", "9", OPEN_THREE]);
    assert_eq!(keys(&answer), ["elapsed_ms", "failing", "kind", "nodes", "unknown", "winning"]);
    let winning = answer["winning"].as_array().expect("an array");
    let moves: Vec<&str> = winning.iter().filter_map(|first| first["move"].as_str()).collect();
    assert_eq!(moves, ["c5", "g5"]);
    assert_eq!((keys(&winning[0]), &winning[0]["length"]), (vec!["length", "line", "move"], &Value::from(3)));
    assert_eq!(words(&answer["failing"]), ["b5", "h5"]);
    assert!(words(&answer["unknown"]).is_empty());
    let told = success(&["solve", "--all", "--kind", "vcf", "--size", "9", OPEN_THREE]);
    assert!(
        told.starts_with("Black wins by continuous fours with 2 first moves:\n  c5     3 plies: c5 "),
        "{told}"
    );
    let told = success(&["solve", "--all", "--kind", "vcf", "h8h9"]);
    assert!(told.starts_with("Black has no win by continuous fours\n"), "{told}");
    let few = json(&["solve", "--all", "--nodes", "1", "--json", "--size", "9", "d5a1e4a9f5i1"]);
    assert!(!words(&few["unknown"]).is_empty());
}

#[test]
fn every_defence_is_listed() {
    let threatened = "d5a1e5a9f5";
    let answer = json(&["solve", "--defend", "--kind", "vcf", "--json", "--size", "9", threatened]);
    assert_eq!(
        keys(&answer),
        ["elapsed_ms", "forbidden", "kind", "losing", "nodes", "saving", "threat", "threat_line", "unknown"]
    );
    assert_eq!((&answer["threat"], answer["threat_line"].as_array().map(Vec::len)), (&"win".into(), Some(3)));
    assert_eq!(words(&answer["saving"]), ["c5", "g5"]);
    assert_eq!(answer["losing"].as_array().map(Vec::len), Some(81 - 5 - 2));
    let told = success(&["solve", "--defend", "--kind", "vcf", "--size", "9", threatened]);
    assert!(told.contains("2 moves save White: c5 g5"), "{told}");
    let told = success(&["solve", "--defend", "--kind", "vcf", "h8h9"]);
    assert!(
        told.starts_with("no threat: White would not win by continuous fours if it moved now\n"),
        "{told}"
    );
    // In renju Black may not be saved by an overline: White's four wins.
    let lost = format!("{FORBIDDEN_BLOCK}d7");
    let answer = json(&["solve", "--defend", "--json", "--rule", "renju", "--size", "9", &lost]);
    assert!(words(&answer["saving"]).is_empty());
    assert_eq!(words(&answer["forbidden"]), ["d3"]);
}

#[test]
fn the_shortest_win_is_told() {
    let arguments = ["solve", "--shortest", "--json", "--size", "9", OPEN_THREE];
    let answer = json(&arguments);
    assert_eq!((&answer["length"], &answer["shortest"]), (&Value::from(3), &Value::from(true)));
    let told = success(&["solve", "--shortest", "--size", "9", OPEN_THREE]);
    assert!(told.contains("there is no shorter win of this kind"), "{told}");
    for board in won_positions(Rule::Freestyle, 2) {
        let (size, moves) = (board.size().to_string(), moves_of(&board));
        let length = |arguments: &[&str]| json(arguments)["length"].as_u64().expect("a number");
        let first = length(&["solve", "--json", "--size", &size, &moves]);
        let shortest = length(&["solve", "--shortest", "--json", "--size", &size, &moves]);
        assert!(shortest <= first && first as usize <= board.empty().len());
    }
}

#[test]
fn what_cannot_be_solved_is_refused_in_one_line() {
    assert!(failure(&["solve", "--time", "0s", "h8"]).contains("--time is zero"));
    assert!(failure(&["solve", "--nodes", "0", "h8"]).contains("--nodes is zero"));
    for option in ["--json", "--all", "--defend", "--shortest"] {
        let told = failure(&["solve", option, "a1a3b1b3c1c3d1d3e1"]);
        assert!(told.contains("nothing to solve, the game is over: Black wins"), "{told}");
    }
    assert!(failure(&["solve", "h8h8"]).contains("move 2 (h8): the point is occupied"));
    let all_cells: String =
        (1..=5).flat_map(|row| ('a'..='e').map(move |column| format!("{column}{row}"))).collect();
    let too_many = format!("{all_cells}a1");
    assert!(failure(&["solve", "--size", "5", &too_many]).contains("move "));
    let (_folder, path) = place("puzzles.jsonl");
    let puzzle = r#"{"id":"x","size":5,"rule":"renju","side":"black","black":["a1"],"white":["a1"]}"#;
    fs::write(&path, format!("{puzzle}\n")).expect("a file");
    let output = fivestone(&["solve", "--file", text_of(&path)]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("line 1: the point is occupied"));
}

#[test]
fn options_that_exclude_each_other_are_wrong_usage() {
    for other in ["--all", "--defend", "--file"] {
        let mut arguments = vec!["solve", "--proof", "never.txt", other];
        arguments.push(if other == "--file" { "puzzles.jsonl" } else { "h8" });
        assert_eq!(fivestone(&arguments).status.code(), Some(2), "{other}");
    }
    assert_eq!(fivestone(&["solve", "--all", "--defend", "h8"]).status.code(), Some(2));
    assert!(!Path::new("never.txt").exists());
}
