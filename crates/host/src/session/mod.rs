//! A session of the Gomocup protocol: commands and the engine's news in, replies and effects out.
//!
//! Nothing here prints, waits or searches. Whoever runs a session reads commands, carries out its
//! effects in their order, and tells it what the engine says; `END`, a closed input and `YXSTOP`
//! can so be obeyed in mid-search.

mod details;
mod game;
mod question;
mod refusal;
mod settings;
mod task;
#[cfg(test)]
mod tests;

pub use question::{Answer, Question};
pub use task::{Done, Task};

use crate::{News, resident_bytes};
use details::{POINTS_PER_LOGIT, details};
use fivestone_engine::{Limits, Proof, Report, Rng};
use fivestone_formats::gomocup::{
    Command, Convention, Coordinates, Problem, Realtime, Reply, Stone, Swap2Message,
};
use fivestone_game::{Color, OpeningState, Point, PointSet, Size};
use game::{Game, Owner, SetUp};
use refusal::Refusal;
use settings::{MAX_TABLE_EXPONENT, Settings, available_threads};
use std::collections::VecDeque;
use std::time::Instant;
use task::left_of;

/// What is to be done for the manager, in this order.
#[derive(Clone, Debug)]
pub enum Effect {
    /// Say it.
    Say(Reply),
    /// Put the task to the engine; its news go to [`Session::hear`].
    Ask(Box<Task>),
    /// The same for a task that nobody waits for.
    Ponder(Box<Task>),
    /// Ask for the answer of the running task now.
    Stop,
    /// Let the engine forget the game so far. No task is running.
    NewGame,
    /// Leave, whatever is running.
    Exit,
}

/// Everything between the manager and the engine.
pub struct Session {
    search: Option<Search>,
    game: Option<Game>,
    blocked: PointSet,
    settings: Settings,
    convention: Option<Convention>,
    /// What came while the engine was searching, in order.
    queue: VecDeque<Result<Command, Problem>>,
    seeds: Rng,
    /// When the command at hand was asked; the manager's clock runs from then.
    asked: Instant,
    /// What is to be done, until it is handed over.
    effects: Vec<Effect>,
}

/// The task that the engine is at.
struct Search {
    purpose: Purpose,
    /// When to insist on an answer.
    deadline: Option<Instant>,
    unlimited: bool,
}

/// What the answer of the running search is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Move,
    Balance,
    Swap2Board,
    Swap2Step(u8),
    /// Nobody waits for it: the engine thinks on while the opponent does.
    Ponder,
}

/// Commands kept while the engine searches.
const QUEUED: usize = 256;

impl Session {
    /// A session before its first command. Without a convention the manager's greeting decides how
    /// points are numbered.
    pub fn new(convention: Option<Convention>, seed: u64) -> Session {
        Session {
            search: None,
            game: None,
            blocked: PointSet::EMPTY,
            settings: Settings::new(),
            convention,
            queue: VecDeque::new(),
            seeds: Rng::new(seed),
            asked: Instant::now(),
            effects: Vec::new(),
        }
    }

    /// Obeys a command that was read at this time: at once what cannot wait, and everything when
    /// the engine is free; the rest keeps its order behind the running search.
    pub fn obey(&mut self, command: Result<Command, Problem>, read: Instant) -> Vec<Effect> {
        match &self.search {
            None => {
                self.asked = read;
                self.execute(command);
            }
            Some(search) => {
                if search.purpose == Purpose::Ponder && self.queue.is_empty() {
                    self.asked = read;
                }
                self.interrupt(command);
            }
        }
        std::mem::take(&mut self.effects)
    }

    /// Takes in what the engine says about the running task.
    pub fn hear(&mut self, news: News<Done>) -> Vec<Effect> {
        match news {
            News::Report(report) => {
                if self.search.as_ref().is_some_and(|search| search.purpose != Purpose::Ponder) {
                    self.show(&report);
                }
            }
            News::Answered(done) => self.end_search(|session, purpose| {
                session.settings.use_time(done.took);
                session.give(done.answer, purpose);
            }),
            News::Failed(error) => self.end_search(|session, _| session.refuse(error.to_string())),
        }
        std::mem::take(&mut self.effects)
    }

