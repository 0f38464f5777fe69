//! What is in a file of samples.

use super::file::{Blocks, SampleError};
use super::{Findings, SampleGame};
use fivestone_engine::solver::Verdict;
use fivestone_game::{Color, Rule, Size};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::BufReader;
use std::path::Path;

/// Counts over the games of a file, or of several.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct SampleSummary {
    /// Versions of the files.
    pub versions: Vec<u32>,
    /// Bytes of the whole blocks, with the beginning of the file.
    pub bytes: u64,
    /// Games.
    pub games: u64,
    /// Games by rule and size.
    pub boards: BTreeMap<(&'static str, Size), u64>,
    /// Games won by Black, won by White, drawn, and of unknown result.
    pub results: [u64; 4],
    /// Played positions to learn moves from.
    pub played: u64,
    /// Played positions with a judgement only.
    pub judged: u64,
    /// Positions harvested from the trees.
    pub harvested: u64,
    /// Simulations of the searches at played positions.
    pub simulations: u64,
    /// Positions with a certain result.
    pub proven: u64,
    /// Positions where the side to move wins by fours, does not, and where it is not known.
    pub own_fours: [u64; 3],
    /// The same of the other side, if it were to move.
    pub enemy_fours: [u64; 3],
}

impl SampleSummary {
    /// Counts what is in a file. A damaged one gives what lies before the damage, and what is
    /// wrong.
    pub fn of_file(path: &Path) -> (SampleSummary, Result<(), SampleError>) {
        let mut summary = SampleSummary::default();
        let counted = summary.count_file(path);
        (summary, counted)
    }

    fn count_file(&mut self, path: &Path) -> Result<(), SampleError> {
        let file = File::open(path).map_err(|error| SampleError::Io(error.to_string()))?;
        let mut blocks = Blocks::begin(BufReader::new(file))?;
        self.versions.push(blocks.version);
        self.bytes = blocks.end as u64;
        blocks.read_all(|games, end| {
            for game in &games {
                self.count(game);
            }
            self.bytes = end as u64;
        })
    }

    fn count(&mut self, game: &SampleGame) {
        self.games += 1;
        *self.boards.entry((Rule::name(game.rule), game.size)).or_default() += 1;
        let result = match (game.result_known, game.winner) {
            (true, Some(Color::Black)) => 0,
            (true, Some(Color::White)) => 1,
            (true, None) => 2,
            (false, _) => 3,
        };
        self.results[result] += 1;
        for ply in &game.plies {
            self.played += u64::from(ply.learn);
            self.judged += u64::from(!ply.learn && ply.findings.outcome.is_some());
            self.simulations += u64::from(ply.findings.simulations);
            self.count_findings(&ply.findings);
        }
        self.harvested += game.harvest.len() as u64;
        for position in &game.harvest {
            self.count_findings(&position.findings);
        }
    }

    fn count_findings(&mut self, findings: &Findings) {
        let place = |verdict| match verdict {
            Verdict::Win => 0,
            Verdict::NoWin => 1,
            Verdict::Unknown => 2,
        };
        self.proven += u64::from(findings.proof.is_some());
        self.own_fours[place(findings.own_fours)] += 1;
        self.enemy_fours[place(findings.enemy_fours)] += 1;
    }

    /// Adds the counts of another file.
    pub fn add(&mut self, other: &SampleSummary) {
        self.versions.extend(&other.versions);
        self.versions.sort_unstable();
        self.versions.dedup();
        for (&board, games) in &other.boards {
            *self.boards.entry(board).or_default() += games;
        }
        let mut numbers = self.numbers();
        for (sum, number) in numbers.iter_mut().zip(other.clone().numbers()) {
            **sum += *number;
        }
    }

    fn numbers(&mut self) -> Vec<&mut u64> {
        let mut numbers = vec![
            &mut self.bytes,
            &mut self.games,
            &mut self.played,
            &mut self.judged,
            &mut self.harvested,
            &mut self.simulations,
            &mut self.proven,
        ];
        numbers.extend(&mut self.results);
        numbers.extend(&mut self.own_fours);
        numbers.extend(&mut self.enemy_fours);
        numbers
    }

    /// Positions with moves to learn.
    pub fn targets(&self) -> u64 {
        self.played + self.harvested
    }

    /// Bytes of the file for each of them; nothing without any.
    pub fn bytes_per_target(&self) -> Option<f64> {
        (self.targets() > 0).then(|| self.bytes as f64 / self.targets() as f64)
    }
}
