//! One game, played under a referee that trusts nobody.

use crate::clock::Clock;
use crate::fault::{Fault, FaultKind};
use crate::player::{Answer, Player, Setup, Silence};
use crate::record::MoveRecord;
use crate::spec::EngineSpec;
use crate::stats::Score;
use fivestone_engine::Stop;
use fivestone_game::opening::{self, Decision, Opening, OpeningState};
use fivestone_game::{Board, Color, GameEnd, IllegalMove, Point, Rule, Size};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// When the referee ends a game before its natural end.
#[derive(Clone, Copy, PartialEq, Default, Debug, Serialize, Deserialize)]
pub struct Adjudication {
    /// A game is won when both sides agree on it.
    pub resign: Option<AgreedWin>,
    /// A game is drawn when both sides agree on it.
    pub draw: Option<AgreedDraw>,
    /// A game is drawn after this many moves.
    pub max_moves: Option<usize>,
}

/// Both sides see the same winner.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct AgreedWin {
    /// Moves of each side in a row.
    pub moves: usize,
    /// Win probability that the winner claims at least and the loser admits.
    pub winrate: f64,
}

/// Both sides see an even game.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct AgreedDraw {
    /// Not before this many moves of the game.
    pub after: usize,
    /// Moves of each side in a row.
    pub moves: usize,
    /// How far from 1/2 the win probability may be.
    pub margin: f64,
}

/// How a game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ending {
    /// A winning row.
    Five,
    /// Black played a forbidden point.
    Forbidden,
    /// No empty point left.
    BoardFull,
    /// Both sides agreed on the winner.
    AgreedWin,
    /// Both sides agreed on a draw.
    AgreedDraw,
    /// The game was too long.
    MoveLimit,
    /// The loser did something wrong.
    Fault(Fault),
}

impl Ending {
    /// The reason in a few words.
    pub fn describe(&self) -> String {
        match self {
            Ending::Five => "five in a row".to_owned(),
            Ending::Forbidden => "forbidden move".to_owned(),
            Ending::BoardFull => "board full".to_owned(),
            Ending::AgreedWin => "agreed win".to_owned(),
            Ending::AgreedDraw => "agreed draw".to_owned(),
            Ending::MoveLimit => "move limit".to_owned(),
            Ending::Fault(fault) => fault.to_string(),
        }
    }
}

/// What is needed to play a game.
pub struct Table<'a> {
    /// The rule of play.
    pub rule: Rule,
    /// The board's size.
    pub size: Size,
    /// How the players make the opening themselves.
    pub opening_rule: Opening,
    /// Moves that stand on the board when the clocks start.
    pub opening: &'a [Point],
    /// Ends before the end.
    pub adjudication: Adjudication,
    /// The engine that moves first and the other.
    pub specs: [&'a EngineSpec; 2],
    /// Seeds of the two.
    pub seeds: [u64; 2],
    /// Raised to abandon the game.
    pub stop: &'a Stop,
}

/// A game that was played to an end.
#[derive(Clone, PartialEq, Debug)]
pub struct Played {
    /// Every move, the opening's first.
    pub moves: Vec<MoveRecord>,
    /// Which of the two players was Black at the end.
    pub black: usize,
    /// The result of the first player.
    pub score: Score,
    /// Why it ended.
    pub ending: Ending,
}

/// Plays a game between the first player and the second; nothing when it was abandoned.
pub fn play(table: &Table<'_>, players: [&mut dyn Player; 2]) -> Option<Played> {
    let mut game = Game::new(table);
    let [first, second] = players;
    let mut players = [first, second];
    for (side, player) in players.iter_mut().enumerate() {
        let setup =
            Setup { rule: table.rule, size: table.size, seed: table.seeds[side], clock: game.clocks[side] };
        match player.begin(&setup) {
            Ok(()) => {}
            Err(Silence::Fault(fault)) => return Some(game.lost_by(side, fault)),
            Err(Silence::Stopped) => return None,
        }
    }
    match game.make_opening(&mut players) {
        Ok(()) => {}
        Err(Halt::Ended(played)) => return Some(*played),
        Err(Halt::Stopped) => return None,
    }
    loop {
        if table.stop.raised() {
            return None;
        }
        let side = game.side_to_move();
        let clock = game.clocks[side];
        match players[side].think(&game.board, &clock, table.stop) {
            Err(Silence::Stopped) => return None,
            Err(Silence::Fault(fault)) => return Some(game.lost_by(side, fault)),
            Ok(answer) => {
                if let Some(played) = game.take(side, &answer) {
                    return Some(played);
                }
            }
        }
    }
}

/// Why an opening did not lead to a game.
enum Halt {
    Ended(Box<Played>),
    Stopped,
}

struct Game<'a> {
    table: &'a Table<'a>,
    board: Board,
    clocks: [Clock; 2],
    black: usize,
    moves: Vec<MoveRecord>,
    /// Consecutive own moves in which a side claimed a win, admitted a loss, or saw an even game.
    claims: [[usize; 3]; 2],
}

const CLAIM: usize = 0;
const ADMIT: usize = 1;
const EVEN: usize = 2;

