//! Who plays whom, in which order, with which opening.

use crate::stats::Score;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};

/// The form of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everybody against everybody; with two engines a match.
    RoundRobin,
    /// The first engine against every other.
    Gauntlet,
    /// Each round pairs engines with like scores that have met least often.
    Swiss,
}

/// How many games of what form.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Plan {
    /// The form.
    pub format: Format,
    /// Engines taking part.
    pub engines: usize,
    /// Rounds.
    pub rounds: usize,
    /// Games of each encounter in a round.
    pub games: usize,
    /// Whether each opening is played twice with the colours swapped.
    pub paired: bool,
}

/// A game to be played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Fixture {
    /// Its number, from 0.
    pub id: u64,
    /// The round, from 0.
    pub round: usize,
    /// The two engines, the one with the first move first.
    pub engines: [usize; 2],
    /// The number of its opening.
    pub opening: u64,
    /// Which pair of games it belongs to.
    pub pair: Option<u64>,
}

/// What the schedule has to offer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Next {
    /// A game to be played.
    Play(Fixture),
    /// Games depend on results that are not known yet.
    Wait,
    /// All games are given out.
    Over,
}

/// A tournament's games, given out one after the other.
///
/// The same plan and the same results give the same games with the same numbers, whatever the order in which results come.
#[derive(Clone, Debug)]
pub struct Schedule {
    plan: Plan,
    round: usize,
    ready: VecDeque<Fixture>,
    next_id: u64,
    next_opening: u64,
    next_pair: u64,
    /// Games given out of the current round that have no result yet.
    pending: usize,
    /// Half points of each engine, and how often two have met; for swiss.
    half_points: Vec<usize>,
    meetings: BTreeMap<(usize, usize), usize>,
}

impl Schedule {
    /// The schedule of a plan.
    pub fn new(plan: Plan) -> Schedule {
        Schedule {
            plan,
            round: 0,
            ready: VecDeque::new(),
            next_id: 0,
            next_opening: 0,
            next_pair: 0,
            pending: 0,
            half_points: vec![0; plan.engines],
            meetings: BTreeMap::new(),
        }
    }

    /// How many games there are in all.
    pub fn total_games(&self) -> u64 {
        let n = self.plan.engines;
        let encounters = match self.plan.format {
            Format::RoundRobin => n * n.saturating_sub(1) / 2,
            Format::Gauntlet => n.saturating_sub(1),
            Format::Swiss => n / 2,
        };
        (encounters * self.plan.rounds * self.plan.games) as u64
    }

    /// The next game.
    pub fn next_game(&mut self) -> Next {
        while self.ready.is_empty() {
            if self.round == self.plan.rounds || self.plan.games == 0 || self.plan.engines < 2 {
                return Next::Over;
            }
            if self.plan.format == Format::Swiss && self.pending > 0 {
                return Next::Wait;
            }
            self.draw_up_round();
        }
        self.pending += 1;
        Next::Play(self.ready.pop_front().expect("a game is ready"))
    }

    /// Takes the result of the first engine of a game.
    pub fn record(&mut self, engines: [usize; 2], score: Score) {
        self.pending -= 1;
        self.half_points[engines[0]] += score.half_points();
        self.half_points[engines[1]] += score.reversed().half_points();
    }

    fn draw_up_round(&mut self) {
        let n = self.plan.engines;
        let encounters: Vec<(usize, usize)> = match self.plan.format {
            Format::RoundRobin => (0..n).flat_map(|a| (a + 1..n).map(move |b| (a, b))).collect(),
            Format::Gauntlet => (1..n).map(|b| (0, b)).collect(),
            Format::Swiss => self.swiss_pairing(),
        };
        for &(a, b) in &encounters {
            *self.meetings.entry((a.min(b), a.max(b))).or_default() += 1;
        }
        // All engines meet over the same openings.
        let (first_opening, games) = (self.next_opening, self.plan.games);
        let openings = if self.plan.paired { games.div_ceil(2) } else { games };
        self.next_opening += openings as u64;
        for game in 0..games {
            let turn = if self.plan.paired && games > 1 { game } else { self.round * games + game };
            let (opening, starts_pair) =
                if self.plan.paired { (game / 2, game % 2 == 0) } else { (game, false) };
            for (index, &(a, b)) in encounters.iter().enumerate() {
                let complete = self.plan.paired && game - game % 2 + 1 < games;
                let pair = complete.then(|| self.next_pair + (opening * encounters.len() + index) as u64);
                debug_assert!(!starts_pair || pair.is_some() || game + 1 == games);
                self.ready.push_back(Fixture {
                    id: self.next_id,
                    round: self.round,
                    engines: if turn % 2 == 0 { [a, b] } else { [b, a] },
                    opening: first_opening + opening as u64,
                    pair,
                });
                self.next_id += 1;
            }
        }
        self.next_pair += (openings * encounters.len()) as u64;
        self.round += 1;
    }

