//! Searches of self-play: a random choice among promising moves, and what was learned about all of them.
//!
//! The root's moves are drawn without replacement by adding Gumbel noise to their logits; the simulations are divided
//! among the drawn ones by halving their number again and again. The move left over is played. What is learned is
//! the policy improved by the values found: it is better than the prior even after few simulations.

mod harvest;

use super::Mcts;
use super::backup::{edge_proof, move_proof};
use super::expand::Fours;
use super::node::{Edge, NONE, Node, Outcome, points};
use super::search::{Company, Simulated, Task, Walker, Worker};
use super::tree::{ROOT, Tree};
use crate::solver::Verdict;
use crate::{Harvested, JudgedMove, Judgement, Proof, Rng, Settings, Stop};
use fivestone_game::{Board, Point, PointSet};
use fivestone_nets::features::Known;
use harvest::Harvester;

/// How a position of self-play is searched.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ExploreLimits {
    /// Simulations.
    pub simulations: u64,
    /// Root moves the simulations are divided among.
    pub considered: usize,
    /// Weight of the noise: 1 to draw moves as likely as their priors say, 0 for the best.
    pub noise: f64,
    /// Positions visited in search of a forced win before any simulation.
    pub solver_nodes: u64,
    /// Visits from which on a position of the tree is harvested; 0 for none.
    pub harvest: u32,
}

/// What such a search found.
#[derive(Clone, PartialEq, Debug)]
pub struct Exploration {
    /// The move to play; nothing where the side to move has lost by force and no move was looked at.
    pub chosen: Option<Point>,
    /// What was found about the position.
    pub judgement: Judgement,
    /// Positions below it to learn from as well, none of them twice.
    pub harvest: Vec<Harvested>,
}

/// The flagship as it plays one game against itself.
pub struct Explorer {
    mcts: Mcts,
}

/// Values count in the improved policy as much as this many visits more of the most visited move would make them.
const VISITS_AHEAD: f64 = 50.0;
/// Logits for a win probability one higher, per visit.
const VALUE_SCALE: f64 = 0.5;
const MOST_BYTES: usize = 256 << 20;

impl Explorer {
    /// The flagship with its parameters.
    pub fn new(settings: &Settings) -> Explorer {
        Explorer { mcts: Mcts::flagship(settings) }
    }

    /// Searches a position that is not over. All positions must be of one rule and size.
    pub fn explore(
        &mut self,
        board: &Board,
        limits: &ExploreLimits,
        rng: &mut Rng,
        stop: &Stop,
    ) -> Exploration {
        let mut game = self.mcts.take_game(board, 1);
        game.tree = Tree::new();
        let (tree, worker) = (&game.tree, &mut game.workers[0]);
        let win = forced_win(&mut board.clone(), limits.solver_nodes, worker, stop);
        let found = win.unwrap_or_else(|| {
            worker.add_root(tree, board);
            let task = Task {
                tree,
                board,
                constants: &game.constants,
                blocked: PointSet::EMPTY,
                most_bytes: MOST_BYTES,
                company: Company::Alone,
            };
            let mut walker = Walker::new(task, worker);
            let mut halving = Halving::begin(tree, limits, rng);
            let simulations = halving.run(&mut walker, limits.simulations, stop);
            let mut found = halving.exploration(tree);
            found.judgement.simulations = simulations;
            if limits.harvest > 0 && !stop.raised() {
                let temperature = game.constants.temperature;
                found.harvest = Harvester::new(tree, board, limits.harvest, temperature.into()).run();
            }
            found
        });
        self.mcts.game = Some(game);
        found
    }
}

impl Worker {
    /// Makes the root of an empty graph. What is learned must not become flatter with every net:
    /// only inside the tree are the priors tempered.
    fn add_root(&mut self, tree: &Tree, board: &Board) {
        let expander = &mut self.expander;
        let temperature = std::mem::replace(&mut expander.constants.temperature, 1.0);
        let mut board = board.clone();
        let (new, moves) = expander.new_node(&mut board, Fours::NotKnown);
        let root = tree.node(tree.insert(&new));
        match moves {
            Some(moves) => tree.set_edges(root, moves),
            None if new.proof.is_none() => {
                tree.set_edges(root, expander.open_moves(&mut board, new.facts.threats));
            }
            None => {}
        }
        self.expander.constants.temperature = temperature;
    }
}

