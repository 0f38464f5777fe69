//! Games of others that self-play begins in, some moves before they ended.

use fivestone_engine::Rng;
use fivestone_game::{Board, Point, Rule, Size};

/// Where some games of self-play begin: in given games, a random number of moves before their end.
#[derive(Clone, PartialEq, Debug)]
pub struct Starts {
    /// The games.
    pub games: Vec<StartGame>,
    /// Share of the games of self-play that begin in them, where there are any of the board's size.
    pub share: f64,
    /// The fewest and the most moves before their end.
    pub back: (usize, usize),
}

/// A game to begin in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StartGame {
    /// The board's size.
    pub size: Size,
    /// All its moves.
    pub moves: Vec<Point>,
    /// Whether it was played to its end; a position is taken as it is.
    pub ended: bool,
}

impl Starts {
    /// The moves of a start, if chance has it so and there is one on this board that is playable
    /// and not over.
    pub(super) fn draw(&self, rule: Rule, size: Size, rng: &mut Rng) -> Option<Vec<Point>> {
        if rng.unit() >= self.share {
            return None;
        }
        let fitting: Vec<&StartGame> = self.games.iter().filter(|game| game.size == size).collect();
        let game = fitting.get(rng.below(fitting.len().max(1)))?;
        let (fewest, most) = self.back;
        let back = if game.ended { fewest + rng.below(most - fewest + 1) } else { 0 };
        // Short games still give the position after their first move.
        let length = game.moves.len().saturating_sub(back).max(1).min(game.moves.len());
        let board = Board::from_moves(size, rule, &game.moves[..length]).ok()?;
        (length > 0 && board.end().is_none()).then(|| game.moves[..length].to_vec())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use fivestone_game::notation::parse_moves;

    #[test]
    fn starts_lie_before_the_end_of_games_of_the_size() {
        let size = Size::STANDARD;
        let moves = parse_moves("h8a1i8a3j8a5k8a7l8", size).unwrap();
        let game = |ended| StartGame { size, moves: moves.clone(), ended };
        let starts = Starts { games: vec![game(true)], share: 1.0, back: (2, 5) };
        let mut rng = Rng::new(1);
        let mut lengths: Vec<usize> = (0..100)
            .map(|_| {
                let start = starts.draw(Rule::Freestyle, size, &mut rng).unwrap();
                assert_eq!(start, moves[..start.len()]);
                start.len()
            })
            .collect();
        lengths.sort_unstable();
        lengths.dedup();
        assert_eq!(lengths, [4, 5, 6, 7]);
        assert_eq!(starts.draw(Rule::Freestyle, Size::new(20).unwrap(), &mut rng), None);
        // A position is taken as it is, unless the game is over there.
        let over = Starts { games: vec![game(false)], ..starts.clone() };
        assert_eq!(over.draw(Rule::Freestyle, size, &mut rng), None);
        let never = Starts { share: 0.0, ..starts };
        assert_eq!(never.draw(Rule::Freestyle, size, &mut rng), None);
    }
}
