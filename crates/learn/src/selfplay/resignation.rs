//! Giving lost games up, and playing some of them on to see whether they were lost.

use fivestone_engine::Rng;
use fivestone_game::Color;

/// When a side gives up.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Resignation {
    /// Its win probability must be below this ...
    pub below: f64,
    /// ... in so many of its positions on end.
    pub positions: u32,
    /// Share of games that are played on to their end all the same.
    pub checked: f64,
}

/// How many games were given up.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct ResignationCount {
    /// Games ended because a side gave up.
    pub games: u64,
    /// Games played on although a side would have given up.
    pub checked: u64,
    /// Those of them in which that side did not lose.
    pub wrong: u64,
}

impl ResignationCount {
    /// Share of wrong ones among the checked; nothing before one was checked.
    pub fn wrong_share(&self) -> Option<f64> {
        (self.checked > 0).then(|| self.wrong as f64 / self.checked as f64)
    }

    pub(super) fn add(&mut self, other: &ResignationCount) {
        self.games += other.games;
        self.checked += other.checked;
        self.wrong += other.wrong;
    }
}

impl Resignation {
    /// The watch over one game; chance decides whether it is played on.
    pub(super) fn game(self, rng: &mut Rng) -> Resigning {
        Resigning { rule: self, checked: rng.unit() < self.checked, hopeless: [0; 2], gave_up: None }
    }
}

/// The watch over one game.
pub(super) struct Resigning {
    rule: Resignation,
    checked: bool,
    hopeless: [u32; 2],
    gave_up: Option<Color>,
}

impl Resigning {
    /// Whether the game ends here because the mover gives up.
    pub fn gives_up(&mut self, mover: Color, winrate: f64) -> bool {
        let hopeless = &mut self.hopeless[mover.index()];
        *hopeless = if winrate < self.rule.below { *hopeless + 1 } else { 0 };
        if *hopeless >= self.rule.positions {
            self.gave_up.get_or_insert(mover);
            return !self.checked;
        }
        false
    }

    /// What the game adds to the count, given who won it.
    pub fn count(&self, winner: Option<Color>) -> ResignationCount {
        let Some(loser) = self.gave_up else { return ResignationCount::default() };
        if self.checked {
            ResignationCount { games: 0, checked: 1, wrong: u64::from(winner != Some(!loser)) }
        } else {
            ResignationCount { games: 1, ..ResignationCount::default() }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch(checked: f64) -> Resigning {
        Resignation { below: 0.1, positions: 2, checked }.game(&mut Rng::new(1))
    }

    #[test]
    fn only_hopeless_positions_on_end_count() {
        let mut game = watch(0.0);
        assert!(!game.gives_up(Color::Black, 0.05));
        assert!(!game.gives_up(Color::White, 0.05));
        assert!(!game.gives_up(Color::Black, 0.2));
        assert!(!game.gives_up(Color::Black, 0.05));
        assert!(game.gives_up(Color::White, 0.05));
        assert_eq!(game.count(Some(Color::Black)), ResignationCount { games: 1, checked: 0, wrong: 0 });
    }

    #[test]
    fn checked_games_go_on_and_tell_whether_it_was_right() {
        let mut game = watch(1.0);
        for _ in 0..4 {
            assert!(!game.gives_up(Color::White, 0.0));
        }
        assert_eq!(game.count(Some(Color::Black)).wrong_share(), Some(0.0));
        assert_eq!(game.count(Some(Color::White)).wrong_share(), Some(1.0));
        assert_eq!(game.count(None).wrong, 1);
        assert_eq!(watch(1.0).count(None).wrong_share(), None);
    }
}