impl<'a> Game<'a> {
    fn new(table: &'a Table<'a>) -> Game<'a> {
        let board = Board::from_moves(table.size, table.rule, table.opening)
            .expect("openings are checked when they are read");
        Game {
            table,
            board,
            clocks: table.specs.map(|spec| Clock::new(spec.time)),
            black: 0,
            moves: table.opening.iter().map(|&point| MoveRecord::of_opening(point)).collect(),
            claims: [[0; 3]; 2],
        }
    }

    /// Lets the players decide the opening; a move that came with the last decision is played.
    fn make_opening(&mut self, players: &mut [&mut dyn Player; 2]) -> Result<(), Halt> {
        if self.table.opening_rule == Opening::Free {
            return Ok(());
        }
        let Table { size, rule, stop, .. } = *self.table;
        let mut state = OpeningState::new(self.table.opening_rule, size, rule);
        let given = self.table.opening.iter().try_for_each(|&point| state.decide(Decision::Place(point)));
        if given.is_err() {
            // A given opening that this one cannot begin with is left aside.
            state = OpeningState::new(self.table.opening_rule, size, rule);
            self.moves.clear();
        }
        while !state.is_over() {
            let side = state.decider().index();
            let answer = match players[side].open(&state, &self.clocks[side], stop) {
                Ok(answer) => answer,
                Err(Silence::Stopped) => return Err(Halt::Stopped),
                Err(Silence::Fault(fault)) => return Err(Halt::Ended(Box::new(self.lost_by(side, fault)))),
            };
            self.clocks[side].spend(answer.elapsed);
            for &decision in &answer.decisions {
                let decided = if state.decider().index() == side {
                    state.decide(decision).map_err(|error| error.to_string())
                } else {
                    Err("it is for the other side to decide".to_owned())
                };
                if let Err(problem) = decided {
                    let fault = Fault::new(FaultKind::IllegalMove, problem);
                    return Err(Halt::Ended(Box::new(self.lost_by(side, fault))));
                }
            }
            let stones = state.board().moves().iter().flatten().skip(self.moves.len());
            let placed: Vec<_> = stones.map(|&point| MoveRecord::of_opening(point)).collect();
            self.moves.extend(placed);
            if state.is_over() {
                let first = state.tentative_color(opening::Player::First);
                self.black = usize::from(first != Color::Black);
                self.board = state.board().clone();
                if let Some(point) = answer.first_move {
                    let (elapsed, winrate, visits, depth) = (Duration::ZERO, None, None, None);
                    let answer = Answer { point, elapsed, winrate, visits, depth };
                    if let Some(played) = self.take(side, &answer) {
                        return Err(Halt::Ended(Box::new(played)));
                    }
                }
            }
        }
        Ok(())
    }

    fn side_to_move(&self) -> usize {
        if self.board.to_move() == Color::Black { self.black } else { 1 - self.black }
    }

    fn end(&mut self, winner: Option<usize>, ending: Ending) -> Played {
        let score = match winner {
            Some(0) => Score::Win,
            Some(_) => Score::Loss,
            None => Score::Draw,
        };
        Played { moves: std::mem::take(&mut self.moves), black: self.black, score, ending }
    }

    fn lost_by(&mut self, side: usize, fault: Fault) -> Played {
        self.end(Some(1 - side), Ending::Fault(fault))
    }

    /// Plays an answer; the finished game if that ended it.
    fn take(&mut self, side: usize, answer: &Answer) -> Option<Played> {
        let name = || answer.point.name(self.table.size);
        let end = match self.board.play(answer.point) {
            Ok(end) => end,
            Err(IllegalMove::Occupied) => {
                let detail = format!("{} is occupied", name());
                return Some(self.lost_by(side, Fault::new(FaultKind::Occupied, detail)));
            }
            Err(error) => {
                return Some(self.lost_by(side, Fault::new(FaultKind::IllegalMove, error.to_string())));
            }
        };
        self.clocks[side].spend(answer.elapsed);
        self.moves.push(MoveRecord::of_answer(answer));
        match end {
            Some(GameEnd::Five(_)) => return Some(self.end(Some(side), Ending::Five)),
            Some(GameEnd::Forbidden(_)) => return Some(self.end(Some(1 - side), Ending::Forbidden)),
            Some(GameEnd::Draw) => return Some(self.end(None, Ending::BoardFull)),
            None => {}
        }
        self.adjudicate(side, answer.winrate)
    }

    fn adjudicate(&mut self, side: usize, winrate: Option<f64>) -> Option<Played> {
        let rules = self.table.adjudication;
        let claims = &mut self.claims[side];
        let mut count = |what: usize, holds: bool| claims[what] = if holds { claims[what] + 1 } else { 0 };
        if let Some(resign) = rules.resign {
            count(CLAIM, winrate.is_some_and(|p| p >= resign.winrate));
            count(ADMIT, winrate.is_some_and(|p| p <= 1.0 - resign.winrate));
        }
        if let Some(draw) = rules.draw {
            count(EVEN, winrate.is_some_and(|p| (p - 0.5).abs() <= draw.margin));
        }
        if let Some(resign) = rules.resign {
            for winner in [side, 1 - side] {
                let agreed = self.claims[winner][CLAIM].min(self.claims[1 - winner][ADMIT]);
                if agreed >= resign.moves {
                    return Some(self.end(Some(winner), Ending::AgreedWin));
                }
            }
        }
        if let Some(draw) = rules.draw {
            let even = self.claims[0][EVEN].min(self.claims[1][EVEN]);
            if self.moves.len() >= draw.after && even >= draw.moves {
                return Some(self.end(None, Ending::AgreedDraw));
            }
        }
        let too_long = rules.max_moves.is_some_and(|most| self.moves.len() >= most);
        too_long.then(|| self.end(None, Ending::MoveLimit))
    }
}
