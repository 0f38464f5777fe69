//! Records in and out: any known format to a tree of plain nodes, and back.

use crate::fault::Fault;
use crate::wire::{ExportRequest, GameTree, Hints, Imported, TreeNode};
use fivestone_formats::reader::{Options, Reader};
use fivestone_formats::record::Header;
use fivestone_formats::tree::{NodeId, Step, Tree};
use fivestone_formats::{psq, renlib, sgf, text};
use fivestone_game::{Point, Rule, Size};
use std::str::FromStr;

/// Nodes that a page is given or may give.
const MOST_NODES: usize = 20_000;
/// Games of one file that a page is given.
const MOST_GAMES: usize = 200;
/// Problems told.
const MOST_PROBLEMS: usize = 20;

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
        let mut tree = Tree::new(self.file_header()?);
        if !self.comment.is_empty() {
            let root = tree.root();
            tree.notes_mut(root).comment.clone_from(&self.comment);
        }
        self.plant(&mut tree)?;
        match tree.cut_illegal().into_iter().next() {
            Some(flaw) => {
                let place = flaw.ply.map_or(String::new(), |ply| format!("move {ply}: "));
                Err(Fault::bad(format!("{place}{}", flaw.fault)))
            }
            None => Ok(tree),
        }
    }

    fn file_header(&self) -> Result<Header, Fault> {
        let rule = self.rule.as_deref().map(str::parse::<Rule>).transpose();
        let rule = rule.map_err(|error| Fault::bad(error.to_string()))?;
        let size = Size::new(self.size).ok_or_else(|| Fault::bad("a board has 5 to 22 points a side"))?;
        let word = |name: &str| self.header.get(name).cloned().unwrap_or_default();
        Ok(Header {
            black: word("black"),
            white: word("white"),
            event: word("event"),
            ..Header::new(rule, size)
        })
    }

    /// Puts the nodes into a tree, each under its parent.
    fn plant(&self, tree: &mut Tree) -> Result<(), Fault> {
        let mut places = vec![tree.root()];
        for (index, node) in self.nodes.iter().enumerate() {
            let parent = places.get(node.parent).copied();
            let parent =
                parent.ok_or_else(|| Fault::bad(format!("node {} comes before its parent", index + 1)))?;
            let point = Point::parse(&node.r#move, tree.header.size);
            let point = point.map_err(|error| Fault::bad(format!("node {}: {error}", index + 1)))?;
            let made = tree.push(parent, Step::Stone(point));
            if !node.comment.is_empty() {
                tree.notes_mut(made).comment.clone_from(&node.comment);
            }
            places.push(made);
        }
        Ok(())
    }
}

fn comment(tree: &Tree, node: NodeId) -> String {
    tree.notes(node).map_or_else(String::new, |notes| notes.comment.clone())
}

/// A format that games are written in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// Smart Game Format.
    Sgf,
    /// The files of Piskvork.
    Psq,
    /// The libraries of Renlib.
    Lib,
    /// Moves alone.
    Txt,
}

impl Format {
    /// Every format.
    pub const ALL: [Format; 4] = [Format::Sgf, Format::Psq, Format::Lib, Format::Txt];

    /// Its name, which is also the ending of its files.
    pub const fn name(self) -> &'static str {
        match self {
            Format::Sgf => "sgf",
            Format::Psq => "psq",
            Format::Lib => "lib",
            Format::Txt => "txt",
        }
    }

    /// What a browser is told that the file is.
    const fn media_type(self) -> &'static str {
        match self {
            Format::Sgf => "application/x-go-sgf; charset=utf-8",
            Format::Psq | Format::Txt => "text/plain; charset=utf-8",
            Format::Lib => "application/octet-stream",
        }
    }
}

impl FromStr for Format {
    type Err = Fault;

    fn from_str(word: &str) -> Result<Format, Fault> {
        let known = Format::ALL.into_iter().find(|format| format.name() == word);
        known.ok_or_else(|| {
            Fault::bad(format!("the format is one of: {}", Format::ALL.map(Format::name).join(", ")))
        })
    }
}

/// Writes a game; answers the bytes and their media type.
pub fn export(request: &ExportRequest) -> Result<(Vec<u8>, &'static str), Fault> {
    let tree = request.game.tree()?;
    let format: Format = request.format.parse()?;
    let mut out = Vec::new();
    match format {
        Format::Sgf => sgf::write(&tree, &mut out),
        Format::Psq => {
            if !psq::write(&tree.main_line(), &mut out) {
                return Err(Fault::bad("a PSQ file cannot hold a pass"));
            }
        }
        Format::Lib => renlib::write(&tree, &mut out).map_err(|error| Fault::bad(error.to_string()))?,
        Format::Txt => text::write_moves(&tree.main_line(), &mut out),
    }
    Ok((out, format.media_type()))
}