/// A win by fours, or by fours and threes.
fn forced_win(board: &mut Board, nodes: u64, worker: &mut Worker, stop: &Stop) -> Option<Exploration> {
    let (vcf, vct) = (&mut worker.expander.vcf, &mut worker.vct);
    let own_fours = vcf.solve(board, nodes);
    let line = if own_fours == Verdict::Win {
        vcf.line().to_vec()
    } else if vct.solve(board, nodes) == Verdict::Win {
        vct.extract(board, nodes, None, stop);
        vct.line().to_vec()
    } else {
        return None;
    };
    let point = *line.first()?;
    board.pass();
    let enemy_fours = vcf.solve(board, nodes);
    board.undo();
    let proof = Proof::Win(line.len() as u16);
    let judgement = Judgement {
        outcome: numbers(Outcome::certain(proof)),
        proof: Some(proof),
        moves: vec![JudgedMove { point, share: 1.0, visits: 0 }],
        simulations: 0,
        own_fours,
        enemy_fours,
    };
    Some(Exploration { chosen: Some(point), judgement, harvest: Vec::new() })
}

/// Win, draw and loss, which sum to one whatever was lost by rounding.
fn numbers(outcome: Outcome) -> [f64; 3] {
    let (win, loss) = (f64::from(outcome.win), f64::from(outcome.loss));
    let draw = (1.0 - win - loss).max(0.0);
    let sum = win + draw + loss;
    [win / sum, draw / sum, loss / sum]
}

fn verdict(known: Known) -> Verdict {
    match known {
        Known::Win => Verdict::Win,
        Known::None => Verdict::NoWin,
        Known::NotKnown => Verdict::Unknown,
    }
}

/// A root move in the running.
#[derive(Clone, Copy)]
struct Candidate {
    edge: usize,
    /// Logit and noise.
    start: f64,
}

/// The division of simulations among root moves.
struct Halving {
    candidates: Vec<Candidate>,
    /// The points of all root moves.
    points: PointSet,
    /// The noise of every root move, also of those not drawn.
    noise: Vec<f64>,
}

impl Halving {
    fn begin(tree: &Tree, limits: &ExploreLimits, rng: &mut Rng) -> Halving {
        let edges = tree.edges(tree.node(ROOT));
        let noise: Vec<f64> =
            edges.iter().map(|_| limits.noise * -(-rng.unit().max(1e-12).ln()).ln()).collect();
        let mut candidates: Vec<Candidate> = (edges.iter().zip(&noise).enumerate())
            .map(|(edge, (of, noise))| Candidate { edge, start: logit(of) + noise })
            .collect();
        candidates.sort_by(|a, b| b.start.total_cmp(&a.start));
        candidates.truncate(limits.considered.min(limits.simulations as usize).max(1));
        Halving { candidates, points: points(edges), noise }
    }

    /// Simulates until the number is spent or the root is proven; returns how often.
    fn run(&mut self, walker: &mut Walker, simulations: u64, stop: &Stop) -> u64 {
        let rounds = u64::from(self.candidates.len().max(2).next_power_of_two().ilog2());
        let mut done = 0;
        for round in 0..rounds {
            let until = simulations * (round + 1) / rounds;
            while done < until && !stop.raised() {
                let before = done;
                for number in 0..self.candidates.len() {
                    let edge = self.candidates[number].edge;
                    if done < until
                        && let Some(only) = open_move(walker.task.tree, edge)
                    {
                        walker.task.blocked = self.points.difference(&PointSet::from_iter([only]));
                        done += 1;
                        if walker.simulate() != Simulated::Open {
                            return done;
                        }
                    }
                }
                if done == before {
                    break;
                }
            }
            self.halve(walker.task.tree);
        }
        // Simulations are left only when every drawn move has lost: the others have their turn.
        walker.task.blocked = PointSet::EMPTY;
        while done < simulations && !stop.raised() {
            done += 1;
            if walker.simulate() != Simulated::Open {
                break;
            }
        }
        done
    }

