//! The protocol's parser and texts, with examples and with anything at all.

use fivestone_formats::gomocup::{
    Command, Coordinates, Detail, Evaluation, Info, Parser, Problem, Realtime, Reply, RuleMask, Stone,
    Swap2Message,
};
use proptest::collection::vec;
use proptest::prelude::*;

fn read(bytes: &[u8]) -> Vec<Result<Command, Problem>> {
    let mut parser = Parser::new();
    let mut found = parser.read(bytes);
    found.extend(parser.finish());
    found
}

fn at(first: u16, second: u16) -> Coordinates {
    Coordinates { first, second }
}

#[test]
fn one_line_blocks_and_many_line_blocks_are_the_same() {
    let expected =
        vec![Ok(Command::Board(vec![Stone { at: at(7, 7), field: 1 }, Stone { at: at(8, 8), field: 2 }]))];
    assert_eq!(read(b"BOARD 7,7,1 8,8,2 DONE\n"), expected);
    assert_eq!(read(b"board\r\n7,7,1\r\n8,8,2\r\ndone\r\n"), expected);
    assert_eq!(read(b"Board\t7,7,1\n\n 8,8,2 Done"), expected);
}

#[test]
fn several_commands_may_share_a_line() {
    let expected = vec![Ok(Command::Start(15)), Ok(Command::Info(Info::TimeoutTurn(0))), Ok(Command::Begin)];
    assert_eq!(read(b"START 15 INFO timeout_turn 0 BEGIN\n"), expected);
}

#[test]
fn mistakes_cost_one_answer_and_the_rest_of_their_line() {
    let kinds: Vec<&str> = read(b"FOO bar baz\nTURN x\nTURN\nSTART -3 BEGIN\n7,7\nBEGIN\n")
        .iter()
        .map(|result| match result {
            Ok(_) => "command",
            Err(Problem::Unknown(_)) => "unknown",
            Err(Problem::Malformed(_)) => "malformed",
        })
        .collect();
    assert_eq!(kinds, ["unknown", "malformed", "malformed", "malformed", "unknown", "command"]);
}

#[test]
fn a_block_without_done_gives_way_to_the_next_command() {
    let found = read(b"BOARD\n7,7,1\nEND\n");
    assert!(matches!(found[..], [Err(Problem::Malformed(_)), Ok(Command::End)]), "{found:?}");
    let found = read(b"BOARD\n7,7,9\nrubbish\nDONE\nBEGIN\n");
    assert!(matches!(found[..], [Err(Problem::Malformed(_)), Ok(Command::Begin)]), "{found:?}");
    assert!(matches!(read(b"YXBOARD 1,1,1")[..], [Err(Problem::Malformed(_))]));
}

#[test]
fn info_is_never_answered_and_folders_may_hold_spaces() {
    assert_eq!(
        read("INFO folder C:\\My  Files\\žluť\r\n".as_bytes()),
        [Ok(Command::Info(Info::Folder("C:\\My Files\\žluť".to_owned())))]
    );
    let found =
        read(b"INFO\nINFO max_memory\nINFO what ever it is\nINFO rule \xff\xfe\nINFO timeout_turn 5\n");
    assert!(found.iter().all(|result| matches!(result, Ok(Command::Info(_)))), "{found:?}");
    assert_eq!(found.last(), Some(&Ok(Command::Info(Info::TimeoutTurn(5)))));
}

#[test]
fn endless_words_lines_and_blocks_are_bounded() {
    let mut endless = vec![b'a'; 3_000_000];
    endless.extend_from_slice(b" rest\nBEGIN\n");
    let found = read(&endless);
    assert!(matches!(&found[..], [Err(Problem::Unknown(word)), Ok(Command::Begin)] if word.len() < 100));
    let block = [b"BOARD ".to_vec(), b"1,1,1 ".repeat(100_000), b"DONE ABOUT\n".to_vec()].concat();
    assert!(matches!(read(&block)[..], [Err(Problem::Malformed(_)), Ok(Command::About)]));
}

#[test]
fn messages_about_garbage_are_one_printable_line() {
    for result in read(b"\xff\xfe\0\x07\x1b[2J\n\xc3\x28 x\nTURN \x00\x01\n") {
        let text = result.expect_err("garbage").to_string();
        assert!(text.chars().all(|c| c.is_ascii_graphic() || c == ' '), "{text:?}");
    }
}

fn coordinates() -> impl Strategy<Value = Coordinates> + Clone {
    (0..40u16, 0..40u16).prop_map(|(first, second)| at(first, second))
}

