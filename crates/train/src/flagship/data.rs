//! The games in memory and the positions to learn from in them.

use super::Config;
use super::sample::{Knowledge, Sample, SampleBuilder, is_asked_about};
use crate::line_rows::frequent_rows;
use crate::samples::{Findings, HarvestedPosition, ImportError, SampleGame, SamplePly, read_games};
use fivestone_engine::Rng;
use fivestone_game::{Board, Point, Rule, Size};
use fivestone_nets::Net;
use fivestone_nets::features::Features;
use fivestone_nets::lines::{LINES, LineRows};
use std::collections::BTreeMap;

/// A position: a game's number, and a ply after its opening or, beyond the last one, a harvested
/// position.
pub type Position = (u32, u16);

/// Games of one rule with their positions to learn from and those held out.
#[derive(Clone, Debug)]
pub struct Dataset {
    rule: Rule,
    games: Vec<SampleGame>,
    training: Vec<Position>,
    held_out: Vec<Position>,
    /// Where each file's positions to learn from end, and how many of them a pass takes.
    files: Vec<(usize, usize)>,
    empty: BTreeMap<Size, Board>,
    left_out: usize,
}

/// Positions looked at to choose the tables' rows.
const COUNTED: usize = 150_000;

/// Bytes a game holds in memory, with its positions in two orders.
fn bytes_of(game: &SampleGame) -> usize {
    let moves = |findings: &Findings| size_of_val(&findings.moves[..]);
    let visits: usize = game.plies.iter().map(|ply| moves(&ply.findings)).sum();
    let plies = game.plies.len() * (size_of::<SamplePly>() + 2 * size_of::<Position>());
    let aside = |position: &HarvestedPosition| {
        let own = size_of::<HarvestedPosition>() + 2 * size_of::<Position>();
        own + size_of_val(&position.path[..]) + moves(&position.findings)
    };
    let harvest: usize = game.harvest.iter().map(aside).sum();
    size_of::<SampleGame>() + size_of_val(&game.opening[..]) + plies + visits + harvest
}

impl Dataset {
    /// Reads the files of a configuration, from the last to the first until the memory it allows is used.
    pub fn load(config: &Config, rule: Rule) -> Result<Dataset, ImportError> {
        let (mut files, mut room, mut left_out) = (Vec::new(), config.memory, 0);
        for path in config.data.iter().rev() {
            let mut games = read_games(path, rule)?;
            let mut first = games.len();
            while first > 0
                && let Some(rest) = room.checked_sub(bytes_of(&games[first - 1]))
            {
                (first, room) = (first - 1, rest);
            }
            if first > 0 {
                room = 0;
            }
            games.drain(..first);
            left_out += first;
            files.push(games);
        }
        files.reverse();
        Ok(Dataset { left_out, ..Dataset::new(rule, files, config.hold_out).thinned(&config.shares) })
    }

    /// The positions of lists of games. In each list one game in `hold_out` is held out.
    pub fn new(rule: Rule, lists: Vec<Vec<SampleGame>>, hold_out: usize) -> Dataset {
        let mut dataset = Dataset {
            rule,
            games: Vec::new(),
            training: Vec::new(),
            held_out: Vec::new(),
            files: Vec::new(),
            empty: BTreeMap::new(),
            left_out: 0,
        };
        for list in lists {
            for (number, game) in list.into_iter().enumerate() {
                dataset.add(game, hold_out > 0 && number % hold_out == 0);
            }
            let before = dataset.files.last().map_or(0, |&(end, _)| end);
            dataset.files.push((dataset.training.len(), dataset.training.len() - before));
        }
        dataset
    }

    /// The same positions, of which a pass takes only a share of each file's.
    fn thinned(mut self, shares: &[f64]) -> Dataset {
        for ((_, taken), share) in self.files.iter_mut().zip(shares) {
            *taken = (*taken as f64 * share).ceil() as usize;
        }
        self
    }

    fn add(&mut self, game: SampleGame, hold_out: bool) {
        let game_number = self.games.len() as u32;
        let empty = self.empty.entry(game.size).or_insert_with(|| Board::new(game.size, game.rule));
        let mut board = empty.clone();
        if game.opening.iter().any(|&point| !matches!(board.play(point), Ok(None))) {
            return;
        }
        let positions = if hold_out { &mut self.held_out } else { &mut self.training };
        for ply in 0..=game.plies.len() {
            for (number, position) in game.harvest.iter().enumerate() {
                if usize::from(position.ply) == ply && leads_on(&board, &position.path) {
                    positions.push((game_number, (game.plies.len() + number) as u16));
                }
            }
            let Some(played) = game.plies.get(ply) else { break };
            let known = played.learn || played.findings.outcome.is_some();
            if known && board.is_empty(played.point) && is_asked_about(&board) {
                positions.push((game_number, ply as u16));
            }
            if !matches!(board.play(played.point), Ok(None)) {
                break;
            }
        }
        self.games.push(game);
    }

    /// The rule of the games.
    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The positions to learn from.
    pub fn training(&self) -> &[Position] {
        &self.training
    }

    /// The positions of the games held out.
    pub fn held_out(&self) -> &[Position] {
        &self.held_out
    }

    /// Games for which there was no room.
    pub fn left_out(&self) -> usize {
        self.left_out
    }

    /// The smallest and the largest board.
    pub fn sides(&self) -> (u8, u8) {
        let side = |size: Option<&Size>| size.map_or(15, |size| size.side() as u8);
        (side(self.empty.keys().next()), side(self.empty.keys().next_back()))
    }

    /// How many positions a pass learns from.
    pub fn pass_length(&self) -> usize {
        self.files.iter().map(|(_, taken)| taken).sum()
    }