    fn halve(&mut self, tree: &Tree) {
        let edges = tree.edges(tree.node(ROOT));
        let most = most_visits(edges);
        let score = |candidate: &Candidate| {
            let tried = tried(tree, &edges[candidate.edge]).unwrap_or(Outcome::DRAW);
            candidate.start + value_logit(tried.winrate(), most)
        };
        self.candidates.sort_by(|a, b| score(b).total_cmp(&score(a)));
        self.candidates.truncate(self.candidates.len().div_ceil(2));
    }

    fn exploration(&self, tree: &Tree) -> Exploration {
        let node = tree.node(ROOT);
        let edges = tree.edges(node);
        let (most, logits) = (most_visits(edges), improved_logits(tree, node, 1.0));
        // Among those visited most the noise still decides; a proven result outweighs it.
        let visited_most =
            |edge: &Edge| edge.visits() == most as u32 || move_proof(tree, node, edge).is_some();
        let noise = |number: usize| self.noise.get(number).copied().unwrap_or(0.0);
        let chosen = (0..edges.len())
            .filter(|&number| visited_most(&edges[number]))
            .max_by(|&a, &b| (logits[a] + noise(a)).total_cmp(&(logits[b] + noise(b))));
        Exploration {
            chosen: chosen.map(|number| edges[number].point()),
            judgement: judgement(tree, node, 1.0),
            harvest: Vec::new(),
        }
    }
}

/// What a move is worth to the side that makes it, once it was tried or proven.
fn tried(tree: &Tree, edge: &Edge) -> Option<Outcome> {
    let child = edge.child();
    let known = child != NONE && (edge.visits() > 0 || tree.node(child).proof().is_some());
    known.then(|| tree.node(child).outcome().of_other_side())
}

/// The logits of a node's priors, which had this temperature, improved by the values found.
fn improved_logits(tree: &Tree, node: &Node, temperature: f64) -> Vec<f64> {
    let edges = tree.edges(node);
    let (most, untried) = (most_visits(edges), mixed_outcome(tree, node));
    let improved = |edge: &Edge| match move_proof(tree, node, edge) {
        Some(Proof::Loss(_)) => f64::NEG_INFINITY,
        Some(Proof::Win(plies)) => 1e6 - f64::from(plies),
        _ => {
            let outcome = tried(tree, edge).unwrap_or(untried);
            temperature * logit(edge) + value_logit(outcome.winrate(), most)
        }
    };
    edges.iter().map(improved).collect()
}

/// What the search found about a node whose priors had this temperature.
fn judgement(tree: &Tree, node: &Node, temperature: f64) -> Judgement {
    let (edges, untried) = (tree.edges(node), mixed_outcome(tree, node));
    let shares = shares(&improved_logits(tree, node, temperature));
    let judged = |(&share, edge): (&f64, &Edge)| {
        let (point, visits) = (edge.point(), edge.visits());
        JudgedMove { point, share, visits }
    };
    let outcome = if node.proof().is_some() || shares.is_empty() {
        numbers(node.outcome())
    } else {
        let mut sum = [0.0; 3];
        for (share, edge) in shares.iter().zip(edges) {
            let outcome = numbers(tried(tree, edge).unwrap_or(untried));
            sum.iter_mut().zip(outcome).for_each(|(sum, number)| *sum += share * number);
        }
        sum
    };
    let threats = node.facts().threats;
    Judgement {
        outcome,
        proof: node.proof(),
        moves: shares.iter().zip(edges).map(judged).collect(),
        simulations: node.visits().into(),
        own_fours: verdict(threats.own),
        enemy_fours: verdict(threats.other),
    }
}

/// The point of a root move that is not lost.
fn open_move(tree: &Tree, edge: usize) -> Option<Point> {
    let edge = &tree.edges(tree.node(ROOT))[edge];
    (!matches!(edge_proof(tree, edge), Some(Proof::Loss(_)))).then(|| edge.point())
}

