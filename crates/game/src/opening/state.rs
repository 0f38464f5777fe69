//! The course of an opening.

use super::{Decision, Opening, OpeningError, Player, Task};
use crate::{Board, Color, Point, PointSet, Rule, Size};

/// Where in an opening the players are.
///
/// Stones always go on the board alternately, Black first, so that the position is a normal one at every moment.
/// Every opening works on every board: where a square in which the third stone may not stand would cover the whole
/// board (pro below 6x6, long-pro below 8x8), it is the largest central one that leaves the outermost points free.
#[derive(Clone, Debug)]
pub struct OpeningState {
    opening: Opening,
    board: Board,
    stage: Stage,
    /// The colour of the first player; tentative until the last choice of a side is made.
    first: Color,
    fifths: usize,
    offers: Vec<Point>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Stage {
    /// Putting the first three stones.
    Three,
    /// The second player's choice after the first three stones.
    AfterThree,
    /// Swap2: the second player adds two stones.
    Adding,
    /// Swap2: the first player picks a side after five stones.
    AfterFive,
    /// Soosõrv: White puts the fourth stone.
    Fourth,
    /// Soosõrv: White declares the number of fifth moves.
    Declaring,
    /// Soosõrv: the other player picks a side after the fourth stone.
    AfterFourth,
    /// Soosõrv: Black offers fifth moves.
    Offering,
    /// Soosõrv: White picks among the offers.
    Picking,
    Playing,
}

impl OpeningState {
    /// The beginning of an opening on an empty board.
    pub fn new(opening: Opening, size: Size, rule: Rule) -> OpeningState {
        let stage = if opening == Opening::Free { Stage::Playing } else { Stage::Three };
        let board = Board::new(size, rule);
        OpeningState { opening, board, stage, first: Color::Black, fifths: 0, offers: Vec::new() }
    }

    /// Swap2 with these stones on the board, in the order they were put: 0 (three are to be put), 3 (the second player's choice)
    /// or 5 (the first player's choice), as the protocol's `SWAP2BOARD` asks.
    pub fn swap2_with(size: Size, rule: Rule, stones: &[Point]) -> Result<OpeningState, OpeningError> {
        if !matches!(stones.len(), 0 | 3 | 5) {
            return Err(OpeningError::BadStoneCount { count: stones.len() });
        }
        let mut state = OpeningState::new(Opening::Swap2, size, rule);
        for (count, &point) in stones.iter().enumerate() {
            if count == 3 {
                state.decide(Decision::AddTwo)?;
            }
            state.decide(Decision::Place(point))?;
        }
        Ok(state)
    }

    /// The opening that is played.
    pub fn opening(&self) -> Opening {
        self.opening
    }

    /// The position so far.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// How many fifth moves White declared; 0 before that.
    pub fn fifths(&self) -> usize {
        self.fifths
    }

    /// The fifth moves offered so far.
    pub fn offers(&self) -> &[Point] {
        &self.offers
    }

    /// Whether a normal game has begun.
    pub fn is_over(&self) -> bool {
        self.stage == Stage::Playing
    }

    /// The colour of a player, once no choice of a side can change it.
    pub fn color_of(&self, player: Player) -> Option<Color> {
        let fixed = matches!(self.opening, Opening::Free | Opening::Pro | Opening::LongPro)
            || matches!(self.stage, Stage::Offering | Stage::Picking | Stage::Playing);
        fixed.then(|| self.tentative_color(player))
    }

    /// The colour a player has if nobody swaps any more.
    pub fn tentative_color(&self, player: Player) -> Color {
        if player == Player::First { self.first } else { !self.first }
    }

    /// The player who has a colour if nobody swaps any more.
    pub fn tentative_player(&self, color: Color) -> Player {
        if color == self.first { Player::First } else { Player::Second }
    }

    /// Who decides next; once the game has begun, whose turn it is.
    pub fn decider(&self) -> Player {
        match self.stage {
            Stage::Three if matches!(self.opening, Opening::Pro | Opening::LongPro) => {
                self.tentative_player(self.board.to_move())
            }
            Stage::Three | Stage::AfterFive => Player::First,
            Stage::AfterThree | Stage::Adding => Player::Second,
            Stage::Fourth | Stage::Declaring | Stage::Picking => self.tentative_player(Color::White),
            Stage::AfterFourth | Stage::Offering => self.tentative_player(Color::Black),
            Stage::Playing => self.tentative_player(self.board.to_move()),
        }
    }

    /// What is to be decided next.
    pub fn task(&self) -> Task {
        match self.stage {
            Stage::Three => {
                Task::PlaceStone { color: self.board.to_move(), allowed: self.points_for_stone() }
            }
            Stage::Adding | Stage::Fourth => {
                Task::PlaceStone { color: self.board.to_move(), allowed: *self.board.empty() }
            }
            Stage::AfterThree if self.opening == Opening::Swap2 => Task::Swap2Choice,
            Stage::AfterThree | Stage::AfterFive | Stage::AfterFourth => Task::ChooseColor,
            Stage::Declaring => Task::DeclareFifths { most: Opening::MOST_FIFTHS },
            Stage::Offering => Task::OfferFifth {
                remaining: self.fifths - self.offers.len(),
                allowed: self.points_for_offer(),
            },
            Stage::Picking => Task::PickFifth { offers: self.offers.iter().copied().collect() },
            Stage::Playing => Task::Play,
        }
    }