    /// The positions that a pass learns from, in its order.
    pub fn shuffled(&self, seed: u64, epoch: usize) -> Vec<Position> {
        let mut rng = Rng::new(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ epoch as u64);
        let mut order = Vec::with_capacity(self.pass_length());
        let mut start = 0;
        for &(end, taken) in &self.files {
            let first = order.len();
            order.extend(&self.training[start..end]);
            if taken < end - start {
                let drawn = &mut order[first..];
                for i in 0..taken {
                    drawn.swap(i, i + rng.below(drawn.len() - i));
                }
                order.truncate(first + taken);
            }
            start = end;
        }
        for i in (1..order.len()).rev() {
            order.swap(i, rng.below(i + 1));
        }
        order
    }

    /// The game and the board of a position.
    pub fn board(&self, (game, ply): Position) -> (&SampleGame, Board) {
        let game = &self.games[game as usize];
        let mut board = self.empty[&game.size].clone();
        if let Some(position) = usize::from(ply).checked_sub(game.plies.len()) {
            game.moves_to(&game.harvest[position]).for_each(|point| board.play_unchecked(point));
            return (game, board);
        }
        for &point in &game.opening {
            board.play_unchecked(point);
        }
        for played in &game.plies[..usize::from(ply)] {
            board.play_unchecked(played.point);
        }
        (game, board)
    }

    /// Fills a sample with a position.
    pub fn fill(
        &self,
        position: Position,
        rows: &[[LineRows; 2]],
        config: &Config,
        builder: &mut SampleBuilder,
        sample: &mut Sample,
    ) {
        let (game, board) = self.board(position);
        builder.build(&board, &Knowledge::of(game, position.1.into(), board.to_move()), rows, config, sample);
    }

    /// Chooses the rows of the tables: the lines met most often, and of the others' inner nines those met most often.
    pub fn choose_rows(&self, config: &Config) -> Vec<[LineRows; 2]> {
        let sets = Net::sets_of(self.rule);
        let mut counts = vec![[vec![0_u32; LINES], vec![0_u32; LINES]]; sets];
        let mut features = Features::default();
        let stride = (self.training.len() / COUNTED).max(1);
        for &position in self.training.iter().step_by(stride) {
            let (_, board) = self.board(position);
            let counts = &mut counts[Net::set_index(self.rule, board.to_move())];
            features.read(&board, |lines| {
                for (at, line) in lines.into_iter().enumerate() {
                    counts[at / 2][line] += 1;
                }
            });
        }
        counts
            .iter()
            .map(|tables| tables.each_ref().map(|counts| frequent_rows(counts, config.lines, config.nines)))
            .collect()
    }
}

/// Whether moves can be played on from a position to one that is worth learning from.
fn leads_on(board: &Board, path: &[Point]) -> bool {
    let mut board = board.clone();
    path.iter().all(|&point| matches!(board.play(point), Ok(None))) && is_asked_about(&board)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::flagship::trainer::tests::random_games;
    use std::collections::BTreeSet;

    #[test]
    fn harvested_positions_are_learned_from_where_the_game_left_them() {
        let mut game = random_games(1, 5).remove(0);
        let plies = game.plies.len();
        let at = |x, y| Point::new(x, y, game.size).unwrap();
        let occupied = game.plies[0].point;
        let free = [at(0, 0), at(14, 0)];
        let aside = |ply: usize, path: &[Point]| HarvestedPosition {
            ply: ply as u16,
            path: path.to_vec(),
            findings: Findings { outcome: Some([0.25, 0.5, 0.25]), ..Findings::NONE },
        };
        game.harvest = vec![aside(3, &free), aside(2, &[occupied])];
        let dataset = Dataset::new(Rule::Freestyle, vec![vec![game]], 0);
        let harvested: Vec<Position> =
            dataset.training.iter().copied().filter(|&(_, ply)| usize::from(ply) >= plies).collect();
        assert_eq!(harvested, [(0, plies as u16)]);
        let (_, board) = dataset.board(harvested[0]);
        assert_eq!(board.stone_count(), 5);
        assert!(free.into_iter().all(|point| board.stone(point).is_some()));
        let config = Config { lines: 100, nines: 10, ..Config::default() };
        let (mut builder, mut sample) = (SampleBuilder::default(), Sample::default());
        dataset.fill(harvested[0], &dataset.choose_rows(&config), &config, &mut builder, &mut sample);
        assert_eq!((sample.outcome, sample.outcome_weight), ([0.25, 0.5, 0.25], 1.0));
    }

    #[test]
    fn a_pass_takes_its_share_of_each_file_and_other_positions_than_the_last() {
        let games = || vec![random_games(6, 1), random_games(4, 2)];
        let whole = Dataset::new(Rule::Freestyle, games(), 0);
        let second_file = whole.files[0].0;
        let thinned = Dataset::new(Rule::Freestyle, games(), 0).thinned(&[0.25]);
        let first_games = whole.training[second_file].0;
        let pass = |epoch| -> [BTreeSet<Position>; 2] {
            let order = thinned.shuffled(7, epoch);
            assert_eq!(order.len(), thinned.pass_length());
            let (first, second) = order.into_iter().partition(|&(game, _)| game < first_games);
            [first, second]
        };
        let ([first, all], [other, again]) = (pass(0), pass(1));
        assert_eq!(first.len(), second_file.div_ceil(4));
        assert_eq!(other.len(), first.len());
        assert_ne!(first, other);
        assert_eq!((all.len(), &all), (whole.training.len() - second_file, &again));
        let sorted = |mut order: Vec<Position>| {
            order.sort_unstable();
            order
        };
        assert_eq!(sorted(whole.shuffled(7, 0)), sorted(whole.training.clone()));
    }
}
