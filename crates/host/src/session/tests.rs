//! Sessions without a process: commands as a manager writes them, and an engine that answers when
//! the test says so.

use super::*;
use crate::HostError;
use fivestone_formats::gomocup::Parser;
use fivestone_game::{Board, Rule};
use std::time::Duration;

/// A session with the task that its engine is at.
struct Table {
    session: Session,
    running: Option<Box<Task>>,
    parser: Parser,
}

impl Table {
    fn new() -> Table {
        Table { session: Session::new(None, 1), running: None, parser: Parser::new() }
    }

    /// A session in which these lines were said and nothing is under way.
    fn after(lines: &[&str]) -> Table {
        let mut table = Table::new();
        for line in lines {
            table.say(line);
        }
        assert!(table.running.is_none());
        table
    }

    /// Says lines; returns what was done for each, as words.
    fn say(&mut self, line: &str) -> Vec<String> {
        let commands = self.parser.read(format!("{line}\r\n").as_bytes());
        let effects: Vec<Effect> =
            commands.into_iter().flat_map(|command| self.session.obey(command, Instant::now())).collect();
        self.carry_out(effects)
    }

    /// The engine answers with this move.
    fn answer(&mut self, name: &str) -> Vec<String> {
        let size = self.running.as_ref().expect("a task").board.size();
        let report = Report::of_move(Point::parse(name, size).expect("a point"));
        self.finish(Answer::Move(report))
    }

    fn finish(&mut self, answer: Answer) -> Vec<String> {
        let took = self.running.take().expect("a task").asked.elapsed();
        let effects = self.session.hear(News::Answered(Done { answer, took }));
        self.carry_out(effects)
    }

    fn carry_out(&mut self, effects: Vec<Effect>) -> Vec<String> {
        let mut words = Vec::new();
        for effect in effects {
            words.push(match effect {
                Effect::Say(reply) => reply.to_string(),
                Effect::Ask(task) => {
                    assert!(self.running.replace(task).is_none(), "one task at a time");
                    "(ask)".to_owned()
                }
                Effect::Ponder(task) => {
                    assert!(self.running.replace(task).is_none(), "one task at a time");
                    "(ponder)".to_owned()
                }
                Effect::Stop => {
                    assert!(self.running.is_some(), "there is something to stop");
                    "(stop)".to_owned()
                }
                Effect::NewGame => {
                    assert!(self.running.is_none(), "the engine is free");
                    "(new game)".to_owned()
                }
                Effect::Exit => "(exit)".to_owned(),
            });
        }
        words
    }

    fn task(&self) -> &Task {
        self.running.as_ref().expect("a task")
    }

    fn moves(&self) -> String {
        let board: &Board = &self.task().board;
        fivestone_game::notation::format_moves(board.moves().iter().copied().flatten(), board.size())
    }
}

#[test]
fn a_game_is_played_move_by_move() {
    let mut table = Table::new();
    assert_eq!(table.say("START 15"), ["(new game)", "OK"]);
    assert_eq!(table.say("BEGIN"), ["(ask)"]);
    assert_eq!(table.answer("h8"), ["7,7"]);
    assert_eq!(table.say("TURN 7,6"), ["(ask)"]);
    assert_eq!(table.moves(), "h8h9");
    assert_eq!(table.answer("i8"), ["8,7"]);
    assert_eq!(table.say("END"), ["(exit)"]);
}

#[test]
fn a_board_is_set_up_and_answered() {
    let mut table = Table::after(&["START 15", "INFO rule 4"]);
    assert_eq!(table.say("BOARD\r\n7,7,2\r\n7,6,1\r\n8,8,2\r\nDONE"), ["(ask)"]);
    assert_eq!((table.moves().as_str(), table.task().board.rule()), ("h8h9i7", Rule::Renju));
    assert_eq!(table.answer("a1"), ["0,14"]);
}

#[test]
fn yxstop_ends_the_search_that_runs() {
    let mut table = Table::after(&["START 15"]);
    table.say("BEGIN");
    assert!(table.session.deadline().is_some());
    assert_eq!(table.say("YXSTOP"), ["(stop)"]);
    assert_eq!(table.session.deadline(), None, "it was told once, that is enough");
    assert_eq!(table.answer("h8"), ["7,7"]);
    assert!(table.say("YXSTOP").is_empty(), "nothing is searched");
}

#[test]
fn yxstop_is_not_lost_on_a_question_that_has_to_wait() {
    let mut table = Table::after(&["START 15", "INFO pondering 1"]);
    table.say("BEGIN");
    assert_eq!(table.answer("h8"), ["7,7", "(ponder)"]);
    assert_eq!(table.say("TURN 7,6"), ["(stop)"]);
    assert_eq!(table.say("YXSTOP"), ["(stop)"]);
    // The engine comes back from pondering: the move is asked for, and the stop holds for it.
    assert_eq!(table.answer("a1"), ["(ask)", "(stop)"]);
    assert_eq!(table.answer("i8"), ["8,7", "(ponder)"]);
}

