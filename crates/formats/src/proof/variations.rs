//! A proof as a game tree that people can click through.

use super::{After, ProofFile};
use crate::record::{Header, Outcome, Turn, stones_to_moves};
use crate::tree::{NodeId, Step, Tree};
use fivestone_game::Point;
use std::collections::VecDeque;

/// The proof as a tree: the attacker's moves, a variation for each named defence, and comments for
/// the rest. Shared nodes are written out wherever they are met, breadth first; past `most` moves
/// the rest is left out with a comment. `moves` led to the position, if that is known.
pub fn variations(proof: &ProofFile, moves: Option<&[Turn]>, most: usize) -> Tree {
    let mut header = Header::new(Some(proof.rule), proof.size);
    header.outcome = Outcome::Win(proof.to_move);
    let mut tree = Tree::new(header);
    let set_up = stones_to_moves(&proof.black, &proof.white, proof.to_move);
    let mut at = tree.root();
    for &turn in moves.unwrap_or(&set_up) {
        at = tree.push(at, Step::from(turn));
    }
    tree.opening = if moves.is_none() { set_up.len() } else { 0 };
    let order = proof.children_first().unwrap_or_default();
    let teller = Teller { proof, plies: proof.plies_by_node(&order) };
    tree.notes_mut(at).start = true;
    tree.notes_mut(at).comment = format!("{} wins in at most {} plies.", proof.to_move, proof.plies);
    let mut todo = VecDeque::from([(at, 0)]);
    while let Some((parent, node)) = todo.pop_front() {
        if tree.len() >= most {
            let left = format!("Cut here: {} wins in at most {} plies.", proof.to_move, teller.plies[node]);
            add_line(&mut tree, parent, &left);
            continue;
        }
        let played = tree.push(parent, Step::Stone(proof.nodes[node].point));
        tree.notes_mut(played).comment = teller.comment(node);
        for (reply, child) in teller.defences(node) {
            let replied = tree.push(played, Step::Stone(reply));
            match child {
                Some(child) => todo.push_back((replied, child)),
                None => add_line(&mut tree, replied, "Forbidden: White wins."),
            }
        }
    }
    tree
}

fn add_line(tree: &mut Tree, node: NodeId, line: &str) {
    let comment = &mut tree.notes_mut(node).comment;
    if !comment.is_empty() {
        comment.push('\n');
    }
    comment.push_str(line);
}

struct Teller<'a> {
    proof: &'a ProofFile,
    plies: Vec<usize>,
}

impl Teller<'_> {
    /// The named replies with the nodes that answer them, the longest defence first and forbidden
    /// ones last.
    fn defences(&self, node: usize) -> Vec<(Point, Option<usize>)> {
        let After::Replies { listed, forbidden, .. } = &self.proof.nodes[node].after else {
            return Vec::new();
        };
        let mut listed = listed.clone();
        listed.sort_by_key(|&(_, child)| std::cmp::Reverse(self.plies[child]));
        let listed = listed.into_iter().map(|(reply, child)| (reply, Some(child)));
        listed.chain(forbidden.iter().map(|&reply| (reply, None))).collect()
    }

    /// What a move threatens and how long the win takes.
    fn comment(&self, node: usize) -> String {
        let After::Replies { listed, forbidden, otherwise } = &self.proof.nodes[node].after else {
            return "Five.".to_owned();
        };
        let mut lines = vec![format!("Wins in at most {} plies.", self.plies[node])];
        if let Some(other) = *otherwise {
            let threat = self.line(other);
            let answered = if listed.is_empty() && forbidden.is_empty() { "Any" } else { "Any other" };
            match threat.len() {
                1 => lines.push(format!("Threatens five with {}.", threat[0])),
                3 => lines.push(format!("Threatens {} and then five.", threat[0])),
                _ => lines.push(format!("Threatens to win by fours: {}.", threat.join(" "))),
            }
            lines.push(format!("{answered} move loses to {}.", threat.join(" ")));
        }
        lines.join("\n")
    }

    /// A node's line with the longest of the named defences.
    fn line(&self, mut node: usize) -> Vec<String> {
        let name = |point: Point| point.name(self.proof.size);
        let mut line = vec![name(self.proof.nodes[node].point)];
        while let Some(&(reply, child)) = self.defences(node).first() {
            line.push(name(reply));
            let Some(child) = child else { break };
            node = child;
            line.push(name(self.proof.nodes[node].point));
        }
        line
    }
}
