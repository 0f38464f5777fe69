//! A position as the trainer sees it: the net's features and what the net should say.

use super::TargetSettings;
use crate::samples::{SampleGame, SampleMove};
use fivestone_game::{Board, Class, Color, GRID, Point, STRIDE};
use fivestone_nets::Net;
use fivestone_nets::architecture::REACH;
use fivestone_nets::features::{Features, history};
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

/// Builds samples, keeping the room to do so.
#[derive(Default)]
pub struct SampleBuilder {
    features: Features,
    candidates: Vec<Point>,
}

impl SampleBuilder {
    /// Fills a sample with a position of a game: the board before its ply number `ply`. `rows` are the tables' rows by
    /// set of weights.
    pub fn build(
        &mut self,
        board: &Board,
        game: &SampleGame,
        ply: usize,
        rows: &[[LineRows; 2]],
        targets: &TargetSettings,
        sample: &mut Sample,
    ) {
        let mover = board.to_move();
        sample.set = Net::set_index(board.rule(), mover);
        self.read_cells(board, &rows[sample.set], sample);
        self.candidates.clear();
        self.candidates.extend(board.near(REACH).iter());
        sample.moves.clear();
        sample.moves.extend(self.candidates.iter().map(|&point| self.features.number(point)));
        sample.history.clear();
        sample.history.extend(self.candidates.iter().map(|&point| history(board, point)));
        self.set_shares(game, ply, sample);
        set_outcome(game, ply, mover, targets, sample);
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

    fn set_shares(&self, game: &SampleGame, ply: usize, sample: &mut Sample) {
        sample.shares.clear();
        let ply = &game.plies[ply];
        sample.moves_known = ply.learn;
        if !ply.learn {
            return;
        }
        sample.shares.resize(self.candidates.len(), 0.0);
        let only = [SampleMove { point: ply.point, share: 1.0, visits: 0 }];
        let moves = if ply.findings.moves.is_empty() { &only[..] } else { &ply.findings.moves };
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

fn set_outcome(game: &SampleGame, ply: usize, mover: Color, targets: &TargetSettings, sample: &mut Sample) {
    let result = match game.winner {
        Some(winner) if winner == mover => [1.0, 0.0, 0.0],
        Some(_) => [0.0, 0.0, 1.0],
        None => [0.0, 1.0, 0.0],
    };
    let judged = game.plies[ply].findings.outcome;
    sample.judged = judged.is_some();
    (sample.outcome, sample.outcome_weight) = match (judged, game.result_known) {
        (Some(judged), known) => {
            let share = if known { targets.result_share } else { 0.0 };
            (std::array::from_fn(|i| share * result[i] + (1.0 - share) * judged[i]), 1.0)
        }
        (None, true) => (result, targets.unjudged_weight),
        (None, false) => ([0.0, 1.0, 0.0], 0.0),
    };
}

/// Whether a position is one the searches ask the net about: stones on the board, and no five to make or to stop.
pub fn is_asked_about(board: &Board) -> bool {
    board.stone_count() > 0
        && board.count(Color::Black, Class::Five) + board.count(Color::White, Class::Five) == 0
}