fn most_visits(edges: &[Edge]) -> f64 {
    edges.iter().map(Edge::visits).max().unwrap_or(0).into()
}

fn logit(edge: &Edge) -> f64 {
    f64::from(edge.prior().max(1e-9)).ln()
}

fn value_logit(value: f64, most_visits: f64) -> f64 {
    (VISITS_AHEAD + most_visits) * VALUE_SCALE * value
}

/// The outcome assumed of an untried move: the position's own, mixed with those of the tried moves.
fn mixed_outcome(tree: &Tree, node: &Node) -> Outcome {
    let own = if node.is_judged() { node.own() } else { node.outcome() };
    let (mut visits, mut priors, mut sum) = (0.0, 0.0, Outcome::DRAW);
    for edge in tree.edges(node).iter().filter(|edge| edge.visits() > 0) {
        let Some(outcome) = tried(tree, edge) else { continue };
        visits += edge.visits() as f32;
        priors += edge.prior();
        sum.win += edge.prior() * outcome.win;
        sum.loss += edge.prior() * outcome.loss;
    }
    if priors <= 0.0 {
        return own;
    }
    let mixed = |own: f32, sum: f32| (own + visits * sum / priors) / (1.0 + visits);
    Outcome { win: mixed(own.win, sum.win), loss: mixed(own.loss, sum.loss) }
}

