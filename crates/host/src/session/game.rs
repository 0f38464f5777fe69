//! The position as the manager has told it.

use super::refusal::Refusal;
use fivestone_game::{Board, Color, Direction, Point, PointSet, Rule, Size};

/// Stones in the order they came, and the board they make.
pub struct Game {
    stones: Vec<(Point, Color)>,
    to_move: Color,
    /// Cells nobody may use any more.
    dead: PointSet,
    continuous: bool,
    board: Board,
}

/// A position to be set up: the engine's own stones and the opponent's, in the order they came.
#[derive(Default)]
pub struct SetUp {
    pub stones: Vec<(Point, Owner)>,
    pub dead: PointSet,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Owner {
    Engine,
    Opponent,
}

impl Game {
    /// An empty board.
    pub fn new(size: Size, rule: Rule, continuous: bool) -> Game {
        Game {
            stones: Vec::new(),
            to_move: Color::Black,
            dead: PointSet::EMPTY,
            continuous,
            board: Board::new(size, rule),
        }
    }

    /// A set-up position with the engine to move.
    pub fn set_up(size: Size, rule: Rule, continuous: bool, set_up: &SetUp) -> Result<Game, Refusal> {
        let count = |owner| set_up.stones.iter().filter(|stone| stone.1 == owner).count();
        // Black moves first, so whoever is to move with no fewer stones than the other has the black ones.
        let engine = if count(Owner::Engine) >= count(Owner::Opponent) { Color::Black } else { Color::White };
        let color = |owner| if owner == Owner::Engine { engine } else { !engine };
        let mut taken = set_up.dead;
        for &(point, _) in &set_up.stones {
            if taken.contains(point) {
                return Err(Refusal::TwoStones(point, size));
            }
            taken.insert(point);
        }
        let stones = set_up.stones.iter().map(|&(point, owner)| (point, color(owner))).collect();
        let mut game = Game::new(size, rule, continuous);
        game = Game { stones, to_move: engine, dead: set_up.dead, ..game };
        game.rebuild(rule, continuous);
        Ok(game)
    }

    /// The position.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Cells nobody may use any more.
    pub fn dead(&self) -> &PointSet {
        &self.dead
    }

    /// The same stones under another rule.
    pub fn change_rule(&mut self, rule: Rule, continuous: bool) {
        if rule != self.board.rule() || continuous != self.continuous {
            self.rebuild(rule, continuous);
        }
    }

    /// Plays for the side to move.
    pub fn play(&mut self, point: Point) -> Result<(), Refusal> {
        if self.dead.contains(point) {
            return Err(Refusal::OutOfPlay);
        }
        let color = self.to_move;
        self.board.play(point).map_err(Refusal::Illegal)?;
        self.stones.push((point, color));
        self.to_move = !color;
        if self.continuous && self.board.end().is_some() {
            self.rebuild(self.board.rule(), true);
        }
        Ok(())
    }

    /// Takes a stone away.
    pub fn take_back(&mut self, point: Point) -> Result<(), Refusal> {
        let index = self.stones.iter().rposition(|&(stone, _)| stone == point);
        let index = index.ok_or(Refusal::NoStone)?;
        let (_, color) = self.stones.remove(index);
        let count = |color| self.stones.iter().filter(|stone| stone.1 == color).count();
        self.to_move = match count(Color::Black).checked_sub(count(Color::White)) {
            Some(0) => Color::Black,
            Some(1) => Color::White,
            _ => color,
        };
        self.rebuild(self.board.rule(), self.continuous);
        Ok(())
    }

    /// Why no move can be asked for.
    pub fn over(&self) -> Option<Refusal> {
        if let Some(end) = self.board.end().filter(|_| !self.continuous) {
            return Some(Refusal::Over(end));
        }
        if self.board.empty().difference(&self.dead).is_empty() {
            return Some(Refusal::Full);
        }
        let winner = Color::BOTH.into_iter().find(|&color| has_won(&self.board, color));
        winner.filter(|_| !self.continuous).map(Refusal::HasFive)
    }

