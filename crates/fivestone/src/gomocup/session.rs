//! The loop that hears commands and searches, and answers.

use super::Heard;
use super::answers::{Answer, Question};
use super::details::{POINTS_PER_LOGIT, details};
use super::game::{Game, Owner, SetUp};
use super::search::{Clock, News, Search};
use super::settings::{MAX_TABLE_EXPONENT, Settings, available_threads};
use anyhow::Result;
use fivestone_engine::{Engine, Proof, Report, Rng};
use fivestone_formats::gomocup::{
    Command, Convention, Coordinates, Problem, Realtime, Reply, Stone, Swap2Message,
};
use fivestone_game::{Color, OpeningState, Point, PointSet, Size};
use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender};
use std::time::Instant;

/// Everything between the manager and the engine.
pub struct Session {
    /// Away while it searches.
    engine: Option<Box<dyn Engine>>,
    search: Option<(Search, Purpose)>,
    game: Option<Game>,
    blocked: PointSet,
    settings: Settings,
    convention: Option<Convention>,
    /// What came while the engine was searching, in order.
    queue: VecDeque<Result<Command, Problem>>,
    to_loop: SyncSender<Heard>,
    seeds: Rng,
    /// When the command at hand was asked; the manager's clock runs from then.
    asked: Instant,
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

/// Whether the session goes on.
#[derive(PartialEq, Eq)]
enum Next {
    Listen,
    Exit,
}

impl Session {
    pub fn new(
        engine: Box<dyn Engine>,
        convention: Option<Convention>,
        to_loop: SyncSender<Heard>,
        seed: u64,
    ) -> Session {
        Session {
            engine: Some(engine),
            search: None,
            game: None,
            blocked: PointSet::EMPTY,
            settings: Settings::new(),
            convention,
            queue: VecDeque::new(),
            to_loop,
            seeds: Rng::new(seed),
            asked: Instant::now(),
        }
    }

    /// Serves the manager until it says `END` or goes away.
    pub fn run(&mut self, heard: &Receiver<Heard>) -> Result<()> {
        loop {
            let patience = self.search.as_ref().and_then(|(search, _)| search.patience());
            let message = match patience {
                Some(patience) => heard.recv_timeout(patience),
                None => heard.recv().map_err(|_| RecvTimeoutError::Disconnected),
            };
            let next = match message {
                Ok(Heard::Input(input, read)) => self.hear(input, read)?,
                Ok(Heard::Search(news)) => self.hear_search(news)?,
                Err(RecvTimeoutError::Timeout) => {
                    self.stop_search();
                    Next::Listen
                }
                Ok(Heard::InputClosed) | Err(RecvTimeoutError::Disconnected) => Next::Exit,
            };
            if next == Next::Exit {
                return Ok(());
            }
        }
    }

    /// Obeys at once what cannot wait; everything else keeps its order behind a running search.
    fn hear(&mut self, input: Result<Command, Problem>, read: Instant) -> Result<Next> {
        let Some((search, purpose)) = &self.search else {
            self.asked = read;
            return self.obey(input);
        };
        let pondering = *purpose == Purpose::Ponder;
        if pondering && self.queue.is_empty() {
            self.asked = read;
        }
        match input {
            Ok(Command::End) => return Ok(Next::Exit),
            Ok(Command::Stop) => self.stop_search(),
            input if self.queue.len() < QUEUED => {
                let new_game =
                    matches!(input, Ok(Command::Start(_) | Command::RectStart(_) | Command::Restart));
                let endless = search.unlimited();
                self.queue.push_back(input);
                if new_game || endless {
                    self.stop_search();
                }
            }
            _ => say(&Reply::Error("too many commands while thinking".to_owned()))?,
        }
        Ok(Next::Listen)
    }

    fn hear_search(&mut self, news: News) -> Result<Next> {
        match news {
            News::Report(report) => {
                if self.search.as_ref().is_some_and(|(_, purpose)| *purpose != Purpose::Ponder) {
                    self.show(&report)?;
                }
            }
            News::Finished { engine, answer, took } => {
                self.engine = Some(engine);
                let purpose = self.search.take().map(|(_, purpose)| purpose);
                if let Some(purpose) = purpose.filter(|&purpose| purpose != Purpose::Ponder) {
                    self.settings.use_time(took);
                    self.give(answer, purpose)?;
                    self.asked = Instant::now();
                    if purpose == Purpose::Move && self.queue.is_empty() {
                        self.ponder();
                    }
                }
                while self.search.is_none() {
                    let Some(input) = self.queue.pop_front() else { break };
                    if self.obey(input)? == Next::Exit {
                        return Ok(Next::Exit);
                    }
                }
            }
        }
        Ok(Next::Listen)
    }