    /// When [`Session::insist`] is due.
    pub fn deadline(&self) -> Option<Instant> {
        self.search.as_ref().and_then(|search| search.deadline)
    }

    /// Ends a search that overstays the manager's clock.
    pub fn insist(&mut self) -> Vec<Effect> {
        self.stop_search();
        std::mem::take(&mut self.effects)
    }

    /// Obeys in mid-search what cannot wait and keeps the rest.
    fn interrupt(&mut self, command: Result<Command, Problem>) {
        match command {
            Ok(Command::End) => self.effects.push(Effect::Exit),
            Ok(Command::Stop) => {
                self.stop_search();
                // It is meant for what was asked last, which may not have begun.
                if self.queue.back().is_some_and(|last| *last != Ok(Command::Stop)) {
                    self.queue.push_back(command);
                }
            }
            command if self.queue.len() < QUEUED => {
                self.queue.push_back(command);
                self.hurry();
            }
            _ => self.refuse("too many commands while thinking".to_owned()),
        }
    }

    /// Gives the result of the search to whoever waits for it, and goes on with what was kept.
    fn end_search(&mut self, give: impl FnOnce(&mut Session, Purpose)) {
        let awaited = self.search.take().map(|search| search.purpose).filter(|&p| p != Purpose::Ponder);
        if let Some(purpose) = awaited {
            give(self, purpose);
            self.asked = Instant::now();
            if purpose == Purpose::Move && self.queue.is_empty() {
                self.ponder();
            }
        }
        self.obey_kept();
    }

    /// Obeys what was kept, up to the next search and the order to stop that one.
    fn obey_kept(&mut self) {
        while let Some(command) = self.queue.pop_front() {
            if self.search.is_some() && command != Ok(Command::Stop) {
                self.queue.push_front(command);
                self.hurry();
                return;
            }
            match command {
                Ok(Command::Stop) => self.stop_search(),
                command => self.execute(command),
            }
        }
    }

    /// Ends a search that keeps commands waiting for nothing: one without end, or one of a game
    /// that another follows.
    fn hurry(&mut self) {
        let new_game = |command: &Result<Command, Problem>| {
            matches!(command, Ok(Command::Start(_) | Command::RectStart(_) | Command::Restart))
        };
        if self.search.as_ref().is_some_and(|search| search.unlimited) || self.queue.iter().any(new_game) {
            self.stop_search();
        }
    }

    fn stop_search(&mut self) {
        if let Some(search) = &mut self.search {
            search.deadline = None;
            self.effects.push(Effect::Stop);
        }
    }

    fn execute(&mut self, command: Result<Command, Problem>) {
        let done = match command {
            Ok(Command::End) => {
                self.effects.push(Effect::Exit);
                Ok(())
            }
            Ok(command) => self.execute_command(command),
            Err(problem @ Problem::Unknown(_)) => {
                self.say(Reply::Unknown(problem.to_string()));
                Ok(())
            }
            Err(problem @ Problem::Malformed(_)) => Err(Refusal::Malformed(problem)),
        };
        if let Err(refusal) = done {
            self.refuse(refusal.to_string());
        }
    }

    fn say(&mut self, reply: Reply) {
        self.effects.push(Effect::Say(reply));
    }

    fn refuse(&mut self, reason: String) {
        self.say(Reply::Error(reason));
    }

    fn execute_command(&mut self, command: Command) -> Result<(), Refusal> {
        if let Some(game) = &mut self.game {
            game.change_rule(self.settings.rule(), self.settings.continuous());
        }
        let reply = match command {
            Command::Start(side) => self.start(side).map(|()| Reply::Ok),
            Command::RectStart(sides) if sides.first == sides.second => {
                self.start(sides.first).map(|()| Reply::Ok)
            }
            Command::RectStart(_) => Err(Refusal::NotSquare),
            Command::Restart => self.restart().map(|()| Reply::Ok),
            Command::TakeBack(at) => self.take_back(at).map(|()| Reply::Ok),
            Command::Play(at) => self.play(at).map(|()| Reply::of_move(at)),
            Command::ShowForbid => self.forbidden_points(),
            Command::About => Ok(about()),
            Command::ShowHashUsage => Ok(self.memory_usage()),
            other => return self.execute_in_silence(other),
        };
        self.say(reply?);
        Ok(())
    }