#[test]
fn end_is_obeyed_in_mid_search_whatever_waits() {
    let mut table = Table::after(&["START 15", "INFO timeout_turn 2000000"]);
    table.say("BEGIN");
    assert!(table.task().is_unlimited());
    assert_eq!(table.say("TURN 7,6"), ["(stop)"], "nobody waits for a search without end");
    assert_eq!(table.say("END"), ["(exit)"]);
}

#[test]
fn commands_in_mid_search_keep_their_order_behind_it() {
    let mut table = Table::after(&["START 15"]);
    table.say("BEGIN");
    assert!(table.say("TURN 7,6").is_empty());
    assert!(table.say("ABOUT").is_empty());
    assert_eq!(table.answer("h8"), ["7,7", "(ask)"]);
    let said = table.answer("i8");
    assert_eq!(said[0], "8,7");
    assert!(said[1].starts_with("name=") && said.len() == 2, "{said:?}");
}

#[test]
fn a_new_game_ends_the_search_before() {
    let mut table = Table::after(&["START 15"]);
    table.say("BEGIN");
    assert_eq!(table.say("START 20"), ["(stop)"]);
    assert_eq!(table.answer("h8"), ["7,7", "(new game)", "OK"]);
    table.say("BEGIN");
    assert_eq!(table.task().board.size().side(), 20);
}

#[test]
fn searches_without_end_do_not_block_what_waits_behind_them() {
    let mut table = Table::after(&["START 15", "INFO timeout_turn 2000000"]);
    table.say("BEGIN");
    assert_eq!(table.say("TURN 7,6"), ["(stop)"]);
    assert_eq!(table.say("TURN 0,0"), ["(stop)"]);
    assert_eq!(table.answer("h8"), ["7,7", "(ask)", "(stop)"], "another question waits");
    assert_eq!(table.answer("i8"), ["8,7", "(ask)"]);
    assert_eq!(table.moves(), "h8h9i8a15");
    assert_eq!(table.say("YXSTOP"), ["(stop)"]);
}

#[test]
fn a_flood_in_mid_search_is_refused_and_a_stop_is_still_heard() {
    let mut table = Table::after(&["START 15"]);
    table.say("BEGIN");
    assert!((0..QUEUED).all(|_| table.say("ABOUT").is_empty()));
    assert_eq!(table.say("ABOUT"), ["ERROR too many commands while thinking"]);
    assert_eq!(table.say("YXSTOP"), ["(stop)"]);
    assert_eq!(table.answer("h8").len(), 1 + QUEUED);
}

#[test]
fn what_makes_no_sense_is_told_and_changes_nothing() {
    let mut table = Table::new();
    assert_eq!(table.say("BEGIN"), ["ERROR no game has been started (START 15)"]);
    assert_eq!(table.say("START 4"), ["ERROR boards of 5 to 22 points a side are supported"]);
    assert_eq!(table.say("RECTSTART 15,20"), ["ERROR only square boards are supported"]);
    table.say("START 15");
    assert_eq!(table.say("TURN 15,0"), ["ERROR 15,0 is off the 15x15 board"]);
    assert_eq!(table.say("TAKEBACK 3,3"), ["ERROR no stone stands there"]);
    assert_eq!(table.say("BOARD\r\n3,3,1\r\n3,3,2\r\nDONE"), ["ERROR two stones on d12"]);
    assert!(table.say("TURN x")[0].starts_with("ERROR "));
    assert!(table.say("DANCE")[0].starts_with("UNKNOWN "));
    assert_eq!(table.say("PLAY 7,7"), ["7,7"]);
    assert!(table.say("TURN 7,7")[0].starts_with("ERROR "), "the point is taken");
    table.say("TURN 7,6");
    assert_eq!(table.moves(), "h8h9");
}

#[test]
fn no_move_is_asked_for_when_the_game_is_over() {
    let mut table = Table::after(&["START 15"]);
    for at in ["0,0", "0,5", "1,0", "1,5", "2,0", "2,5", "3,0", "3,5"] {
        table.say(&format!("PLAY {at}"));
    }
    let said = table.say("TURN 4,0");
    assert!(said[0].starts_with("ERROR the game is over"), "{said:?}");
}

