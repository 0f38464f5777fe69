//! Counted results.

use serde::{Deserialize, Serialize};

/// The result of one game for one side.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// No point.
    Loss,
    /// Half a point.
    Draw,
    /// A point.
    Win,
}

impl Score {
    /// Half points: 0, 1 or 2.
    pub const fn half_points(self) -> usize {
        self as usize
    }

    /// The same result for the other side.
    pub const fn reversed(self) -> Score {
        match self {
            Score::Loss => Score::Win,
            Score::Draw => Score::Draw,
            Score::Win => Score::Loss,
        }
    }
}

/// Results counted from one side's view: games, and pairs of games with the same opening and the colours swapped.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games lost.
    pub losses: u64,
    /// Games drawn.
    pub draws: u64,
    /// Pairs by half points of the pair: 0 (two losses) to 4 (two wins).
    pub pairs: [u64; 5],
}

impl Tally {
    /// Counts of games whose pairs are not known.
    pub const fn of_games(wins: u64, losses: u64, draws: u64) -> Tally {
        Tally { wins, losses, draws, pairs: [0; 5] }
    }

    /// Counts of pairs alone. The split of the middle pairs into two draws and a win with a loss does not matter to
    /// any estimate; they are counted as a win and a loss.
    pub const fn of_pairs(pairs: [u64; 5]) -> Tally {
        let [ll, ld, middle, wd, ww] = pairs;
        Tally { wins: 2 * ww + wd + middle, losses: 2 * ll + ld + middle, draws: ld + wd, pairs }
    }

    /// Games counted.
    pub const fn games(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// Points won: a draw is half a point.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Complete pairs counted.
    pub fn pair_count(&self) -> u64 {
        self.pairs.iter().sum()
    }

    /// Counts one game.
    pub fn add_game(&mut self, score: Score) {
        match score {
            Score::Win => self.wins += 1,
            Score::Draw => self.draws += 1,
            Score::Loss => self.losses += 1,
        }
    }

    /// Counts a pair whose two games were counted as games before.
    pub fn add_pair(&mut self, first: Score, second: Score) {
        self.pairs[first.half_points() + second.half_points()] += 1;
    }

    /// The same games seen by the other side.
    pub fn reversed(&self) -> Tally {
        let mut pairs = self.pairs;
        pairs.reverse();
        Tally { wins: self.losses, losses: self.wins, draws: self.draws, pairs }
    }

    /// These and other counts together.
    pub fn plus(&self, other: &Tally) -> Tally {
        let mut pairs = self.pairs;
        for (sum, more) in pairs.iter_mut().zip(other.pairs) {
            *sum += more;
        }
        Tally {
            wins: self.wins + other.wins,
            losses: self.losses + other.losses,
            draws: self.draws + other.draws,
            pairs,
        }
    }

    /// The independent observations of the match as (score in [0, 1], count): pairs when most games belong to one (the others
    /// are halves of unfinished pairs), single games otherwise. The second value is how many games one observation holds.
    pub fn observations(&self) -> (Vec<(f64, f64)>, f64) {
        let paired = 2 * self.pair_count();
        if paired > 0 && 2 * paired >= self.games() {
            let scores = [0.0, 0.25, 0.5, 0.75, 1.0];
            (scores.into_iter().zip(self.pairs.map(|count| count as f64)).collect(), 2.0)
        } else {
            let counts = [(0.0, self.losses), (0.5, self.draws), (1.0, self.wins)];
            (counts.map(|(score, count)| (score, count as f64)).to_vec(), 1.0)
        }
    }
}