fn info() -> impl Strategy<Value = Info> {
    prop_oneof![
        (0..1u64 << 40).prop_map(Info::TimeoutTurn),
        (0..1u64 << 40).prop_map(Info::TimeoutMatch),
        (-5000..1i64 << 32).prop_map(Info::TimeLeft),
        (0..1u64 << 40).prop_map(Info::MaxMemory),
        (0..4u8).prop_map(Info::GameType),
        (0..16u8).prop_map(|bits| Info::Rule(RuleMask(bits))),
        "[a-z/]{1,20}".prop_map(Info::Folder),
        proptest::option::of(1..100u32).prop_map(Info::MaxDepth),
        proptest::option::of(1..1u64 << 40).prop_map(Info::MaxNode),
        (1..64u16).prop_map(Info::ThreadNum),
        any::<bool>().prop_map(Info::Pondering),
        (0..4u8).prop_map(Info::ShowDetail),
        (0..=100u8).prop_map(Info::Strength),
    ]
}

fn command() -> impl Strategy<Value = Command> {
    let stone = (coordinates(), 1..=3u8).prop_map(|(at, field)| Stone { at, field });
    prop_oneof![
        (0..100u16).prop_map(Command::Start),
        coordinates().prop_map(Command::RectStart),
        coordinates().prop_map(Command::Turn),
        coordinates().prop_map(Command::TakeBack),
        coordinates().prop_map(Command::Play),
        vec(stone.clone(), 0..20).prop_map(Command::Board),
        vec(stone, 0..20).prop_map(Command::SetBoard),
        vec(coordinates(), 0..6).prop_map(Command::Swap2Board),
        vec(coordinates(), 0..6).prop_map(Command::Block),
        info().prop_map(Command::Info),
        (1..20u16).prop_map(Command::NBest),
        (-500..500i32).prop_map(Command::BalanceTwo),
        Just(Command::Begin),
        Just(Command::Restart),
        Just(Command::About),
        Just(Command::Swap2Step2),
        Just(Command::End),
    ]
}

fn reply() -> impl Strategy<Value = Reply> {
    prop_oneof![
        Just(Reply::Ok),
        Just(Reply::Swap),
        vec(coordinates(), 1..4).prop_map(Reply::Moves),
        "[a-z]{1,9}( [a-z]{1,9}){0,3}".prop_map(Reply::Error),
        "[a-z]{1,9}( [a-z]{1,9}){0,3}".prop_map(Reply::Message),
        coordinates().prop_map(Reply::Suggest),
        vec(coordinates(), 0..9).prop_map(Reply::Forbid),
        coordinates().prop_map(|at| Reply::Realtime(Realtime::Lost(at))),
        (1..6u8, 0..20u16, 0..20u16).prop_map(|(number, row, column)| Reply::Swap2(Swap2Message::Move {
            number,
            row,
            column
        })),
        any::<bool>().prop_map(|swap| Reply::Swap2(Swap2Message::Swap { occasion: 1, swap })),
        (0..99u16).prop_map(|plies| Reply::Detail(Detail::Eval(Evaluation::Loss(plies)))),
        (-999..999i32).prop_map(|points| Reply::Detail(Detail::Eval(Evaluation::Points(points)))),
        vec(coordinates(), 0..9).prop_map(|moves| Reply::Detail(Detail::BestLine(moves))),
        Just(Reply::Detail(Detail::PvDone)),
    ]
}

proptest! {
    #[test]
    fn commands_are_read_as_they_are_written(commands in vec(command(), 0..8), crlf in any::<bool>()) {
        let text: String = commands.iter().map(|command| format!("{command}\n")).collect();
        let text = if crlf { text.replace('\n', "\r\n") } else { text };
        let expected: Vec<_> = commands.into_iter().map(Ok).collect();
        prop_assert_eq!(read(text.as_bytes()), expected);
    }

    #[test]
    fn replies_are_read_as_they_are_written(reply in reply()) {
        prop_assert_eq!(Reply::parse(&reply.to_string()), Some(reply));
    }

    #[test]
    fn any_bytes_are_read_the_same_in_any_pieces(bytes in vec(any::<u8>(), 0..400), cut in 0..400usize) {
        let (head, tail) = bytes.split_at(cut.min(bytes.len()));
        let mut parser = Parser::new();
        let mut found = parser.read(head);
        found.extend(parser.read(tail));
        found.extend(parser.finish());
        prop_assert_eq!(found, read(&bytes));
    }

    #[test]
    fn words_of_the_protocol_in_any_order_never_stop_the_parser(
        words in vec("(START|BOARD|YXBLOCK|SWAP2BOARD|DONE|INFO|folder|TURN|7,7,1|1,2|15|-1|,|\n|\r\n|\u{feff}|é)", 0..40)
    ) {
        let text = words.join(" ") + "\nDONE\nEND\n";
        prop_assert_eq!(read(text.as_bytes()).pop(), Some(Ok(Command::End)));
    }

    #[test]
    fn any_line_can_be_offered_as_a_reply(line in "\\PC{0,60}") {
        let _ = Reply::parse(&line);
    }
}
