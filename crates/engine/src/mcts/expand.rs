//! From a position to a node: forced results first, then the judge.

use super::tree::{Edge, Node, proof_value};
use crate::Proof;
use crate::evaluation::Judge;
use crate::solver::{Vcf, Verdict, answers_to_fours, answers_to_open_fours, legal_open_fours, stops};
use fivestone_game::{Board, Class, Point, PointSet};

/// How much a new node may cost.
#[derive(Clone, Copy, Debug)]
pub(super) struct ExpandSettings {
    /// Fours tried for the side to move.
    pub own_fours: u64,
    /// Fours tried for the other side.
    pub other_fours: u64,
    /// The most moves kept where nothing is forced.
    pub width: usize,
    /// Flattens (above 1) or sharpens the priors.
    pub temperature: f32,
}

/// One thread's means to make nodes.
pub(super) struct Expander<'a> {
    pub judge: Box<dyn Judge + 'a>,
    pub vcf: Vcf,
    pub settings: ExpandSettings,
    logits: Vec<f32>,
}

/// What the rules and fours say about a position.
enum Situation {
    Decided(Proof),
    Open(Choices),
}

/// What there is to choose from.
struct Choices {
    /// These moves are worth a look.
    points: PointSet,
    /// Whether all others lose.
    complete: bool,
    /// See [`Node::other_barren`].
    other_barren: bool,
}

impl Choices {
    /// All moves that do not lose at once.
    fn forced(points: PointSet) -> Situation {
        Situation::Open(Choices { points, complete: true, other_barren: false })
    }
}

impl<'a> Expander<'a> {
    pub fn new(judge: Box<dyn Judge + 'a>, settings: ExpandSettings, vcf_memory: usize) -> Expander<'a> {
        Expander { judge, vcf: Vcf::with_memory(vcf_memory), settings, logits: Vec::new() }
    }

    /// The node of a position; its `first_value` is for the side to move. `barren` says that the side to move is known to have
    /// no win by fours.
    pub fn expand(&mut self, board: &mut Board, barren: bool) -> Node {
        let mut node = Node {
            hash: board.hash(),
            edges: Vec::new(),
            visits: 0,
            first_value: 0.0,
            proof: None,
            complete: false,
            other_barren: false,
            looks: 0,
            reach: 0,
        };
        match self.situation(board, barren) {
            Situation::Decided(proof) => {
                node.proof = Some(proof);
                node.first_value = proof_value(proof);
            }
            Situation::Open(Choices { points, complete, other_barren }) => {
                node.other_barren = other_barren;
                let moves = legal(board, &points);
                if moves.is_empty() && complete {
                    node.proof = Some(Proof::Loss(2));
                    node.first_value = -1.0;
                    return node;
                }
                node.first_value = self.judge.judge(board, &moves, &mut self.logits);
                node.edges = self.edges(&moves);
                node.complete = complete && node.edges.len() == moves.len();
            }
        }
        node
    }

    fn situation(&mut self, board: &mut Board, barren: bool) -> Situation {
        let mover = board.to_move();
        if board.count(mover, Class::Five) > 0 {
            return Situation::Decided(Proof::Win(1));
        }
        if board.empty().is_empty() {
            return Situation::Decided(Proof::Draw);
        }
        if board.count(!mover, Class::Five) > 0 {
            return Choices::forced(stops(board, !mover));
        }
        if !legal_open_fours(board, mover).is_empty() {
            return Situation::Decided(Proof::Win(3));
        }
        if !barren && self.vcf.solve(board, self.settings.own_fours) == Verdict::Win {
            return Situation::Decided(Proof::Win(self.vcf.line().len() as u16));
        }
        let open_fours = legal_open_fours(board, !mover);
        if !open_fours.is_empty() {
            return Choices::forced(answers_to_open_fours(board, !mover, &open_fours));
        }
        board.pass();
        let threatened = self.vcf.solve(board, self.settings.other_fours);
        board.undo();
        if threatened == Verdict::Win {
            return Choices::forced(answers_to_fours(board, !mover, self.vcf.line()));
        }
        // A stone of the mover's never helps the other side, unless it makes a point legal that was forbidden.
        let other_barren = threatened == Verdict::NoWin && !board.rule().restricts(!mover);
        Situation::Open(Choices { points: board.near(2), complete: false, other_barren })
    }

    /// Edges with prior probabilities, the most likely first.
    fn edges(&self, moves: &[Point]) -> Vec<Edge> {
        let highest = self.logits.iter().copied().fold(f32::MIN, f32::max);
        let odds = |logit: f32| ((logit - highest) / self.settings.temperature).exp();
        let mut edges: Vec<Edge> =
            moves.iter().zip(&self.logits).map(|(&point, &logit)| Edge::new(point, odds(logit))).collect();
        edges.sort_by(|a, b| b.prior.total_cmp(&a.prior).then(a.point.cmp(&b.point)));
        edges.truncate(self.settings.width);
        edges.shrink_to_fit();
        let total: f32 = edges.iter().map(|edge| edge.prior).sum();
        for edge in &mut edges {
            edge.prior /= total;
        }
        edges
    }
}

/// Adds the moves that were left out so far, so that losing all of them proves something.
pub(super) fn complete(board: &mut Board, node: &mut Node) {
    let known: PointSet = node.edges.iter().map(|edge| edge.point).collect();
    let rest = legal(board, &board.empty().difference(&known));
    let prior = 0.1 / rest.len().max(1) as f32;
    node.edges.extend(rest.into_iter().map(|point| Edge::new(point, prior)));
    node.complete = true;
    if node.edges.is_empty() {
        // All that is left is forbidden, and one of it has to be played.
        node.proof = Some(Proof::Loss(1));
    }
}

fn legal(board: &mut Board, points: &PointSet) -> Vec<Point> {
    let restricted = board.rule().restricts(board.to_move());
    points.iter().filter(|&point| !restricted || !board.is_forbidden(point)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rng;
    use crate::evaluation::PatternJudge;
    use fivestone_game::{Rule, Size};

    #[test]
    fn a_side_called_barren_has_no_win_by_fours_after_any_move() {
        let settings = ExpandSettings { own_fours: 120, other_fours: 60, width: 40, temperature: 1.0 };
        let (mut rng, mut checked) = (Rng::new(5), 0);
        for rule in Rule::ALL.into_iter().cycle().take(60) {
            let mut board = Board::new(Size::STANDARD, rule);
            let mut expander = Expander::new(Box::new(PatternJudge::new(&board)), settings, 1 << 16);
            let mut vcf = Vcf::with_memory(1 << 16);
            while board.end().is_none() && board.stone_count() < 70 {
                let near = legal(&mut board.clone(), &board.near(2));
                let Some(&point) = near.get(rng.below(near.len().max(1))) else { break };
                let barren = expander.expand(&mut board, false).other_barren;
                if board.play(point).unwrap().is_none() && barren {
                    assert_ne!(vcf.solve(&mut board, 100_000), Verdict::Win, "{rule} after {point:?}");
                    checked +=
                        usize::from(Class::FOURS.iter().any(|&four| board.count(board.to_move(), four) > 0));
                }
            }
        }
        assert!(checked > 50, "only {checked} positions with a four to make");
    }
}
