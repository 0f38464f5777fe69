//! Asking a move predictor about one position after another.
//!
//! A stone reaches the numbers of few cells, so what the next position changes is added to what is
//! known of the last one. The arithmetic is in integers: an answer never depends on what was asked
//! before. Whoever is to move sees the stones with other signs, so each side has a sight of its
//! own.

use super::architecture::{Input, Layer, Top};
use super::frame::Frame;
use super::input::Window;
use super::net::PolicyNet;
use crate::kernels::convolution::following::{
    BLOCK, BlockSums, Change, HIGHEST, Numbers, RowChange, RowTable, Spread, Sums,
};
use crate::kernels::{Instructions, Kernels};
use fivestone_game::{Board, Point, PointSet};
use std::sync::Arc;

/// The highest sum of a later layer supposes all numbers before it at their highest. Positions
/// never come near: this part of it is room enough, and numbers beyond are clipped.
const ROOM: f64 = 4.0;

/// What no sum reaches: a little less than 32 bits, so that it can be rounded.
const WIDEST: f64 = ((1_u32 << 31) - (1 << 24)) as f64;

/// A move predictor that follows a game: one per thread.
#[derive(Clone)]
pub struct FollowingEvaluator {
    net: Arc<FollowingNet>,
    empty: Sight,
    /// By the side to move.
    sights: [Sight; 2],
    room: Room,
}

/// A net in integers.
struct FollowingNet {
    kernels: Kernels,
    frame: Frame,
    whole: PointSet,
    layers: Vec<FollowingLayer>,
    top: RowTable,
    /// The first row of the top by cell of the frame.
    top_rows: Vec<u32>,
    /// Units of the top's sums that make one of a logit.
    scale: f32,
}

struct FollowingLayer {
    spread: Spread,
    reach: usize,
    /// Fours of output channels.
    fours: usize,
    shift: u32,
}

/// What is known of the position last asked about.
#[derive(Clone)]
struct Sight {
    stones: Stones,
    /// By layer, then cell and four channels.
    sums: Vec<Vec<Sums>>,
    numbers: Vec<Vec<Numbers>>,
    /// By point of the frame.
    top_sums: Vec<BlockSums>,
}

/// The stones in the frame.
#[derive(Clone, Copy)]
struct Stones {
    own: PointSet,
    others: PointSet,
}

/// Lists that are filled anew for every question.
#[derive(Clone)]
struct Room {
    cells: Vec<u16>,
    changes: Vec<Change>,
    rows: Vec<RowChange>,
    open: Vec<u16>,
}

impl FollowingEvaluator {
    /// An evaluator with the fastest instructions of this machine, for nets that are shown
    /// `stones`, have no layers but convolutions, and end in `full`.
    pub fn new(net: &PolicyNet) -> Option<FollowingEvaluator> {
        FollowingEvaluator::with_instructions(net, Instructions::detect())
    }

    /// The same with chosen instructions, if this machine has them.
    pub fn with_instructions(net: &PolicyNet, instructions: Instructions) -> Option<FollowingEvaluator> {
        let kernels = Kernels::new(instructions)?;
        let shape = &net.architecture;
        let convolutions = shape.layers.iter().all(|layer| matches!(layer, Layer::Convolution { .. }));
        if shape.input != Input::Stones || shape.top != Top::Full || !convolutions {
            return None;
        }
        let (net, mut empty) = FollowingNet::new(net, kernels);
        let mut room = net.room();
        net.pass_on(0, net.whole, &mut empty, &mut room);
        Some(FollowingEvaluator { net: Arc::new(net), sights: [empty.clone(), empty.clone()], empty, room })
    }

    /// The empty point with the highest logit, the first of several; nothing where the net knows
    /// none.
    pub fn best(&mut self, board: &Board) -> Option<Point> {
        let window = self.look(board);
        let net = &self.net;
        let open = window.show(board.empty());
        let side = net.frame.size().side();
        self.room.open.clear();
        for y in 0..side {
            let words = (0..side).step_by(BLOCK).map(|x| (open.row(y) >> x) as u16);
            self.room.open.extend(words);
        }
        let sums = &self.sights[board.to_move().index()].top_sums;
        let column = net.kernels.highest(sums, &self.room.open)?;
        let seen = Point::new(column % net.line(), column / net.line(), net.frame.size())?;
        window.behind(seen)
    }