    /// Takes a decision of the player whose turn it is to decide. An error leaves everything as it was.
    pub fn decide(&mut self, decision: Decision) -> Result<(), OpeningError> {
        let task = self.task();
        match (task, decision) {
            (Task::PlaceStone { allowed, .. }, Decision::Place(point)) => {
                self.check_point(point, &allowed)?;
                self.put(point);
                self.after_stone();
            }
            (Task::ChooseColor | Task::Swap2Choice, Decision::Take(color)) => self.take(color),
            (Task::Swap2Choice, Decision::AddTwo) => self.stage = Stage::Adding,
            (Task::DeclareFifths { most }, Decision::Declare(count)) => {
                if !(1..=most).contains(&count) {
                    return Err(OpeningError::BadCount { count, most });
                }
                self.fifths = count;
                self.stage = Stage::AfterFourth;
            }
            (Task::OfferFifth { remaining, allowed }, Decision::Place(point)) => {
                self.check_point(point, &allowed)?;
                self.offers.push(point);
                if remaining == 1 {
                    self.stage = Stage::Picking;
                }
            }
            (Task::PickFifth { offers }, Decision::Place(point)) => {
                self.check_point(point, &offers)?;
                self.put(point);
                self.stage = Stage::Playing;
            }
            _ => return Err(OpeningError::NotAsked { task: task.to_string() }),
        }
        Ok(())
    }

    /// The game that follows the opening with the first player's colour; nothing while the opening lasts.
    pub fn hand_over(self) -> Option<(Board, Color)> {
        self.is_over().then_some((self.board, self.first))
    }

    fn put(&mut self, point: Point) {
        self.board.play(point).expect("an allowed point is empty and five stones end no game");
    }

    /// Goes on after a stone that was put on the board, not offered.
    fn after_stone(&mut self) {
        self.stage = match (self.stage, self.board.stone_count()) {
            (Stage::Three, 3) if matches!(self.opening, Opening::Pro | Opening::LongPro) => Stage::Playing,
            (Stage::Three, 3) => Stage::AfterThree,
            (Stage::Adding, 5) => Stage::AfterFive,
            (Stage::Fourth, _) => Stage::Declaring,
            (stage, _) => stage,
        };
    }

    /// The player whose turn it is to decide takes a side.
    fn take(&mut self, color: Color) {
        self.first = if self.decider() == Player::First { color } else { !color };
        self.stage = match self.stage {
            Stage::AfterThree if self.opening == Opening::Soosorv8 => Stage::Fourth,
            Stage::AfterFourth => Stage::Offering,
            _ => Stage::Playing,
        };
    }

    /// Where the next of the first three stones may go.
    fn points_for_stone(&self) -> PointSet {
        let size = self.board.size();
        // The outermost points are this many steps from the centre.
        let rim = size.side() / 2;
        let outside = |radius: usize| radius.min(rim - 1) + 1..=rim;
        let rings = match (self.opening, self.board.stone_count()) {
            (Opening::Pro | Opening::LongPro | Opening::Soosorv8, 0) => 0..=0,
            (Opening::Pro, 2) => outside(2),
            (Opening::LongPro, 2) => outside(3),
            (Opening::Soosorv8, 1) => 0..=1,
            (Opening::Soosorv8, 2) => 0..=2,
            _ => return *self.board.empty(),
        };
        self.board.empty().iter().filter(|&point| rings.contains(&size.ring(point))).collect()
    }

    /// The empty points that lead to a position which is no turned or mirrored image of an earlier offer's.
    fn points_for_offer(&self) -> PointSet {
        let mut board = self.board.clone();
        let mut image = |point: Point| {
            board.play_unchecked(point);
            let (hash, _) = board.canonical_hash();
            board.undo();
            hash
        };
        let taken: Vec<u64> = self.offers.iter().map(|&offer| image(offer)).collect();
        self.board.empty().iter().filter(|&point| !taken.contains(&image(point))).collect()
    }

    fn check_point(&self, point: Point, allowed: &PointSet) -> Result<(), OpeningError> {
        let size = self.board.size();
        if allowed.contains(point) {
            return Ok(());
        }
        if point.x() >= size.side() || point.y() >= size.side() {
            return Err(OpeningError::OffBoard { size });
        }
        let name = point.name(size);
        if self.board.stone(point).is_some() {
            return Err(OpeningError::Occupied { point: name });
        }
        let wanted = match (self.stage, self.opening, self.board.stone_count()) {
            (Stage::Offering, ..) => "it is a mirror image of an earlier offer",
            (Stage::Picking, ..) => "it was not offered",
            (_, _, 0) => "the first stone goes in the centre",
            (_, _, 1) => "the second stone goes next to the first",
            (_, Opening::Pro, _) => "the third stone goes outside the central 5x5 square",
            (_, Opening::LongPro, _) => "the third stone goes outside the central 7x7 square",
            _ => "the third stone goes in the central 5x5 square",
        };
        Err(OpeningError::NotAllowed { point: name, wanted })
    }
}
