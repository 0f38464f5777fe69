//! A light board that replays games: whose turn, what is occupied, who made five. It knows no patterns and no
//! forbidden points: records may go on after a foul that nobody claimed.

use crate::problem::{Fault, Flaw};
use crate::record::{MOST_PLIES, Record, Turn, side_to_move};
use fivestone_game::{Color, GRID, Point, Rule, STRIDE, Size, Winning};

const EMPTY: u8 = 0;
const OUTSIDE: u8 = 3;

/// A position on the way through a game.
#[derive(Clone)]
pub struct Replay {
    size: Size,
    winning: [Winning; 2],
    cells: Box<[u8; GRID]>,
    turns: Vec<Turn>,
    stones: usize,
    /// The ply that made five, from 1, and who did.
    five: Option<(usize, Color)>,
}

impl Replay {
    /// The empty board. Without a rule only a row that wins under every rule ends the game.
    pub fn new(size: Size, rule: Option<Rule>) -> Replay {
        let winning =
            Color::BOTH.map(|color| rule.map_or(Winning::UnblockedFive, |rule| rule.winning(color)));
        let mut cells = Box::new([OUTSIDE; GRID]);
        for point in size.points() {
            cells[point.index()] = EMPTY;
        }
        Replay { size, winning, cells, turns: Vec::new(), stones: 0, five: None }
    }

    /// Back to the empty board, for a new game.
    pub fn restart(&mut self, size: Size, rule: Option<Rule>) {
        if size == self.size {
            for turn in self.turns.drain(..).flatten() {
                self.cells[turn.index()] = EMPTY;
            }
            self.winning =
                Color::BOTH.map(|color| rule.map_or(Winning::UnblockedFive, |rule| rule.winning(color)));
            self.stones = 0;
            self.five = None;
        } else {
            *self = Replay::new(size, rule);
        }
    }

    /// The board's size.
    pub fn size(&self) -> Size {
        self.size
    }

    /// Whose turn it is.
    pub fn to_move(&self) -> Color {
        side_to_move(self.turns.len())
    }

    /// The plies so far.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// Who stands on a point.
    pub fn stone(&self, point: Point) -> Option<Color> {
        match self.cells[point.index()] {
            1 => Some(Color::Black),
            2 => Some(Color::White),
            _ => None,
        }
    }

    /// Who has made five.
    pub fn winner(&self) -> Option<Color> {
        self.five.map(|(_, color)| color)
    }

    /// Whether every cell is occupied.
    pub fn is_full(&self) -> bool {
        self.stones == self.size.cells()
    }

    /// Plays a stone or a pass.
    pub fn play(&mut self, turn: Turn) -> Result<(), Fault> {
        if self.turns.len() >= MOST_PLIES {
            return Err(Fault::TooLarge("more plies than any game has"));
        }
        let Some(point) = turn else {
            self.turns.push(None);
            return Ok(());
        };
        match self.cells[point.index()] {
            EMPTY => {}
            OUTSIDE => return Err(Fault::OffBoard(format!("({},{})", point.x(), point.y()))),
            _ => return Err(Fault::Occupied(point.name(self.size))),
        }
        if self.five.is_some() {
            return Err(Fault::AfterEnd(point.name(self.size)));
        }
        self.place(point);
        Ok(())
    }

    /// Plays as [`Replay::play`] does, also after the end of the game.
    pub fn play_on(&mut self, turn: Turn) -> Result<(), Fault> {
        match (self.play(turn), turn) {
            (Err(Fault::AfterEnd(_)), Some(point)) => self.place(point),
            (played, _) => return played,
        }
        Ok(())
    }

    fn place(&mut self, point: Point) {
        let color = self.to_move();
        self.cells[point.index()] = color as u8 + 1;
        self.turns.push(Some(point));
        self.stones += 1;
        if self.five.is_none() && self.makes_five(point.index(), color) {
            self.five = Some((self.turns.len(), color));
        }
    }

    /// Takes the last ply back; nothing happens on the empty board.
    pub fn undo(&mut self) {
        if self.five.is_some_and(|(ply, _)| ply == self.turns.len()) {
            self.five = None;
        }
        if let Some(Some(point)) = self.turns.pop() {
            self.cells[point.index()] = EMPTY;
            self.stones -= 1;
        }
    }

    /// Whether the last ply made five.
    pub fn just_ended(&self) -> bool {
        self.five.is_some_and(|(ply, _)| ply == self.turns.len())
    }

    /// Plays a whole game from the empty board; says at which ply it breaks, or, if it can be played, where it goes on
    /// after its end. Five in a row among the plies of the opening, which were set up and not chosen, is no end.
    pub fn verify(&mut self, record: &Record) -> Result<Option<Flaw>, Flaw> {
        self.restart(record.header.size, record.header.rule);
        let mut late = None;
        for (i, &turn) in record.moves.iter().enumerate() {
            match self.play(turn) {
                Ok(()) => {}
                Err(fault @ Fault::AfterEnd(_)) => {
                    late.get_or_insert(Flaw::at(i + 1, fault));
                    self.play_on(turn).map_err(|fault| Flaw::at(i + 1, fault))?;
                }
                Err(fault) => return Err(Flaw::at(i + 1, fault)),
            }
            if i < record.opening {
                self.five = None;
            }
        }
        Ok(late)
    }

    /// Lets the game go on after five in a row, for positions that are set up.
    pub(crate) fn forget_five(&mut self) {
        self.five = None;
    }

    fn makes_five(&self, index: usize, color: Color) -> bool {
        let own = color as u8 + 1;
        let enemy = 3 - own;
        [1, STRIDE - 1, STRIDE, STRIDE + 1].into_iter().any(|step| {
            // The wall around the board stops every walk.
            let (mut low, mut high) = (index - step, index + step);
            while self.cells[low] == own {
                low -= step;
            }
            while self.cells[high] == own {
                high += step;
            }
            let run = (high - low) / step - 1;
            run >= 5
                && self.winning[color.index()]
                    .wins(run, self.cells[low] == enemy && self.cells[high] == enemy)
        })
    }
}
