//! Records in and out: any known format to a tree of plain nodes, and back.

use crate::fault::Fault;
use fivestone_formats::reader::{Options, Reader};
use fivestone_formats::record::Header;
use fivestone_formats::tree::{NodeId, Step, Tree};
use fivestone_formats::{psq, renlib, sgf, text};
use fivestone_game::{Point, Rule, Size};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Nodes that a page is given or may give.
const MOST_NODES: usize = 20_000;
/// Games of one file that a page is given.
const MOST_GAMES: usize = 200;
/// Problems told.
const MOST_PROBLEMS: usize = 20;

/// What to know about bytes that do not tell it themselves.
#[derive(Deserialize)]
pub struct Hints {
    /// The board of games that do not tell theirs.
    size: Option<usize>,
}

/// What was read.
#[derive(Serialize)]
pub struct Imported {
    games: Vec<GameTree>,
    problems: Vec<String>,
}

/// A game as nodes, each after its parent.
#[derive(Serialize, Deserialize)]
pub struct GameTree {
    /// The rule, where it is told.
    #[serde(default)]
    rule: Option<String>,
    size: usize,
    #[serde(default)]
    comment: String,
    #[serde(default)]
    header: BTreeMap<String, String>,
    nodes: Vec<TreeNode>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TreeNode {
    /// The parent's place: 0 is the start, 1 the first of the nodes.
    parent: usize,
    r#move: String,
    #[serde(default)]
    comment: String,
}

/// A game to be written.
#[derive(Deserialize)]
pub struct Export {
    format: String,
    #[serde(flatten)]
    game: GameTree,
}

/// Reads all games in some bytes.
pub fn import(bytes: &[u8], hints: &Hints) -> Result<Imported, Fault> {
    let options = Options { size: hints.size.and_then(Size::new), ..Options::default() };
    let mut imported = Imported { games: Vec::new(), problems: Vec::new() };
    let mut nodes = 0;
    for read in Reader::new(bytes, options) {
        match read {
            Ok(entry) => {
                let (game, passes) = GameTree::of(&entry.game.into_tree(), MOST_NODES - nodes);
                nodes += game.nodes.len();
                imported.games.push(game);
                let number = imported.games.len();
                imported.problems.extend(passes.into_iter().map(|ply| {
                    format!("game {number}: move {ply} is a pass; it is left out with all that follows it")
                }));
            }
            Err(problem) => imported.problems.push(problem.to_string()),
        }
        if imported.games.len() >= MOST_GAMES || nodes >= MOST_NODES {
            imported.problems.insert(0, "only the beginning of a large file is shown".to_owned());
            break;
        }
    }
    imported.problems.truncate(MOST_PROBLEMS);
    if imported.games.iter().all(|game| game.nodes.is_empty()) {
        let reason = imported.problems.into_iter().next();
        return Err(Fault::bad(reason.unwrap_or_else(|| "there is no game in it".to_owned())));
    }
    imported.games.retain(|game| !game.nodes.is_empty());
    Ok(imported)
}

impl GameTree {
    /// The game with at most so many nodes, and the numbers of moves that cannot be shown because they are passes.
    fn of(tree: &Tree, most: usize) -> (GameTree, Vec<usize>) {
        let mut passes = Vec::new();
        let header = &tree.header;
        let words = [("black", &header.black), ("white", &header.white), ("event", &header.event)];
        let mut game = GameTree {
            rule: header.rule.map(|rule| rule.name().to_owned()),
            size: header.size.side(),
            comment: comment(tree, tree.root()),
            header: words
                .into_iter()
                .filter(|(_, value)| !value.is_empty())
                .map(|(name, value)| (name.to_owned(), value.clone()))
                .collect(),
            nodes: Vec::new(),
        };
        // A node's place, and what is still to be done under it.
        let mut open: Vec<(NodeId, usize)> = vec![(tree.root(), 0)];
        while let Some((node, place)) = open.pop() {
            let mut below = Vec::new();
            for child in tree.children(node) {
                match tree.step(child) {
                    Step::Stone(point) if game.nodes.len() < most => {
                        let r#move = point.name(header.size);
                        game.nodes.push(TreeNode { parent: place, r#move, comment: comment(tree, child) });
                        below.push((child, game.nodes.len()));
                    }
                    Step::Stone(_) => {}
                    Step::Pass => passes.push(tree.moves(child).len()),
                    Step::Nothing => below.push((child, place)),
                }
            }
            open.extend(below.into_iter().rev());
        }
        (game, passes)
    }

    fn tree(&self) -> Result<Tree, Fault> {
        if self.nodes.len() > MOST_NODES {
            return Err(Fault::bad(format!("a game has at most {MOST_NODES} moves")));
        }
        let rule = self
            .rule
            .as_deref()
            .map(str::parse::<Rule>)
            .transpose()
            .map_err(|e| Fault::bad(e.to_string()))?;
        let size = Size::new(self.size).ok_or_else(|| Fault::bad("a board has 5 to 22 points a side"))?;
        let word = |name: &str| self.header.get(name).cloned().unwrap_or_default();
        let header = Header {
            black: word("black"),
            white: word("white"),
            event: word("event"),
            ..Header::new(rule, size)
        };
        let mut tree = Tree::new(header);
        let mut places = vec![tree.root()];
        if !self.comment.is_empty() {
            let root = tree.root();
            tree.notes_mut(root).comment.clone_from(&self.comment);
        }
        for (index, node) in self.nodes.iter().enumerate() {
            let parent = places.get(node.parent).copied();
            let parent =
                parent.ok_or_else(|| Fault::bad(format!("node {} comes before its parent", index + 1)))?;
            let point = Point::parse(&node.r#move, size);
            let point = point.map_err(|error| Fault::bad(format!("node {}: {error}", index + 1)))?;
            let made = tree.push(parent, Step::Stone(point));
            if !node.comment.is_empty() {
                tree.notes_mut(made).comment.clone_from(&node.comment);
            }
            places.push(made);
        }
        match tree.cut_illegal().into_iter().next() {
            Some(flaw) => {
                let place = flaw.ply.map_or(String::new(), |ply| format!("move {ply}: "));
                Err(Fault::bad(format!("{place}{}", flaw.fault)))
            }
            None => Ok(tree),
        }
    }
}

fn comment(tree: &Tree, node: NodeId) -> String {
    tree.notes(node).map_or_else(String::new, |notes| notes.comment.clone())
}

/// Writes a game; answers the bytes and their media type.
pub fn export(request: &Export) -> Result<(Vec<u8>, &'static str), Fault> {
    let tree = request.game.tree()?;
    let mut out = Vec::new();
    let media_type = match request.format.as_str() {
        "sgf" => {
            sgf::write(&tree, &mut out);
            "application/x-go-sgf; charset=utf-8"
        }
        "psq" => {
            if !psq::write(&tree.main_line(), &mut out) {
                return Err(Fault::bad("a PSQ file cannot hold a pass"));
            }
            "text/plain; charset=utf-8"
        }
        "lib" => {
            renlib::write(&tree, &mut out).map_err(|error| Fault::bad(error.to_string()))?;
            "application/octet-stream"
        }
        "txt" => {
            text::write_moves(&tree.main_line(), &mut out);
            "text/plain; charset=utf-8"
        }
        _ => return Err(Fault::bad("the format is one of: sgf, psq, lib, txt")),
    };
    Ok((out, media_type))
}