    /// Commands that are answered by a search or not at all.
    fn execute_in_silence(&mut self, command: Command) -> Result<(), Refusal> {
        match command {
            Command::Begin => self.search_move(1)?,
            Command::Turn(at) => {
                self.play(at)?;
                self.search_move(1)?;
            }
            Command::Board(stones) => {
                self.set_up(&stones)?;
                self.search_move(1)?;
            }
            Command::SetBoard(stones) => self.set_up(&stones)?,
            Command::NBest(lines) => self.search_move(usize::from(lines))?,
            Command::Swap2Board(stones) => self.swap2_board(&stones)?,
            Command::Swap2Step1 => self.swap2_step(1, 0)?,
            Command::Swap2Step2 => self.swap2_step(2, 3)?,
            Command::Swap2Step3 => self.swap2_step(3, 5)?,
            Command::BalanceOne(bias) => self.balance(1, bias)?,
            Command::BalanceTwo(bias) => self.balance(2, bias)?,
            Command::Block(points) => self.change_blocked(&points, PointSet::insert)?,
            Command::BlockUndo(points) => self.change_blocked(&points, PointSet::remove)?,
            Command::BlockReset => self.blocked = PointSet::EMPTY,
            Command::Info(info) => self.settings.apply(&info),
            Command::HashClear => self.effects.push(Effect::NewGame),
            Command::ShowInfo => self.greet_yixin(),
            // Nothing is being searched.
            Command::Stop => {}
            Command::Start(_)
            | Command::RectStart(_)
            | Command::Restart
            | Command::TakeBack(_)
            | Command::Play(_)
            | Command::ShowForbid
            | Command::About
            | Command::ShowHashUsage
            | Command::End => unreachable!("handled before"),
        }
        Ok(())
    }

    fn greet_yixin(&mut self) {
        self.settings.greet_yixin();
        self.say(Reply::Message(format!("INFO MAX_THREAD_NUM {}", available_threads())));
        self.say(Reply::Message(format!("INFO MAX_HASH_SIZE {MAX_TABLE_EXPONENT}")));
    }

    fn restart(&mut self) -> Result<(), Refusal> {
        let side = self.game()?.board().size().side();
        self.start(side as u16)
    }

    fn take_back(&mut self, at: Coordinates) -> Result<(), Refusal> {
        let point = self.point(at)?;
        self.game()?.take_back(point)
    }

    fn play(&mut self, at: Coordinates) -> Result<(), Refusal> {
        let point = self.point(at)?;
        self.game()?.play(point)
    }

    fn start(&mut self, side: u16) -> Result<(), Refusal> {
        let size = Size::new(side.into()).ok_or(Refusal::BadSize)?;
        self.game = Some(Game::new(size, self.settings.rule(), self.settings.continuous()));
        self.blocked = PointSet::EMPTY;
        self.settings.new_game();
        self.effects.push(Effect::NewGame);
        Ok(())
    }

    fn set_up(&mut self, stones: &[Stone]) -> Result<(), Refusal> {
        let mut set_up = SetUp::default();
        for stone in stones {
            let point = self.point(stone.at)?;
            match stone.field {
                1 => set_up.stones.push((point, Owner::Engine)),
                2 => set_up.stones.push((point, Owner::Opponent)),
                _ => set_up.dead.insert(point),
            }
        }
        let board = self.game()?.board();
        let (size, rule) = (board.size(), board.rule());
        self.game = Some(Game::set_up(size, rule, self.settings.continuous(), &set_up)?);
        Ok(())
    }

    fn search_move(&mut self, lines: usize) -> Result<(), Refusal> {
        if let Some(reason) = self.game()?.over() {
            return Err(reason);
        }
        self.search(Question::Move, Purpose::Move, lines)
    }