    /// Pairs neighbours in the table who have met least often; the last of an odd number sits out, and who sat out comes first
    /// among equals next time because the others have scored.
    fn swiss_pairing(&self) -> Vec<(usize, usize)> {
        let mut table: Vec<usize> = (0..self.plan.engines).collect();
        table.sort_by_key(|&engine| (usize::MAX - self.half_points[engine], self.games_of(engine), engine));
        if table.len() % 2 == 1 {
            // The one who played most sits out, the lowest in the table among equals.
            let out = (0..table.len()).max_by_key(|&place| (self.games_of(table[place]), place));
            table.remove(out.expect("the table is not empty"));
        }
        let mut encounters = Vec::new();
        while !table.is_empty() {
            let engine = table.remove(0);
            let met = |other: usize| {
                self.meetings.get(&(engine.min(other), engine.max(other))).copied().unwrap_or(0)
            };
            let place = (0..table.len()).min_by_key(|&place| (met(table[place]), place));
            let other = table.remove(place.expect("an even number of engines is left"));
            encounters.push((engine, other));
        }
        encounters
    }

    fn games_of(&self, engine: usize) -> usize {
        self.meetings.iter().filter(|((a, b), _)| *a == engine || *b == engine).map(|(_, count)| count).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(plan: Plan) -> Vec<Fixture> {
        let mut schedule = Schedule::new(plan);
        let mut games = Vec::new();
        loop {
            match schedule.next_game() {
                Next::Play(game) => {
                    games.push(game);
                    schedule.record(game.engines, Score::Draw);
                }
                Next::Wait => panic!("every result is known"),
                Next::Over => break,
            }
        }
        assert_eq!(games.len() as u64, schedule.total_games());
        games
    }

    fn plan(format: Format, engines: usize, rounds: usize, games: usize) -> Plan {
        Plan { format, engines, rounds, games, paired: true }
    }

    #[test]
    fn pairs_share_an_opening_and_swap_the_first_move() {
        for (rounds, games) in [(10, 2), (1, 20), (5, 4)] {
            let all = all(plan(Format::RoundRobin, 2, rounds, games));
            assert_eq!(all.len(), 20);
            for pair in 0..10 {
                let of_pair: Vec<_> = all.iter().filter(|game| game.pair == Some(pair)).collect();
                assert_eq!(of_pair.len(), 2);
                assert_eq!(of_pair[0].opening, of_pair[1].opening);
                assert_eq!(of_pair[0].opening, pair);
                assert_ne!(of_pair[0].engines, of_pair[1].engines);
            }
        }
    }

    #[test]
    fn single_games_take_turns_with_the_first_move() {
        let games = all(plan(Format::RoundRobin, 2, 4, 1));
        let first: Vec<_> = games.iter().map(|game| game.engines[0]).collect();
        assert_eq!(first, [0, 1, 0, 1]);
        assert!(games.iter().all(|game| game.pair.is_none()));
    }

    #[test]
    fn round_robin_gauntlet_and_swiss_pair_as_they_should() {
        let met = |games: &[Fixture], a: usize, b: usize| {
            games.iter().filter(|g| g.engines.contains(&a) && g.engines.contains(&b)).count()
        };
        let robin = all(plan(Format::RoundRobin, 4, 3, 2));
        let gauntlet = all(plan(Format::Gauntlet, 4, 3, 2));
        let swiss = all(plan(Format::Swiss, 4, 3, 2));
        for a in 0..4 {
            for b in a + 1..4 {
                assert_eq!(met(&robin, a, b), 6);
                assert_eq!(met(&gauntlet, a, b), if a == 0 { 6 } else { 0 });
                assert_eq!(met(&swiss, a, b), 2, "three rounds of four are a full round robin");
            }
        }
        let odd = all(plan(Format::Swiss, 5, 5, 2));
        let played = |engine| odd.iter().filter(|g| g.engines.contains(&engine)).count();
        assert!((0..5).all(|engine| played(engine) == 8), "everybody sits out once");
    }

    #[test]
    fn swiss_waits_for_the_round_and_then_pairs_the_leaders() {
        let mut schedule = Schedule::new(plan(Format::Swiss, 4, 2, 2));
        let mut round = Vec::new();
        while let Next::Play(game) = schedule.next_game() {
            round.push(game);
        }
        assert_eq!((round.len(), schedule.next_game()), (4, Next::Wait));
        for game in round {
            // The lower number wins.
            schedule.record(
                game.engines,
                if game.engines[0] < game.engines[1] { Score::Win } else { Score::Loss },
            );
        }
        let Next::Play(game) = schedule.next_game() else { panic!("the round is over") };
        assert_eq!(game.engines, [0, 2], "0 and 2 won in round one: 0-1, 2-3");
    }
}