    fn stop_search(&mut self) {
        if let Some((search, _)) = &mut self.search {
            search.stop();
        }
    }

    fn obey(&mut self, input: Result<Command, Problem>) -> Result<Next> {
        match input {
            Ok(Command::End) => return Ok(Next::Exit),
            Ok(command) => {
                if let Err(reason) = self.execute(command)? {
                    say(&Reply::Error(reason))?;
                }
            }
            Err(problem @ Problem::Unknown(_)) => say(&Reply::Unknown(problem.to_string()))?,
            Err(problem @ Problem::Malformed(_)) => say(&Reply::Error(problem.to_string()))?,
        }
        Ok(Next::Listen)
    }

    /// The outer error is the output's, the inner one the manager's.
    fn execute(&mut self, command: Command) -> Result<Result<(), String>> {
        if let Some(game) = &mut self.game {
            game.change_rule(self.settings.rule(), self.settings.continuous());
        }
        let done = match command {
            Command::Start(side) => self.start(side),
            Command::RectStart(sides) if sides.first == sides.second => self.start(sides.first),
            Command::RectStart(_) => Err("only square boards are supported".to_owned()),
            Command::Restart => match self.game().map(|game| game.board().size().side()) {
                Ok(side) => self.start(side as u16),
                Err(reason) => Err(reason),
            },
            Command::TakeBack(at) => self.point(at).and_then(|point| self.game()?.take_back(point)),
            Command::Play(at) => {
                let played = self.point(at).and_then(|point| self.game()?.play(point));
                if played.is_ok() {
                    say(&Reply::of_move(at))?;
                }
                return Ok(played);
            }
            other => return self.execute_without_ok(other),
        };
        if done.is_ok() {
            say(&Reply::Ok)?;
        }
        Ok(done)
    }

    fn execute_without_ok(&mut self, command: Command) -> Result<Result<(), String>> {
        let result = match command {
            Command::Begin => self.search_move(1),
            Command::Turn(at) => {
                self.point(at).and_then(|point| self.game()?.play(point)).and_then(|()| self.search_move(1))
            }
            Command::Board(stones) => self.set_up(&stones).and_then(|()| self.search_move(1)),
            Command::SetBoard(stones) => self.set_up(&stones),
            Command::NBest(lines) => self.search_move(usize::from(lines)),
            Command::Swap2Board(stones) => self.swap2_board(&stones),
            Command::Swap2Step1 => self.swap2_step(1, 0),
            Command::Swap2Step2 => self.swap2_step(2, 3),
            Command::Swap2Step3 => self.swap2_step(3, 5),
            Command::BalanceOne(bias) => self.balance(1, bias),
            Command::BalanceTwo(bias) => self.balance(2, bias),
            Command::Block(points) => self.change_blocked(&points, PointSet::insert),
            Command::BlockUndo(points) => self.change_blocked(&points, PointSet::remove),
            Command::BlockReset => {
                self.blocked = PointSet::EMPTY;
                Ok(())
            }
            Command::Info(info) => {
                self.settings.apply(&info);
                Ok(())
            }
            Command::HashClear => {
                self.engine().new_game();
                Ok(())
            }
            Command::ShowForbid => {
                return match self.forbidden_points() {
                    Ok(reply) => say(&reply).map(Ok),
                    Err(reason) => Ok(Err(reason)),
                };
            }
            Command::About => return say(&about()).map(Ok),
            Command::ShowInfo => {
                self.settings.greet_yixin();
                say(&Reply::Message(format!("INFO MAX_THREAD_NUM {}", available_threads())))?;
                return say(&Reply::Message(format!("INFO MAX_HASH_SIZE {MAX_TABLE_EXPONENT}"))).map(Ok);
            }
            Command::ShowHashUsage => return say(&self.memory_usage()).map(Ok),
            // Nothing is being searched.
            Command::Stop => Ok(()),
            Command::Start(_)
            | Command::RectStart(_)
            | Command::Restart
            | Command::TakeBack(_)
            | Command::Play(_)
            | Command::End => unreachable!("handled before"),
        };
        Ok(result)
    }

