//! Where nodes lead to.

use super::{After, Node, ProofFile};

impl Node {
    /// The nodes that answer replies to this one, `otherwise` last.
    pub fn children(&self) -> impl Iterator<Item = usize> + '_ {
        let (listed, otherwise) = match &self.after {
            After::Five => (&[][..], None),
            After::Replies { listed, otherwise, .. } => (&listed[..], *otherwise),
        };
        listed.iter().map(|&(_, child)| child).chain(otherwise)
    }
}

impl ProofFile {
    /// The nodes, children before those that lead to them; or a node that leads back to itself.
    pub(super) fn children_first(&self) -> Result<Vec<usize>, usize> {
        #[derive(Clone, Copy, PartialEq)]
        enum Seen {
            Never,
            Open,
            Done,
        }
        let mut seen = vec![Seen::Never; self.nodes.len()];
        let mut order = Vec::with_capacity(self.nodes.len());
        for root in 0..self.nodes.len() {
            // A list of its own instead of recursion: files may hold chains of any length.
            let mut todo = vec![root];
            while let Some(&node) = todo.last() {
                if seen[node] != Seen::Never {
                    todo.pop();
                    if seen[node] == Seen::Open {
                        seen[node] = Seen::Done;
                        order.push(node);
                    }
                    continue;
                }
                seen[node] = Seen::Open;
                for child in self.nodes[node].children() {
                    match seen[child] {
                        Seen::Never => todo.push(child),
                        Seen::Open => return Err(child),
                        Seen::Done => {}
                    }
                }
            }
        }
        Ok(order)
    }

    /// For each node the most plies from its move to the end, both counted.
    pub(super) fn plies_by_node(&self, children_first: &[usize]) -> Vec<usize> {
        let mut plies = vec![1; self.nodes.len()];
        for &node in children_first {
            if let After::Replies { forbidden, .. } = &self.nodes[node].after {
                let after_reply = self.nodes[node].children().map(|child| plies[child]).max();
                let foul = (!forbidden.is_empty()).then_some(0);
                plies[node] = 2 + after_reply.or(foul).unwrap_or(0);
            }
        }
        plies
    }
}
