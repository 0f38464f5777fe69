//! Evaluating positions.

use crate::architecture::{CELL, HIDDEN, REGIONS, VALUE1};
use crate::features::{Features, Threats, history};
use crate::kernels::{CellRows, Instructions, Kernels};
use crate::line_memory::LineMemory;
use crate::net::{Cell, Net};
use fivestone_game::{Board, Point, Size};
use std::sync::Arc;

/// How a game will end for the side to move: probabilities that sum to one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Wdl {
    /// The side to move wins.
    pub win: f32,
    /// Nobody wins.
    pub draw: f32,
    /// The other side wins.
    pub loss: f32,
}

impl Wdl {
    /// The probabilities of logits.
    pub fn from_logits(logits: [f32; 3]) -> Wdl {
        let highest = logits.into_iter().fold(f32::MIN, f32::max);
        let odds = logits.map(|logit| (logit - highest).exp());
        let total = odds[0] + odds[1] + odds[2];
        Wdl { win: odds[0] / total, draw: odds[1] / total, loss: odds[2] / total }
    }

    /// What the side to move can expect: a win is one, a draw a half.
    pub fn expectation(self) -> f32 {
        self.win + self.draw / 2.0
    }
}

/// A net with room to work in: one per thread.
#[derive(Clone)]
pub struct NetEvaluator {
    net: Arc<Net>,
    kernels: Kernels,
    features: Features,
    lines: LineMemory,
    rows: Vec<CellRows>,
    cells: Vec<Cell>,
    sums: Box<[[i32; CELL]; REGIONS]>,
    /// The first value layer's sums.
    first: Box<[f32; VALUE1]>,
    /// The position that cells and sums are of.
    position: Option<(u64, Size)>,
    moves: Vec<u16>,
    history: Vec<[u8; 2]>,
    hidden: Vec<[i32; HIDDEN]>,
}

impl NetEvaluator {
    /// An evaluator with the fastest instructions of this machine.
    pub fn new(net: Arc<Net>) -> NetEvaluator {
        NetEvaluator::with_instructions(net, Instructions::detect())
            .expect("detected instructions are available")
    }

    /// An evaluator with chosen instructions, if this machine has them.
    pub fn with_instructions(net: Arc<Net>, instructions: Instructions) -> Option<NetEvaluator> {
        Some(NetEvaluator {
            net,
            kernels: Kernels::new(instructions)?,
            features: Features::default(),
            lines: LineMemory::default(),
            rows: Vec::new(),
            cells: vec![Cell::ZERO],
            sums: Box::new([[0; CELL]; REGIONS]),
            first: Box::new([0.0; VALUE1]),
            position: None,
            moves: Vec::new(),
            history: Vec::new(),
            hidden: Vec::new(),
        })
    }

    /// The net in use.
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// What the position is worth to the side to move, and into `logits` the logits of its moves in
    /// their order; nothing is known of forced wins.
    pub fn evaluate(&mut self, board: &Board, moves: &[Point], logits: &mut Vec<f32>) -> Wdl {
        let value = self.value(board, Threats::NOT_KNOWN);
        self.policy(board, Threats::NOT_KNOWN, moves, logits);
        value
    }

    /// What the position is worth to the side to move.
    pub fn value(&mut self, board: &Board, flags: Threats) -> Wdl {
        self.read(board);
        let heads = &self.net.set(board.to_move()).heads;
        Wdl::from_logits(self.kernels.outcome(heads, &self.first, flags))
    }

    /// The logits of the moves in their order. Right after the value of the same position this
    /// costs the moves alone.
    pub fn policy(&mut self, board: &Board, flags: Threats, moves: &[Point], logits: &mut Vec<f32>) {
        self.read(board);
        let set = self.net.set(board.to_move());
        self.moves.clear();
        self.moves.extend(moves.iter().map(|&point| self.features.number(point)));
        self.history.clear();
        self.history.extend(moves.iter().map(|&point| history(board, point)));
        if self.hidden.len() < moves.len() {
            self.hidden.resize(moves.len(), [0; HIDDEN]);
        }
        let hidden = &mut self.hidden[..moves.len()];
        self.kernels.hidden(&set.policy, &self.cells, &self.moves, hidden);
        self.kernels.logits(&set.heads, (&self.first, flags), hidden, &self.history, logits);
    }

    /// Reads the position's cells and what both heads need of them, unless they are still there.
    fn read(&mut self, board: &Board) {
        let position = Some((board.hash(), board.size()));
        if self.position == position {
            return;
        }
        let set = self.net.set(board.to_move());
        let [sides, diagonals] = &set.tables;
        self.features.read_cells(board);
        self.lines.read(board, set);
        self.rows.clear();
        self.rows.extend(self.features.points.iter().map(|&point| self.lines.rows(point)));
        let count = self.rows.len() + 1;
        if self.cells.len() < count {
            self.cells.resize(count, Cell::ZERO);
        }
        let cells = &mut self.cells[..count];
        self.kernels.sum_rows([&sides.rows, &diagonals.rows], &self.rows, cells);
        self.kernels.convolve(&set.convolution, &self.features.points, &self.features.numbers, cells);
        self.kernels.pool(cells, &self.features.runs, &mut self.sums);
        self.kernels.first(&set.heads, &self.sums, &mut self.first);
        self.position = position;
    }
}
