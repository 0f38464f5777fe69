//! The game on the table: an opening, then moves, all of which can be taken back.

use anyhow::Result;
use fivestone_game::opening::{Decision, Player, Task};
use fivestone_game::{Board, Color, GameEnd, Opening, OpeningState, Point, Rule, Size};

/// Something one of the players did.
#[derive(Clone, Copy, Debug)]
enum Step {
    Decided(Decision, Player),
    Played(Point, Player),
}

/// A game with its whole history.
pub struct Table {
    opening: OpeningState,
    /// The position once the opening is over.
    board: Option<Board>,
    steps: Vec<Step>,
    resigned: Option<Player>,
}

impl Table {
    /// An empty board.
    pub fn new(opening: Opening, size: Size, rule: Rule) -> Table {
        let mut table = Table {
            opening: OpeningState::new(opening, size, rule),
            board: None,
            steps: Vec::new(),
            resigned: None,
        };
        table.begin_if_opened();
        table
    }

    /// The position.
    pub fn board(&self) -> &Board {
        self.board.as_ref().unwrap_or_else(|| self.opening.board())
    }

    /// The opening.
    pub fn opening(&self) -> &OpeningState {
        &self.opening
    }

    /// What is to be done next.
    pub fn task(&self) -> Task {
        self.opening.task()
    }

    /// Whose turn it is.
    pub fn turn(&self) -> Player {
        match &self.board {
            Some(board) => self.opening.tentative_player(board.to_move()),
            None => self.opening.decider(),
        }
    }

    /// A player's colour, as far as it is known.
    pub fn color(&self, player: Player) -> Option<Color> {
        self.opening.color_of(player)
    }

    /// How the game ended on the board.
    pub fn end(&self) -> Option<GameEnd> {
        self.board().end()
    }

    /// Who gave up.
    pub fn resigned(&self) -> Option<Player> {
        self.resigned
    }

    /// The player whose turn it is gives up.
    pub fn resign(&mut self) {
        self.resigned = Some(self.turn());
    }

    /// Decides in the opening.
    pub fn decide(&mut self, decision: Decision) -> Result<()> {
        let player = self.turn();
        self.opening.decide(decision)?;
        self.steps.push(Step::Decided(decision, player));
        self.begin_if_opened();
        Ok(())
    }

    /// Plays a move, or puts a stone of the opening.
    pub fn place(&mut self, point: Point) -> Result<()> {
        let player = self.turn();
        let Some(board) = &mut self.board else { return self.decide(Decision::Place(point)) };
        board.play(point)?;
        self.steps.push(Step::Played(point, player));
        Ok(())
    }

    /// Takes back everything since and including the last thing a player did. False if there is nothing.
    pub fn take_back(&mut self, player: Player) -> bool {
        let by = |step: &Step| matches!(step, Step::Decided(_, who) | Step::Played(_, who) if *who == player);
        let Some(last) = self.steps.iter().rposition(by) else { return false };
        let steps = self.steps[..last].to_vec();
        let board = self.board();
        *self = Table::new(self.opening.opening(), board.size(), board.rule());
        for step in steps {
            let repeated = match step {
                Step::Decided(decision, _) => self.decide(decision),
                Step::Played(point, _) => self.place(point),
            };
            repeated.expect("what was legal is legal again");
        }
        true
    }

    fn begin_if_opened(&mut self) {
        if self.board.is_none() && self.opening.is_over() {
            self.board = Some(self.opening.board().clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_can_be_taken_back_even_choices_of_the_opening() {
        let mut table = Table::new(Opening::Swap2, Size::STANDARD, Rule::Standard);
        let points: Vec<Point> = Size::STANDARD.points().step_by(7).take(5).collect();
        for &point in &points[..3] {
            table.place(point).expect("anywhere");
        }
        assert_eq!(table.turn(), Player::Second);
        table.decide(Decision::Take(Color::White)).expect("a choice");
        table.place(points[3]).expect("a move");
        table.place(points[4]).expect("a move");
        assert!(table.take_back(Player::First));
        assert_eq!((table.board().stone_count(), table.turn()), (4, Player::First));
        assert!(table.take_back(Player::First));
        assert_eq!((table.board().stone_count(), table.turn()), (2, Player::First));
        assert!(!table.take_back(Player::Second));
    }
}
