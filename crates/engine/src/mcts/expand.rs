//! From a position to a node: forced results first, then its value, and its moves when they are
//! asked for.

use super::node::{Edge, Facts, NewNode, Node, Outcome, points};
use super::parameters::Constants;
use super::tree::Tree;
use crate::Proof;
use crate::evaluation::Judge;
use crate::solver::{Vcf, Verdict, answers_to_fours, answers_to_open_fours, legal_open_fours, stops};
use fivestone_game::{Board, Class, Color, Point, PointSet};
use fivestone_nets::features::{Known, Threats};

/// Moves with their prior probabilities, the most likely first.
pub(super) type Priors = Vec<(Point, f32)>;

/// One thread's means to make nodes.
pub(super) struct Expander {
    pub judge: Box<dyn Judge>,
    pub vcf: Vcf,
    pub constants: Constants,
    moves: Vec<Point>,
    logits: Vec<f32>,
    priors: Priors,
}

/// What the rules and fours say about a position.
enum Situation {
    Decided(Proof, Option<Point>),
    /// All moves that do not lose at once.
    Forced(PointSet, Threats),
    Open(Facts),
}

/// What is known about wins by fours of the side to move before its node is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fours {
    NotKnown,
    /// There is none.
    Barren,
}

/// How far from a stone a move is looked at.
const NEAR: usize = 2;

impl Expander {
    pub fn new(judge: Box<dyn Judge>, constants: Constants, vcf_memory: usize) -> Expander {
        let vcf = Vcf::with_memory(vcf_memory);
        let (moves, logits, priors) = (Vec::new(), Vec::new(), Vec::new());
        Expander { judge, vcf, constants, moves, logits, priors }
    }

    /// The node of a position. Where the moves are forced they are known at once: nothing else does
    /// their work.
    pub fn new_node(&mut self, board: &mut Board, fours: Fours) -> (NewNode, Option<&Priors>) {
        let mut new = NewNode { hash: board.hash(), ..NewNode::default() };
        match self.situation(board, fours) {
            Situation::Decided(proof, winning) => {
                new.proof = Some(proof);
                new.winning = winning;
                (new, None)
            }
            Situation::Forced(points, threats) => {
                self.read_legal(board, &points);
                if self.moves.is_empty() {
                    new.proof = Some(Proof::Loss(2));
                    return (new, None);
                }
                new.facts.threats = threats;
                if let [only] = self.moves[..] {
                    new.facts.complete = true;
                    self.priors.clear();
                    self.priors.push((only, 1.0));
                } else {
                    self.judge_outcome(board, &mut new);
                    new.facts.complete = self.moves.len() <= self.constants.width;
                    self.judge_moves(board, threats);
                }
                (new, Some(&self.priors))
            }
            Situation::Open(facts) => {
                new.facts = facts;
                self.judge_outcome(board, &mut new);
                (new, None)
            }
        }
    }

    /// The moves of a position where nothing is forced.
    pub fn open_moves(&mut self, board: &mut Board, threats: Threats) -> &Priors {
        self.read_legal(board, &board.near(NEAR));
        self.judge_moves(board, threats);
        &self.priors
    }

    fn judge_outcome(&mut self, board: &Board, new: &mut NewNode) {
        let wdl = self.judge.outcome(board, new.facts.threats);
        new.own = Outcome { win: wdl.win, loss: wdl.loss };
        new.facts.judged = true;
    }

    fn situation(&mut self, board: &mut Board, fours: Fours) -> Situation {
        let (rule, mover) = (board.rule(), board.to_move());
        if board.count(mover, Class::Five) > 0 {
            return Situation::Decided(Proof::Win(1), board.cells(mover, Class::Five).first());
        }
        if board.empty().is_empty() {
            return Situation::Decided(Proof::Draw, None);
        }
        if board.count(!mover, Class::Five) > 0 {
            let threats = Threats { own: Known::NotKnown, other: Known::Win };
            return Situation::Forced(stops(board, !mover), threats);
        }
        let open_fours = legal_open_fours(board, mover);
        if !open_fours.is_empty() {
            return Situation::Decided(Proof::Win(3), open_fours.first());
        }
        let own = match fours {
            Fours::NotKnown => self.vcf.solve(board, self.constants.own_fours),
            Fours::Barren => Verdict::NoWin,
        };
        if own == Verdict::Win {
            let line = self.vcf.line();
            return Situation::Decided(Proof::Win(line.len() as u16), line.first().copied());
        }
        let threatened = Threats { own: known(own), other: Known::Win };
        let open_fours = legal_open_fours(board, !mover);
        if !open_fours.is_empty() {
            let answers = answers_to_open_fours(board, !mover, &open_fours);
            return Situation::Forced(answers, threatened);
        }
        board.pass();
        let other = self.vcf.solve(board, self.constants.other_fours);
        board.undo();
        if other == Verdict::Win {
            let answers = answers_to_fours(board, !mover, self.vcf.line());
            return Situation::Forced(answers, threatened);
        }
        Situation::Open(Facts {
            // A stone of the mover's never helps the other side, unless forbidden points come or go
            // with it: Black may then have no answer to a four of White's.
            other_barren: other == Verdict::NoWin && !Color::BOTH.iter().any(|&color| rule.restricts(color)),
            threats: Threats { own: known(own), other: known(other) },
            ..Facts::default()
        })
    }