#[test]
fn info_becomes_limits_and_the_clock_runs_from_the_question() {
    let mut table = Table::after(&["START 15", "INFO timeout_turn 1000", "INFO timeout_match 60000"]);
    for line in ["INFO max_node 500", "INFO max_depth 7", "INFO thread_num 1", "INFO time_left 800"] {
        assert!(table.say(line).is_empty(), "{line}");
    }
    let read = Instant::now().checked_sub(Duration::from_millis(300)).expect("the machine runs");
    let effects = table.session.obey(Ok(Command::Begin), read);
    table.carry_out(effects);
    let limits = &table.task().limits;
    let ms = Duration::from_millis;
    assert_eq!((limits.turn, limits.match_left), (Some(ms(1000)), Some(ms(800))));
    assert_eq!((limits.visits, limits.depth, limits.threads), (Some(500), Some(7), 1));
    assert_eq!(table.task().asked, read);
    let deadline = table.session.deadline().expect("the clock runs");
    assert!(deadline <= read + ms(810), "the smaller of turn and match, with some kept back");
    let effects = table.session.insist();
    assert_eq!(table.carry_out(effects), ["(stop)"]);
    table.answer("h8");
    // No time_left this time: what the move took is off the match's clock.
    table.say("TURN 0,0");
    assert!(table.task().limits.match_left.expect("a clock") <= ms(500));
}

#[test]
fn the_engine_hears_of_less_time_than_the_manager_allowed() {
    struct Timid(Option<Limits>);
    impl fivestone_engine::Engine for Timid {
        fn name(&self) -> &'static str {
            "timid"
        }
        fn think(
            &mut self,
            board: &Board,
            limits: &Limits,
            _: &fivestone_engine::Stop,
            _: crate::Tell,
        ) -> Report {
            self.0 = Some(limits.clone());
            Report::of_move(board.size().points().next().expect("a point"))
        }
    }
    let mut table = Table::after(&["START 15", "INFO timeout_turn 1000", "INFO time_left 5000"]);
    let read = Instant::now().checked_sub(Duration::from_millis(300)).expect("the machine runs");
    let effects = table.session.obey(Ok(Command::Begin), read);
    table.carry_out(effects);
    let mut timid = Timid(None);
    let task = table.running.take().expect("a task");
    let done = task.put(&mut timid, &fivestone_engine::Stop::new(), &mut |_| {});
    let told = timid.0.expect("it was asked");
    assert!(told.turn.expect("a turn") <= Duration::from_millis(1000 - 40 - 300));
    assert!(told.match_left.expect("a match") <= Duration::from_millis(5000 - 300));
    assert!(done.took >= Duration::from_millis(300));
}

#[test]
fn pondering_is_silent_and_its_report_is_not_shown() {
    let mut table = Table::after(&["START 15", "INFO pondering 1", "INFO show_detail 3"]);
    table.say("BEGIN");
    assert!(table.answer("h8").ends_with(&["7,7".to_owned(), "(ponder)".to_owned()]));
    assert!(table.task().is_unlimited());
    let report = Report::of_move(Point::parse("a1", Size::STANDARD).expect("a point"));
    assert!(table.session.hear(News::Report(report)).is_empty());
    assert!(table.answer("a1").is_empty());
}

#[test]
fn reports_are_shown_as_far_as_the_manager_wants() {
    let mut table = Table::after(&["START 15", "INFO show_detail 1"]);
    table.say("BEGIN");
    let report = Report::of_move(Point::parse("h8", Size::STANDARD).expect("a point"));
    let effects = table.session.hear(News::Report(report));
    let shown = table.carry_out(effects);
    assert_eq!(
        shown,
        [
            "MESSAGE REALTIME REFRESH",
            "MESSAGE REALTIME DONE 7,7",
            "MESSAGE REALTIME POS 7,7",
            "MESSAGE REALTIME BEST 7,7"
        ]
    );
}

#[test]
fn an_engine_that_fails_is_told_and_the_session_lives_on() {
    let mut table = Table::after(&["START 15"]);
    table.say("BEGIN");
    table.running = None;
    let effects = table.session.hear(News::Failed(HostError::Panicked("a bug".to_owned())));
    assert_eq!(table.carry_out(effects), ["ERROR the engine failed: a bug"]);
    assert!(table.say("ABOUT")[0].starts_with("name="));
}

#[test]
fn swap2_is_answered_by_stones_or_a_swap() {
    let mut table = Table::after(&["START 15"]);
    assert_eq!(table.say("SWAP2BOARD\r\nDONE"), ["(ask)"]);
    let point = |name| Point::parse(name, Size::STANDARD).expect("a point");
    let stones = vec![point("h8"), point("h9"), point("a1")];
    assert_eq!(table.finish(Answer::Opening { swap: false, stones }), ["7,7 7,6 0,14"]);
    assert_eq!(table.say("SWAP2BOARD\r\n7,7\r\n7,6\r\n0,14\r\nDONE"), ["(ask)"]);
    assert_eq!(table.finish(Answer::Opening { swap: true, stones: Vec::new() }), ["SWAP"]);
    let stones = "YXBOARD\r\n7,7,1\r\n7,6,2\r\n0,14,1\r\nDONE";
    assert!(table.say(stones).is_empty());
    assert_eq!(table.say("YXSWAP2STEP1"), ["ERROR this step of swap2 needs 0 stones on the board"]);
}