    fn rebuild(&mut self, rule: Rule, continuous: bool) {
        let size = self.board.size();
        self.continuous = continuous;
        let in_turn = self.stones.iter().zip([Color::Black, Color::White].into_iter().cycle());
        let moves: Vec<Point> = self.stones.iter().map(|stone| stone.0).collect();
        let played = in_turn.clone().all(|(stone, color)| stone.1 == color) && !continuous;
        let replayed = played.then(|| Board::from_moves(size, rule, &moves).ok()).flatten();
        self.board = replayed.filter(|board| board.to_move() == self.to_move).unwrap_or_else(|| {
            let of =
                |color| self.stones.iter().filter(|stone| stone.1 == color).map(|stone| stone.0).collect();
            let (black, white): (Vec<Point>, Vec<Point>) = (of(Color::Black), of(Color::White));
            Board::from_stones(size, rule, &black, &white, self.to_move)
                .expect("every stone was checked when it came")
        });
    }
}

/// Whether a winning row stands among stones that may have come in any order.
fn has_won(board: &Board, color: Color) -> bool {
    let winning = board.rule().winning(color);
    let stone = |point: Option<Point>| point.and_then(|point| board.stone(point));
    board.stones(color).iter().any(|start| {
        Direction::ALL.into_iter().any(|direction| {
            let (dx, dy) = direction.delta();
            let at = |steps: isize| start.offset(steps * dx, steps * dy, board.size());
            let first_of_row = stone(at(-1)) != Some(color);
            let run = (0..board.size().side() as isize)
                .take_while(|&steps| stone(at(steps)) == Some(color))
                .count();
            let blocked = stone(at(-1)) == Some(!color) && stone(at(run as isize)) == Some(!color);
            first_of_row && winning.wins(run, blocked)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(text: &str) -> Vec<Point> {
        fivestone_game::notation::parse_moves(text, Size::STANDARD).expect("moves")
    }

    fn set_up(own: &str, other: &str) -> Result<Game, Refusal> {
        let own = points(own).into_iter().map(|point| (point, Owner::Engine));
        let other = points(other).into_iter().map(|point| (point, Owner::Opponent));
        let set_up = SetUp { stones: own.chain(other).collect(), dead: PointSet::EMPTY };
        Game::set_up(Size::STANDARD, Rule::Standard, false, &set_up)
    }

    #[test]
    fn colours_follow_from_the_counts_whatever_the_order() {
        assert_eq!(set_up("h8", "h9").expect("legal").board().to_move(), Color::Black);
        let game = set_up("h8", "h9i10").expect("legal");
        assert_eq!(game.board().to_move(), Color::White);
        assert_eq!(game.board().stone(points("h8")[0]), Some(Color::White));
        assert!(set_up("h8", "h8").is_err());
    }

    #[test]
    fn a_five_in_a_set_up_ends_the_game_and_six_does_not_in_standard() {
        assert!(set_up("a1b1c1d1e1", "a3b3c3d3f3").expect("legal").over().is_some());
        assert!(set_up("a1b1c1d1e1f1", "a3b3c3d3f3g3").expect("legal").over().is_none());
        assert!(set_up("a1b1c1d1", "a3b3c3d3").expect("legal").over().is_none());
    }

    #[test]
    fn stones_can_be_taken_back_in_any_order_and_after_a_win() {
        let mut game = Game::new(Size::STANDARD, Rule::Freestyle, false);
        for point in points("a1a3b1b3c1c3d1d3e1") {
            game.play(point).expect("legal");
        }
        assert!(game.over().is_some() && game.play(points("e3")[0]).is_err());
        game.take_back(points("e1")[0]).expect("a stone");
        assert!(game.over().is_none());
        assert_eq!(game.board().to_move(), Color::Black);
        game.take_back(points("a3")[0]).expect("a stone");
        assert_eq!(game.board().to_move(), Color::White);
        assert!(game.take_back(points("a3")[0]).is_err());
    }
}