    /// The empty points that the net knows, with their logits.
    pub fn logits(&mut self, board: &Board) -> impl Iterator<Item = (Point, f32)> {
        let window = self.look(board);
        let (line, scale) = (self.net.line(), self.net.scale);
        let sums = self.sights[board.to_move().index()].top_sums.as_flattened();
        board.empty().iter().filter_map(move |point| {
            let seen = window.seen(point)?;
            Some((point, sums[seen.y() * line + seen.x()] as f32 / scale))
        })
    }

    /// Brings the sight of the side to move up to date.
    fn look(&mut self, board: &Board) -> Window {
        let window = Window::new(board, self.net.frame.size());
        let mover = board.to_move();
        let [own, others] = [mover, !mover].map(|color| window.show(board.stones(color)));
        let sight = &mut self.sights[mover.index()];
        self.net.follow(&self.empty, Stones { own, others }, board.stone_count(), sight, &mut self.room);
        window
    }
}

impl FollowingNet {
    /// The net, and the sight of an empty board before its sums are passed on.
    fn new(net: &PolicyNet, kernels: Kernels) -> (FollowingNet, Sight) {
        let frame = Frame::new(net.size);
        let mut sight =
            Sight { stones: Stones::NONE, sums: Vec::new(), numbers: Vec::new(), top_sums: Vec::new() };
        let mut layers = Vec::new();
        let mut range = Range { least: -1.0, most: 1.0, scale: 1.0 };
        for (step, tensors) in net.architecture.steps().iter().zip(net.tensors.chunks(2)) {
            let Integers { weights, mut bias, most, scale } = range.integers(&tensors[0], &tensors[1]);
            let room = if layers.is_empty() { most } else { most / ROOM };
            let shift =
                (0..31).find(|shift| room as i64 >> shift <= HIGHEST.into()).expect("sums have 32 bits");
            // Half a unit more, so that the shift rounds.
            for bias in &mut bias {
                *bias += (1 << shift) / 2;
            }
            range = Range { least: 0.0, most: HIGHEST.into(), scale: scale / f64::from(1 << shift) };
            let fours = step.outputs.div_ceil(4);
            bias.resize(4 * fours, 0);
            sight.sums.push(bias.as_chunks().0.repeat(frame.cells()));
            sight.numbers.push(vec![[0; 4]; fours * frame.cells()]);
            let spread = Spread::new(frame.stride(), step.side, step.inputs, step.outputs, &weights);
            layers.push(FollowingLayer { spread, reach: step.side / 2, fours, shift });
        }
        let [weights, bias] = net.tensors.last_chunk().expect("a net has a top");
        let Integers { weights, bias, scale, .. } = range.integers(weights, bias);
        let top = RowTable::new(net.size.side(), net.size.side(), &weights);
        sight.top_sums = top.sums(&bias);
        let mut top_rows = vec![0; frame.cells()];
        let channels = net.architecture.top_channels();
        for (number, point) in net.size.points().enumerate() {
            top_rows[frame.cell(point) as usize] = (number * channels) as u32;
        }
        let whole = net.size.points().collect();
        (FollowingNet { kernels, frame, whole, layers, top, top_rows, scale: scale as f32 }, sight)
    }

    fn room(&self) -> Room {
        let fours = self.layers.iter().map(|layer| layer.fours).max().unwrap_or(1);
        // One more than there can be: entries are written before it is known whether they count.
        let changes = self.whole.len() * fours + 1;
        Room {
            cells: Vec::new(),
            changes: vec![Change::default(); changes],
            rows: vec![RowChange::default(); 4 * changes + 1],
            open: Vec::new(),
        }
    }

    /// Brings a sight to so many stones, from those it saw or from the empty board, whichever is
    /// nearer.
    fn follow(&self, empty: &Sight, stones: Stones, number: usize, sight: &mut Sight, room: &mut Room) {
        let mut changed = sight.stones.unlike(&stones);
        let mut count = self.list_changes(&changed, &sight.stones, &stones, &mut room.changes);
        if count > number {
            sight.copy_from(empty);
            changed = stones.own.union(&stones.others);
            count = self.list_changes(&changed, &sight.stones, &stones, &mut room.changes);
        }
        sight.stones = stones;
        self.pass_on(count, changed, sight, room);
    }

    fn list_changes(&self, at: &PointSet, from: &Stones, to: &Stones, changes: &mut [Change]) -> usize {
        let mut count = 0;
        for point in at.iter() {
            let by = to.number(point) - from.number(point);
            changes[count] = Change { cell: self.frame.cell(point) as u16, four: 0, by: [by, 0, 0, 0] };
            count += 1;
        }
        count
    }