    fn balance(&mut self, moves: usize, bias: i32) -> Result<(), Refusal> {
        let game = self.game()?;
        if let Some(reason) = game.over() {
            return Err(reason);
        }
        if game.board().empty().difference(game.dead()).len() <= moves {
            return Err(Refusal::TooFullToBalance);
        }
        let target = 1.0 / (1.0 + (-f64::from(bias) / POINTS_PER_LOGIT).exp());
        self.search(Question::Balance { moves, target }, Purpose::Balance, 1)
    }

    fn swap2_board(&mut self, stones: &[Coordinates]) -> Result<(), Refusal> {
        let points: Vec<Point> = stones.iter().map(|&at| self.point(at)).collect::<Result<_, _>>()?;
        self.decide_swap2(&points, Purpose::Swap2Board)
    }

    fn swap2_step(&mut self, step: u8, stones: usize) -> Result<(), Refusal> {
        let board = self.game()?.board();
        if board.stone_count() != stones {
            return Err(Refusal::Swap2Stones(stones));
        }
        let black = board.stones(Color::Black).iter().map(|point| (point, 0));
        let white = board.stones(Color::White).iter().map(|point| (point, 1));
        let mut in_turn: Vec<(usize, Point)> = black
            .enumerate()
            .chain(white.enumerate())
            .map(|(nth, (point, side))| (2 * nth + side, point))
            .collect();
        in_turn.sort_unstable();
        let points: Vec<Point> = in_turn.into_iter().map(|(_, point)| point).collect();
        self.decide_swap2(&points, Purpose::Swap2Step(step))
    }

    fn decide_swap2(&mut self, stones: &[Point], purpose: Purpose) -> Result<(), Refusal> {
        let board = self.game()?.board();
        let state = OpeningState::swap2_with(board.size(), board.rule(), stones);
        let state = Box::new(state.map_err(Refusal::Opening)?);
        let seed = self.seeds.bits();
        self.search(Question::Opening { state, seed }, purpose, 1)
    }

    fn search(&mut self, question: Question, purpose: Purpose, lines: usize) -> Result<(), Refusal> {
        let dead = *self.game()?.dead();
        let limits = self.settings.limits(lines, self.blocked.union(&dead));
        let task = self.task(question, limits)?;
        let deadline = self.settings.deadline().map(|allowed| Instant::now() + left_of(allowed, self.asked));
        self.search = Some(Search { purpose, deadline, unlimited: task.is_unlimited() });
        self.effects.push(Effect::Ask(task));
        Ok(())
    }

    /// Thinks about what the opponent may play, if that is wanted and the game goes on.
    fn ponder(&mut self) {
        let Some(game) = self.game.as_ref().filter(|game| self.settings.pondering && game.over().is_none())
        else {
            return;
        };
        let limits = self.settings.pondering_limits(self.blocked.union(game.dead()));
        if let Ok(task) = self.task(Question::Move, limits) {
            self.search = Some(Search { purpose: Purpose::Ponder, deadline: None, unlimited: true });
            self.effects.push(Effect::Ponder(task));
        }
    }

    fn task(&mut self, question: Question, limits: Limits) -> Result<Box<Task>, Refusal> {
        let asked = self.asked;
        let board = self.game()?.board().clone();
        Ok(Box::new(Task { question, board, limits, asked }))
    }

    /// Makes the answer known.
    fn give(&mut self, answer: Answer, purpose: Purpose) {
        let Ok(size) = self.game().map(|game| game.board().size()) else { return };
        let convention = self.convention();
        let written = |point| convention.coordinates(point, size);
        match (answer, purpose) {
            (Answer::Move(report), _) => {
                self.show(&report);
                let (point, at) = (report.best(), written(report.best()));
                match self.game().and_then(|game| game.play(point)) {
                    Ok(()) => self.say(Reply::of_move(at)),
                    Err(reason) => self.refuse(format!("the engine chose {at}: {reason}")),
                }
            }
            (Answer::Opening { swap, stones }, Purpose::Swap2Step(step)) => {
                self.give_swap2_step(step, swap, &stones, size);
            }
            (Answer::Opening { swap: true, .. }, _) => self.say(Reply::Swap),
            (Answer::Balance(stones) | Answer::Opening { stones, .. }, _) => {
                self.say(Reply::Moves(stones.into_iter().map(written).collect()));
            }
        }
    }