/// Probabilities of logits; none where no move has one.
fn shares(logits: &[f64]) -> Vec<f64> {
    let highest = logits.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if highest == f64::NEG_INFINITY {
        return Vec::new();
    }
    let odds: Vec<f64> = logits.iter().map(|logit| (logit - highest).exp()).collect();
    let total: f64 = odds.iter().sum();
    odds.iter().map(|odds| odds / total).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::Vcf;
    use fivestone_game::{Color, Rule, Size, notation};

    const LIMITS: ExploreLimits =
        ExploreLimits { simulations: 64, considered: 16, noise: 1.0, solver_nodes: 300, harvest: 0 };

    fn explorer() -> Explorer {
        Explorer::new(&Settings::defaults(&crate::mcts::KIND))
    }

    fn position(moves: &str, rule: Rule) -> Board {
        let moves = notation::parse_moves(moves, Size::STANDARD).unwrap();
        Board::from_moves(Size::STANDARD, rule, &moves).unwrap()
    }

    fn explore(board: &Board, limits: &ExploreLimits, seed: u64) -> Exploration {
        explorer().explore(board, limits, &mut Rng::new(seed), &Stop::new())
    }

    #[test]
    fn a_quiet_position_gives_a_legal_move_and_a_policy() {
        for rule in Rule::ALL {
            let board = position("h8i9g10", rule);
            let found = explore(&board, &LIMITS, 3);
            assert_eq!(found.judgement.simulations, 64);
            assert!(board.is_empty(found.chosen.unwrap()));
            assert!((found.judgement.moves.iter().map(|tried| tried.share).sum::<f64>() - 1.0).abs() < 1e-9);
            assert!(
                (0.05..0.95).contains(&found.judgement.winrate()),
                "{rule}: {}",
                found.judgement.winrate()
            );
            assert_eq!(found, explore(&board, &LIMITS, 3));
        }
    }

    #[test]
    fn seeds_vary_the_move_but_hardly_what_is_learned() {
        let board = position("h8i9g10", Rule::Freestyle);
        let found: Vec<Exploration> = (0..12).map(|seed| explore(&board, &LIMITS, seed)).collect();
        assert!(found.iter().any(|other| other.chosen != found[0].chosen));
        let spread = found.iter().map(|found| (found.judgement.winrate() - 0.5).abs()).fold(0.0, f64::max);
        assert!(spread < 0.4, "{spread}");
        let calm = ExploreLimits { noise: 0.0, ..LIMITS };
        assert!((0..4).all(|seed| explore(&board, &calm, seed) == explore(&board, &calm, 9)));
    }

    #[test]
    fn a_side_with_only_forbidden_points_left_has_lost() {
        let rows = ["xoxooxx", "ooxoxox", "xxoooxx", "xxx.xxo", "xoxxxox", "xooooxo", "oooxooo"];
        let size = Size::new(7).unwrap();
        let stones = |stone: u8| -> Vec<Point> {
            let points = (0..size.cells()).filter_map(|cell| Point::new(cell % 7, cell / 7, size));
            points.filter(|point| rows[point.y()].as_bytes()[point.x()] == stone).collect()
        };
        let (black, white) = (stones(b'x'), stones(b'o'));
        let board = Board::from_stones(size, Rule::Renju, &black, &white, Color::Black).unwrap();
        assert_eq!(board.forbidden_points().len(), 1);
        let found = explore(&board, &LIMITS, 1);
        assert_eq!((found.chosen, found.judgement.proof), (None, Some(Proof::Loss(1))), "{found:?}");
        // Without the rule the last stone is an overline and wins.
        let board = Board::from_stones(size, Rule::Freestyle, &black, &white, Color::Black).unwrap();
        assert!(matches!(explore(&board, &LIMITS, 1).judgement.proof, Some(Proof::Win(_))));
    }

    #[test]
    fn forced_results_are_proven() {
        // Black makes an open four of an open three.
        let won = position("h8a1i8a3j8a5", Rule::Freestyle);
        let found = explore(&won, &LIMITS, 1);
        assert!(matches!(found.judgement.proof, Some(Proof::Win(_))), "{found:?}");
        assert_eq!((found.judgement.winrate(), found.judgement.moves.len()), (1.0, 1));
        // White faces an open four.
        let lost = position("h8a1i8a3j8a5k8", Rule::Freestyle);
        let found = explore(&lost, &LIMITS, 1);
        assert!(matches!(found.judgement.proof, Some(Proof::Loss(_))), "{found:?}");
        assert_eq!(found.judgement.winrate(), 0.0);
    }

    #[test]
    fn the_solver_speaks_of_both_sides() {
        use Verdict::{NoWin, Win};
        for (moves, own, enemy) in [
            ("h8i9g10", NoWin, NoWin),
            ("h8a1i8a3j8a5", Win, NoWin),
            ("h8a1i8a3j8", NoWin, Win),
            ("h8h11i8i11j8j11", Win, Win),
        ] {
            let found = explore(&position(moves, Rule::Freestyle), &LIMITS, 1).judgement;
            assert_eq!((found.own_fours, found.enemy_fours), (own, enemy), "{moves}");
        }
    }

    #[test]
    fn harvested_positions_are_reached_by_their_paths_and_none_comes_twice() {
        let limits = ExploreLimits { simulations: 300, harvest: 6, ..LIMITS };
        let mut asked = 0;
        for rule in Rule::ALL {
            let board = position("h8i9g10j7i7", rule);
            let found = explore(&board, &limits, 5);
            assert!(explore(&board, &LIMITS, 5).harvest.is_empty());
            assert!(found.harvest.len() > 4, "{rule}: {}", found.harvest.len());
            let mut hashes = vec![board.hash()];
            for Harvested { path, hash, judgement } in found.harvest {
                let mut board = board.clone();
                assert!(path.iter().all(|&point| board.play(point) == Ok(None)));
                assert!(board.hash() == hash && !hashes.contains(&hash));
                hashes.push(hash);
                assert!(judgement.simulations >= 6);
                assert!((judgement.outcome.iter().sum::<f64>() - 1.0).abs() < 1e-9);
                assert!((judgement.moves.iter().map(|tried| tried.share).sum::<f64>() - 1.0).abs() < 1e-9);
                assert!(judgement.moves.iter().all(|tried| board.is_empty(tried.point)));
                let mut direct = |board: &mut Board, said: Verdict| {
                    let answer = Vcf::with_memory(1 << 16).solve(board, 100_000);
                    assert!(said == answer || said == Verdict::Unknown, "{rule}: {said:?} {answer:?}");
                    asked += usize::from(said != Verdict::Unknown);
                };
                direct(&mut board, judgement.own_fours);
                board.pass();
                direct(&mut board, judgement.enemy_fours);
            }
        }
        assert!(asked > 50, "{asked}");
    }
}