    /// Takes the first changes of the list, all of them of input cells in the set, through the
    /// layers.
    fn pass_on(&self, mut count: usize, mut touched: PointSet, sight: &mut Sight, room: &mut Room) {
        let kernels = self.kernels;
        let memory = sight.sums.iter_mut().zip(&mut sight.numbers);
        for (layer, (sums, numbers)) in self.layers.iter().zip(memory) {
            kernels.spread(&layer.spread, &room.changes[..count], sums);
            touched = touched.grown(layer.reach).intersection(&self.whole);
            self.list_cells(&touched, &mut room.cells);
            count = kernels.settle(&room.cells, layer.fours, layer.shift, sums, numbers, &mut room.changes);
        }
        let mut rows = 0;
        for change in &room.changes[..count] {
            let first = self.top_rows[usize::from(change.cell)] + 4 * u32::from(change.four);
            for (row, by) in (first..).zip(change.by) {
                room.rows[rows] = RowChange { row, by };
                rows += usize::from(by != 0);
            }
        }
        kernels.add_rows(&self.top, &room.rows[..rows], &mut sight.top_sums);
    }

    fn list_cells(&self, set: &PointSet, cells: &mut Vec<u16>) {
        let board = self.frame.board();
        cells.clear();
        for y in 0..board.side {
            let mut row = set.row(y);
            while row != 0 {
                cells.push((board.first + y * board.stride) as u16 + row.trailing_zeros() as u16);
                row &= row - 1;
            }
        }
    }

    /// Columns of the top for a row of the board: whole blocks, so that points are found by word.
    fn line(&self) -> usize {
        self.frame.size().side().next_multiple_of(BLOCK)
    }
}

impl Sight {
    fn copy_from(&mut self, other: &Sight) {
        self.stones = other.stones;
        self.sums.clone_from(&other.sums);
        self.numbers.clone_from(&other.numbers);
        self.top_sums.clone_from(&other.top_sums);
    }
}

impl Stones {
    const NONE: Stones = Stones { own: PointSet::EMPTY, others: PointSet::EMPTY };

    /// What the net is shown of a point.
    fn number(&self, point: Point) -> i16 {
        i16::from(self.own.contains(point)) - i16::from(self.others.contains(point))
    }

    /// The points that look otherwise.
    fn unlike(&self, other: &Stones) -> PointSet {
        let lost = |a: &Stones, b: &Stones| a.own.difference(&b.own).union(&a.others.difference(&b.others));
        lost(self, other).union(&lost(other, self))
    }
}

/// Which integers a layer is given, and how many units make one.
#[derive(Clone, Copy)]
struct Range {
    least: f64,
    most: f64,
    scale: f64,
}

/// A layer in integers.
struct Integers {
    weights: Vec<i16>,
    bias: Vec<i32>,
    /// The highest sum there can be.
    most: f64,
    /// Units of the sums that make one.
    scale: f64,
}

impl Range {
    /// The weights of a layer, the outputs running fastest, in the finest units in which no sum can
    /// leave its 32 bits.
    fn integers(self, weights: &[f32], bias: &[f32]) -> Integers {
        // Where all weights are smaller there is nothing worth finer units.
        let greatest = weights.iter().fold(1e-3_f32, |greatest, weight| greatest.max(weight.abs()));
        let mut unit = f64::from(i16::MAX) / f64::from(greatest);
        loop {
            let scale = self.scale * unit;
            let whole = |number: f32, scale: f64| (f64::from(number) * scale).round();
            let weights: Vec<i16> = weights.iter().map(|&weight| whole(weight, unit) as i16).collect();
            let bias: Vec<f64> = bias.iter().map(|&bias| whole(bias, scale)).collect();
            let (least, most) = self.sums(&weights, &bias);
            let widest = most.max(-least);
            if widest < WIDEST {
                let bias = bias.into_iter().map(|bias| bias as i32).collect();
                return Integers { weights, bias, most, scale };
            }
            // A little less, for what rounding may add.
            unit *= 0.999 * WIDEST / widest;
        }
    }

    /// The least and the greatest sum there can be.
    fn sums(self, weights: &[i16], bias: &[f64]) -> (f64, f64) {
        let (mut least, mut most) = (bias.to_vec(), bias.to_vec());
        for row in weights.chunks(bias.len()) {
            for ((least, most), &weight) in least.iter_mut().zip(&mut most).zip(row) {
                let ends = [self.least, self.most].map(|number| f64::from(weight) * number);
                *least += ends[0].min(ends[1]);
                *most += ends[0].max(ends[1]);
            }
        }
        (least.into_iter().fold(0.0, f64::min), most.into_iter().fold(0.0, f64::max))
    }
}
