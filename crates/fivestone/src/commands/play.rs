//! `fivestone play`: a game in the terminal.

mod save;
mod table;

use crate::arguments::{EngineArguments, GameArguments};
use anyhow::{Result, anyhow, bail};
use clap::Args;
use fivestone_engine::{Engine, Limits, Rng, Stop, opening};
use fivestone_game::opening::{Decision, Player, Task};
use fivestone_game::{Color, Opening, Point, PointSet};
use std::io::{self, BufRead, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};
use table::Table;

/// Play against an engine in the terminal.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Play {
    #[command(flatten)]
    game: GameArguments,
    /// How the game begins: free, pro, long-pro, swap, swap2 or soosorv-8.
    #[arg(long, default_value = "free")]
    opening: Opening,
    /// Let the engine be the first player.
    #[arg(long)]
    engine_first: bool,
    #[command(flatten)]
    engine: EngineArguments,
    /// Seed of the stones with which the engine begins a game [default: different each time].
    #[arg(long)]
    seed: Option<u64>,
}

const EXAMPLES: &str = "Moves are written h8: letters from the left, numbers from the bottom. Type help during the game for what else
there is: undo, hint, save, resign. Standard input may be a file or a pipe.

Examples:
  fivestone play
  fivestone play --rule renju --opening soosorv-8 --time 3s
  fivestone play --rule standard --opening swap2 --engine-first
  printf 'h8\\nhint\\nsave game.sgf\\n' | fivestone play --engine mcts-basic --visits 20000";

const HELP: &str = "  h8            play a move (or put a stone of the opening)
  black, white  take a side; add: put two more stones (swap2); a number: declare fifth moves (soosorv-8)
  undo          take your last move back, and what followed it
  hint          what the engine would do
  board         draw the board again
  save FILE     write the game: FILE.sgf as SGF, anything else as text
  resign, quit, help";

/// What a person types.
enum Typed {
    Point(Point),
    Decision(Decision),
    Undo,
    Hint,
    Board,
    Save(String),
    Resign,
    Help,
    Quit,
}

struct Match<'a> {
    table: Table,
    person: Player,
    engine: Box<dyn Engine>,
    limits: Limits,
    rng: Rng,
    out: &'a mut dyn Write,
}

impl Play {
    pub fn run(self) -> Result<()> {
        let clock = || SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos() as u64);
        let mut out = io::stdout().lock();
        let mut game = Match {
            table: Table::new(self.opening, self.game.size, self.game.rule),
            person: if self.engine_first { Player::Second } else { Player::First },
            engine: self.engine.build(self.game)?,
            limits: self.engine.limits(3),
            rng: Rng::new(self.seed.unwrap_or_else(clock)),
            out: &mut out,
        };
        game.greet()?;
        game.run(&mut io::stdin().lock())
    }
}