    fn give_swap2_step(&mut self, step: u8, swap: bool, stones: &[Point], size: Size) {
        if step > 1 {
            self.say(Reply::Swap2(Swap2Message::Swap { occasion: step - 1, swap }));
        }
        // After the last choice the manager asks for the move by itself.
        let stones = if step < 3 { stones } else { &[] };
        let first = if step == 1 { 1 } else { 4 };
        for (number, &point) in (first..).zip(stones) {
            let (row, column) = self.convention().row_column(point, size);
            self.say(Reply::Swap2(Swap2Message::Move { number, row, column }));
        }
    }

    /// Shows the state of a search as far as the manager wants to see it.
    fn show(&mut self, report: &Report) {
        let Some(size) = self.game.as_ref().map(|game| game.board().size()) else { return };
        let convention = self.convention();
        let written = |point| convention.coordinates(point, size);
        if self.settings.realtime {
            self.show_realtime(report, &written);
        }
        if self.settings.detail {
            for (index, line) in report.lines.iter().enumerate() {
                let details = details(report, index, line, &written);
                self.effects.extend(details.map(|detail| Effect::Say(Reply::Detail(detail))));
            }
        }
    }

    fn show_realtime(&mut self, report: &Report, written: &dyn Fn(Point) -> Coordinates) {
        let mut mark = |mark| self.say(Reply::Realtime(mark));
        mark(Realtime::Refresh);
        for line in &report.lines {
            let lost = matches!(line.proof, Some(Proof::Loss(_)));
            let at = written(line.point);
            mark(if lost { Realtime::Lost(at) } else { Realtime::Done(at) });
        }
        // The search goes on with the best move that is not decided.
        if let Some(line) = report.lines.iter().find(|line| line.proof.is_none()) {
            mark(Realtime::Pos(written(line.point)));
        }
        mark(Realtime::Best(written(report.best())));
    }

    fn forbidden_points(&mut self) -> Result<Reply, Refusal> {
        let convention = self.convention();
        let board = self.game()?.board();
        let points = board.forbidden_points();
        Ok(Reply::Forbid(points.iter().map(|point| convention.coordinates(point, board.size())).collect()))
    }

    fn memory_usage(&self) -> Reply {
        let allowed = self.settings.memory() >> 20;
        let held = resident_bytes(std::process::id());
        let used = held.map_or(String::new(), |bytes| format!("{} MB used, ", bytes >> 20));
        Reply::Message(format!("HASH USAGE {used}{allowed} MB allowed"))
    }

    fn change_blocked(
        &mut self,
        points: &[Coordinates],
        change: fn(&mut PointSet, Point),
    ) -> Result<(), Refusal> {
        let points: Vec<Point> = points.iter().map(|&at| self.point(at)).collect::<Result<_, _>>()?;
        for point in points {
            change(&mut self.blocked, point);
        }
        Ok(())
    }

    fn convention(&self) -> Convention {
        let detected = if self.settings.yixin() { Convention::RowColumn } else { Convention::ColumnRow };
        self.convention.unwrap_or(detected)
    }

    fn point(&mut self, at: Coordinates) -> Result<Point, Refusal> {
        let convention = self.convention();
        let size = self.game()?.board().size();
        convention.point(at, size).ok_or(Refusal::OffBoard(at, size))
    }

    fn game(&mut self) -> Result<&mut Game, Refusal> {
        self.game.as_mut().ok_or(Refusal::NoGame)
    }
}

fn about() -> Reply {
    let version = env!("CARGO_PKG_VERSION");
    let text = format!(
        r#"name="Fivestone", version="{version}", author="The Fivestone authors", country="International""#
    );
    Reply::About(text)
}