    fn read_legal(&mut self, board: &mut Board, points: &PointSet) {
        self.moves.clear();
        self.moves.extend(points.iter().filter(|&point| board.is_legal(point)));
    }

    /// Prior probabilities of the moves, the most likely first.
    fn judge_moves(&mut self, board: &Board, threats: Threats) {
        self.judge.moves(board, threats, &self.moves, &mut self.logits);
        let highest = self.logits.iter().copied().fold(f32::MIN, f32::max);
        let sharpness = 1.0 / self.constants.temperature;
        let priors = &mut self.priors;
        priors.clear();
        priors.extend(self.moves.iter().copied().zip(self.logits.iter().copied()));
        let likelier = |a: &(Point, f32), b: &(Point, f32)| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0));
        if priors.len() > self.constants.width {
            priors.select_nth_unstable_by(self.constants.width - 1, likelier);
            priors.truncate(self.constants.width);
        }
        priors.sort_unstable_by(likelier);
        let mut total = 0.0;
        for (_, prior) in &mut *priors {
            *prior = ((*prior - highest) * sharpness).exp();
            total += *prior;
        }
        for (_, prior) in priors {
            *prior /= total;
        }
    }
}

fn known(verdict: Verdict) -> Known {
    match verdict {
        Verdict::Win => Known::Win,
        Verdict::NoWin => Known::None,
        Verdict::Unknown => Known::NotKnown,
    }
}

/// Adds the moves that were left out so far, so that losing all of them proves something.
pub(super) fn complete(tree: &Tree, board: &mut Board, node: &Node) {
    let rest = board.empty().difference(&points(tree.edges(node)));
    let rest: Vec<Point> = rest.iter().filter(|&point| board.is_legal(point)).collect();
    let prior = 0.1 / rest.len().max(1) as f32;
    let rest: Priors = rest.into_iter().map(|point| (point, prior)).collect();
    tree.add_edges(node, &rest);
    node.set_complete();
    if tree.edges(node).is_empty() {
        // All that is left is forbidden, and one of it has to be played.
        node.prove(Proof::Loss(1), None);
    }
}

/// Divides the logarithms of a node's priors by a temperature.
pub(super) fn temper(edges: &[Edge], temperature: f32) {
    let odds = |edge: &Edge| edge.prior().powf(1.0 / temperature);
    let total: f32 = edges.iter().map(odds).sum();
    for edge in edges {
        edge.set_prior(odds(edge) / total);
    }
}

#[cfg(test)]
mod tests {
    use super::super::KIND;
    use super::*;
    use crate::evaluation::PatternJudge;
    use crate::{Rng, Settings};
    use fivestone_game::{Rule, Size};

    #[test]
    fn a_side_called_barren_has_no_win_by_fours_after_any_move() {
        let constants = Constants::under(Rule::Standard, &Settings::defaults(&KIND));
        let (mut rng, mut checked) = (Rng::new(5), 0);
        for rule in Rule::ALL.into_iter().cycle().take(60) {
            let mut board = Board::new(Size::STANDARD, rule);
            let judge = Box::new(PatternJudge::new(&board));
            let mut expander = Expander::new(judge, constants, 1 << 16);
            let mut vcf = Vcf::with_memory(1 << 16);
            while board.end().is_none() && board.stone_count() < 70 {
                expander.read_legal(&mut board.clone(), &board.near(NEAR));
                let near = expander.moves.clone();
                let Some(&point) = near.get(rng.below(near.len().max(1))) else { break };
                let barren = expander.new_node(&mut board, Fours::NotKnown).0.facts.other_barren;
                if board.play(point).unwrap().is_none() && barren {
                    let verdict = vcf.solve(&mut board, 100_000);
                    assert_ne!(verdict, Verdict::Win, "{rule} after {point:?}");
                    let mover = board.to_move();
                    let fours = Class::FOURS.iter().any(|&four| board.count(mover, four) > 0);
                    checked += usize::from(fours);
                }
            }
        }
        assert!(checked > 50, "only {checked} positions with a four to make");
    }

    #[test]
    fn tempered_priors_still_sum_to_one() {
        let tree = Tree::new();
        let id = tree.insert(&NewNode::default());
        let size = Size::STANDARD;
        let moves: Priors = size.points().zip([0.5, 0.3, 0.2]).collect();
        tree.set_edges(tree.node(id), &moves);
        temper(tree.edges(tree.node(id)), 2.0);
        let priors: Vec<f32> = tree.edges(tree.node(id)).iter().map(Edge::prior).collect();
        assert!((priors.iter().sum::<f32>() - 1.0).abs() < 1e-6);
        assert!((priors[0] / priors[2] - (0.5_f32 / 0.2).sqrt()).abs() < 1e-5);
    }
}