impl Match<'_> {
    fn greet(&mut self) -> Result<()> {
        let board = self.table.board();
        let opening = self.table.opening().opening();
        let (size, rule, engine) = (board.size(), board.rule(), self.engine.name());
        writeln!(self.out, "Fivestone: {rule} on {size}x{size} against {engine}. You are {}.", self.person)?;
        writeln!(self.out, "Opening {opening}: {}.", opening.description())?;
        writeln!(self.out, "Type a move such as h8, or help.\n")?;
        Ok(())
    }

    fn run(&mut self, input: &mut dyn BufRead) -> Result<()> {
        let mut shown = None;
        loop {
            let stones = self.table.board().stone_count();
            if shown != Some(stones) && (self.is_over() || self.table.turn() == self.person) {
                self.draw()?;
                shown = Some(stones);
            }
            let over = self.is_over();
            if over {
                self.announce_result()?;
            } else if self.table.turn() != self.person {
                self.engine_acts()?;
                continue;
            } else {
                self.announce_task()?;
            }
            let mut line = String::new();
            if read_line(input, &mut line)? == 0 {
                writeln!(self.out)?;
                return Ok(());
            }
            match self.obey(&line) {
                Ok(true) => {}
                Ok(false) => return Ok(()),
                Err(error) if error.is::<io::Error>() => return Err(error),
                Err(error) => writeln!(self.out, "{error:#}")?,
            }
            // An undo and what the engine then does may leave as many stones as there were.
            if line.trim().eq_ignore_ascii_case("undo") {
                shown = None;
            }
        }
    }

    fn is_over(&self) -> bool {
        self.table.end().is_some() || self.table.resigned().is_some()
    }

    /// Does what was typed; false to leave.
    fn obey(&mut self, line: &str) -> Result<bool> {
        if line.trim().is_empty() {
            return Ok(true);
        }
        let typed = self.understand(line.trim())?;
        let acts = matches!(typed, Typed::Point(_) | Typed::Decision(_) | Typed::Hint | Typed::Resign);
        if acts && self.is_over() {
            bail!("the game is over: undo, save FILE or quit");
        }
        match typed {
            Typed::Point(point) => self.table.place(point)?,
            Typed::Decision(decision) => self.table.decide(decision)?,
            Typed::Undo if self.table.take_back(self.person) => writeln!(self.out, "Taken back.")?,
            Typed::Undo => bail!("there is nothing of yours to take back"),
            Typed::Hint => self.hint()?,
            Typed::Board => self.draw()?,
            Typed::Save(path) => self.save(&path)?,
            Typed::Resign => self.table.resign(),
            Typed::Help => writeln!(self.out, "{HELP}")?,
            Typed::Quit => return Ok(false),
        }
        Ok(true)
    }

    fn understand(&self, line: &str) -> Result<Typed> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        Ok(match word.to_ascii_lowercase().as_str() {
            "undo" | "u" => Typed::Undo,
            "hint" => Typed::Hint,
            "board" => Typed::Board,
            "save" if rest.trim().is_empty() => bail!("save where? (save game.sgf)"),
            "save" => Typed::Save(rest.trim().to_owned()),
            "resign" => Typed::Resign,
            "help" | "?" => Typed::Help,
            "quit" | "exit" | "q" => Typed::Quit,
            "black" => Typed::Decision(Decision::Take(Color::Black)),
            "white" => Typed::Decision(Decision::Take(Color::White)),
            "add" => Typed::Decision(Decision::AddTwo),
            number if number.bytes().all(|byte| byte.is_ascii_digit()) => {
                let count = number.parse().map_err(|_| anyhow!("{number} is too large a number"))?;
                Typed::Decision(Decision::Declare(count))
            }
            _ => Typed::Point(
                Point::parse(line, self.table.board().size())
                    .map_err(|error| anyhow!("{error}; type help for the other words"))?,
            ),
        })
    }

    fn engine_acts(&mut self) -> Result<()> {
        let size = self.table.board().size();
        let name = self.engine.name();
        if matches!(self.table.task(), Task::Play) {
            let report = self.engine.think(self.table.board(), &self.limits, &Stop::new(), &mut |_| {});
            let (point, winrate) = (report.best(), report.winrate() * 100.0);
            self.table.place(point)?;
            writeln!(self.out, "{name} plays {} (sees itself winning {winrate:.0} %)", point.name(size))?;
            return Ok(());
        }
        let stop = Stop::new();
        let decision =
            opening::decide(self.engine.as_mut(), self.table.opening(), &self.limits, &stop, &mut self.rng);
        writeln!(self.out, "{name} {}", self.in_words(decision))?;
        self.table.decide(decision)
    }

    /// A decision of the engine, said before it is carried out.
    fn in_words(&self, decision: Decision) -> String {
        let size = self.table.board().size();
        match (decision, self.table.task()) {
            (Decision::Place(point), Task::OfferFifth { .. }) => {
                format!("offers {} as the fifth move", point.name(size))
            }
            (Decision::Place(point), Task::PickFifth { .. }) => {
                format!("picks {} as the fifth move", point.name(size))
            }
            (Decision::Place(point), _) => {
                let color = if self.table.board().to_move() == Color::Black { "black" } else { "white" };
                format!("puts a {color} stone on {}", point.name(size))
            }
            (Decision::Take(color), _) => format!("takes {color}; you have {}", !color),
            (Decision::AddTwo, _) => "adds a white and a black stone; then you choose a side".to_owned(),
            (Decision::Declare(count), _) => format!("declares {count} fifth moves"),
        }
    }

    fn hint(&mut self) -> Result<()> {
        if !matches!(self.table.task(), Task::Play) {
            let stop = Stop::new();
            let state = self.table.opening();
            let decision = opening::decide(self.engine.as_mut(), state, &self.limits, &stop, &mut self.rng);
            let words = match decision {
                Decision::Place(point) => point.name(state.board().size()),
                Decision::Take(color) => color.to_string().to_lowercase(),
                Decision::AddTwo => "add".to_owned(),
                Decision::Declare(count) => count.to_string(),
            };
            writeln!(self.out, "Hint: {words}")?;
            return Ok(());
        }
        let board = self.table.board();
        let report = self.engine.think(board, &self.limits, &Stop::new(), &mut |_| {});
        let pv: Vec<String> = report.lines[0].pv.iter().map(|point| point.name(board.size())).collect();
        writeln!(self.out, "Hint: {} (win rate {:.0} %)", pv.join(" "), report.winrate() * 100.0)?;
        Ok(())
    }

    fn save(&mut self, path: &str) -> Result<()> {
        let mut names = [self.engine.name(); 2];
        names[self.person.index()] = "You";
        save::save(&self.table, names, Path::new(path))?;
        writeln!(self.out, "Saved to {path}.")?;
        Ok(())
    }

    /// Stones x and o, the last one as X or O; # where Black may not play; ? an offered fifth move.
    fn draw(&mut self) -> Result<()> {
        let board = self.table.board();
        let blacks_turn = board.to_move() == Color::Black && board.end().is_none();
        let forbidden = if blacks_turn { board.forbidden_points() } else { PointSet::EMPTY };
        let offers = self.table.opening().offers();
        let offered = |point| !self.table.opening().is_over() && offers.contains(&point);
        let text = board.draw(|point| match board.stone(point) {
            Some(Color::Black) => {
                if board.last_move() == Some(point) {
                    'X'
                } else {
                    'x'
                }
            }
            Some(Color::White) => {
                if board.last_move() == Some(point) {
                    'O'
                } else {
                    'o'
                }
            }
            None if offered(point) => '?',
            None if forbidden.contains(point) => '#',
            None => '.',
        });
        writeln!(self.out, "\n{text}")?;
        if !forbidden.is_empty() {
            writeln!(self.out, "# is forbidden to Black: playing there loses.")?;
        }
        Ok(())
    }

    fn announce_task(&mut self) -> Result<()> {
        let board = self.table.board();
        match self.table.task() {
            Task::Play => {
                let color = board.to_move();
                write!(self.out, "{color} to move, that is you> ")?;
            }
            Task::Swap2Choice => {
                writeln!(
                    self.out,
                    "Swap2: three stones stand, White is to move. Take white (and move), take black,"
                )?;
                write!(
                    self.out,
                    "or add a white and a black stone and let {} choose (white, black, add)> ",
                    self.engine.name()
                )?;
            }
            Task::ChooseColor => {
                let color = board.to_move();
                writeln!(self.out, "Choose the side you want from this position; {color} is to move.")?;
                write!(self.out, "(black, white)> ")?;
            }
            Task::PickFifth { offers } => {
                let names: Vec<String> = offers.iter().map(|point| point.name(board.size())).collect();
                write!(self.out, "Pick Black's fifth move out of {}> ", names.join(", "))?;
            }
            task => write!(self.out, "Opening: {task}> ")?,
        }
        self.out.flush()?;
        Ok(())
    }

    fn announce_result(&mut self) -> Result<()> {
        if let Some(loser) = self.table.resigned() {
            let words = if loser == self.person { "You resigned." } else { "The engine resigned." };
            writeln!(self.out, "{words}")?;
        } else if let Some(end) = self.table.end() {
            let yours = end.winner().map(|color| self.table.color(self.person) == Some(color));
            let comment = match yours {
                Some(true) => "You win!",
                Some(false) => "You lose.",
                None => "Nobody wins.",
            };
            writeln!(self.out, "Game over: {end}. {comment}")?;
        }
        write!(self.out, "(undo, save FILE, quit)> ")?;
        self.out.flush()?;
        Ok(())
    }
}

/// Reads a line of any bytes; more than a person types is cut off, so that no input can fill the memory.
fn read_line(input: &mut dyn BufRead, line: &mut String) -> io::Result<usize> {
    const LONGEST: u64 = 4096;
    let mut bytes = Vec::new();
    let count = io::Read::take(&mut *input, LONGEST).read_until(b'\n', &mut bytes)?;
    line.push_str(&String::from_utf8_lossy(&bytes));
    Ok(count)
}