    fn start(&mut self, side: u16) -> Result<(), String> {
        let size = Size::new(side.into())
            .ok_or_else(|| format!("boards of {} to {} points a side are supported", Size::MIN, Size::MAX))?;
        self.game = Some(Game::new(size, self.settings.rule(), self.settings.continuous()));
        self.blocked = PointSet::EMPTY;
        self.settings.new_game();
        self.engine().new_game();
        Ok(())
    }

    fn set_up(&mut self, stones: &[Stone]) -> Result<(), String> {
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

    fn search_move(&mut self, lines: usize) -> Result<(), String> {
        if let Some(reason) = self.game()?.over() {
            return Err(reason);
        }
        self.search(Question::Move, Purpose::Move, lines)
    }

    fn balance(&mut self, moves: usize, bias: i32) -> Result<(), String> {
        let game = self.game()?;
        if let Some(reason) = game.over() {
            return Err(reason);
        }
        if game.board().empty().difference(game.dead()).len() <= moves {
            return Err("the board is too full to balance".to_owned());
        }
        let target = 1.0 / (1.0 + (-f64::from(bias) / POINTS_PER_LOGIT).exp());
        self.search(Question::Balance { moves, target }, Purpose::Balance, 1)
    }

    fn swap2_board(&mut self, stones: &[Coordinates]) -> Result<(), String> {
        let points: Vec<Point> = stones.iter().map(|&at| self.point(at)).collect::<Result<_, _>>()?;
        self.decide_swap2(&points, Purpose::Swap2Board)
    }

    fn swap2_step(&mut self, step: u8, stones: usize) -> Result<(), String> {
        let board = self.game()?.board();
        if board.stone_count() != stones {
            return Err(format!("this step of swap2 needs {stones} stones on the board"));
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

    fn decide_swap2(&mut self, stones: &[Point], purpose: Purpose) -> Result<(), String> {
        let board = self.game()?.board();
        let state = OpeningState::swap2_with(board.size(), board.rule(), stones);
        let state = Box::new(state.map_err(|error| error.to_string())?);
        let seed = self.seeds.bits();
        self.search(Question::Opening { state, seed }, purpose, 1)
    }

    fn search(&mut self, question: Question, purpose: Purpose, lines: usize) -> Result<(), String> {
        let game = self.game()?;
        let (board, dead) = (game.board().clone(), *game.dead());
        let limits = self.settings.limits(lines, self.blocked.union(&dead));
        let engine = self.engine.take().expect("one search at a time");
        let clock = Clock { asked: self.asked, allowed: self.settings.deadline() };
        let search = Search::start(engine, question, board, limits, clock, self.to_loop.clone())
            .map_err(|error| format!("no thread to search on: {error}"))?;
        self.search = Some((search, purpose));
        Ok(())
    }

    /// Thinks about what the opponent may play, if that is wanted and the game goes on.
    fn ponder(&mut self) {
        let Some(game) = self.game.as_mut().filter(|game| self.settings.pondering && game.over().is_none())
        else {
            return;
        };
        let board = game.board().clone();
        let limits = self.settings.pondering_limits(self.blocked.union(game.dead()));
        let Some(engine) = self.engine.take() else { return };
        let clock = Clock { asked: self.asked, allowed: None };
        // Without a thread to think on there is no harm done, but the engine went with it.
        match Search::start(engine, Question::Move, board, limits, clock, self.to_loop.clone()) {
            Ok(search) => self.search = Some((search, Purpose::Ponder)),
            Err(_) => self.engine = fivestone_engine::build(fivestone_engine::DEFAULT_ENGINE, []).ok(),
        }
    }

    /// Makes the answer known.
    fn give(&mut self, answer: Answer, purpose: Purpose) -> Result<()> {
        let Ok(size) = self.game().map(|game| game.board().size()) else { return Ok(()) };
        let written = |session: &Session, point| session.convention().coordinates(point, size);
        match (answer, purpose) {
            (Answer::Move(report), _) => {
                self.show(&report)?;
                let point = report.best();
                let at = written(self, point);
                if let Err(reason) = self.game().and_then(|game| game.play(point)) {
                    return say(&Reply::Error(format!("the engine chose {at}: {reason}")));
                }
                say(&Reply::of_move(at))
            }
            (Answer::Balance(points), _) => {
                say(&Reply::Moves(points.into_iter().map(|point| written(self, point)).collect()))
            }
            (Answer::Opening { swap, stones }, Purpose::Swap2Step(step)) => {
                self.give_swap2_step(step, swap, &stones, size)
            }
            (Answer::Opening { swap: true, .. }, _) => say(&Reply::Swap),
            (Answer::Opening { stones, .. }, _) => {
                say(&Reply::Moves(stones.into_iter().map(|point| written(self, point)).collect()))
            }
        }
    }

    fn give_swap2_step(&self, step: u8, swap: bool, stones: &[Point], size: Size) -> Result<()> {
        if step > 1 {
            say(&Reply::Swap2(Swap2Message::Swap { occasion: step - 1, swap }))?;
        }
        // After the last choice the manager asks for the move by itself.
        let stones = if step < 3 { stones } else { &[] };
        let first = if step == 1 { 1 } else { 4 };
        for (number, &point) in (first..).zip(stones) {
            let (row, column) = self.convention().row_column(point, size);
            say(&Reply::Swap2(Swap2Message::Move { number, row, column }))?;
        }
        Ok(())
    }

    /// Shows the state of a search as far as the manager wants to see it.
    fn show(&self, report: &Report) -> Result<()> {
        let Some(game) = &self.game else { return Ok(()) };
        let size = game.board().size();
        let written = |point| self.convention().coordinates(point, size);
        if self.settings.realtime {
            say(&Reply::Realtime(Realtime::Refresh))?;
            for line in &report.lines {
                let lost = matches!(line.proof, Some(Proof::Loss(_)));
                let mark = if lost { Realtime::Lost } else { Realtime::Done };
                say(&Reply::Realtime(mark(written(line.point))))?;
            }
            // The search goes on with the best move that is not decided.
            if let Some(line) = report.lines.iter().find(|line| line.proof.is_none()) {
                say(&Reply::Realtime(Realtime::Pos(written(line.point))))?;
            }
            say(&Reply::Realtime(Realtime::Best(written(report.best()))))?;
        }
        if self.settings.detail {
            for (index, line) in report.lines.iter().enumerate() {
                for detail in details(report, index, line, &written) {
                    say(&Reply::Detail(detail))?;
                }
            }
        }
        Ok(())
    }

    fn forbidden_points(&mut self) -> Result<Reply, String> {
        let convention = self.convention();
        let board = self.game()?.board();
        let points = board.forbidden_points();
        Ok(Reply::Forbid(points.iter().map(|point| convention.coordinates(point, board.size())).collect()))
    }

    fn memory_usage(&self) -> Reply {
        let allowed = self.settings.memory() >> 20;
        let used = resident_bytes().map_or(String::new(), |bytes| format!("{} MB used, ", bytes >> 20));
        Reply::Message(format!("HASH USAGE {used}{allowed} MB allowed"))
    }

    fn change_blocked(
        &mut self,
        points: &[Coordinates],
        change: fn(&mut PointSet, Point),
    ) -> Result<(), String> {
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

    fn point(&mut self, at: Coordinates) -> Result<Point, String> {
        let convention = self.convention();
        let size = self.game()?.board().size();
        convention.point(at, size).ok_or_else(|| format!("{at} is off the {size}x{size} board"))
    }

    fn game(&mut self) -> Result<&mut Game, String> {
        self.game.as_mut().ok_or_else(|| "no game has been started (START 15)".to_owned())
    }

    fn engine(&mut self) -> &mut dyn Engine {
        self.engine.as_mut().expect("commands wait while the engine searches").as_mut()
    }
}

fn about() -> Reply {
    let version = env!("CARGO_PKG_VERSION");
    let text = format!(
        r#"name="Fivestone", version="{version}", author="The Fivestone authors", country="International""#
    );
    Reply::About(text)
}

/// Memory the process holds, where the system tells.
fn resident_bytes() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    let kb: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kb << 10)
}

fn say(reply: &Reply) -> Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{reply}")?;
    out.flush()?;
    Ok(())
}
