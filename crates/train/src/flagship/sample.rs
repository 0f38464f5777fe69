//! A position as the trainer sees it: the net's features and what the net should say.

use super::{Config, TargetSettings};
use crate::samples::{Findings, SampleGame, SampleMove};
use fivestone_engine::solver::Verdict;
use fivestone_game::{Board, Class, Color, GRID, Point, STRIDE};
use fivestone_nets::Net;
use fivestone_nets::architecture::REACH;
use fivestone_nets::features::{Features, Known, Threats, history};
use fivestone_nets::lines::LineRows;

/// One position to learn from. Cells are numbered from 1; 0 is any cell the net does not look at.
#[derive(Clone, Default, Debug)]
pub struct Sample {
    /// Which set of weights it belongs to.
    pub set: usize,
    /// The table rows of each cell's four lines.
    pub rows: Vec<[u16; 4]>,
    /// Each cell's neighbours: four beside it, four at its corners.
    pub neighbours: Vec<[u16; 8]>,
    /// Each cell's region.
    pub regions: Vec<u8>,
    /// What the net is told of forced wins.
    pub threats: Threats,
    /// The cells of the candidate moves.
    pub moves: Vec<u16>,
    /// How each move lies to the last two.
    pub history: Vec<[u8; 2]>,
    /// Whether a move was judged, be it a candidate or not.
    pub moves_known: bool,
    /// The share each move should get; empty if that is not known, or if no candidate gets any.
    pub shares: Vec<f32>,
    /// What win, draw and loss should be for the side to move.
    pub outcome: [f32; 3],
    /// How much the outcome counts.
    pub outcome_weight: f32,
    /// Whether a search judged the position, rather than the result alone.
    pub judged: bool,
}

impl Sample {
    /// The expectation the value should have.
    pub fn expectation(&self) -> f32 {
        self.outcome[0] + self.outcome[1] / 2.0
    }
}

/// What is known of a position to learn from.
#[derive(Clone, Copy, Debug)]
pub struct Knowledge<'a> {
    /// What a search found.
    pub findings: &'a Findings,
    /// Whether the moves are worth learning.
    pub learn: bool,
    /// The move played; none in a position that the game did not come to.
    pub played: Option<Point>,
    /// Win, draw and loss by the game's result, if that is known and says something about the
    /// position.
    pub result: Option<[f32; 3]>,
}

impl Knowledge<'_> {
    /// What a game knows of its position of a number, its plies first, then what was harvested, to
    /// the side to move there.
    pub fn of(game: &SampleGame, number: usize, mover: Color) -> Knowledge<'_> {
        if let Some(ply) = game.plies.get(number) {
            let result = match game.winner {
                Some(winner) if winner == mover => [1.0, 0.0, 0.0],
                Some(_) => [0.0, 0.0, 1.0],
                None => [0.0, 1.0, 0.0],
            };
            let result = game.result_known.then_some(result);
            return Knowledge { findings: &ply.findings, learn: ply.learn, played: Some(ply.point), result };
        }
        let findings = &game.harvest[number - game.plies.len()].findings;
        Knowledge { findings, learn: true, played: None, result: None }
    }
}

/// Builds samples, keeping the room to do so.
#[derive(Default)]
pub struct SampleBuilder {
    features: Features,
    candidates: Vec<Point>,
}

impl SampleBuilder {
    /// Fills a sample with a position of a game. `rows` are the tables' rows by set of weights.
    pub fn build(
        &mut self,
        board: &Board,
        known: &Knowledge,
        rows: &[[LineRows; 2]],
        config: &Config,
        sample: &mut Sample,
    ) {
        sample.set = Net::set_index(board.rule(), board.to_move());
        self.read_cells(board, &rows[sample.set], sample);
        self.candidates.clear();
        self.candidates.extend(board.near(REACH).iter());
        sample.moves.clear();
        sample.moves.extend(self.candidates.iter().map(|&point| self.features.number(point)));
        sample.history.clear();
        sample.history.extend(self.candidates.iter().map(|&point| history(board, point)));
        self.set_shares(known, sample);
        set_outcome(known, &config.targets, sample);
        sample.threats = if config.threats { threats(known.findings) } else { Threats::NOT_KNOWN };
    }

    fn read_cells(&mut self, board: &Board, rows: &[LineRows; 2], sample: &mut Sample) {
        sample.rows.clear();
        self.features.read(board, |[a, b, c, d]| {
            sample.rows.push([rows[0].row(a), rows[0].row(b), rows[1].row(c), rows[1].row(d)]);
        });
        sample.regions.clear();
        sample.regions.extend(self.features.regions());
        let numbers = &self.features.numbers;
        sample.neighbours.clear();
        sample.neighbours.extend(self.features.points.iter().map(|&point| {
            let point = point.index();
            let at = |index: usize| numbers[index % GRID];
            [
                at(point - STRIDE),
                at(point - 1),
                at(point + 1),
                at(point + STRIDE),
                at(point - STRIDE - 1),
                at(point - STRIDE + 1),
                at(point + STRIDE - 1),
                at(point + STRIDE + 1),
            ]
        }));
    }

    fn set_shares(&self, known: &Knowledge, sample: &mut Sample) {
        sample.shares.clear();
        sample.moves_known = known.learn;
        if !known.learn {
            return;
        }
        sample.shares.resize(self.candidates.len(), 0.0);
        let only = known.played.map(|point| SampleMove { point, share: 1.0, visits: 0 });
        let moves = &known.findings.moves;
        let moves = if moves.is_empty() { only.as_slice() } else { moves };
        let mut total = 0.0;
        for &SampleMove { point, share, .. } in moves {
            if let Some(at) = self.candidates.iter().position(|&candidate| candidate == point) {
                sample.shares[at] += share;
                total += share;
            }
        }
        if total > 0.0 {
            sample.shares.iter_mut().for_each(|share| *share /= total);
        } else {
            sample.shares.clear();
        }
    }
}

fn set_outcome(known: &Knowledge, targets: &TargetSettings, sample: &mut Sample) {
    let judged = known.findings.outcome;
    sample.judged = judged.is_some();
    (sample.outcome, sample.outcome_weight) = match (judged, known.result) {
        (Some(judged), Some(result)) => {
            let share = targets.result_share;
            (std::array::from_fn(|i| share * result[i] + (1.0 - share) * judged[i]), 1.0)
        }
        (Some(judged), None) => (judged, 1.0),
        (None, Some(result)) => (result, targets.unjudged_weight),
        (None, None) => ([0.0, 1.0, 0.0], 0.0),
    };
}

/// What the net is told of a searched position.
fn threats(findings: &Findings) -> Threats {
    let known = |verdict| match verdict {
        Verdict::Win => Known::Win,
        Verdict::NoWin => Known::None,
        Verdict::Unknown => Known::NotKnown,
    };
    Threats { own: known(findings.own_fours), other: known(findings.enemy_fours) }
}

/// Whether a position is one the searches ask the net about: stones on the board, and no five to make or to stop.
pub fn is_asked_about(board: &Board) -> bool {
    board.stone_count() > 0
        && board.count(Color::Black, Class::Five) + board.count(Color::White, Class::Five) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outcomes_are_result_and_judgement_with_their_draws() {
        let findings = Findings { outcome: Some([0.5, 0.3, 0.2]), ..Findings::NONE };
        let targets = TargetSettings { result_share: 0.25, unjudged_weight: 0.5 };
        let outcome = |findings: &Findings, result| {
            let mut sample = Sample::default();
            let known = Knowledge { findings, learn: true, played: None, result };
            set_outcome(&known, &targets, &mut sample);
            (sample.outcome.map(|share| (share * 1000.0).round() as u32), sample.outcome_weight)
        };
        assert_eq!(outcome(&findings, Some([1.0, 0.0, 0.0])), ([625, 225, 150], 1.0));
        assert_eq!(outcome(&findings, Some([0.0, 0.0, 1.0])), ([375, 225, 400], 1.0));
        assert_eq!(outcome(&findings, Some([0.0, 1.0, 0.0])), ([375, 475, 150], 1.0));
        assert_eq!(outcome(&findings, None), ([500, 300, 200], 1.0));
        assert_eq!(outcome(&Findings::NONE, Some([0.0, 1.0, 0.0])), ([0, 1000, 0], 0.5));
        assert_eq!(outcome(&Findings::NONE, None).1, 0.0);
    }

    #[test]
    fn the_net_is_told_the_solvers_verdicts() {
        let findings = Findings { own_fours: Verdict::NoWin, enemy_fours: Verdict::Win, ..Findings::NONE };
        assert_eq!(threats(&findings), Threats { own: Known::None, other: Known::Win });
        assert_eq!(threats(&Findings::NONE), Threats::NOT_KNOWN);
    }
}
